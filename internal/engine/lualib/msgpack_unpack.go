// This file implements how cmsgpack reads what it packed.
package lualib

import (
	"encoding/binary"
	"math"

	lua "github.com/yuin/gopher-lua"
)

// msgpackUnpack reads values from the first argument: all of them, or up to a limit from an offset, in which case the
// offset of what follows comes first, -1 at the end.
func (libs *Libraries) msgpackUnpack(L *lua.LState, limit, offset int64) int {
	data := checkString(L, 1)
	limit, offset = int64(int32(limit)), int64(int32(offset))
	all := limit == 0 && offset == 0
	switch {
	case offset < 0 || limit < 0:
		raise(L, "Invalid request to unpack with offset of %d and limit of %d.", offset, len(data))
	case offset > int64(len(data)):
		raise(L, "Start offset %d greater than input length %d.", offset, len(data))
	}
	if all {
		limit = math.MaxInt32
	}
	L.SetTop(1)
	u := &unpacker{libs: libs, state: L, data: []byte(data[offset:]), used: 1}
	count := 0
	for ; len(u.data) > 0 && int64(count) < limit; count++ {
		L.Push(u.value())
		u.used++
	}
	if all {
		return count
	}
	next := lua.LNumber(-1)
	if len(u.data) > 0 {
		next = lua.LNumber(len(data) - len(u.data))
	}
	L.Insert(next, 2)
	return count + 1
}

// unpacker reads values from the front of its data.
type unpacker struct {
	libs  *Libraries
	state *lua.LState
	data  []byte
	used  int // how much of the server's stack is in use
}

// take takes n bytes.
func (u *unpacker) take(n int) []byte {
	if n > len(u.data) {
		raise(u.state, "Missing bytes in input.")
	}
	taken := u.data[:n]
	u.data = u.data[n:]
	return taken
}

// length takes a length of one, two or four bytes.
func (u *unpacker) length(size int) int {
	return int(u.unsigned(size))
}

// unsigned takes an integer of one to eight bytes.
func (u *unpacker) unsigned(size int) uint64 {
	var n uint64
	for _, b := range u.take(size) {
		n = n<<8 | uint64(b)
	}
	return n
}

// value takes a value.
func (u *unpacker) value() lua.LValue {
	if u.used+1 > maxStack {
		raise(u.state, "stack overflow (too many return values at once; use unpack_one or unpack_limit instead.)")
	}
	u.libs.steps(u.state, 1)
	switch c := u.take(1)[0]; {
	case c <= 0x7f, c >= 0xe0:
		return lua.LNumber(int8(c))
	case c&0xf0 == 0x80:
		return u.table(int(c & 15))
	case c&0xf0 == 0x90:
		return u.array(int(c & 15))
	case c&0xe0 == 0xa0:
		return u.string(int(c & 31))
	default:
		return u.typed(c)
	}
}

// typed takes a value whose type has a byte of its own.
func (u *unpacker) typed(c byte) lua.LValue {
	switch c {
	case 0xc0:
		return lua.LNil
	case 0xc2:
		return lua.LFalse
	case 0xc3:
		return lua.LTrue
	case 0xca:
		return lua.LNumber(math.Float32frombits(binary.BigEndian.Uint32(u.take(4))))
	case 0xcb:
		return lua.LNumber(math.Float64frombits(binary.BigEndian.Uint64(u.take(8))))
	case 0xcc, 0xcd, 0xce, 0xcf:
		return lua.LNumber(int64(u.unsigned(1 << (c - 0xcc)))) // from 2^63 on negative, as on the server
	case 0xd0:
		return lua.LNumber(int8(u.unsigned(1)))
	case 0xd1:
		return lua.LNumber(int16(u.unsigned(2)))
	case 0xd2:
		return lua.LNumber(int32(u.unsigned(4)))
	case 0xd3:
		return lua.LNumber(int64(u.unsigned(8)))
	case 0xd9, 0xda, 0xdb:
		return u.string(u.length(1 << (c - 0xd9)))
	case 0xdc, 0xdd:
		return u.array(u.length(2 << (c - 0xdc)))
	case 0xde, 0xdf:
		return u.table(u.length(2 << (c - 0xde)))
	}
	raise(u.state, "Bad data format in input.")
	return lua.LNil
}

func (u *unpacker) string(n int) lua.LValue {
	s := u.take(n)
	u.libs.bytes(u.state, n)
	return lua.LString(s)
}

func (u *unpacker) array(n int) lua.LValue {
	if u.used+2 > maxStack {
		raise(u.state, "stack overflow (in function mp_decode_to_lua_array)")
	}
	tb := u.libs.NewTable(0, 0)
	for i := 1; i <= n; i++ {
		u.used += 2
		v := u.value()
		u.used -= 2
		u.libs.rawSet(u.state, tb, lua.LNumber(i), v)
	}
	return tb
}

func (u *unpacker) table(n int) lua.LValue {
	tb := u.libs.NewTable(0, 0)
	for range n {
		u.used++
		k := u.value()
		u.used++
		v := u.value()
		u.used -= 2
		u.libs.rawSet(u.state, tb, k, v)
	}
	return tb
}
