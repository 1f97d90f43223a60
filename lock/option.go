package lock

// This file implements the options, which a Locker has for all its locks and a
// call for its own.

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/luagen/luagen/lock/internal/lease"
)

// Option changes how locks are obtained and kept. Given to [New] it is for all
// locks of the Locker; given to a call it is for that one.
type Option func(*lease.Settings)

// TTL is how long a lock is held at most without being extended, 10 s without
// this option; 10 ms to a year.
//
// It is how long others wait after a holder crashed. It must be longer than the
// work, or the work must be extended, by [AutoExtend] or [Lease.Extend].
func TTL(d time.Duration) Option {
	return func(s *lease.Settings) {
		s.TTL = d
		if err := lease.CheckTTL(d); err != nil {
			s.Err = fmt.Errorf("lock.TTL: %w", err)
		}
	}
}

// Limit is the bound of an automatic extension. Make one with [Max].
type Limit struct{ max time.Duration }

// Max bounds an automatic extension: the lease ends at the latest this long
// after it was asked for.
func Max(d time.Duration) Limit { return Limit{d} }

// AutoExtend extends the lock while it is held, each time a third of its TTL has
// gone by, until it is released or limit is reached.
//
// The bound is not optional, as a worker that hangs would otherwise hold its
// lock for ever. An outage of the server that is shorter than what is left of
// the lease is survived: the extension is sent again. A longer one ends the
// lease at its deadline, as does the limit. One goroutine serves all leases of a
// Locker, beside those of the requests under way, and is there only while
// something is to be extended.
func AutoExtend(limit Limit) Option {
	return func(s *lease.Settings) {
		s.Max = limit.max
		if limit.max <= 0 {
			s.Err = fmt.Errorf("lock.AutoExtend: a limit of %v: expected more than zero", limit.max)
		}
	}
}

// Pause says how long a waiter pauses before it asks again: about least at
// first, twice as long each time, about most in the end; 20 ms and 500 ms
// without this option. Each pause is a random part of that, a half or more, so
// that processes do not ask in step, and never longer than the holder's lease.
func Pause(least, most time.Duration) Option {
	return func(s *lease.Settings) {
		s.MinPause, s.MaxPause = least, most
		if least < time.Millisecond || most < least {
			s.Err = fmt.Errorf("lock.Pause: %v to %v: expected a millisecond or more, and the greater one second", least, most)
		}
	}
}

// Wake has releases told by pub/sub, and waiters listen instead of polling. It
// must be set at those who release as well as at those who wait; a waiter that
// hears nothing asks again when the holder's lease ends, and every 5 s.
//
// Releasing costs the server one more command within the same round trip. A
// waiter that finds the lock held subscribes, asks again, as the lock may have
// been released in between, and only then waits. Each key that a process waits
// for takes a connection. In a cluster the channels are sharded, which needs
// Redis 7.0.
func Wake() Option { return func(s *lease.Settings) { s.Wake = true } }

// Observe has f told of all events. It is called by whoever has the event,
// concurrently, and should return soon.
func Observe(f Observer) Option {
	return func(s *lease.Settings) {
		if before := s.Observe; before != nil {
			s.Observe = func(e Event) { before(e); f(e) }
		} else {
			s.Observe = f
		}
	}
}

// Log writes the events to a logger: what is lost and what failed as warnings,
// the rest, and a lock that is merely held by another one, at debug level.
func Log(logger *slog.Logger) Option { return Observe(logTo(logger)) }

// settings returns the settings of a call.
func (lk *Locker) settings(opts []Option) (lease.Settings, error) {
	s := lk.defaults
	for _, o := range opts {
		o(&s)
	}
	if s.Wake {
		s.Subscribe = lk.subscribe
	}
	return s.Checked()
}
