package luavm

// This file implements error texts: where the machine speaks of its own
// positions and types, Lua names the line and the variable.

import (
	"math"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/cmath"
)

// calculate is arithmetic on two numbers; op counts as arithmeticEvents does.
func calculate(op int, a, b float64) float64 {
	switch op {
	case 0:
		return a + b
	case 1:
		return a - b
	case 2:
		return a * b
	case 3:
		return a / b
	case 4:
		return a - math.Floor(a/b)*b
	}
	result := cmath.Pow(a, b)
	switch {
	case !math.IsNaN(result):
		return result
	case math.IsNaN(a):
		return a
	case math.IsNaN(b):
		return b
	}
	return math.Float64frombits(0xfff8 << 48) // as x86 processors have it
}

// throw raises a text as it is.
func throw(L *lua.LState, text string) { L.Error(lua.LString(text), 0) }

// raiseType raises that a value cannot take part in an operation.
func raiseType(L *lua.LState, v lua.LValue, what string, operand int) {
	p, text := where(L, 1)
	throw(L, text+typeError(v.Type().String(), what, p.names[operand]))
}

func typeError(typ, what, name string) string {
	if name == "" {
		return "attempt to " + what + " a " + typ + " value"
	}
	return "attempt to " + what + " " + name + " (a " + typ + " value)"
}

// where returns the position at a level of the call stack and its text,
// "user_script:7: "; empty for a function of Go.
func where(L *lua.LState, level int) (position, string) {
	source, id, ok := frame(L, level)
	if !ok {
		return position{}, ""
	}
	u, p, ok := of(L).lookup(source, id)
	if !ok {
		return position{}, ""
	}
	return p, u.Name + ":" + strconv.Itoa(p.line) + ": "
}

// frame reads the source and the position id of a level of the call stack.
func frame(L *lua.LState, level int) (source string, id int, ok bool) {
	dbg, ok := L.GetStack(level)
	if !ok {
		return "", 0, false
	}
	if _, err := L.GetInfo("Sl", dbg, lua.LNil); err != nil || dbg.Source == "" {
		return "", 0, false
	}
	return dbg.Source, dbg.CurrentLine, true
}

func (m *Machine) lookup(source string, id int) (*Unit, position, bool) {
	u, ok := m.units[source]
	if !ok || id < 0 || id >= len(u.positions) {
		return nil, position{}, false
	}
	return u, u.positions[id], true
}

// Where returns "user_script:7: " for a level of the call stack, 1 being the
// caller of the running function; empty when that is no Lua function.
func Where(L *lua.LState, level int) string {
	_, text := where(L, level)
	return text
}

// Line returns the innermost Lua function's chunk and line, beginning at a
// level of the call stack.
func Line(L *lua.LState, level int) (name string, line int, ok bool) {
	for ; ; level++ {
		if _, exists := L.GetStack(level); !exists {
			return "", 0, false
		}
		if source, id, found := frame(L, level); found {
			if u, p, known := of(L).lookup(source, id); known {
				return u.Name, p.line, true
			}
		}
	}
}

// Message turns an error value into what a Lua script would see of it: the
// machine's positions become lines, its texts Lua's. Other values stay.
func (m *Machine) Message(v lua.LValue) lua.LValue {
	u, p, text, ok := m.parse(v)
	if ok {
		return lua.LString(u.Name + ":" + strconv.Itoa(p.line) + ": " + reword(text, p))
	}
	if s, isText := v.(lua.LString); isText && strings.HasPrefix(string(s), "[G]:") {
		return lua.LString(strings.TrimPrefix(strings.TrimPrefix(string(s), "[G]:"), " "))
	}
	return v
}

// Place returns the chunk and the line that an error of the machine begins
// with, before Message made text of it.
func (m *Machine) Place(v lua.LValue) (name string, line int, ok bool) {
	u, p, _, ok := m.parse(v)
	if !ok {
		return "", 0, false
	}
	return u.Name, p.line, true
}

// parse takes an error of the machine apart.
func (m *Machine) parse(v lua.LValue) (u *Unit, p position, text string, ok bool) {
	s, isText := v.(lua.LString)
	if !isText || !strings.HasPrefix(string(s), "\x01") {
		return nil, p, "", false
	}
	source, rest, _ := strings.Cut(string(s), ":")
	id, text, ok := strings.Cut(rest, ": ")
	n, err := strconv.Atoi(id)
	if !ok || err != nil {
		return nil, p, "", false
	}
	u, p, ok = m.lookup(source, n)
	return u, p, text, ok
}

// reword gives an error of the machine Lua's words.
func reword(text string, p position) string {
	switch {
	case strings.HasPrefix(text, "attempt to index a non-table object("):
		typ, _, _ := strings.Cut(strings.TrimPrefix(text, "attempt to index a non-table object("), ")")
		return typeError(typ, "index", p.names[0])
	case text == "attempt to call a non-function object":
		return typeError("table", "call", p.names[0])
	case strings.HasPrefix(text, "cannot perform "):
		_, types, ok := strings.Cut(text, " operation between ")
		x, y, ok2 := strings.Cut(types, " and ")
		if !ok || !ok2 {
			return text
		}
		if x == "number" {
			return typeError(y, "perform arithmetic on", p.names[1])
		}
		return typeError(x, "perform arithmetic on", p.names[0])
	case text == "__unm undefined":
		return typeError("table", "perform arithmetic on", p.names[0])
	case strings.HasPrefix(text, "attempt to compare "):
		x, y, ok := strings.Cut(strings.TrimPrefix(text, "attempt to compare "), " with ")
		if ok && x[2] == y[2] { // Lua compares the third letters of the types' names
			return "attempt to compare two " + x + " values"
		}
	case text == "too many recursions in gettable":
		return "loop in gettable"
	case text == "too many recursions in settable":
		return "loop in settable"
	case text == "registry overflow":
		return "stack overflow"
	}
	return text
}
