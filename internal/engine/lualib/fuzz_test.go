package lualib_test

import (
	"testing"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/lualib"
)

// FuzzText gives functions any strings. What they answer is for the comparison with Redis; here none may panic or go on
// for ever, whatever the strings.
func FuzzText(f *testing.F) {
	functions := []string{"string.find", "string.match", "string.gmatch", "string.gsub", "string.format", "cjson.decode", "cjson.encode", "cmsgpack.unpack",
		"cmsgpack.pack", "struct.pack", "struct.unpack", "struct.size", "tonumber", "table.concat"}
	for i := range functions {
		f.Add(uint8(i), "abc (abc)", "%b()", "%0")
		f.Add(uint8(i), "%5.3d", "1e5", "x")
		f.Add(uint8(i), `{"a":[1,null,"\u00e9"]}`, "", "")
		f.Add(uint8(i), "\x82\xa1a\x01\xa1b\xc0", "<i4c0", "\x01\x02")
	}
	b := &budget{}
	b.refill()
	run := newRunner(f, lualib.Options{Meter: b})
	results, err := run.run("local f = {" + join(functions) + "} return function(i, ...) local ok, g = pcall(f[i], ...) if type(g) == 'function' then pcall(g) end end")
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, fn uint8, a, b1, c string) {
		b.refill()
		L := run.L
		L.Push(results[0])
		L.Push(lua.LNumber(int(fn)%len(functions) + 1))
		for _, s := range []string{a, b1, c} {
			L.Push(lua.LString(s))
		}
		if err := L.PCall(4, 0, nil); err != nil {
			t.Fatal(err)
		}
	})
}

func join(names []string) string {
	text := ""
	for _, name := range names {
		text += name + ","
	}
	return text
}
