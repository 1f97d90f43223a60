// Package lualib holds the libraries of Lua 5.1 as Redis ships them, for the VM of gopher-lua: string, table, math, bit,
// struct, cjson, cmsgpack, os.clock and the plain functions of the base library. They answer as redis-server 7.0.15 does,
// texts of errors included, and every one of them is compared with it.
//
// A Libraries belongs to one *lua.LState and registers nothing by itself: each method returns a table or a function that
// the sandbox puts where it wants.
//
// # Tables
//
// The order of pairs and the border that # answers follow in Lua 5.1 from where a table's keys lie: an array part and a
// hash part, whose sizes follow from the constructor and from every key that was new when it was assigned. Scripts show
// that order, in cjson.encode above all. gopher-lua keeps another one, so this package keeps Lua's layout beside each
// table. To be exact it must hear of three things:
//
//   - Constructors: compile `{…}` to a call of Construct. See there for its arguments.
//   - Assignments of new keys: a table that came from Construct, NewTable or NewArray has a hidden metatable whose
//     __newindex tells it, and whose __len answers #. getmetatable and setmetatable of Base know of it, so scripts do
//     not see it. Go code assigns with Set, reads with Get and walks with Next; LTable's own methods would miss.
//   - Nothing else: a value that is replaced or set to nil leaves the layout as it is, in Lua too.
//
// A table that was made otherwise is laid out when it is first walked, as though its keys had been assigned in the order
// in which gopher-lua has them. That is right for tables that were only ever filled.
//
// # Names in errors
//
// "bad argument #1 to 'insert'" takes the name from the calling expression, and counts from the receiver if that was a
// method call. The compiler writes MethodMark before the name of a method call in FunctionProto.DbgCalls.
package lualib

import (
	"time"

	lua "github.com/yuin/gopher-lua"
)

// Meter is asked by functions whose work or memory depends on their arguments. An error ends the call as a Lua error with
// the error's text; a Meter that must not be caught by pcall panics or ends the state by its own means.
type Meter interface {
	// Steps tells that n units of work are to be done, each about as long as an instruction of the VM.
	Steps(n int) error
	// Bytes tells that about n bytes are to be allocated.
	Bytes(n int) error
}

// Shared is what the scripts of one server share through its interpreter: the settings of cjson, and what collectgarbage
// was told. Redis forgets them with SCRIPT FLUSH, which makes a new interpreter.
type Shared struct {
	json            jsonConfig
	gcPause, gcStep int
}

// NewShared returns the state of a new interpreter.
func NewShared() *Shared {
	return &Shared{json: defaultJSONConfig(), gcPause: 200, gcStep: 200}
}

// Options says what a Libraries works with.
type Options struct {
	// Shared is common to the states of one interpreter; nil gives this one its own.
	Shared *Shared
	// Random is common to the whole life of a server; nil gives this one its own, with Redis's first seed.
	Random *Random
	// Meter may be nil: nothing is bounded then but what Lua itself bounds.
	Meter Meter
	// Where gives the position "chunk:line: " of the function at a level of the call stack, 0 being the running one, or
	// "" when that is not a Lua function. It is required.
	Where func(L *lua.LState, level int) string
	// Clock is what os.clock reads; nil is the time since New.
	Clock func() time.Duration
}

// Libraries offers the libraries to one state.
type Libraries struct {
	state  *lua.LState
	shared *Shared
	random *Random
	meter  Meter
	hooks  hooks
	null   *lua.LUserData

	strings *lua.LTable // what scripts see of the metatable of strings
	where   func(L *lua.LState, level int) string
	clock   func() time.Duration
}

// registryKey is where a state keeps its Libraries.
const registryKey = "luagen.lualib"

// from is the Libraries of a running state.
func from(L *lua.LState) *Libraries {
	return L.G.Registry.RawGetString(registryKey).(*lua.LUserData).Value.(*Libraries)
}

// New returns the libraries for L and its coroutines.
func New(L *lua.LState, opts Options) *Libraries {
	if opts.Shared == nil {
		opts.Shared = NewShared()
	}
	if opts.Random == nil {
		opts.Random = NewRandom()
	}
	if opts.Meter == nil {
		opts.Meter = unmetered{}
	}
	libs := &Libraries{
		state:  L,
		where:  opts.Where,
		clock:  opts.Clock,
		shared: opts.Shared,
		random: opts.Random,
		meter:  opts.Meter,
		null:   &lua.LUserData{Metatable: lua.LNil},
	}
	libs.hooks = newHooks(libs)
	L.G.Registry.RawSetString(registryKey, &lua.LUserData{Value: libs, Metatable: lua.LNil})
	return libs
}

// Null is the value of cjson.null: a light userdata that holds no address.
func (libs *Libraries) Null() *lua.LUserData { return libs.null }

// steps asks the meter and raises its refusal.
func (libs *Libraries) steps(L *lua.LState, n int) {
	if err := libs.meter.Steps(n); err != nil {
		throw(L, err.Error())
	}
}

// bytes asks the meter and raises its refusal.
func (libs *Libraries) bytes(L *lua.LState, n int) {
	if err := libs.meter.Bytes(n); err != nil {
		throw(L, err.Error())
	}
}

// unmetered is the Meter of who asked for none.
type unmetered struct{}

func (unmetered) Steps(int) error { return nil }
func (unmetered) Bytes(int) error { return nil }

// module is a library as a list, in the order of its table's keys.
type module []struct {
	name string
	fn   lua.LGFunction
}

// table makes the library's table.
func (libs *Libraries) table(m module) *lua.LTable {
	tb := libs.NewTable(0, len(m))
	for _, f := range m {
		libs.Set(tb, lua.LString(f.name), libs.state.NewFunction(f.fn))
	}
	return tb
}
