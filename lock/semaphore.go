package lock

// This file implements a semaphore: a lock with several places.

import (
	"context"
	"fmt"
	"time"

	"github.com/luagen/luagen/lock/internal/lease"
	"github.com/luagen/luagen/lock/internal/scripts"
	"github.com/luagen/luagen/redislua"
)

// Semaphore is a lock that a number of holders may have at the same time, each
// with a lease and by the rules of a [Locker]'s: the context ends before the
// place can be somebody else's, nothing is left behind, nobody frees what is not
// its own. It is safe for concurrent use.
type Semaphore struct {
	locker *Locker
	key    string
	places int
}

// NewSemaphore returns a semaphore with a number of places, which must be the
// same wherever the key is used. It sends nothing. Options that make no sense,
// and no places, are errors of each call. [Wake] has no effect: who waits polls.
//
// The server's clock decides whose time is over. The places are kept in the keys
// key, {key}:fences and {key}:fence, in one hash slot.
func NewSemaphore(client redislua.Client, key string, places int, opts ...Option) *Semaphore {
	return &Semaphore{New(client, opts...), key, places}
}

// TryObtain takes a place if one is free, in one round trip. If none is, the
// error is a [*HeldError] that tells when the first is free at the latest.
func (s *Semaphore) TryObtain(ctx context.Context, opts ...Option) (*Lease, error) {
	settings, err := s.settings(opts)
	if err != nil {
		return nil, err
	}
	return made(s.locker.keeper.Try(ctx, &seat{s}, settings))
}

// Obtain takes a place, and waits for it as long as ctx lasts, as
// [Locker.Obtain] does.
func (s *Semaphore) Obtain(ctx context.Context, opts ...Option) (*Lease, error) {
	settings, err := s.settings(opts)
	if err != nil {
		return nil, err
	}
	return made(s.locker.keeper.Wait(ctx, &seat{s}, settings))
}

// Do takes a place, calls f, and frees the place, as [Locker.Do] does.
func (s *Semaphore) Do(ctx context.Context, f func(ctx context.Context, l *Lease) error, opts ...Option) error {
	l, err := s.Obtain(ctx, opts...)
	if err != nil {
		return err
	}
	return l.during(ctx, f)
}

func (s *Semaphore) settings(opts []Option) (lease.Settings, error) {
	settings, err := s.locker.settings(opts)
	settings.Subscribe = nil
	if err == nil {
		err = checkKey(s.key)
	}
	if err == nil && s.places < 1 {
		err = fmt.Errorf("lock.NewSemaphore: %d places: expected one or more", s.places)
	}
	return settings, err
}

// seat is a place as something to be leased.
type seat struct{ s *Semaphore }

func (o *seat) Keys() []string { return []string{o.s.key} }

func (o *seat) fences() string { return lease.Beside(o.s.key, ":fences") }

func (o *seat) Acquire(ctx context.Context, token string, ttl time.Duration) (lease.Grant, error) {
	reply, err := o.s.locker.several.Enter(ctx, scripts.EnterParams{
		Seats: o.s.key, Fences: o.fences(), Counter: lease.Beside(o.s.key, fenceSuffix), Token: token, TTL: ttl, Places: int64(o.s.places),
	})
	return lease.Grant{Held: reply.Status == scripts.EnterStatusFull, Fence: reply.Fence, TTL: reply.TTL, Shared: true}, err
}

func (o *seat) Extend(ctx context.Context, token string, fence int64, ttl time.Duration) (lease.Outcome, error) {
	reply, err := o.s.locker.several.Stay(ctx, scripts.StayParams{Seats: o.s.key, Fences: o.fences(), Token: token, Fence: fence, TTL: ttl})
	return lease.Outcome(reply), err
}

func (o *seat) Release(ctx context.Context, token string, fence int64) (lease.Outcome, error) {
	reply, err := o.s.locker.several.Leave(ctx, o.s.key, o.fences(), token, fence)
	return lease.Outcome(reply), err
}

func (o *seat) Abandon(ctx context.Context, token string) error {
	_, err := o.Release(ctx, token, 0)
	return err
}
