package goldentest

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/vmihailenco/msgpack/v5"

	"github.com/luagen/luagen/internal/gogen/testdata/golden/echo"
	"github.com/luagen/luagen/internal/gogen/testdata/shop"
)

func TestScalars(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		s := echo.New(client)
		for _, text := range []string{"", "plain", "é\x00\r\n\xff"} {
			expect(t, text)(s.String(ctx, text))
			expect(t, []byte(text))(s.Bytes(ctx, []byte(text)))
		}
		expect(t, echo.IntReply{AsText: -7, AsInteger: -7, Text: "-7"})(s.Int(ctx, -7))
		got, err := s.Int(ctx, math.MinInt64)
		if err != nil || got.AsText != math.MinInt64 || got.Text != "-9223372036854775808" {
			t.Errorf("got %v, %v, want the least int64 as text", got, err)
		}
		expect(t, echo.UintReply{Value: math.MaxUint64, Text: "18446744073709551615"})(s.Uint(ctx, math.MaxUint64))
		for value, text := range map[float64]string{0.1: "0.1", 1.0 / 3: "0.3333333333333333", 1e300: "1e+300", -2: "-2", 12345678901234567: "1.2345678901234568e+16"} {
			expect(t, echo.FloatReply{Value: value, Text: text})(s.Float(ctx, value))
		}
		for _, value := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
			_, err := s.Float(ctx, value)
			refused(t, err, "value")
		}
		expect(t, echo.BoolReply{Value: true, AsLua: true, Text: "1"})(s.Bool(ctx, true))
		expect(t, echo.BoolReply{Text: "0"})(s.Bool(ctx, false))
		expect(t, echo.WordsReply{Value: true, Text: "yes"})(s.Words(ctx, true))
		expect(t, echo.WordsReply{Text: "no"})(s.Words(ctx, false))
		if err := s.Ping(ctx); err != nil {
			t.Error(err)
		}
	})
}

func TestTimes(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		s := echo.New(client)
		expect(t, echo.DurationsReply{
			Lease: 2 * time.Second, TTL: 1500 * time.Millisecond, Wait: 7 * time.Microsecond, Duration: 3 * time.Second,
			Texts: []string{"2", "1500", "7"},
		})(s.Durations(ctx, 2*time.Second, 1500*time.Millisecond, 7*time.Microsecond))
		at := time.UnixMicro(1_700_000_000_123_456)
		got, err := s.Times(ctx, at, at, at)
		if err != nil {
			t.Fatal(err)
		}
		if !got.S.Equal(at.Truncate(time.Second)) || !got.Ms.Equal(at.Truncate(time.Millisecond)) || !got.Us.Equal(at) {
			t.Errorf("got %v, want %v cut to seconds, milliseconds and microseconds", got, at)
		}
		expect(t, []string{"1700000000", "1700000000123", "1700000000123456"})(got.Texts, nil)
	})
}

func TestEnums(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		s := echo.New(client)
		expect(t, echo.EnumIntReplyGone)(s.EnumInt(ctx, echo.EnumIntStateGone))
		for sent, want := range map[echo.EnumWordWord]echo.EnumWordReply{
			echo.EnumWordWordOK: echo.EnumWordReplyOK, echo.EnumWordWordNotFound: echo.EnumWordReplyNotFound,
			echo.EnumWordWordOther: echo.EnumWordReplyOther, echo.EnumWordWord42: echo.EnumWordReply42,
		} {
			expect(t, want)(s.EnumWord(ctx, sent))
		}
		if _, err := s.EnumWord(ctx, "else"); err == nil {
			t.Error("a word that is no member was taken as a reply")
		}
	})
	for value, want := range map[echo.EnumIntReply]string{echo.EnumIntReplyHeld: "held", echo.EnumIntReplyGone: "gone", 5: "EnumIntReply(5)"} {
		if got := value.String(); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestDocuments(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		s := echo.New(client)
		order := shop.Order{SKU: "a<b", Count: 3}
		expect(t, echo.JSONReply{Document: json.RawMessage(`{"a": [1, "<"]}`), Order: order})(s.JSON(ctx, json.RawMessage(`{"a": [1, "<"]}`), order))
		_, err := s.JSON(ctx, json.RawMessage(`{`), order)
		refused(t, err, "document")
		packed, err := msgpack.Marshal(map[string]int{"a": 1})
		if err != nil {
			t.Fatal(err)
		}
		expect(t, echo.MsgpackReply{Document: packed, Order: order})(s.Msgpack(ctx, packed, order))
	})
}

func TestUserTypes(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		s := echo.New(client)
		expect(t, []shop.ID{"ann", "7", "a-1", "b-2"})(s.User(ctx, "ann", 7, shop.Code{Letter: 'a', Digit: '1'}, shop.Code{Letter: 'b', Digit: '2'}))
	})
}

func TestOptionalArguments(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		s := echo.New(client)
		limit, ttl, mode := int64(5), time.Second, echo.OptionalModeB
		expect(t, []string{"x", "5", "1000", "b"})(s.Optional(ctx, "x", &limit, &ttl, &mode))
		expect(t, []string{"x", "", "1000"})(s.Optional(ctx, "x", nil, &ttl, nil))
		expect(t, []string{"x"})(s.Optional(ctx, "x", nil, nil, nil))
		expect(t, []string{"x", ""})(s.OptionalEmpty(ctx, "x", nil))
	})
}

func TestRest(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		s := echo.New(client)
		expect(t, echo.RestStringsReply{Keys: []string{"k", "l"}, Values: []string{"a", "", "b"}})(s.RestStrings(ctx, []string{"k", "l"}, "a", "", "b"))
		expect(t, echo.RestStringsReply{Keys: []string{}, Values: []string{}})(s.RestStrings(ctx, nil))
		expect(t, []string{"a", "b", "c"})(s.RestKeys(ctx, "a", "b", "c"))
		expect(t, []float64{0.1, 2})(s.RestFloats(ctx, 1, 0.1, 2))
		_, err := s.RestFloats(ctx, 1, 0.1, math.NaN())
		refused(t, err, "factors")
		expect(t, []string{"a", "2", "0.5", "60", "1", "b", "c", "0", "1", "1", "0", "a"})(s.Groups(ctx, "stock",
			echo.GroupsItem{Sku: "a", Count: 2, Weight: 0.5, Until: time.Minute, Gift: true, Kind: echo.GroupsKindB},
			echo.GroupsItem{Sku: "c", Weight: 1, Until: time.Second, Kind: echo.GroupsKindA},
		))
		_, err = s.Groups(ctx, "stock", echo.GroupsItem{Weight: math.Inf(1)})
		refused(t, err, "items.weight")
		expect(t, int64(2))(s.Parallel(ctx, []string{"a", "b"}, 1, 2))
		if _, err := s.Parallel(ctx, []string{"a", "b"}, 1); err == nil {
			t.Error("two keys with one amount were sent")
		}
	})
}

func TestParams(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		s := echo.New(client)
		expect(t, []string{"j", "1", "", "x", "y"})(s.Many(ctx, echo.ManyParams{
			Source: "a", Target: "b", Job: "j", Type: echo.ManyTypeUrgent, Tags: []string{"x", "y"},
		}))
	})
}
