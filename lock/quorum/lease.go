package quorum

// This file implements a lease, as its holder sees it.

import (
	"context"
	"time"

	"github.com/luagen/luagen/lock/internal/lease"
)

// Lease is a lock that is held at more than half of the servers. It is safe for
// concurrent use. It has no fence, and cannot be resumed elsewhere.
type Lease struct{ l *lease.Lease }

// Key returns the key.
func (l *Lease) Key() string { return l.l.Key() }

// Context returns a context that ends with the lease, with a *lock.LostError or
// lock.ErrReleased as its cause. It has the values of the context that the lock
// was obtained with and does not end with it.
func (l *Lease) Context() context.Context { return l.l.Context() }

// Deadline returns when the lease ends unless it is extended: the time before
// the first request, plus the TTL, minus 1 % of it and 2 ms.
func (l *Lease) Deadline() time.Time { return l.l.Deadline() }

// Extend asks all servers for ttl from now on, and moves the deadline if more
// than half confirm that before it. It never takes the lock again at a server
// that has lost it. The error is a *lock.LostError if too many have; after an
// [ErrNoQuorum] the lease lasts until its old deadline.
func (l *Lease) Extend(ctx context.Context, ttl time.Duration) error { return l.l.Extend(ctx, ttl) }

// Release ends the lease's context and frees the lock at all servers, also if
// ctx has ended. It returns nil when the lock was held until now, a
// *lock.LostError when the lease had ended before, lock.ErrReleased when it was
// released before, and [ErrNoQuorum] when too few servers confirmed; the others
// are free by the end of the TTL.
func (l *Lease) Release(ctx context.Context) error { return l.l.Release(ctx) }
