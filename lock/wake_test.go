package lock_test

// This file tests being woken by pub/sub.

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luagen/luagen/lock"
)

// Waiters of other processes are woken at once and hardly ask meanwhile.
func TestWakeByPubSub(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		holder, waiter := lock.New(w, lock.Wake()), lock.New(w, lock.Wake())
		l := obtain(t, holder, key, lock.TTL(time.Hour))
		w.breaks(nil)
		done := make(chan time.Time)
		go func() {
			l, err := waiter.Obtain(bg, key)
			done <- time.Now()
			if err != nil {
				t.Error(err)
				return
			}
			_ = l.Release(bg)
		}()
		time.Sleep(time.Minute)
		if n := w.sent("acquire"); n < 3 || n > 15 {
			t.Errorf("a waiter who listens asked %d times in a minute, want one every 5s", n)
		}
		start := time.Now()
		_ = l.Release(bg)
		if got := (<-done).Sub(start); got != 0 {
			t.Errorf("it was woken after %v", got)
		}
	})
}

// The lock is released after the waiter has asked and before it listens: it must
// ask again.
func TestReleaseBeforeListeningIsNotMissed(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		l := obtain(t, lock.New(w), key, lock.TTL(time.Hour))
		w.breaks(func(script string, n int) fault {
			if script == "acquire" && n == 1 {
				return fault{after: time.Second} // the reply that it is held is on its way
			}
			return fault{}
		})
		done := make(chan time.Time)
		start := time.Now()
		go func() {
			l, err := lock.New(w, lock.Wake()).Obtain(bg, key)
			done <- time.Now()
			if err == nil {
				_ = l.Release(bg)
			}
		}()
		time.Sleep(time.Second / 2)
		_ = l.Release(bg) // nobody listens
		if got := (<-done).Sub(start); got != time.Second {
			t.Errorf("obtained after %v, want as soon as it listens", got)
		}
	})
}

func TestSubscriptionEndsWithTheLine(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		_ = obtain(t, lock.New(w), key, lock.TTL(time.Hour))
		lk := lock.New(w, lock.Wake())
		ctx, cancel := context.WithCancel(bg)
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { _, _ = lk.Obtain(ctx, key) })
		}
		time.Sleep(time.Second)
		if n := w.PubSubNumSub(bg, "{room:42}:released").Val()["{room:42}:released"]; n != 1 {
			t.Errorf("%d subscriptions for ten waiters, want 1", n)
		}
		cancel()
		all.Wait()
		synctest.Wait()
		if n := w.PubSubNumSub(bg, "{room:42}:released").Val()["{room:42}:released"]; n != 0 {
			t.Errorf("%d subscriptions are left", n)
		}
	})
}

// Without the option nothing is published.
func TestWakeCostsNothingWhenOff(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		sub := w.Subscribe(bg, "{room:42}:released")
		defer sub.Close()
		if _, err := sub.Receive(bg); err != nil {
			t.Fatal(err)
		}
		_ = obtain(t, lock.New(w), key).Release(bg)
		if msg, err := sub.ReceiveTimeout(bg, time.Second); err == nil {
			t.Errorf("got %v", msg)
		}
	})
}
