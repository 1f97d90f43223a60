package luagen_test

// This file tests the scripts of the lock, offline and, where there is
// one, on a Redis server.

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"pgregory.net/rapid"

	"github.com/luagen/luagen/generated"
	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/luatest"
	"github.com/luagen/luagen/redislua"
)

const (
	lockKey  = "{room:42}:lock"
	fenceKey = "{room:42}:fence"
)

// server is where a test runs.
type server struct {
	*redis.Client
	scripts *generated.Scripts
	offline *luatest.Server // nil on a Redis server
}

// onServers runs a test on an empty database of each server.
func onServers(t *testing.T, test func(t *testing.T, s server)) {
	t.Helper()
	t.Run("offline", func(t *testing.T) {
		test(t, startOffline(t))
	})
	t.Run("redis", func(t *testing.T) {
		client := redistest.Start(t).Client()
		test(t, server{client, generated.New(client), nil})
	})
}

func startOffline(t *testing.T) server {
	t.Helper()
	offline := luatest.Start(t)
	client := offline.Client()
	return server{client, generated.New(client), offline}
}

// tb is a *testing.T or a *rapid.T.
type tb interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Context() context.Context
}

// expire brings the end of a key's time.
func (s server) expire(t tb, key string) {
	t.Helper()
	left := s.PTTL(t.Context(), key).Val()
	if left <= 0 {
		t.Fatalf("%s has no time to live", key)
	}
	if s.offline != nil {
		s.offline.FastForward(left)
	} else if err := s.PExpire(t.Context(), key, -time.Second).Err(); err != nil {
		t.Fatalf("PEXPIRE %s: %v", key, err)
	}
}

func (s server) acquire(t tb, token string, ttl time.Duration) generated.AcquireReply {
	t.Helper()
	reply, err := s.scripts.Acquire(t.Context(), lockKey, fenceKey, token, ttl)
	if err != nil {
		t.Fatalf("acquire as %s: %v", token, err)
	}
	return reply
}

func (s server) extend(t tb, token string, fence int64, ttl time.Duration) generated.ExtendReply {
	t.Helper()
	reply, err := s.scripts.Extend(t.Context(), lockKey, token, fence, ttl)
	if err != nil {
		t.Fatalf("extend as %s: %v", token, err)
	}
	return reply
}

func (s server) release(t tb, token string, fence int64) generated.ReleaseReply {
	t.Helper()
	reply, err := s.scripts.Release(t.Context(), lockKey, token, fence)
	if err != nil {
		t.Fatalf("release as %s: %v", token, err)
	}
	return reply
}

// wantLeft checks the time that a key has left, which began as whole a moment ago.
func (s server) wantLeft(t tb, key string, whole time.Duration) {
	t.Helper()
	left := s.PTTL(t.Context(), key).Val()
	if left > whole || left < whole-time.Minute {
		t.Errorf("%s has %v left, want %v or a little less", key, left, whole)
	}
}

func (s server) wantValue(t tb, key, want string) {
	t.Helper()
	if got := s.Get(t.Context(), key).Val(); got != want {
		t.Errorf("%s holds %q, want %q", key, got, want)
	}
}

func TestAcquireTakesAFreeLock(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		got := s.acquire(t, "a:1", time.Hour)
		if got.Status != generated.AcquireStatusAcquired || got.Fence <= 0 || got.TTL != time.Hour {
			t.Fatalf("got %+v, want the lock with a fence for an hour", got)
		}
		s.wantValue(t, lockKey, fmt.Sprintf("a:1:%d", got.Fence))
		s.wantValue(t, fenceKey, strconv.FormatInt(got.Fence, 10))
		s.wantLeft(t, lockKey, time.Hour)
		s.wantLeft(t, fenceKey, 25*time.Hour)
	})
}

func TestAcquireAgainRefreshesAndNeverShortens(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		first := s.acquire(t, "a", time.Hour)

		longer := s.acquire(t, "a", 2*time.Hour)
		if longer.Status != generated.AcquireStatusRefreshed || longer.Fence != first.Fence || longer.TTL != 2*time.Hour {
			t.Errorf("got %+v, want the fence %d for two hours", longer, first.Fence)
		}
		s.wantLeft(t, lockKey, 2*time.Hour)

		shorter := s.acquire(t, "a", time.Second)
		if shorter.Status != generated.AcquireStatusRefreshed || shorter.Fence != first.Fence || shorter.TTL < time.Hour {
			t.Errorf("got %+v, want the fence %d and the two hours as they were", shorter, first.Fence)
		}
		s.wantLeft(t, lockKey, 2*time.Hour)
	})
}

func TestAcquireOfAHeldLockTellsHowLong(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		s.acquire(t, "a", time.Hour)
		for _, token := range []string{"b", "a:", "A", "aa"} {
			got := s.acquire(t, token, 5*time.Hour)
			if got.Status != generated.AcquireStatusHeld || got.Fence != 0 || got.TTL <= 59*time.Minute || got.TTL > time.Hour {
				t.Errorf("as %s: got %+v, want held for an hour", token, got)
			}
		}
		s.wantLeft(t, lockKey, time.Hour)
	})
}

func TestFencesOnlyGrow(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		var last int64
		for i := range 20 {
			got := s.acquire(t, "a", time.Hour)
			if got.Status != generated.AcquireStatusAcquired || got.Fence <= last {
				t.Fatalf("got %+v after the fence %d", got, last)
			}
			last = got.Fence
			if i%2 == 0 {
				s.release(t, "a", got.Fence)
			} else {
				s.expire(t, lockKey)
			}
		}
	})
}

func TestFenceIsTheClockOrTheNextNumber(t *testing.T) {
	s := startOffline(t)
	take := func() int64 {
		fence := s.acquire(t, "a", time.Hour).Fence
		s.release(t, "a", fence)
		return fence
	}
	now := time.Date(2026, 3, 1, 12, 0, 0, 7e6, time.UTC)
	s.offline.SetTime(now)
	if got, want := take(), now.UnixMicro(); got != want {
		t.Errorf("the first fence is %d, want the clock's %d", got, want)
	}
	if got, want := take(), now.UnixMicro()+1; got != want {
		t.Errorf("at the same time it is %d, want %d", got, want)
	}
	s.offline.SetTime(now.Add(-time.Hour))
	if got, want := take(), now.UnixMicro()+2; got != want {
		t.Errorf("with the clock turned back it is %d, want %d", got, want)
	}
	s.expire(t, fenceKey)
	s.offline.SetTime(now.Add(26 * time.Hour))
	if got, want := take(), now.Add(26*time.Hour).UnixMicro(); got != want {
		t.Errorf("when the counter is forgotten it is %d, want the clock's %d", got, want)
	}
}

func TestReleaseTellsWhatItFound(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		a := s.acquire(t, "a", time.Hour)
		if got := s.release(t, "a", a.Fence+1); got != generated.ReleaseReplyTaken {
			t.Errorf("with another fence: got %v, want taken", got)
		}
		if got := s.release(t, "b", a.Fence); got != generated.ReleaseReplyTaken {
			t.Errorf("with another token: got %v, want taken", got)
		}
		s.wantLeft(t, lockKey, time.Hour)
		if got := s.release(t, "a", a.Fence); got != generated.ReleaseReplyReleased {
			t.Errorf("got %v, want released", got)
		}
		if got := s.release(t, "a", a.Fence); got != generated.ReleaseReplyGone {
			t.Errorf("again: got %v, want gone", got)
		}

		expired := s.acquire(t, "a", time.Hour)
		s.expire(t, lockKey)
		if got := s.release(t, "a", expired.Fence); got != generated.ReleaseReplyGone {
			t.Errorf("after its time: got %v, want gone", got)
		}
		if got := s.acquire(t, "b", time.Hour); got.Status != generated.AcquireStatusAcquired {
			t.Errorf("the next one got %+v, want the lock", got)
		}
		if got := s.release(t, "a", expired.Fence); got != generated.ReleaseReplyTaken {
			t.Errorf("when another one has it: got %v, want taken", got)
		}
	})
}

func TestExtendTellsWhatItFound(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		a := s.acquire(t, "a", time.Hour)
		if got := s.extend(t, "a", a.Fence, 3*time.Hour); got.Status != generated.ExtendStatusExtended || got.TTL != 3*time.Hour {
			t.Errorf("got %+v, want three hours", got)
		}
		s.wantLeft(t, lockKey, 3*time.Hour)
		if got := s.extend(t, "a", a.Fence, time.Second); got.Status != generated.ExtendStatusExtended || got.TTL < 2*time.Hour {
			t.Errorf("got %+v, want the three hours as they were", got)
		}
		s.wantLeft(t, lockKey, 3*time.Hour)

		for token, fence := range map[string]int64{"a": a.Fence + 1, "b": a.Fence} {
			got := s.extend(t, token, fence, 9*time.Hour)
			if got.Status != generated.ExtendStatusTaken || got.TTL < 2*time.Hour || got.TTL > 3*time.Hour {
				t.Errorf("as %s with fence %d: got %+v, want taken for three hours", token, fence, got)
			}
		}
		s.wantLeft(t, lockKey, 3*time.Hour)

		s.expire(t, lockKey)
		if got := s.extend(t, "a", a.Fence, time.Hour); got.Status != generated.ExtendStatusGone || got.TTL != 0 {
			t.Errorf("after its time: got %+v, want gone", got)
		}
		if s.Exists(t.Context(), lockKey).Val() != 0 {
			t.Error("extend took the lock again")
		}
	})
}

// A holds the lock, loses it, B comes and goes, and only now a duplicate of A's
// request arrives and takes the lock for nobody. A must not believe that it
// still holds it.
func TestLateDuplicateOfAcquireDoesNotBringALockBack(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		a := s.acquire(t, "a", time.Hour)
		s.expire(t, lockKey)
		b := s.acquire(t, "b", time.Hour)
		s.release(t, "b", b.Fence)
		duplicate := s.acquire(t, "a", time.Hour)
		if duplicate.Status != generated.AcquireStatusAcquired || duplicate.Fence <= b.Fence {
			t.Fatalf("the duplicate got %+v, want a fence greater than %d", duplicate, b.Fence)
		}
		if got := s.extend(t, "a", a.Fence, time.Hour); got.Status != generated.ExtendStatusTaken {
			t.Errorf("extend: got %+v, want taken", got)
		}
		if got := s.release(t, "a", a.Fence); got != generated.ReleaseReplyTaken {
			t.Errorf("release: got %v, want taken", got)
		}
	})
}

// A extends its lock, and only then a duplicate of its request arrives.
func TestLateDuplicateOfAcquireDoesNotShortenALease(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		a := s.acquire(t, "a", time.Hour)
		s.extend(t, "a", a.Fence, 10*time.Hour)
		s.acquire(t, "a", time.Hour)
		s.wantLeft(t, lockKey, 10*time.Hour)
	})
}

func TestValueOfAnotherFormatIsAnotherHolder(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		for _, value := range []string{"a", "a:", "a:x", ":1", "1", "{json}", "a\x00:1\n"} {
			s.Set(t.Context(), lockKey, value, time.Hour)
			if got := s.acquire(t, "a", time.Hour); got.Status != generated.AcquireStatusHeld || got.TTL < 59*time.Minute {
				t.Errorf("%q: acquire got %+v, want held", value, got)
			}
			if got := s.extend(t, "a", 1, 5*time.Hour); got.Status != generated.ExtendStatusTaken || got.TTL > time.Hour {
				t.Errorf("%q: extend got %+v, want taken", value, got)
			}
			if got := s.release(t, "a", 1); got != generated.ReleaseReplyTaken {
				t.Errorf("%q: release got %v, want taken", value, got)
			}
			s.wantValue(t, lockKey, value)
			s.wantLeft(t, lockKey, time.Hour)
		}
	})
}

func TestTokensAreBytes(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		for _, token := range []string{"a:1", ":", "a\x00b", "é\n:", "%d+", strings.Repeat("x", 10000)} {
			a := s.acquire(t, token, time.Hour)
			if got := s.acquire(t, token, time.Hour); got.Status != generated.AcquireStatusRefreshed || got.Fence != a.Fence {
				t.Errorf("%.20q: got %+v, want the fence %d again", token, got, a.Fence)
			}
			if got := s.release(t, token, a.Fence); got != generated.ReleaseReplyReleased {
				t.Errorf("%.20q: got %v, want released", token, got)
			}
		}
	})
}

// What never expires was not written by the lock, and waiting for it never ends.
func TestLockThatNeverExpiresIsRefused(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		s.Set(t.Context(), lockKey, "b:7", 0)
		if _, err := s.scripts.Acquire(t.Context(), lockKey, fenceKey, "a", time.Hour); !errors.Is(err, generated.ErrForeign) {
			t.Errorf("acquire: got %v, want ErrForeign", err)
		}
		if _, err := s.scripts.Extend(t.Context(), lockKey, "a", 7, time.Hour); !errors.Is(err, generated.ErrForeign) {
			t.Errorf("extend: got %v, want ErrForeign", err)
		}
		if got := s.acquire(t, "b", time.Hour); got.Status != generated.AcquireStatusRefreshed || got.Fence != 7 {
			t.Errorf("its own holder got %+v, want the lock with an end", got)
		}
		s.wantLeft(t, lockKey, time.Hour)

		s.Persist(t.Context(), lockKey)
		if got := s.extend(t, "b", 7, time.Hour); got.Status != generated.ExtendStatusExtended || got.TTL != time.Hour {
			t.Errorf("its own holder got %+v, want a lease with an end", got)
		}
		s.wantLeft(t, lockKey, time.Hour)
	})
}

func TestKeysOfAnotherTypeAreRefused(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		check := func(what string, err error) {
			t.Helper()
			var script *redislua.Error
			if !errors.As(err, &script) || script.Code != "WRONGTYPE" {
				t.Errorf("%s: got %v, want WRONGTYPE", what, err)
			}
		}
		s.LPush(t.Context(), lockKey, "x")
		_, err := s.scripts.Acquire(t.Context(), lockKey, fenceKey, "a", time.Hour)
		check("acquire", err)
		_, err = s.scripts.Extend(t.Context(), lockKey, "a", 1, time.Hour)
		check("extend", err)
		_, err = s.scripts.Release(t.Context(), lockKey, "a", 1)
		check("release", err)

		s.Del(t.Context(), lockKey)
		s.LPush(t.Context(), fenceKey, "x")
		_, err = s.scripts.Acquire(t.Context(), lockKey, fenceKey, "a", time.Hour)
		check("acquire with a list as the counter", err)
		if s.Exists(t.Context(), lockKey).Val() != 0 {
			t.Error("the lock was taken all the same")
		}
	})
}

func TestCounterThatIsNoneIsRefused(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		for _, value := range []string{"", "x", "-1", "1.5", "1e3", " 1", "0x10", "9007199254740991", "99999999999999999999"} {
			s.Set(t.Context(), fenceKey, value, 0)
			if _, err := s.scripts.Acquire(t.Context(), lockKey, fenceKey, "a", time.Hour); !errors.Is(err, generated.ErrFence) {
				t.Errorf("%q: got %v, want ErrFence", value, err)
			}
			s.wantValue(t, fenceKey, value)
			if s.Exists(t.Context(), lockKey).Val() != 0 {
				t.Fatalf("%q: the lock was taken all the same", value)
			}
		}
		s.Set(t.Context(), fenceKey, "9007199254740990", 0)
		if got := s.acquire(t, "a", time.Hour); got.Fence != 9007199254740991 {
			t.Errorf("the greatest fence is %d", got.Fence)
		}
		s.wantValue(t, lockKey, "a:9007199254740991")
		s.wantLeft(t, fenceKey, 25*time.Hour)
	})
}

func TestBadArgumentsAreRefusedBeforeAnyWrite(t *testing.T) {
	acquire, extend, release := generated.AcquireScript, generated.ExtendScript, generated.ReleaseScript
	keys, lock := []string{lockKey, fenceKey}, []string{lockKey}
	type call struct {
		script redislua.Script
		keys   []string
		args   []any
	}
	calls := []call{
		{acquire, nil, nil},
		{acquire, lock, []any{"a", 1000}},
		{acquire, []string{lockKey, fenceKey, "x"}, []any{"a", 1000}},
		{acquire, []string{lockKey, lockKey}, []any{"a", 1000}},
		{acquire, keys, []any{"a"}},
		{acquire, keys, []any{"a", 1000, "x"}},
		{acquire, keys, []any{"", 1000}},
		{extend, nil, nil},
		{extend, keys, []any{"a", 1, 1000}},
		{extend, lock, []any{"a", 1}},
		{extend, lock, []any{"a", 1, 1000, "x"}},
		{extend, lock, []any{"", 1, 1000}},
		{release, nil, nil},
		{release, keys, []any{"a", 1}},
		{release, lock, []any{"a"}},
		{release, lock, []any{"a", 1, "x"}},
		{release, lock, []any{"", 1}},
	}
	for _, ttl := range []any{"", "0", "-1", "1.5", "1e3", "0x10", " 5", "5 ", "nan", "inf", "ten", "31536000001", "9223372036854775808"} {
		calls = append(calls, call{acquire, keys, []any{"a", ttl}}, call{extend, lock, []any{"a", 1, ttl}})
	}
	for _, fence := range []any{"", "0", "-1", "01", "1.0", "1e3", "x"} {
		calls = append(calls, call{extend, lock, []any{"a", fence, 1000}}, call{release, lock, []any{"a", fence}})
	}
	onServers(t, func(t *testing.T, s server) {
		for _, c := range calls {
			for _, held := range []string{"", "a:1"} {
				s.FlushDB(t.Context())
				if held != "" {
					s.Set(t.Context(), lockKey, held, time.Hour)
				}
				err := s.Eval(t.Context(), c.script.Source, c.keys, c.args...).Err()
				if err == nil || !strings.HasPrefix(err.Error(), "INVALID ") {
					t.Errorf("%s %q %q: got %v, want INVALID", c.script.Name, c.keys, c.args, err)
				}
				s.wantValue(t, lockKey, held)
				if held != "" {
					s.wantLeft(t, lockKey, time.Hour)
				}
				if n := s.Exists(t.Context(), fenceKey).Val(); n != 0 {
					t.Errorf("%s %q %q: wrote the counter", c.script.Name, c.keys, c.args)
				}
			}
		}
		if _, err := s.scripts.Acquire(t.Context(), lockKey, fenceKey, "a", 0); !errors.Is(err, generated.ErrInvalid) {
			t.Errorf("through the wrapper: got %v, want ErrInvalid", err)
		}
	})
}

func TestOneOfManyGetsTheLock(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		const clients = 32
		replies := make([]generated.AcquireReply, clients)
		errs := make([]error, clients)
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() {
				replies[i], errs[i] = s.scripts.Acquire(context.Background(), lockKey, fenceKey, strconv.Itoa(i), time.Hour)
			})
		}
		all.Wait()
		acquired := 0
		for i, reply := range replies {
			if errs[i] != nil {
				t.Fatal(errs[i])
			}
			if reply.Status == generated.AcquireStatusAcquired {
				acquired++
			}
		}
		if acquired != 1 {
			t.Errorf("%d clients got the lock, want 1", acquired)
		}
	})
}

// TestLockAgainstModel compares the scripts with a few lines of Go, in which a
// lock is a holder and its fence.
func TestLockAgainstModel(t *testing.T) {
	onServers(t, func(t *testing.T, s server) {
		rapid.Check(t, func(t *rapid.T) {
			s.FlushDB(t.Context())
			var holder string
			var fence, greatest int64
			fences := []int64{1}
			tokens := rapid.SampledFrom([]string{"a", "b", "a:1"})
			ttls := rapid.Map(rapid.IntRange(1, 5), func(n int) time.Duration { return time.Duration(n) * time.Hour })
			found := func(token string, asked, gone, mine, others int64) int64 {
				switch {
				case holder == "":
					return gone
				case holder == token && fence == asked:
					return mine
				}
				return others
			}
			t.Repeat(map[string]func(*rapid.T){
				"acquire": func(t *rapid.T) {
					token := tokens.Draw(t, "token")
					got := s.acquire(t, token, ttls.Draw(t, "ttl"))
					switch {
					case holder == "" && got.Status == generated.AcquireStatusAcquired && got.Fence > greatest:
						holder, fence, greatest = token, got.Fence, got.Fence
						fences = append(fences, fence)
					case holder == token && got.Status == generated.AcquireStatusRefreshed && got.Fence == fence:
					case holder != "" && holder != token && got.Status == generated.AcquireStatusHeld:
					default:
						t.Fatalf("%s got %+v; the holder is %q with %d, the greatest fence %d", token, got, holder, fence, greatest)
					}
				},
				"extend": func(t *rapid.T) {
					token, asked := tokens.Draw(t, "token"), rapid.SampledFrom(fences).Draw(t, "fence")
					want := found(token, asked, int64(generated.ExtendStatusGone), int64(generated.ExtendStatusExtended), int64(generated.ExtendStatusTaken))
					if got := s.extend(t, token, asked, ttls.Draw(t, "ttl")); int64(got.Status) != want {
						t.Fatalf("%s with %d got %+v; the holder is %q with %d", token, asked, got, holder, fence)
					}
				},
				"release": func(t *rapid.T) {
					token, asked := tokens.Draw(t, "token"), rapid.SampledFrom(fences).Draw(t, "fence")
					want := found(token, asked, int64(generated.ReleaseReplyGone), int64(generated.ReleaseReplyReleased), int64(generated.ReleaseReplyTaken))
					got := s.release(t, token, asked)
					if int64(got) != want {
						t.Fatalf("%s with %d got %v; the holder is %q with %d", token, asked, got, holder, fence)
					}
					if got == generated.ReleaseReplyReleased {
						holder = ""
					}
				},
				"expire": func(t *rapid.T) {
					if holder == "" {
						t.Skip("nobody holds the lock")
					}
					s.expire(t, lockKey)
					holder = ""
				},
				"": func(t *rapid.T) {
					want := ""
					if holder != "" {
						want = fmt.Sprintf("%s:%d", holder, fence)
					}
					s.wantValue(t, lockKey, want)
				},
			})
		})
	})
}
