package engine

// This file implements the globals that scripts see, and their protection.

import (
	"maps"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/lualib"
	"github.com/luagen/luagen/internal/engine/luavm"
)

// buildSandbox fills the state's globals. The globals and the libraries are
// read-only; what a missing global raises hangs on the table behind them.
func (vm *interpreter) buildSandbox(functions bool) {
	L := vm.L
	e := vm.engine
	vm.globals = L.NewTable()
	base := vm.Base()
	for _, name := range slices.Sorted(maps.Keys(base)) {
		vm.globals.RawSetString(name, base[name])
	}
	vm.addControl()
	vm.addCoroutine()
	vm.addWeak()
	modules := vm.Modules()
	vm.countCallbacks(modules)
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		if name == "os" && !e.dialect.clock {
			continue
		}
		vm.globals.RawSetString(name, vm.Freeze(modules[name]))
	}
	api := vm.Freeze(vm.redisTable(functions))
	vm.globals.RawSetString("redis", api)
	if e.dialect.server {
		vm.globals.RawSetString("server", api)
	}
	vm.globals.RawSetString("_VERSION", lua.LString("Lua 5.1"))
	vm.handler = L.NewFunction(vm.onError)
	vm.globals.RawSetString("__redis__err__handler", vm.handler)

	if lib, ok := vm.globals.RawGetString("string").(*lua.LTable); ok {
		vm.SetStringIndex(lib)
	}
	env := vm.Freeze(vm.globals)
	vm.globals.RawSetString("_G", env)
	vm.hideMetatables(env)
	missing := L.NewTable()
	missing.RawSetString("__index", L.NewFunction(missingGlobal))
	vm.globals.Metatable = missing
	L.G.Global = env
	L.Env = env
}

func missingGlobal(L *lua.LState) int {
	raise(L, "Script attempted to access nonexistent global variable '"+lualib.ToString(L.Get(2))+"'")
	return 0
}

// raise raises a text with the position of the calling Lua function.
func raise(L *lua.LState, text string) {
	L.Error(lua.LString(luavm.Where(L, 1)+text), 0)
}

// hideMetatables replaces getmetatable: it shows read-only tables instead of
// what the globals and strings need, and not what the VM needs for other types.
func (vm *interpreter) hideMetatables(globals *lua.LTable) {
	inner := vm.globals.RawGetString("getmetatable").(*lua.LFunction).GFunction
	ofGlobals := vm.Freeze(vm.field("__index", vm.L.NewFunction(missingGlobal)))
	ofStrings := vm.Freeze(vm.field("__index", vm.globals.RawGetString("string")))
	vm.globals.RawSetString("getmetatable", vm.L.NewFunction(func(L *lua.LState) int {
		v := L.Get(1)
		switch v.(type) {
		case *lua.LTable, *lua.LUserData:
			if v == globals {
				L.Push(ofGlobals)
				return 1
			}
			return inner(L)
		case lua.LString:
			L.Push(ofStrings)
			return 1
		}
		if L.GetTop() == 0 {
			return inner(L)
		}
		L.Push(lua.LNil)
		return 1
	}))
}
