package engine

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// hostile are scripts that would hang or bring down a host without limits. The
// text is part of the reply that they have to end with; on a slow machine it may
// be the other one.
var hostile = []struct{ name, script, want string }{
	{"loop", `while true do end`, "time limit"},
	{"loop in pcall", `while true do pcall(function() while true do end end) end`, "time limit"},
	{"loop in xpcall", `xpcall(function() while true do end end, function() while true do end end)`, "time limit"},
	{"loop in a coroutine", `local c = coroutine.wrap(function() while true do end end) c()`, "time limit"},
	{"loop in coroutines", `while true do local c = coroutine.wrap(function() coroutine.yield(1) end) c() end`, "time limit"},
	{"tail calls", `local function f() return f() end return f()`, "time limit"},
	{"repeat", `repeat until false`, "time limit"},
	{"for", `for i = 1, math.huge do end`, "time limit"},
	{"metamethod", `local t = setmetatable({}, {__index = function(t, k) return t[k] end}) return t.x`, "-ERR"},
	{"index chain", `local t = {} setmetatable(t, {__index = t}) return t.x`, "loop in gettable"},
	{"recursion", `local function f() return 1 + f() end return f()`, "stack overflow|time limit"},
	{"recursion of pcall", `local function f() return pcall(f) end return tostring(f())`, "true"},
	{"recursion of gsub", `local function f(s) return (s:gsub('.', f)) end return f('x')`, "overflow|time limit"},
	{"recursion of tostring", `local t t = setmetatable({}, {__tostring = function() return tostring(t) end}) return tostring(t)`, "overflow|time limit"},
	{"recursion of sort", `local function f() table.sort({3, 2, 1}, function(a, b) f() return a < b end) end f()`, "overflow|time limit"},
	{"recursion of coroutines", `local function f() return coroutine.wrap(f)() end return f()`, "overflow|time limit"},
	{"doubled string", `local s = 'x' while true do s = s .. s end`, "not enough memory|time limit"},
	{"long string", `return #string.rep('x', 1e10)`, "not enough memory|time limit"},
	{"many strings", `local t = {} for i = 1, 1e9 do t[i] = string.rep('x', 100000) .. i end`, "not enough memory|time limit"},
	{"many tables", `local t = {} for i = 1, 1e9 do t[i] = {i} end`, "-ERR"},
	{"huge index", `local t = {} for i = 1, 200 do t[2^26 - i] = 1 end return 1`, "1"},
	{"backtracking", `return string.find(string.rep('a', 100000), string.rep('a*', 30) .. 'b')`, "time limit"},
	{"cyclic result", `local t = {} t[1] = t return t`, "*1"},
	{"cyclic json", `local t = {} t[1] = t return cjson.encode(t)`, "excessive nesting"},
	{"deep result", `local t = {} for i = 1, 100000 do t = {t} end return t`, "*1"},
	{"long setrange", `return redis.call('SETRANGE', 'k', 1e14, 'x')`, "maximum allowed size"},
	{"a function as result", `return print == nil, pcall`, "nonexistent"},
	{"a returned function", `return pcall`, "$-1"},
	{"a returned coroutine", `return coroutine.create(function() end)`, "$-1"},
	{"a yield outside", `coroutine.yield(1)`, "attempt to yield"},
	{"a yield in pcall", `return coroutine.wrap(function() return pcall(coroutine.yield, 1) end)()`, ""},
	{"a yield in sort", `return coroutine.wrap(function() table.sort({2, 1}, function() coroutine.yield(1) end) end)()`, ""},
	{"a yield in a metamethod", `local t = setmetatable({}, {__index = function() coroutine.yield(1) end}) return coroutine.wrap(function() return t.x end)()`, ""},
	{"a blocking command", `return redis.pcall('BLPOP', 'l', 0).err`, "not allowed"},
	{"waiting for the clock", `local t = redis.call('TIME')[1] while redis.call('TIME')[1] == t do end`, "time limit"},
	{"many calls", `while true do redis.call('PING') end`, "time limit"},
}

// TestHostile runs scripts that would hang or crash a host. The same two servers
// run them all, and still work afterwards.
func TestHostile(t *testing.T) {
	connect := func(limit time.Duration) *Conn {
		e := New(Options{TimeLimit: limit, MemoryLimit: 64 << 20})
		t.Cleanup(e.Close)
		return e.Connect()
	}
	short, long := connect(300*time.Millisecond), connect(5*time.Minute)
	for _, h := range hostile {
		t.Run(h.name, func(t *testing.T) {
			c := long // what ends by itself has the time that a slow machine takes
			if strings.Contains(h.want, "time limit") || h.want == "-ERR" {
				c = short
			}
			reply := string(c.DoRaw("EVAL", h.script, "0"))
			want := func(part string) bool { return strings.Contains(reply, part) }
			if !slices.ContainsFunc(strings.Split(h.want, "|"), want) {
				t.Errorf("%s\n got  %.300q\n want %q", h.script, reply, h.want)
			}
			if r := c.Do("EVAL", "local t = {} for i = 1, 3 do t[i] = i end return #t", "0"); r.Int != 3 {
				t.Fatalf("after it, a plain script gives %v", r)
			}
		})
	}
}
