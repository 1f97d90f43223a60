// This file implements Lua's patterns.
package lualib

import (
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// maxCaptures is how many captures a pattern may have.
const maxCaptures = 32

// Lengths that are none: a capture not closed yet, and one that stands for a position.
const (
	captureOpen     = -1
	capturePosition = -2
)

// matcher matches one pattern against one subject.
type matcher struct {
	state   *lua.LState
	libs    *Libraries
	subject string
	pattern string
	level   int
	steps   int
	depth   int // of match in itself
	capture [maxCaptures]struct{ start, length int }
}

// newMatcher prepares a match. A zero byte ends a pattern.
func (libs *Libraries) newMatcher(L *lua.LState, subject, pattern string) *matcher {
	return &matcher{state: L, libs: libs, subject: subject, pattern: cString(pattern)}
}

// stepBatch is after how many steps of matching the meter is asked.
const stepBatch = 1 << 10

// step counts work, so that no pattern can go on for ever unseen.
func (m *matcher) step() {
	m.steps++
	if m.steps >= stepBatch {
		m.libs.steps(m.state, m.steps)
		m.steps = 0
	}
}

// fail raises what is wrong with the pattern.
func (m *matcher) fail(message string) { raise(m.state, "%s", message) }

// at is the pattern's byte, zero behind its end.
func (m *matcher) at(p int) byte {
	if p < len(m.pattern) {
		return m.pattern[p]
	}
	return 0
}

// subjectAt is the subject's byte, zero behind its end.
func (m *matcher) subjectAt(s int) byte {
	if s < len(m.subject) {
		return m.subject[s]
	}
	return 0
}

// maxDepth is how deep match may go into itself, once for each repetition and capture of the pattern. Redis has no bound
// of its own and crashes long before.
const maxDepth = 200_000

// match matches the pattern from p on at s and returns where the match ends, or -1.
func (m *matcher) match(s, p int) int {
	m.depth++
	if m.depth > maxDepth {
		m.fail("pattern too complex")
	}
	end := m.matchItems(s, p)
	m.depth--
	return end
}

// matchItems is match at one depth.
func (m *matcher) matchItems(s, p int) int {
	for {
		m.step()
		switch m.at(p) {
		case 0:
			return s
		case '(':
			if m.at(p+1) == ')' {
				return m.open(s, p+2, capturePosition)
			}
			return m.open(s, p+1, captureOpen)
		case ')':
			return m.close(s, p+1)
		case '$':
			if m.at(p+1) == 0 {
				if s == len(m.subject) {
					return s
				}
				return -1
			}
		case '%':
			switch c := m.at(p + 1); {
			case c == 'b':
				if s = m.balance(s, p+2); s < 0 {
					return -1
				}
				p += 4
				continue
			case c == 'f':
				end := m.frontier(s, p+2)
				if end < 0 {
					return -1
				}
				p = end
				continue
			case isDigit(c):
				if s = m.backReference(s, c); s < 0 {
					return -1
				}
				p += 2
				continue
			}
		}
		end := m.classEnd(p)
		switch m.at(end) {
		case '?':
			if m.single(s, p, end) {
				if e := m.match(s+1, end+1); e >= 0 {
					return e
				}
			}
			p = end + 1
		case '*':
			return m.longest(s, p, end)
		case '+':
			if !m.single(s, p, end) {
				return -1
			}
			return m.longest(s+1, p, end)
		case '-':
			return m.shortest(s, p, end)
		default:
			if !m.single(s, p, end) {
				return -1
			}
			s, p = s+1, end
		}
	}
}

// longest matches as many single characters as it can and gives them back one by one.
func (m *matcher) longest(s, p, end int) int {
	n := 0
	for m.single(s+n, p, end) {
		m.step()
		n++
	}
	for ; n >= 0; n-- {
		if e := m.match(s+n, end+1); e >= 0 {
			return e
		}
	}
	return -1
}

// shortest matches no more single characters than it must.
func (m *matcher) shortest(s, p, end int) int {
	for {
		if e := m.match(s, end+1); e >= 0 {
			return e
		}
		if !m.single(s, p, end) {
			return -1
		}
		s++
	}
}

// open begins a capture.
func (m *matcher) open(s, p, length int) int {
	if m.level >= maxCaptures {
		m.fail("too many captures")
	}
	m.capture[m.level].start = s
	m.capture[m.level].length = length
	m.level++
	e := m.match(s, p)
	if e < 0 {
		m.level--
	}
	return e
}

// close ends the innermost open capture.
func (m *matcher) close(s, p int) int {
	i := m.level - 1
	for i >= 0 && m.capture[i].length != captureOpen {
		i--
	}
	if i < 0 {
		m.fail("invalid pattern capture")
	}
	m.capture[i].length = s - m.capture[i].start
	e := m.match(s, p)
	if e < 0 {
		m.capture[i].length = captureOpen
	}
	return e
}

// balance is %bxy.
func (m *matcher) balance(s, p int) int {
	if m.at(p) == 0 || m.at(p+1) == 0 {
		m.fail("unbalanced pattern")
	}
	begin, end := m.at(p), m.at(p+1)
	if m.subjectAt(s) != begin {
		return -1
	}
	depth := 1
	for s++; s < len(m.subject); s++ {
		m.step()
		switch m.subject[s] {
		case end:
			if depth--; depth == 0 {
				return s + 1
			}
		case begin:
			depth++
		}
	}
	return -1
}

// frontier is %f[set]; it returns where the pattern goes on.
func (m *matcher) frontier(s, p int) int {
	if m.at(p) != '[' {
		m.fail("missing '[' after '%f' in pattern")
	}
	end := m.classEnd(p)
	previous := byte(0)
	if s > 0 {
		previous = m.subject[s-1]
	}
	if m.set(previous, p, end-1) || !m.set(m.subjectAt(s), p, end-1) {
		return -1
	}
	return end
}

// backReference is %1 to %9.
func (m *matcher) backReference(s int, digit byte) int {
	i := int(digit) - '1'
	if i < 0 || i >= m.level || m.capture[i].length == captureOpen {
		m.fail("invalid capture index")
	}
	c := m.capture[i]
	if c.length < 0 || !strings.HasPrefix(m.subject[s:], m.subject[c.start:c.start+c.length]) {
		return -1
	}
	for n := 0; n < c.length; n += 64 {
		m.step()
	}
	return s + c.length
}

// classEnd finds the end of the single character class at p.
func (m *matcher) classEnd(p int) int {
	c := m.at(p)
	p++
	switch c {
	case '%':
		if m.at(p) == 0 {
			m.fail("malformed pattern (ends with '%')")
		}
		return p + 1
	case '[':
		if m.at(p) == '^' {
			p++
		}
		for {
			c := m.at(p)
			if c == 0 {
				m.fail("malformed pattern (missing ']')")
			}
			p++
			if c == '%' && m.at(p) != 0 {
				p++
			}
			if m.at(p) == ']' {
				return p + 1
			}
		}
	}
	return p
}

// single reports whether the subject's character at s is in the class from p to end.
func (m *matcher) single(s, p, end int) bool {
	if s >= len(m.subject) {
		return false
	}
	c := m.subject[s]
	switch m.pattern[p] {
	case '.':
		return true
	case '%':
		return inClass(c, m.pattern[p+1])
	case '[':
		return m.set(c, p, end-1)
	}
	return m.pattern[p] == c
}

// set reports whether a character is in the set that begins at p and whose bracket closes at end.
func (m *matcher) set(c byte, p, end int) bool {
	in := true
	if m.at(p+1) == '^' {
		in = false
		p++
	}
	for p++; p < end; p++ {
		switch {
		case m.at(p) == '%':
			p++
			if inClass(c, m.at(p)) {
				return in
			}
		case m.at(p+1) == '-' && p+2 < end:
			if m.at(p) <= c && c <= m.at(p+2) {
				return in
			}
			p += 2
		case m.at(p) == c:
			return in
		}
	}
	return !in
}

// inClass reports whether a character is in the class %letter.
func inClass(c, letter byte) bool {
	var in bool
	switch letter | 0x20 {
	case 'a':
		in = isAlpha(c)
	case 'c':
		in = isControl(c)
	case 'd':
		in = isDigit(c)
	case 'l':
		in = isLower(c)
	case 'p':
		in = isPunct(c)
	case 's':
		in = isSpace(c)
	case 'u':
		in = isUpper(c)
	case 'w':
		in = isAlnum(c)
	case 'x':
		in = isHexDigit(c)
	case 'z':
		in = c == 0
	default:
		return letter == c
	}
	return in != isUpper(letter)
}

// value is a capture's value; the whole match stands for the first when the pattern has none.
func (m *matcher) value(i, start, end int) lua.LValue {
	if i >= m.level {
		if i != 0 {
			m.fail("invalid capture index")
		}
		return lua.LString(m.subject[start:end])
	}
	c := m.capture[i]
	switch c.length {
	case captureOpen:
		m.fail("unfinished capture")
	case capturePosition:
		return lua.LNumber(c.start + 1)
	}
	return lua.LString(m.subject[c.start : c.start+c.length])
}

// push pushes the captures, or the whole match when there are none, and returns how many it pushed.
func (m *matcher) push(start, end int) int {
	n := max(m.level, 1)
	for i := range n {
		m.state.Push(m.value(i, start, end))
	}
	return n
}
