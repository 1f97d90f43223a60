package lock

// This file implements a lease, as its holder sees it.

import (
	"context"
	"errors"
	"time"

	"github.com/luagen/luagen/lock/internal/lease"
)

// Lease is a lock that is held. It is safe for concurrent use.
type Lease struct{ l *lease.Lease }

// Key returns the key; of several that were obtained together the first.
func (l *Lease) Key() string { return l.l.Key() }

// Keys returns all keys that were obtained together.
func (l *Lease) Keys() []string { return append([]string(nil), l.l.Keys()...) }

// Token returns what tells the holder from all others: at least 128 random
// bits. Who has the token and the fence can extend and release the lock, so it
// is a secret. It is made anew for each lease, because a token that a clock or
// a small random number makes is one day made twice.
func (l *Lease) Token() string { return l.l.Token() }

// Fence returns a number greater than that of every earlier holder of the lock.
//
// No lease can keep a holder from acting after its end, if the process stops
// between looking at the clock and acting: a garbage collection, a suspended
// machine, a packet on its way. Where that must not do harm, send the fence with
// each write and have the resource refuse a fence smaller than the greatest it
// has seen.
//
// Fences are at least the server's time in microseconds, so they go on upwards
// even when the counter is lost, unless the clock was turned back at the same
// time. They are below 2^53.
func (l *Lease) Fence() int64 { return l.l.Fence() }

// Context returns a context that ends with the lease: at [Lease.Deadline], when
// an extension finds that the lock was lost, or when it is released. Its cause
// is then a [*LostError], which is an [ErrLost], or [ErrReleased].
//
// It has the values of the context that the lock was obtained with and does not
// end with it: a context that bounds the wait for the lock does not bound the
// work. It has no deadline in the sense of [context.Context], because an
// extension moves it.
func (l *Lease) Context() context.Context { return l.l.Context() }

// Deadline returns when the lease ends unless it is extended.
//
// It is the time before the request was sent, plus the TTL, minus 1 % of it and
// 2 ms. The server began to count when the request arrived, so the key outlives
// the deadline even if the reply took long; the margin is for clocks that do not
// run equally fast. It is measured with the monotonic clock, which nobody can
// set. Only an extension that the server confirmed before the deadline moves it.
func (l *Lease) Deadline() time.Time { return l.l.Deadline() }

// Extend asks the server for ttl from now on, and moves the deadline if that is
// confirmed before it. It never shortens a lease, and never takes a lock again
// that was lost, as somebody else may have come and gone in between.
//
// The error is a [*LostError] if the lock is lost, [ErrReleased] if it was
// released. After any other error, as one of the network, the lease lasts until
// its old deadline, and extending it may be tried again.
func (l *Lease) Extend(ctx context.Context, ttl time.Duration) error { return l.l.Extend(ctx, ttl) }

// Release ends the lease's context and frees the lock.
//
// It stops automatic extension first and waits for an extension under way. The
// end of ctx does not keep it from freeing the lock: it waits for the server at
// most for the lease's TTL, not less than a second and not more than 30.
//
// It returns nil when the lock was held until now, which is also so when the key
// turns out to be gone: then two requests were needed. It returns a
// [*LostError], which is an [ErrLost], when the lease had ended before or
// another one has the lock: the work may not have been alone. It returns
// [ErrReleased] when Release or [Lease.Detach] came before. After another error
// the server did not answer: Release may be called again, and without that the
// lock frees itself by the end of its time.
func (l *Lease) Release(ctx context.Context) error { return l.l.Release(ctx) }

// Detach ends the lease here and leaves the lock held, for [Locker.Resume]
// elsewhere, with the key, the token and the fence. Automatic extension has
// stopped when it returns.
func (l *Lease) Detach() error { return l.l.Detach() }

// during calls f with a context that ends with ctx and with the lease, and
// releases.
func (l *Lease) during(ctx context.Context, f func(ctx context.Context, l *Lease) error) (err error) {
	defer func() {
		if released := l.Release(ctx); !errors.Is(released, ErrReleased) { // by f
			err = errors.Join(err, released)
		}
	}()
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(l.Context(), func() { cancel(context.Cause(l.Context())) })
	defer stop()
	return f(inner, l)
}
