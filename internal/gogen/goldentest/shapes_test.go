package goldentest

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/gogen/testdata/golden/shapes"
	"github.com/luagen/luagen/redislua"
)

func TestAbsentReplies(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		s := shapes.New(client)
		if err := s.Nothing(ctx); err != nil {
			t.Error(err)
		}
		expect(t, true)(s.Saved(ctx, false))
		expect(t, false)(s.Saved(ctx, true))
		expectOptional(t, "", false)(s.Find(ctx, "job"))
		client.HSet(ctx, "job", "f", "v", "g", "w")
		expectOptional(t, "v", true)(s.Find(ctx, "job"))
		expectOptional(t, []string{"a", "b"}, true)(s.Words(ctx, true))
		expectOptional(t, []string(nil), false)(s.Words(ctx, false))

		note, until := "urgent", time.UnixMilli(1500)
		for reply, want := range map[string]shapes.FindJobReply{
			"full":  {ID: "7", Tries: 3, Note: &note, Until: &until},
			"hole":  {ID: "7", Tries: 3, Until: &until},
			"short": {ID: "7", Tries: 3},
		} {
			got, ok, err := s.FindJob(ctx, "job", reply)
			expectOptional(t, want, true)(got, ok, err)
		}
		expectOptional(t, shapes.FindJobReply{}, false)(s.FindJob(ctx, "job", "none"))
		for word, want := range map[string]bool{"nil": false, "false": false, "true": true, "0": false, "1": true} {
			expect(t, want)(s.Gate(ctx, word))
		}
	})
}

func TestNestedReplies(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		s := shapes.New(client)
		expect(t, shapes.NestedReply{
			Status: shapes.NestedStatusYes,
			Owner:  shapes.NestedOwner{Name: "ann", Status: shapes.NestedOwnerStatusOn},
			Jobs:   []shapes.NestedJob{{ID: "a", Score: 1.5}, {ID: "b", Score: 2}},
			Matrix: [][]int64{{1, 2}, {}},
		})(s.Nested(ctx))
		expect(t, []shapes.NearbyItem{{Member: "a", Distance: 1.5}, {Member: "b", Distance: 12345678901234567}})(s.Nearby(ctx))
		expect(t, map[string]int64{"a": 1, "b": 2})(s.Totals(ctx))
		expect(t, []redislua.Pair[string, float64]{{Key: "b", Value: 2.5}, {Key: "a", Value: 1}})(s.Ranking(ctx))
		expect(t, map[shapes.StatesKey]shapes.StatesValue{shapes.StatesKeyX: {Count: 1}, shapes.StatesKeyY: {Count: 2}})(s.States(ctx))
	})
}

func TestScriptsOfRESP3(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		if isMiniredis(t) {
			t.Skip("miniredis has no redis.setresp")
		}
		s := shapes.New(client)
		client.HSet(ctx, "job", "f", "v", "g", "w")
		expect(t, map[string]string{"f": "v", "g": "w"})(s.Profile(ctx, "job"))
		expect(t, shapes.ExactReply{Third: 1.0 / 3, Double: 0.1, Text: 12})(s.Exact(ctx))
	})
}

func TestValues(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		s := shapes.New(client)
		for which, want := range map[int64]any{1: int64(7), 2: "seven", 3: []any{int64(1), "two"}, 4: nil} {
			v, err := s.Either(ctx, which)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, v.Any()); diff != "" || v.IsNil() != (want == nil) {
				t.Errorf("want -, got +:\n%s", diff)
			}
		}
		if v, err := s.MaybeAny(ctx); err != nil || v.IsNil() {
			t.Errorf("got %v, %v, want an empty list", v, err)
		}
	})
}

func TestRepliesOfAnotherShape(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		s := shapes.New(client)
		_, err := s.Wrong(ctx)
		var reply *redislua.ReplyError
		if !errors.As(err, &reply) || reply.Script != "Wrong" || !strings.Contains(err.Error(), "score") {
			t.Errorf("got %v, want a ReplyError about the score in Wrong", err)
		}
		if _, err := s.UnknownStatus(ctx); !errors.As(err, &reply) {
			t.Errorf("got %v, want a ReplyError about 2", err)
		}
	})
}
