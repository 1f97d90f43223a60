// This file implements what has to be known of a client's nodes: which one a
// call goes to, and how often and how soon to try again.

package redislua

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/redis/go-redis/v9"
)

// topology is how a client finds its nodes.
type topology struct {
	// node returns the node that the client would ask for the call. It is nil
	// when the client does not tell: a call without keys goes to any node of a
	// cluster.
	node func(ctx context.Context, call *Call) (*redis.Client, error)
	// moved tells the client that a node did not answer. It may be nil.
	moved func(ctx context.Context)
	// one says that every call goes to the one node that there is, although
	// node does not return it.
	one bool

	retries                int
	minBackoff, maxBackoff time.Duration
}

// clusterBackoff is the shortest pause before asking a cluster again. A
// ClusterClient asks for its slots at most every 200 ms, and the pauses of the
// usual three retries together must be longer.
const clusterBackoff = 50 * time.Millisecond

func topologyOf(c Client) topology {
	switch c := c.(type) {
	case *redis.Client:
		o := c.Options()
		return topology{
			node:    func(context.Context, *Call) (*redis.Client, error) { return c, nil },
			retries: o.MaxRetries, minBackoff: o.MinRetryBackoff, maxBackoff: o.MaxRetryBackoff,
		}
	case *redis.ClusterClient:
		o := c.Options()
		return topology{
			node: func(ctx context.Context, call *Call) (*redis.Client, error) {
				switch key, ok := call.routingKey(); {
				case !ok:
					return nil, nil
				case call.script.ReadOnly && o.ReadOnly:
					return c.SlaveForKey(ctx, key)
				default:
					return c.MasterForKey(ctx, key)
				}
			},
			moved:   c.ReloadState,
			retries: o.MaxRedirects, minBackoff: max(o.MinRetryBackoff, clusterBackoff), maxBackoff: o.MaxRetryBackoff,
		}
	case *redis.Ring:
		o := c.Options()
		return topology{
			node: func(_ context.Context, call *Call) (*redis.Client, error) {
				if key, ok := call.routingKey(); ok {
					return c.GetShardClientForKey(key)
				}
				return nil, nil
			},
			retries: o.MaxRetries, minBackoff: o.MinRetryBackoff, maxBackoff: o.MaxRetryBackoff,
		}
	}
	// An AutoPipeliner, or a client wrapped by somebody. Through an AutoPipeliner
	// SCRIPT LOAD reaches the one server, or is refused by a cluster.
	_, one := c.(*redis.AutoPipeliner)
	return topology{
		node:    func(context.Context, *Call) (*redis.Client, error) { return nil, nil },
		one:     one,
		retries: 3, minBackoff: 8 * time.Millisecond, maxBackoff: 512 * time.Millisecond,
	}
}

// routingKey returns the key by which clients choose the node.
func (c *Call) routingKey() (string, bool) {
	if c.keys == 0 {
		return "", false
	}
	return c.args[argsBefore].(string), true
}

// sentKeys are the keys as they are sent.
func (c *Call) sentKeys() []any { return c.args[argsBefore : argsBefore+c.keys] }

// address returns the address of the node that the client would ask, and
// nothing when it does not tell.
func (t *topology) address(ctx context.Context, call *Call) string {
	if node, err := t.node(ctx, call); err == nil && node != nil {
		return node.Options().Addr
	}
	return ""
}

// pause waits before the next attempt, the first being number 0. It returns
// the context's error when that ends first.
func (t *topology) pause(ctx context.Context, attempt int) error {
	d := t.maxBackoff
	if attempt < 16 {
		d = min(d, t.minBackoff<<attempt)
	}
	if d > 0 {
		d = d/2 + rand.N(d/2+1)
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
