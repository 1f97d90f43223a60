package engine

// This file implements EVAL and its kin, the SCRIPT command and the cache of
// scripts.

import (
	"container/list"
	"strconv"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/luavm"
)

// cached is a script that the server knows.
type cached struct {
	sha     string
	unit    *luavm.Unit
	flags   scriptFlags
	fn      *lua.LFunction // in the interpreter vm
	vm      *interpreter
	evicted *list.Element // its place in the order of eviction; nil for SCRIPT LOAD
}

// scriptFlags are those of a #! line.
type scriptFlags struct {
	shebang, noWrites, allowOOM, allowStale, noCluster, crossSlot bool
}

// scriptCache holds scripts by digest; those that came by EVAL leave it when
// there are too many.
type scriptCache struct {
	bySHA  map[string]*cached
	byText map[string]*cached // saves hashing a script again
	order  *list.List
	limit  int
}

func newScriptCache(limit int) *scriptCache {
	c := &scriptCache{limit: limit}
	c.flush()
	return c
}

func (c *scriptCache) flush() {
	c.bySHA, c.byText, c.order = map[string]*cached{}, map[string]*cached{}, list.New()
}

func (c *scriptCache) touch(s *cached) {
	if s.evicted != nil {
		c.order.MoveToBack(s.evicted)
	}
}

func (c *scriptCache) add(text string, s *cached, loaded bool) {
	c.bySHA[s.sha], c.byText[text] = s, s
	if loaded || c.limit == 0 {
		return
	}
	s.evicted = c.order.PushBack(text)
	if c.order.Len() > c.limit {
		oldest := c.order.Remove(c.order.Front()).(string)
		delete(c.bySHA, c.byText[oldest].sha)
		delete(c.byText, oldest)
	}
}

// load compiles a script unless it is known. The error is the client's.
func (e *Engine) load(text string, byCommand bool) (*cached, string) {
	if s, ok := e.cache.byText[text]; ok {
		if byCommand && s.evicted != nil {
			e.cache.order.Remove(s.evicted)
			s.evicted = nil
		}
		e.cache.touch(s)
		return s, ""
	}
	flags, why := e.readShebang(text)
	if why != "" {
		return nil, "ERR " + why
	}
	unit, err := e.compile(text, "user_script")
	if err != nil {
		return nil, "ERR Error compiling script (new function): " + err.Error()
	}
	s := &cached{sha: digest(text), unit: unit, flags: flags}
	e.cache.add(text, s, byCommand)
	return s, ""
}

// readShebang reads the flags of a #! line.
func (e *Engine) readShebang(text string) (f scriptFlags, why string) {
	if !e.dialect.shebang || !strings.HasPrefix(text, "#!") {
		return f, ""
	}
	f.shebang = true
	line, _, ok := strings.Cut(text, "\n")
	if !ok {
		return f, "Invalid script shebang"
	}
	words := strings.Fields(line)
	if words[0] != "#!lua" {
		return f, "Unexpected engine in script shebang: " + words[0]
	}
	for _, w := range words[1:] {
		list, ok := strings.CutPrefix(w, "flags=")
		if !ok {
			return f, "Unknown lua shebang option: " + w
		}
		if why := f.read(strings.Split(list, ","), "Unexpected flag in script shebang: "); why != "" {
			return f, why
		}
	}
	return f, ""
}

func (f *scriptFlags) read(names []string, refusal string) string {
	for _, name := range names {
		switch name {
		case "":
		case "no-writes":
			f.noWrites = true
		case "allow-oom":
			f.allowOOM = true
		case "allow-stale":
			f.allowStale = true
		case "no-cluster":
			f.noCluster = true
		case "allow-cross-slot-keys":
			f.crossSlot = true
		default:
			return refusal + name
		}
	}
	return ""
}

const (
	noScript     = "NOSCRIPT No matching script. Please use EVAL."
	writeFlagRO  = "ERR Can not execute a script with write flag using *_ro command."
	notInteger   = "ERR value is not an integer or out of range"
	negativeKeys = "ERR Number of keys can't be negative"
	tooManyKeys  = "ERR Number of keys can't be greater than number of args"
)

// eval is EVAL, EVALSHA and their read-only forms.
func (e *Engine) eval(s *session, args []string) {
	if why := e.wireError(args); why != "" {
		s.writeError(why)
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
	var sc *cached
	if strings.HasPrefix(args[0], "EVALSHA") {
		sc = e.cache.bySHA[strings.ToLower(args[1])]
		if sc == nil {
			s.writeError(noScript)
			return
		}
		e.cache.touch(sc)
	} else if sc, why = e.load(args[1], false); why != "" {
		s.writeError(why)
		return
	}
	readOnly := strings.HasSuffix(args[0], "_RO")
	if readOnly && sc.flags.shebang && !sc.flags.noWrites {
		s.writeError(writeFlagRO)
		return
	}
	vm := e.interpreter()
	if sc.vm != vm {
		sc.vm, sc.fn = vm, vm.Function(sc.unit)
	}
	keys, rest := args[3:3+nkeys], args[3+nkeys:]
	vm.globals.RawSetString("KEYS", vm.list(keys))
	vm.globals.RawSetString("ARGV", vm.list(rest))
	r := &run{caller: s, name: sc.sha, keys: keys, resp: 2,
		readOnly: readOnly || sc.flags.noWrites, flags: sc.flags}
	e.invoke(s, vm, r, sc.fn, nil)
}

// keyCount reads the number of keys, the third argument.
func keyCount(args []string) (int, string) {
	n, err := strconv.ParseInt(args[2], 10, 64)
	switch {
	case err != nil || strings.HasPrefix(args[2], "+"):
		return 0, notInteger
	case n > int64(len(args)-3):
		return 0, tooManyKeys
	case n < 0:
		return 0, negativeKeys
	}
	return int(n), ""
}

func (e *Engine) interpreter() *interpreter {
	if e.vm == nil {
		e.vm = newInterpreter(e, false)
	}
	return e.vm
}

// list makes the table of KEYS or ARGV.
func (vm *interpreter) list(items []string) *lua.LTable {
	values := make([]lua.LValue, len(items))
	for i, s := range items {
		values[i] = lua.LString(s)
	}
	return vm.NewArray(values)
}

// invoke runs a function of a script and writes its reply.
func (e *Engine) invoke(s *session, vm *interpreter, r *run, fn *lua.LFunction, args []lua.LValue) {
	e.scripts.selectDB(e, s.db)
	e.running.Store(vm.limits)
	enc := encoder{libs: vm.Libraries, resp3: s.peer.Resp3}
	err := vm.call(r, fn, args, func(v lua.LValue) {
		enc.script3 = r.resp == 3
		enc.value(v)
	})
	e.running.Store(nil)
	if err != nil {
		s.writeError(err.Error())
		return
	}
	s.peer.WriteRaw(string(enc.out))
}

// selectDB makes the scripts' connection use a database.
func (c *scriptConn) selectDB(e *Engine, db int) {
	if c.db != db {
		c.do(e, []string{"SELECT", itoa(db)}, 2)
		c.db = db
	}
}

// script is the SCRIPT command.
func (e *Engine) script(s *session, args []string) {
	if why := e.wireError(args); why != "" {
		s.writeError(why)
		return
	}
	switch strings.ToUpper(args[1]) {
	case "LOAD":
		sc, why := e.load(args[2], true)
		if why != "" {
			s.writeError(why)
			return
		}
		s.peer.WriteBulk(sc.sha)
	case "EXISTS":
		s.peer.WriteLen(len(args) - 2)
		for _, sha := range args[2:] {
			n := 0
			if e.cache.bySHA[strings.ToLower(sha)] != nil {
				n = 1
			}
			s.peer.WriteInt(n)
		}
	case "FLUSH":
		if len(args) > 3 || len(args) == 3 && !strings.EqualFold(args[2], "SYNC") && !strings.EqualFold(args[2], "ASYNC") {
			s.writeError("ERR SCRIPT FLUSH only support SYNC|ASYNC option")
			return
		}
		e.cache.flush()
		e.vm = nil
		s.peer.WriteOK()
	case "KILL":
		e.kill(s, false)
	case "DEBUG":
		s.peer.WriteOK()
	default:
		s.writeError("ERR unknown subcommand '" + args[1] + "'. Try SCRIPT HELP.")
	}
}
