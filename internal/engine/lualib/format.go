// This file implements string.format, which is C's sprintf with Lua's checks.
package lualib

import (
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// directive is one conversion of a format.
type directive struct {
	minus, plus, blank, sharp, zero bool

	width     int
	precision int // -1 when there is none
	verb      byte
}

func (libs *Libraries) stringFormat(L *lua.LState) int {
	format := checkString(L, 1)
	arg := 1
	var b strings.Builder
	for i := 0; i < len(format); {
		if format[i] != '%' {
			b.WriteByte(format[i])
			i++
			continue
		}
		i++
		if i < len(format) && format[i] == '%' {
			b.WriteByte('%')
			i++
			continue
		}
		arg++
		if arg > L.GetTop() {
			argError(L, arg, "no value")
		}
		var d directive
		d, i = scanDirective(L, format, i)
		text := d.format(L, arg)
		libs.bytes(L, len(text))
		b.WriteString(text)
	}
	L.Push(lua.LString(b.String()))
	return 1
}

// scanDirective reads flags, width, precision and the letter, and returns where the format goes on.
func scanDirective(L *lua.LState, format string, i int) (directive, int) {
	at := func(i int) byte {
		if i < len(format) {
			return format[i]
		}
		return 0
	}
	d := directive{precision: -1}
	begin := i
	for ; at(i) != 0 && strings.IndexByte("-+ #0", at(i)) >= 0; i++ {
		switch at(i) {
		case '-':
			d.minus = true
		case '+':
			d.plus = true
		case ' ':
			d.blank = true
		case '#':
			d.sharp = true
		case '0':
			d.zero = true
		}
	}
	if i-begin > len("-+ #0") {
		raise(L, "invalid format (repeated flags)")
	}
	number := func() (n int) {
		for end := i + 2; i < end && isDigit(at(i)); i++ {
			n = n*10 + int(at(i)-'0')
		}
		return n
	}
	d.width = number()
	if at(i) == '.' {
		i++
		d.precision = number()
	}
	if isDigit(at(i)) {
		raise(L, "invalid format (width or precision too long)")
	}
	d.verb = at(i)
	return d, i + 1
}

// format converts one argument.
func (d directive) format(L *lua.LState, arg int) string {
	switch d.verb {
	case 'c':
		return cString(d.pad(string([]byte{byte(toInt32(checkNumber(L, arg)))}), false))
	case 'd', 'i':
		n := toInt64(checkNumber(L, arg))
		digits := strconv.FormatUint(magnitude(n), 10)
		return d.integer(d.sign(n < 0), digits)
	case 'u':
		return d.integer("", strconv.FormatUint(toUint64(checkNumber(L, arg)), 10))
	case 'o':
		return d.octal(strconv.FormatUint(toUint64(checkNumber(L, arg)), 8))
	case 'x', 'X':
		n := toUint64(checkNumber(L, arg))
		digits, prefix := strconv.FormatUint(n, 16), ""
		if d.sharp && n != 0 {
			prefix = "0x"
		}
		text := d.integer(prefix, digits)
		if d.verb == 'X' {
			return strings.ToUpper(text)
		}
		return text
	case 'e', 'E', 'f', 'g', 'G':
		return d.float(checkNumber(L, arg))
	case 'q':
		return quote(checkString(L, arg))
	case 's':
		s := checkString(L, arg)
		if d.precision < 0 && len(s) >= 100 {
			return s
		}
		s = cString(s)
		if d.precision >= 0 && len(s) > d.precision {
			s = s[:d.precision]
		}
		return d.pad(s, false)
	}
	raise(L, "invalid option '%%%s' to 'format'", cString(string([]byte{d.verb})))
	return ""
}

// magnitude is the absolute value, of the smallest integer too.
func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

// toUint64 converts as compilers do for a 64-bit x86: negative numbers wrap, what is too large becomes zero.
func toUint64(f float64) uint64 {
	if f >= 0x1p63 {
		return uint64(toInt64(f-0x1p63)) ^ 1<<63
	}
	return uint64(toInt64(f))
}

// sign is what stands before a signed number.
func (d directive) sign(negative bool) string {
	switch {
	case negative:
		return "-"
	case d.plus:
		return "+"
	case d.blank:
		return " "
	}
	return ""
}

// pad fills to the width: with zeros behind the sign or prefix when asked, else with blanks.
func (d directive) pad(s string, zeros bool) string {
	missing := d.width - len(s)
	switch {
	case missing <= 0:
		return s
	case d.minus:
		return s + strings.Repeat(" ", missing)
	case zeros && d.zero:
		head := len(s) - len(strings.TrimLeft(s, "+- "))
		if strings.HasPrefix(s, "0x") {
			head = 2
		}
		return s[:head] + strings.Repeat("0", missing) + s[head:]
	}
	return strings.Repeat(" ", missing) + s
}

// integer writes digits with at least as many as the precision says; a precision turns the zero flag off.
func (d directive) integer(prefix, digits string) string {
	if d.precision >= 0 {
		if d.precision == 0 && digits == "0" {
			digits = ""
		}
		if missing := d.precision - len(digits); missing > 0 {
			digits = strings.Repeat("0", missing) + digits
		}
	}
	return d.pad(prefix+digits, d.precision < 0)
}

// octal is integer for %o, whose sharp flag wants a leading zero.
func (d directive) octal(digits string) string {
	if d.sharp && digits != "0" && d.precision <= len(digits) {
		digits = "0" + digits
	}
	if d.sharp && digits == "0" && d.precision == 0 {
		return d.pad("0", false)
	}
	return d.integer("", digits)
}

// float writes a number by %e, %f or %g.
func (d directive) float(f float64) string {
	sign := d.sign(math.Signbit(f))
	upper := d.verb == 'E' || d.verb == 'G'
	finish := func(text string, zeros bool) string {
		if upper {
			text = strings.ToUpper(text)
		}
		return d.pad(sign+text, zeros)
	}
	f = math.Abs(f)
	switch {
	case math.IsNaN(f):
		return finish("nan", false)
	case math.IsInf(f, 0):
		return finish("inf", false)
	}
	precision := d.precision
	if precision < 0 {
		precision = 6
	}
	verb := d.verb | 0x20
	if verb == 'g' {
		precision = max(precision, 1)
		if d.sharp {
			return finish(sharpG(f, precision), true)
		}
		return finish(formatG(f, precision), true)
	}
	text := strconv.FormatFloat(f, verb, precision, 64)
	if d.sharp && precision == 0 {
		text = withPoint(text)
	}
	return finish(text, true)
}

// withPoint puts a decimal point behind the digits.
func withPoint(text string) string {
	if i := strings.IndexByte(text, 'e'); i >= 0 {
		return text[:i] + "." + text[i:]
	}
	return text + "."
}

// sharpG is %#g: %g that keeps its trailing zeros and its point.
func sharpG(f float64, precision int) string {
	text := strconv.FormatFloat(f, 'e', precision-1, 64)
	exponent, _ := strconv.Atoi(text[strings.IndexByte(text, 'e')+1:])
	if exponent >= -4 && exponent < precision {
		text = strconv.FormatFloat(f, 'f', precision-1-exponent, 64)
	}
	if !strings.Contains(text, ".") {
		text = withPoint(text)
	}
	return text
}

// quote is %q: a string as Lua can read it back.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(s) {
		switch c := s[i]; c {
		case '"', '\\', '\n':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '\r':
			b.WriteString(`\r`)
		case 0:
			b.WriteString(`\000`)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
