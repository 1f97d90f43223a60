// This file implements pipelines and transactions of script calls.

package redislua

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// Batch collects calls for one pipeline or one transaction, by [Queue] and its
// like. It is for one goroutine at a time, and may be used again after Exec.
//
// No call in it fails because its script is unknown; the package comment says
// how. If an argument of one call is refused, nothing is sent.
type Batch struct {
	caller *Caller
	tx     bool
	into   redis.Pipeliner // a user's own, nil otherwise
	lists  *lists          // nil while nothing is queued
}

// lists is memory of a Batch that the next one can use.
type lists struct {
	queued []pending
	cmds   []redis.Cmder
	forms  []form
	keys   keySet
}

// spare keeps lists for the next Batch. It holds memory, not state.
var spare = sync.Pool{New: func() any { return new(lists) }}

// release gives the lists back, empty.
func (l *lists) release() {
	clear(l.queued)
	clear(l.cmds)
	l.queued, l.cmds = l.queued[:0], l.cmds[:0]
	spare.Put(l)
}

// NewPipeline returns a Batch that is sent as a pipeline: in one go, in the
// order queued for each node, not atomically.
func NewPipeline(c *Caller) *Batch { return &Batch{caller: c} }

// NewTx returns a Batch that is sent as a transaction, in MULTI and EXEC. In a
// cluster all keys must be in one hash slot; a Ring sends one transaction to
// each shard.
func NewTx(c *Caller) *Batch { return &Batch{caller: c, tx: true} }

// Into returns a Batch that puts its calls among the commands of a user's own
// pipeline or transaction, as a redis.Tx makes inside Watch. They join it when
// they are queued, and the futures are there after pipe.Exec. A call whose
// argument is refused makes all of it fail before anything is sent.
func Into(c *Caller, pipe redis.Pipeliner) *Batch { return &Batch{caller: c, into: pipe} }

// None is the reply of a script that replies with nothing, or with a status.
type None struct{}

// Queue adds a call to the Batch.
func Queue[T any](b *Batch, call *Call, d Decoder[T]) *Future[T] {
	f := &Future[T]{decode: d}
	f.call, f.err = call, call.check()
	if b.into != nil {
		b.join(&f.queued)
	}
	if b.lists == nil {
		b.lists = spare.Get().(*lists)
	}
	b.lists.queued = append(b.lists.queued, f)
	return f
}

// QueueStatus adds a call of a script that replies with a status or nothing.
func QueueStatus(b *Batch, call *Call) *Future[None] { return Queue(b, call, asNone) }

func asNone(Value) (None, error) { return None{}, nil }

// QueueOptionalStatus adds a call of a script that replies with a status, or
// with nil or false when it did nothing.
func QueueOptionalStatus(b *Batch, call *Call) *Future[bool] { return Queue(b, call, asDone) }

func asDone(v Value) (bool, error) { return !v.IsNil(), nil }

// ErrNotExecuted is the error of a [Future] that is read before its pipeline
// was executed.
var ErrNotExecuted = errors.New("redislua: the pipeline is not executed yet")

// Future is the reply of a queued call, there once its Batch is executed. Until
// it was read it is for one goroutine.
type Future[T any] struct {
	queued
	decode Decoder[T]
	value  T
}

// queued is a call in a Batch.
type queued struct {
	call    *Call // nil once Exec is over
	cmd     redis.Cmder
	err     error
	settled bool

	recovered bool // the script was unknown to the node

	first once // memory of the first command
}

// makeCommand makes the command for the next sending.
func (q *queued) makeCommand(ctx context.Context, c *Caller, f form) {
	var room *once
	if q.cmd == nil {
		room = &q.first
	}
	q.cmd = q.call.command(ctx, f, !c.noReadOnly.Load(), room)
}

// pending is a Future of any type.
type pending interface {
	entry() *queued
	settle() error
}

func (q *queued) entry() *queued { return q }

// Result returns the reply, or the error of the call.
func (f *Future[T]) Result() (T, error) {
	err := f.settle()
	return f.value, err
}

// Err returns the error of the call.
func (f *Future[T]) Err() error { return f.settle() }

// settle decodes the reply when it is there and returns the call's error.
func (f *Future[T]) settle() error {
	if f.settled || f.err != nil {
		return f.err
	}
	if f.cmd == nil {
		return ErrNotExecuted
	}
	if err := f.cmd.Err(); err != nil {
		f.err = scriptError(f.call.script, err)
		return f.err
	}
	if f.call.reply.empty() {
		return ErrNotExecuted
	}
	v, err := f.call.reply.value()
	if err != nil {
		err = scriptError(f.call.script, err)
	} else if f.value, err = f.decode(v); err != nil {
		err = named(f.call.script, err)
	}
	f.settled, f.err = true, err
	return err
}

// Exec sends what was queued, and returns the error of the first call that has
// one. The futures are there then, whether it returns an error or not. A
// transaction that Watch called off is redis.TxFailedErr.
func (b *Batch) Exec(ctx context.Context) error {
	if b.lists == nil {
		if b.into == nil {
			return nil
		}
		_, err := b.into.Exec(ctx)
		return err
	}
	l := b.lists
	b.lists = nil
	defer l.release()
	if err := refusedCall(l.queued); err != nil && b.into == nil {
		for _, p := range l.queued {
			if q := p.entry(); q.err == nil {
				q.err = err
			}
		}
		return err
	}
	start := b.caller.startedNow()
	sendErr := b.send(ctx, l)
	var first error
	for _, p := range l.queued {
		if err := p.settle(); err != nil && first == nil {
			first = err
		}
	}
	b.caller.observeAll(ctx, l.queued, start)
	if b.into == nil {
		for _, p := range l.queued {
			p.entry().done()
		}
	}
	if first == nil {
		first = sendErr
	}
	return first
}

// done gives the call of a settled future back.
func (q *queued) done() {
	q.call.release(q.cmd.Err())
	q.call, q.cmd, q.settled = nil, nil, true
}

// refusedCall returns why the first call that cannot be made cannot be.
func refusedCall(all []pending) error {
	for _, p := range all {
		if err := p.entry().err; err != nil {
			return err
		}
	}
	return nil
}

// join puts a call into a user's own pipeline, as text: it is not known what
// stands before it, nor whether it is a transaction.
func (b *Batch) join(q *queued) {
	ctx := context.Background()
	if q.err != nil {
		q.cmd = redis.NewCmd(ctx, "eval", unsendable{q.err})
	} else {
		f := byText
		if b.caller.options.recovery == RecoverNever {
			f = byDigest
		}
		q.makeCommand(ctx, b.caller, f)
	}
	if err := b.into.Process(ctx, q.cmd); err != nil && q.err == nil {
		q.err = err
	}
}

// unsendable is an argument that keeps a pipeline from being sent.
type unsendable struct{ err error }

func (u unsendable) MarshalBinary() ([]byte, error) { return nil, u.err }
func (u unsendable) String() string                 { return "a call that cannot be made" }

// startedNow returns the time when there is an observer to tell of it.
func (c *Caller) startedNow() (start time.Time) {
	if c.options.observer != nil {
		start = time.Now()
	}
	return start
}

// observeAll tells the observer of a Batch that is over.
func (c *Caller) observeAll(ctx context.Context, all []pending, start time.Time) {
	if c.options.observer == nil {
		return
	}
	d := time.Since(start)
	for _, p := range all {
		q := p.entry()
		c.options.observer(ctx, Event{Script: q.call.script, Node: c.address(ctx, q.call), Duration: d, Recovered: q.recovered, Err: q.err})
	}
}
