package redislua_test

import (
	"bytes"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
)

// proxy stands between a client and a server and does what networks do.
type proxy struct {
	addr string
	// forwarded counts the script calls that reached the server.
	forwarded atomic.Int64

	// The faults, asked for each script call and each reply to one, with the
	// number of it.
	loseRequest func(n int64) bool // cut before the server has it
	loseReply   func(n int64) bool // cut before the client has it
	halveReply  func(n int64) bool // cut in the middle of it
	swallow     func(n int64) bool // say nothing more on this connection, and keep it

	mu    sync.Mutex
	conns []net.Conn
}

// newProxy starts a proxy in front of s. The faults must be set before the
// first command.
func newProxy(t testing.TB, s *redistest.Server) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	never := func(int64) bool { return false }
	p := &proxy{addr: l.Addr().String(), loseRequest: never, loseReply: never, halveReply: never, swallow: never}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", s.Addr)
			if err != nil {
				_ = client.Close()
				continue
			}
			p.mu.Lock()
			p.conns = append(p.conns, client, server)
			p.mu.Unlock()
			wg.Go(func() { p.serve(client, server) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		p.mu.Lock()
		for _, c := range p.conns {
			_ = c.Close()
		}
		p.mu.Unlock()
		wg.Wait()
	})
	return p
}

// serve carries one connection. Clients here do not pipeline, so that a read is
// a whole command or a whole reply.
func (p *proxy) serve(client, server net.Conn) {
	defer func() { _, _ = client.Close(), server.Close() }()
	request, reply := make([]byte, 64<<10), make([]byte, 64<<10)
	silent := false
	for {
		n, err := client.Read(request)
		if err != nil {
			return
		}
		command := bytes.ToLower(request[:n])
		var call int64
		if bytes.Contains(command, []byte("\r\nevalsha")) || bytes.Contains(command, []byte("\r\neval\r\n")) {
			call = p.forwarded.Load() + 1
			if p.loseRequest(call) {
				return
			}
			p.forwarded.Add(1)
		}
		if _, err := server.Write(request[:n]); err != nil {
			return
		}
		n, err = server.Read(reply)
		if err != nil {
			return
		}
		if call > 0 && p.loseReply(call) {
			return
		}
		if call > 0 && p.halveReply(call) {
			_, _ = client.Write(reply[:n/2])
			return
		}
		silent = silent || call > 0 && p.swallow(call)
		if silent {
			_, _ = io.Copy(io.Discard, client)
			return
		}
		if _, err := client.Write(reply[:n]); err != nil {
			return
		}
	}
}

// client returns a client that goes through the proxy.
func (p *proxy) client(t testing.TB, o redis.Options) *redis.Client {
	o.Addr = p.addr
	c := redis.NewClient(&o)
	t.Cleanup(func() { _ = c.Close() })
	return c
}
