package engine

// This file implements clients in the same process.

import (
	"bufio"

	"github.com/alicebob/miniredis/v2/server"

	"github.com/luagen/luagen/internal/engine/resp"
)

// Conn is a client without a connection. It is not for concurrent use.
type Conn struct {
	engine *Engine
	conn   scriptConn
}

// Connect returns a new client.
func (e *Engine) Connect() *Conn {
	c := &Conn{engine: e}
	c.conn.peer = server.NewPeer(bufio.NewWriterSize(&c.conn, 512))
	return c
}

// Close forgets the client.
func (c *Conn) Close() { c.engine.sessions.Delete(c.conn.peer) }

// DoRaw runs a command and returns its reply in RESP's form. The next call
// overwrites it.
func (c *Conn) DoRaw(args ...string) []byte {
	c.conn.out = c.conn.out[:0]
	c.engine.mini.Server().Dispatch(c.conn.peer, args)
	c.conn.peer.Flush()
	return c.conn.out
}

// Do runs a command.
func (c *Conn) Do(args ...string) resp.Reply {
	r, _, err := resp.Parse(c.DoRaw(args...))
	if err != nil {
		return resp.Reply{Kind: '-', Text: "ERR " + err.Error()}
	}
	return r
}
