// Package keyspace runs Redis commands on miniredis, which keeps the data, and
// adds what miniredis lacks or answers otherwise than Redis.
package keyspace

// This file implements the way of a command: to miniredis, or to what stands in
// for it.

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/alicebob/miniredis/v2"
	"github.com/alicebob/miniredis/v2/server"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/engine/resp"
)

// Keyspace runs commands, one at a time.
type Keyspace struct {
	mini      *miniredis.Miniredis
	server    *server.Server
	target    command.Target
	inner     *server.Peer // runs the commands that others are made of
	buffer    buffer
	hashes    map[hashKey][]string // the fields of hashes in the order they came
	selected  map[*server.Peer]int // the databases of peers, unless 0
	cluster   bool
	oldScores bool // doubles are written by %.17g
}

// buffer is where the replies to inner go.
type buffer struct{ bytes []byte }

// Write implements io.Writer.
func (b *buffer) Write(p []byte) (int, error) {
	b.bytes = append(b.bytes, p...)
	return len(p), nil
}

// handler answers a command in place of miniredis.
type handler func(k *Keyspace, c *caller, args []string) resp.Reply

// caller is who a handler works for: it asks miniredis in the caller's database.
type caller struct {
	k *Keyspace
	p *server.Peer
}

// New returns the keyspace of a started miniredis.
func New(mini *miniredis.Miniredis, target command.Target, cluster bool) *Keyspace {
	k := &Keyspace{mini: mini, server: mini.Server(), target: target, cluster: cluster,
		hashes: map[hashKey][]string{}, selected: map[*server.Peer]int{}}
	k.oldScores = !target.AtLeast(7, 2)
	k.inner = server.NewPeer(bufio.NewWriterSize(&k.buffer, 512))
	return k
}

// Owns tells whether the keyspace itself runs commands for a peer.
func (k *Keyspace) Owns(p *server.Peer) bool { return p == k.inner }

// Do runs a command for a peer; the reply goes to the peer.
func (k *Keyspace) Do(p *server.Peer, args []string) {
	name := upper(args[0])
	if refuse := checks[name]; refuse != nil {
		if why := refuse(args); why != "" {
			p.WriteError(why)
			return
		}
	}
	if fn := handlers[name]; fn != nil {
		r := fn(k, &caller{k, p}, args)
		if r.IsError() {
			r.Text = reword(name, r.Text)
		}
		if where, ok := scored[name]; ok && (k.oldScores || p.Resp3) {
			r = k.fixScores(r, where, args, p.Resp3)
		}
		p.WriteRaw(string(r.Append(nil, p.Resp3)))
		return
	}
	if where, ok := scored[name]; ok && (k.oldScores || p.Resp3) {
		c := caller{k, p}
		r := k.fixScores(c.ask(args...), where, args, p.Resp3)
		p.WriteRaw(string(r.Append(nil, p.Resp3)))
		return
	}
	if connection[name] {
		if name == "SELECT" && len(args) == 2 {
			k.selects(p, args[1])
		}
		k.server.Dispatch(p, args)
		return
	}
	raw := (&caller{k, p}).raw(args...)
	if raw[0] == '-' {
		// miniredis goes on after some errors, and answers twice
		text, _, _ := strings.Cut(string(raw[1:]), "\r\n")
		p.WriteRaw("-" + reword(name, text) + "\r\n")
		return
	}
	p.WriteRaw(string(raw))
}

// connection are the commands that change the state of their connection, or
// wait on it.
var connection = map[string]bool{
	"AUTH": true, "CLIENT": true, "DISCARD": true, "EXEC": true, "HELLO": true, "MULTI": true, "PSUBSCRIBE": true,
	"PUNSUBSCRIBE": true, "QUIT": true, "RESET": true, "SELECT": true, "SSUBSCRIBE": true, "SUBSCRIBE": true,
	"SUNSUBSCRIBE": true, "UNSUBSCRIBE": true, "UNWATCH": true, "WATCH": true,
}

// reword gives an error of miniredis the server's words.
func reword(name, text string) string {
	switch {
	case strings.HasPrefix(text, "ERR invalid expire time in "):
		return "ERR invalid expire time in '" + strings.ToLower(name) + "' command"
	case strings.HasPrefix(text, "ERR wrong number of arguments for "):
		return "ERR wrong number of arguments for '" + strings.ToLower(name) + "' command"
	}
	return text
}

// Knows tells whether there is a command of this name, in upper case.
func (k *Keyspace) Knows(name string) bool {
	return handlers[name] != nil || k.server.IsRegisteredCommand(name)
}

// upper is strings.ToUpper, without an allocation where there is nothing to do.
func upper(s string) string {
	for i := range len(s) {
		if s[i] >= 'a' && s[i] <= 'z' {
			return strings.ToUpper(s)
		}
	}
	return s
}

// raw runs a command on miniredis in the caller's database and returns the
// reply's bytes, which the next call overwrites.
func (c *caller) raw(args ...string) []byte {
	k := c.k
	k.buffer.bytes = k.buffer.bytes[:0]
	k.inner.Ctx = c.p.Ctx
	k.inner.Resp3 = c.p.Resp3
	k.dispatch(args)
	k.inner.Flush()
	c.p.Ctx = k.inner.Ctx
	return k.buffer.bytes
}

// dispatch runs a command for inner. Some commands with mistakes in them make
// miniredis panic, with its lock held.
func (k *Keyspace) dispatch(args []string) {
	defer func() {
		if r := recover(); r != nil {
			k.mini.TryLock()
			k.mini.Unlock()
			k.inner.Flush()
			k.buffer.bytes = k.buffer.bytes[:0]
			k.inner.WriteError(fmt.Sprintf("ERR the offline keyspace failed: %v", r))
		}
	}()
	k.server.Dispatch(k.inner, args)
}

// ask runs a command on miniredis in the caller's database.
func (c *caller) ask(args ...string) resp.Reply {
	r, _, err := resp.Parse(c.raw(args...))
	if err != nil {
		panic("a reply of miniredis cannot be read: " + err.Error())
	}
	return r
}

// Unwatch forgets the keys that a peer watches.
func (k *Keyspace) Unwatch(p *server.Peer) { (&caller{k, p}).ask("UNWATCH") }

// Unchanged ends a peer's watch and tells whether all keys are as they were.
func (k *Keyspace) Unchanged(p *server.Peer) bool {
	c := caller{k, p}
	c.ask("MULTI")
	return c.ask("EXEC").Kind != '_'
}

// Errors that several commands give.
const (
	errSyntax     = "ERR syntax error"
	errNotInteger = "ERR value is not an integer or out of range"
	errNotFloat   = "ERR value is not a valid float"
	errWrongType  = "WRONGTYPE Operation against a key holding the wrong kind of value"
)

// kind returns the type of a key, "none" without it.
func (c *caller) kind(key string) string { return c.ask("TYPE", key).Text }
