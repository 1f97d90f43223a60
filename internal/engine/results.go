package engine

// This file implements the way of a script's result to the client: Lua values
// to RESP, under RESP2 and RESP3.

import (
	"math"
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2/fpconv"
	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/lualib"
)

// encoder writes a script's result.
type encoder struct {
	out     []byte
	libs    *lualib.Libraries
	resp3   bool // the client's protocol
	script3 bool // the script called setresp(3)
	depth   int
}

// maxDepth bounds nested results; Redis runs out of its Lua stack there.
const maxDepth = 7999

func (e *encoder) null() {
	if e.resp3 {
		e.out = append(e.out, "_\r\n"...)
	} else {
		e.out = append(e.out, "$-1\r\n"...)
	}
}

func (e *encoder) head(kind byte, n int) {
	e.out = append(e.out, kind)
	e.out = strconv.AppendInt(e.out, int64(n), 10)
	e.out = append(e.out, '\r', '\n')
}

func (e *encoder) bulk(s string) {
	e.head('$', len(s))
	e.out = append(e.out, s...)
	e.out = append(e.out, '\r', '\n')
}

func (e *encoder) integer(n int64) {
	e.out = append(e.out, ':')
	e.out = strconv.AppendInt(e.out, n, 10)
	e.out = append(e.out, '\r', '\n')
}

func (e *encoder) line(kind byte, s string) {
	e.out = append(e.out, kind)
	e.out = append(e.out, singleLine(s)...)
	e.out = append(e.out, '\r', '\n')
}

// singleLine is a text that fits into a one-line reply.
func singleLine(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.NewReplacer("\r", " ", "\n", " ").Replace(s)
}

func (e *encoder) value(v lua.LValue) {
	switch v := v.(type) {
	case lua.LString:
		e.bulk(string(v))
	case lua.LNumber:
		e.integer(truncate(float64(v)))
	case lua.LBool:
		e.boolean(bool(v))
	case *lua.LTable:
		e.depth++
		if e.depth > maxDepth {
			e.line('-', "ERR reached lua stack limit")
		} else {
			e.table(v)
		}
		e.depth--
	default:
		e.null()
	}
}

// truncate converts as the servers' processors do: what does not fit becomes
// the smallest integer.
func truncate(f float64) int64 {
	if f >= -0x1p63 && f < 0x1p63 {
		return int64(f)
	}
	return math.MinInt64
}

func (e *encoder) boolean(b bool) {
	if e.script3 {
		switch {
		case e.resp3 && b:
			e.out = append(e.out, "#t\r\n"...)
		case e.resp3:
			e.out = append(e.out, "#f\r\n"...)
		case b:
			e.integer(1)
		default:
			e.integer(0)
		}
		return
	}
	if b {
		e.integer(1)
	} else {
		e.null()
	}
}

// table tries what a table can stand for, in Redis's order. A field of the
// wrong type is as good as absent.
func (e *encoder) table(t *lua.LTable) {
	if s, ok := text(t, "err"); ok {
		e.line('-', strings.TrimRight(cString(s), "\r\n"))
		return
	}
	if s, ok := text(t, "ok"); ok {
		e.line('+', cString(s))
		return
	}
	if n, ok := lualib.Get(t, lua.LString("double")).(lua.LNumber); ok {
		e.double(float64(n))
		return
	}
	if s, ok := text(t, "big_number"); ok {
		if e.resp3 {
			e.line('(', s)
		} else {
			e.bulk(singleLine(s))
		}
		return
	}
	if v, ok := lualib.Get(t, lua.LString("verbatim_string")).(*lua.LTable); ok {
		s, ok1 := text(v, "string")
		format, ok2 := text(v, "format")
		if ok1 && ok2 {
			if !e.resp3 {
				e.bulk(s)
				return
			}
			format = (format + "   ")[:3]
			e.head('=', len(s)+4)
			e.out = append(e.out, format+":"+s+"\r\n"...)
			return
		}
	}
	if m, ok := lualib.Get(t, lua.LString("map")).(*lua.LTable); ok {
		e.mapping(m)
		return
	}
	if s, ok := lualib.Get(t, lua.LString("set")).(*lua.LTable); ok {
		e.set(s)
		return
	}
	n := 0
	for lualib.Get(t, lua.LNumber(n+1)) != lua.LNil {
		n++
	}
	e.head('*', n)
	for i := 1; i <= n; i++ {
		e.value(lualib.Get(t, lua.LNumber(i)))
	}
}

// cString is what C sees of a string: what stands before its first zero byte.
func cString(s string) string {
	s, _, _ = strings.Cut(s, "\x00")
	return s
}

// text reads a field that holds a string.
func text(t *lua.LTable, name string) (string, bool) {
	s, ok := lualib.Get(t, lua.LString(name)).(lua.LString)
	return string(s), ok
}

func (e *encoder) double(f float64) {
	s := formatDouble(f)
	if e.resp3 {
		e.line(',', s)
	} else {
		e.bulk(s)
	}
}

// formatDouble writes a double as replies do.
func formatDouble(f float64) string {
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case math.IsNaN(f):
		return "nan"
	}
	return strconv.FormatFloat(f, 'g', 17, 64)
}

func (e *encoder) mapping(t *lua.LTable) {
	keys, values := e.pairs(t)
	if e.resp3 {
		e.head('%', len(keys))
	} else {
		e.head('*', 2*len(keys))
	}
	for i := range keys {
		e.value(keys[i])
		e.value(values[i])
	}
}

func (e *encoder) set(t *lua.LTable) {
	keys, _ := e.pairs(t)
	if e.resp3 {
		e.head('~', len(keys))
	} else {
		e.head('*', len(keys))
	}
	for _, k := range keys {
		e.value(k)
	}
}

func (e *encoder) pairs(t *lua.LTable) (keys, values []lua.LValue) {
	for k, v, ok := e.libs.Next(t, lua.LNil); ok && k != lua.LNil; k, v, ok = e.libs.Next(t, k) {
		keys, values = append(keys, k), append(values, v)
	}
	return keys, values
}

// argument converts a Lua number to the text that a command gets.
func (d dialect) argument(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 && (f != 0 || !math.Signbit(f)) {
		return strconv.FormatInt(int64(f), 10)
	}
	switch {
	case math.IsNaN(f) && math.Signbit(f):
		return "-nan"
	case math.IsNaN(f):
		return "nan"
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	}
	if d.exactArguments {
		return strconv.FormatFloat(f, 'g', 17, 64)
	}
	if f == math.Trunc(f) && math.Abs(f) < 1<<62 {
		return strconv.FormatInt(int64(f), 10)
	}
	return fpconv.Dtoa(f)
}
