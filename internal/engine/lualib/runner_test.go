package lualib_test

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

	"github.com/luagen/luagen/internal/engine/lualib"
)

// runner is one state with the libraries as globals, for chunks that gopher-lua itself compiles: its own faults (number
// text in .., multiple assignment) are no part of these tests, so the chunks avoid them.
type runner struct {
	state  *lua.LState
	libs   *lualib.Libraries
	shapes []*lualib.Shape // of the chunk that runs
}

func newRunner(t testing.TB, opts lualib.Options) *runner {
	t.Helper()
	L := lua.NewState(lua.Options{SkipOpenLibs: true, CallStackSize: 2000, RegistrySize: 8192, RegistryMaxSize: 1 << 20})
	t.Cleanup(L.Close)
	libs := lualib.New(L, opts)
	for name, fn := range libs.Base() {
		L.SetGlobal(name, fn)
	}
	for name, table := range libs.Modules() {
		frozen := libs.Freeze(table)
		if name == "string" {
			L.GetMetatable(lua.LString("")).(*lua.LTable).RawSetString("__index", frozen)
		}
		L.SetGlobal(name, frozen)
	}
	L.SetGlobal("pcall", L.NewFunction(protectedCall))
	L.SetGlobal("construct", L.NewFunction(lualib.Construct))
	r := &runner{state: L, libs: libs}
	L.SetGlobal("shape", L.NewFunction(func(L *lua.LState) int {
		L.Push(r.shapes[int(L.Get(1).(lua.LNumber))])
		return 1
	}))
	return r
}

// protectedCall is pcall as far as the tests need it.
func protectedCall(L *lua.LState) int {
	n := L.GetTop()
	if err := L.PCall(n-1, lua.MultRet, nil); err != nil {
		apiErr, ok := err.(*lua.ApiError)
		if !ok || apiErr.Type == lua.ApiErrorPanic {
			panic(err)
		}
		L.SetTop(0)
		L.Push(lua.LFalse)
		L.Push(apiErr.Object)
		return 2
	}
	L.Insert(lua.LTrue, 1)
	return L.GetTop()
}

// run runs a chunk and returns its results.
func (r *runner) run(source string) (results []lua.LValue, err error) {
	chunk, err := parse.Parse(strings.NewReader(source), "user_script")
	if err != nil {
		return nil, err
	}
	rw := rewriter{}
	rw.block(chunk)
	r.shapes = rw.shapes
	proto, err := lua.Compile(chunk, "user_script")
	if err != nil {
		return nil, err
	}
	lualib.MarkMethods(proto)
	L := r.state
	top := L.GetTop()
	L.Push(L.NewFunctionFromProto(proto))
	if err := L.PCall(0, lua.MultRet, nil); err != nil {
		L.SetTop(top)
		return nil, err
	}
	for i := top + 1; i <= L.GetTop(); i++ {
		results = append(results, L.Get(i))
	}
	L.SetTop(top)
	return results, nil
}

// rewriter turns each table constructor into a call of Construct, as the engine's compiler does.
type rewriter struct{ shapes []*lualib.Shape }

func (rw *rewriter) block(stmts []ast.Stmt) {
	for _, stmt := range stmts {
		rw.stmt(stmt)
	}
}

func (rw *rewriter) stmt(stmt ast.Stmt) {
	switch s := stmt.(type) {
	case *ast.AssignStmt:
		rw.list(s.Lhs)
		rw.list(s.Rhs)
	case *ast.LocalAssignStmt:
		rw.list(s.Exprs)
	case *ast.FuncCallStmt:
		rw.expr(&s.Expr)
	case *ast.DoBlockStmt:
		rw.block(s.Stmts)
	case *ast.WhileStmt:
		rw.expr(&s.Condition)
		rw.block(s.Stmts)
	case *ast.RepeatStmt:
		rw.expr(&s.Condition)
		rw.block(s.Stmts)
	case *ast.IfStmt:
		rw.expr(&s.Condition)
		rw.block(s.Then)
		rw.block(s.Else)
	case *ast.NumberForStmt:
		rw.expr(&s.Init)
		rw.expr(&s.Limit)
		if s.Step != nil {
			rw.expr(&s.Step)
		}
		rw.block(s.Stmts)
	case *ast.GenericForStmt:
		rw.list(s.Exprs)
		rw.block(s.Stmts)
	case *ast.FuncDefStmt:
		rw.block(s.Func.Stmts)
	case *ast.ReturnStmt:
		rw.list(s.Exprs)
	}
}

func (rw *rewriter) list(exprs []ast.Expr) {
	for i := range exprs {
		rw.expr(&exprs[i])
	}
}

func (rw *rewriter) expr(x *ast.Expr) {
	switch e := (*x).(type) {
	case *ast.AttrGetExpr:
		rw.expr(&e.Object)
		rw.expr(&e.Key)
	case *ast.FuncCallExpr:
		if e.Func != nil {
			rw.expr(&e.Func)
		} else {
			rw.expr(&e.Receiver)
		}
		rw.list(e.Args)
	case *ast.LogicalOpExpr:
		rw.expr(&e.Lhs)
		rw.expr(&e.Rhs)
	case *ast.RelationalOpExpr:
		rw.expr(&e.Lhs)
		rw.expr(&e.Rhs)
	case *ast.StringConcatOpExpr:
		rw.expr(&e.Lhs)
		rw.expr(&e.Rhs)
	case *ast.ArithmeticOpExpr:
		rw.expr(&e.Lhs)
		rw.expr(&e.Rhs)
	case *ast.UnaryMinusOpExpr:
		rw.expr(&e.Expr)
	case *ast.UnaryNotOpExpr:
		rw.expr(&e.Expr)
	case *ast.UnaryLenOpExpr:
		rw.expr(&e.Expr)
	case *ast.FunctionExpr:
		rw.block(e.Stmts)
	case *ast.TableExpr:
		*x = rw.constructor(e)
	}
}

// constructor builds the call that stands for a constructor.
func (rw *rewriter) constructor(e *ast.TableExpr) ast.Expr {
	line := e.Line()
	shape := &lualib.Shape{}
	computed := false
	for _, f := range e.Fields {
		rw.expr(&f.Value)
		if f.Key != nil {
			rw.expr(&f.Key)
			if _, constant := f.Key.(*ast.StringExpr); !constant {
				computed = true
			}
		}
	}
	literal := &ast.TableExpr{}
	literal.SetLine(line)
	var rest, last []ast.Expr
	for i, f := range e.Fields {
		switch {
		case f.Key == nil && i == len(e.Fields)-1 && isMulti(f.Value):
			last = []ast.Expr{f.Value}
		case f.Key == nil:
			shape.Positional++
			literal.Fields = append(literal.Fields, f)
		case computed:
			shape.Pairs++
			rest = append(rest, f.Key, f.Value)
		default:
			shape.Keys = append(shape.Keys, f.Key.(*ast.StringExpr).Value)
			literal.Fields = append(literal.Fields, f)
		}
	}
	index := &ast.NumberExpr{Value: fmt.Sprint(len(rw.shapes))}
	index.SetLine(line)
	rw.shapes = append(rw.shapes, shape)
	args := append([]ast.Expr{literal, callOf("shape", line, index)}, rest...)
	return callOf("construct", line, append(args, last...)...)
}

// callOf calls a global function for one result.
func callOf(name string, line int, args ...ast.Expr) ast.Expr {
	callee := &ast.IdentExpr{Value: name}
	callee.SetLine(line)
	call := &ast.FuncCallExpr{Func: callee, Args: args, AdjustRet: true}
	call.SetLine(line)
	call.SetLastLine(line)
	return call
}

func isMulti(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Comma3Expr:
		return !e.AdjustRet
	case *ast.FuncCallExpr:
		return !e.AdjustRet
	}
	return false
}

// startRedis starts a redis-server on a socket of its own.
func startRedis(t testing.TB) *redis.Client {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("LUAGEN_REQUIRE_REDIS") == "1" {
			t.Fatal("redis-server is required and was not found")
		}
		t.Skip("redis-server not found; install it to compare with Redis")
	}
	dir, err := os.MkdirTemp("", "lualib")
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "redis.sock")
	cmd := exec.Command(path, "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = os.RemoveAll(dir)
	})
	client := redis.NewClient(&redis.Options{
		Dialer:      func(context.Context, string, string) (net.Conn, error) { return net.Dial("unix", socket) },
		ReadTimeout: time.Minute,
		PoolSize:    1,
	})
	t.Cleanup(func() { _ = client.Close() })
	for range 200 {
		if client.Ping(context.Background()).Err() == nil {
			return client
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("redis-server did not answer within two seconds")
	return nil
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

// ours runs the bodies on the libraries.
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
