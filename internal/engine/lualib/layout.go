// This file implements where the keys of a table lie in Lua 5.1: an array part of positive integers and a hash part of
// nodes with Brent's variation of chained scatter. Values stay in the *lua.LTable; a key whose value has become nil keeps
// its node until the next rehash, as in Lua.
package lualib

import (
	"math"
	"math/bits"

	lua "github.com/yuin/gopher-lua"
)

// layout is the shape of one table. Its address serves as the table's hidden metatable, see hooks.
type layout struct {
	meta   lua.LTable
	behind *lua.LTable // of a frozen table: the one that is read in its place

	array int    // size of the array part
	nodes []node // hash part, a power of two of nodes; none is Lua's shared empty node
	free  int    // nodes from here on are taken

	stored int  // length of the array that gopher-lua holds
	sparse bool // some integer keys are kept in gopher-lua's hash
	cursor int  // the node where the last walk stood
	id     uint32
}

// node is one place of the hash part. A nil key marks a place never used.
type node struct {
	key  lua.LValue
	next int32 // index of the next node of the chain, -1 at its end
}

// String and Type make a layout a Lua value, so that a metatable can point to it; no script ever sees one.
func (l *layout) String() string                           { return "layout" }
func (l *layout) Type() lua.LValueType                     { return lua.LTUserData }
func (l *layout) live(tb *lua.LTable, key lua.LValue) bool { return l.value(tb, key) != lua.LNil }

// value reads a table.
func (l *layout) value(tb *lua.LTable, key lua.LValue) lua.LValue {
	v := tb.RawGet(key)
	if v == lua.LNil && l.sparse {
		if _, ok := key.(lua.LNumber); ok {
			return tb.RawGetH(key)
		}
	}
	return v
}

// maxArray is the largest array part.
const maxArray = 1 << 26

// arrayIndex is the integer that a key is, when it could lie in an array part.
func arrayIndex(key lua.LValue) (int, bool) {
	n, ok := key.(lua.LNumber)
	if !ok || !(n >= 1 && n <= maxArray) {
		return 0, false
	}
	i := int(n)
	return i, lua.LNumber(i) == n
}

// hashString is the hash of a string in Redis's Lua, which unlike Lua's own takes every byte of a long one.
func hashString(s string) uint32 {
	h := uint32(len(s))
	for i := len(s) - 1; i >= 0; i-- {
		h ^= h<<5 + h>>2 + uint32(s[i])
	}
	return h
}

// mainPosition is the node where a key belongs.
func (l *layout) mainPosition(key lua.LValue) int {
	size := uint32(len(l.nodes))
	switch k := key.(type) {
	case lua.LString:
		return int(hashString(string(k)) & (size - 1))
	case lua.LNumber:
		if k == 0 {
			return 0
		}
		b := math.Float64bits(float64(k))
		return int((uint32(b) + uint32(b>>32)) % ((size - 1) | 1))
	case lua.LBool:
		if k {
			return int(1 & (size - 1))
		}
	case *lua.LTable:
		// Lua hashes the address, which differs from run to run; a running number does not.
		if inner, ok := ownLayout(k); ok {
			return int(inner.id % ((size - 1) | 1))
		}
	}
	return 0
}

// find is the index of a key's node, or -1.
func (l *layout) find(key lua.LValue) int {
	if len(l.nodes) == 0 {
		return -1
	}
	for i := int32(l.mainPosition(key)); i >= 0; i = l.nodes[i].next {
		if l.nodes[i].key == key {
			return int(i)
		}
	}
	return -1
}

// insert makes a place for a key, before its value is stored.
func (l *layout) insert(tb *lua.LTable, key lua.LValue) {
	if i, ok := arrayIndex(key); ok && i <= l.array {
		return
	}
	if l.find(key) < 0 {
		l.add(tb, key)
	}
}

// add makes a node for a key that has none.
func (l *layout) add(tb *lua.LTable, key lua.LValue) {
	if len(l.nodes) == 0 {
		l.rehash(tb, key)
		return
	}
	place := int32(l.mainPosition(key))
	if k := l.nodes[place].key; k != nil && l.live(tb, k) {
		free := l.freeNode()
		if free < 0 {
			l.rehash(tb, key)
			return
		}
		if other := int32(l.mainPosition(k)); other != place {
			// The node there is out of its own place: it moves to the free one.
			for l.nodes[other].next != place {
				other = l.nodes[other].next
			}
			l.nodes[other].next = free
			l.nodes[free] = l.nodes[place]
			l.nodes[place].next = -1
		} else {
			l.nodes[free].next = l.nodes[place].next
			l.nodes[place].next = free
			place = free
		}
	}
	l.nodes[place].key = key
}

// freeNode finds a node that was never used, from the end on; -1 when there is none left.
func (l *layout) freeNode() int32 {
	for l.free > 0 {
		l.free--
		if l.nodes[l.free].key == nil {
			return int32(l.free)
		}
	}
	return -1
}

// rehash sizes both parts anew for the live keys and one more, and places that one.
func (l *layout) rehash(tb *lua.LTable, key lua.LValue) {
	var slices [27]int // slices[i]: integer keys in (2^(i-1), 2^i]
	count := func(k lua.LValue) int {
		if i, ok := arrayIndex(k); ok {
			slices[bits.Len(uint(i-1))]++
			return 1
		}
		return 0
	}
	integers := 0
	for i := 1; i <= l.array; i++ {
		if l.live(tb, lua.LNumber(i)) {
			integers += count(lua.LNumber(i))
		}
	}
	total := integers
	for i := range l.nodes {
		if k := l.nodes[i].key; k != nil && l.live(tb, k) {
			integers += count(k)
			total++
		}
	}
	integers += count(key)
	total++
	array, inArray := arraySize(&slices, integers)
	l.resize(tb, array, total-inArray)
	l.insert(tb, key)
}

// arraySize is the largest power of two such that more than half of the places up to it are used, and how many are.
func arraySize(slices *[27]int, integers int) (size, used int) {
	sum := 0
	for i, power := 0, 1; power/2 < integers; i, power = i+1, power*2 {
		if slices[i] > 0 {
			sum += slices[i]
			if sum > power/2 {
				size, used = power, sum
			}
		}
		if sum == integers {
			break
		}
	}
	return size, used
}

// resize gives the parts new sizes and places the live keys again.
func (l *layout) resize(tb *lua.LTable, array, hash int) {
	oldArray, oldNodes := l.array, l.nodes
	l.array = array
	l.setNodes(hash)
	for i := array + 1; i <= oldArray; i++ {
		if key := lua.LNumber(i); l.live(tb, key) {
			l.add(tb, key)
		}
	}
	for i := len(oldNodes) - 1; i >= 0; i-- {
		k := oldNodes[i].key
		if k == nil || !l.live(tb, k) {
			continue
		}
		// No key is there twice, so none is looked for: keys that all belong to one place would take for ever.
		if n, ok := arrayIndex(k); !ok || n > l.array {
			l.add(tb, k)
		}
	}
}

// setNodes makes the hash part empty, with room for at least size keys.
func (l *layout) setNodes(size int) {
	l.nodes, l.free, l.cursor = nil, 0, 0
	if size == 0 {
		return
	}
	l.nodes = make([]node, 1<<bits.Len(uint(size-1)))
	for i := range l.nodes {
		l.nodes[i].next = -1
	}
	l.free = len(l.nodes)
}

// border is what # answers: some n with a value at n and none at n+1, found as Lua finds it.
func (l *layout) border(tb *lua.LTable) int {
	has := func(i int) bool { return l.live(tb, lua.LNumber(i)) }
	j := l.array
	if j > 0 && !has(j) {
		return bisect(0, j, has)
	}
	if len(l.nodes) == 0 {
		return j
	}
	i := j
	for j++; has(j); {
		i = j
		j *= 2
		if j > math.MaxInt32 {
			for i = 1; has(i); i++ {
			}
			return i - 1
		}
	}
	return bisect(i, j, has)
}

// bisect finds a border between a place that has a value, or 0, and one that has none.
func bisect(i, j int, has func(int) bool) int {
	for j-i > 1 {
		if m := (i + j) / 2; has(m) {
			i = m
		} else {
			j = m
		}
	}
	return i
}

// next is the key behind another and its value, nil at the end; nil begins. It reports false when the key is not there.
func (l *layout) next(tb *lua.LTable, key lua.LValue) (k, v lua.LValue, ok bool) {
	i := 0 // places gone by
	if key != lua.LNil {
		if n, ok := arrayIndex(key); ok && n <= l.array {
			i = n
		} else {
			at := l.cursor
			if at >= len(l.nodes) || l.nodes[at].key != key {
				at = l.find(key)
			}
			if at < 0 {
				return lua.LNil, lua.LNil, false
			}
			i = l.array + at + 1
		}
	}
	for ; i < l.array; i++ {
		if v := l.value(tb, lua.LNumber(i+1)); v != lua.LNil {
			return lua.LNumber(i + 1), v, true
		}
	}
	for at := i - l.array; at < len(l.nodes); at++ {
		k := l.nodes[at].key
		if k == nil {
			continue
		}
		if v := l.value(tb, k); v != lua.LNil {
			l.cursor = at
			return k, v, true
		}
	}
	return lua.LNil, lua.LNil, true
}
