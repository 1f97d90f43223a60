// This file implements Caller, which sends calls and brings them through an
// unknown script and a node that refuses them.

package redislua

import (
	"context"
	"sync/atomic"
	"time"
)

// Caller sends calls of scripts through a client. It is safe for concurrent
// use; a client needs one, and its life is the client's.
type Caller struct {
	client  Client
	options options
	topology
	loader
	met scriptSet // so far, at any node

	noReadOnly atomic.Bool // a server that does not know the _RO forms was met
}

// NewCaller returns a Caller for c.
func NewCaller(c Client, opts ...Option) *Caller {
	caller := &Caller{client: c, topology: topologyOf(c)}
	for _, o := range opts {
		o(&caller.options)
	}
	return caller
}

// Run sends the call and decodes the reply with d.
func Run[T any](ctx context.Context, c *Caller, call *Call, d Decoder[T]) (T, error) {
	var decoded T
	s := call.script
	v, err := c.run(ctx, call)
	if err != nil {
		return decoded, err
	}
	decoded, err = d(v)
	if err != nil {
		return decoded, named(s, err)
	}
	return decoded, nil
}

// RunOptional is Run for a reply that may be nil or false: it returns the zero
// value and false then.
func RunOptional[T any](ctx context.Context, c *Caller, call *Call, d Decoder[T]) (T, bool, error) {
	var decoded T
	s := call.script
	v, err := c.run(ctx, call)
	if err != nil || v.IsNil() {
		return decoded, false, err
	}
	decoded, err = d(v)
	if err != nil {
		return decoded, false, named(s, err)
	}
	return decoded, true, nil
}

// RunStatus is Run for a script that replies with a status or with nothing.
func RunStatus(ctx context.Context, c *Caller, call *Call) error {
	_, err := c.run(ctx, call)
	return err
}

// RunOptionalStatus is Run for a script that replies with a status, or with nil
// or false when it did nothing.
func RunOptionalStatus(ctx context.Context, c *Caller, call *Call) (bool, error) {
	v, err := c.run(ctx, call)
	return err == nil && !v.IsNil(), err
}

// named puts the script's name into the error of a decoder.
func named(s *Script, err error) error {
	if e, ok := err.(*ReplyError); ok {
		e.Script = s.Name
		if inner, ok := e.Err.(*Error); ok {
			e.Err = parseError(s, inner.cause)
		}
	}
	return err
}

// run takes the call over and returns its reply.
func (c *Caller) run(ctx context.Context, call *Call) (v Value, err error) {
	if err := call.check(); err != nil {
		return v, err
	}
	if c.options.observer != nil {
		return c.observed(ctx, call)
	}
	_, err = c.recovering(ctx, call)
	if err == nil {
		v, err = call.reply.value()
	}
	if err != nil {
		err = scriptError(call.script, err)
	}
	call.release(err)
	return v, err
}

// observed is run with an observer.
func (c *Caller) observed(ctx context.Context, call *Call) (Value, error) {
	start := time.Now()
	recovered, err := c.recovering(ctx, call)
	e := Event{Script: call.script, Node: c.address(ctx, call), Duration: time.Since(start), Recovered: recovered}
	var v Value
	if err == nil {
		v, err = call.reply.value()
	}
	e.Err = scriptError(call.script, err)
	call.release(err)
	c.options.observer(ctx, e)
	return v, e.Err
}

// recovering sends the call by its digest, and where the script is unknown
// brings it there, once.
func (c *Caller) recovering(ctx context.Context, call *Call) (recovered bool, err error) {
	sent := c.loads.Load()
	err = c.attempt(ctx, call, byDigest)
	if !isUnknownScript(err) || c.options.recovery == RecoverNever {
		return false, err
	}
	if c.options.recovery == RecoverByLoad {
		node, err := c.node(ctx, call)
		if err != nil {
			return true, err
		}
		loaded, err := c.load(ctx, node, call.script, sent)
		if err != nil {
			return true, err
		}
		if loaded {
			if err := c.again(ctx, node, call); !isUnknownScript(err) {
				return true, err
			}
		}
	}
	return true, c.attempt(ctx, call, byText)
}

// form is how a call names its script.
type form uint8

const (
	byDigest form = iota
	byText
)
