// This file implements the functions of the base library that need neither a compiler nor protected calls.
package lualib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Base is assert, collectgarbage, gcinfo, getmetatable, ipairs, next, pairs, rawequal, rawget, rawset, select,
// setmetatable, tonumber, tostring, type and unpack, by name. error, load, loadstring, pcall and xpcall are the sandbox's.
func (libs *Libraries) Base() map[string]*lua.LFunction {
	next := libs.state.NewFunction(libs.baseNext)
	step := libs.state.NewFunction(baseIpairsStep)
	functions := map[string]lua.LGFunction{
		"assert":         baseAssert,
		"collectgarbage": libs.baseCollectGarbage,
		"gcinfo":         baseGCInfo,
		"getmetatable":   libs.baseGetMetatable,
		"ipairs": func(L *lua.LState) int {
			tb := checkTable(L, 1)
			L.Push(step)
			L.Push(tb)
			L.Push(lua.LNumber(0))
			return 3
		},
		"pairs": func(L *lua.LState) int {
			tb := checkTable(L, 1)
			L.Push(next)
			L.Push(tb)
			L.Push(lua.LNil)
			return 3
		},
		"rawequal":     baseRawEqual,
		"rawget":       baseRawGet,
		"rawset":       libs.baseRawSet,
		"select":       baseSelect,
		"setmetatable": libs.baseSetMetatable,
		"tonumber":     baseToNumber,
		"tostring":     libs.baseToString,
		"type":         baseType,
		"unpack":       libs.baseUnpack,
	}
	base := map[string]*lua.LFunction{"next": next}
	for name, fn := range functions {
		base[name] = libs.state.NewFunction(fn)
	}
	return base
}

// ToString is tostring(v) for a value without a __tostring of its own.
func ToString(v lua.LValue) string {
	switch v := v.(type) {
	case lua.LNumber:
		return FormatNumber(float64(v))
	case lua.LString:
		return string(v)
	case *lua.LUserData:
		if v.Value == nil {
			return "userdata: (nil)" // how the C library prints the address that cjson.null holds
		}
	}
	return v.String()
}

func baseAssert(L *lua.LState) int {
	if lua.LVIsFalse(checkAny(L, 1)) {
		throwText(L, optString(L, 2, "assertion failed!"))
	}
	return L.GetTop()
}

// throwText is luaL_error("%s", text): with a position, and cut at a zero byte.
func throwText(L *lua.LState, text string) {
	raise(L, "%s", cString(text))
}

// cString is what C sees of a string: what stands before its first zero byte.
func cString(s string) string {
	if i := strings.IndexByte(s, 0); i >= 0 {
		return s[:i]
	}
	return s
}

func (libs *Libraries) baseCollectGarbage(L *lua.LState) int {
	option := optString(L, 1, "collect")
	switch option {
	case "collect", "stop", "restart":
		L.Push(lua.LNumber(0))
	case "count":
		L.Push(lua.LNumber(heapKilobytes))
	case "step":
		L.Push(lua.LFalse)
	case "setpause":
		L.Push(swap(&libs.shared.gcPause, optInt(L, 2, 0)))
	case "setstepmul":
		L.Push(swap(&libs.shared.gcStep, optInt(L, 2, 0)))
	default:
		argError(L, 1, "invalid option '"+cString(option)+"'")
	}
	return 1
}

// swap sets a value and returns the former one.
func swap(n *int, value int) lua.LNumber {
	old := *n
	*n = value
	return lua.LNumber(old)
}

// heapKilobytes stands for the size of the interpreter's heap, which no two servers have alike.
const heapKilobytes = 64

func baseGCInfo(L *lua.LState) int {
	L.Push(lua.LNumber(heapKilobytes))
	return 1
}

// metatableOf is the metatable that a script gave a value, or a library a userdata.
func metatableOf(v lua.LValue) (*lua.LTable, bool) {
	switch v := v.(type) {
	case *lua.LTable:
		mt, ok := Behind(v).Metatable.(*lua.LTable)
		if !ok || mt.Metatable != nil && mt.Metatable.Type() == lua.LTUserData {
			return nil, false
		}
		return mt, true
	case *lua.LUserData:
		mt, ok := v.Metatable.(*lua.LTable)
		return mt, ok
	}
	return nil, false
}

// metafield is a field of a value's metatable.
func metafield(v lua.LValue, event string) lua.LValue {
	mt, ok := metatableOf(v)
	if !ok {
		return lua.LNil
	}
	return Get(mt, lua.LString(event))
}

func (libs *Libraries) baseGetMetatable(L *lua.LState) int {
	v := checkAny(L, 1)
	if _, ok := v.(lua.LString); ok {
		L.Push(libs.stringMetatable(L))
		return 1
	}
	mt, ok := metatableOf(v)
	if !ok {
		L.Push(lua.LNil)
		return 1
	}
	if protected := Get(mt, lua.LString("__metatable")); protected != lua.LNil {
		L.Push(protected)
		return 1
	}
	L.Push(mt)
	return 1
}

// stringMetatable is what scripts see of the metatable of strings, whose other fields are the VM's: a frozen table.
func (libs *Libraries) stringMetatable(L *lua.LState) *lua.LTable {
	if libs.strings == nil {
		mt := libs.NewTable(0, 1)
		libs.Set(mt, lua.LString("__index"), Get(L.GetMetatable(lua.LString("")).(*lua.LTable), lua.LString("__index")))
		libs.strings = libs.Freeze(mt)
	}
	return libs.strings
}

func (libs *Libraries) baseSetMetatable(L *lua.LState) int {
	tb := checkTable(L, 1)
	mt, isTable := L.Get(2).(*lua.LTable)
	if !isTable && (L.Get(2) != lua.LNil || L.GetTop() < 2) {
		argError(L, 2, "nil or table expected")
	}
	if metafield(tb, "__metatable") != lua.LNil {
		raise(L, "cannot change a protected metatable")
	}
	checkWritable(L, tb)
	l := libs.layout(tb)
	tb.Metatable = lua.LNil
	if isTable {
		tb.Metatable = mt
	}
	libs.attach(tb, l)
	L.Push(tb)
	return 1
}

func baseIpairsStep(L *lua.LState) int {
	i := checkInt(L, 2) + 1
	tb := checkTable(L, 1)
	v := Get(tb, lua.LNumber(i))
	if v == lua.LNil {
		return 0
	}
	L.Push(lua.LNumber(i))
	L.Push(v)
	return 2
}

func (libs *Libraries) baseNext(L *lua.LState) int {
	tb := checkTable(L, 1)
	k, v, ok := libs.Next(tb, L.Get(2))
	if !ok {
		throw(L, "invalid key to 'next'")
	}
	L.Push(k)
	if k == lua.LNil {
		return 1
	}
	L.Push(v)
	return 2
}

func baseRawEqual(L *lua.LState) int {
	L.Push(lua.LBool(checkAny(L, 1) == checkAny(L, 2)))
	return 1
}

func baseRawGet(L *lua.LState) int {
	tb := checkTable(L, 1)
	L.Push(Get(tb, checkAny(L, 2)))
	return 1
}

func (libs *Libraries) baseRawSet(L *lua.LState) int {
	tb := checkTable(L, 1)
	key, value := checkAny(L, 2), checkAny(L, 3)
	libs.rawSet(L, tb, key, value)
	L.Push(tb)
	return 1
}

func baseSelect(L *lua.LState) int {
	if s, ok := L.Get(1).(lua.LString); ok && strings.HasPrefix(string(s), "#") {
		L.Push(lua.LNumber(L.GetTop() - 1))
		return 1
	}
	i, top := checkInt(L, 1), L.GetTop()
	if i < 0 {
		i += top
	} else if i > top {
		i = top
	}
	if i < 1 {
		argError(L, 1, "index out of range")
	}
	return top - i
}

func baseToNumber(L *lua.LState) int {
	base := optInt(L, 2, 10)
	if base == 10 {
		if f, ok := numberOf(checkAny(L, 1)); ok {
			L.Push(lua.LNumber(f))
			return 1
		}
		L.Push(lua.LNil)
		return 1
	}
	s := cString(checkString(L, 1))
	if base < 2 || base > 36 {
		argError(L, 2, "base out of range")
	}
	n, rest, ok := scanUnsignedInt(s, base)
	if !ok || strings.TrimLeft(rest, space) != "" {
		L.Push(lua.LNil)
		return 1
	}
	L.Push(lua.LNumber(n))
	return 1
}

func (libs *Libraries) baseToString(L *lua.LState) int {
	v := checkAny(L, 1)
	if fn := metafield(v, "__tostring"); fn != lua.LNil {
		L.Push(fn)
		L.Push(v)
		L.Call(1, 1)
		return 1
	}
	L.Push(lua.LString(ToString(v)))
	return 1
}

func baseType(L *lua.LState) int {
	L.Push(lua.LString(typeName(checkAny(L, 1))))
	return 1
}

// maxStack is how many values fit on the stack of a C function, its arguments among them.
const maxStack = 8000

func (libs *Libraries) baseUnpack(L *lua.LState) int {
	tb := checkTable(L, 1)
	i := optInt(L, 2, 1)
	var e int
	if isNone(L, 3) {
		e = libs.Len(tb)
	} else {
		e = checkInt(L, 3)
	}
	if i > e {
		return 0
	}
	n := e - i + 1
	if n+L.GetTop() > maxStack {
		raise(L, "too many results to unpack")
	}
	libs.steps(L, n)
	for ; i <= e; i++ {
		L.Push(Get(tb, lua.LNumber(i)))
	}
	return n
}
