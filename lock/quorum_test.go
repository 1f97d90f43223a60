package lock_test

// This file tests package quorum, on several of the worlds.

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/luagen/luagen/lock"
	"github.com/luagen/luagen/lock/quorum"
	"github.com/luagen/luagen/redislua"
)

// inWorlds runs a test with n servers.
func inWorlds(t *testing.T, n int, test func(t *testing.T, ws []*world, lk *quorum.Locker)) {
	t.Helper()
	inWorld(t, func(t *testing.T, w *world) {
		ws := []*world{w}
		for range n - 1 {
			ws = append(ws, newWorld(t))
		}
		test(t, ws, quorumOf(t, ws))
		time.Sleep(time.Minute)
		for _, w := range ws[1:] {
			w.close()
		}
	})
}

func quorumOf(t *testing.T, ws []*world, opts ...lock.Option) *quorum.Locker {
	var clients []redislua.Client
	for _, w := range ws {
		clients = append(clients, w)
	}
	lk, err := quorum.New(clients, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return lk
}

// held counts the servers that have the key.
func held(ws []*world) int {
	n := 0
	for _, w := range ws {
		if w.holds(key) {
			n++
		}
	}
	return n
}

func TestQuorumObtainsAtTheMajority(t *testing.T) {
	inWorlds(t, 5, func(t *testing.T, ws []*world, lk *quorum.Locker) {
		for _, w := range ws[:2] { // a minority is out of reach
			w.breaks(func(string, int) fault { return fault{lost: true} })
		}
		start := time.Now()
		l, err := lk.TryObtain(bg, key)
		if err != nil {
			t.Fatal(err)
		}
		if got := l.Deadline().Sub(start); got != usable {
			t.Errorf("the deadline is %v after asking, want %v", got, usable)
		}
		if _, err := lk.TryObtain(bg, key); !errors.Is(err, lock.ErrNotObtained) {
			t.Errorf("a second one: %v", err)
		}
		if err := l.Extend(bg, time.Minute); err != nil || l.Deadline().Sub(start) < 59*time.Second {
			t.Errorf("extend: %v", err)
		}
		if err := l.Release(bg); err != nil {
			t.Errorf("release: %v", err)
		}
		time.Sleep(time.Second)
		if n := held(ws); n != 0 {
			t.Errorf("%d servers are left with the key", n)
		}
		if err := l.Release(bg); !errors.Is(err, lock.ErrReleased) {
			t.Errorf("twice: %v", err)
		}
	})
}

func TestQuorumNeedsTheMajority(t *testing.T) {
	inWorlds(t, 3, func(t *testing.T, ws []*world, lk *quorum.Locker) {
		for _, w := range ws[:2] {
			w.breaks(func(script string, _ int) fault { return fault{lost: script == "acquire"} })
		}
		if _, err := lk.TryObtain(bg, key); !errors.Is(err, quorum.ErrNoQuorum) || errors.Is(err, lock.ErrNotObtained) {
			t.Errorf("got %v, want ErrNoQuorum", err)
		}
		time.Sleep(time.Second)
		if n := held(ws); n != 0 {
			t.Errorf("the minority of %d is left behind", n)
		}
	})
}

// Another one has the lock at most of the servers.
func TestQuorumFreesItsMinority(t *testing.T) {
	inWorlds(t, 3, func(t *testing.T, ws []*world, lk *quorum.Locker) {
		for _, w := range ws[:2] {
			w.Set(bg, key, "another:7", 4*time.Second)
		}
		_, err := lk.TryObtain(bg, key)
		var heldError *lock.HeldError
		if !errors.As(err, &heldError) || heldError.TTL != 4*time.Second {
			t.Errorf("got %v", err)
		}
		time.Sleep(time.Millisecond)
		if ws[2].holds(key) {
			t.Error("the minority is left behind")
		}
		start := time.Now()
		l, err := lk.Obtain(bg, key)
		if err != nil || time.Since(start) > 5*time.Second {
			t.Fatalf("obtained after %v: %v", time.Since(start), err)
		}
		_ = l.Release(bg)
	})
}

// A server that hangs costs its part of the budget, and its late reply is freed.
func TestQuorumDoesNotWaitForAServerThatHangs(t *testing.T) {
	inWorlds(t, 3, func(t *testing.T, ws []*world, lk *quorum.Locker) {
		slow := func(script string, _ int) fault {
			if script == "acquire" {
				return fault{delivery: 2 * time.Second}
			}
			return fault{}
		}
		ws[0].breaks(slow)
		start := time.Now()
		l, err := lk.TryObtain(bg, key, lock.TTL(time.Minute))
		if err != nil || time.Since(start) != 0 {
			t.Fatalf("obtained after %v: %v", time.Since(start), err)
		}
		if err := l.Release(bg); err != nil {
			t.Error(err)
		}
		time.Sleep(3 * time.Second)
		if n := held(ws); n != 0 {
			t.Errorf("%d servers are left with the key after its release", n)
		}

		ws[1].breaks(slow)
		start = time.Now()
		if _, err := lk.TryObtain(bg, key, lock.TTL(time.Minute)); !errors.Is(err, quorum.ErrNoQuorum) || time.Since(start) > 500*time.Millisecond {
			t.Errorf("with two that hang: %v after %v", err, time.Since(start))
		}
		time.Sleep(3 * time.Second)
		if n := held(ws); n != 0 {
			t.Errorf("%d servers are left with the key", n)
		}
	})
}

func TestQuorumIsLostWithTheMajority(t *testing.T) {
	inWorlds(t, 3, func(t *testing.T, ws []*world, lk *quorum.Locker) {
		l, err := lk.TryObtain(bg, key, lock.AutoExtend(lock.Max(time.Hour)))
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()    // the majority was enough; now the third has answered too
		ws[0].Del(bg, key) // one forgets it
		time.Sleep(time.Minute)
		if l.Context().Err() != nil || ws[0].holds(key) {
			t.Errorf("with one of three lost: %v; it was taken again: %t", context.Cause(l.Context()), ws[0].holds(key))
		}
		start := time.Now()
		ws[1].Del(bg, key)
		<-l.Context().Done()
		wantLost(t, "with two of three lost", context.Cause(l.Context()), lock.Vanished)
		if time.Since(start) > ttl/2 {
			t.Errorf("noticed after %v", time.Since(start))
		}
		if err := l.Release(bg); !errors.Is(err, lock.ErrLost) {
			t.Errorf("release: %v", err)
		}
		if synctest.Wait(); ws[2].holds(key) {
			t.Error("the last server is left with the key after its release")
		}
	})
}

func TestQuorumDo(t *testing.T) {
	inWorlds(t, 3, func(t *testing.T, ws []*world, lk *quorum.Locker) {
		err := lk.Do(bg, key, func(ctx context.Context, l *quorum.Lease) error {
			if held(ws) < 2 || l.Key() != key {
				t.Error("f runs without the lock")
			}
			<-ctx.Done()
			return nil
		})
		wantLost(t, "f took too long", err, lock.Expired)
		if err := lk.Do(bg, key, func(context.Context, *quorum.Lease) error { return nil }); err != nil {
			t.Error(err)
		}
	})
}

func TestQuorumRefuses(t *testing.T) {
	inWorlds(t, 3, func(t *testing.T, ws []*world, lk *quorum.Locker) {
		for _, n := range []int{0, 1, 2, 4} {
			if _, err := quorum.New(make([]redislua.Client, n)); err == nil {
				t.Errorf("%d servers are taken", n)
			}
		}
		if _, err := lk.TryObtain(bg, ""); err == nil {
			t.Error("an empty key is taken")
		}
		if _, err := lk.TryObtain(bg, key, lock.Wake()); err == nil {
			t.Error("lock.Wake is taken")
		}
		if _, err := lk.Obtain(bg, key, lock.TTL(0)); err == nil {
			t.Error("no TTL is taken")
		}
	})
}

// fenceless is a quorum's lease in the storm.
type fenceless struct{ *quorum.Lease }

func (fenceless) Fence() int64 { return 0 }

func TestStormOnAQuorum(t *testing.T) {
	wrong := storm(t, stormRounds(), 7, 3, func(ws []*world) func(context.Context) (holder, error) {
		lockers := []*quorum.Locker{quorumOf(t, ws, lock.TTL(stormTTL)), quorumOf(t, ws, lock.TTL(stormTTL))}
		var n atomic.Int64
		return func(ctx context.Context) (holder, error) {
			l, err := lockers[n.Add(1)%2].Obtain(ctx, key)
			if err != nil {
				return nil, err
			}
			return fenceless{l}, nil
		}
	})
	if len(wrong) > 0 {
		t.Errorf("%d wrongs, the first: %s", len(wrong), wrong[0])
	}
}
