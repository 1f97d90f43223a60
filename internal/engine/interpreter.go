package engine

// This file implements the Lua interpreter of a server: its state, its globals
// and how a compiled script runs in it.

import (
	"errors"
	"strings"
	"sync/atomic"
	"weak"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/coverage"
	"github.com/luagen/luagen/internal/engine/lualib"
	"github.com/luagen/luagen/internal/engine/luavm"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// interpreter is one Lua state with the sandbox of a Redis server. Scripts
// share it one after the other, as on the server.
type interpreter struct {
	*luavm.Machine
	engine     *Engine
	limits     *governor
	globals    *lua.LTable    // what scripts can read, by name
	handler    *lua.LFunction // __redis__err__handler
	coroutines map[*lua.LState]*lua.LFunction
	barriers   map[*lua.LState]int // C calls under way, across which nothing may yield
	cDepth     int
	weak       []weak.Pointer[lua.LTable] // those that the running script made
	loading    *library                   // the functions that FUNCTION LOAD is collecting
	current    *run
}

// run is one execution of a script or function.
type run struct {
	caller   *session
	name     string // sha1 or the function's name
	readOnly bool
	flags    scriptFlags
	resp     int // what redis.setresp chose
	keys     []string
}

const (
	callDepth  = 16384 // where Lua 5.1's growing call stack stops
	stackSlots = 1 << 20
)

func newInterpreter(e *Engine, functions bool) *interpreter {
	L := lua.NewState(lua.Options{
		SkipOpenLibs: true, CallStackSize: callDepth,
		RegistrySize: 4096, RegistryMaxSize: stackSlots, RegistryGrowStep: 4096,
	})
	L.Options = lua.Options{ // of coroutines
		SkipOpenLibs: true, CallStackSize: 4096, MinimizeStackMemory: true,
		RegistrySize: 256, RegistryMaxSize: stackSlots, RegistryGrowStep: 1024,
	}
	vm := &interpreter{engine: e, limits: newGovernor(e),
		coroutines: map[*lua.LState]*lua.LFunction{}, barriers: map[*lua.LState]int{}}
	vm.Machine = luavm.New(L, lualib.Options{Random: e.random, Meter: vm.limits})
	L.SetContext(vm.limits)
	vm.buildSandbox(functions)
	return vm
}

// field is a table with one field.
func (vm *interpreter) field(name string, v lua.LValue) *lua.LTable {
	t := vm.NewTable(0, 0)
	vm.Set(t, lua.LString(name), v)
	return t
}

// errorTable is how an error looks to scripts. A text that begins with - and
// holds a space begins with its code; any other gets the code ERR.
func (vm *interpreter) errorTable(text string, fromCommand bool) *lua.LTable {
	t := vm.field("err", lua.LString(withCode(text)))
	if fromCommand {
		vm.Set(t, lua.LString("ignore_error_stats_update"), lua.LTrue)
	}
	return t
}

func withCode(text string) string {
	if rest, ok := strings.CutPrefix(text, "-"); ok {
		code, message, found := strings.Cut(rest, " ")
		if !found {
			return "ERR " + strings.Trim(rest, "\r\n")
		}
		return strings.Trim(code, "\r\n") + " " + strings.Trim(message, "\r\n")
	}
	return "ERR " + strings.Trim(text, "\r\n")
}

// compile compiles a script's text; the error is in Redis's words.
func (e *Engine) compile(text, name string) (*luavm.Unit, error) {
	chunk, _ := syntax.Parse(source.New(name, text))
	if r := chunk.Refusal; r != nil {
		if r.Line == 0 {
			return nil, errors.New(r.Message)
		}
		return nil, errors.New(name + ":" + itoa(r.Line) + ": " + r.Message)
	}
	if e.opts.Coverage == nil {
		return luavm.Compile(chunk, name, e.units.Add(1))
	}
	sha1 := digest(text)
	counter := func(p coverage.Point) *atomic.Uint64 { return e.opts.Coverage.Counter(sha1, p) }
	return luavm.CompileCounting(chunk, name, e.units.Add(1), counter)
}

// call runs a function of the state with the arguments given, and hands its
// first result to done; the result lives only until done returns.
func (vm *interpreter) call(r *run, fn *lua.LFunction, args []lua.LValue, done func(lua.LValue)) error {
	L := vm.L
	vm.current = r
	vm.limits.start(r)
	defer func() {
		vm.limits.stop()
		vm.current = nil
		vm.cDepth = 0
		vm.weak = nil
		clear(vm.coroutines)
		clear(vm.barriers)
	}()
	L.SetTop(0)
	L.Push(fn)
	for _, a := range args {
		L.Push(a)
	}
	err := L.PCall(len(args), 1, vm.handler)
	if err != nil {
		var api *lua.ApiError
		if !errors.As(err, &api) {
			return vm.failure(lua.LString(err.Error()), r)
		}
		return vm.failure(api.Object, r)
	}
	done(L.Get(1))
	L.SetTop(0)
	return nil
}

// scriptError is an error that ends a script, ready for the client.
type scriptError string

func (e scriptError) Error() string { return string(e) }

// failure turns what the error handler left into the client's error.
func (vm *interpreter) failure(v lua.LValue, r *run) error {
	t, ok := v.(*lua.LTable)
	if !ok {
		// the handler itself could not run: the stack was full
		t = vm.field("err", lua.LString("ERR "+lualib.ToString(vm.Message(v))))
		if name, line, ok := vm.Place(v); ok {
			vm.Set(t, lua.LString("source"), lua.LString("@"+name))
			vm.Set(t, lua.LString("line"), lua.LNumber(line))
		}
	}
	message, ok := text(t, "err")
	if !ok {
		return scriptError("ERR Error running script " + r.name + ": the error is a table without a field err")
	}
	source, ok1 := text(t, "source")
	line, ok2 := lualib.Get(t, lua.LString("line")).(lua.LNumber)
	if ok1 && ok2 && !vm.engine.dialect.tableErrors {
		return scriptError("ERR Error running script (call to f_" + r.name + "): " + source + ":" + itoa(int(line)) + ": " +
			strings.TrimPrefix(message, "ERR "))
	}
	if ok1 && ok2 {
		message += " script: " + r.name + ", on " + source + ":" + itoa(int(line)) + "."
	}
	return scriptError(message)
}

// onError is __redis__err__handler: it makes a table of the error, with the
// place where it was raised.
func (vm *interpreter) onError(L *lua.LState) int {
	v := vm.Message(L.Get(1))
	if vm.limits.err != nil {
		v = lua.LString(vm.limits.err.Error())
	}
	t, ok := v.(*lua.LTable)
	if !ok {
		t = vm.field("err", lua.LString("ERR "+lualib.ToString(v)))
	}
	if name, line, ok := luavm.Line(L, 1); ok && lualib.Behind(t) == t {
		vm.Set(t, lua.LString("source"), lua.LString("@"+name))
		vm.Set(t, lua.LString("line"), lua.LNumber(line))
	}
	L.Push(t)
	return 1
}
