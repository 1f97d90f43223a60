// This file implements cjson.encode.
package lualib

import (
	"math"

	lua "github.com/yuin/gopher-lua"
)

// jsonEncoder writes one value.
type jsonEncoder struct {
	libs   *Libraries
	state  *lua.LState
	config *jsonConfig
	text   []byte
	told   int // how much of the text the meter knows of
}

func (libs *Libraries) jsonEncode(L *lua.LState, c *jsonConfig) int {
	if L.GetTop() != 1 {
		argError(L, 1, "expected 1 argument")
	}
	e := &jsonEncoder{libs: libs, state: L, config: c}
	e.value(L.Get(1), 0, 1)
	libs.bytes(L, len(e.text)-e.told)
	L.Push(lua.LString(e.text))
	return 1
}

// meterBatch is after how many bytes of output the meter is asked.
const meterBatch = 1 << 10

// meter tells the meter of what was written since it was last told.
func (e *jsonEncoder) meter() {
	if n := len(e.text) - e.told; n >= meterBatch {
		e.told = len(e.text)
		e.libs.bytes(e.state, n)
		e.libs.steps(e.state, n)
	}
}

// refuse raises that a value cannot be written.
func (e *jsonEncoder) refuse(v lua.LValue, reason string) {
	raise(e.state, "Cannot serialise %s: %s", typeName(v), reason)
}

// value writes a value at a depth of tables; used is how much of the server's stack stands below it.
func (e *jsonEncoder) value(v lua.LValue, depth, used int) {
	e.meter()
	switch v := v.(type) {
	case lua.LString:
		e.text = appendJSONString(e.text, string(v))
	case lua.LNumber:
		e.number(v)
	case lua.LBool:
		e.text = append(e.text, v.String()...)
	case *lua.LNilType:
		e.text = append(e.text, "null"...)
	case *lua.LTable:
		e.table(v, depth+1, used)
	default:
		if v != e.libs.null {
			e.refuse(v, "type not supported")
		}
		e.text = append(e.text, "null"...)
	}
}

func (e *jsonEncoder) table(tb *lua.LTable, depth, used int) {
	if depth > e.config.encodeMaxDepth || used+3 > maxStack {
		raise(e.state, "Cannot serialise, excessive nesting (%d)", depth)
	}
	if n := e.arrayLength(tb); n > 0 {
		e.array(tb, n, depth, used)
	} else {
		e.object(tb, depth, used)
	}
}

// arrayLength is the largest key of a table that is an array, zero or less for one that is not.
func (e *jsonEncoder) arrayLength(tb *lua.LTable) int {
	most, items := int32(0), 0
	for k, _, _ := e.libs.Next(tb, lua.LNil); k != lua.LNil; k, _, _ = e.libs.Next(tb, k) {
		n, ok := k.(lua.LNumber)
		if !ok || n < 1 || float64(n) != math.Floor(float64(n)) {
			return -1
		}
		if n > lua.LNumber(most) {
			most = toInt32(float64(n))
		}
		items++
	}
	c := e.config
	if c.sparseRatio > 0 && int(most) > items*c.sparseRatio && int(most) > c.sparseSafe {
		if c.sparseConvert == 0 {
			e.refuse(tb, "excessively sparse array")
		}
		return -1
	}
	return int(most)
}

func (e *jsonEncoder) array(tb *lua.LTable, n, depth, used int) {
	e.text = append(e.text, '[')
	for i := 1; i <= n; i++ {
		if i > 1 {
			e.text = append(e.text, ',')
		}
		e.value(Get(tb, lua.LNumber(i)), depth, used+1)
	}
	e.text = append(e.text, ']')
}

func (e *jsonEncoder) object(tb *lua.LTable, depth, used int) {
	e.text = append(e.text, '{')
	comma := false
	for k, v, _ := e.libs.Next(tb, lua.LNil); k != lua.LNil; k, v, _ = e.libs.Next(tb, k) {
		if comma {
			e.text = append(e.text, ',')
		}
		comma = true
		switch key := k.(type) {
		case lua.LNumber:
			e.text = append(e.text, '"')
			e.number(key)
			e.text = append(e.text, '"')
		case lua.LString:
			e.text = appendJSONString(e.text, string(key))
		default:
			e.refuse(k, "table key must be a number or string")
		}
		e.text = append(e.text, ':')
		e.value(v, depth, used+2)
	}
	e.text = append(e.text, '}')
}

func (e *jsonEncoder) number(n lua.LNumber) {
	f := float64(n)
	if math.IsInf(f, 0) || math.IsNaN(f) {
		switch {
		case e.config.encodeInvalid == invalidRefused:
			e.refuse(n, "must not be NaN or Inf")
		case e.config.encodeInvalid == invalidNull:
			e.text = append(e.text, "null"...)
			return
		case math.IsNaN(f):
			e.text = append(e.text, "nan"...)
			return
		}
	}
	e.text = append(e.text, formatG(f, e.config.precision)...)
}

// appendJSONString writes a string; bytes that are no UTF-8 stay as they are.
func appendJSONString(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\', '/':
			b = append(b, '\\', c)
		case '\b':
			b = append(b, `\b`...)
		case '\t':
			b = append(b, `\t`...)
		case '\n':
			b = append(b, `\n`...)
		case '\f':
			b = append(b, `\f`...)
		case '\r':
			b = append(b, `\r`...)
		default:
			if isControl(c) {
				b = append(b, `\u00`...)
				b = append(b, hex[c>>4], hex[c&15])
			} else {
				b = append(b, c)
			}
		}
	}
	return append(b, '"')
}
