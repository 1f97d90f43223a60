// This file implements the two ways between numbers and text in Lua: "%.14g" and the C library's strtod.
package lualib

import (
	"math"
	"strconv"
	"strings"
)

// FormatNumber writes a number as tostring and .. do, by "%.14g".
func FormatNumber(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e14 && (f != 0 || !math.Signbit(f)) {
		return strconv.FormatInt(int64(f), 10)
	}
	return formatG(f, 14)
}

// formatG writes a number by C's "%.{precision}g".
func formatG(f float64, precision int) string {
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
	return strconv.FormatFloat(f, 'g', max(precision, 1), 64)
}

// positiveNaN is what strtod reads in "nan".
const positiveNaN = 0x7ff8000000000000

// negativeNaN is what 0/0 gives on the processors that Redis runs on.
func negativeNaN() float64 {
	return math.Float64frombits(0xfff8000000000000)
}

// ParseNumber reads a numeral as tonumber and arithmetic on strings do: what strtod accepts, with white space around it.
// As in C, a zero byte ends the text.
func ParseNumber(s string) (float64, bool) {
	if i := strings.IndexByte(s, 0); i >= 0 {
		s = s[:i]
	}
	f, rest, ok := scanNumber(s)
	if !ok || strings.TrimLeft(rest, space) != "" {
		return 0, false
	}
	return f, true
}

// space is what isspace accepts in the C locale.
const space = " \t\n\v\f\r"

// scanNumber is strtod: it reads the longest numeral at the start of s, behind white space, and returns what follows it.
func scanNumber(s string) (f float64, rest string, ok bool) {
	t := strings.TrimLeft(s, space)
	negative := false
	if t != "" && (t[0] == '-' || t[0] == '+') {
		negative = t[0] == '-'
		t = t[1:]
	}
	f, rest, ok = scanUnsigned(t)
	if !ok {
		return 0, s, false
	}
	if negative {
		f = math.Copysign(f, -1)
	}
	return f, rest, true
}

// scanUnsigned is scanNumber behind the sign.
func scanUnsigned(s string) (f float64, rest string, ok bool) {
	switch {
	case s == "":
		return 0, s, false
	case hasWord(s, "infinity"):
		return math.Inf(1), s[len("infinity"):], true
	case hasWord(s, "inf"):
		return math.Inf(1), s[len("inf"):], true
	case hasWord(s, "nan"):
		return math.Float64frombits(positiveNaN), afterNaN(s[len("nan"):]), true
	}
	if len(s) > 1 && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') {
		if end, exponent := scanDigits(s, 2, isHexDigit, 'p'); end > 0 {
			text := s[:end]
			if !exponent {
				text += "p0"
			}
			return parseFloat(text), s[end:], true
		}
		return 0, s[1:], true
	}
	end, _ := scanDigits(s, 0, isDigit, 'e')
	if end == 0 {
		return 0, s, false
	}
	return parseFloat(s[:end]), s[end:], true
}

// scanDigits finds the end of digits, point, digits and exponent from i on; 0 when there is no digit.
func scanDigits(s string, i int, digit func(byte) bool, mark byte) (end int, exponent bool) {
	digits := 0
	for i < len(s) && digit(s[i]) {
		i, digits = i+1, digits+1
	}
	if i < len(s) && s[i] == '.' {
		j := i + 1
		for j < len(s) && digit(s[j]) {
			j, digits = j+1, digits+1
		}
		i = j
	}
	if digits == 0 {
		return 0, false
	}
	if i < len(s) && s[i]|0x20 == mark {
		j := i + 1
		if j < len(s) && (s[j] == '-' || s[j] == '+') {
			j++
		}
		if j < len(s) && isDigit(s[j]) {
			for j < len(s) && isDigit(s[j]) {
				j++
			}
			return j, true
		}
	}
	return i, false
}

// parseFloat converts a numeral that is known to be well formed; too large is infinite, too small is zero.
func parseFloat(s string) float64 {
	f, _ := strconv.ParseFloat(s, 64)
	return f
}

// hasWord reports whether s begins with a word in any case.
func hasWord(s, word string) bool {
	return len(s) >= len(word) && strings.EqualFold(s[:len(word)], word)
}

// afterNaN skips the (characters) that may follow nan.
func afterNaN(s string) string {
	if s == "" || s[0] != '(' {
		return s
	}
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == ')':
			return s[i+1:]
		case c != '_' && !isAlnum(c):
			return s
		}
	}
	return s
}

// scanUnsignedInt is strtoul: sign, prefix and digits of a base from 2 to 36. Too large gives the largest, a minus wraps.
func scanUnsignedInt(s string, base int) (n uint64, rest string, ok bool) {
	t := strings.TrimLeft(s, space)
	negative := false
	if t != "" && (t[0] == '-' || t[0] == '+') {
		negative = t[0] == '-'
		t = t[1:]
	}
	if base == 16 && len(t) > 2 && t[0] == '0' && t[1]|0x20 == 'x' && isHexDigit(t[2]) {
		t = t[2:]
	}
	i, overflow := 0, false
	for ; i < len(t); i++ {
		d := digitValue(t[i])
		if d >= base {
			break
		}
		if n > (math.MaxUint64-uint64(d))/uint64(base) {
			overflow = true
		}
		n = n*uint64(base) + uint64(d)
	}
	switch {
	case i == 0:
		return 0, s, false
	case overflow:
		return math.MaxUint64, t[i:], true
	case negative:
		n = -n
	}
	return n, t[i:], true
}

// digitValue is the value of a digit in base 36, or 36.
func digitValue(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case isAlpha(c):
		return int(c|0x20-'a') + 10
	}
	return 36
}

// The character classes of the C locale.

func isDigit(c byte) bool    { return c >= '0' && c <= '9' }
func isAlpha(c byte) bool    { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func isAlnum(c byte) bool    { return isDigit(c) || isAlpha(c) }
func isHexDigit(c byte) bool { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
func isLower(c byte) bool    { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool    { return c >= 'A' && c <= 'Z' }
func isSpace(c byte) bool    { return c == ' ' || c >= '\t' && c <= '\r' }
func isControl(c byte) bool  { return c < 0x20 || c == 0x7f }
func isPunct(c byte) bool    { return c > 0x20 && c < 0x7f && !isAlnum(c) }
