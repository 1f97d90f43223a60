// This file implements the contact with go-redis: what a client must be able
// to do.

package redislua

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Client is what scripts are sent through. *redis.Client, *redis.ClusterClient,
// *redis.Ring, redis.UniversalClient and *redis.AutoPipeliner are Clients.
// A redis.Pipeliner is not: a script that is unknown to the server would fail
// in the middle of it. Scripts join a pipeline with [NewPipeline], [NewTx] and
// [Into].
type Client interface {
	Process(ctx context.Context, cmd redis.Cmder) error
	Pipeline() redis.Pipeliner
	TxPipeline() redis.Pipeliner
	// Watch is called by nothing here. A Pipeliner, a Tx and a Conn lack it.
	Watch(ctx context.Context, fn func(*redis.Tx) error, keys ...string) error
}

var (
	_ Client = (*redis.Client)(nil)
	_ Client = (*redis.ClusterClient)(nil)
	_ Client = (*redis.Ring)(nil)
	_ Client = (redis.UniversalClient)(nil)
	_ Client = (*redis.AutoPipeliner)(nil)
)
