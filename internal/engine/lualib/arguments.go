// This file implements what every library function does first: reading its arguments as Lua's auxiliary library does,
// and raising errors with its texts and positions.
package lualib

import (
	"fmt"
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// throw raises a message as it is, without a position.
func throw(L *lua.LState, message string) {
	L.Error(lua.LString(message), 0)
}

// raise raises a message with the position of the Lua function that called the library; none when C code called it.
func raise(L *lua.LState, format string, args ...any) {
	throw(L, where(L)+fmt.Sprintf(format, args...))
}

// where is the position "chunk:line: " of the caller, or empty.
func where(L *lua.LState) string {
	return from(L).where(L, 1)
}

// MethodMark stands before the name of a method call in a function's debug information.
const MethodMark = ":"

// callName tells how the running function was called: its name there, "?" when it has none, and whether as a method.
func callName(L *lua.LState) (name string, method bool) {
	dbg, ok := L.GetStack(0)
	if !ok {
		return "?", false
	}
	if _, err := L.GetInfo("n", dbg, lua.LNil); err != nil {
		return "?", false
	}
	if rest, ok := strings.CutPrefix(dbg.Name, MethodMark); ok {
		return rest, true
	}
	if dbg.Name == "" || strings.HasPrefix(dbg.Name, "(") || strings.HasPrefix(dbg.Name, "main chunk") || dbg.Name == "corountine" {
		return "?", false
	}
	return dbg.Name, false
}

// argError raises "bad argument #n to 'name' (message)".
func argError(L *lua.LState, n int, message string) {
	name, method := callName(L)
	if method {
		n--
		if n == 0 {
			raise(L, "calling '%s' on bad self (%s)", name, message)
		}
	}
	raise(L, "bad argument #%d to '%s' (%s)", n, name, message)
}

// typeError raises that argument n is not of the type wanted.
func typeError(L *lua.LState, n int, want string) {
	argError(L, n, want+" expected, got "+argType(L, n))
}

// argType names the type of argument n, "no value" when there is none.
func argType(L *lua.LState, n int) string {
	if n > L.GetTop() {
		return "no value"
	}
	return typeName(L.Get(n))
}

// typeName names the type of a value.
func typeName(v lua.LValue) string {
	return v.Type().String()
}

// isNone reports whether argument n is missing or nil.
func isNone(L *lua.LState, n int) bool {
	return n > L.GetTop() || L.Get(n) == lua.LNil
}

// checkAny raises when there is no argument n.
func checkAny(L *lua.LState, n int) lua.LValue {
	if n > L.GetTop() {
		argError(L, n, "value expected")
	}
	return L.Get(n)
}

// checkTable reads a table.
func checkTable(L *lua.LState, n int) *lua.LTable {
	tb, ok := L.Get(n).(*lua.LTable)
	if !ok {
		typeError(L, n, "table")
	}
	return tb
}

// checkFunction reads a function.
func checkFunction(L *lua.LState, n int) *lua.LFunction {
	fn, ok := L.Get(n).(*lua.LFunction)
	if !ok {
		typeError(L, n, "function")
	}
	return fn
}

// stringOf converts a string or a number to a string.
func stringOf(v lua.LValue) (string, bool) {
	switch v := v.(type) {
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return FormatNumber(float64(v)), true
	}
	return "", false
}

// numberOf converts a number or a numeral in a string to a number.
func numberOf(v lua.LValue) (float64, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return float64(v), true
	case lua.LString:
		return ParseNumber(string(v))
	}
	return 0, false
}

// checkString reads a string, or a number as its text.
func checkString(L *lua.LState, n int) string {
	s, ok := stringOf(L.Get(n))
	if !ok {
		typeError(L, n, "string")
	}
	return s
}

// optString is checkString with a default.
func optString(L *lua.LState, n int, def string) string {
	if isNone(L, n) {
		return def
	}
	return checkString(L, n)
}

// checkNumber reads a number, or a numeral in a string.
func checkNumber(L *lua.LState, n int) float64 {
	f, ok := numberOf(L.Get(n))
	if !ok {
		typeError(L, n, "number")
	}
	return f
}

// checkInteger reads a number as a 64-bit integer, truncated toward zero.
func checkInteger(L *lua.LState, n int) int64 {
	return toInt64(checkNumber(L, n))
}

// optInteger is checkInteger with a default.
func optInteger(L *lua.LState, n int, def int64) int64 {
	if isNone(L, n) {
		return def
	}
	return checkInteger(L, n)
}

// checkInt reads a number as a C int: the low half of the 64-bit integer.
func checkInt(L *lua.LState, n int) int {
	return int(int32(checkInteger(L, n)))
}

// optInt is checkInt with a default.
func optInt(L *lua.LState, n int, def int) int {
	if isNone(L, n) {
		return def
	}
	return checkInt(L, n)
}

// toInt64 converts as a 64-bit x86 processor does: what does not fit becomes the smallest integer.
func toInt64(f float64) int64 {
	if f >= -0x1p63 && f < 0x1p63 {
		return int64(f)
	}
	return math.MinInt64
}

// toInt32 is toInt64 for a C int that is converted at once.
func toInt32(f float64) int32 {
	if f > math.MinInt32-1 && f < math.MaxInt32+1 {
		return int32(f)
	}
	return math.MinInt32
}
