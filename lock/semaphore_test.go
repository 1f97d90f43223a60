package lock_test

// This file tests semaphores.

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/luagen/luagen/lock"
)

func TestSemaphoreHasItsPlaces(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		s := lock.NewSemaphore(w, key, 3)
		var leases []*lock.Lease
		var last int64
		for range 3 {
			l, err := s.TryObtain(bg)
			if err != nil || l.Fence() <= last {
				t.Fatalf("%v; fence %d after %d", err, l.Fence(), last)
			}
			last = l.Fence()
			leases = append(leases, l)
			time.Sleep(time.Second)
		}
		_, err := s.TryObtain(bg)
		var held *lock.HeldError
		if !errors.As(err, &held) || held.TTL != 7*time.Second {
			t.Errorf("a fourth: %v, want that the first is over in 7s", err)
		}
		if err := leases[1].Release(bg); err != nil {
			t.Error(err)
		}
		l, err := s.TryObtain(bg)
		if err != nil {
			t.Fatal(err)
		}
		if err := leases[0].Extend(bg, time.Hour); err != nil {
			t.Error(err)
		}
		time.Sleep(time.Minute)
		if leases[0].Context().Err() != nil || leases[2].Context().Err() == nil {
			t.Error("the extended place should last, and the other be over")
		}
		wantLost(t, "a place that is over", l.Release(bg), lock.Expired)
		if err := leases[0].Release(bg); err != nil {
			t.Error(err)
		}
		_ = leases[2].Release(bg)
		if n := w.Exists(bg, key, "{room:42}:fences").Val(); n != 0 {
			t.Errorf("%d keys are left", n)
		}
	})
}

func TestSemaphoreByTheRulesOfTheLock(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		s := lock.NewSemaphore(w, key, 1)

		w.breaks(func(script string, n int) fault { return fault{deaf: n == 1} }) // every reply once
		l, err := s.TryObtain(bg)
		if err != nil || w.sent("acquire") != 2 {
			t.Fatal(err)
		}
		if err := l.Extend(bg, ttl); err != nil || w.sent("extend") != 2 {
			t.Error(err)
		}
		if err := l.Release(bg); err != nil || w.sent("release") != 2 || w.holds(key) {
			t.Error(err)
		}

		w.breaks(func(script string, _ int) fault { return fault{deaf: script == "acquire"} })
		if _, err := s.TryObtain(bg); err == nil {
			t.Error("a place without a reply")
		}
		time.Sleep(time.Second)
		if w.holds(key) {
			t.Error("a place is left behind")
		}
		w.breaks(nil)

		l, err = s.TryObtain(bg)
		if err != nil {
			t.Fatal(err)
		}
		w.Del(bg, key)
		wantLost(t, "extend", l.Extend(bg, ttl), lock.Vanished)
		if w.holds(key) {
			t.Error("the place was taken again")
		}

		l, err = s.TryObtain(bg, lock.AutoExtend(lock.Max(time.Minute)))
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		<-l.Context().Done()
		wantLost(t, "the context", context.Cause(l.Context()), lock.MaxReached)
		if got := time.Since(start); got > time.Minute || got < 58*time.Second {
			t.Errorf("it ended after %v", got)
		}
		for _, bad := range []*lock.Semaphore{lock.NewSemaphore(w, key, 0), lock.NewSemaphore(w, "", 1), lock.NewSemaphore(w, key, 1, lock.TTL(0))} {
			if _, err := bad.Obtain(bg); err == nil || errors.Is(err, lock.ErrNotObtained) {
				t.Errorf("got %v", err)
			}
		}
	})
}

// Many enter through a network that fails, and never too many at a time.
func TestSemaphoreIsNeverOverfull(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		const places = 3
		sems := []*lock.Semaphore{lock.NewSemaphore(w, key, places, lock.TTL(time.Second)), lock.NewSemaphore(w, key, places, lock.TTL(time.Second))}
		w.breaks(func(_ string, n int) fault {
			return []fault{{}, {}, {deaf: true}, {}, {lost: true}, {delivery: 700 * time.Millisecond}, {}, {after: 1500 * time.Millisecond}}[n%8]
		})
		var mu sync.Mutex
		inside := map[*lock.Lease]bool{}
		var served, most atomic.Int64
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				for n := range 10 {
					err := sems[i%2].Do(bg, func(ctx context.Context, l *lock.Lease) error {
						mu.Lock()
						inside[l] = true
						now := int64(0)
						for other := range inside {
							if other.Context().Err() == nil {
								now++
							}
						}
						most.Store(max(most.Load(), now))
						mu.Unlock()
						served.Add(1)
						select {
						case <-ctx.Done():
						case <-time.After(time.Duration(n) * 200 * time.Millisecond):
						}
						mu.Lock()
						delete(inside, l)
						mu.Unlock()
						return nil
					})
					if err != nil && !errors.Is(err, lock.ErrLost) {
						t.Error(err)
					}
				}
			})
		}
		all.Wait()
		if most.Load() != places || served.Load() != 200 {
			t.Errorf("%d served, %d at a time, want 200 and %d", served.Load(), most.Load(), places)
		}
	})
}
