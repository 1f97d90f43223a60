package engine

// This file implements redis.call and redis.pcall: what a script may call, and
// how the call reaches the keyspace.

import (
	"bufio"
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2/server"
	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/engine/luavm"
	"github.com/luagen/luagen/internal/engine/resp"
)

// command is redis.call, which raises a command's error, or redis.pcall, which
// returns it.
func (vm *interpreter) command(L *lua.LState, raises bool) int {
	var reply lua.LValue
	switch {
	case vm.current == nil || vm.loading != nil:
		reply = vm.errorTable("redis.call/pcall can only be called inside a script invocation", false)
		raises = true
	case L.GetTop() == 0:
		reply = vm.errorTable("Please specify at least one argument for this redis lib call", false)
	default:
		args := vm.commandArguments(L)
		if args == nil {
			reply = vm.errorTable("Lua redis lib command arguments must be strings or integers", false)
			break
		}
		reply = vm.execute(L, args)
	}
	if t, ok := reply.(*lua.LTable); ok && raises {
		if _, isError := text(t, "err"); isError {
			L.Error(t, 0)
		}
	}
	L.Push(reply)
	return 1
}

// commandArguments converts a call's arguments; nil when one is neither string
// nor number.
func (vm *interpreter) commandArguments(L *lua.LState) []string {
	n := L.GetTop()
	args := make([]string, n)
	for i := range args {
		switch v := L.Get(i + 1).(type) {
		case lua.LString:
			args[i] = string(v)
		case lua.LNumber:
			args[i] = vm.engine.dialect.argument(float64(v))
		default:
			return nil
		}
	}
	return args
}

// refuse tells why a script may not run a command; empty when it may.
func (vm *interpreter) refuse(args []string) string {
	d := vm.engine.dialect
	sub := ""
	if len(args) > 1 {
		sub = args[1]
	}
	c := command.Lookup(args[0], sub)
	if c == nil {
		return d.unknownCommand()
	}
	on := c.On(d.target)
	switch arity := c.Arity(); {
	case !on.Exists:
		return d.unknownCommand()
	case arity > 0 && len(args) != arity, len(args) < -arity:
		return d.wrongArity()
	case !on.Allowed:
		return d.notAllowed()
	case vm.current.readOnly && (c.Writes() || c.MayReplicate()):
		return readOnlyScript
	}
	if c.Writes() {
		vm.limits.wrote.Store(true)
	}
	if vm.engine.opts.Cluster {
		return vm.refuseKeys(c, args)
	}
	return ""
}

// execute runs a command and returns its reply as a Lua value.
func (vm *interpreter) execute(L *lua.LState, args []string) lua.LValue {
	if why := vm.refuse(args); why != "" {
		vm.trace(L, args, func() resp.Reply { return resp.Error(withCode(why)) })
		return vm.errorTable(why, true)
	}
	conn := vm.engine.scripts
	if hook := vm.engine.opts.BeforeCall; hook != nil {
		if err := hook(args); err != nil {
			vm.trace(L, args, func() resp.Reply { return resp.Error(withCode("-" + err.Error())) })
			return vm.errorTable("-"+err.Error(), true)
		}
	}
	raw := conn.do(vm.engine, args, vm.current.resp)
	vm.trace(L, args, func() resp.Reply {
		reply, _, _ := resp.Parse(raw)
		return reply
	})
	if raw[0] == '+' && len(args) == 2 && strings.EqualFold(args[0], "SELECT") {
		conn.db, _ = strconv.Atoi(args[1])
	}
	d := decoder{in: raw, vm: vm, resp: vm.current.resp}
	return d.value()
}

// trace tells who asked for it of a command that the script called.
func (vm *interpreter) trace(L *lua.LState, args []string, reply func() resp.Reply) {
	trace := vm.engine.opts.Trace
	if trace == nil {
		return
	}
	_, line, _ := luavm.Line(L, 1)
	trace(Call{Script: vm.current.name, Line: line, Args: args, Reply: reply()})
}

// scriptConn is the connection by which scripts reach the keyspace. It is used
// under the engine's lock.
type scriptConn struct {
	peer *server.Peer
	out  []byte
	db   int
}

func newScriptConn() *scriptConn {
	c := &scriptConn{}
	c.peer = server.NewPeer(bufio.NewWriterSize(c, 512))
	return c
}

// Write implements io.Writer for the peer's buffer.
func (c *scriptConn) Write(p []byte) (int, error) {
	c.out = append(c.out, p...)
	return len(p), nil
}

// do runs a command and returns the bytes of its reply, which the next call
// overwrites.
func (c *scriptConn) do(e *Engine, args []string, protocol int) []byte {
	c.out = c.out[:0]
	c.peer.Resp3 = protocol == 3
	c.peer.SwitchResp3 = nil
	e.keyspace.Do(c.peer, args)
	c.peer.Flush()
	return c.out
}
