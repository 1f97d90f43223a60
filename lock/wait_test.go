package lock_test

// This file tests waiting for a lock.

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luagen/luagen/lock"
)

// Another process holds the lock for ten seconds; ten thousand wait here. One of
// them asks, about twice a second in the end.
func TestManyWaitersMakeOnePoll(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk, other := lock.New(w), lock.New(w)
		_ = obtain(t, other, key)
		w.breaks(nil)
		ctx, cancel := context.WithTimeout(bg, 9*time.Second)
		defer cancel()
		var all sync.WaitGroup
		for range 10_000 {
			all.Go(func() {
				if _, err := lk.Obtain(ctx, key); !errors.Is(err, lock.ErrNotObtained) || !errors.Is(err, context.DeadlineExceeded) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		if n := w.sent(""); n < 10 || n > 60 {
			t.Errorf("ten thousand waiters asked %d times in 9s, want about one poller's 30", n)
		}
	})
}

// Within a process a release reaches the next in line at once, and nobody asks
// in vain.
func TestFirstComeFirstServed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w)
		l := obtain(t, lk, key)
		const waiters = 100
		var got []int
		var all sync.WaitGroup
		for i := range waiters {
			all.Go(func() {
				l, err := lk.Obtain(bg, key)
				if err != nil {
					t.Error(err)
					return
				}
				got = append(got, i) // under the lock
				if err := l.Release(bg); err != nil {
					t.Error(err)
				}
			})
			synctest.Wait()
		}
		w.breaks(nil)
		start := time.Now()
		if err := l.Release(bg); err != nil {
			t.Fatal(err)
		}
		all.Wait()
		if !slices.IsSorted(got) || len(got) != waiters {
			t.Errorf("served in the order %v", got)
		}
		if time.Since(start) != 0 {
			t.Errorf("%d hand-overs took %v", waiters, time.Since(start))
		}
		if n := w.sent("acquire"); n > waiters {
			t.Errorf("%d requests for %d hand-overs", n, waiters)
		}
	})
}

// The holder crashed: the waiter asks when its lease ends, not when a pause does.
func TestPauseEndsWithTheHoldersLease(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		_ = obtain(t, lock.New(w), key, lock.TTL(3*time.Second))
		start := time.Now()
		l, err := lock.New(w).Obtain(bg, key, lock.Pause(time.Hour, time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		if got := time.Since(start); got < 3*time.Second || got > 3*time.Second+5*time.Millisecond {
			t.Errorf("obtained after %v, want 3s", got)
		}
		_ = l.Release(bg)
	})
}

func TestPausesGrowAndAreRandom(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		_ = obtain(t, lock.New(w), key, lock.TTL(time.Hour))
		var at []time.Time
		w.breaks(func(string, int) fault { at = append(at, time.Now()); return fault{} })
		ctx, cancel := context.WithTimeout(bg, 10*time.Minute)
		defer cancel()
		_, _ = lock.New(w).Obtain(ctx, key, lock.Pause(100*time.Millisecond, 10*time.Second))
		distinct := map[time.Duration]bool{}
		for i := 1; i < len(at); i++ {
			whole := min(100*time.Millisecond<<min(i-1, 20), 10*time.Second)
			pause := at[i].Sub(at[i-1])
			if pause < whole/2 || pause > whole {
				t.Errorf("pause %d is %v, want %v to %v", i, pause, whole/2, whole)
			}
			distinct[pause] = true
		}
		if len(at) < 50 || len(distinct) < len(at)/2 {
			t.Errorf("%d requests, %d different pauses", len(at), len(distinct))
		}
	})
}

func TestLeavingTheLine(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w)
		l := obtain(t, lk, key, lock.TTL(time.Hour))
		var all sync.WaitGroup
		var cancels []context.CancelFunc
		obtained := 0
		for i := range 9 {
			ctx, cancel := context.WithCancel(bg)
			cancels = append(cancels, cancel)
			all.Go(func() {
				l, err := lk.Obtain(ctx, key)
				if i%3 == 0 {
					if !errors.Is(err, context.Canceled) {
						t.Errorf("waiter %d: %v", i, err)
					}
					return
				}
				if err != nil {
					t.Errorf("waiter %d: %v", i, err)
					return
				}
				obtained++
				_ = l.Release(bg)
			})
			synctest.Wait()
		}
		for i := range 3 { // the first in line, and two of its middle
			cancels[3*i]()
		}
		synctest.Wait()
		_ = l.Release(bg)
		all.Wait()
		if obtained != 6 {
			t.Errorf("%d waiters obtained the lock, want 6", obtained)
		}
		for _, cancel := range cancels {
			cancel()
		}
	})
}

// Those who wait are woken when the lease before theirs is lost, too.
func TestLostLeaseWakesTheNext(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w)
		first, err := lk.Obtain(bg, key)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan time.Time)
		go func() {
			l, err := lk.Obtain(bg, key)
			if err != nil {
				t.Error(err)
			}
			done <- time.Now()
			_ = l.Release(bg)
		}()
		synctest.Wait()
		w.Del(bg, key)
		start := time.Now()
		wantLost(t, "extend", first.Extend(bg, ttl), lock.Vanished)
		if got := (<-done).Sub(start); got > time.Second {
			t.Errorf("the next one obtained the lock after %v", got)
		}
	})
}

func TestWaitingSurvivesAnOutage(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		start := time.Now()
		w.breaks(func(string, int) fault { return fault{lost: time.Since(start) < 5*time.Second} })
		l, err := lock.New(w).Obtain(bg, key)
		if err != nil {
			t.Fatal(err)
		}
		if got := time.Since(start); got < 5*time.Second || got > 6*time.Second {
			t.Errorf("obtained after %v, want 5s", got)
		}
		_ = l.Release(bg)

		start = time.Now()
		w.breaks(func(string, int) fault { return fault{lost: true} })
		if _, err := lock.New(w).Obtain(bg, key); err == nil || errors.Is(err, lock.ErrNotObtained) {
			t.Error(err)
		}
		if got := time.Since(start); got < 10*time.Second || got > 12*time.Second {
			t.Errorf("gave up after %v, want 10s", got)
		}
	})
}

// The reply is lost, and the waiter that asks again finds its own token.
func TestWaiterFindsItsOwnLock(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.breaks(func(script string, n int) fault { return fault{deaf: script == "acquire" && n <= 6} })
		start := time.Now()
		l, err := lock.New(w).Obtain(bg, key, lock.TTL(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		if got := time.Since(start); got > 10*time.Second {
			t.Errorf("obtained after %v: it waited for itself", got)
		}
		time.Sleep(time.Minute)
		if !w.holds(key) || l.Context().Err() != nil {
			t.Error("the lock was freed under its holder")
		}
		_ = l.Release(bg)
	})
}

// A reply that came late is settled in the background while the waiter goes on.
// That must not free what the waiter obtains next.
func TestSettlingDoesNotFreeTheNextLease(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.breaks(func(script string, n int) fault {
			if script == "acquire" && n == 1 {
				return fault{delivery: 1500 * time.Millisecond}
			}
			return fault{}
		})
		l, err := lock.New(w).Obtain(bg, key, lock.TTL(time.Second), lock.AutoExtend(lock.Max(time.Hour)))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		if l.Context().Err() != nil || !w.holds(key) {
			t.Errorf("the lease ended: %v", context.Cause(l.Context()))
		}
		_ = l.Release(bg)
	})
}

// What waiting longer does not change is told at once.
func TestErrorsOfTheScriptEndTheWait(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.LPush(bg, key, "x")
		w.breaks(nil)
		start := time.Now()
		if _, err := lock.New(w).Obtain(bg, key); err == nil || errors.Is(err, lock.ErrNotObtained) {
			t.Error(err)
		}
		if time.Since(start) != 0 || w.sent("") != 1 {
			t.Errorf("it took %v and %d requests", time.Since(start), w.sent(""))
		}
	})
}
