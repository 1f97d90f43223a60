package lualib_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"
	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/lualib"
	"github.com/luagen/luagen/internal/engine/luavm"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// runner is one state with the libraries as globals, for chunks that the engine's own compiler compiles.
type runner struct {
	*luavm.Machine
	chunks uint64
}

func newRunner(t testing.TB, opts lualib.Options) *runner {
	t.Helper()
	L := lua.NewState(lua.Options{SkipOpenLibs: true, CallStackSize: 2000, RegistrySize: 8192, RegistryMaxSize: 1 << 20})
	t.Cleanup(L.Close)
	if opts.Meter == nil {
		opts.Meter = unbounded{}
	}
	r := &runner{Machine: luavm.New(L, opts)}
	for name, fn := range r.Base() {
		L.SetGlobal(name, fn)
	}
	for name, table := range r.Modules() {
		frozen := r.Freeze(table)
		if name == "string" {
			r.SetStringIndex(frozen)
		}
		if name != "os" { // the server that answers has none
			L.SetGlobal(name, frozen)
		}
	}
	L.SetGlobal("pcall", L.NewFunction(r.protectedCall))
	return r
}

// unbounded is a Meter that allows everything.
type unbounded struct{}

func (unbounded) Steps(int) error { return nil }
func (unbounded) Bytes(int) error { return nil }

// protectedCall is pcall as far as the tests need it. A panic inside a library is not an error of the script's.
func (r *runner) protectedCall(L *lua.LState) int {
	n := L.GetTop()
	if err := L.PCall(n-1, lua.MultRet, nil); err != nil {
		apiErr, ok := err.(*lua.ApiError)
		if !ok || apiErr.Type == lua.ApiErrorPanic {
			panic(err)
		}
		L.SetTop(0)
		L.Push(lua.LFalse)
		L.Push(r.Message(apiErr.Object))
		return 2
	}
	L.Insert(lua.LTrue, 1)
	return L.GetTop()
}

// run runs a chunk and returns its results.
func (r *runner) run(text string) (results []lua.LValue, err error) {
	chunk, diagnostics := syntax.Parse(source.New("user_script", text))
	if len(diagnostics) > 0 {
		return nil, errors.New(diagnostics[0].Message)
	}
	r.chunks++
	unit, err := luavm.Compile(chunk, "user_script", r.chunks)
	if err != nil {
		return nil, err
	}
	L := r.L
	top := L.GetTop()
	defer L.SetTop(top)
	L.Push(r.Function(unit))
	if err := L.PCall(0, lua.MultRet, nil); err != nil {
		if apiErr, ok := err.(*lua.ApiError); ok && apiErr.Type != lua.ApiErrorPanic {
			return nil, errors.New(lualib.ToString(r.Message(apiErr.Object)))
		}
		return nil, err
	}
	for i := top + 1; i <= L.GetTop(); i++ {
		results = append(results, L.Get(i))
	}
	return results, nil
}

// describe is Lua that turns results into text: types, numbers to the last digit, tables in the order of pairs.
const describe = `
local function show(v, depth)
  local t = type(v)
  if t == 'number' then return string.format('%.17g', v) end
  if t == 'string' then return string.format('%q', v) end
  if t == 'table' then
    if depth > 40 then return '{...}' end
    local parts = {}
    local n = 0
    for k, e in pairs(v) do
      n = n + 1
      parts[n] = '[' .. show(k, depth + 1) .. ']=' .. show(e, depth + 1)
    end
    return '{' .. table.concat(parts, ',') .. '}'
  end
  if t == 'nil' or t == 'boolean' then return tostring(v) end
  return t == 'userdata' and tostring(v) or t
end
local out, total = {}, 0
local function case(f, ...)
  local function collect(...)
    local n = select('#', ...)
    local parts = {}
    for i = 1, n do parts[i] = show((select(i, ...)), 0) end
    return table.concat(parts, ' ')
  end
  total = total + 1
  out[total] = collect(pcall(f, ...))
end
`

// script is a chunk that answers with one description for each function body.
func script(bodies []string) string {
	var b strings.Builder
	b.WriteString(describe)
	for _, body := range bodies {
		fmt.Fprintf(&b, "case(function() %s end)\n", body)
	}
	b.WriteString("return out\n")
	return b.String()
}

// describe runs the bodies on the libraries.
func (r *runner) describe(t testing.TB, bodies []string) []string {
	t.Helper()
	results, err := r.run(script(bodies))
	if err != nil {
		t.Fatalf("running on the libraries: %v\n%s", err, strings.Join(bodies, "\n"))
	}
	out := results[0].(*lua.LTable)
	texts := make([]string, len(bodies))
	for i := range texts {
		texts[i] = string(lualib.Get(out, lua.LNumber(i+1)).(lua.LString))
	}
	return texts
}

// theirs runs the bodies on redis-server.
func theirs(t testing.TB, client *redis.Client, bodies []string) []string {
	t.Helper()
	texts, err := client.Eval(context.Background(), script(bodies), nil).StringSlice()
	if err != nil {
		t.Fatalf("running on redis-server: %v\n%s", err, strings.Join(bodies, "\n"))
	}
	return texts
}
