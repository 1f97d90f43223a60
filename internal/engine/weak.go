package engine

// This file implements weak tables: what only they hold is gone after
// collectgarbage.

import (
	"runtime"
	"strings"
	"weak"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/lualib"
)

// addWeak lets setmetatable note tables whose metatable says that they are
// weak, and collectgarbage see to them.
func (vm *interpreter) addWeak() {
	set := vm.globals.RawGetString("setmetatable").(*lua.LFunction).GFunction
	vm.globals.RawSetString("setmetatable", vm.L.NewFunction(func(L *lua.LState) int {
		n := set(L)
		if mt, ok := L.Get(2).(*lua.LTable); ok && lualib.Get(mt, lua.LString("__mode")) != lua.LNil {
			vm.weak = append(vm.weak, weak.Make(L.Get(1).(*lua.LTable)))
		}
		return n
	}))
	collect := vm.globals.RawGetString("collectgarbage").(*lua.LFunction).GFunction
	vm.globals.RawSetString("collectgarbage", vm.L.NewFunction(func(L *lua.LState) int {
		if s, ok := L.Get(1).(lua.LString); len(vm.weak) > 0 && (!ok || s == "collect") {
			vm.collect()
		}
		return collect(L)
	}))
}

// holder gives a value back, or nil when nothing else held it.
type holder func() lua.LValue

func hold(v lua.LValue, weakly bool) holder {
	if weakly {
		switch v := v.(type) {
		case *lua.LTable:
			p := weak.Make(v)
			return func() lua.LValue { return alive(p.Value()) }
		case *lua.LFunction:
			p := weak.Make(v)
			return func() lua.LValue { return alive(p.Value()) }
		case *lua.LUserData:
			p := weak.Make(v)
			return func() lua.LValue { return alive(p.Value()) }
		}
	}
	return func() lua.LValue { return v }
}

func alive[T any, P interface {
	*T
	lua.LValue
}](p P) lua.LValue {
	if p == nil {
		return nil
	}
	return p
}

// collect empties the weak tables, lets Go collect, and puts back what is left.
func (vm *interpreter) collect() {
	entries := make([][][2]holder, len(vm.weak))
	for i, p := range vm.weak {
		if t := p.Value(); t != nil {
			entries[i] = vm.loosen(t)
		}
	}
	runtime.GC()
	for i, p := range vm.weak {
		t := p.Value()
		if t == nil {
			continue
		}
		for _, e := range entries[i] {
			if k, v := e[0](), e[1](); k != nil && v != nil {
				vm.Set(t, k, v)
			}
		}
	}
}

// loosen takes all entries out of a weak table.
func (vm *interpreter) loosen(t *lua.LTable) (entries [][2]holder) {
	mt, ok := t.Metatable.(*lua.LTable)
	if !ok {
		return nil
	}
	mode, _ := text(mt, "__mode")
	if mode == "" {
		return nil
	}
	for k, v, ok := vm.Next(t, lua.LNil); ok && k != lua.LNil; k, v, ok = vm.Next(t, k) {
		entries = append(entries, [2]holder{hold(k, strings.Contains(mode, "k")), hold(v, strings.Contains(mode, "v"))})
	}
	*t = lua.LTable{Metatable: mt}
	return entries
}
