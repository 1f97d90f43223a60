package engine

// This file implements the functions of Lua's base library that call or
// compile: error, pcall, xpcall, load, loadstring.

import (
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/lualib"
	"github.com/luagen/luagen/internal/engine/luavm"
)

// maxCDepth is how many calls of C functions that call Lua may be under way.
const maxCDepth = 198

func (vm *interpreter) addControl() {
	for name, fn := range map[string]lua.LGFunction{
		"error": baseError, "pcall": vm.pcall, "xpcall": vm.xpcall, "load": vm.load, "loadstring": vm.loadString,
	} {
		vm.globals.RawSetString(name, vm.L.NewFunction(fn))
	}
}

func baseError(L *lua.LState) int {
	level := 1
	if L.GetTop() >= 2 && L.Get(2) != lua.LNil {
		f, ok := number(L.Get(2))
		if !ok {
			raise(L, "bad argument #2 to 'error' (number expected, got "+argumentType(L, 2)+")")
		}
		level = int(f)
	}
	v := L.Get(1)
	switch s := v.(type) {
	case lua.LString:
		if level > 0 {
			v = lua.LString(luavm.Where(L, level)) + s
		}
	case lua.LNumber:
		if level > 0 {
			v = lua.LString(luavm.Where(L, level) + numberText(s))
		}
	}
	L.Error(v, 0)
	return 0
}

// enterC counts a C call that calls Lua back; leaveC ends it.
func (vm *interpreter) enterC(L *lua.LState) {
	if vm.cDepth >= maxCDepth {
		raise(L, "C stack overflow")
	}
	vm.cDepth++
	vm.barriers[L]++
}

func (vm *interpreter) leaveC(L *lua.LState) {
	vm.cDepth--
	if vm.barriers[L]--; vm.barriers[L] == 0 {
		delete(vm.barriers, L)
	}
}

// countCallbacks makes functions that call Lua back count as such calls: Lua
// bounds how deep these nest, and nothing may yield across them.
func (vm *interpreter) countCallbacks(modules map[string]*lua.LTable) {
	counted := func(fn lua.LValue) lua.LValue {
		inner, ok := fn.(*lua.LFunction)
		if !ok {
			return fn
		}
		return vm.L.NewFunction(func(L *lua.LState) int {
			switch L.Get(1).(type) {
			case lua.LString, *lua.LTable:
			default: // calls nothing back
				return inner.GFunction(L)
			}
			vm.enterC(L)
			n := inner.GFunction(L)
			vm.leaveC(L)
			return n
		})
	}
	for _, f := range [][2]string{{"string", "gsub"}, {"table", "sort"}, {"table", "foreach"}, {"table", "foreachi"}} {
		key := lua.LString(f[1])
		vm.Set(modules[f[0]], key, counted(lualib.Get(modules[f[0]], key)))
	}
	vm.globals.RawSetString("tostring", counted(vm.globals.RawGetString("tostring")))
}

func callable(v lua.LValue) bool {
	if t, ok := v.(*lua.LTable); ok {
		if mt, ok := t.Metatable.(*lua.LTable); ok {
			return mt.RawGetString("__call").Type() == lua.LTFunction
		}
		return false
	}
	return v.Type() == lua.LTFunction
}

// protect calls the function below its arguments on the stack; it returns
// false and the error's value when it raised one.
func (vm *interpreter) protect(L *lua.LState, nargs int) (lua.LValue, bool) {
	fn := L.Get(-nargs - 1)
	if !callable(fn) {
		return lua.LString("attempt to call a " + fn.Type().String() + " value"), false
	}
	vm.enterC(L)
	depth, barrier := vm.cDepth, vm.barriers[L]
	err := L.PCall(nargs, lua.MultRet, nil)
	vm.cDepth, vm.barriers[L] = depth, barrier
	vm.leaveC(L)
	if err == nil {
		return lua.LNil, true
	}
	api, ok := err.(*lua.ApiError)
	if !ok {
		return lua.LString(err.Error()), false
	}
	return vm.Message(api.Object), false
}

func (vm *interpreter) pcall(L *lua.LState) int {
	n := L.GetTop()
	if n == 0 {
		L.Push(lua.LFalse)
		L.Push(lua.LString("attempt to call a boolean value")) // Redis's own pcall finds its placeholder there
		return 2
	}
	v, ok := vm.protect(L, n-1)
	if !ok {
		L.SetTop(0)
		L.Push(lua.LFalse)
		t, isTable := v.(*lua.LTable)
		if !isTable || !vm.engine.dialect.tableErrors {
			L.Push(v)
			return 2
		}
		field := lualib.Get(t, lua.LString("err"))
		if _, isText := stringArgument(field); isText {
			L.Push(field)
			return 2
		}
		L.Push(t)
		L.Push(field) // left behind by Redis's own pcall
		return 3
	}
	L.Insert(lua.LTrue, 1)
	return L.GetTop()
}

func (vm *interpreter) xpcall(L *lua.LState) int {
	if L.GetTop() < 2 {
		raise(L, "bad argument #2 to 'xpcall' (value expected)")
	}
	fn, handle := L.Get(1), L.Get(2)
	L.SetTop(0)
	L.Push(fn)
	v, ok := vm.protect(L, 0)
	if ok {
		L.Insert(lua.LTrue, 1)
		return L.GetTop()
	}
	// The handler runs when the function's stack is gone already: a script has
	// no means to see the difference.
	L.SetTop(0)
	L.Push(handle)
	L.Push(v)
	if v, ok = vm.protect(L, 1); ok {
		v = L.Get(1)
	}
	L.SetTop(0)
	L.Push(lua.LFalse)
	L.Push(v)
	return 2
}

// loadString is loadstring(text [, name]).
func (vm *interpreter) loadString(L *lua.LState) int {
	s, ok := stringArgument(L.Get(1))
	if !ok {
		raise(L, "bad argument #1 to 'loadstring' (string expected, got "+argumentType(L, 1)+")")
	}
	name, ok := stringArgument(L.Get(2))
	if !ok {
		name = s
	}
	return vm.pushChunk(L, s, name)
}

// load is load(function [, name]).
func (vm *interpreter) load(L *lua.LState) int {
	if L.Get(1).Type() != lua.LTFunction {
		raise(L, "bad argument #1 to 'load' (function expected, got "+argumentType(L, 1)+")")
	}
	name, ok := stringArgument(L.Get(2))
	if !ok {
		name = "=(load)"
	}
	var b strings.Builder
	for {
		L.Push(L.Get(1))
		L.Call(0, 1)
		piece := L.Get(-1)
		L.Pop(1)
		s, ok := stringArgument(piece)
		if !ok && piece != lua.LNil {
			raise(L, "reader function must return a string")
		}
		if s == "" {
			return vm.pushChunk(L, b.String(), name)
		}
		b.WriteString(s)
	}
}

// pushChunk pushes a chunk's function, or nil and what is wrong with it.
func (vm *interpreter) pushChunk(L *lua.LState, text, name string) int {
	name = chunkName(name)
	if strings.HasPrefix(text, "\x1bLua") {
		L.Push(lua.LNil)
		L.Push(lua.LString(name + ": bad header in precompiled chunk"))
		return 2
	}
	unit, err := vm.engine.compile(text, name)
	if err != nil {
		L.Push(lua.LNil)
		L.Push(lua.LString(err.Error()))
		return 2
	}
	L.Push(vm.Function(unit))
	return 1
}

// chunkName is how errors show a chunk's name (luaO_chunkid of Lua 5.1).
func chunkName(name string) string {
	const size = 60
	name, _, _ = strings.Cut(name, "\x00")
	if rest, ok := strings.CutPrefix(name, "="); ok {
		return rest[:min(len(rest), size-1)]
	}
	if rest, ok := strings.CutPrefix(name, "@"); ok {
		limit := size - len(" '...' ") - 1
		if len(rest) > limit {
			rest = "..." + rest[len(rest)-limit:]
		}
		return rest
	}
	line, _, cut := strings.Cut(name, "\n")
	if i := strings.IndexByte(line, '\r'); i >= 0 {
		line, cut = line[:i], true
	}
	limit := size - len(` [string "..."] `) - 1
	if len(line) > limit {
		line, cut = line[:limit], true
	}
	if cut {
		line += "..."
	}
	return `[string "` + line + `"]`
}

func stringArgument(v lua.LValue) (string, bool) {
	switch v := v.(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return numberText(v), true
	}
	return "", false
}

func argumentType(L *lua.LState, n int) string {
	if n > L.GetTop() {
		return "no value"
	}
	return L.Get(n).Type().String()
}
