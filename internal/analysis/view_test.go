package analysis

import (
	"testing"

	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// examine returns what is seen of the expression that a script's last return
// statement returns.
func examine(t *testing.T, text string) (*Result, Value) {
	t.Helper()
	r := Examine(source.New("t.lua", text), Options{})
	if r.Script == nil || !r.Complete {
		t.Fatalf("%s\nis not followed: %v", text, r.Diagnostics)
	}
	stmts := r.Chunk.Main.Body.Stmts
	return r, r.Value(stmts[len(stmts)-1].(*syntax.ReturnStmt).Values[0])
}

func TestValues(t *testing.T) {
	for _, c := range []struct{ text, want, reply string }{
		{`return redis.call('GET', KEYS[1])`, "a string or false", "GET"},
		{`local v = redis.call('GET', KEYS[1]) return v`, "a string or false", "GET"},
		{`local v = redis.call('GET', KEYS[1]) if not v then return 0 end return v`, "a string", "GET"},
		{`local c = redis.call local function get(k) return c('GET', k) end return get(KEYS[1])`, "a string or false", "GET"},
		{`return redis.call('MGET', KEYS[1])[1]`, "a string, false or nil", "MGET"},
		{`return redis.call('GET', KEYS[1]) or ARGV[1]`, "a string or nil", ""},
		{`return tonumber(redis.call('GET', KEYS[1]))`, "a number or nil", "GET"},
		{`redis.setresp(3) return redis.call('GET', KEYS[1])`, "a string or nil", "GET"},
		{`local n for i = 1, 3 do n = i end return n`, "a number or nil", ""},
		{`return redis.call('SET', KEYS[1], 'x')`, "a table", "SET"},
	} {
		_, v := examine(t, c.text)
		reply := ""
		if r := v.Reply(); r != nil {
			reply = r.Command.Name
		}
		if v.String() != c.want || reply != c.reply {
			t.Errorf("%s\nreturns %s of %q, want %s of %q", c.text, v, reply, c.want, c.reply)
		}
	}
}

func TestContents(t *testing.T) {
	for _, c := range []struct {
		text string
		want Contents
	}{
		{`return redis.call('HGETALL', KEYS[1])`, HasPairs | IsEmpty},
		{`return redis.call('SET', KEYS[1], 'x')`, HasOk | IsEmpty},
		{`return {1, nil, 3}`, HasElements | HasHole},
		{`return {a = 1}`, HasFields | IsEmpty},
		{`local t = {} for i = 1, 3 do t[#t+1] = i end return t`, HasElements | IsEmpty},
		{`return KEYS`, ContentsUnknown},
	} {
		if _, v := examine(t, c.text); v.Contents() != c.want {
			t.Errorf("%s\nreturns a table with %b, want %b", c.text, v.Contents(), c.want)
		}
	}
}

// TestLoopCalls checks that calls of a loop's unfinished rounds are forgotten:
// in its first round this one has too few arguments.
func TestLoopCalls(t *testing.T) {
	r, _ := examine(t, `local t = {} for i = 1, #KEYS do if #t > 0 then redis.call('DEL', unpack(t)) end t[#t+1] = KEYS[i] end return 1`)
	if len(r.Calls) != 1 || r.Calls[0].Match.Problem != nil || !r.Calls[0].Loop || !r.Calls[0].Open {
		t.Errorf("calls: %+v", r.Calls)
	}
}

// TestUncalled checks that a callback of the library is seen too.
func TestUncalled(t *testing.T) {
	r, _ := examine(t, `table.sort(ARGV, function(a, b) return redis.call('GET', a) < b end) return 1`)
	if len(r.Calls) != 1 || r.Calls[0].Name != "GET" {
		t.Errorf("calls: %+v", r.Calls)
	}
}
