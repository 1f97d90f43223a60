package lock_test

// This file implements the world of the tests: the real scripts on a server
// without a network, in the time of testing/synctest, behind a network that
// does what networks do.

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/generated"
	"github.com/luagen/luagen/internal/engine"
	"github.com/luagen/luagen/lock"
	"github.com/luagen/luagen/lock/internal/scripts"
	"github.com/luagen/luagen/redislua"
)

var bg = context.Background()

// fault is what happens to one script call. The zero value is that nothing does.
type fault struct {
	lost     bool          // the request does not reach the server
	deaf     bool          // the server runs it and the connection breaks
	after    time.Duration // the reply comes late
	delivery time.Duration // the request comes late
}

// world is a server and the network in front of it.
type world struct {
	*redis.Client
	engine *engine.Engine
	mu     sync.Mutex
	calls  map[string]int // of each script, as sent
	faults func(script string, n int) fault
}

// inWorld runs a test in a bubble of its own time. The bubble ends only when
// every goroutine has, so nothing may be left over.
func inWorld(t *testing.T, test func(t *testing.T, w *world)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w := newWorld(t)
		test(t, w)
		time.Sleep(time.Minute) // for what goes on in the background, which is bounded
		w.close()
	})
}

func (w *world) close() {
	_ = w.Close()
	w.engine.Close()
}

func newWorld(t *testing.T) *world {
	w := &world{calls: map[string]int{}, engine: engine.New(engine.Options{Cluster: true})}
	w.Client = redis.NewClient(&redis.Options{
		Addr: "127.0.0.1:1", Protocol: 2, DisableIdentity: true, MaxRetries: 3, PoolSize: 100,
		Dialer: func(ctx context.Context, _, _ string) (net.Conn, error) {
			conn, err := w.engine.Dial(ctx)
			return &faulty{Conn: conn, world: w}, err
		},
	})
	for _, r := range []*redislua.Registry{generated.Registry(), scripts.Registry()} {
		if _, err := r.Load(bg, w.Client); err != nil {
			t.Fatal(err)
		}
	}
	w.calls = map[string]int{}
	return w
}

// breaks has f say what happens to the n-th call of a script, from 1 on.
func (w *world) breaks(f func(script string, n int) fault) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.faults, w.calls = f, map[string]int{}
}

// sent returns how often a script was called since the last breaks.
func (w *world) sent(script string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	if script != "" {
		return w.calls[script]
	}
	n := 0
	for _, calls := range w.calls {
		n += calls
	}
	return n
}

var names = map[string]string{
	generated.AcquireScript.SHA1: "acquire", generated.ExtendScript.SHA1: "extend", generated.ReleaseScript.SHA1: "release",
	scripts.AcquireAllScript.SHA1: "acquire", scripts.ExtendAllScript.SHA1: "extend", scripts.ReleaseAllScript.SHA1: "release",
	scripts.EnterScript.SHA1: "acquire", scripts.StayScript.SHA1: "extend", scripts.LeaveScript.SHA1: "release",
	scripts.AbandonScript.SHA1: "abandon",
}

func (w *world) called(command []byte) fault {
	w.mu.Lock()
	defer w.mu.Unlock()
	for sha1, name := range names {
		if !bytes.Contains(command, []byte(sha1)) {
			continue
		}
		w.calls[name]++
		if w.faults != nil {
			return w.faults(name, w.calls[name])
		}
	}
	if bytes.Contains(command, []byte("\r\neval\r\n")) && w.faults != nil {
		return w.faults("eval", 0)
	}
	return fault{}
}

// faulty is a connection. Its client does not pipeline, so that a write is a
// whole command.
type faulty struct {
	net.Conn
	world    *world
	mu       sync.Mutex
	deadline time.Time
	next     fault
}

func (c *faulty) SetDeadline(t time.Time) error {
	_ = c.SetReadDeadline(t)
	return c.Conn.SetDeadline(t)
}

func (c *faulty) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	c.deadline = t
	c.mu.Unlock()
	return c.Conn.SetReadDeadline(t)
}

func (c *faulty) Write(b []byte) (int, error) {
	f := c.world.called(b)
	if f.lost {
		_ = c.Conn.Close()
		return 0, io.EOF
	}
	time.Sleep(f.delivery)
	c.mu.Lock()
	c.next = f
	c.mu.Unlock()
	return c.Conn.Write(b)
}

func (c *faulty) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.mu.Lock()
	f, end := c.next, c.deadline
	c.next = fault{}
	c.mu.Unlock()
	if f.deaf {
		_ = c.Conn.Close()
		return 0, io.EOF
	}
	if f.after > 0 {
		if left := time.Until(end); !end.IsZero() && left < f.after {
			time.Sleep(left)
			_ = c.Conn.Close()
			return 0, os.ErrDeadlineExceeded
		}
		time.Sleep(f.after)
	}
	return n, err
}

// holds tells whether the key is there.
func (w *world) holds(key string) bool { return w.Exists(bg, key).Val() == 1 }

// obtain takes a lock that must be free.
func obtain(t testing.TB, lk *lock.Locker, key string, opts ...lock.Option) *lock.Lease {
	t.Helper()
	l, err := lk.TryObtain(bg, key, opts...)
	if err != nil {
		t.Fatalf("obtaining %s: %v", key, err)
	}
	return l
}
