package luavm

import (
	"os/exec"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/lualib"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

type noMeter struct{}

func (noMeter) Steps(int) error { return nil }
func (noMeter) Bytes(int) error { return nil }

// run runs a chunk that returns values, and prints them as tostring does.
func run(t *testing.T, text string) string {
	t.Helper()
	chunk, diags := syntax.Parse(source.New("t.lua", text))
	if len(diags) > 0 {
		t.Fatalf("%s\n%s", text, diags[0].Message)
	}
	unit, err := Compile(chunk, "u", 1)
	if err != nil {
		return err.Error()
	}
	L := lua.NewState(lua.Options{SkipOpenLibs: true, CallStackSize: 16000, RegistrySize: 8192, RegistryMaxSize: 1 << 20})
	defer L.Close()
	m := New(L, lualib.Options{Meter: noMeter{}})
	for name, fn := range m.Base() {
		L.SetGlobal(name, fn)
	}
	modules := m.Modules()
	for name, tb := range modules {
		L.SetGlobal(name, tb)
	}
	m.SetStringIndex(modules["string"])
	L.SetGlobal("pcall", L.NewFunction(func(L *lua.LState) int {
		err := L.PCall(L.GetTop()-1, lua.MultRet, nil)
		if err != nil {
			L.Push(lua.LFalse)
			L.Push(m.Message(err.(*lua.ApiError).Object))
			return 2
		}
		n := L.GetTop()
		L.Insert(lua.LTrue, 1)
		return n + 1
	}))
	L.SetGlobal("error", L.NewFunction(func(L *lua.LState) int {
		L.Error(lua.LString(Where(L, 1)+L.ToString(1)), 0)
		return 0
	}))
	L.Push(m.Function(unit))
	if err := L.PCall(0, lua.MultRet, nil); err != nil {
		return "error: " + lualib.ToString(m.Message(err.(*lua.ApiError).Object))
	}
	var out []string
	for i := 1; i <= L.GetTop(); i++ {
		out = append(out, lualib.ToString(L.Get(i)))
	}
	return strings.Join(out, " ")
}

var programs = []string{
	`local a,b=1,2 a,b=b,a return a,b`,
	`local x=0; local function inc() x=x+1 end; pcall(error,"e"); x=10; inc(); return x`,
	`local function f(a) a=tostring(a) return a end return f(3)`,
	`local f = 5; local f = function() return f end return f()`,
	`local t={} for i=1,3 do t[i]=function() i=i+1 return i end end return t[1](),t[1](),t[2](),t[3]()`,
	`local f for i=1,3 do local x=i f=function() return x end if i==2 then break end end return f()`,
	`return 1 .. 2 .. "x" .. 1e15 .. 0.1`,
	`return "10"+5, "0x10"*2, -"3", 10%3, -10%3, 5.5%2, 2^10, 7/2`,
	`for i="1","3" do if i==3 then return i end end`,
	`local t={n=1} return t.n.x.y`,
	`return x.y`,
	`local x return x.y`,
	`local x local function f() return x.y end return f()`,
	`local t={} return t.a.b`,
	`local t={} return t[1].b`,
	`local t={} t.x.y=1`,
	`return 1+nil`,
	`return nil+1`,
	`local a={} return a+1`,
	`local a={} return 1+a`,
	`local a return a..'x'`,
	`local a return 'x'..a`,
	`return 'x'..b.c`,
	`return foo()`,
	`local t={} return t.foo()`,
	`local t={} return t:foo()`,
	`return ("x")()`,
	`local t={} t()`,
	`return -{}`,
	`return -nil`,
	`return #nil`,
	`local s=5 return #s`,
	`return 1<"x"`,
	`return {}<{}`,
	`return nil>1`,
	`return "abc"+1`,
	`for i=1,nil do end`,
	`for i=1,2,{} do end`,
	`for k in nil do end`,
	`for k in 5 do end`,
	`local function f(...) return select('#',...), ... end return f(1,nil,nil)`,
	`local function f(...) local a,b=... return a,b,arg end return f(1)`,
	`local function f(a,...) return arg.n, arg[1] end return f(1,2,3)`,
	`local t={1,2,3,nil,5,a=1,[10]=7} return #t,t.a,t[10]`,
	`local function f() return 1,2,3 end local t={f(),f()} return #t, (f()), f()`,
	`local s=0 for i=10,1,-3 do s=s+i end return s`,
	`local i=0 repeat local done=i>3 i=i+1 until done return i`,
	`local n=0 while true do n=n+1 if n>5 then break end end return n`,
	`local a,b=5,3 return a>b and a or b, not (a>b) and 'x' or 'y'`,
	`return false and 1 or 2, nil or false, nil and 1, 1 and nil`,
	`local x = 1 x = x and x+1 or 0 return x`,
	`local a = {1,2} local i = 1 i, a[i] = i+1, 20 return i, a[1], a[2]`,
	`local function f() local function g() return 1 end return g() end return f()`,
	`local a local b = function() a = 5 end b() return a`,
	`local x=1; local function f() x=10; return 1 end; return x+f()`,
	`local x=1; local function f() x=10; return 1 end; return x..f()`,
	`local t = setmetatable({}, {__index=function(t,k) return k..'!' end, __call=function(self,a) return a end, __concat=function(a,b) return 'c' end, __add=function() return 'add' end, __unm=function() return 'unm' end, __eq=function() return true end, __lt=function() return true end,__le=function() return false end}) return t.x, t(5), t..1, 1 ..t, t+1, "a"+t, -t, t==setmetatable({},getmetatable(t)), t<t, t<=t`,
	`local t = setmetatable({}, {__len=function() return 42 end}) return #t`,
	`local function d(n) if n==0 then return 0 end return 1+d(n-1) end return d(5000)`,
	`local function d(n) if n==0 then return 0 end return d(n-1) end return d(100000)`,
	`local function f() return f() + 1 end local ok,e=pcall(f) return ok,e`,
	`local s='' for i=1,3 do local j=i s=s..(function() return j end)() end return s`,
	`goto_=1 return goto_`,
	`return (...)`,
	`local t={} t[nil]=1`,
	`local t={} t[0/0]=1`,
	`return 0/0, -(0/0), 1/0, -1/0, 1e300*1e300`,
	`local a = 0 return -a`,
	`local t={} for i=1,120 do t[i]=i end local u={unpack(t)} return #u`,
	`return 2^53, 1e14, 1e15, 123456789012345, 0.1, 1/3, 100, 1e100`,
	"local a = 1\nlocal b = a.x.y\n",
	"local function f()\n  error('boom')\nend\nf()",
	"local x = 'a' ..\n 'b' ..\n nil",
	`local t = {f=function(self, x) return x end} return t:f(7), t.f(1,2)`,
	`local t={} function t.a() return 1 end function t:b() return self end return t.a(), t:b()==t`,
	`local o='' local function f(x) o=o..x return x end local t={f('a'),[f('b')]=f('c'),f('d'),[f('e')]=f('f'),f('g')} return o,#t,t.b`,
	`local function f() return 7,8,9 end local t={` + strings.Repeat(`[1.5]=1,`, 60) + `[2.5]=3,4,f()} return #t,t[4],t[2.5]`,
	`local t={` + strings.Repeat(`x=1,`, 300) + `5} return #t,t.x`, `local t={` + strings.Repeat(`1,`, 300) + `5} return #t`,
}

// TestAgainstLua runs programs on the machine and on lua5.1.
func TestAgainstLua(t *testing.T) {
	lua51, err := exec.LookPath("lua5.1")
	if err != nil {
		t.Skip("lua5.1 is not installed")
	}
	for _, p := range programs {
		if _, diags := syntax.Parse(source.New("t.lua", p)); len(diags) > 0 {
			continue
		}
		wrapper := "local f = assert(loadstring(" + quote(p) + ", '=u'))\n" +
			"local r = {pcall(f)}\nlocal n = 0 for k in pairs(r) do if k > n then n = k end end\n" +
			"if not r[1] then io.write('error: ', tostring(r[2])) else for i = 2, n do if i > 2 then io.write(' ') end io.write(tostring(r[i])) end end"
		out, err := exec.Command(lua51, "-e", wrapper).CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v %s", p, err, out)
		}
		got, want := run(t, p), string(out)
		if trimNils(got) != trimNils(want) {
			t.Errorf("%s\n got  %s\n want %s", p, got, want)
		}
	}
}

// trimNils drops the nils at the end, which the wrapper cannot count.
func trimNils(s string) string {
	for strings.HasSuffix(s, " nil") {
		s = strings.TrimSuffix(s, " nil")
	}
	return strings.TrimPrefix(s, "nil")
}

func quote(s string) string {
	eq := "="
	for strings.Contains(s, "]"+eq+"]") {
		eq += "="
	}
	return "[" + eq + "[" + s + "]" + eq + "]"
}
