// This file implements tables that scripts cannot change.
package lualib

import (
	lua "github.com/yuin/gopher-lua"
)

// readonlyMessage is what Redis says to an assignment to a table of its own.
const readonlyMessage = "Attempt to modify a readonly table"

// Freeze returns what scripts hold in place of a table that they must not change: an empty one, through which the VM and
// the functions of this package read the table behind it, and which none of them changes. The table behind keeps its
// metatable, which scripts see. Freeze a table once: two fronts of one table are not equal.
func (libs *Libraries) Freeze(behind *lua.LTable) *lua.LTable {
	l := libs.newLayout()
	l.behind = behind
	mt := libs.state.NewTable()
	mt.RawSetString("__index", behind)
	mt.RawSetString("__newindex", libs.hooks.refuse)
	mt.RawSetString("__len", libs.hooks.length)
	l.meta = *mt
	l.meta.Metatable = l
	return &lua.LTable{Metatable: &l.meta}
}

// Behind is the table behind a frozen one, and any other table itself.
func Behind(tb *lua.LTable) *lua.LTable {
	if l, ok := ownLayout(tb); ok && l.behind != nil {
		return l.behind
	}
	return tb
}

// hookRefuse is t[k] = v for a frozen table.
func hookRefuse(L *lua.LState) int {
	raise(L, readonlyMessage)
	return 0
}

// checkWritable raises when a library function is about to change a frozen table.
func checkWritable(L *lua.LState, tb *lua.LTable) {
	if l, ok := ownLayout(tb); ok && l.behind != nil {
		throw(L, readonlyMessage)
	}
}
