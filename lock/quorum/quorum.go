package quorum

// This file implements obtaining locks.

import (
	"context"
	"errors"
	"fmt"

	"github.com/luagen/luagen/generated"
	"github.com/luagen/luagen/lock"
	"github.com/luagen/luagen/lock/internal/lease"
	"github.com/luagen/luagen/lock/internal/scripts"
	"github.com/luagen/luagen/redislua"
)

// ErrNoQuorum says that too few servers answered. The lock may be free; whether
// it is cannot be told.
var ErrNoQuorum = errors.New("too few servers answered")

// Locker obtains locks at several servers. It is safe for concurrent use, has
// goroutines only while there is something to do, and need not be closed.
type Locker struct {
	nodes    []node
	keeper   *lease.Keeper
	defaults lease.Settings
}

// node is one server.
type node struct {
	single  *generated.Scripts
	several *scripts.Scripts
}

// New returns a Locker for independent servers, three or more. An even number is
// refused: it bears no more failures than one less. It sends nothing.
//
// The options are those of package lock except lock.Wake, for locks here or for
// a call.
func New(clients []redislua.Client, opts ...lock.Option) (*Locker, error) {
	if len(clients) < 3 || len(clients)%2 == 0 {
		return nil, fmt.Errorf("quorum.New: %d servers: expected an odd number, three or more", len(clients))
	}
	lk := &Locker{keeper: lease.New(), defaults: lease.Defaults()}
	for _, c := range clients {
		lk.nodes = append(lk.nodes, node{generated.New(c), scripts.New(c)})
	}
	for _, o := range opts {
		o(&lk.defaults)
	}
	_, err := lk.settings("quorum", nil)
	return lk, err
}

// TryObtain takes the lock if nobody has it, in one round trip to all servers.
// If others have it at too many of them, the error is a *lock.HeldError, which
// is a lock.ErrNotObtained; if too few answer, it is an [ErrNoQuorum]. It
// returns when ctx ends and leaves nothing behind at servers that answer.
func (lk *Locker) TryObtain(ctx context.Context, key string, opts ...lock.Option) (*Lease, error) {
	s, err := lk.settings(key, opts)
	if err != nil {
		return nil, err
	}
	return made(lk.keeper.Try(ctx, newObject(lk, key), s))
}

// Obtain takes the lock, and waits for it as long as ctx lasts, as lock.Locker's
// does: in one line within the process, with growing random pauses, which also
// keep two from splitting the servers between them for ever. It waits up to 10 s
// for enough servers to answer.
func (lk *Locker) Obtain(ctx context.Context, key string, opts ...lock.Option) (*Lease, error) {
	s, err := lk.settings(key, opts)
	if err != nil {
		return nil, err
	}
	return made(lk.keeper.Wait(ctx, newObject(lk, key), s))
}

// Do obtains the lock, calls f, and releases the lock, also when f panics. The
// context that f gets ends with ctx and with the lease. It returns f's error,
// joined with a *lock.LostError if the lock was not held until f returned, or
// with the error of a release that failed.
func (lk *Locker) Do(ctx context.Context, key string, f func(ctx context.Context, l *Lease) error, opts ...lock.Option) (err error) {
	l, err := lk.Obtain(ctx, key, opts...)
	if err != nil {
		return err
	}
	defer func() {
		if released := l.Release(ctx); !errors.Is(released, lock.ErrReleased) { // by f
			err = errors.Join(err, released)
		}
	}()
	inner, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(l.Context(), func() { cancel(context.Cause(l.Context())) })
	defer stop()
	return f(inner, l)
}

func (lk *Locker) settings(key string, opts []lock.Option) (lease.Settings, error) {
	s := lk.defaults
	for _, o := range opts {
		o(&s)
	}
	switch {
	case key == "":
		return s, errors.New("quorum: an empty key: expected the name of what is locked")
	case s.Wake:
		return s, errors.New("quorum: lock.Wake: there is no listening at several servers; leave it out")
	}
	return s.Checked()
}

func made(l *lease.Lease, err error) (*Lease, error) {
	if err != nil {
		return nil, err
	}
	return &Lease{l}, nil
}
