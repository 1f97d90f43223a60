package lualib_test

import (
	"testing"

	"github.com/luagen/luagen/internal/engine/lualib"
)

func BenchmarkLibraries(b *testing.B) {
	for _, c := range []struct{ name, body string }{
		{"append", "local t = {} for i = 1, 1000 do t[i] = i end"},
		{"append-length", "local t = {} for i = 1, 1000 do t[#t+1] = i end"},
		{"string-keys", "local t = {} for i = 1, 1000 do t['k' .. i % 100] = i end"},
		{"sparse", "local t = {} for i = 1, 1000 do t[i * 100000] = i end"},
		{"pairs", "local t = {} for i = 1, 100 do t['k' .. i] = i end for j = 1, 10 do for k, v in pairs(t) do end end"},
		{"gsub", "for i = 1, 100 do string.gsub('hello world from lua', '%w+', '%0 %0') end"},
		{"format", "for i = 1, 1000 do string.format('%d:%s', i, 'x') end"},
		{"json", "for i = 1, 100 do cjson.decode(cjson.encode({name = 'x', id = i, tags = {1, 2, 3}})) end"},
		{"msgpack", "for i = 1, 100 do cmsgpack.unpack(cmsgpack.pack({name = 'x', id = i, tags = {1, 2, 3}})) end"},
		{"sort", "local t = {} for i = 1, 1000 do t[i] = i * 7919 % 1000 end table.sort(t)"},
	} {
		b.Run(c.name, func(b *testing.B) {
			run := newRunner(b, lualib.Options{})
			b.ReportAllocs()
			for b.Loop() {
				if _, err := run.run(c.body); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
