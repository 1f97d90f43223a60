package syntax

// This file reads the literals: strings with escapes, and numerals.

import (
	"math"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/source"
)

// scanString reads a string in quotes. Lua 5.1 knows the escapes of C without
// \x, a backslash before a line break, and \ddd; before any other byte a
// backslash means nothing.
func (l *lexer) scanString(t *token, quote byte) {
	t.kind = tString
	i := l.pos + 1
	for i < len(l.src) && l.src[i] != quote && l.src[i] != '\\' && l.src[i] != '\n' && l.src[i] != '\r' {
		i++
	}
	if i < len(l.src) && l.src[i] == quote {
		t.text = l.src[l.pos+1 : i]
		l.pos = i + 1
		return
	}
	l.scanEscaped(t, quote, i)
}

// scanEscaped reads a string of which the first special byte is at i.
func (l *lexer) scanEscaped(t *token, quote byte, i int) {
	value := append(make([]byte, 0, 2*(i-l.pos)+16), l.src[l.pos+1:i]...)
	l.pos = i
	failed := false
	report := func(from source.Pos, lua, message, help string) {
		if failed {
			return // one error a string
		}
		failed = true
		l.fail(fault{span: source.Span{Start: from, End: source.Pos(l.pos)}, lua: lua, message: message, help: help})
	}
	for {
		if l.pos == len(l.src) {
			report(t.start, "unfinished string near '<eof>'",
				"found the end of the file inside a string, expected "+string(quote), "")
			break
		}
		c := l.src[l.pos]
		if c == quote {
			l.pos++
			break
		}
		if c == '\n' || c == '\r' {
			report(t.start, "unfinished string near '"+cString(string(quote)+string(value))+"'",
				"found the end of the line inside a string, expected "+string(quote),
				"close the string, or write it in long brackets: [[ … ]]")
			break
		}
		if c != '\\' {
			value = append(value, c)
			l.pos++
			continue
		}
		from := source.Pos(l.pos)
		l.pos++
		code := 0
		value, code = l.escape(value)
		if code > math.MaxUint8 {
			report(from, "escape sequence too large near '"+cString(string(quote)+string(value))+"'",
				"found the escape '"+l.src[from:l.pos]+"', expected at most \\255", "")
		}
	}
	t.text = string(value)
}

// escape reads what follows a backslash, appends what it stands for and
// returns its code; codes above 255 are not appended.
func (l *lexer) escape(value []byte) ([]byte, int) {
	if l.pos == len(l.src) {
		return value, 0
	}
	c := l.src[l.pos]
	switch {
	case c == '\n' || c == '\r':
		l.newline()
		return append(value, '\n'), 0
	case class[c]&cDigit != 0:
		code := 0
		for i := 0; i < 3 && class[l.at(0)]&cDigit != 0; i++ {
			code = 10*code + int(l.src[l.pos]-'0')
			l.pos++
		}
		if code <= math.MaxUint8 {
			value = append(value, byte(code))
		}
		return value, code
	}
	l.pos++
	if i := strings.IndexByte("abfnrtv", c); i >= 0 {
		c = "\a\b\f\n\r\t\v"[i]
	}
	return append(value, c), 0
}

// cString returns text up to its first NUL: C code prints no more of it.
func cString(text string) string {
	text, _, _ = strings.Cut(text, "\x00")
	return text
}

// scanNumber reads a numeral: all that Lua takes for one, which its strtod may
// then refuse.
func (l *lexer) scanNumber(t *token) {
	t.kind = tNumber
	i := l.pos + 1
	for i < len(l.src) && (class[l.src[i]]&cDigit != 0 || l.src[i] == '.') {
		i++
	}
	// A NUL passes for e and for a sign: C's strchr finds it in every set.
	if i < len(l.src) && (l.src[i] == 'e' || l.src[i] == 'E' || l.src[i] == 0) {
		i++
		if i < len(l.src) && (l.src[i] == '+' || l.src[i] == '-' || l.src[i] == 0) {
			i++
		}
	}
	for i < len(l.src) && class[l.src[i]]&(cAlpha|cDigit) != 0 {
		i++
	}
	t.text = cString(l.src[l.pos:i])
	l.pos = i
	var ok bool
	if t.num, ok = parseNumeral(t.text); ok {
		return
	}
	help := ""
	switch {
	case strings.Contains(t.text, ".."):
		help = "put a blank before '..' to join a number and a string"
	case strings.Contains(t.text, "_"):
		help = "Lua has no digit separators"
	case strings.HasPrefix(t.text, "0b"), strings.HasPrefix(t.text, "0B"), strings.HasPrefix(t.text, "0o"):
		help = "Lua 5.1 has decimal and 0x numerals only"
	}
	l.fail(fault{
		span:    source.Span{Start: t.start, End: source.Pos(l.pos)},
		lua:     "malformed number near '" + t.text + "'",
		message: "found '" + t.text + "', which is no number",
		help:    help,
	})
}

// parseNumeral returns the value of a numeral as glibc's strtod gives it:
// decimal, or hexadecimal with an optional binary exponent. The text begins
// with a digit or a dot and holds letters, digits, _, dots and signs only.
func parseNumeral(text string) (float64, bool) {
	if len(text) <= 15 {
		if v, ok := smallInteger(text); ok {
			return v, true
		}
	}
	if strings.IndexByte(text, '_') >= 0 {
		return 0, false
	}
	if len(text) > 1 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') {
		return parseHex(text)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}

// smallInteger reads a numeral of digits only.
func smallInteger(text string) (float64, bool) {
	n := 0
	for i := 0; i < len(text); i++ {
		if class[text[i]]&cDigit == 0 {
			return 0, false
		}
		n = 10*n + int(text[i]-'0')
	}
	return float64(n), true
}

// parseHex reads 0x1F and 0x1Fp4. Neither a dot nor a sign can stand in such a
// numeral, as Lua ends it there.
func parseHex(text string) (float64, bool) {
	if !strings.ContainsAny(text, "pP") {
		text += "p0"
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil && !math.IsInf(v, 0) {
		return 0, false
	}
	return v, true
}
