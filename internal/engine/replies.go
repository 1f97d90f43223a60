package engine

// This file implements the way of a command's reply into a script: RESP to Lua
// values, under RESP2 and RESP3.

import (
	"strconv"

	lua "github.com/yuin/gopher-lua"
)

// decoder reads one reply as a script sees it.
type decoder struct {
	in   []byte
	pos  int
	vm   *interpreter
	resp int // 2 or 3, as redis.setresp chose
}

// nothing is how a nil reply arrives: false, or nil after setresp(3).
func (d *decoder) nothing() lua.LValue {
	if d.resp == 3 {
		return lua.LNil
	}
	return lua.LFalse
}

func (d *decoder) line() string {
	start := d.pos
	for d.pos < len(d.in) && d.in[d.pos] != '\r' {
		d.pos++
	}
	s := string(d.in[start:d.pos])
	d.pos += 2
	return s
}

// count reads a length or an integer.
func (d *decoder) count() int64 {
	n, negative := int64(0), false
	for ; d.pos < len(d.in) && d.in[d.pos] != '\r'; d.pos++ {
		if c := d.in[d.pos]; c == '-' {
			negative = true
		} else if c >= '0' && c <= '9' {
			n = n*10 + int64(c-'0')
		}
	}
	d.pos += 2
	if negative {
		return -n
	}
	return n
}

func (d *decoder) bulk(n int64) string {
	end := d.pos + int(n)
	s := string(d.in[d.pos:end])
	d.pos = end + 2
	return s
}

// value reads a reply. An error becomes a table; see isError.
func (d *decoder) value() lua.LValue {
	if d.pos >= len(d.in) {
		return d.nothing()
	}
	kind := d.in[d.pos]
	d.pos++
	switch kind {
	case ':':
		return lua.LNumber(d.count())
	case '$':
		n := d.count()
		if n < 0 {
			return d.nothing()
		}
		return lua.LString(d.bulk(n))
	case '+':
		return d.vm.field("ok", lua.LString(d.line()))
	case '-':
		return d.vm.errorTable("-"+d.line(), true)
	case '*', '>':
		n := d.count()
		if n < 0 {
			return d.nothing()
		}
		return d.array(int(n))
	case '_':
		d.line()
		return d.nothing()
	case '~':
		return d.set(int(d.count()))
	case '%':
		return d.mapping(int(d.count()))
	case '#':
		yes := d.line() == "t"
		if d.resp == 3 {
			return lua.LBool(yes)
		}
		if yes {
			return lua.LNumber(1)
		}
		return lua.LNumber(0)
	case ',':
		text := d.line()
		if d.resp != 3 {
			return lua.LString(text)
		}
		f, _ := strconv.ParseFloat(text, 64)
		return d.vm.field("double", lua.LNumber(f))
	case '(':
		return d.vm.field("big_number", lua.LString(d.line()))
	case '=':
		text := d.bulk(d.count())
		if d.resp != 3 {
			return lua.LString(text[min(4, len(text)):])
		}
		verbatim := d.vm.NewTable(0, 0)
		d.vm.Set(verbatim, lua.LString("format"), lua.LString(text[:3]))
		d.vm.Set(verbatim, lua.LString("string"), lua.LString(text[4:]))
		return d.vm.field("verbatim_string", verbatim)
	}
	panic("a reply of an unknown kind: " + string(d.in))
}

func (d *decoder) array(n int) lua.LValue {
	values := make([]lua.LValue, n)
	for i := range values {
		values[i] = d.value()
	}
	return d.vm.NewArray(values)
}

func (d *decoder) set(n int) lua.LValue {
	if d.resp != 3 {
		return d.array(n)
	}
	members := d.vm.NewTable(0, 0)
	for range n {
		d.vm.Set(members, d.value(), lua.LTrue)
	}
	return d.vm.field("set", members)
}

func (d *decoder) mapping(n int) lua.LValue {
	if d.resp != 3 {
		return d.array(2 * n)
	}
	fields := d.vm.NewTable(0, 0)
	for range n {
		key := d.value()
		d.vm.Set(fields, key, d.value())
	}
	return d.vm.field("map", fields)
}
