package engine

// This file implements the table redis that scripts see.

import (
	"crypto/sha1"
	"encoding/hex"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/engine/lualib"
)

// Levels of redis.log.
const (
	LogDebug = iota
	LogVerbose
	LogNotice
	LogWarning
)

func itoa(n int) string { return strconv.Itoa(n) }

func numberText(n lua.LNumber) string { return lualib.FormatNumber(float64(n)) }

// redisTable makes the table; libraries of functions lack some of it and have
// register_function.
func (vm *interpreter) redisTable(functions bool) *lua.LTable {
	d := vm.engine.dialect
	t := vm.NewTable(0, 0)
	set := func(name string, v lua.LValue) { vm.Set(t, lua.LString(name), v) }
	fn := func(name string, f lua.LGFunction) { set(name, vm.L.NewFunction(f)) }
	fn("call", func(L *lua.LState) int { return vm.command(L, true) })
	fn("pcall", func(L *lua.LState) int { return vm.command(L, false) })
	fn("log", vm.apiLog)
	fn("error_reply", vm.apiErrorReply)
	fn("status_reply", vm.apiStatusReply)
	fn("sha1hex", vm.apiSha1Hex)
	fn("setresp", vm.apiSetResp)
	fn("set_repl", vm.apiSetRepl)
	for name, n := range map[string]int{
		"LOG_DEBUG": LogDebug, "LOG_VERBOSE": LogVerbose, "LOG_NOTICE": LogNotice, "LOG_WARNING": LogWarning,
		"REPL_NONE": 0, "REPL_AOF": 1, "REPL_SLAVE": 2, "REPL_REPLICA": 2, "REPL_ALL": 3,
	} {
		set(name, lua.LNumber(n))
	}
	if d.shebang {
		fn("acl_check_cmd", vm.apiACLCheck)
		set("REDIS_VERSION", lua.LString(d.version))
		set("REDIS_VERSION_NUM", lua.LNumber(d.versionNum))
	}
	if d.server {
		major, minor := d.target.Version()
		set("SERVER_NAME", lua.LString("valkey"))
		set("VALKEY_VERSION", lua.LString(itoa(major)+"."+itoa(minor)+".0"))
		set("VALKEY_VERSION_NUM", lua.LNumber(major<<16|minor<<8))
	}
	if functions {
		fn("register_function", vm.registerFunction)
		return t
	}
	fn("replicate_commands", func(L *lua.LState) int { L.Push(lua.LTrue); return 1 })
	fn("breakpoint", func(L *lua.LState) int { L.Push(lua.LFalse); return 1 })
	fn("debug", func(*lua.LState) int { return 0 })
	return t
}

// raiseTable raises an error as the server's own functions do: as a table.
func (vm *interpreter) raiseTable(L *lua.LState, text string) {
	L.Error(vm.errorTable(text, false), 0)
}

func (vm *interpreter) apiLog(L *lua.LState) int {
	n := L.GetTop()
	if n < 2 {
		vm.raiseTable(L, "redis.log() requires two arguments or more.")
	}
	level, ok := number(L.Get(1))
	if !ok {
		vm.raiseTable(L, "First argument must be a number (log level).")
	}
	if level < LogDebug || level > LogWarning {
		vm.raiseTable(L, "Invalid log level.")
	}
	var parts []string
	for i := 2; i <= n; i++ {
		if s, ok := stringArgument(L.Get(i)); ok {
			parts = append(parts, s)
		}
	}
	if vm.engine.opts.Log != nil {
		vm.engine.opts.Log(int(level), strings.Join(parts, " "))
	}
	return 0
}

func number(v lua.LValue) (float64, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return lualib.ParseNumber(string(v))
	}
	return 0, false
}

func (vm *interpreter) apiErrorReply(L *lua.LState) int {
	s, ok := L.Get(1).(lua.LString)
	if !ok || L.GetTop() != 1 {
		L.Push(vm.errorTable("wrong number or type of arguments", false))
		return 1
	}
	L.Push(vm.errorTable("-"+strings.TrimPrefix(cString(string(s)), "-"), false))
	return 1
}

func (vm *interpreter) apiStatusReply(L *lua.LState) int {
	s, ok := L.Get(1).(lua.LString)
	if !ok || L.GetTop() != 1 {
		L.Push(vm.errorTable("wrong number or type of arguments", false))
		return 1
	}
	L.Push(vm.field("ok", s))
	return 1
}

func (vm *interpreter) apiSha1Hex(L *lua.LState) int {
	if L.GetTop() != 1 {
		vm.raiseTable(L, "wrong number of arguments")
	}
	s, _ := stringArgument(L.Get(1))
	L.Push(lua.LString(digest(s)))
	return 1
}

// digest is the SHA-1 of a script in lower-case hexadecimal.
func digest(text string) string {
	sum := sha1.Sum([]byte(text))
	return hex.EncodeToString(sum[:])
}

func (vm *interpreter) apiSetResp(L *lua.LState) int {
	if L.GetTop() != 1 {
		vm.raiseTable(L, "redis.setresp() requires one argument.")
	}
	n, _ := number(L.Get(1))
	if n != 2 && n != 3 {
		vm.raiseTable(L, "RESP version must be 2 or 3.")
	}
	vm.current.resp = int(n)
	return 0
}

func (vm *interpreter) apiSetRepl(L *lua.LState) int {
	if L.GetTop() != 1 {
		vm.raiseTable(L, "redis.set_repl() requires two arguments.")
	}
	n, _ := number(L.Get(1))
	if int(n)&^3 != 0 {
		vm.raiseTable(L, "Invalid replication flags. Please use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.")
	}
	return 0
}

func (vm *interpreter) apiACLCheck(L *lua.LState) int {
	if L.GetTop() == 0 {
		vm.raiseTable(L, "Please specify at least one argument for this redis.acl_check_cmd() call")
	}
	args := vm.commandArguments(L)
	sub := ""
	if len(args) > 1 {
		sub = args[1]
	}
	c := command.Lookup(args[0], sub)
	if c == nil || !c.On(vm.engine.dialect.target).Exists {
		vm.raiseTable(L, "Invalid command passed to redis.acl_check_cmd()")
	}
	L.Push(lua.LTrue)
	return 1
}
