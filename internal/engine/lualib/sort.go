// This file implements table.sort: Lua's quicksort, step by step, so that what an inconsistent order function gives is
// the same too.
package lualib

import (
	lua "github.com/yuin/gopher-lua"
)

// sorter sorts one table.
type sorter struct {
	libs  *Libraries
	state *lua.LState
	table *lua.LTable
	order lua.LValue // nil for <
}

func (libs *Libraries) tableSort(L *lua.LState) int {
	tb := checkTable(L, 1)
	n := libs.Len(tb)
	s := &sorter{libs: libs, state: L, table: tb, order: lua.LNil}
	if !isNone(L, 2) {
		s.order = checkFunction(L, 2)
	}
	s.sort(1, n)
	return 0
}

func (s *sorter) get(i int) lua.LValue    { return Get(s.table, lua.LNumber(i)) }
func (s *sorter) set(i int, v lua.LValue) { s.libs.rawSet(s.state, s.table, lua.LNumber(i), v) }

// less asks the order function.
func (s *sorter) less(a, b lua.LValue) bool {
	L := s.state
	if s.order == lua.LNil {
		s.libs.steps(L, 1)
		return less(L, a, b)
	}
	L.Push(s.order)
	L.Push(a)
	L.Push(b)
	L.Call(2, 1)
	answer := lua.LVAsBool(L.Get(-1))
	L.Pop(1)
	return answer
}

// orderIfLess puts two places in order and reports whether they were not; the values are those at i and j.
func (s *sorter) orderIfLess(i, j int) bool {
	a, b := s.get(i), s.get(j)
	if !s.less(b, a) {
		return false
	}
	s.set(i, b)
	s.set(j, a)
	return true
}

// sort sorts the places from l to u: the smaller side of the pivot by recursion, the larger one in the loop.
func (s *sorter) sort(l, u int) {
	for l < u {
		s.orderIfLess(l, u)
		if u-l == 1 {
			return
		}
		middle := (l + u) / 2
		if !s.orderIfLess(l, middle) {
			s.orderIfLess(middle, u)
		}
		if u-l == 2 {
			return
		}
		pivot := s.get(middle)
		other := s.get(u - 1)
		s.set(middle, other)
		s.set(u-1, pivot)
		i := s.partition(l, u, pivot)
		if i-l < u-i {
			s.sort(l, i-1)
			l = i + 1
		} else {
			s.sort(i+1, u)
			u = i - 1
		}
	}
}

// partition moves what is less than the pivot before it and returns where the pivot then is.
func (s *sorter) partition(l, u int, pivot lua.LValue) int {
	i, j := l, u-1
	for {
		i++
		for s.less(s.get(i), pivot) {
			if i >= u {
				raise(s.state, "invalid order function for sorting")
			}
			i++
		}
		j--
		for s.less(pivot, s.get(j)) {
			if j <= l {
				raise(s.state, "invalid order function for sorting")
			}
			j--
		}
		if j < i {
			break
		}
		a, b := s.get(i), s.get(j)
		s.set(i, b)
		s.set(j, a)
	}
	a, b := s.get(u-1), s.get(i)
	s.set(u-1, b)
	s.set(i, a)
	return i
}

// less is a < b as an instruction does it, but for the position that an error inside a library function lacks.
func less(L *lua.LState, a, b lua.LValue) bool {
	if a.Type() != b.Type() {
		throw(L, "attempt to compare "+typeName(a)+" with "+typeName(b))
	}
	switch a := a.(type) {
	case lua.LNumber:
		return a < b.(lua.LNumber)
	case lua.LString:
		return a < b.(lua.LString)
	}
	fn := metafield(a, "__lt")
	if fn == lua.LNil || fn != metafield(b, "__lt") {
		throw(L, "attempt to compare two "+typeName(a)+" values")
	}
	L.Push(fn)
	L.Push(a)
	L.Push(b)
	L.Call(2, 1)
	answer := lua.LVAsBool(L.Get(-1))
	L.Pop(1)
	return answer
}
