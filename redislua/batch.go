// This file implements pipelines and transactions of script calls.

package redislua

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// Batch collects calls for one pipeline or one transaction.
type Batch struct {
	caller *Caller
	pipe   redis.Pipeliner
}

// NewPipeline returns a Batch that is sent as a pipeline: in one go, in the
// order queued for each node, not atomically.
func NewPipeline(c *Caller) *Batch { return &Batch{caller: c, pipe: c.client.Pipeline()} }

// NewTx returns a Batch that is sent as a transaction, in MULTI and EXEC.
func NewTx(c *Caller) *Batch { return &Batch{caller: c, pipe: c.client.TxPipeline()} }

// Into returns a Batch that puts its calls among the commands of a user's own
// pipeline or transaction, which is executed by pipe.Exec.
func Into(c *Caller, pipe redis.Pipeliner) *Batch { return &Batch{caller: c, pipe: pipe} }

// Exec sends what was queued.
func (b *Batch) Exec(ctx context.Context) error { panic("TODO") }

// None is the reply of a script that replies with nothing, or with a status.
type None struct{}

// Future is the reply of a queued call, there once the Batch is executed.
type Future[T any] struct {
	value T
	err   error
}

// Result returns the reply.
func (f *Future[T]) Result() (T, error) { return f.value, f.err }

// Err returns the error alone.
func (f *Future[T]) Err() error { return f.err }

// Queue adds a call to the Batch.
func Queue[T any](b *Batch, call *Call, d Decoder[T]) *Future[T] { panic("TODO") }

// QueueStatus adds a call of a script that replies with a status or nothing.
func QueueStatus(b *Batch, call *Call) *Future[None] {
	return Queue(b, call, func(Value) (None, error) { return None{}, nil })
}

// QueueOptionalStatus adds a call of a script that replies with a status, or
// with nil or false when it did nothing.
func QueueOptionalStatus(b *Batch, call *Call) *Future[bool] {
	return Queue(b, call, func(v Value) (bool, error) { return !v.IsNil(), nil })
}
