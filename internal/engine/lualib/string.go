// This file implements the string library, but for string.format.
package lualib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// String is the string library. It also lets strings index it, as s:len() does.
func (libs *Libraries) String() *lua.LTable {
	tb := libs.table(module{
		{"byte", libs.stringByte},
		{"char", stringChar},
		{"dump", stringDump},
		{"find", libs.stringFind},
		{"format", libs.stringFormat},
		{"gfind", libs.stringGmatch},
		{"gmatch", libs.stringGmatch},
		{"gsub", libs.stringGsub},
		{"len", stringLen},
		{"lower", libs.stringLower},
		{"match", libs.stringMatch},
		{"rep", libs.stringRep},
		{"reverse", libs.stringReverse},
		{"sub", stringSub},
		{"upper", libs.stringUpper},
	})
	mt := libs.NewTable(0, 1)
	libs.Set(mt, lua.LString("__index"), tb)
	libs.state.SetMetatable(lua.LString(""), mt)
	return tb
}

// relative turns a position that may count from the end into one that counts from 1, or 0.
func relative(pos int64, length int) int64 {
	if pos < 0 {
		pos += int64(length) + 1
	}
	return max(pos, 0)
}

func (libs *Libraries) stringByte(L *lua.LState) int {
	s := checkString(L, 1)
	first := relative(optInteger(L, 2, 1), len(s))
	last := relative(optInteger(L, 3, first), len(s))
	first, last = max(first, 1), min(last, int64(len(s)))
	if first > last {
		return 0
	}
	n := int(last - first + 1)
	if L.GetTop()+n > maxStack {
		raise(L, "stack overflow (string slice too long)")
	}
	for i := first; i <= last; i++ {
		L.Push(lua.LNumber(s[i-1]))
	}
	return n
}

func stringChar(L *lua.LState) int {
	bytes := make([]byte, L.GetTop())
	for i := range bytes {
		c := checkInt(L, i+1)
		if c != int(byte(c)) {
			argError(L, i+1, "invalid value")
		}
		bytes[i] = byte(c)
	}
	L.Push(lua.LString(bytes))
	return 1
}

// bytecodeMark begins every precompiled chunk.
const bytecodeMark = "\x1bLua"

// stringDump gives a string that nothing loads, as Redis loads no bytecode.
func stringDump(L *lua.LState) int {
	if checkFunction(L, 1).IsG {
		raise(L, "unable to dump given function")
	}
	L.Push(lua.LString(bytecodeMark))
	return 1
}

func (libs *Libraries) stringFind(L *lua.LState) int  { return libs.find(L, true) }
func (libs *Libraries) stringMatch(L *lua.LState) int { return libs.find(L, false) }

// patternSpecials are the characters that make a string a pattern.
const patternSpecials = "^$*+?.([%-"

// find is string.find and string.match.
func (libs *Libraries) find(L *lua.LState, positions bool) int {
	s, pattern := checkString(L, 1), checkString(L, 2)
	start := int(min(max(relative(optInteger(L, 3, 1), len(s))-1, 0), int64(len(s))))
	if positions && (lua.LVAsBool(L.Get(4)) || !strings.ContainsAny(cString(pattern), patternSpecials)) {
		libs.steps(L, (len(s)-start)>>6)
		i := strings.Index(s[start:], pattern)
		if i < 0 {
			L.Push(lua.LNil)
			return 1
		}
		L.Push(lua.LNumber(start + i + 1))
		L.Push(lua.LNumber(start + i + len(pattern)))
		return 2
	}
	m := libs.newMatcher(L, s, pattern)
	p := 0
	if m.at(0) == '^' {
		p = 1
	}
	for ; start <= len(s); start++ {
		m.level = 0
		if end := m.match(start, p); end >= 0 {
			if !positions {
				return m.push(start, end)
			}
			L.Push(lua.LNumber(start + 1))
			L.Push(lua.LNumber(end))
			if m.level == 0 {
				return 2
			}
			return m.push(start, end) + 2
		}
		if p == 1 {
			break
		}
	}
	L.Push(lua.LNil)
	return 1
}

func (libs *Libraries) stringGmatch(L *lua.LState) int {
	s, pattern := checkString(L, 1), checkString(L, 2)
	start := 0
	L.Push(L.NewFunction(func(L *lua.LState) int {
		m := libs.newMatcher(L, s, pattern)
		for ; start <= len(s); start++ {
			m.level = 0
			if end := m.match(start, 0); end >= 0 {
				from := start
				start = end
				if end == from {
					start++
				}
				return m.push(from, end)
			}
		}
		return 0
	}))
	return 1
}

func (libs *Libraries) stringGsub(L *lua.LState) int {
	s, pattern := checkString(L, 1), checkString(L, 2)
	limit := optInt(L, 4, len(s)+1)
	replacement := L.Get(3)
	switch replacement.(type) {
	case lua.LNumber, lua.LString, *lua.LFunction, *lua.LTable:
	default:
		argError(L, 3, "string/function/table expected")
	}
	m := libs.newMatcher(L, s, pattern)
	p := 0
	if m.at(0) == '^' {
		p = 1
	}
	var b strings.Builder
	at, n := 0, 0
	for n < limit {
		m.level = 0
		end := m.match(at, p)
		if end >= 0 {
			n++
			text := m.replace(replacement, at, end)
			libs.bytes(L, len(text))
			b.WriteString(text)
		}
		if end > at {
			at = end
		} else if at < len(s) {
			b.WriteByte(s[at])
			at++
		} else {
			break
		}
		if p == 1 {
			break
		}
	}
	b.WriteString(s[at:])
	L.Push(lua.LString(b.String()))
	L.Push(lua.LNumber(n))
	return 2
}

// replace is what takes the place of a match.
func (m *matcher) replace(replacement lua.LValue, start, end int) string {
	L := m.state
	var v lua.LValue
	switch r := replacement.(type) {
	case *lua.LFunction:
		L.Push(r)
		n := m.push(start, end)
		L.Call(n, 1)
		v = L.Get(-1)
		L.Pop(1)
	case *lua.LTable:
		v = L.GetTable(r, m.value(0, start, end))
	default:
		text, _ := stringOf(r)
		return m.expand(text, start, end)
	}
	if lua.LVIsFalse(v) {
		return m.subject[start:end]
	}
	text, ok := stringOf(v)
	if !ok {
		raise(L, "invalid replacement value (a %s)", typeName(v))
	}
	return text
}

// expand puts captures in the place of %0 to %9. A % at the end stands for a zero byte, as in C.
func (m *matcher) expand(text string, start, end int) string {
	if !strings.Contains(text, "%") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b.WriteByte(text[i])
			continue
		}
		i++
		var c byte
		if i < len(text) {
			c = text[i]
		}
		switch {
		case !isDigit(c):
			b.WriteByte(c)
		case c == '0':
			b.WriteString(m.subject[start:end])
		default:
			capture, _ := stringOf(m.value(int(c-'1'), start, end))
			m.libs.bytes(m.state, len(capture))
			b.WriteString(capture)
		}
	}
	return b.String()
}

func stringLen(L *lua.LState) int {
	L.Push(lua.LNumber(len(checkString(L, 1))))
	return 1
}

// mapBytes pushes the first argument with each byte changed.
func (libs *Libraries) mapBytes(L *lua.LState, change func(b []byte)) int {
	s := checkString(L, 1)
	libs.bytes(L, len(s))
	b := []byte(s)
	change(b)
	L.Push(lua.LString(b))
	return 1
}

func (libs *Libraries) stringLower(L *lua.LState) int {
	return libs.mapBytes(L, func(b []byte) {
		for i, c := range b {
			if isUpper(c) {
				b[i] = c + 'a' - 'A'
			}
		}
	})
}

func (libs *Libraries) stringUpper(L *lua.LState) int {
	return libs.mapBytes(L, func(b []byte) {
		for i, c := range b {
			if isLower(c) {
				b[i] = c - ('a' - 'A')
			}
		}
	})
}

func (libs *Libraries) stringReverse(L *lua.LState) int {
	return libs.mapBytes(L, func(b []byte) {
		for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	})
}

// maxString is how long a string may get where no meter says otherwise, so that a slip cannot take the host's memory.
const maxString = 1 << 30

func (libs *Libraries) stringRep(L *lua.LState) int {
	s, n := checkString(L, 1), checkInt(L, 2)
	if n <= 0 || s == "" {
		L.Push(lua.LString(""))
		return 1
	}
	if n > maxString/len(s) {
		throw(L, "not enough memory")
	}
	libs.bytes(L, n*len(s))
	L.Push(lua.LString(strings.Repeat(s, n)))
	return 1
}

func stringSub(L *lua.LState) int {
	s := checkString(L, 1)
	first := max(relative(checkInteger(L, 2), len(s)), 1)
	last := min(relative(optInteger(L, 3, -1), len(s)), int64(len(s)))
	if first > last {
		L.Push(lua.LString(""))
	} else {
		L.Push(lua.LString(s[first-1 : last]))
	}
	return 1
}
