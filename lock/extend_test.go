package lock_test

// This file tests automatic extension.

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luagen/luagen/lock"
)

func TestAutoExtendKeepsTheLock(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		l := obtain(t, lock.New(w), key, lock.AutoExtend(lock.Max(time.Hour)))
		w.breaks(nil)
		time.Sleep(10 * time.Minute)
		if l.Context().Err() != nil || !w.holds(key) {
			t.Fatalf("the lease ended: %v", context.Cause(l.Context()))
		}
		if n := w.sent("extend"); n < 170 || n > 190 {
			t.Errorf("%d extensions in ten minutes, want 180", n)
		}
		if err := l.Release(bg); err != nil {
			t.Error(err)
		}
		n := w.sent("extend")
		time.Sleep(time.Minute)
		if w.sent("extend") != n {
			t.Error("a released lock is extended")
		}
	})
}

func TestAutoExtendEndsAtMax(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		const most = 95 * time.Second
		start := time.Now()
		l := obtain(t, lock.New(w), key, lock.AutoExtend(lock.Max(most)))
		<-l.Context().Done()
		if got := time.Since(start); got > most || got < most-2*time.Second {
			t.Errorf("the lease ended after %v, want %v", got, most)
		}
		wantLost(t, "the context", context.Cause(l.Context()), lock.MaxReached)
		time.Sleep(most + time.Millisecond - time.Since(start))
		if w.holds(key) {
			t.Error("the key is held beyond Max")
		}
	})
}

func TestMaxBelowTheTTL(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		_ = obtain(t, lock.New(w), key, lock.TTL(time.Hour), lock.AutoExtend(lock.Max(time.Second)))
		if left := w.PTTL(bg, key).Val(); left > time.Second {
			t.Errorf("the key is held for %v", left)
		}
		time.Sleep(time.Second)
	})
}

func TestAutoExtendSurvivesAShortOutage(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		for name, f := range map[string]fault{"refused": {lost: true}, "unanswered": {deaf: true}, "hanging": {after: time.Hour}} {
			start := time.Now()
			l := obtain(t, lock.New(w), key, lock.AutoExtend(lock.Max(time.Hour)))
			w.breaks(func(string, int) fault {
				if since := time.Since(start); since > 3*time.Second && since < 6*time.Second {
					return f
				}
				return fault{}
			})
			time.Sleep(time.Minute)
			if l.Context().Err() != nil || !w.holds(key) {
				t.Errorf("%s: the lease ended: %v", name, context.Cause(l.Context()))
			}
			_ = l.Release(bg)
		}
	})
}

// The connection of one extension hangs for longer than the lease: another one
// goes another way.
func TestAutoExtendPassesAConnectionThatHangs(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		l := obtain(t, lock.New(w), key, lock.TTL(2*time.Second), lock.AutoExtend(lock.Max(time.Hour)))
		w.breaks(func(script string, n int) fault {
			if script == "extend" && n == 1 {
				return fault{after: time.Hour}
			}
			return fault{}
		})
		time.Sleep(time.Minute)
		if l.Context().Err() != nil || !w.holds(key) {
			t.Errorf("the lease ended: %v", context.Cause(l.Context()))
		}
		_ = l.Release(bg)
	})
}

func TestAutoExtendGivesUpAtTheDeadline(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		start := time.Now()
		l := obtain(t, lock.New(w), key, lock.AutoExtend(lock.Max(time.Hour)))
		w.breaks(func(string, int) fault { return fault{lost: true} })
		<-l.Context().Done()
		if got := time.Since(start); got != usable {
			t.Errorf("the lease ended after %v, want %v", got, usable)
		}
		wantLost(t, "the context", context.Cause(l.Context()), lock.Expired)
		w.breaks(nil)
		time.Sleep(time.Minute)
		if w.sent("extend") != 0 || w.holds(key) {
			t.Error("the lock is extended after its end")
		}
	})
}

func TestAutoExtendLearnsOfALoss(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		start := time.Now()
		l := obtain(t, lock.New(w), key, lock.AutoExtend(lock.Max(time.Hour)))
		w.Set(bg, key, "another:7", time.Hour)
		<-l.Context().Done()
		wantLost(t, "the context", context.Cause(l.Context()), lock.Stolen)
		if got := time.Since(start); got > ttl/2 {
			t.Errorf("the loss was noticed after %v", got)
		}
		if w.Get(bg, key).Val() != "another:7" {
			t.Error("another one's lock was touched")
		}
	})
}

// An extension is under way when the lock is released: the release waits for
// it, and no other is sent.
func TestReleaseStopsExtensionFirst(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		l := obtain(t, lock.New(w), key, lock.AutoExtend(lock.Max(time.Hour)))
		var order []string
		w.breaks(func(script string, _ int) fault {
			order = append(order, script)
			if script == "extend" {
				return fault{after: 2 * time.Second}
			}
			return fault{}
		})
		time.Sleep(4 * time.Second) // the extension was sent at 3.3s, and the next try at 4.3s
		start := time.Now()
		if err := l.Release(bg); err != nil {
			t.Fatal(err)
		}
		if got := time.Since(start); got < time.Second || got > 2*time.Second {
			t.Errorf("the release took %v, want to wait for the extension's reply", got)
		}
		time.Sleep(time.Minute)
		if len(order) != 2 || order[1] != "release" {
			t.Errorf("sent %v, want an extension and the release", order)
		}
	})
}

func TestOneGoroutineExtendsManyLeases(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w)
		before := runtime.NumGoroutine()
		var leases []*lock.Lease
		for i := range 300 {
			leases = append(leases, obtain(t, lk, fmt.Sprint(key, ":", i), lock.AutoExtend(lock.Max(time.Hour))))
			time.Sleep(time.Millisecond)
		}
		synctest.Wait()
		if got := runtime.NumGoroutine() - before; got > 10 {
			t.Errorf("%d goroutines for 300 leases", got)
		}
		time.Sleep(2 * ttl)
		for _, l := range leases {
			if l.Context().Err() != nil {
				t.Fatal(context.Cause(l.Context()))
			}
			if err := l.Release(bg); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestExtensionThatIsRefusedIsToldAndTriedAgain(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		var failed int
		l := obtain(t, lock.New(w), key, lock.AutoExtend(lock.Max(time.Hour)), lock.Observe(func(e lock.Event) {
			if e.Kind == lock.Failed && e.Reason == "extend" && e.Err != nil {
				failed++
			}
		}))
		w.breaks(func(script string, n int) fault { return fault{lost: script == "extend" && n <= 4} }) // the client's own four attempts
		time.Sleep(2 * ttl)
		synctest.Wait()
		if failed != 1 || l.Context().Err() != nil {
			t.Errorf("%d failures told, the context has ended: %v", failed, context.Cause(l.Context()))
		}
		if err := l.Release(bg); err != nil || errors.Is(err, lock.ErrLost) {
			t.Error(err)
		}
	})
}
