package lease

// This file implements a lease: its deadline, its extension and its end.

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Lease is an object held until a deadline.
type Lease struct {
	keeper   *Keeper
	object   Object
	settings Settings
	token    string
	fence    int64
	start    time.Time // when it was asked for
	shared   bool      // others may have the object as well
	ctx      context.Context
	cancel   context.CancelCauseFunc

	mu       sync.Mutex
	deadline time.Time
	timer    *time.Timer
	lost     *LostError // how it was lost
	ended    bool       // lost, released, detached, or release was tried
	freed    bool       // released or detached
	sending  int        // extensions under way that nobody waits for
	quiet    chan struct{}

	// Under the extender's lock:
	due   time.Time
	index int // in the heap, -1 outside
}

// grant makes the lease of an answer that came in time, and nil of one that
// came late.
func (k *Keeper) grant(ctx context.Context, o Object, s Settings, token string, fence int64, start time.Time) *Lease {
	l := &Lease{keeper: k, object: o, settings: s, token: token, fence: fence, start: start, deadline: deadline(start, s.TTL), index: -1}
	left := time.Until(l.deadline)
	if left <= 0 {
		return nil
	}
	l.ctx, l.cancel = context.WithCancelCause(context.WithoutCancel(ctx))
	l.mu.Lock()
	l.timer = time.AfterFunc(left, l.expire)
	l.mu.Unlock()
	if s.Max > 0 {
		k.extender.add(l, start.Add(s.TTL/renewals))
	}
	return l
}

// Keys are the names of what is held.
func (l *Lease) Keys() []string { return l.object.Keys() }

// Key is the first of the names.
func (l *Lease) Key() string { return l.object.Keys()[0] }

// Token is the holder's.
func (l *Lease) Token() string { return l.token }

// Fence is the holder's.
func (l *Lease) Fence() int64 { return l.fence }

// Context ends with the lease.
func (l *Lease) Context() context.Context { return l.ctx }

// Deadline is when the lease ends unless it is extended.
func (l *Lease) Deadline() time.Time {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.deadline
}

// expire is called at the deadline, or at one that was moved meanwhile.
func (l *Lease) expire() {
	l.mu.Lock()
	if l.ended {
		l.mu.Unlock()
		return
	}
	if left := time.Until(l.deadline); left > 0 {
		l.timer.Reset(left)
		l.mu.Unlock()
		return
	}
	reason := Expired
	if l.settings.Max > 0 && !l.deadline.Add(2*margin(l.settings.TTL)).Before(l.start.Add(l.settings.Max)) {
		reason = MaxReached
	}
	l.lose(reason)
}

// lose ends a lease that is not ended. It is called with the lock held, and
// gives it up.
func (l *Lease) lose(reason Reason) {
	l.lost = &LostError{Key: l.Key(), Reason: reason}
	l.ended = true
	l.timer.Stop()
	l.cancel(l.lost)
	l.mu.Unlock()
	l.keeper.extender.remove(l)
	l.settings.tell(Event{Kind: Lost, Key: l.Key(), Fence: l.fence, Duration: time.Since(l.start), Err: l.lost, Reason: reason.String()})
	l.keeper.wake(l.Keys())
}

// over is the error of a lease that ended. It is called with the lock held.
func (l *Lease) over() error {
	if l.lost != nil {
		return l.lost
	}
	return fmt.Errorf("lock %q: %w", l.Key(), ErrReleased)
}

// Extend asks for a new time, counted from now.
func (l *Lease) Extend(ctx context.Context, ttl time.Duration) error {
	if err := CheckTTL(ttl); err != nil {
		return err
	}
	l.mu.Lock()
	if !l.ended && !time.Now().Before(l.deadline) { // the timer is late
		l.lose(Expired)
		l.mu.Lock()
	}
	if l.ended {
		defer l.mu.Unlock()
		return l.over()
	}
	l.mu.Unlock()
	return l.extend(ctx, ttl)
}

// extend asks for a new time and moves the deadline if it is given in time.
func (l *Lease) extend(ctx context.Context, ttl time.Duration) error {
	start := time.Now()
	outcome, err := l.object.Extend(ctx, l.token, l.fence, ttl)
	l.mu.Lock()
	switch {
	case l.ended: // meanwhile; what the reply says is of no use
		defer l.mu.Unlock()
		return l.over()
	case err != nil:
		l.mu.Unlock()
		l.settings.tell(Event{Kind: Failed, Key: l.Key(), Fence: l.fence, Duration: time.Since(start), Err: err, Reason: "extend"})
		return fmt.Errorf("extending lock %q: %w", l.Key(), err)
	case outcome == Gone:
		l.lose(Vanished)
	case outcome == Taken:
		l.lose(Stolen)
	case !time.Now().Before(l.deadline): // the timer is late
		l.lose(Expired)
	default:
		if moved := deadline(start, ttl); moved.After(l.deadline) {
			l.deadline = moved
			l.timer.Reset(time.Until(moved))
		}
		l.mu.Unlock()
		l.settings.tell(Event{Kind: Extended, Key: l.Key(), Fence: l.fence, Duration: time.Since(start)})
		return nil
	}
	return l.lost
}

// end stops the lease here: its context ends and nothing extends it any more.
// It waits for extensions under way, and no longer than the lease would last.
// The error is that of a lease which somebody released.
func (l *Lease) end() error {
	l.mu.Lock()
	if l.freed {
		defer l.mu.Unlock()
		return l.over()
	}
	if !l.ended && !time.Now().Before(l.deadline) { // the timer is late
		l.lose(Expired)
		l.mu.Lock()
	}
	l.ended = true
	l.timer.Stop()
	l.cancel(ErrReleased)
	left := time.Until(l.deadline)
	if l.sending > 0 && l.quiet == nil {
		l.quiet = make(chan struct{})
	}
	quiet := l.quiet
	l.mu.Unlock()
	l.keeper.extender.remove(l)
	if quiet != nil {
		timer := time.NewTimer(left)
		defer timer.Stop()
		select {
		case <-quiet:
		case <-timer.C:
		}
	}
	return nil
}

// Detach ends the lease here and leaves the object held.
func (l *Lease) Detach() error {
	if err := l.end(); err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lost != nil {
		return l.lost
	}
	l.freed = true
	l.keeper.wake(l.Keys())
	return nil
}

// Release frees the object. The end of ctx does not keep it from that.
func (l *Lease) Release(ctx context.Context) error {
	if err := l.end(); err != nil {
		return err
	}
	ctx, cancel := cleanup(ctx, l.settings.TTL)
	defer cancel()
	start := time.Now()
	outcome, err := l.object.Release(ctx, l.token, l.fence)
	l.keeper.wake(l.Keys())
	if err != nil {
		l.settings.tell(Event{Kind: Failed, Key: l.Key(), Fence: l.fence, Duration: time.Since(start), Err: err, Reason: "release"})
		err = fmt.Errorf("releasing lock %q: %w", l.Key(), err)
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.lost != nil {
			return errors.Join(l.lost, err)
		}
		return err
	}
	return l.freedWith(outcome)
}

// freedWith takes note of how a release ended. One that finds nothing to
// release is good news for a lease that had not ended: the work was over, and
// either the key's time went by on the way or the first of two requests did it.
func (l *Lease) freedWith(outcome Outcome) error {
	l.mu.Lock()
	first := !l.freed
	l.freed = true
	known := l.lost != nil
	if !known && outcome == Taken {
		l.lost = &LostError{Key: l.Key(), Reason: Stolen}
	}
	lost := l.lost
	l.mu.Unlock()
	e := Event{Kind: Released, Key: l.Key(), Fence: l.fence, Duration: time.Since(l.start)}
	switch {
	case lost == nil:
		if first {
			l.settings.tell(e)
		}
		return nil
	case !known:
		e.Kind, e.Err, e.Reason = Lost, lost, lost.Reason.String()
		l.settings.tell(e)
	}
	return lost
}

// The bounds of a cleanup, which takes as long as what it cleans up may last.
const (
	minCleanup = time.Second
	maxCleanup = 30 * time.Second
)

// cleanup is a context for what must be done although the caller's has ended.
func cleanup(ctx context.Context, ttl time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), min(max(ttl, minCleanup), maxCleanup))
}

// The bounds of a lease: the shortest of which something is left after the
// margin and a round trip, and the longest that the scripts take.
const (
	MinTTL = 10 * time.Millisecond
	MaxTTL = 365 * 24 * time.Hour
)

// CheckTTL returns an error for a lease that makes no sense.
func CheckTTL(ttl time.Duration) error {
	if ttl < MinTTL || ttl > MaxTTL {
		return fmt.Errorf("a lease of %v: expected %v to a year", ttl, MinTTL)
	}
	return nil
}
