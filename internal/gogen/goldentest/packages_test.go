package goldentest

import (
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/gogen/testdata/golden/echo"
	"github.com/luagen/luagen/internal/gogen/testdata/golden/lock"
	"github.com/luagen/luagen/internal/gogen/testdata/golden/names"
	"github.com/luagen/luagen/internal/gogen/testdata/golden/shapes"
	"github.com/luagen/luagen/redislua"
)

// TestSources compares each literal with the file that it was made from.
func TestSources(t *testing.T) {
	for folder, registry := range map[string]*redislua.Registry{
		"echo": echo.Registry(), "lock": lock.Registry(), "names": names.Registry(), "shapes": shapes.Registry(),
	} {
		scripts := registry.All()
		files, err := filepath.Glob("../testdata/golden/" + folder + "/*.lua")
		if err != nil || len(files) != len(scripts) {
			t.Errorf("%s has %d scripts, want %d", folder, len(scripts), len(files))
		}
		for _, s := range scripts {
			text, err := os.ReadFile("../testdata/golden/" + folder + "/" + filepath.Base(s.File))
			if err != nil {
				t.Fatal(err)
			}
			digest := sha1.Sum(text)
			if s.Source != string(text) || s.SHA1 != hex.EncodeToString(digest[:]) {
				t.Errorf("the source of %s differs from its file", s.Name)
			}
		}
	}
}

func TestLock(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		if isMiniredis(t) {
			t.Skip("miniredis has no #! line")
		}
		s := lock.New(client)
		var wrappers lock.Interface = s
		expect(t, lock.AcquireReply{Status: lock.AcquireStatusAcquired, Fence: 1, TTL: time.Second})(wrappers.Acquire(ctx, "{l}", "{l}:f", "me", time.Second))
		expectOptional(t, "me", true)(s.Holder(ctx, "{l}"))
		_, err := s.Acquire(ctx, "{l}", "{l}:f", "you", time.Second)
		if !errors.Is(err, lock.ErrBusy) || errors.Is(err, lock.ErrTTL) {
			t.Errorf("got %v, want ErrBusy", err)
		}
		if _, err := s.Acquire(ctx, "{l}", "{l}:f", "you", 0); !errors.Is(err, lock.ErrTTL) {
			t.Errorf("got %v, want ErrTTL", err)
		}
		expect(t, true)(s.Extend(ctx, "{l}", "me", time.Minute))
		expect(t, false)(s.Extend(ctx, "{l}", "you", time.Minute))
		expect(t, true)(s.Release(ctx, "{l}", "me"))
		expect(t, false)(s.Release(ctx, "{l}", "me"))
		expectOptional(t, "", false)(s.Holder(ctx, "{l}"))
	})
}

func TestPipelines(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		s := shapes.New(client)
		own := client.Pipeline()
		for name, p := range map[string]*shapes.Pipeline{"Pipeline": s.Pipeline(), "Tx": s.Tx(), "Queue": s.Queue(own)} {
			t.Run(name, func(t *testing.T) {
				nested, find, saved, nothing := p.Nested(), p.Find("none"), p.Saved(true), p.Nothing()
				totals, gate := p.Totals(), p.Gate("true")
				if err := p.Exec(ctx); err != nil {
					t.Fatal(err)
				}
				got, err := nested.Result()
				if err != nil || got.Owner.Name != "ann" {
					t.Errorf("got %v, %v, want the nested reply", got, err)
				}
				expect(t, (*string)(nil))(find.Result())
				expect(t, false)(saved.Result())
				expect(t, redislua.None{})(nothing.Result())
				expect(t, map[string]int64{"a": 1, "b": 2})(totals.Result())
				expect(t, true)(gate.Result())
			})
		}
	})
}

// TestNames calls scripts whose names and bytes want to break out.
func TestNames(t *testing.T) {
	onServers(t, func(t *testing.T, client *redis.Client) {
		s := names.New(client)
		expect(t, int64(1))(s.MoveTest(ctx))
		expect(t, int64(2))(s.BootLinux(ctx))
		expect(t, int64(3))(s.Scripts(ctx))
		expect(t, int64(5))(s.X3way(ctx))
		expect(t, int64(9))(s.HostileDoc(ctx, "lock"))
		expect(t, names.RemoteReply{Total: 5})(s.Remote(ctx, 2, 3))
		expect(t, names.AcquireReplyReply{Acquire: 7})(s.AcquireReply(ctx))
		expect(t, names.ErrReply{Busy: names.ErrReplyBusy{Code: 8}})(s.Err(ctx))
		expect(t, names.RawBytesReply{A: "`\r", B: 12})(s.RawBytes(ctx))
		expectOptional(t, "a b c", true)(s.Results(ctx, "a", "b", "c"))
		expectOptional(t, "k1 k2 k3 2 1 7 8 9", true)(s.Parameters(ctx, names.ParametersParams{
			S: "k1", Type: "k2", Ctx: "k3", P: 2 * time.Second, Call: true, Time: time.Unix(7, 0), Len: []int64{8, 9},
		}))
	})
}
