package lualib_test

import (
	"errors"
	"math/rand"
	"strings"
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/lualib"
)

// budget is a Meter that lets each call do a little.
type budget struct{ steps, bytes int }

var errSpent = errors.New("the budget is spent")

func (b *budget) Steps(n int) error {
	if b.steps -= n; b.steps < 0 {
		return errSpent
	}
	return nil
}

func (b *budget) Bytes(n int) error {
	if b.bytes -= n; b.bytes < 0 {
		return errSpent
	}
	return nil
}

func (b *budget) refill() { b.steps, b.bytes = 1<<18, 1<<22 }

// protectedCall of the runner panics on a Go panic inside a library, so a call that ends at all has passed.
func TestNoCallHangsOrPanics(t *testing.T) {
	b := &budget{}
	run := newRunner(t, lualib.Options{Meter: b})
	g := generator{Rand: rand.New(rand.NewSource(seed())), wild: true}
	names := sortedKeys(signatures)
	for range 4000 {
		b.refill()
		body := g.call(names[g.Intn(len(names))])
		if _, err := run.run("local f = function() " + body + " end return pcall(f)"); err != nil {
			t.Fatalf("%s\n%v", body, err)
		}
	}
}

func TestHostileCallsAreStopped(t *testing.T) {
	for _, body := range []string{
		"return string.rep('x', 2^30)",
		"return string.find(('a'):rep(30), ('a?'):rep(30) .. ('a'):rep(30))",
		"return string.match(('a'):rep(5000), ('.-'):rep(50) .. 'b')",
		"return string.gsub(('a'):rep(5000), '(a*)(a*)(a*)b', '')",
		"return string.gsub(('a'):rep(5000), 'a', ('x'):rep(100000))",
		"return string.gsub(('a'):rep(5000), 'a+', ('%0'):rep(5000))",
		"return table.concat((function() local t = {} for i = 1, 1000 do t[i] = ('x'):rep(1000) end return t end)(), ('y'):rep(100000))",
		"table.insert({}, -2^31, 1)",
		"cjson.encode_sparse_array(false, 0, 0) return cjson.encode({[2^30] = 1})",
		"local t = {} for i = 1, 2^30 do t[i] = i end",
		"local t = {} for i = 1, 2^30 do t['k'] = {i} end",
		"local t = {} for i = 1, 30 do t = {t, t} end return cjson.encode(t)",
		"local t = {} for i = 1, 15 do t = {t, t, t, t} end return cmsgpack.pack(t)",
		"local t = {} for i = 1, 2^20 do t[i * 100000] = i end",
		"table.sort((function() local t = {} for i = 1, 200 do t[i] = i end return t end)(), function(a, b) string.rep('x', 100000) return a < b end)",
		"return cmsgpack.unpack('\\221\\255\\255\\255\\255' .. ('\\192'):rep(2000000))",
	} {
		b := &budget{}
		b.refill()
		run := newRunner(t, lualib.Options{Meter: b})
		_, err := run.run(body)
		if err == nil || !strings.Contains(err.Error(), errSpent.Error()) {
			t.Errorf("%s\n got %.100v\nwant an end by the meter", body, err)
		}
	}
}

func TestEndlessPatternsAreRefused(t *testing.T) {
	run := newRunner(t, lualib.Options{})
	for _, item := range []string{"a-", "a*", "a?"} {
		_, err := run.run("return string.find(('a'):rep(300000), ('" + item + "'):rep(300000) .. 'b')")
		if err == nil || !strings.Contains(err.Error(), "pattern too complex") {
			t.Errorf("%s\n got %.100v\nwant pattern too complex", item, err)
		}
	}
}

func TestFunctionsAreKeys(t *testing.T) {
	run := newRunner(t, lualib.Options{})
	results, err := run.run(`local t, n, total = {}, 0, 0
		for i = 1, 3000 do t[function() return i end] = i end
		for f, i in pairs(t) do assert(f() == i) n = n + 1 total = total + i end
		return n, total`)
	if err != nil || results[0] != lua.LNumber(3000) || results[1] != lua.LNumber(3000*3001/2) {
		t.Errorf("got %v, %v, want 3000 functions and the sum of their numbers", results, err)
	}
}
