package analysis_test

// This file generates scripts for the soundness test: small programs over a
// prepared keyspace, with whatever makes replies differ.

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// keyspace is what the generated scripts find: KEYS[1] a string, 2 a counter,
// 3 a hash, 4 a list, 5 a sorted set, 6 a set, 7 a stream, 8 nothing.
var keyspace = []string{
	"SET s text", "SET n 41", "HSET h a 1 b two c 3.5", "RPUSH l x 7 z", "ZADD z 1 one 2.5 two 3 three",
	"SADD m p q", "XADD x 1-1 f v g w",
}

var generatedKeys = []string{"s", "n", "h", "l", "z", "m", "x", "none"}

// writer writes one script.
type writer struct {
	r     *rand.Rand
	b     strings.Builder
	vars  []string
	funcs []string
	deep  int
	size  int
}

func generate(seed uint64) string {
	w := &writer{r: rand.New(rand.NewPCG(seed, 7))}
	if w.chance(12) {
		w.line("redis.setresp(3)")
	}
	w.block(2+w.r.IntN(6), true)
	if w.chance(80) {
		w.line("return %s", w.expr(0))
	}
	return w.b.String()
}

func (w *writer) chance(percent int) bool { return w.r.IntN(100) < percent }

func (w *writer) line(format string, args ...any) {
	fmt.Fprintf(&w.b, strings.Repeat("  ", w.deep)+format+"\n", args...)
}

func pick[T any](w *writer, list ...T) T { return list[w.r.IntN(len(list))] }

func (w *writer) fresh() string {
	w.size++
	return fmt.Sprintf("v%d", w.size)
}

// block writes n statements in a scope of their own.
func (w *writer) block(n int, top bool) {
	vars, funcs := len(w.vars), len(w.funcs)
	for range n {
		w.stmt()
	}
	if !top {
		w.vars, w.funcs = w.vars[:vars], w.funcs[:funcs]
	}
}

func (w *writer) nested(n int) {
	w.deep++
	w.block(n, false)
	if w.chance(15) {
		w.line("do return %s end", w.expr(1))
	}
	w.deep--
}

func (w *writer) stmt() {
	if w.deep > 3 || w.size > 40 {
		w.line("redis.call('INCR', KEYS[8])")
		return
	}
	switch w.r.IntN(16) {
	case 0, 1, 2, 3:
		e := w.expr(0)
		v := w.fresh()
		w.line("local %s = %s", v, e)
		w.vars = append(w.vars, v)
	case 4:
		e, f := w.expr(1), w.expr(1)
		a, b := w.fresh(), w.fresh()
		w.line("local %s, %s = %s, %s", a, b, e, f)
		w.vars = append(w.vars, a, b)
	case 5, 6:
		if len(w.vars) > 0 {
			w.line("%s = %s", pick(w, w.vars...), w.expr(1))
		}
	case 7, 8:
		w.line("if %s then", w.cond())
		w.nested(1 + w.r.IntN(2))
		if w.chance(50) {
			w.line("else")
			w.nested(1 + w.r.IntN(2))
		}
		w.line("end")
	case 9:
		w.forLoop()
	case 10:
		w.tableStmt()
	case 11:
		w.function()
	case 12:
		w.line("redis.call(%s)", w.command(true))
	case 13:
		if w.chance(50) {
			w.line("if %s then return %s end", w.cond(), w.expr(1))
		}
	case 14:
		w.whileLoop()
	case 15:
		if w.chance(30) {
			w.line("local ok%d, err%d = pcall(function() %s = %s end)", w.size, w.size, w.place(), w.expr(1))
		}
	}
}

// place is something that can be assigned to.
func (w *writer) place() string {
	if len(w.vars) == 0 {
		return "_"
	}
	return pick(w, w.vars...)
}

func (w *writer) forLoop() {
	v := w.fresh()
	switch w.r.IntN(4) {
	case 0:
		w.line("for %s = %d, %d do", v, w.r.IntN(3), w.r.IntN(6))
	case 1:
		w.line("for _, %s in ipairs(%s) do", v, pick(w, "ARGV", "redis.call('LRANGE', KEYS[4], 0, -1)", "{1, 'b', false, 4}"))
	case 2:
		w.line("for %s, w%d in pairs(%s) do", v, w.size, pick(w, "{a = 1, b = 'x'}", "{1, 2, 3}", "redis.call('HGETALL', KEYS[3])"))
	case 3:
		w.line("for %s = #ARGV, 1, -1 do", v)
	}
	w.vars = append(w.vars, v)
	w.nested(1 + w.r.IntN(2))
	w.vars = w.vars[:len(w.vars)-1]
	w.line("end")
}

func (w *writer) whileLoop() {
	v := w.fresh()
	w.line("local %s = 0", v)
	w.line("while %s < %d do", v, 1+w.r.IntN(4))
	w.deep++
	w.line("%s = %s + 1", v, v)
	w.deep--
	w.nested(1)
	if w.chance(30) {
		w.line("  if %s then break end", w.cond())
	}
	w.line("end")
	w.vars = append(w.vars, v)
}

func (w *writer) tableStmt() {
	v := w.fresh()
	w.line("local %s = %s", v, w.table(1))
	for range 1 + w.r.IntN(3) {
		switch w.r.IntN(5) {
		case 0:
			w.line("%s[#%s + 1] = %s", v, v, w.expr(2))
		case 1:
			w.line("table.insert(%s, %s)", v, w.expr(2))
		case 2:
			w.line("%s.%s = %s", v, pick(w, "a", "b", "ok", "err", "map", "double"), w.expr(2))
		case 3:
			w.line("%s[%d] = %s", v, 1+w.r.IntN(3), w.expr(2))
		case 4:
			w.line("%s = %s", pick(w, append(w.vars, v)...), v)
		}
	}
	w.vars = append(w.vars, v)
}

func (w *writer) function() {
	f := fmt.Sprintf("f%d", w.size)
	w.size++
	a, b := w.fresh(), w.fresh()
	w.line("local function %s(%s, %s)", f, a, b)
	saved, funcs := w.vars, w.funcs
	w.funcs = nil // functions that call functions in loops never end
	w.vars = append(append([]string(nil), w.vars...), a, b)
	w.nested(1 + w.r.IntN(2))
	w.line("  return %s", w.expr(1))
	w.vars = saved
	w.line("end")
	w.funcs = append(funcs, f)
}

func (w *writer) cond() string {
	switch w.r.IntN(9) {
	case 0:
		return w.expr(1)
	case 1:
		return "not " + w.atom()
	case 2:
		return w.atom() + pick(w, " == ", " ~= ") + pick(w, "nil", "false", "'x'", "1", "''", "true", w.atom())
	case 3:
		return "type(" + w.atom() + ") == " + pick(w, "'table'", "'string'", "'number'", "'nil'", "'boolean'")
	case 4:
		return "(tonumber(" + w.atom() + ") or 0) > " + fmt.Sprint(w.r.IntN(5))
	case 5:
		return w.cond() + " and " + w.cond()
	case 6:
		return w.cond() + " or " + w.cond()
	case 7:
		return "#ARGV > " + fmt.Sprint(w.r.IntN(4))
	}
	return "redis.call('EXISTS', " + w.key() + ") == 1"
}

func (w *writer) key() string { return fmt.Sprintf("KEYS[%d]", 1+w.r.IntN(8)) }

func (w *writer) atom() string {
	if len(w.vars) > 0 && w.chance(60) {
		v := pick(w, w.vars...)
		switch w.r.IntN(12) {
		case 0:
			return fmt.Sprintf("(type(%s) == 'table' and %s[%d] or %s)", v, v, 1+w.r.IntN(3), v)
		case 1:
			return fmt.Sprintf("(type(%s) == 'table' and %s.%s)", v, v, pick(w, "a", "b", "ok", "err"))
		}
		return v
	}
	return pick(w, "nil", "true", "false", "0", "1", "-1", "7", "2.5", "'x'", "'12'", "'CODE'", "'OTHER'", "ARGV[1]", "ARGV[2]", "ARGV[3]", "KEYS[1]", "#ARGV")
}

func (w *writer) expr(depth int) string {
	if depth > 2 {
		return w.atom()
	}
	switch w.r.IntN(20) {
	case 0, 1, 2, 3:
		return w.atom()
	case 4, 5, 6, 7:
		return "redis." + pick(w, "call", "call", "call", "pcall") + "(" + w.command(false) + ")"
	case 8:
		return "tonumber(" + w.expr(depth+1) + ")"
	case 9:
		return "tostring(" + w.expr(depth+1) + ")"
	case 10:
		return w.table(depth + 1)
	case 11:
		return fmt.Sprintf("(tonumber(%s) or %d) %s %s", w.atom(), w.r.IntN(3), pick(w, "+", "-", "*", "/", "%", "^"), pick(w, "1", "2", "0.5", "#ARGV"))
	case 12:
		return w.expr(depth+1) + " and " + w.expr(depth+1) + " or " + w.expr(depth+1)
	case 13:
		return "(" + w.expr(depth+1) + " or " + w.expr(depth+1) + ")"
	case 14:
		return w.atom() + " == " + w.atom()
	case 15:
		return "tostring(" + w.atom() + ") .. " + pick(w, "'x'", "1", "ARGV[1]")
	case 16:
		return pick(w, "redis.status_reply('OK')", "redis.error_reply('BAD thing')", "{ok = 'FINE'}", "{err = 'NOPE x'}", "{double = 1.5}",
			"{map = {a = 1}}", "cjson.encode({1, 2})", "cmsgpack.pack({1})", "string.format('%d', 3)", "math.floor(2.5)", "math.max(1, #ARGV)",
			"unpack(ARGV)", "unpack({1, nil, 3})", "select('#', unpack(ARGV))", "cjson.decode('{\"a\":[1,2]}').a", "string.match('a12', '%d+')",
			"table.concat(ARGV, ',')", "redis.sha1hex('')", "#redis.call('KEYS', '*')", "(string.gsub('aa', 'a', 'b'))")
	case 17:
		if len(w.funcs) > 0 {
			return fmt.Sprintf("%s(%s, %s)", pick(w, w.funcs...), w.atom(), w.expr(depth+1))
		}
		return w.atom()
	case 18:
		return "not " + w.atom()
	}
	return "(function(q) " + pick(w, "return q", "if q then return 1 end", "return q, 2", "local t = {q} return t") + " end)(" + w.atom() + ")"
}

func (w *writer) table(depth int) string {
	var parts []string
	for range w.r.IntN(4) {
		if w.chance(15) {
			parts = append(parts, pick(w, "a", "b", "ok", "err", "set", "[2]", "['x y']")+" = "+w.expr(depth+1))
			continue
		}
		parts = append(parts, w.expr(depth+1))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// command writes the arguments of a call; most of them are right for their key.
func (w *writer) command(write bool) string {
	if w.chance(10) {
		return pick(w, "'TYPE'", "'GET'", "'TTL'", "'EXISTS'", "'DEL'") + ", " + w.key()
	}
	reads := []string{
		"'GET', KEYS[1]", "'GET', KEYS[8]", "'GET', KEYS[2]", "'STRLEN', KEYS[1]", "'TTL', KEYS[1]", "'PTTL', KEYS[8]", "'EXISTS', KEYS[1]", "'TYPE', KEYS[3]",
		"'HGET', KEYS[3], 'a'", "'HGET', KEYS[3], 'nope'", "'HMGET', KEYS[3], 'a', 'nope'", "'HGETALL', KEYS[3]", "'HGETALL', KEYS[8]", "'HKEYS', KEYS[3]", "'HLEN', KEYS[3]", "'HEXISTS', KEYS[3], 'a'",
		"'LRANGE', KEYS[4], 0, -1", "'LLEN', KEYS[4]", "'LINDEX', KEYS[4], 9", "'LPOS', KEYS[4], '7'",
		"'ZRANGE', KEYS[5], 0, -1", "'ZRANGE', KEYS[5], 0, -1, 'WITHSCORES'", "'ZSCORE', KEYS[5], 'one'", "'ZSCORE', KEYS[5], 'no'", "'ZRANK', KEYS[5], 'two'", "'ZCARD', KEYS[5]", "'ZRANGEBYSCORE', KEYS[5], '-inf', '+inf', 'LIMIT', 0, 2",
		"'SMEMBERS', KEYS[6]", "'SISMEMBER', KEYS[6], 'p'", "'SRANDMEMBER', KEYS[6]", "'SRANDMEMBER', KEYS[6], 2", "'SCARD', KEYS[6]",
		"'MGET', KEYS[1], KEYS[8]", "'XRANGE', KEYS[7], '-', '+'", "'XLEN', KEYS[7]", "'TIME'", "'PING'", "'DBSIZE'", "'BITCOUNT', KEYS[1]", "'GETRANGE', KEYS[1], 0, 1", "'SCAN', 0", "'SORT', KEYS[4], 'ALPHA'",
	}
	writes := []string{
		"'SET', KEYS[8], 'v'", "'SET', KEYS[8], 'v', 'NX'", "'SET', KEYS[1], 'v', 'GET'", "'SET', KEYS[8], ARGV[1], 'EX', 10", "'SETNX', KEYS[1], 'v'", "'INCR', KEYS[2]", "'INCRBY', KEYS[2], ARGV[1]", "'INCRBYFLOAT', KEYS[2], 0.5",
		"'HSET', KEYS[3], 'd', 1", "'HINCRBY', KEYS[3], 'a', 2", "'HDEL', KEYS[3], 'a'", "'HSETNX', KEYS[3], 'a', 1", "'LPUSH', KEYS[4], 'y'", "'LPOP', KEYS[4]", "'RPOP', KEYS[8]", "'LPOP', KEYS[4], 2", "'LREM', KEYS[4], 0, 'x'",
		"'ZADD', KEYS[5], 4, 'four'", "'ZADD', KEYS[5], 'INCR', 1, 'one'", "'ZINCRBY', KEYS[5], 2, 'one'", "'ZPOPMIN', KEYS[5]", "'ZREM', KEYS[5], 'one'", "'SADD', KEYS[6], 'r'", "'SPOP', KEYS[6]", "'SPOP', KEYS[6], 1", "'SREM', KEYS[6], 'p'",
		"'DEL', KEYS[1]", "'EXPIRE', KEYS[1], 100", "'PERSIST', KEYS[1]", "'GETSET', KEYS[1], 'w'", "'GETDEL', KEYS[1]", "'APPEND', KEYS[1], 'z'", "'XADD', KEYS[7], '*', 'f', 'v'", "'RENAME', KEYS[1], KEYS[8]", "'PUBLISH', 'c', 'm'",
	}
	if write || w.chance(35) {
		return pick(w, writes...)
	}
	return pick(w, reads...)
}
