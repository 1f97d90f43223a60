// This file implements cjson.decode.
package lualib

import (
	"strings"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"
)

// jsonToken is a kind of token.
type jsonToken int

const (
	jsonObjectBegin jsonToken = iota
	jsonObjectEnd
	jsonArrayBegin
	jsonArrayEnd
	jsonString
	jsonNumber
	jsonBoolean
	jsonNull
	jsonColon
	jsonComma
	jsonEnd
	jsonError
)

// String is how error messages name a token.
func (t jsonToken) String() string {
	return [...]string{"T_OBJ_BEGIN", "T_OBJ_END", "T_ARR_BEGIN", "T_ARR_END", "T_STRING", "T_NUMBER", "T_BOOLEAN", "T_NULL", "T_COLON",
		"T_COMMA", "T_END", "T_ERROR"}[t]
}

// jsonDecoder reads one text. A zero byte ends it.
type jsonDecoder struct {
	libs   *Libraries
	state  *lua.LState
	config *jsonConfig
	text   string
	at     int

	token   jsonToken
	begin   int        // where the token begins
	value   lua.LValue // of a string, number or boolean
	problem string     // of an error

	depth int
	used  int // how much of the server's stack is in use
	told  int // how far the meter knows of
}

func (libs *Libraries) jsonDecode(L *lua.LState, c *jsonConfig) int {
	if L.GetTop() != 1 {
		argError(L, 1, "expected 1 argument")
	}
	text := checkString(L, 1)
	if len(text) >= 2 && (text[0] == 0 || text[1] == 0) {
		raise(L, "JSON parser does not support UTF-16 or UTF-32")
	}
	d := &jsonDecoder{libs: libs, state: L, config: c, text: text, used: 1}
	d.next()
	v := d.parse()
	d.next()
	if d.token != jsonEnd {
		d.fail("the end")
	}
	L.Push(v)
	return 1
}

// fail raises what was expected and what was found.
func (d *jsonDecoder) fail(expected string) {
	found := d.token.String()
	if d.token == jsonError {
		found = d.problem
	}
	raise(d.state, "Expected %s but found %s at character %d", expected, found, d.begin+1)
}

// peek is the byte some way ahead, zero behind the end.
func (d *jsonDecoder) peek(ahead int) byte {
	if i := d.at + ahead; i < len(d.text) {
		return d.text[i]
	}
	return 0
}

// bad makes the current token an error at the current place.
func (d *jsonDecoder) bad(problem string) {
	d.token, d.begin, d.problem = jsonError, d.at, problem
}

// next reads a token.
func (d *jsonDecoder) next() {
	for c := d.peek(0); c == ' ' || c == '\t' || c == '\n' || c == '\r'; c = d.peek(0) {
		d.at++
	}
	if n := d.at - d.told; n >= meterBatch {
		d.told = d.at
		d.libs.steps(d.state, n)
		d.libs.bytes(d.state, n)
	}
	d.begin = d.at
	rest := d.text[d.at:]
	switch c := d.peek(0); {
	case c == 0:
		d.token = jsonEnd
	case strings.IndexByte("{}[]:,", c) >= 0:
		d.token = map[byte]jsonToken{'{': jsonObjectBegin, '}': jsonObjectEnd, '[': jsonArrayBegin, ']': jsonArrayEnd,
			':': jsonColon, ',': jsonComma}[c]
		d.at++
	case c == '"':
		d.string()
	case c == '-' || isDigit(c):
		if d.config.decodeInvalid == invalidRefused && beyondJSON(rest) {
			d.bad("invalid number")
			return
		}
		d.number()
	case strings.HasPrefix(rest, "true"):
		d.token, d.value = jsonBoolean, lua.LTrue
		d.at += len("true")
	case strings.HasPrefix(rest, "false"):
		d.token, d.value = jsonBoolean, lua.LFalse
		d.at += len("false")
	case strings.HasPrefix(rest, "null"):
		d.token = jsonNull
		d.at += len("null")
	case strings.IndexByte("fiIntN+", c) >= 0 && d.config.decodeInvalid != invalidRefused && beyondJSON(rest):
		d.number()
	default:
		d.bad("invalid token")
	}
}

// beyondJSON reports whether a number is of a kind that only strtod reads: hexadecimal, infinite, not a number, with a
// plus or with leading zeros.
func beyondJSON(s string) bool {
	if s[0] == '+' {
		return true
	}
	s = strings.TrimPrefix(s, "-")
	if strings.HasPrefix(s, "0") {
		return len(s) > 1 && (s[1]|0x20 == 'x' || isDigit(s[1]))
	}
	return hasWord(s, "inf") || hasWord(s, "nan")
}

func (d *jsonDecoder) number() {
	f, rest, ok := scanNumber(d.text[d.at:])
	if !ok {
		d.bad("invalid number")
		return
	}
	d.token, d.value = jsonNumber, lua.LNumber(f)
	d.at = len(d.text) - len(rest)
}

// string reads a string; its bytes need not be UTF-8.
func (d *jsonDecoder) string() {
	d.at++
	var b []byte
	for {
		c := d.peek(0)
		switch c {
		case '"':
			d.at++
			d.token, d.value = jsonString, lua.LString(b)
			return
		case 0:
			d.bad("unexpected end of string")
			return
		case '\\':
			if c = d.peek(1); c == 'u' {
				r, length, ok := d.unicodeEscape()
				if !ok {
					d.bad("invalid unicode escape code")
					return
				}
				b = utf8.AppendRune(b, r)
				d.at += length
				continue
			}
			i := strings.IndexByte(`"\/btnfr`, c)
			if i < 0 {
				d.bad("invalid escape code")
				return
			}
			c = "\"\\/\b\t\n\f\r"[i]
			d.at++
		}
		b = append(b, c)
		d.at++
	}
}

// unicodeEscape reads \uXXXX, or two of them that are a surrogate pair, and their length.
func (d *jsonDecoder) unicodeEscape() (r rune, length int, ok bool) {
	high, ok := d.hex4(2)
	if !ok || high&0xf800 != 0xd800 {
		return high, 6, ok
	}
	if high&0x400 != 0 || d.peek(6) != '\\' || d.peek(7) != 'u' {
		return 0, 0, false
	}
	low, ok := d.hex4(8)
	if !ok || low&0xfc00 != 0xdc00 {
		return 0, 0, false
	}
	return (high&0x3ff<<10 | low&0x3ff) + 0x10000, 12, true
}

// hex4 reads four hexadecimal digits some way ahead.
func (d *jsonDecoder) hex4(ahead int) (r rune, ok bool) {
	for i := range 4 {
		c := d.peek(ahead + i)
		if !isHexDigit(c) {
			return 0, false
		}
		r = r<<4 | rune(digitValue(c))
	}
	return r, true
}

// parse makes the value that the current token begins.
func (d *jsonDecoder) parse() lua.LValue {
	switch d.token {
	case jsonString, jsonNumber, jsonBoolean:
		return d.value
	case jsonNull:
		return d.libs.null
	case jsonObjectBegin:
		return d.object()
	case jsonArrayBegin:
		return d.array()
	}
	d.fail("value")
	return lua.LNil
}

// descend enters a table that needs some of the server's stack.
func (d *jsonDecoder) descend(slots int) *lua.LTable {
	d.depth++
	if d.depth > d.config.decodeMaxDepth || d.used+slots > maxStack {
		raise(d.state, "Found too many nested data structures (%d) at character %d", d.depth, d.at)
	}
	return d.libs.NewTable(0, 0)
}

func (d *jsonDecoder) object() lua.LValue {
	tb := d.descend(3)
	defer func() { d.depth-- }()
	d.next()
	if d.token == jsonObjectEnd {
		return tb
	}
	for {
		if d.token != jsonString {
			d.fail("object key string")
		}
		key := d.value
		d.next()
		if d.token != jsonColon {
			d.fail("colon")
		}
		d.next()
		d.used += 2
		v := d.parse()
		d.used -= 2
		d.libs.rawSet(d.state, tb, key, v)
		d.next()
		if d.token == jsonObjectEnd {
			return tb
		}
		if d.token != jsonComma {
			d.fail("comma or object end")
		}
		d.next()
	}
}

func (d *jsonDecoder) array() lua.LValue {
	tb := d.descend(2)
	defer func() { d.depth-- }()
	d.next()
	if d.token == jsonArrayEnd {
		return tb
	}
	for i := 1; ; i++ {
		d.used++
		v := d.parse()
		d.used--
		d.libs.rawSet(d.state, tb, lua.LNumber(i), v)
		d.next()
		if d.token == jsonArrayEnd {
			return tb
		}
		if d.token != jsonComma {
			d.fail("comma or array end")
		}
		d.next()
	}
}
