// This file implements the table library.
package lualib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Table is the table library.
func (libs *Libraries) Table() *lua.LTable {
	return libs.table(module{
		{"concat", libs.tableConcat},
		{"foreach", libs.tableForeach},
		{"foreachi", libs.tableForeachi},
		{"getn", libs.tableGetn},
		{"maxn", libs.tableMaxn},
		{"insert", libs.tableInsert},
		{"remove", libs.tableRemove},
		{"setn", tableSetn},
		{"sort", libs.tableSort},
	})
}

func (libs *Libraries) tableConcat(L *lua.LState) int {
	separator := optString(L, 2, "")
	tb := checkTable(L, 1)
	i := optInt(L, 3, 1)
	var last int
	if isNone(L, 4) {
		last = libs.Len(tb)
	} else {
		last = checkInt(L, 4)
	}
	var b strings.Builder
	for ; i <= last; i++ {
		v := Get(tb, lua.LNumber(i))
		s, ok := stringOf(v)
		if !ok {
			raise(L, "invalid value (%s) at index %d in table for 'concat'", typeName(v), i)
		}
		libs.bytes(L, len(s)+len(separator))
		b.WriteString(s)
		if i < last {
			b.WriteString(separator)
		}
	}
	L.Push(lua.LString(b.String()))
	return 1
}

// visit calls the function in argument 2 with a key and a value, and leaves its result on the stack unless it is nil.
func visit(L *lua.LState, k, v lua.LValue) bool {
	L.Push(L.Get(2))
	L.Push(k)
	L.Push(v)
	L.Call(2, 1)
	if L.Get(-1) != lua.LNil {
		return true
	}
	L.Pop(1)
	return false
}

func (libs *Libraries) tableForeach(L *lua.LState) int {
	tb := checkTable(L, 1)
	checkFunction(L, 2)
	for k, v, _ := libs.Next(tb, lua.LNil); k != lua.LNil; {
		if visit(L, k, v) {
			return 1
		}
		var ok bool
		if k, v, ok = libs.Next(tb, k); !ok {
			throw(L, "invalid key to 'next'")
		}
	}
	return 0
}

func (libs *Libraries) tableForeachi(L *lua.LState) int {
	n := libs.Len(checkTable(L, 1))
	checkFunction(L, 2)
	tb := L.Get(1).(*lua.LTable)
	for i := 1; i <= n; i++ {
		if visit(L, lua.LNumber(i), Get(tb, lua.LNumber(i))) {
			return 1
		}
	}
	return 0
}

func (libs *Libraries) tableGetn(L *lua.LState) int {
	L.Push(lua.LNumber(libs.Len(checkTable(L, 1))))
	return 1
}

func (libs *Libraries) tableMaxn(L *lua.LState) int {
	tb := checkTable(L, 1)
	var most lua.LNumber
	for k, _, _ := libs.Next(tb, lua.LNil); k != lua.LNil; k, _, _ = libs.Next(tb, k) {
		if n, ok := k.(lua.LNumber); ok && n > most {
			most = n
		}
	}
	L.Push(most)
	return 1
}

func (libs *Libraries) tableInsert(L *lua.LState) int {
	tb := checkTable(L, 1)
	end := libs.Len(tb) + 1
	pos := end
	switch L.GetTop() {
	case 2:
	case 3:
		pos = checkInt(L, 2)
		end = max(end, pos)
		for i := end; i > pos; i-- {
			libs.steps(L, 1)
			libs.rawSet(L, tb, lua.LNumber(i), Get(tb, lua.LNumber(i-1)))
		}
	default:
		raise(L, "wrong number of arguments to 'insert'")
	}
	libs.rawSet(L, tb, lua.LNumber(pos), L.Get(-1))
	return 0
}

func (libs *Libraries) tableRemove(L *lua.LState) int {
	tb := checkTable(L, 1)
	end := libs.Len(tb)
	pos := optInt(L, 2, end)
	if pos < 1 || pos > end {
		return 0
	}
	libs.steps(L, end-pos)
	L.Push(Get(tb, lua.LNumber(pos)))
	for ; pos < end; pos++ {
		libs.rawSet(L, tb, lua.LNumber(pos), Get(tb, lua.LNumber(pos+1)))
	}
	libs.rawSet(L, tb, lua.LNumber(end), lua.LNil)
	return 1
}

func tableSetn(L *lua.LState) int {
	checkTable(L, 1)
	raise(L, "'setn' is obsolete")
	return 0
}
