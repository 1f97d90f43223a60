package engine

// This file implements the globals that scripts see, and their protection.

import (
	"maps"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/lualib"
	"github.com/luagen/luagen/internal/engine/luavm"
)

const readOnlyTable = "Attempt to modify a readonly table"

// buildSandbox fills the state's globals. What a script holds of a read-only
// table is an empty one that stands before it: reading falls through to the
// table behind, writing raises.
func (vm *interpreter) buildSandbox(functions bool) {
	L := vm.L
	e := vm.engine
	vm.globals = L.NewTable()
	base := vm.Base()
	for _, name := range slices.Sorted(maps.Keys(base)) {
		vm.globals.RawSetString(name, base[name])
	}
	vm.protectBase(base)
	vm.addControl()
	vm.addCoroutine()
	modules := vm.Modules()
	for _, name := range slices.Sorted(maps.Keys(modules)) {
		if name == "os" && !e.dialect.clock {
			continue
		}
		vm.globals.RawSetString(name, vm.freeze(modules[name]))
	}
	api := vm.freeze(vm.redisTable(functions))
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
	env := vm.freeze(vm.globals)
	vm.globals.RawSetString("_G", env)
	missing := L.NewTable()
	missing.RawSetString("__index", L.NewFunction(missingGlobal))
	vm.globals.Metatable = missing
	L.G.Global = env
	L.Env = env
}

// freeze returns what scripts hold instead of a table that they must not change.
func (vm *interpreter) freeze(behind *lua.LTable) *lua.LTable {
	front := &lua.LTable{}
	mt := vm.L.NewTable()
	mt.RawSetString("__index", behind)
	mt.RawSetString("__newindex", vm.L.NewFunction(refuseWrite))
	front.Metatable = mt
	vm.frozen[front] = behind
	return front
}

func refuseWrite(L *lua.LState) int {
	raise(L, readOnlyTable)
	return 0
}

func missingGlobal(L *lua.LState) int {
	raise(L, "Script attempted to access nonexistent global variable '"+lualib.ToString(L.Get(2))+"'")
	return 0
}

// raise raises a text with the position of the calling Lua function.
func raise(L *lua.LState, text string) {
	L.Error(lua.LString(luavm.Where(L, 1)+text), 0)
}

// protectBase lets the functions that go round metatables know of read-only
// tables and of the metatables that the VM needs for itself.
func (vm *interpreter) protectBase(base map[string]*lua.LFunction) {
	through := func(name string) {
		inner := base[name].GFunction
		vm.globals.RawSetString(name, vm.L.NewFunction(func(L *lua.LState) int {
			if t, ok := L.Get(1).(*lua.LTable); ok && vm.frozen[t] != nil {
				L.Replace(1, vm.frozen[t])
			}
			return inner(L)
		}))
	}
	through("rawget")
	next := base["next"].GFunction
	nextFn := vm.L.NewFunction(func(L *lua.LState) int {
		if t, ok := L.Get(1).(*lua.LTable); ok && vm.frozen[t] != nil {
			L.Replace(1, vm.frozen[t])
		}
		return next(L)
	})
	vm.globals.RawSetString("next", nextFn)
	pairs := base["pairs"].GFunction
	vm.globals.RawSetString("pairs", vm.L.NewFunction(func(L *lua.LState) int {
		t, ok := L.Get(1).(*lua.LTable)
		if !ok || vm.frozen[t] == nil {
			return pairs(L)
		}
		L.Push(nextFn)
		L.Push(t)
		L.Push(lua.LNil)
		return 3
	}))
	refuse := func(name string) {
		inner := base[name].GFunction
		vm.globals.RawSetString(name, vm.L.NewFunction(func(L *lua.LState) int {
			if t, ok := L.Get(1).(*lua.LTable); ok && vm.frozen[t] != nil {
				L.Error(lua.LString(readOnlyTable), 0) // a C function has no line
			}
			return inner(L)
		}))
	}
	refuse("rawset")
	refuse("setmetatable")
	metatable := base["getmetatable"].GFunction
	var visible *lua.LTable
	vm.globals.RawSetString("getmetatable", vm.L.NewFunction(func(L *lua.LState) int {
		switch v := L.Get(1).(type) {
		case *lua.LTable:
			if vm.frozen[v] == nil {
				return metatable(L)
			}
			if v == vm.L.G.Global {
				L.Push(vm.freezeOnce(&visible, "__index", vm.L.NewFunction(missingGlobal)))
				return 1
			}
		case *lua.LUserData:
			return metatable(L)
		case lua.LString:
			L.Push(vm.stringMetatable())
			return 1
		}
		if L.GetTop() == 0 {
			return metatable(L)
		}
		L.Push(lua.LNil)
		return 1
	}))
}

func (vm *interpreter) freezeOnce(t **lua.LTable, name string, v lua.LValue) *lua.LTable {
	if *t == nil {
		*t = vm.freeze(vm.field(name, v))
	}
	return *t
}

// stringMetatable is what getmetatable shows of strings.
func (vm *interpreter) stringMetatable() *lua.LTable {
	return vm.freezeOnce(&vm.strings, "__index", vm.globals.RawGetString("string"))
}
