package lock_test

// This file tests locks of several keys, and the names beside a key.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luagen/luagen/lock"
)

func TestMultiTakesAllOrNone(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w)
		keys := []string{"{o}b", "{o}a", "{o}c", "{o}a"}
		single := obtain(t, lk, "{o}b")
		ctx, cancel := context.WithTimeout(bg, time.Second)
		defer cancel()
		_, err := lk.ObtainMulti(ctx, keys)
		var held *lock.HeldError
		if !errors.As(err, &held) || held.TTL < 8*time.Second {
			t.Errorf("got %v, want that one is held", err)
		}
		if w.holds("{o}a") || w.holds("{o}c") {
			t.Error("some of the locks were taken")
		}
		if err := single.Release(bg); err != nil {
			t.Fatal(err)
		}

		l, err := lk.ObtainMulti(bg, keys)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(l.Keys()); got != "[{o}a {o}b {o}c]" || l.Fence() <= single.Fence() {
			t.Errorf("keys %v, fence %d after %d", got, l.Fence(), single.Fence())
		}
		for _, key := range l.Keys() {
			if _, err := lk.TryObtain(bg, key); !errors.Is(err, lock.ErrNotObtained) {
				t.Errorf("%s is free: %v", key, err)
			}
		}
		if err := l.Extend(bg, time.Minute); err != nil || w.TTL(bg, "{o}c").Val() != time.Minute {
			t.Errorf("extend: %v", err)
		}
		if err := l.Release(bg); err != nil || w.Exists(bg, keys...).Val() != 0 {
			t.Errorf("release: %v", err)
		}
		after := obtain(t, lk, "{o}c")
		if after.Fence() <= l.Fence() {
			t.Errorf("fence %d after %d", after.Fence(), l.Fence())
		}
		_ = after.Release(bg)
	})
}

func TestMultiIsLostAsAWhole(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w)
		l, err := lk.ObtainMulti(bg, []string{"{o}a", "{o}b"})
		if err != nil {
			t.Fatal(err)
		}
		w.Set(bg, "{o}b", "another:7", time.Hour)
		if err := l.Extend(bg, time.Hour); !errors.Is(err, lock.ErrLost) || w.TTL(bg, "{o}a").Val() > ttl {
			t.Errorf("extend: %v; the rest was extended: %v", err, w.TTL(bg, "{o}a").Val())
		}
		if err := l.Release(bg); !errors.Is(err, lock.ErrLost) || w.holds("{o}a") || !w.holds("{o}b") {
			t.Errorf("release: %v; a is left: %t", err, w.holds("{o}a"))
		}
	})
}

func TestMultiFindsItsOwnLocks(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		w.breaks(func(_ string, n int) fault { return fault{deaf: n == 1} })
		l, err := lock.New(w).ObtainMulti(bg, []string{"{o}a", "{o}b"}, lock.TTL(time.Hour))
		if err != nil || w.sent("acquire") != 2 {
			t.Fatal(err)
		}
		if err := l.Release(bg); err != nil {
			t.Error(err)
		}
	})
}

func TestMultiRefusesOtherHashSlots(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		for _, keys := range [][]string{{"a", "b"}, {"{o}a", "{p}a"}, {"{o}a", ""}, nil} {
			if _, err := lock.New(w).ObtainMulti(bg, keys); err == nil || errors.Is(err, lock.ErrNotObtained) {
				t.Errorf("%q: got %v", keys, err)
			}
		}
		if w.sent("") != 0 {
			t.Error("something was sent")
		}
	})
}

// Two that want the same locks in different orders do not wait for each other.
func TestMultiDoesNotDeadlock(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk, other := lock.New(w), lock.New(w)
		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				l, err := []*lock.Locker{lk, other}[i%2].ObtainMulti(bg, [][]string{{"{o}a", "{o}b"}, {"{o}b", "{o}a"}, {"{o}b", "{o}c"}}[i%3])
				if err != nil {
					t.Error(err)
					return
				}
				time.Sleep(10 * time.Millisecond)
				if err := l.Release(bg); err != nil {
					t.Error(err)
				}
			})
		}
		all.Wait()
	})
}

// Who waits for several is woken by the release of one, within the process.
func TestReleaseOfOneWakesThoseWhoWaitForSeveral(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w)
		l := obtain(t, lk, "{o}b")
		done := make(chan time.Time)
		go func() {
			m, err := lk.ObtainMulti(bg, []string{"{o}a", "{o}b"}, lock.Pause(time.Hour, time.Hour))
			done <- time.Now()
			if err == nil {
				_ = m.Release(bg)
			}
		}()
		synctest.Wait()
		start := time.Now()
		_ = l.Release(bg)
		if got := (<-done).Sub(start); got != 0 {
			t.Errorf("it took %v", got)
		}
	})
}

// The server of these tests refuses scripts whose keys are in several slots.
func TestFenceIsInTheSlotOfTheLock(t *testing.T) {
	inWorld(t, func(t *testing.T, w *world) {
		lk := lock.New(w, lock.Wake())
		for _, key := range []string{
			"a", "a:b", "{a}", "{a}b", "a{b}c", "{}", "{}a", "a{}b{c}", "}", "a}b", "}{", "{", "{{a}", "{{a}}b", "a{b", "{a", "é}", "\x00}", "} {x",
			strings.Repeat("}", 300),
		} {
			l, err := lk.TryObtain(bg, key)
			if err != nil {
				t.Errorf("%q: %v", key, err)
				continue
			}
			if err := l.Release(bg); err != nil {
				t.Errorf("%q: %v", key, err)
			}
		}
	})
}
