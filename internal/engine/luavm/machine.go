package luavm

// This file implements the part of Lua that runs beside the compiled code: the
// functions that instructions are replaced by, and the metatables that give
// values without a metatable of their own Lua's coercions and errors.

import (
	"strconv"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/lualib"
)

// Machine is what a state needs to run compiled units.
type Machine struct {
	*lualib.Libraries
	L     *lua.LState
	meter lualib.Meter
	units map[string]*Unit
}

// machineKey is where the registry of a state holds its machine.
const machineKey = "luavm"

// New prepares a state. The options go to lualib; Where is set here.
func New(L *lua.LState, opts lualib.Options) *Machine {
	opts.Where = Where
	m := &Machine{L: L, Libraries: lualib.New(L, opts), meter: opts.Meter, units: map[string]*Unit{}}
	L.G.Registry.RawSetString(machineKey, &lua.LUserData{Value: m, Metatable: lua.LNil})
	m.setMetatables()
	return m
}

// of returns the machine of a state or of one of its coroutines.
func of(L *lua.LState) *Machine {
	return L.G.Registry.RawGetString(machineKey).(*lua.LUserData).Value.(*Machine)
}

// Function returns a unit as a function that can be called in this state.
func (m *Machine) Function(u *Unit) *lua.LFunction {
	m.units[u.source] = u
	return m.L.NewFunctionFromProto(u.Proto)
}

// Forget drops every unit but those that keep says to keep.
func (m *Machine) Forget(keep func(*Unit) bool) {
	for s, u := range m.units {
		if keep == nil || !keep(u) {
			delete(m.units, s)
		}
	}
}

// Units returns how many units the state knows.
func (m *Machine) Units() int { return len(m.units) }

func sourceName(id uint64) string { return "\x01" + strconv.FormatUint(id, 10) }

// setMetatables hooks the types whose values the machine would treat
// otherwise, or whose errors it words otherwise, than Lua.
func (m *Machine) setMetatables() {
	L := m.L
	for _, v := range []lua.LValue{lua.LNil, lua.LTrue, lua.LNumber(0), L.NewFunction(callError), L} {
		mt := &lua.LTable{Metatable: lua.LNil}
		if v.Type() != lua.LTFunction {
			mt.RawSetString("__call", L.NewFunction(callError))
		}
		mt.RawSetString("__unm", L.NewFunction(unmError))
		L.SetMetatable(v, mt)
	}
	m.SetStringIndex(nil)
}

// SetStringIndex makes the fields of lib the methods of strings. Call it after
// Modules, which knows nothing of coercions.
func (m *Machine) SetStringIndex(lib *lua.LTable) {
	mt := &lua.LTable{Metatable: lua.LNil}
	for i, event := range arithmeticEvents {
		mt.RawSetString(event, m.L.NewFunction(stringArithmetic(i)))
	}
	mt.RawSetString("__unm", m.L.NewFunction(stringNegation))
	mt.RawSetString("__call", m.L.NewFunction(callError))
	if lib != nil {
		mt.RawSetString("__index", lib)
	}
	m.L.SetMetatable(lua.LString(""), mt)
}

// appendValues(t, n, ...) assigns t[n+1], t[n+2] and so on.
var appendValues = &lua.LFunction{IsG: true, GFunction: func(L *lua.LState) int {
	t, n := L.Get(1).(*lua.LTable), int(L.Get(2).(lua.LNumber))
	libs := of(L).Libraries
	for i := 3; i <= L.GetTop(); i++ {
		libs.Set(t, lua.LNumber(n+i-2), L.Get(i))
	}
	return 0
}}

// construct builds what a table constructor says.
var construct = &lua.LFunction{IsG: true, GFunction: lualib.Construct}

// length is the # operator.
var length = &lua.LFunction{IsG: true, GFunction: func(L *lua.LState) int {
	switch v := L.Get(1).(type) {
	case lua.LString:
		L.Push(lua.LNumber(len(v)))
	case *lua.LTable:
		L.Push(lua.LNumber(of(L).Len(v)))
	default:
		if u, ok := v.(*lua.LUserData); ok {
			if fn := metamethod(u, "__len"); fn != lua.LNil {
				L.Push(fn)
				L.Push(v)
				L.Call(1, 1)
				return 1
			}
		}
		raiseType(L, v, "get length of", 0)
	}
	return 1
}}

// metamethod reads a field of the metatable that a script gave a value.
func metamethod(v lua.LValue, event string) lua.LValue {
	var mt lua.LValue
	switch v := v.(type) {
	case *lua.LTable:
		mt = v.Metatable
	case *lua.LUserData:
		mt = v.Metatable
	}
	if tb, ok := mt.(*lua.LTable); ok {
		return tb.RawGetString(event)
	}
	return lua.LNil
}

// concatenate is the .. operator over all its operands.
var concatenate = &lua.LFunction{IsG: true, GFunction: func(L *lua.LState) int {
	n := L.GetTop()
	last := L.Get(n)
	for i := n - 1; i > 0; {
		left := L.Get(i)
		if !isText(left) || !isText(last) {
			last = concatValues(L, left, last, i-1)
			i--
			continue
		}
		size := textSize(last)
		first := i
		for first > 0 && isText(L.Get(first)) {
			size += textSize(L.Get(first))
			first--
		}
		if err := of(L).meter.Bytes(size); err != nil {
			throw(L, Where(L, 1)+err.Error())
		}
		buf := make([]byte, 0, size)
		for j := first + 1; j <= i; j++ {
			buf = appendText(buf, L.Get(j))
		}
		last = lua.LString(appendText(buf, last))
		i = first
	}
	L.Push(last)
	return 1
}}

func isText(v lua.LValue) bool {
	switch v.(type) {
	case lua.LString, lua.LNumber:
		return true
	}
	return false
}

func textSize(v lua.LValue) int {
	if s, ok := v.(lua.LString); ok {
		return len(s)
	}
	return 24
}

func appendText(buf []byte, v lua.LValue) []byte {
	switch v := v.(type) {
	case lua.LString:
		return append(buf, v...)
	case lua.LNumber:
		return append(buf, lualib.FormatNumber(float64(v))...)
	}
	return buf
}

// concatValues joins a pair of which one is neither string nor number. at is
// the left one's place among the operands.
func concatValues(L *lua.LState, left, right lua.LValue, at int) lua.LValue {
	fn := metamethod(left, "__concat")
	if fn == lua.LNil {
		fn = metamethod(right, "__concat")
	}
	if fn != lua.LNil {
		L.Push(fn)
		L.Push(left)
		L.Push(right)
		L.Call(2, 1)
		v := L.Get(-1)
		L.Pop(1)
		return v
	}
	if isText(left) {
		left, at = right, at+1
	}
	p, text := where(L, 1)
	name := ""
	if at < len(p.list) {
		name = p.list[at]
	}
	throw(L, text+typeError(left.Type().String(), "concatenate", name))
	return lua.LNil
}

// forPrepare checks and converts the bounds of a numeric for.
var forPrepare = &lua.LFunction{IsG: true, GFunction: func(L *lua.LState) int {
	if L.GetTop() == 2 {
		L.Push(lua.LNumber(1))
	}
	for i, what := range []string{"initial value", "limit", "step"} {
		n, ok := toNumber(L.Get(i + 1))
		if !ok {
			_, text := where(L, 1)
			throw(L, text+"'for' "+what+" must be a number")
		}
		L.Replace(i+1, n)
	}
	return 3
}}

func toNumber(v lua.LValue) (lua.LNumber, bool) {
	switch v := v.(type) {
	case lua.LNumber:
		return v, true
	case lua.LString:
		f, ok := lualib.ParseNumber(string(v))
		return lua.LNumber(f), ok
	}
	return 0, false
}

// modulo and power are the operators % and ^: the VM rounds otherwise than C.
var (
	modulo = calculated(opMod)
	power  = calculated(opPow)
)

// The operators' places in arithmeticEvents.
const (
	opMod = 4
	opPow = 5
)

func calculated(op int) *lua.LFunction {
	slow := stringArithmetic(op)
	return &lua.LFunction{IsG: true, GFunction: func(L *lua.LState) int {
		x, ok := L.Get(1).(lua.LNumber)
		y, ok2 := L.Get(2).(lua.LNumber)
		if !ok || !ok2 {
			return slow(L)
		}
		L.Push(lua.LNumber(calculate(op, float64(x), float64(y))))
		return 1
	}}
}

var arithmeticEvents = [...]string{"__add", "__sub", "__mul", "__div", "__mod", "__pow"}

// stringArithmetic is an operation of which an operand is a string: the other
// one's metamethod, or arithmetic on the numbers that the texts stand for.
func stringArithmetic(op int) lua.LGFunction {
	return func(L *lua.LState) int {
		x, y := L.Get(1), L.Get(2)
		for _, v := range []lua.LValue{x, y} {
			if fn := metamethod(v, arithmeticEvents[op]); fn != lua.LNil {
				L.Push(fn)
				L.Push(x)
				L.Push(y)
				L.Call(2, 1)
				return 1
			}
		}
		a, ok := toNumber(x)
		if !ok {
			raiseType(L, x, "perform arithmetic on", 0)
		}
		b, ok := toNumber(y)
		if !ok {
			raiseType(L, y, "perform arithmetic on", 1)
		}
		L.Push(lua.LNumber(calculate(op, float64(a), float64(b))))
		return 1
	}
}

func stringNegation(L *lua.LState) int {
	n, ok := toNumber(L.Get(1))
	if !ok {
		raiseType(L, L.Get(1), "perform arithmetic on", 0)
	}
	L.Push(-n)
	return 1
}

func callError(L *lua.LState) int {
	raiseType(L, L.Get(1), "call", 0)
	return 0
}

func unmError(L *lua.LState) int {
	raiseType(L, L.Get(1), "perform arithmetic on", 0)
	return 0
}
