// This file implements loading a script into a node, shared by all calls that
// wait for it.

package redislua

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
)

// refusalRemembered is how long a node that refused SCRIPT LOAD is not asked
// again.
const refusalRemembered = time.Minute

// loader shares SCRIPT LOAD among the calls that wait for it.
type loader struct {
	// loads counts the loads that are done. A call notes it before it is sent,
	// and so can tell whether a load was finished meanwhile: then it goes again
	// without another one.
	loads atomic.Uint64

	mu      sync.Mutex
	waiting map[placement]*loading
	done    map[placement]uint64 // loads when the last one there was done
	refused map[string]time.Time // by node: until when
}

// placement is a script on a node. The node is its address, and nothing for
// the one server behind an AutoPipeliner.
type placement struct{ node, digest string }

// loading is a SCRIPT LOAD under way.
type loading struct {
	over chan struct{} // closed when err is there
	err  error
}

// errLoadRefused says that a server does not let scripts be loaded.
var errLoadRefused = errors.New("redislua: loading scripts is refused")

// load brings the script to a node, nil when the client does not tell which. sent
// is what loads was before the call was sent. It returns false when the script
// must go with the call as text instead.
func (c *Caller) load(ctx context.Context, node *redis.Client, s *Script, sent uint64) (bool, error) {
	var at string
	var p processor = c.client
	switch {
	case node != nil:
		at, p = node.Options().Addr, node
	case !c.one:
		return false, nil
	}
	l, err := c.begin(ctx, p, placement{at, s.SHA1}, s.Source, sent)
	if l == nil {
		return err == nil, nil
	}
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-l.over:
	}
	if errors.Is(l.err, errLoadRefused) {
		return false, nil
	}
	return l.err == nil, l.err
}

// begin joins the load under way at a placement, or starts one. There is none
// to wait for when one was done since sent, or when the node refuses loads.
func (l *loader) begin(ctx context.Context, p processor, at placement, source string, sent uint64) (*loading, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if until, ok := l.refused[at.node]; ok {
		if time.Now().Before(until) {
			return nil, errLoadRefused
		}
		delete(l.refused, at.node)
	}
	if under, ok := l.waiting[at]; ok {
		return under, nil
	}
	if l.done[at] > sent {
		return nil, nil
	}
	under := &loading{over: make(chan struct{})}
	if l.waiting == nil {
		l.waiting = make(map[placement]*loading)
		l.done = make(map[placement]uint64)
		l.refused = make(map[string]time.Time)
	}
	l.waiting[at] = under
	// The first caller may give up; the others still wait.
	go l.perform(context.WithoutCancel(ctx), p, at, source, under)
	return under, nil
}

// loadTimeout ends a load on clients that heed contexts and have no timeouts of
// their own.
const loadTimeout = 30 * time.Second

func (l *loader) perform(ctx context.Context, p processor, at placement, source string, under *loading) {
	ctx, cancel := context.WithTimeout(ctx, loadTimeout)
	defer cancel()
	cmd := redis.NewStatusCmd(ctx, "script", "load", source)
	err := p.Process(ctx, cmd)
	if err == nil {
		err = cmd.Err()
	}
	if refusesLoading(err) {
		err = errLoadRefused
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	switch err {
	case nil:
		l.done[at] = l.loads.Add(1)
	case errLoadRefused:
		l.refused[at.node] = time.Now().Add(refusalRemembered)
	}
	delete(l.waiting, at)
	under.err = err
	close(under.over)
}

// refusesLoading reports whether err says that scripts cannot be loaded here,
// rather than that this one is wrong or that the server has a bad moment.
// Clients that cannot send SCRIPT LOAD refuse with an error of their own.
func refusesLoading(err error) bool {
	if err == nil {
		return false
	}
	text, ok := replyText(err)
	if !ok {
		return strings.HasPrefix(text, "redis: cannot pipeline command")
	}
	for _, passing := range []string{
		"ERR Error compiling script", "LOADING ", "BUSY ", "MASTERDOWN ", "CLUSTERDOWN ", "OOM ", "NOAUTH ", "WRONGPASS ",
		"ERR max number of clients",
	} {
		if strings.HasPrefix(text, passing) {
			return false
		}
	}
	return true
}
