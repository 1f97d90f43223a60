package lease

// This file implements the line of those who wait for the same object within a
// process. Only the first of them asks the server.

import (
	"container/list"
	"context"
	"slices"
	"strings"
	"time"
)

// line is the line at one object.
type line struct {
	id      string
	keys    []string
	waiters list.List     // of *waiter, under the Keeper's lock
	woken   chan struct{} // something was released here
	// Of the first in line alone, who hands it on:
	subscription Subscription
	tried        bool // to subscribe
}

// waiter is one in the line.
type waiter struct {
	line  *line
	place *list.Element
	turn  chan struct{} // closed when it is the first
	// notBefore is the deadline of the one before it, who obtained the object:
	// until then, or its release, asking is in vain.
	notBefore time.Time
}

// queue waits for being first in line.
func (k *Keeper) queue(ctx context.Context, o Object) (*waiter, error) {
	id := strings.Join(o.Keys(), "\x00")
	k.mu.Lock()
	n := k.lines[id]
	if n == nil {
		n = &line{id: id, keys: o.Keys(), woken: make(chan struct{}, 1)}
		k.lines[id] = n
		if len(n.keys) > 1 {
			k.wide[n] = true
		}
	}
	w := &waiter{line: n, turn: make(chan struct{})}
	w.place = n.waiters.PushBack(w)
	if n.waiters.Len() == 1 {
		close(w.turn)
	}
	k.mu.Unlock()
	select {
	case <-w.turn:
		return w, nil
	case <-ctx.Done():
		k.leave(w, nil)
		return nil, ctx.Err()
	}
}

// leave makes the next in line the first. l is what w obtained, or nil.
func (k *Keeper) leave(w *waiter, l *Lease) {
	n := w.line
	k.mu.Lock()
	first := n.waiters.Front() == w.place
	n.waiters.Remove(w.place)
	next := n.waiters.Front()
	if next == nil {
		delete(k.lines, n.id)
		delete(k.wide, n)
	}
	if next != nil && first {
		heir := next.Value.(*waiter)
		if l != nil && !l.shared {
			heir.notBefore = l.Deadline()
		}
		close(heir.turn)
	}
	k.mu.Unlock()
	if next == nil && n.subscription != nil {
		n.subscription.Close()
	}
}

// wake has the first in line ask again at every object that has one of keys.
func (k *Keeper) wake(keys []string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, key := range keys {
		if n := k.lines[key]; n != nil {
			n.wake()
		}
	}
	for n := range k.wide {
		if slices.ContainsFunc(n.keys, func(key string) bool { return slices.Contains(keys, key) }) {
			n.wake()
		}
	}
}

func (n *line) wake() {
	select {
	case n.woken <- struct{}{}:
	default:
	}
}

// subscribe listens for releases, if that is wanted and has not been tried. It
// tells whether it has just begun to.
func (n *line) subscribe(ctx context.Context, s Settings, key string) bool {
	if s.Subscribe == nil || n.tried {
		return false
	}
	n.tried = true
	sub, err := s.Subscribe(ctx, key)
	if err != nil {
		return false // polling does as well
	}
	n.subscription = sub
	return true
}

func (n *line) listening() bool { return n.subscription != nil }

// heard gets something when the object was released somewhere.
func (n *line) heard() <-chan struct{} {
	if n.subscription == nil {
		return nil
	}
	return n.subscription.Released()
}
