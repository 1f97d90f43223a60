// This file implements sending a call, and sending it again when it certainly
// was not run.

package redislua

import (
	"context"
	"errors"
	"net"
	"strings"

	"github.com/redis/go-redis/v9"
)

// attempt sends the call through the client. go-redis sends what may be
// repeated again after any network error. Everything else it sends once; here
// it is sent again only where it was not run: no connection came about, or the
// server said that it does not run anything at present.
func (c *Caller) attempt(ctx context.Context, call *Call, f form) error {
	for n := 0; ; n++ {
		err := c.send(ctx, c.client, call, f)
		if err != nil && c.lacksReadOnly(call.script, err) {
			err = c.send(ctx, c.client, call, f)
		}
		if err == nil || call.script.mayRepeat() {
			return err
		}
		again := neverRan(err)
		if c.moved != nil && (again || !isReply(err)) {
			c.moved(ctx)
		}
		if !again || n >= c.retries {
			return err
		}
		if err := c.pause(ctx, n); err != nil {
			return err
		}
	}
}

// lacksReadOnly reports whether a read-only script was refused because the server
// is older than EVALSHA_RO, or a proxy that does not know it. From then on the
// plain forms are sent.
func (c *Caller) lacksReadOnly(s *Script, err error) bool {
	text, ok := replyText(err)
	if !ok || !s.ReadOnly {
		return false
	}
	text = strings.ToLower(text)
	if !strings.Contains(text, "unknown command") && !strings.Contains(text, "unsupported command") ||
		!strings.Contains(text, "eval_ro") && !strings.Contains(text, "evalsha_ro") {
		return false
	}
	c.noReadOnly.Store(true)
	return true
}

// again sends a call by digest after its script was loaded into node. A client
// that reads from replicas may choose another one each time, so there the node
// itself is asked.
func (c *Caller) again(ctx context.Context, node *redis.Client, call *Call) error {
	if cluster, ok := c.client.(*redis.ClusterClient); ok && call.script.ReadOnly && cluster.Options().ReadOnly {
		err := c.send(ctx, node, call, byDigest)
		if err == nil || isReply(err) && !isRedirection(err) && !neverRan(err) {
			return err
		}
	}
	return c.attempt(ctx, call, byDigest)
}

// send sends the call once, through p.
func (c *Caller) send(ctx context.Context, p processor, call *Call, f form) error {
	cmd := call.command(ctx, f, !c.noReadOnly.Load(), nil)
	err := p.Process(ctx, cmd)
	if err == nil {
		err = cmd.Err() // an asynchronous AutoPipeliner answers here
	}
	return err
}

// processor is a client, or one node of it.
type processor interface {
	Process(ctx context.Context, cmd redis.Cmder) error
}

func isRedirection(err error) bool {
	if _, ok := redis.IsMovedError(err); ok {
		return true
	}
	_, ok := redis.IsAskError(err)
	return ok
}

// refusals are how servers say that they run nothing at present. A script that
// is told so in its midst has " script: " behind it; READONLY is told to a
// script at its first write, before which it has not written anything.
var refusals = []string{
	"LOADING Redis is loading",
	"LOADING Valkey is loading",
	"CLUSTERDOWN ",
	"TRYAGAIN Multiple keys request",
	"MASTERDOWN Link with MASTER",
	"ERR max number of clients",
}

// neverRan reports whether a command that failed with err certainly was not
// run.
func neverRan(err error) bool {
	if err == nil {
		return false
	}
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" || errors.Is(err, redis.ErrPoolTimeout) {
		return true
	}
	text, ok := replyText(err)
	if !ok {
		return false
	}
	if strings.HasPrefix(text, "READONLY You can't write") || strings.HasPrefix(text, "READONLY Can not run script") {
		return true
	}
	for _, prefix := range refusals {
		if strings.HasPrefix(text, prefix) {
			return !strings.Contains(text, " script: ")
		}
	}
	return false
}
