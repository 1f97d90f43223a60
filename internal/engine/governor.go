package engine

// This file implements the limits of a running script: its time, its memory,
// and the ways to end it from outside.

import (
	"context"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// governor watches a running script. The VM asks it for Done before each
// instruction, which makes it the place to count; lualib asks it before work
// that depends on its arguments.
type governor struct {
	engine  *Engine
	left    int // instructions until the next look at the clock
	steps   int64
	bytes   int64
	started time.Time
	heap    uint64
	err     error
	busy    bool
	killed  atomic.Bool
	wrote   atomic.Bool
	active  atomic.Bool
}

const (
	stride       = 2000                 // instructions between two looks at the clock
	perStep      = 20 * time.Nanosecond // what an instruction takes at least, for clocks that stand still
	bytesPerLook = 64 << 20
)

// ending is why a script was ended, in the server's words.
type ending string

// Error implements error.
func (e ending) Error() string { return string(e) }

const (
	endKilled  ending = "Script killed by user with SCRIPT KILL."
	endTimeout ending = "Script ran longer than the time limit."
	endStopped ending = "Script stopped: the server is closing."
	endMemory  ending = "not enough memory"
)

// closedDone is what Done returns once the script has to end.
var closedDone = func() chan struct{} { c := make(chan struct{}); close(c); return c }()

func newGovernor(e *Engine) *governor { return &governor{engine: e, left: stride} }

func (g *governor) start(*run) {
	g.left, g.steps, g.bytes, g.err, g.busy = stride, 0, 0, nil, false
	g.started = time.Now()
	g.heap = 0
	g.killed.Store(false)
	g.wrote.Store(false)
	g.active.Store(true)
}

func (g *governor) stop() {
	g.active.Store(false)
	if g.busy {
		g.engine.setBusy(false)
	}
}

// Done implements context.Context for the VM.
func (g *governor) Done() <-chan struct{} {
	if g.left--; g.left > 0 {
		return nil
	}
	return g.look()
}

func (g *governor) look() <-chan struct{} {
	g.steps += stride
	if g.check() != nil {
		g.left = 1 // whatever catches the error does not get far
		return closedDone
	}
	g.left = stride
	return nil
}

// check tells why the script has to end.
func (g *governor) check() error {
	if g.err != nil {
		return g.err
	}
	elapsed := max(time.Since(g.started), time.Duration(g.steps)*perStep)
	opts := &g.engine.opts
	if !g.busy && elapsed >= opts.BusyAfter {
		g.busy = true
		g.engine.setBusy(true)
	}
	switch {
	case g.killed.Load():
		g.err = endKilled
	case g.engine.closing.Load():
		g.err = endStopped
	case opts.TimeLimit > 0 && elapsed >= opts.TimeLimit:
		g.err = endTimeout
	}
	return g.err
}

// Err implements context.Context.
func (g *governor) Err() error { return g.err }

// Deadline implements context.Context.
func (g *governor) Deadline() (time.Time, bool) { return time.Time{}, false }

// Value implements context.Context.
func (g *governor) Value(any) any { return nil }

var _ context.Context = (*governor)(nil)

// Steps implements lualib.Meter.
func (g *governor) Steps(n int) error {
	if g.left -= n; g.left > 0 {
		return nil
	}
	g.steps += int64(n)
	err := g.check()
	g.left = stride
	if err != nil {
		g.left = 1
	}
	return err
}

// Bytes implements lualib.Meter. What a script asked for in all may be far
// more than what it holds, so the heap is only looked at now and then.
func (g *governor) Bytes(n int) error {
	limit := g.engine.opts.MemoryLimit
	if int64(n) > limit {
		return endMemory
	}
	if g.bytes += int64(n); g.bytes < min(bytesPerLook, limit) {
		return nil
	}
	g.bytes = 0
	now := heapInUse()
	if g.heap == 0 {
		g.heap = now - min(now, uint64(bytesPerLook))
	}
	if now > g.heap && int64(now-g.heap) > limit {
		return endMemory
	}
	return nil
}

func heapInUse() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
