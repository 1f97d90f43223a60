// This file implements the hooks by which tables of gopher-lua tell their layout of every new key, and the access to
// tables from Go.
package lualib

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

// hooks are the metatables that a layout copies: a copy shares the maps, so it costs one allocation for both.
type hooks struct {
	dense    *lua.LTable
	sparse   *lua.LTable // also reads integer keys that gopher-lua's array would have to be padded for
	newIndex *lua.LFunction
	length   *lua.LFunction
	refuse   *lua.LFunction
	tables   uint32
}

// newHooks makes the functions that the VM calls.
func newHooks(libs *Libraries) hooks {
	L := libs.state
	h := hooks{dense: L.NewTable(), sparse: L.NewTable()}
	h.newIndex = L.NewFunction(libs.hookNewIndex)
	h.length = L.NewFunction(hookLen)
	h.refuse = L.NewFunction(hookRefuse)
	for _, mt := range []*lua.LTable{h.dense, h.sparse} {
		mt.RawSetString("__newindex", h.newIndex)
		mt.RawSetString("__len", h.length)
	}
	h.sparse.RawSetString("__index", L.NewFunction(hookIndex))
	return h
}

// hookNewIndex is t[k] = v for a key that has no value yet.
func (libs *Libraries) hookNewIndex(L *lua.LState) int {
	key := L.Get(2)
	if problem := badKey(key); problem != "" {
		raise(L, "%s", problem)
	}
	libs.setNew(L, L.Get(1).(*lua.LTable), key, L.Get(3))
	return 0
}

// hookIndex is t[k] for a key that gopher-lua did not find.
func hookIndex(L *lua.LState) int {
	L.Push(L.Get(1).(*lua.LTable).RawGetH(L.Get(2)))
	return 1
}

// hookLen is #t.
func hookLen(L *lua.LState) int {
	L.Push(lua.LNumber(from(L).Len(L.Get(1).(*lua.LTable))))
	return 1
}

// layoutKey is where a table with a metatable of the script's own keeps its layout.
type layoutKey struct{}

func (layoutKey) String() string       { return "layout" }
func (layoutKey) Type() lua.LValueType { return lua.LTUserData }

// ownLayout is the layout of a table that has one.
func ownLayout(tb *lua.LTable) (*layout, bool) {
	mt, ok := tb.Metatable.(*lua.LTable)
	if !ok {
		return nil, false
	}
	if l, ok := mt.Metatable.(*layout); ok && mt == &l.meta {
		return l, true
	}
	l, ok := tb.RawGetH(layoutKey{}).(*layout)
	return l, ok
}

// layout is the layout of any table; one that has none is laid out as though its keys were assigned now, in turn.
func (libs *Libraries) layout(tb *lua.LTable) *layout {
	if l, ok := ownLayout(tb); ok {
		return l
	}
	l := libs.newLayout()
	for k, v := tb.Next(lua.LNil); k != lua.LNil; k, v = tb.Next(k) {
		if _, hidden := k.(layoutKey); hidden || v == lua.LNil {
			continue
		}
		if i, ok := arrayIndex(k); ok {
			l.stored = max(l.stored, i)
		}
		l.insert(tb, k)
	}
	libs.attach(tb, l)
	return l
}

// newLayout is the layout of an empty table.
func (libs *Libraries) newLayout() *layout {
	libs.hooks.tables++
	return &layout{id: libs.hooks.tables}
}

// attach lets a table have a layout, and hooks it unless it has a metatable that assigns in its own way.
func (libs *Libraries) attach(tb *lua.LTable, l *layout) {
	mt, ok := tb.Metatable.(*lua.LTable)
	if ok {
		if own, ok := mt.Metatable.(*layout); !ok || mt != &own.meta {
			tb.RawSetH(layoutKey{}, l)
			if mt.RawGetString("__newindex") == lua.LNil {
				mt.RawSetString("__newindex", libs.hooks.newIndex)
			}
			if mt.RawGetString("__len") == lua.LNil {
				mt.RawSetString("__len", libs.hooks.length)
			}
			return
		}
	}
	if l.sparse {
		l.meta = *libs.hooks.sparse
	} else {
		l.meta = *libs.hooks.dense
	}
	l.meta.Metatable = l
	tb.Metatable = &l.meta
}

// NewTable makes an empty table, with room for as many positional and other fields as a constructor would have.
func (libs *Libraries) NewTable(array, hash int) *lua.LTable {
	tb := libs.state.CreateTable(array, 0)
	libs.hook(tb, array, hash)
	return tb
}

// hook gives a table without a layout one of the given sizes.
func (libs *Libraries) hook(tb *lua.LTable, array, hash int) *layout {
	l := libs.newLayout()
	l.array = array
	l.setNodes(hash)
	libs.attach(tb, l)
	return l
}

// NewArray makes the table 1..n of values, laid out as by assigning one after the other to an empty table, as Redis
// makes KEYS, ARGV and replies. A nil among the values is a hole.
func (libs *Libraries) NewArray(values []lua.LValue) *lua.LTable {
	tb := libs.state.CreateTable(len(values), 0)
	l := libs.hook(tb, 0, 0)
	for i, v := range values {
		key := lua.LNumber(i + 1)
		l.insert(tb, key)
		tb.RawSetInt(i+1, v)
	}
	l.stored = len(values)
	return tb
}

// Get reads a key without metamethods.
func Get(tb *lua.LTable, key lua.LValue) lua.LValue {
	if v := tb.RawGet(key); v != lua.LNil {
		return v
	}
	l, ok := ownLayout(tb)
	switch {
	case !ok:
		return lua.LNil
	case l.behind != nil:
		return Get(l.behind, key)
	}
	return l.value(tb, key)
}

// Set assigns without metamethods. The key is neither nil nor NaN, and the table is not frozen.
func (libs *Libraries) Set(tb *lua.LTable, key, value lua.LValue) {
	if tb.RawGet(key) != lua.LNil {
		tb.RawSet(key, value)
		return
	}
	l := libs.layout(tb)
	l.insert(tb, key)
	libs.store(tb, l, key, value)
}

// Len is # without metamethods.
func (libs *Libraries) Len(tb *lua.LTable) int {
	tb = Behind(tb)
	return libs.layout(tb).border(tb)
}

// Next walks a table in Lua's order: the key behind another and its value. Nil begins and ends; a key that the table
// never had reports false.
func (libs *Libraries) Next(tb *lua.LTable, key lua.LValue) (k, v lua.LValue, ok bool) {
	tb = Behind(tb)
	return libs.layout(tb).next(tb, key)
}

// rawSet is Set for a script's key, which may be one that no table takes.
func (libs *Libraries) rawSet(L *lua.LState, tb *lua.LTable, key, value lua.LValue) {
	if tb.RawGet(key) != lua.LNil {
		tb.RawSet(key, value)
		return
	}
	checkWritable(L, tb)
	if problem := badKey(key); problem != "" {
		throw(L, problem)
	}
	libs.setNew(L, tb, key, value)
}

// badKey tells why no table takes a key; empty when it does.
func badKey(key lua.LValue) string {
	if key == lua.LNil {
		return "table index is nil"
	}
	if n, ok := key.(lua.LNumber); ok && math.IsNaN(float64(n)) {
		return "table index is NaN"
	}
	return ""
}

// entrySize is about what a table spends on one key.
const entrySize = 64

// setNew assigns a key that has no value yet, for a script.
func (libs *Libraries) setNew(L *lua.LState, tb *lua.LTable, key, value lua.LValue) {
	if value != lua.LNil {
		libs.bytes(L, entrySize)
	}
	l := libs.layout(tb)
	l.insert(tb, key)
	libs.store(tb, l, key, value)
}

// paddable is how far beyond its array a table may be padded with nils rather than keep a key elsewhere.
const paddable = 1024

// store puts a value where gopher-lua will find it.
func (libs *Libraries) store(tb *lua.LTable, l *layout, key, value lua.LValue) {
	i, ok := arrayIndex(key)
	if !ok {
		tb.RawSet(key, value)
		return
	}
	switch {
	case i <= l.stored:
		if l.sparse && tb.RawGetH(key) != lua.LNil {
			tb.RawSetH(key, value)
			return
		}
		tb.RawSetInt(i, value)
	case i <= max(2*l.stored, paddable) && !(l.sparse && tb.RawGetH(key) != lua.LNil):
		if value == lua.LNil {
			return
		}
		tb.RawSetInt(i, value)
		l.stored = i
	default:
		tb.RawSetH(key, value)
		if !l.sparse {
			l.sparse = true
			libs.attach(tb, l)
		}
	}
}

// Shape is what a compiler knows of a table constructor; it is the second argument of Construct.
type Shape struct {
	// Positional is how many fields have a position, without a last one of several values (a call or ...).
	Positional int
	// Keys are the keys of the other fields, in order, when they are all constant strings; those fields are in the table.
	Keys []string
	// Pairs is how many fields have a key when not all keys are constant strings; those fields are arguments.
	Pairs int
}

// String and Type make a Shape a Lua value, so that it can be a constant of compiled code; no script ever sees one.
func (*Shape) String() string       { return "shape" }
func (*Shape) Type() lua.LValueType { return lua.LTUserData }

// Construct is the function that table constructors are compiled to a call of:
//
//	{1, 2, a = x}            construct({1, 2, a = x}, shape)
//	{[k] = v, a = 1, f()}    construct({}, shape, k, v, "a", 1, f())
//
// Its arguments are a table of the fields with a position and, when all keys are constant strings, of those with a key;
// the *Shape; else the fields with a key, key and value in turn; and the values of a last field that has several.
// It returns the table. It works in every state that New was called for.
func Construct(L *lua.LState) int {
	tb := L.Get(1).(*lua.LTable)
	from(L).construct(L, tb, L.Get(2).(*Shape))
	L.Push(tb)
	return 1
}

// construct lays a constructor's table out and gives it the fields that came as arguments.
func (libs *Libraries) construct(L *lua.LState, tb *lua.LTable, shape *Shape) {
	const firstPair = 3
	firstValue := firstPair + 2*shape.Pairs
	values := max(L.GetTop()-firstValue+1, 0)
	keyed := len(shape.Keys) + shape.Pairs
	libs.bytes(L, entrySize*(1+shape.Positional+keyed+values))
	l := libs.newLayout()
	l.array = roundSize(shape.Positional)
	l.setNodes(roundSize(keyed))
	l.stored = shape.Positional
	for _, key := range shape.Keys {
		l.insert(tb, lua.LString(key))
	}
	libs.attach(tb, l)
	for i := firstPair; i < firstValue; i += 2 {
		key := L.Get(i)
		if n, ok := arrayIndex(key); ok && n <= shape.Positional {
			continue // the field with this position is assigned later
		}
		if problem := badKey(key); problem != "" {
			raise(L, "%s", problem)
		}
		libs.rawSet(L, tb, key, L.Get(i+1))
	}
	if last := shape.Positional + values; last > l.array {
		l.resize(tb, last, len(l.nodes))
	}
	for i := range values {
		libs.rawSet(L, tb, lua.LNumber(shape.Positional+i+1), L.Get(firstValue+i))
	}
}

// roundSize is the size that a constructor's instruction can carry: three bits and an exponent, rounded up.
func roundSize(n int) int {
	exponent := 0
	for n >= 16 {
		n = (n + 1) >> 1
		exponent++
	}
	return n << exponent
}
