package lease

// This file implements automatic extension: one goroutine knows when which
// lease is due.

import (
	"container/heap"
	"context"
	"sync"
	"time"
)

const (
	renewals = 3  // a lease is extended after this part of its time
	retries  = 10 // an extension that has no answer after this part of the time is sent again
	// unanswered is how many extensions of one lease may be under way: a second
	// one goes another way when the first one's connection hangs.
	unanswered = 2
)

// extender extends the leases in it. Its goroutine runs while there are some.
type extender struct {
	mu      sync.Mutex
	queue   dueQueue
	running bool
	changed chan struct{} // that the first one is another
}

func (x *extender) add(l *Lease, due time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	l.due = due
	heap.Push(&x.queue, l)
	if !x.running {
		x.running = true
		x.changed = make(chan struct{}, 1)
		go x.run(x.changed)
	} else if l.index == 0 {
		x.signal()
	}
}

// remove makes sure that no further extension of l begins.
func (x *extender) remove(l *Lease) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if l.index < 0 {
		return
	}
	first := l.index == 0
	heap.Remove(&x.queue, l.index)
	if first {
		x.signal()
	}
}

// postpone says when l is due again, unless it was removed.
func (x *extender) postpone(l *Lease, due time.Time) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if l.index < 0 {
		return
	}
	l.due = due
	heap.Fix(&x.queue, l.index)
	x.signal()
}

func (x *extender) signal() {
	select {
	case x.changed <- struct{}{}:
	default:
	}
}

// run starts extensions when they are due, until there are no leases.
func (x *extender) run(changed <-chan struct{}) {
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		x.mu.Lock()
		if len(x.queue) == 0 {
			x.running = false
			x.mu.Unlock()
			return
		}
		l := x.queue[0]
		wait := time.Until(l.due)
		if wait <= 0 {
			l.due = time.Now().Add(l.settings.TTL / retries)
			heap.Fix(&x.queue, 0)
		}
		x.mu.Unlock()
		if wait <= 0 {
			l.startExtension()
			continue
		}
		timer.Reset(wait)
		select {
		case <-timer.C:
		case <-changed:
		}
	}
}

// startExtension sends an extension and does not wait for it.
func (l *Lease) startExtension() {
	now := time.Now()
	ttl := l.settings.TTL
	last := false
	if left := l.start.Add(l.settings.Max).Sub(now); left <= ttl {
		ttl, last = left.Truncate(time.Millisecond), true
	}
	l.mu.Lock()
	switch {
	case l.ended || l.sending >= unanswered:
		l.mu.Unlock()
		return
	case ttl < MinTTL || !deadline(now, ttl).After(l.deadline):
		l.mu.Unlock()
		l.keeper.extender.remove(l) // nothing is gained any more
		return
	}
	l.sending++
	l.mu.Unlock()
	go func() {
		defer l.sent()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(l.ctx), ttl)
		defer cancel()
		if err := l.extend(ctx, ttl); err != nil {
			return // it is due again soon, or lost
		}
		if last {
			l.keeper.extender.remove(l)
			return
		}
		l.keeper.extender.postpone(l, now.Add(ttl/renewals))
	}()
}

func (l *Lease) sent() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sending--
	if l.sending == 0 && l.quiet != nil {
		close(l.quiet)
		l.quiet = nil
	}
}

// dueQueue is a heap, the lease that is due first on top.
type dueQueue []*Lease

func (q dueQueue) Len() int           { return len(q) }
func (q dueQueue) Less(i, j int) bool { return q[i].due.Before(q[j].due) }
func (q dueQueue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].index, q[j].index = i, j
}

func (q *dueQueue) Push(x any) {
	l := x.(*Lease)
	l.index = len(*q)
	*q = append(*q, l)
}

func (q *dueQueue) Pop() any {
	old := *q
	l := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	l.index = -1
	return l
}
