// Package luatest runs Redis Lua scripts in tests without a server: the same
// replies, errors and limits as redis-server's, any Redis client, and a clock
// that the test moves.
//
//	srv := luatest.Start(t)
//	s := generated.New(srv.Client())
//	…
//	srv.FastForward(10 * time.Second) // keys expire, TIME moves
//
// With LUATEST_REDIS=redis://HOST:PORT/DB in the environment the same tests run
// on that server, whose database must be empty. Tests that need what only the
// embedded server can do are skipped then.
//
// With LUATEST_COVERPROFILE=FILE in the environment the embedded server counts
// the lines and branches that scripts run, and appends them to FILE, an absolute
// path: `luagen cover FILE` shows them. Delete the file before a new run.
package luatest

// This file implements the server and its life.

import (
	"context"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/engine"
	"github.com/luagen/luagen/internal/engine/coverage"
)

// Server is a Redis for one test.
type Server struct {
	t      testing.TB
	engine *engine.Engine // nil with LUATEST_REDIS
	real   *redis.Options // nil without

	mu     sync.Mutex
	log    []LogLine
	calls  []Call
	faults faults
}

// Option configures Start.
type Option func(*engine.Options)

// Target makes the server answer as a release of Redis or Valkey does, such as
// "redis-7.2" or "valkey-8.0". The default is redis-7.0.
func Target(name string) Option {
	return func(o *engine.Options) {
		t, err := command.ParseTarget(name)
		if err != nil {
			panic("luatest: " + err.Error())
		}
		o.Target = t
	}
}

// Seed makes what is random, SPOP or RANDOMKEY, the same in each run.
func Seed(n int) Option { return func(o *engine.Options) { o.Seed = n } }

// Clock gives the server its time; the default is time.Now. See SetTime for a
// clock that stands still.
func Clock(now func() time.Time) Option { return func(o *engine.Options) { o.Now = now } }

// ClusterKeys makes scripts fail that touch a key which their caller did not
// pass in KEYS, or keys of two hash slots, as on a cluster's node.
func ClusterKeys() Option { return func(o *engine.Options) { o.Cluster = true } }

// BusyAfter sets how long a script runs before other clients get BUSY. The
// default is five seconds, as on the server.
func BusyAfter(d time.Duration) Option { return func(o *engine.Options) { o.BusyAfter = d } }

// TimeLimit ends scripts that run longer. The default is ten seconds; 0 lets
// them run until SCRIPT KILL or the end of the test.
func TimeLimit(d time.Duration) Option { return func(o *engine.Options) { o.TimeLimit = d } }

// MemoryLimit bounds, roughly, what a script may hold, in bytes. The default is
// 512 MiB.
func MemoryLimit(bytes int64) Option { return func(o *engine.Options) { o.MemoryLimit = bytes } }

// Start starts a server that ends with the test.
func Start(t testing.TB, opts ...Option) *Server {
	t.Helper()
	s := &Server{t: t}
	if url := os.Getenv("LUATEST_REDIS"); url != "" {
		s.useReal(url)
		return s
	}
	o := engine.Options{TimeLimit: 10 * time.Second, Log: s.addLog, Trace: s.addCall,
		Intercept: s.intercept, BeforeCall: s.beforeCall}
	for _, opt := range opts {
		opt(&o)
	}
	recorder := coverage.FromEnv(os.Getenv)
	o.Coverage = recorder
	s.engine = engine.New(o)
	t.Cleanup(func() {
		s.engine.Close()
		if err := recorder.Save(); err != nil {
			t.Errorf("luatest: %v", err)
		}
	})
	return s
}

// useReal connects to the server of LUATEST_REDIS.
func (s *Server) useReal(url string) {
	s.t.Helper()
	var err error
	if s.real, err = redis.ParseURL(url); err != nil {
		s.t.Fatalf("luatest: LUATEST_REDIS: %v", err)
	}
	c := s.Client()
	n, err := c.DBSize(context.Background()).Result()
	if err != nil {
		s.t.Fatalf("luatest: LUATEST_REDIS=%s: %v", url, err)
	}
	if n != 0 {
		s.t.Fatalf("luatest: LUATEST_REDIS=%s: the database has %d keys; use an empty one", url, n)
	}
	s.t.Cleanup(func() {
		c := redis.NewClient(s.real)
		defer func() { _ = c.Close() }()
		if err := c.FlushDB(context.Background()).Err(); err != nil {
			s.t.Errorf("luatest: emptying %s: %v", url, err)
		}
	})
}

// embeddedOnly skips a test that a real server cannot run.
func (s *Server) embeddedOnly(what string) {
	s.t.Helper()
	if s.engine == nil {
		s.t.Skipf("luatest: %s needs the embedded server, not LUATEST_REDIS", what)
	}
}

// Client returns a client of the server, closed with the test. It uses no
// network, so that it works in a testing/synctest bubble.
func (s *Server) Client() *redis.Client {
	opts := &redis.Options{Addr: "luatest", Dialer: s.Dial, DisableIdentity: true}
	if s.real != nil {
		opts = s.real
	}
	c := redis.NewClient(opts)
	s.t.Cleanup(func() { _ = c.Close() })
	return c
}

// Dial connects to the server. It fits the Dialer of Redis clients; network and
// address are ignored.
func (s *Server) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	if s.real != nil {
		return (&net.Dialer{}).DialContext(ctx, s.real.Network, s.real.Addr)
	}
	return s.engine.Dial(ctx)
}

// Addr returns the server's address, such as 127.0.0.1:37041, for clients of
// any kind. The server listens from the first call on.
func (s *Server) Addr() string {
	s.t.Helper()
	if s.real != nil {
		return s.real.Addr
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.engine.Addr() == "" {
		if err := s.engine.Listen("127.0.0.1:0"); err != nil {
			s.t.Fatalf("luatest: %v", err)
		}
	}
	return s.engine.Addr()
}

// FastForward moves the server's clock on: keys expire, and TIME moves.
func (s *Server) FastForward(d time.Duration) {
	s.t.Helper()
	s.embeddedOnly("FastForward")
	s.engine.FastForward(d)
}

// SetTime stops the server's clock at t; FastForward still moves it. The zero
// time lets it run again.
func (s *Server) SetTime(t time.Time) {
	s.t.Helper()
	s.embeddedOnly("SetTime")
	s.engine.SetTime(t)
}

// Flush removes all keys and forgets all scripts.
func (s *Server) Flush() {
	s.t.Helper()
	if s.engine != nil {
		s.engine.Reset()
		return
	}
	c := redis.NewClient(s.real)
	defer func() { _ = c.Close() }()
	ctx := context.Background()
	if err := c.FlushDB(ctx).Err(); err != nil {
		s.t.Fatalf("luatest: %v", err)
	}
	if err := c.ScriptFlush(ctx).Err(); err != nil {
		s.t.Fatalf("luatest: %v", err)
	}
}

// Error is an error that the server answered with: "WRONGTYPE Operation …".
type Error string

// Error returns the text with its code.
func (e Error) Error() string { return string(e) }

// Code returns the error's first word: WRONGTYPE, NOSCRIPT, ERR.
func (e Error) Code() string {
	code, _, _ := strings.Cut(string(e), " ")
	return code
}

// Run runs a script and returns its reply: nil, string, int64, []any, or an
// Error inside a list. An error reply is returned as an Error.
func (s *Server) Run(script string, keys []string, args ...any) (any, error) {
	s.t.Helper()
	cmd := []string{"EVAL", script, fmt.Sprint(len(keys))}
	cmd = append(cmd, keys...)
	for _, a := range args {
		cmd = append(cmd, fmt.Sprint(a))
	}
	reply := s.do(cmd...)
	if reply.IsError() {
		return nil, Error(reply.Text)
	}
	return valueOf(reply), nil
}
