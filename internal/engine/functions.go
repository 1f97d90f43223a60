package engine

// This file implements functions: libraries that FUNCTION LOAD keeps, and
// FCALL.

import (
	"path"
	"slices"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/lualib"
)

// library is a loaded library.
type library struct {
	name, code string
	functions  []*function
}

// function is a registered function.
type function struct {
	name, description string
	flagNames         []string
	flags             scriptFlags
	fn                *lua.LFunction
	library           *library
}

// functionStore holds the libraries of a server, in their own interpreter.
type functionStore struct {
	vm        *interpreter
	onLoad    *lua.LTable // the table redis while a library loads
	libraries []*library
	byName    map[string]*function
}

func (e *Engine) functionStore() *functionStore {
	if e.functions == nil {
		vm := newInterpreter(e, true)
		e.functions = &functionStore{vm: vm, onLoad: vm.Freeze(vm.loadTable()), byName: map[string]*function{}}
	}
	return e.functions
}

// loadTable is the table redis that a library sees while it loads.
func (vm *interpreter) loadTable() *lua.LTable {
	all := vm.globals.RawGetString("redis").(*lua.LTable)
	t := vm.NewTable(0, 0)
	for _, name := range []string{"register_function", "log", "LOG_DEBUG", "LOG_VERBOSE", "LOG_NOTICE", "LOG_WARNING",
		"REDIS_VERSION", "REDIS_VERSION_NUM"} {
		vm.Set(t, lua.LString(name), lualib.Get(lualib.Behind(all), lua.LString(name)))
	}
	return t
}

// registerFunction is redis.register_function.
func (vm *interpreter) registerFunction(L *lua.LState) int {
	lib := vm.loading
	if lib == nil {
		vm.raiseTable(L, "redis.register_function can only be called on FUNCTION LOAD command")
	}
	f := &function{library: lib}
	switch n := L.GetTop(); {
	case n < 1 || n > 2:
		vm.raiseTable(L, "wrong number of arguments to redis.register_function")
	case n == 1:
		t, ok := L.Get(1).(*lua.LTable)
		if !ok {
			vm.raiseTable(L, "calling redis.register_function with a single argument is only applicable to Lua table (representing named arguments).")
		}
		vm.namedArguments(L, t, f)
	default:
		name, ok := stringArgument(L.Get(1))
		if !ok {
			vm.raiseTable(L, "first argument to redis.register_function must be a string")
		}
		fn, ok := L.Get(2).(*lua.LFunction)
		if !ok {
			vm.raiseTable(L, "second argument to redis.register_function must be a function")
		}
		f.name, f.fn = name, fn
	}
	if !validName(f.name) {
		vm.raiseTable(L, "Library names can only contain letters, numbers, or underscores(_) and must be at least one character long")
	}
	if slices.ContainsFunc(lib.functions, func(g *function) bool { return g.name == f.name }) {
		vm.raiseTable(L, "Function already exists in the library")
	}
	lib.functions = append(lib.functions, f)
	return 0
}

func (vm *interpreter) namedArguments(L *lua.LState, t *lua.LTable, f *function) {
	for k, v, ok := vm.Next(t, lua.LNil); ok && k != lua.LNil; k, v, ok = vm.Next(t, k) {
		key, isText := k.(lua.LString)
		if !isText {
			vm.raiseTable(L, "named argument key given to redis.register_function is not a string")
		}
		switch strings.ToLower(string(key)) {
		case "function_name":
			s, ok := stringArgument(v)
			if !ok {
				vm.raiseTable(L, "function_name argument given to redis.register_function must be a string")
			}
			f.name = s
		case "description":
			s, ok := stringArgument(v)
			if !ok {
				vm.raiseTable(L, "description argument given to redis.register_function must be a string")
			}
			f.description = s
		case "callback":
			fn, ok := v.(*lua.LFunction)
			if !ok {
				vm.raiseTable(L, "callback argument given to redis.register_function must be a function")
			}
			f.fn = fn
		case "flags":
			list, ok := v.(*lua.LTable)
			if !ok {
				vm.raiseTable(L, "flags argument to redis.register_function must be a table representing function flags")
			}
			for i := 1; lualib.Get(list, lua.LNumber(i)) != lua.LNil; i++ {
				name, ok := stringArgument(lualib.Get(list, lua.LNumber(i)))
				if !ok || f.flags.read([]string{name}, "x") != "" {
					vm.raiseTable(L, "unknown flag given")
				}
				f.flagNames = append(f.flagNames, name)
			}
		default:
			vm.raiseTable(L, "unknown argument given to redis.register_function")
		}
	}
	if f.name == "" {
		vm.raiseTable(L, "redis.register_function must get a function name argument")
	}
	if f.fn == nil {
		vm.raiseTable(L, "redis.register_function must get a callback argument")
	}
}

func validName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z')
	})
}

// function is the FUNCTION command.
func (e *Engine) function(s *session, args []string) {
	if why := e.wireError(args); why != "" {
		s.writeError(why)
		return
	}
	switch strings.ToUpper(args[1]) {
	case "LOAD":
		name, why := e.loadLibrary(args[2:])
		if why != "" {
			s.writeError("ERR " + why)
			return
		}
		s.peer.WriteBulk(name)
	case "LIST":
		e.listLibraries(s, args[2:])
	case "DELETE":
		if !e.functionStore().remove(args[2]) {
			s.writeError("ERR Library not found")
			return
		}
		s.peer.WriteOK()
	case "FLUSH":
		if len(args) > 3 || len(args) == 3 && !strings.EqualFold(args[2], "SYNC") && !strings.EqualFold(args[2], "ASYNC") {
			s.writeError("ERR FUNCTION FLUSH only supports SYNC|ASYNC option")
			return
		}
		e.functions = nil
		s.peer.WriteOK()
	case "STATS":
		e.functionStats(s)
	case "KILL":
		e.kill(s, true)
	default:
		s.writeError("ERR unknown subcommand '" + args[1] + "'. Try FUNCTION HELP.")
	}
}

// loadLibrary is FUNCTION LOAD [REPLACE] code; it returns the library's name or
// what is wrong.
func (e *Engine) loadLibrary(args []string) (name, why string) {
	replace := false
	for ; len(args) > 1; args = args[1:] {
		if !strings.EqualFold(args[0], "REPLACE") {
			return "", "Unknown option given: " + args[0]
		}
		replace = true
	}
	lib := &library{code: args[0]}
	if lib.name, why = libraryName(lib.code); why != "" {
		return "", why
	}
	store := e.functionStore()
	old := store.find(lib.name)
	if old != nil && !replace {
		return "", "Library '" + lib.name + "' already exists"
	}
	unit, err := e.compile("--"+lib.code[2:], "user_function") // its #! line has been read
	if err != nil {
		return "", "Error compiling function: " + err.Error()
	}
	vm := store.vm
	api := vm.globals.RawGetString("redis")
	vm.globals.RawSetString("redis", store.onLoad)
	vm.loading = lib
	err = vm.call(&run{name: lib.name, resp: 2}, vm.Function(unit), nil, func(lua.LValue) {})
	vm.loading = nil
	vm.globals.RawSetString("redis", api)
	if err != nil {
		return "", "Error registering functions: " + loadError(err.Error(), lib.name)
	}
	if len(lib.functions) == 0 {
		return "", "No functions registered"
	}
	for _, f := range lib.functions {
		if g := store.byName[f.name]; g != nil && g.library != old {
			return "", "Function " + f.name + " already exists"
		}
	}
	store.remove(lib.name)
	store.libraries = append(store.libraries, lib)
	for _, f := range lib.functions {
		store.byName[f.name] = f
	}
	return lib.name, ""
}

// loadError gives an error of a library's main chunk the form of FUNCTION LOAD.
func loadError(text, name string) string {
	text = strings.TrimPrefix(text, "ERR ")
	message, place, ok := strings.Cut(text, " script: "+name+", on ")
	if !ok {
		return text
	}
	source, line, _ := strings.Cut(strings.TrimSuffix(place, "."), ":")
	return source + ":" + line + ": " + message
}

// libraryName reads the #! line of a library.
func libraryName(code string) (name, why string) {
	if !strings.HasPrefix(code, "#!") {
		return "", "Missing library metadata"
	}
	line, _, ok := strings.Cut(code, "\n")
	if !ok {
		return "", "Invalid library metadata"
	}
	words := strings.Fields(line)
	if engine := strings.TrimPrefix(words[0], "#!"); !strings.EqualFold(engine, "lua") {
		return "", "Engine '" + engine + "' not found"
	}
	for _, w := range words[1:] {
		value, ok := strings.CutPrefix(w, "name=")
		if !ok {
			return "", "Invalid metadata value given: " + w
		}
		if name != "" {
			return "", "Invalid metadata value, name argument was given multiple times"
		}
		name = value
	}
	if name == "" {
		return "", "Library name was not given"
	}
	if !validName(name) {
		return "", "Library names can only contain letters, numbers, or underscores(_) and must be at least one character long"
	}
	return name, ""
}

func (st *functionStore) find(name string) *library {
	for _, l := range st.libraries {
		if l.name == name {
			return l
		}
	}
	return nil
}

func (st *functionStore) remove(name string) bool {
	lib := st.find(name)
	if lib == nil {
		return false
	}
	for _, f := range lib.functions {
		delete(st.byName, f.name)
	}
	st.libraries = slices.DeleteFunc(st.libraries, func(l *library) bool { return l == lib })
	return true
}

func (e *Engine) listLibraries(s *session, args []string) {
	pattern, withCode := "", false
	for i := 0; i < len(args); i++ {
		switch {
		case strings.EqualFold(args[i], "WITHCODE") && !withCode:
			withCode = true
		case strings.EqualFold(args[i], "LIBRARYNAME") && pattern == "":
			if i++; i == len(args) {
				s.writeError("ERR library name argument was not given")
				return
			}
			pattern = args[i]
		default:
			s.writeError("ERR Unknown argument " + args[i])
			return
		}
	}
	var libs []*library
	for _, l := range e.functionStore().libraries {
		if ok, _ := path.Match(pattern, l.name); ok || pattern == "" {
			libs = append(libs, l)
		}
	}
	p := s.peer
	p.WriteLen(len(libs))
	for _, l := range libs {
		n := 3
		if withCode {
			n = 4
		}
		p.WriteMapLen(n)
		p.WriteBulk("library_name")
		p.WriteBulk(l.name)
		p.WriteBulk("engine")
		p.WriteBulk("LUA")
		p.WriteBulk("functions")
		p.WriteLen(len(l.functions))
		for _, f := range l.functions {
			p.WriteMapLen(3)
			p.WriteBulk("name")
			p.WriteBulk(f.name)
			p.WriteBulk("description")
			if f.description == "" {
				p.WriteNull()
			} else {
				p.WriteBulk(f.description)
			}
			p.WriteBulk("flags")
			p.WriteSetLen(len(f.flagNames))
			for _, name := range f.flagNames {
				p.WriteBulk(name)
			}
		}
		if withCode {
			p.WriteBulk("library_code")
			p.WriteBulk(l.code)
		}
	}
}

func (e *Engine) functionStats(s *session) {
	store := e.functionStore()
	p := s.peer
	p.WriteMapLen(2)
	p.WriteBulk("running_script")
	p.WriteNull()
	p.WriteBulk("engines")
	p.WriteMapLen(1)
	p.WriteBulk("LUA")
	p.WriteMapLen(2)
	p.WriteBulk("libraries_count")
	p.WriteInt(len(store.libraries))
	p.WriteBulk("functions_count")
	p.WriteInt(len(store.byName))
}

// fcall is FCALL and FCALL_RO.
func (e *Engine) fcall(s *session, args []string) {
	if why := e.wireError(args); why != "" {
		s.writeError(why)
		return
	}
	store := e.functionStore()
	f := store.byName[args[1]]
	if f == nil {
		s.writeError("ERR Function not found")
		return
	}
	if _, err := strconv.ParseInt(args[2], 10, 64); err != nil {
		s.writeError("ERR Bad number of keys provided")
		return
	}
	nkeys, why := keyCount(args)
	if why != "" {
		s.writeError(why)
		return
	}
	if e.opts.Cluster && !oneSlot(args[3:3+nkeys]) {
		s.writeError(crossSlotRequest)
		return
	}
	readOnly := args[0] == "FCALL_RO"
	if readOnly && !f.flags.noWrites {
		s.writeError(writeFlagRO)
		return
	}
	f.flags.shebang = true
	keys := args[3 : 3+nkeys]
	r := &run{caller: s, name: f.name, keys: keys, resp: 2, readOnly: readOnly || f.flags.noWrites, flags: f.flags}
	e.invoke(s, store.vm, r, f.fn, []lua.LValue{store.vm.list(keys), store.vm.list(args[3+nkeys:])})
}
