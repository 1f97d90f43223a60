package main

// This file implements the clerks, who move pieces between rooms under a lock.

import (
	"context"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"time"

	"github.com/luagen/luagen/examples/flashsale/generated"
	lock "github.com/luagen/luagen/generated"
)

const (
	turns    = 10 // of one clerk
	lease    = time.Minute
	mostMove = 5                     // pieces in one turn
	backoff  = 4 * time.Millisecond  // at most, before asking for a lock again
	short    = 20 * time.Millisecond // the lease that the slow clerk lets pass
)

// clerk moves pieces from one room to another, turn by turn.
func (s *sale) clerk(ctx context.Context) error {
	for range turns {
		i := mathrand.IntN(len(s.rooms))
		from, to := s.rooms[i], s.rooms[(i+1)%len(s.rooms)]
		err := s.locked(ctx, from, func(fence int64) error {
			n, err := s.scripts.MoveStock(ctx, s.move(from, to, fence))
			s.count.moved.Add(n)
			return err
		})
		if err != nil {
			return fmt.Errorf("moving pieces from %s to %s: %w", from, to, err)
		}
		s.count.turns.Add(1)
	}
	return nil
}

func (s *sale) move(from, to string, fence int64) generated.MoveStockParams {
	return generated.MoveStockParams{
		From: s.stock(from), To: s.stock(to), Guard: s.guard(from), Most: mostMove, Fence: fence,
	}
}

// locked runs work while it holds the lock of a room.
func (s *sale) locked(ctx context.Context, room string, work func(fence int64) error) error {
	token := newID()
	fence, err := s.acquire(ctx, room, token, lease)
	if err != nil {
		return err
	}
	if s.inside[room].Add(1) != 1 {
		s.count.overlaps.Add(1)
	}
	s.mu.Lock()
	if fence <= s.fences[room] {
		s.count.oldFences.Add(1)
	}
	s.fences[room] = fence
	s.mu.Unlock()

	err = work(fence)

	s.inside[room].Add(-1)
	// Whoever cancels the sale still leaves the lock free.
	_, failed := s.locks.Release(context.WithoutCancel(ctx), s.lock(room), token, fence)
	return errors.Join(err, failed)
}

// acquire waits for the lock of a room and returns its fence.
func (s *sale) acquire(ctx context.Context, room, token string, lease time.Duration) (int64, error) {
	for {
		reply, err := s.locks.Acquire(ctx, s.lock(room), s.counter(room), token, lease)
		if err != nil {
			return 0, err
		}
		if reply.Status != lock.AcquireStatusHeld {
			return reply.Fence, nil
		}
		s.count.waits.Add(1)
		if err := sleep(ctx, min(reply.TTL, 1+mathrand.N(backoff))); err != nil {
			return 0, err
		}
	}
}

// slowClerk takes a lock, is stopped for longer than its lease, and then goes
// on as if it still had it. The lock cannot help that; the fence does.
func (s *sale) slowClerk(ctx context.Context) error {
	from, to := s.rooms[0], s.rooms[len(s.rooms)-1]
	slow, err := s.acquire(ctx, from, newID(), short)
	if err != nil {
		return err
	}
	// Another clerk waits until the lease is over, and works.
	err = s.locked(ctx, from, func(fence int64) error {
		_, err := s.scripts.MoveStock(ctx, s.move(from, to, fence))
		return err
	})
	if err != nil {
		return err
	}
	_, err = s.scripts.MoveStock(ctx, s.move(from, to, slow))
	switch {
	case errors.Is(err, generated.ErrStale):
		s.count.stale.Add(1)
		return nil
	case err == nil:
		return nil // audit finds that nobody was refused
	}
	return err
}
