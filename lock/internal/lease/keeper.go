package lease

// This file implements obtaining a lease, once or until it comes off.

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"sync"
	"time"
)

// Keeper obtains leases and extends them, and keeps those who wait for the same
// object in line. It has goroutines only while there is something to do.
type Keeper struct {
	extender extender
	mu       sync.Mutex
	lines    map[string]*line
	wide     map[*line]bool // those of several keys
}

// New returns a Keeper that nobody waits at.
func New() *Keeper { return &Keeper{lines: map[string]*line{}, wide: map[*line]bool{}} }

// answer is what came of asking once.
type answer struct {
	grant Grant
	start time.Time // before the request was sent
	err   error
	// loose says that the token may hold something which nobody knows of.
	loose bool
	// settled says that somebody sees to that already, so that the token must
	// not be used again: what it held would be freed.
	settled bool
}

// Try asks once.
func (k *Keeper) Try(ctx context.Context, o Object, s Settings) (*Lease, error) {
	asked := time.Now()
	token := rand.Text() // of 128 bits at least
	l, a := k.ask(ctx, o, s, token)
	if a.loose {
		go abandon(ctx, o, s, token)
	}
	return l, k.tried(o, s, asked, l, a.err)
}

// tried tells the observer how obtaining ended.
func (k *Keeper) tried(o Object, s Settings, asked time.Time, l *Lease, err error) error {
	if s.Observe == nil {
		return err
	}
	e := Event{Kind: Obtained, Key: o.Keys()[0], Duration: time.Since(asked), Err: err}
	var held *HeldError
	switch {
	case err == nil:
		e.Fence = l.fence
	case errors.As(err, &held):
		e.Kind, e.Reason = Failed, "held"
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		e.Kind, e.Reason = Failed, "context"
	case errors.Is(err, ErrLost):
		e.Kind, e.Reason = Failed, Late.String()
	default:
		e.Kind, e.Reason = Failed, "error"
	}
	s.tell(e)
	return err
}

// ask asks once, and returns when there is an answer, ctx ends or the answer
// would be of no use. The request itself does not end with ctx: it may have been
// run already, and only its reply tells what must be released.
func (k *Keeper) ask(ctx context.Context, o Object, s Settings, token string) (*Lease, answer) {
	key := o.Keys()[0]
	if ctx.Err() != nil {
		return nil, answer{err: fmt.Errorf("lock %q: %w: %w", key, ErrNotObtained, context.Cause(ctx))}
	}
	start := time.Now()
	request, cancel := context.WithDeadline(context.WithoutCancel(ctx), deadline(start, s.TTL))
	answered := make(chan answer, 1)
	send := func() {
		grant, err := o.Acquire(request, token, s.TTL)
		if err != nil {
			grant = Grant{}
		}
		answered <- answer{grant: grant, start: start, err: err, loose: err != nil && !definite(err)}
		cancel() // now that nobody can take its end for the deadline
	}
	if ctx.Done() == nil { // nothing can end the wait but the answer
		send()
	} else {
		go send()
	}
	var a answer
	select {
	case a = <-answered:
	case <-ctx.Done():
		go settle(ctx, o, s, token, answered)
		return nil, answer{settled: true, err: fmt.Errorf("lock %q: %w: %w", key, ErrNotObtained, context.Cause(ctx))}
	case <-request.Done():
		select {
		case a = <-answered: // the request's own end is not the caller's
		default:
			go settle(ctx, o, s, token, answered)
			return nil, answer{settled: true, err: &LostError{Key: key, Reason: Late}}
		}
	}
	switch {
	case a.err != nil:
		a.err = fmt.Errorf("obtaining lock %q: %w", key, a.err)
		return nil, a
	case a.grant.Held:
		a.err = &HeldError{Key: key, TTL: a.grant.TTL}
		return nil, a
	}
	l := k.grant(ctx, o, s, token, a.grant.Fence, start)
	if l != nil {
		l.shared = a.grant.Shared
	} else {
		answered <- a
		go settle(ctx, o, s, token, answered)
		a.settled, a.err = true, &LostError{Key: key, Reason: Late}
	}
	return l, a
}

// settle waits for an answer that nobody wants any more, and frees what it gave.
func settle(ctx context.Context, o Object, s Settings, token string, answered <-chan answer) {
	a := <-answered
	switch {
	case a.loose:
		abandon(ctx, o, s, token)
	case a.err == nil && !a.grant.Held:
		ctx, cancel := cleanup(ctx, s.TTL)
		defer cancel()
		if _, err := o.Release(ctx, token, a.grant.Fence); err != nil {
			s.tell(Event{Kind: Failed, Key: o.Keys()[0], Fence: a.grant.Fence, Err: err, Reason: "release"})
		}
	}
}

// abandon frees what a request took whose reply was lost.
func abandon(ctx context.Context, o Object, s Settings, token string) {
	ctx, cancel := cleanup(ctx, s.TTL)
	defer cancel()
	if err := o.Abandon(ctx, token); err != nil {
		s.tell(Event{Kind: Failed, Key: o.Keys()[0], Err: err, Reason: "release"})
	}
}

// outage is how long a server may give no answer to somebody who waits.
const outage = 10 * time.Second

// Wait asks until the lease is obtained or ctx ends.
func (k *Keeper) Wait(ctx context.Context, o Object, s Settings) (*Lease, error) {
	asked := time.Now()
	l, err := k.wait(ctx, o, s)
	return l, k.tried(o, s, asked, l, err)
}

func (k *Keeper) wait(ctx context.Context, o Object, s Settings) (*Lease, error) {
	key := o.Keys()[0]
	w, err := k.queue(ctx, o)
	if err != nil {
		return nil, notObtained(ctx, key, nil)
	}
	var l *Lease
	defer func() { k.leave(w, l) }()
	token := rand.Text()
	loose := false // a reply was lost since the last one
	defer func() {
		if loose {
			go abandon(ctx, o, s, token)
		}
	}()
	var last error
	pause := s.MinPause
	reached := time.Now()
	contended := false
	hint := time.Duration(-1)
	if left := time.Until(w.notBefore); left > 0 { // another one of this process has just got it
		if err := k.pause(ctx, w.line, left); err != nil {
			return nil, notObtained(ctx, key, nil)
		}
	}
	for {
		var a answer
		l, a = k.ask(ctx, o, s, token)
		loose = loose && l == nil || a.loose
		switch {
		case l != nil:
			return l, nil
		case ctx.Err() != nil:
			return nil, notObtained(ctx, key, last)
		case a.grant.Held:
			reached, hint, last = time.Now(), a.grant.TTL, a.err
			if !contended {
				contended = true
				s.tell(Event{Kind: Contended, Key: key, Duration: hint})
			}
			if fresh := w.line.subscribe(ctx, s, key); fresh {
				continue // it may have been released before anybody listened
			}
		case lasting(a.err):
			return nil, a.err
		case time.Since(reached) > outage:
			return nil, a.err
		default:
			hint, last = -1, a.err
		}
		if a.settled {
			token, loose = rand.Text(), false
		}
		d := jitter(pause)
		if w.line.listening() {
			d = listened
		}
		if hint >= 0 {
			d = min(d, hint+time.Millisecond) // PTTL is rounded down
		}
		if err := k.pause(ctx, w.line, d); err != nil {
			return nil, notObtained(ctx, key, last)
		}
		pause = min(2*pause, s.MaxPause)
	}
}

// listened is how long a waiter that listens for releases trusts in hearing of
// them: pub/sub loses messages.
const listened = 5 * time.Second

// jitter keeps waiters of many processes from asking in step.
func jitter(d time.Duration) time.Duration { return d/2 + mathrand.N(d/2+1) }

// pause waits until it is time to ask again, or worth it.
func (k *Keeper) pause(ctx context.Context, n *line, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-n.woken:
	case _, ok := <-n.heard():
		if !ok {
			n.subscription.Close()
			n.subscription = nil
		}
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// Resume continues a lease that another process began.
func (k *Keeper) Resume(ctx context.Context, o Object, s Settings, token string, fence int64) (*Lease, error) {
	start := time.Now()
	outcome, err := o.Extend(ctx, token, fence, s.TTL)
	key := o.Keys()[0]
	switch {
	case err != nil:
		return nil, fmt.Errorf("resuming lock %q: %w", key, err)
	case outcome == Gone:
		return nil, &LostError{Key: key, Reason: Expired}
	case outcome == Taken:
		return nil, &LostError{Key: key, Reason: Stolen}
	}
	l := k.grant(ctx, o, s, token, fence, start)
	if l == nil {
		return nil, &LostError{Key: key, Reason: Expired}
	}
	s.tell(Event{Kind: Obtained, Key: key, Fence: fence, Duration: time.Since(start)})
	return l, nil
}
