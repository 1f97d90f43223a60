package cli

// This file implements the servers that luagen run runs scripts on: the engine,
// and a real one.

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/engine"
	"github.com/luagen/luagen/internal/engine/coverage"
	"github.com/luagen/luagen/internal/engine/resp"
	"github.com/luagen/luagen/internal/project"
)

// embedded is an empty server for one run, whose clock stands still.
type embedded struct {
	ctx      context.Context // of the run
	engine   *engine.Engine
	conn     *engine.Conn
	coverage *coverage.Recorder // may be nil
	calls    []tracedCall
	log      []logLine
}

// embeddedLimit ends a script that would never end.
const embeddedLimit = 30 * time.Second

func newEmbedded(ctx context.Context, target command.Target, recorder *coverage.Recorder) *embedded {
	s := &embedded{ctx: ctx, coverage: recorder}
	s.engine = engine.New(engine.Options{
		Target:    target,
		Coverage:  recorder,
		TimeLimit: embeddedLimit,
		Trace: func(c engine.Call) {
			s.calls = append(s.calls, tracedCall{c.Line, slices.Clone(c.Args), c.Reply})
		},
		Log: func(level int, message string) {
			s.log = append(s.log, logLine{[]string{"debug", "verbose", "notice", "warning"}[level], message})
		},
	})
	s.engine.SetTime(time.Now())
	s.conn = s.engine.Connect()
	return s
}

// do ends early when the run does, so that an interrupt ends a script that runs
// on; after that the server may only be closed.
func (s *embedded) do(args ...string) (resp.Reply, error) {
	if err := s.ctx.Err(); err != nil {
		return resp.Reply{}, err
	}
	done := make(chan resp.Reply, 1)
	go func() { done <- s.conn.Do(args...) }()
	select {
	case reply := <-done:
		return reply, nil
	case <-s.ctx.Done():
		return resp.Reply{}, s.ctx.Err()
	}
}

func (s *embedded) all() bool { return true }

func (s *embedded) recorded() ([]tracedCall, []logLine) {
	calls, log := s.calls, s.log
	s.calls, s.log = nil, nil
	return calls, log
}

func (s *embedded) close() error {
	s.engine.Close()
	return s.coverage.Save()
}

// remote is a server that others may use too.
type remote struct {
	conn resp.Conn
	stop func() bool // ends the watch of the context
}

// dialTimeout is how long a server may take to accept a connection.
const dialTimeout = 10 * time.Second

// dialServer connects to the server of a URL.
func dialServer(ctx context.Context, url string) (*remote, error) {
	opts, err := redis.ParseURL(url)
	if err != nil {
		return nil, &project.UsageError{Message: fmt.Sprintf("--redis %s: %v; expected a URL such as redis://localhost:6379/0", withoutPassword(url), err)}
	}
	dialer := net.Dialer{Timeout: dialTimeout}
	conn, err := dialer.DialContext(ctx, opts.Network, opts.Addr)
	if err != nil {
		return nil, fmt.Errorf("connecting to %s: %w", opts.Addr, err)
	}
	if opts.TLSConfig != nil {
		conn = tls.Client(conn, opts.TLSConfig)
	}
	s := &remote{conn: resp.Conn{Conn: conn}}
	s.stop = context.AfterFunc(ctx, func() { _ = conn.Close() })
	var hello [][]string
	switch {
	case opts.Username != "":
		hello = append(hello, []string{"AUTH", opts.Username, opts.Password})
	case opts.Password != "":
		hello = append(hello, []string{"AUTH", opts.Password})
	}
	if opts.DB != 0 {
		hello = append(hello, []string{"SELECT", fmt.Sprint(opts.DB)})
	}
	for _, args := range append(hello, []string{"PING"}) {
		reply, err := s.do(args...)
		if err == nil && reply.IsError() {
			err = errors.New(reply.Text)
		}
		if err != nil {
			_ = s.close()
			return nil, fmt.Errorf("connecting to %s: %w", opts.Addr, err)
		}
	}
	return s, nil
}

func (s *remote) do(args ...string) (resp.Reply, error) { return s.conn.Do(args...) }

func (s *remote) all() bool { return false }

func (s *remote) recorded() ([]tracedCall, []logLine) { return nil, nil }

func (s *remote) close() error {
	s.stop()
	_ = s.conn.Close() // nothing is under way
	return nil
}
