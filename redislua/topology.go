// This file implements what has to be known of a client's nodes: which one a
// call goes to, and how often and how soon to try again.

package redislua

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// topology is how a client finds its nodes.
type topology struct {
	// node returns the node that the client would ask, nil when it cannot tell.
	node func(ctx context.Context, call *Call) (*redis.Client, error)
	// moved tells the client that its picture of the nodes may be old.
	moved func(ctx context.Context)

	retries                int
	minBackoff, maxBackoff time.Duration
}

func topologyOf(c Client) topology {
	panic("TODO")
}

func (t *topology) address(ctx context.Context, call *Call) string {
	if node, err := t.node(ctx, call); err == nil && node != nil {
		return node.Options().Addr
	}
	return ""
}
