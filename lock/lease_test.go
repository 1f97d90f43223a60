package lock_test

// This file tests what a holder may rely on: each rule of the lock, and that it
// fails without it.

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luagen/luagen/lock"
)

const (
	key = "room:42"
	ttl = 10 * time.Second
	// usable is what is left of ttl after the margin.
	usable = ttl - ttl/100 - 2*time.Millisecond
)

// wantLost checks that err says how a lock was lost.
func wantLost(t testing.TB, what string, err error, reason lock.LossReason) {
	t.Helper()
	var lost *lock.LostError
	if !errors.Is(err, lock.ErrLost) || !errors.As(err, &lost) || lost.Reason != reason || lost.Key != key {
		t.Errorf("%s: got %v, want that %s was lost: %v", what, err, key, reason)
	}
}

// The request takes one second to arrive and the reply another: the server
// counts from in between, the holder from before.
func TestDeadlineCountsFromBeforeTheRequest(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.breaks(func(string, int) fault { return fault{delivery: time.Second, after: time.Second} })
		start := time.Now()
		l := obtain(t, lock.New(w), key)
		if got := l.Deadline().Sub(start); got != usable {
			t.Errorf("the deadline is %v after asking, want %v", got, usable)
		}
		<-l.Context().Done()
		if got := time.Since(start); got != usable {
			t.Errorf("the context ended %v after asking, want %v", got, usable)
		}
		if !w.holds(key) {
			t.Error("the key ended before the context")
		}
		wantLost(t, "the context", context.Cause(l.Context()), lock.Expired)
	})
}

// A clock of the server that is faster by 1 % must not end the key first.
func TestDeadlineAllowsForClockDrift(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		l := obtain(t, lock.New(w), key)
		w.engine.FastForward(ttl/100 + time.Millisecond)
		<-l.Context().Done()
		if !w.holds(key) {
			t.Error("the key ended before the context")
		}
	})
}

func TestOnlyAConfirmedExtensionMovesTheDeadline(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		l := obtain(t, lock.New(w), key)
		before := l.Deadline()
		w.breaks(func(string, int) fault { return fault{deaf: true} })
		if err := l.Extend(bg, time.Minute); err == nil || errors.Is(err, lock.ErrLost) {
			t.Errorf("without a reply: got %v", err)
		}
		if got := l.Deadline(); !got.Equal(before) {
			t.Errorf("an extension without a reply moved the deadline by %v", got.Sub(before))
		}
		w.breaks(func(string, int) fault { return fault{after: time.Second} })
		start := time.Now()
		if err := l.Extend(bg, 20*time.Second); err != nil {
			t.Error(err)
		}
		if got, want := l.Deadline().Sub(start), 20*time.Second-202*time.Millisecond; got != want {
			t.Errorf("the deadline is %v after the extension was asked for, want %v", got, want)
		}
		if err := l.Extend(bg, time.Second); err != nil || l.Deadline().Sub(start) < 19*time.Second {
			t.Errorf("a shorter extension: %v; the deadline moved back", err)
		}
		<-l.Context().Done()
		if got := time.Since(start); got < 19*time.Second {
			t.Errorf("the context ended %v after the extension", got)
		}
	})
}

// A confirmation that comes after the deadline is of no use: the context has
// ended, and does not live again.
func TestLateConfirmationIsALoss(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		l := obtain(t, lock.New(w), key)
		time.Sleep(usable - time.Second)
		w.breaks(func(string, int) fault { return fault{after: 2 * time.Second} })
		wantLost(t, "extend", l.Extend(bg, ttl), lock.Expired)
		if err := l.Release(bg); !errors.Is(err, lock.ErrLost) || w.holds(key) {
			t.Errorf("release: %v; the key is left: %t", err, w.holds(key))
		}
	})
}

// The request arrives when its caller has stopped waiting for it.
func TestReplyAfterTheDeadlineIsReleased(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		for _, f := range []fault{{delivery: 2 * time.Second}, {delivery: time.Second / 2, after: time.Second}} {
			w.breaks(func(script string, n int) fault {
				if script == "acquire" && n == 1 {
					return f
				}
				return fault{}
			})
			start := time.Now()
			ctx, cancel := context.WithCancel(bg)
			_, err := lock.New(w).TryObtain(ctx, key, lock.TTL(time.Second))
			cancel()
			wantLost(t, "obtain", err, lock.Late)
			if !errors.Is(err, lock.ErrNotObtained) {
				t.Errorf("%v is no ErrNotObtained", err)
			}
			if time.Since(start) > time.Second {
				t.Errorf("it took %v to give up a lease of a second", time.Since(start))
			}
			time.Sleep(f.delivery + f.after - time.Since(start) + time.Millisecond)
			synctest.Wait()
			if w.holds(key) {
				t.Errorf("%+v: the lock is left behind", f)
			}
			w.breaks(func(script string, n int) fault {
				if script == "acquire" && n == 1 {
					return f
				}
				return fault{}
			})
			_, err = lock.New(w).TryObtain(bg, key, lock.TTL(time.Second))
			wantLost(t, "obtain with a context that cannot end", err, lock.Late)
			time.Sleep(time.Millisecond)
			if w.holds(key) {
				t.Errorf("%+v: the lock is left behind", f)
			}
		}
	})
}

func TestCancelledCallerLeavesNoLockBehind(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		for name, f := range map[string]fault{
			"on the way there": {delivery: time.Second}, "on the way back": {after: time.Second}, "lost on the way back": {delivery: time.Second, deaf: true},
		} {
			for _, wait := range []bool{false, true} {
				w.breaks(func(script string, n int) fault {
					if script == "acquire" {
						return f
					}
					return fault{}
				})
				ctx, cancel := context.WithTimeout(bg, 500*time.Millisecond)
				start := time.Now()
				try := lock.New(w).TryObtain
				if wait {
					try = lock.New(w).Obtain
				}
				_, err := try(ctx, key, lock.TTL(time.Hour))
				if !errors.Is(err, lock.ErrNotObtained) || !errors.Is(err, context.DeadlineExceeded) {
					t.Errorf("%s: got %v", name, err)
				}
				if got := time.Since(start); got != 500*time.Millisecond {
					t.Errorf("%s: the caller was kept for %v", name, got)
				}
				cancel()
				time.Sleep(10 * time.Second)
				if w.holds(key) {
					t.Errorf("%s: the lock is left behind", name)
				}
			}
		}
	})
}

func TestContextThatHasEndedSendsNothing(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		ctx, cancel := context.WithCancel(bg)
		cancel()
		lk := lock.New(w)
		for _, try := range []func(context.Context, string, ...lock.Option) (*lock.Lease, error){lk.TryObtain, lk.Obtain} {
			if _, err := try(ctx, key); !errors.Is(err, context.Canceled) {
				t.Error(err)
			}
		}
		if w.sent("") != 0 {
			t.Error("something was sent")
		}
	})
}

// What bounds the wait for a lock does not bound the work.
func TestContextOfTheLeaseOutlivesThatOfTheWait(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		type name struct{}
		ctx, cancel := context.WithTimeout(context.WithValue(bg, name{}, "value"), time.Second)
		l, err := lock.New(w).Obtain(ctx, key)
		if err != nil {
			t.Fatal(err)
		}
		cancel()
		time.Sleep(2 * time.Second)
		if l.Context().Err() != nil || l.Context().Value(name{}) != "value" {
			t.Errorf("the lease ended with the context of the wait: %v", context.Cause(l.Context()))
		}
		_ = l.Release(bg)
	})
}

// A request whose reply is lost is sent again by the client and finds its own
// token: it is neither busy nor another lock.
func TestLostReplyOfAcquire(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w)
		w.breaks(func(_ string, n int) fault { return fault{deaf: n == 1} })
		l := obtain(t, lk, key)
		if n := w.sent("acquire"); n != 2 {
			t.Errorf("%d requests, want 2", n)
		}
		if err := l.Release(bg); err != nil || w.holds(key) {
			t.Errorf("release: %v", err)
		}
		w.breaks(func(script string, n int) fault { return fault{deaf: script == "acquire"} })
		if _, err := lk.TryObtain(bg, key); err == nil || errors.Is(err, lock.ErrNotObtained) {
			t.Errorf("without any reply: got %v", err)
		}
		time.Sleep(time.Second)
		if w.holds(key) {
			t.Error("the lock is left behind")
		}
	})
}

func TestReleaseTellsWhatItFound(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w)

		l := obtain(t, lk, key)
		ctx, cancel := context.WithCancel(bg)
		cancel()
		if err := l.Release(ctx); err != nil || w.holds(key) {
			t.Errorf("by a caller who was cancelled: %v; the key is left: %t", err, w.holds(key))
		}
		if cause := context.Cause(l.Context()); !errors.Is(cause, lock.ErrReleased) {
			t.Errorf("the context ended by %v", cause)
		}
		if err := l.Release(bg); !errors.Is(err, lock.ErrReleased) {
			t.Errorf("twice: %v", err)
		}
		if err := l.Extend(bg, ttl); !errors.Is(err, lock.ErrReleased) {
			t.Errorf("extend after it: %v", err)
		}

		l = obtain(t, lk, key)
		w.breaks(func(_ string, n int) fault { return fault{deaf: n == 1} })
		if err := l.Release(bg); err != nil || w.sent("release") != 2 {
			t.Errorf("with a lost reply: %v", err)
		}
		w.breaks(nil)

		l = obtain(t, lk, key)
		w.Del(bg, key)
		if err := l.Release(bg); err != nil {
			t.Errorf("gone before the deadline: %v", err)
		}

		l = obtain(t, lk, key)
		time.Sleep(2 * ttl)
		wantLost(t, "gone after the deadline", l.Release(bg), lock.Expired)
		if err := l.Release(bg); !errors.Is(err, lock.ErrLost) {
			t.Errorf("and once more: %v", err)
		}

		l = obtain(t, lk, key)
		w.Set(bg, key, "another:7", ttl)
		wantLost(t, "taken", l.Release(bg), lock.Stolen)
		if w.Get(bg, key).Val() != "another:7" {
			t.Error("another one's lock was freed")
		}
		w.Del(bg, key)
	})
}

// A release that the server does not answer may be tried again.
func TestReleaseAgainAfterAnOutage(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		l := obtain(t, lock.New(w), key)
		w.breaks(func(string, int) fault { return fault{lost: true} })
		if err := l.Release(bg); err == nil || errors.Is(err, lock.ErrLost) || errors.Is(err, lock.ErrReleased) {
			t.Errorf("during the outage: %v", err)
		}
		if l.Context().Err() == nil {
			t.Error("the context goes on after Release")
		}
		w.breaks(nil)
		if err := l.Release(bg); err != nil || w.holds(key) {
			t.Errorf("after it: %v", err)
		}
	})
}

func TestExtendNeverTakesTheLockAgain(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w)
		l := obtain(t, lk, key)
		w.Del(bg, key)
		wantLost(t, "gone", l.Extend(bg, ttl), lock.Vanished)
		if w.holds(key) {
			t.Error("extend took the lock")
		}
		wantLost(t, "the context", context.Cause(l.Context()), lock.Vanished)

		l = obtain(t, lk, key)
		w.Set(bg, key, l.Token()+":7", ttl) // a late duplicate of its own request
		wantLost(t, "with another fence", l.Extend(bg, ttl), lock.Stolen)

		w.Del(bg, key)
		l = obtain(t, lk, key)
		for _, bad := range []time.Duration{-time.Second, 0, time.Microsecond, 400 * 24 * time.Hour} {
			if err := l.Extend(bg, bad); err == nil || errors.Is(err, lock.ErrLost) {
				t.Errorf("by %v: %v", bad, err)
			}
		}
		if l.Context().Err() != nil {
			t.Error("a refused extension ended the lease")
		}
		if err := l.Release(bg); err != nil {
			t.Error(err)
		}
	})
}

func TestFencesGrowAndTokensDiffer(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w)
		var last int64
		tokens := map[string]bool{}
		for range 100 {
			l := obtain(t, lk, key)
			if l.Fence() <= last {
				t.Fatalf("fence %d after %d", l.Fence(), last)
			}
			last, tokens[l.Token()] = l.Fence(), true
			if len(l.Token()) < 26 { // of 32 letters each
				t.Fatalf("the token %q has less than 128 bits", l.Token())
			}
			if err := l.Release(bg); err != nil {
				t.Fatal(err)
			}
		}
		if len(tokens) != 100 {
			t.Error("tokens repeat")
		}
		if left := w.TTL(bg, "{room:42}:fence").Val(); left < 23*time.Hour || left > 25*time.Hour {
			t.Errorf("the counter is left for %v, want about a day", left)
		}
	})
}

func TestBusyLockTellsItsTTL(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w)
		l := obtain(t, lk, key)
		time.Sleep(time.Second)
		w.breaks(nil)
		_, err := lk.TryObtain(bg, key)
		var held *lock.HeldError
		if !errors.Is(err, lock.ErrNotObtained) || !errors.As(err, &held) || held.TTL != 9*time.Second || held.Key != key {
			t.Errorf("got %v, want that it is held for 9s", err)
		}
		if w.sent("") != 1 {
			t.Errorf("TryObtain took %d round trips", w.sent(""))
		}
		_ = l.Release(bg)
	})
}

func TestDetachAndResume(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w)
		l := obtain(t, lk, key, lock.AutoExtend(lock.Max(time.Hour)))
		if err := l.Detach(); err != nil || l.Context().Err() == nil {
			t.Errorf("detach: %v; the context goes on: %t", err, l.Context().Err() == nil)
		}
		if err := l.Release(bg); !errors.Is(err, lock.ErrReleased) || !w.holds(key) {
			t.Errorf("release after it: %v", err)
		}
		other := lock.New(w)
		start := time.Now()
		resumed, err := other.Resume(bg, key, l.Token(), l.Fence(), lock.TTL(ttl))
		if err != nil {
			t.Fatal(err)
		}
		if resumed.Deadline().Sub(start) != usable || resumed.Fence() != l.Fence() {
			t.Errorf("resumed until %v, with fence %d", resumed.Deadline().Sub(start), resumed.Fence())
		}
		_, err = other.Resume(bg, key, l.Token(), l.Fence()+1)
		wantLost(t, "another fence", err, lock.Stolen)
		if err := resumed.Release(bg); err != nil || w.holds(key) {
			t.Error(err)
		}
		_, err = other.Resume(bg, key, l.Token(), l.Fence())
		wantLost(t, "after its end", err, lock.Expired)
	})
}

func TestDo(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w)
		mine := errors.New("mine")

		err := lk.Do(bg, key, func(ctx context.Context, l *lock.Lease) error {
			if !w.holds(key) || ctx.Err() != nil || l.Key() != key {
				t.Error("f runs without the lock")
			}
			return mine
		})
		if !errors.Is(err, mine) || errors.Is(err, lock.ErrLost) || w.holds(key) {
			t.Errorf("an error of f: %v", err)
		}

		err = lk.Do(bg, key, func(ctx context.Context, _ *lock.Lease) error {
			<-ctx.Done()
			wantLost(t, "f's context", context.Cause(ctx), lock.Expired)
			return nil
		})
		wantLost(t, "f took too long", err, lock.Expired)

		ctx, cancel := context.WithCancel(bg)
		err = lk.Do(ctx, key, func(ctx context.Context, _ *lock.Lease) error {
			cancel()
			<-ctx.Done()
			return ctx.Err()
		})
		if !errors.Is(err, context.Canceled) || w.holds(key) {
			t.Errorf("cancelled: %v; the lock is left: %t", err, w.holds(key))
		}

		if err := lk.Do(bg, key, func(_ context.Context, l *lock.Lease) error { return l.Release(bg) }); err != nil {
			t.Errorf("released by f: %v", err)
		}

		func() {
			defer func() {
				if recover() == nil || w.holds(key) {
					t.Error("a panic left the lock behind")
				}
			}()
			_ = lk.Do(bg, key, func(context.Context, *lock.Lease) error { panic("f") })
		}()
	})
}

func TestOptionsThatMakeNoSense(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		for name, o := range map[string]lock.Option{
			"no TTL": lock.TTL(0), "a TTL below the margin": lock.TTL(5 * time.Millisecond), "a TTL of years": lock.TTL(1e6 * time.Hour),
			"no bound": lock.AutoExtend(lock.Limit{}), "a bound below the margin": lock.AutoExtend(lock.Max(1)),
			"no pause": lock.Pause(0, time.Second), "pauses that shrink": lock.Pause(time.Second, time.Millisecond),
		} {
			if _, err := lock.New(w).TryObtain(bg, key, o); err == nil || errors.Is(err, lock.ErrNotObtained) {
				t.Errorf("%s: got %v", name, err)
			}
			if _, err := lock.New(w, o).Obtain(bg, key); err == nil || errors.Is(err, lock.ErrNotObtained) {
				t.Errorf("%s, for all: got %v", name, err)
			}
		}
		if _, err := lock.New(w).TryObtain(bg, ""); err == nil {
			t.Error("an empty key is taken")
		}
		if w.sent("") != 0 {
			t.Error("something was sent")
		}
	})
}
