// Package engine runs Redis Lua scripts without a server, as redis-server runs
// them: the project's own syntax tree on a Lua machine, Redis's sandbox,
// libraries, conversions, errors and limits, over the keyspace of miniredis.
package engine

// This file implements the engine: its options, its life and its lock.

import (
	"context"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"

	"github.com/alicebob/miniredis/v2"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/engine/coverage"
	"github.com/luagen/luagen/internal/engine/keyspace"
	"github.com/luagen/luagen/internal/engine/lualib"
	"github.com/luagen/luagen/internal/engine/resp"
)

// Options says how a server behaves. The zero value is a Redis 7.0 server.
type Options struct {
	// Target is the server and version to answer as; the zero value is
	// command.Default.
	Target command.Target
	// Seed, if not 0, makes what is random (SPOP, RANDOMKEY) the same in each run.
	Seed int
	// Now is the clock; nil is time.Now.
	Now func() time.Time
	// Cluster makes the server behave as a cluster's node: scripts may touch
	// only keys that their caller declared, all in one hash slot.
	Cluster bool
	// BusyAfter is how long a script runs before other clients are answered
	// BUSY; 0 is five seconds.
	BusyAfter time.Duration
	// TimeLimit, if not 0, ends a script that runs longer.
	TimeLimit time.Duration
	// MemoryLimit bounds the memory that a script may hold, in bytes, roughly;
	// 0 is 512 MiB.
	MemoryLimit int64
	// Log, if not nil, gets what scripts pass to redis.log.
	Log func(level int, message string)
	// Trace, if not nil, gets every command that a script called, those that
	// were refused too.
	Trace func(Call)
	// Coverage, if not nil, counts what scripts and functions run.
	Coverage *coverage.Recorder
	// BeforeCall, if not nil, may refuse a command of a script: its error,
	// which begins with a code, is the command's.
	BeforeCall func(args []string) error
	// Intercept, if not nil, sees each command of a client before it runs and
	// says what becomes of it.
	Intercept func(args []string) Fault
}

// Fault is what goes wrong with a client's command. The zero value lets it run.
type Fault struct {
	Error     string // the reply instead of running it, beginning with a code
	LoseReply bool   // it runs, and the connection ends before its reply
}

// Call is a command that a script called.
type Call struct {
	Script string // the script's SHA-1, or the function's name
	Line   int    // of the script's text where the call begins, from 1; 0 when no line of it called
	Args   []string
	Reply  resp.Reply
}

// Engine is a running server.
type Engine struct {
	opts     Options
	dialect  dialect
	mini     *miniredis.Miniredis
	keyspace *keyspace.Keyspace
	random   *lualib.Random
	units    atomic.Uint64
	sessions sync.Map // *server.Peer to *session

	lock     chan struct{} // holds one token while a command runs
	lockBusy sync.Mutex
	busy     chan struct{} // closed while a script is overdue
	isBusy   bool
	closing  atomic.Bool
	listener net.Listener
	done     chan struct{}
	changed  chan struct{} // closed, and made anew, after each command; under lock

	// Under lock:
	scripts   *scriptConn
	vm        *interpreter // of EVAL, made when first needed
	cache     *scriptCache
	functions *functionStore
	running   atomic.Pointer[governor]
	offset    time.Duration
	fixed     time.Time // the clock stands here, if not zero
}

// New makes a server that listens nowhere; see Listen, Dial and Connect.
func New(opts Options) *Engine {
	if opts.Target == (command.Target{}) {
		opts.Target = command.Default
	}
	if opts.BusyAfter == 0 {
		opts.BusyAfter = 5 * time.Second
	}
	if opts.MemoryLimit == 0 {
		opts.MemoryLimit = 512 << 20
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	e := &Engine{
		opts: opts, dialect: dialectOf(opts.Target), mini: miniredis.NewMiniRedis(), random: lualib.NewRandom(),
		lock: make(chan struct{}, 1), busy: make(chan struct{}), done: make(chan struct{}), changed: make(chan struct{}),
		scripts: newScriptConn(),
	}
	e.cache = newScriptCache(e.dialect.evict)
	if opts.Seed != 0 {
		e.mini.Seed(opts.Seed)
	}
	e.start()
	return e
}

// Listen makes the server listen on a TCP address, such as "127.0.0.1:0". Call it
// once.
func (e *Engine) Listen(addr string) error {
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("listening on %s: %w", addr, err)
	}
	e.listener = l
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			e.mini.Server().ServeConn(conn)
		}
	}()
	return nil
}

// Addr returns the address that the server listens on; empty when it does not.
func (e *Engine) Addr() string {
	if e.listener == nil {
		return ""
	}
	return e.listener.Addr().String()
}

// start starts miniredis, without a network.
func (e *Engine) start() {
	c, err := e.mini.Dial()
	if err != nil {
		panic("starting miniredis: " + err.Error())
	}
	_ = c.Close()
	e.keyspace = keyspace.New(e.mini, e.opts.Target, e.opts.Cluster)
	e.mini.ClockTTL(true)
	e.mini.Server().SetPreHook(e.hook)
}

// Dial returns a connection to the server that uses no network.
func (e *Engine) Dial(context.Context) (net.Conn, error) { return e.mini.Dial() }

// Close stops the server and ends the scripts that run.
func (e *Engine) Close() {
	if e.closing.Swap(true) {
		return
	}
	close(e.done)
	if e.listener != nil {
		_ = e.listener.Close()
	}
	e.mini.Close()
}

// acquire takes the lock for a client's command; it tells false when a script
// holds it for too long.
func (e *Engine) acquire() bool {
	select {
	case e.lock <- struct{}{}:
		return true
	default:
	}
	e.lockBusy.Lock()
	busy := e.busy
	e.lockBusy.Unlock()
	select {
	case e.lock <- struct{}{}:
		return true
	case <-busy:
		return false
	}
}

func (e *Engine) release() {
	close(e.changed)
	e.changed = make(chan struct{})
	<-e.lock
}

func (e *Engine) setBusy(on bool) {
	e.lockBusy.Lock()
	defer e.lockBusy.Unlock()
	if on && !e.isBusy {
		close(e.busy)
	}
	if !on && e.isBusy {
		e.busy = make(chan struct{})
	}
	e.isBusy = on
}

// exclusive runs fn while no command runs.
func (e *Engine) exclusive(fn func()) {
	e.lock <- struct{}{}
	defer e.release()
	fn()
}

// now is the server's clock, in whole milliseconds unless it stands still.
func (e *Engine) now() time.Time {
	if !e.fixed.IsZero() {
		return e.fixed
	}
	return e.opts.Now().Add(e.offset)
}

// tick lets the keyspace see the clock. It is called before a client's command
// and never while a script runs: there the clock stands still.
func (e *Engine) tick() { e.mini.SetTime(e.now().Truncate(time.Millisecond)) }

// FastForward moves the clock on: keys expire, and TIME moves.
func (e *Engine) FastForward(d time.Duration) {
	e.exclusive(func() {
		if e.fixed.IsZero() {
			e.offset += d
		} else {
			e.fixed = e.fixed.Add(d)
		}
		e.tick()
	})
}

// SetTime stops the clock at t; FastForward still moves it. The zero time lets
// it run again.
func (e *Engine) SetTime(t time.Time) {
	e.exclusive(func() {
		e.fixed = t
		e.tick()
	})
}

// Reset empties the keyspace and the script cache.
func (e *Engine) Reset() {
	e.exclusive(func() {
		e.mini.FlushAll()
		e.cache.flush()
		e.vm = nil
	})
}
