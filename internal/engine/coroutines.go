package engine

// This file implements coroutines: the VM's threads with Lua's texts, and
// watched by the same limits.

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/luavm"
)

func (vm *interpreter) addCoroutine() {
	lib := vm.NewTable(0, 6)
	for _, f := range []struct {
		name string
		fn   lua.LGFunction
	}{
		{"create", vm.coCreate}, {"wrap", vm.coWrap}, {"resume", vm.coResume},
		{"yield", vm.coYield}, {"status", vm.coStatus}, {"running", vm.coRunning},
	} {
		vm.Set(lib, lua.LString(f.name), vm.L.NewFunction(f.fn))
	}
	vm.globals.RawSetString("coroutine", vm.Freeze(lib))
}

func (vm *interpreter) newThread(L *lua.LState, name string) *lua.LState {
	fn, ok := L.Get(1).(*lua.LFunction)
	if !ok || fn.IsG {
		raise(L, "bad argument #1 to '"+name+"' (Lua function expected)")
	}
	thread, cancel := vm.L.NewThread()
	if cancel != nil {
		cancel()
	}
	thread.SetContext(vm.limits)
	vm.coroutines[thread] = fn
	return thread
}

func (vm *interpreter) coCreate(L *lua.LState) int {
	L.Push(vm.newThread(L, "create"))
	return 1
}

func (vm *interpreter) coWrap(L *lua.LState) int {
	thread := vm.newThread(L, "wrap")
	L.Push(vm.L.NewFunction(func(L *lua.LState) int {
		values, err := vm.resume(L, thread, arguments(L, 1))
		if err != nil {
			if s, ok := err.(lua.LString); ok {
				err = lua.LString(luavm.Where(L, 1)) + s
			}
			L.Error(err, 0)
		}
		for _, v := range values {
			L.Push(v)
		}
		return len(values)
	}))
	return 1
}

func arguments(L *lua.LState, from int) []lua.LValue {
	var args []lua.LValue
	for i := from; i <= L.GetTop(); i++ {
		args = append(args, L.Get(i))
	}
	return args
}

// resume runs a coroutine until it yields, ends or raises an error, whose
// value is then not nil.
func (vm *interpreter) resume(L *lua.LState, thread *lua.LState, args []lua.LValue) ([]lua.LValue, lua.LValue) {
	switch status := vm.status(L, thread); status {
	case "suspended":
	case "running", "normal":
		return nil, lua.LString("cannot resume non-suspended coroutine")
	default:
		return nil, lua.LString("cannot resume dead coroutine")
	}
	vm.enterC(L)
	depth, barrier := vm.cDepth, vm.barriers[L]
	state, err, values := L.Resume(thread, vm.coroutines[thread], args...)
	vm.cDepth, vm.barriers[L] = depth, barrier
	vm.leaveC(L)
	if state == lua.ResumeError {
		delete(vm.coroutines, thread)
		api, ok := err.(*lua.ApiError)
		if !ok {
			return nil, lua.LString(err.Error())
		}
		return nil, vm.Message(api.Object)
	}
	if state == lua.ResumeOK {
		delete(vm.coroutines, thread)
	}
	return values, nil
}

func (vm *interpreter) status(L, thread *lua.LState) string {
	if _, alive := vm.coroutines[thread]; !alive && thread != vm.L {
		return "dead"
	}
	if thread == L {
		return "running"
	}
	for p := L.Parent; p != nil; p = p.Parent {
		if p == thread {
			return "normal"
		}
	}
	return "suspended"
}

func checkThread(L *lua.LState) *lua.LState {
	thread, ok := L.Get(1).(*lua.LState)
	if !ok {
		raise(L, "bad argument #1 to '?' (coroutine expected)")
	}
	return thread
}

func (vm *interpreter) coResume(L *lua.LState) int {
	values, err := vm.resume(L, checkThread(L), arguments(L, 2))
	if err != nil {
		L.Push(lua.LFalse)
		L.Push(err)
		return 2
	}
	L.Push(lua.LTrue)
	for _, v := range values {
		L.Push(v)
	}
	return len(values) + 1
}

func (vm *interpreter) coYield(L *lua.LState) int {
	if L == vm.L || vm.barriers[L] > 0 {
		raise(L, "attempt to yield across metamethod/C-call boundary")
	}
	return L.Yield(arguments(L, 1)...)
}

func (vm *interpreter) coStatus(L *lua.LState) int {
	L.Push(lua.LString(vm.status(L, checkThread(L))))
	return 1
}

func (vm *interpreter) coRunning(L *lua.LState) int {
	if L == vm.L {
		L.Push(lua.LNil)
	} else {
		L.Push(L)
	}
	return 1
}
