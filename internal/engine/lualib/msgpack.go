// This file implements the cmsgpack library.
package lualib

import (
	"encoding/binary"
	"math"

	lua "github.com/yuin/gopher-lua"
)

// MessagePack is the cmsgpack library.
func (libs *Libraries) MessagePack() *lua.LTable {
	tb := libs.table(module{
		{"pack", libs.msgpackPack},
		{"unpack", func(L *lua.LState) int { return libs.msgpackUnpack(L, 0, 0) }},
		{"unpack_one", func(L *lua.LState) int { return libs.msgpackUnpack(L, 1, optInteger(L, 2, 0)) }},
		{"unpack_limit", func(L *lua.LState) int {
			limit := checkInteger(L, 2)
			return libs.msgpackUnpack(L, limit, optInteger(L, 3, 0))
		}},
	})
	libs.Set(tb, lua.LString("_NAME"), lua.LString("cmsgpack"))
	libs.Set(tb, lua.LString("_VERSION"), lua.LString("lua-cmsgpack 0.4.0"))
	libs.Set(tb, lua.LString("_COPYRIGHT"), lua.LString("Copyright (C) 2012, Salvatore Sanfilippo"))
	libs.Set(tb, lua.LString("_DESCRIPTION"), lua.LString("MessagePack C implementation for Lua"))
	return tb
}

// maxMsgpackNesting is how deep tables are packed; a table below that becomes nil.
const maxMsgpackNesting = 16

func (libs *Libraries) msgpackPack(L *lua.LState) int {
	n := L.GetTop()
	if n == 0 {
		argError(L, 0, "MessagePack pack needs input.")
	}
	if 2*n > maxStack {
		argError(L, 0, "Too many arguments for MessagePack pack.")
	}
	p := &packer{libs: libs, state: L}
	for i := 1; i <= n; i++ {
		p.value(L.Get(i), 0)
	}
	libs.bytes(L, len(p.data)-p.told)
	L.Push(lua.LString(p.data))
	return 1
}

// packer writes values.
type packer struct {
	libs  *Libraries
	state *lua.LState
	data  []byte
	told  int // how much of the data the meter knows of
}

func (p *packer) value(v lua.LValue, level int) {
	if n := len(p.data) - p.told; n >= meterBatch {
		p.told = len(p.data)
		p.libs.bytes(p.state, n)
		p.libs.steps(p.state, n)
	}
	switch v := v.(type) {
	case lua.LString:
		p.header(len(v), 0xa0, 31, 0xd9, 0xda, 0xdb)
		p.data = append(p.data, v...)
	case lua.LBool:
		if v {
			p.data = append(p.data, 0xc3)
		} else {
			p.data = append(p.data, 0xc2)
		}
	case lua.LNumber:
		p.number(float64(v))
	case *lua.LTable:
		if level == maxMsgpackNesting {
			p.data = append(p.data, 0xc0)
		} else {
			p.table(v, level)
		}
	default:
		p.data = append(p.data, 0xc0)
	}
}

// header writes a length: in the type byte if it fits there, else in one (where there is such a type), two or four bytes.
func (p *packer) header(n int, fix byte, most int, one, two, four byte) {
	switch {
	case n <= most:
		p.data = append(p.data, fix|byte(n))
	case one != 0 && n <= math.MaxUint8:
		p.data = append(p.data, one, byte(n))
	case n <= math.MaxUint16:
		p.data = binary.BigEndian.AppendUint16(append(p.data, two), uint16(n))
	default:
		p.data = binary.BigEndian.AppendUint32(append(p.data, four), uint32(n))
	}
}

// number writes an integer as short as it can be, and any other number as a float where that loses nothing.
func (p *packer) number(f float64) {
	if !math.IsInf(f, 0) && float64(toInt64(f)) == f {
		p.integer(toInt64(f))
		return
	}
	if single := float32(f); float64(single) == f {
		p.data = binary.BigEndian.AppendUint32(append(p.data, 0xca), math.Float32bits(single))
		return
	}
	p.data = binary.BigEndian.AppendUint64(append(p.data, 0xcb), math.Float64bits(f))
}

func (p *packer) integer(n int64) {
	be := binary.BigEndian
	switch {
	case n >= -32 && n <= math.MaxInt8:
		p.data = append(p.data, byte(n))
	case n >= 0 && n <= math.MaxUint8:
		p.data = append(p.data, 0xcc, byte(n))
	case n >= 0 && n <= math.MaxUint16:
		p.data = be.AppendUint16(append(p.data, 0xcd), uint16(n))
	case n >= 0 && n <= math.MaxUint32:
		p.data = be.AppendUint32(append(p.data, 0xce), uint32(n))
	case n >= 0:
		p.data = be.AppendUint64(append(p.data, 0xcf), uint64(n))
	case n >= math.MinInt8:
		p.data = append(p.data, 0xd0, byte(n))
	case n >= math.MinInt16:
		p.data = be.AppendUint16(append(p.data, 0xd1), uint16(n))
	case n >= math.MinInt32:
		p.data = be.AppendUint32(append(p.data, 0xd2), uint32(n))
	default:
		p.data = be.AppendUint64(append(p.data, 0xd3), uint64(n))
	}
}

// table writes an array when the keys are 1 to n, else a map in the order of pairs.
func (p *packer) table(tb *lua.LTable, level int) {
	var most lua.LNumber
	count, array := 0, true
	for k, _, _ := p.libs.Next(tb, lua.LNil); k != lua.LNil; k, _, _ = p.libs.Next(tb, k) {
		n, ok := k.(lua.LNumber)
		if !ok || n <= 0 || lua.LNumber(toInt32(float64(n))) != n {
			array = false
		}
		most = max(most, n)
		count++
	}
	if array && most == lua.LNumber(count) {
		p.header(count, 0x90, 15, 0, 0xdc, 0xdd)
		for i := 1; i <= count; i++ {
			p.value(Get(tb, lua.LNumber(i)), level+1)
		}
		return
	}
	p.header(count, 0x80, 15, 0, 0xde, 0xdf)
	for k, v, _ := p.libs.Next(tb, lua.LNil); k != lua.LNil; k, v, _ = p.libs.Next(tb, k) {
		p.value(k, level+1)
		p.value(v, level+1)
	}
}
