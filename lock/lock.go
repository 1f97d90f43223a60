package lock

// This file implements obtaining locks.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/luagen/luagen/generated"
	"github.com/luagen/luagen/lock/internal/lease"
	"github.com/luagen/luagen/lock/internal/scripts"
	"github.com/luagen/luagen/redislua"
)

const (
	fenceSuffix    = ":fence"
	releasedSuffix = ":released"
)

// Locker obtains locks through a client. It is safe for concurrent use, and has
// goroutines only while there is something to wait for or to extend, so it need
// not be closed. A process should have one for each server, because those who
// wait at the same Locker wait in one line.
type Locker struct {
	client   redislua.Client
	single   *generated.Scripts
	several  *scripts.Scripts
	keeper   *lease.Keeper
	defaults lease.Settings
}

// New returns a Locker for a client: of a single server, of servers behind
// Sentinel or of a cluster. It sends nothing. Options that make no sense are
// errors of each call.
func New(client redislua.Client, opts ...Option) *Locker {
	lk := &Locker{client: client, single: generated.New(client), several: scripts.New(client), keeper: lease.New(), defaults: lease.Defaults()}
	for _, o := range opts {
		o(&lk.defaults)
	}
	return lk
}

// TryObtain takes the lock if nobody has it, in one round trip. If another one
// does, the error is a [*HeldError], which is an [ErrNotObtained].
//
// It returns when ctx ends, and does not leave the lock behind: the request
// goes on by itself, and if it obtains the lock, that is released. With a ctx
// that can end it also returns when the lease would be over. The same is
// done when the reply comes after the deadline (a [*LostError] whose reason is
// [Late]) and when the reply is lost.
func (lk *Locker) TryObtain(ctx context.Context, key string, opts ...Option) (*Lease, error) {
	o, s, err := lk.one(key, opts)
	if err != nil {
		return nil, err
	}
	return made(lk.keeper.Try(ctx, o, s))
}

// Obtain takes the lock, and waits for it as long as ctx lasts.
//
// Those who wait for a key at one Locker stand in line, first come first served,
// and only the first of them asks the server: after pauses that grow, at random
// within bounds, and no later than when the holder's lease would end, which the
// server tells. When the lock is released at this Locker, the first in line asks
// at once. Between processes there is no order. [Wake] replaces the asking by
// listening.
//
// When ctx ends, the error is an [ErrNotObtained] with the cause of the context
// in it, a [*HeldError] if another one was seen to hold the lock; nothing is
// left behind. An outage of the server is waited for too, up to 10 s; other
// errors end the wait at once.
func (lk *Locker) Obtain(ctx context.Context, key string, opts ...Option) (*Lease, error) {
	o, s, err := lk.one(key, opts)
	if err != nil {
		return nil, err
	}
	return made(lk.keeper.Wait(ctx, o, s))
}

// ObtainMulti takes the locks of all keys or none, atomically, and waits as
// [Locker.Obtain] does. The lease is one: it is extended, lost and released as a
// whole, and its fence is greater than every earlier one of any of the keys.
//
// In this way nobody holds one lock while waiting for another, which is how two
// that want the same locks in different orders wait for ever. It is one script,
// so the keys must be in one hash slot, by a hash tag as in {order:7}:stock;
// that is checked before anything is sent, even without a cluster.
func (lk *Locker) ObtainMulti(ctx context.Context, keys []string, opts ...Option) (*Lease, error) {
	keys = slices.Compact(slices.Sorted(slices.Values(keys)))
	if len(keys) == 0 {
		return nil, errors.New("lock.ObtainMulti: no keys: expected one or more")
	}
	if len(keys) == 1 {
		return lk.Obtain(ctx, keys[0], opts...)
	}
	s, err := lk.settings(opts)
	if err != nil {
		return nil, err
	}
	for _, key := range keys {
		if err := checkKey(key); err != nil {
			return nil, err
		}
		if lease.Slot(key) != lease.Slot(keys[0]) {
			return nil, fmt.Errorf("lock.ObtainMulti: %q and %q are in different hash slots: give them the same tag in braces", keys[0], key)
		}
	}
	s.Subscribe = nil // there are many channels, so those who wait poll
	return made(lk.keeper.Wait(ctx, &all{lk, keys, s.Wake}, s))
}

// Do obtains the lock as [Locker.Obtain] does, calls f, and releases the lock,
// also when f panics.
//
// The context that f gets ends with ctx and with the lease, whichever is first;
// context.Cause tells which. All work that the lock protects must stop when it
// ends. Do returns f's error, joined with a [*LostError] if the lock was not
// held until f returned, or with the error of a release that failed.
func (lk *Locker) Do(ctx context.Context, key string, f func(ctx context.Context, l *Lease) error, opts ...Option) error {
	l, err := lk.Obtain(ctx, key, opts...)
	if err != nil {
		return err
	}
	return l.during(ctx, f)
}

// Resume continues a lease that began elsewhere and was left by [Lease.Detach],
// by token and fence. It asks the server for a new TTL, as it could not know
// otherwise how long the lease lasts. If the lock is gone or another one has it,
// the error is a [*LostError].
//
// Both ends may hold the lease at the same time if the first one does not
// detach; the lock cannot tell them apart.
func (lk *Locker) Resume(ctx context.Context, key, token string, fence int64, opts ...Option) (*Lease, error) {
	o, s, err := lk.one(key, opts)
	if err != nil {
		return nil, err
	}
	return made(lk.keeper.Resume(ctx, o, s, token, fence))
}

// one returns the object and the settings for one key.
func (lk *Locker) one(key string, opts []Option) (lease.Object, lease.Settings, error) {
	s, err := lk.settings(opts)
	if err == nil {
		err = checkKey(key)
	}
	if err != nil {
		return nil, lease.Settings{}, err
	}
	return &one{lk, key, s.Wake}, s, nil
}

func checkKey(key string) error {
	if key == "" {
		return errors.New("lock: an empty key: expected the name of what is locked")
	}
	return nil
}

func made(l *lease.Lease, err error) (*Lease, error) {
	if err != nil {
		return nil, err
	}
	return &Lease{l}, nil
}
