package quorum

// This file implements the lock of one key at all servers, by their majority.

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/luagen/luagen/generated"
	"github.com/luagen/luagen/lock/internal/lease"
)

// fenceKey is where a server counts; only the lock's scripts look at it.
func fenceKey(key string) string { return lease.Beside(key, ":fence") }

// budget is how long the servers are waited for.
func budget(ttl time.Duration) time.Duration {
	return min(max(ttl/20, 10*time.Millisecond), 500*time.Millisecond)
}

// object is the lock of one key.
type object struct {
	locker *Locker
	key    string

	mu       sync.Mutex
	attempts map[string]*attempt // the last one of each token
	count    int
}

// attempt is what one Acquire took. Each has a token of its own at the servers,
// so that what frees one attempt late never frees the next.
type attempt struct {
	token string

	mu      sync.Mutex
	fences  []int64 // of each server, or one of the following
	givenUp bool
}

const (
	unanswered = 0
	another    = -1 // holds the lock there
	unknown    = -2 // there was an error, perhaps after the lock was given
)

func newObject(lk *Locker, key string) *object {
	return &object{locker: lk, key: key, attempts: map[string]*attempt{}}
}

func (o *object) Keys() []string { return []string{o.key} }

func (o *object) majority() int { return len(o.locker.nodes)/2 + 1 }

// ballot is what one server said.
type ballot struct {
	node    int
	outcome lease.Outcome
	ttl     time.Duration
	err     error
}

// poll asks all servers and passes on what they say, each within the budget.
// One that answers later is heard by ask alone: the requests end with the
// budget and not with ctx, so that a majority does not take the lock away from
// the servers that are slower by a moment.
func (o *object) poll(ctx context.Context, ttl time.Duration, ask func(ctx context.Context, i int) (lease.Outcome, time.Duration, error), hear func(ballot) (enough bool)) {
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), budget(ttl))
	ballots := make(chan ballot, len(o.locker.nodes))
	var asked sync.WaitGroup
	for i := range o.locker.nodes {
		asked.Go(func() {
			outcome, left, err := ask(limit, i)
			ballots <- ballot{i, outcome, left, err}
		})
	}
	go func() {
		asked.Wait()
		cancel()
	}()
	for range o.locker.nodes {
		select {
		case b := <-ballots:
			if hear(b) {
				return
			}
		case <-limit.Done():
			select {
			case b := <-ballots:
				if hear(b) {
					return
				}
			default:
				return
			}
		}
	}
}

func (o *object) Acquire(ctx context.Context, token string, ttl time.Duration) (lease.Grant, error) {
	o.mu.Lock()
	o.count++
	a := &attempt{token: token + "-" + strconv.Itoa(o.count), fences: make([]int64, len(o.locker.nodes))}
	o.attempts[token] = a
	o.mu.Unlock()

	granted, held, shortest := 0, 0, time.Duration(-1)
	var errs []error
	o.poll(ctx, ttl, func(ctx context.Context, i int) (lease.Outcome, time.Duration, error) {
		return o.acquireAt(ctx, i, a, ttl)
	}, func(b ballot) bool {
		switch {
		case b.err != nil:
			errs = append(errs, b.err)
		case b.outcome == lease.Done:
			granted++
		default:
			held++
			if shortest < 0 || b.ttl < shortest {
				shortest = b.ttl
			}
		}
		return granted == o.majority() || held+len(errs) > len(o.locker.nodes)-o.majority()
	})
	if granted == o.majority() {
		return lease.Grant{}, nil
	}
	o.giveUp(ctx, a, ttl)
	if held > 0 {
		return lease.Grant{Held: true, TTL: shortest}, nil
	}
	return lease.Grant{}, noQuorum(errs)
}

// acquireAt asks one server. Where the answer comes after the attempt was given
// up, what it gave is freed.
func (o *object) acquireAt(ctx context.Context, i int, a *attempt, ttl time.Duration) (lease.Outcome, time.Duration, error) {
	reply, err := o.locker.nodes[i].single.Acquire(ctx, o.key, fenceKey(o.key), a.token, ttl)
	a.mu.Lock()
	late := a.givenUp
	held := err == nil && reply.Status == generated.AcquireStatusHeld
	switch {
	case err != nil:
		a.fences[i] = unknown
	case held:
		a.fences[i] = another
	default:
		a.fences[i] = reply.Fence
	}
	a.mu.Unlock()
	if late && !held {
		o.freeAt(ctx, i, a, ttl)
	}
	if held {
		return lease.Taken, reply.TTL, nil
	}
	return lease.Done, 0, err
}

// giveUp frees what the attempt got at too few servers, without waiting. Where
// there is no answer yet, that is done when it comes.
func (o *object) giveUp(ctx context.Context, a *attempt, ttl time.Duration) {
	a.mu.Lock()
	a.givenUp = true
	fences := append([]int64(nil), a.fences...)
	a.mu.Unlock()
	for i, fence := range fences {
		if fence > 0 || fence == unknown {
			go o.freeAt(ctx, i, a, ttl)
		}
	}
}

// freeAt frees what the attempt has at one server, if anything.
func (o *object) freeAt(ctx context.Context, i int, a *attempt, ttl time.Duration) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), ttl)
	defer cancel()
	_, _ = o.locker.nodes[i].several.Abandon(ctx, []string{o.key}, a.token) // or the TTL frees it
}

func (o *object) Extend(ctx context.Context, token string, _ int64, ttl time.Duration) (lease.Outcome, error) {
	a := o.attempt(token)
	return o.vote(ctx, ttl, func(ctx context.Context, i int) (lease.Outcome, time.Duration, error) {
		fence := a.fence(i)
		if fence <= 0 {
			return 0, 0, errors.New("the server did not give the lock in time")
		}
		reply, err := o.locker.nodes[i].single.Extend(ctx, o.key, a.token, fence, ttl)
		return lease.Outcome(reply.Status), 0, err
	})
}

func (o *object) Release(ctx context.Context, token string, _ int64) (lease.Outcome, error) {
	a := o.attempt(token)
	a.mu.Lock()
	a.givenUp = true
	a.mu.Unlock()
	ctx = context.WithoutCancel(ctx)
	return o.vote(ctx, releaseTime, func(ctx context.Context, i int) (lease.Outcome, time.Duration, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), releaseTime)
		defer cancel()
		fence := a.fence(i)
		if fence <= 0 {
			freed, err := o.locker.nodes[i].several.Abandon(ctx, []string{o.key}, a.token)
			return lease.Outcome(min(freed, 1)), 0, err
		}
		reply, err := o.locker.nodes[i].single.Release(ctx, o.key, a.token, fence)
		return lease.Outcome(reply), 0, err
	})
}

// releaseTime is how long a release is tried at a server. Twenty times as long
// as it is waited for.
const releaseTime = 10 * time.Second

func (o *object) Abandon(ctx context.Context, token string) error {
	_, err := o.Release(ctx, token, 0)
	if errors.Is(err, ErrNoQuorum) {
		return nil // some were out of reach, which is why there was something to abandon
	}
	return err
}

// vote asks all servers for an outcome and returns that of the majority.
func (o *object) vote(ctx context.Context, ttl time.Duration, ask func(ctx context.Context, i int) (lease.Outcome, time.Duration, error)) (lease.Outcome, error) {
	var count [3]int
	var errs []error
	lost := func() int { return count[lease.Gone] + count[lease.Taken] }
	o.poll(ctx, ttl, ask, func(b ballot) bool {
		if b.err != nil {
			errs = append(errs, b.err)
		} else {
			count[b.outcome]++
		}
		return count[lease.Done] == o.majority() || lost() > len(o.locker.nodes)-o.majority()
	})
	switch {
	case count[lease.Done] >= o.majority():
		return lease.Done, nil
	case lost() <= len(o.locker.nodes)-o.majority():
		return 0, noQuorum(errs)
	case count[lease.Taken] > count[lease.Gone]:
		return lease.Taken, nil
	}
	return lease.Gone, nil
}

func (o *object) attempt(token string) *attempt {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.attempts[token]
}

func (a *attempt) fence(i int) int64 {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.fences[i]
}

// noQuorum is an ErrNoQuorum that tells what the servers said. What one of them
// said is not what all say, so it is not in it for errors.As.
func noQuorum(errs []error) error {
	if len(errs) == 0 {
		return fmt.Errorf("%w in time", ErrNoQuorum)
	}
	return fmt.Errorf("%w: %v", ErrNoQuorum, errors.Join(errs...))
}
