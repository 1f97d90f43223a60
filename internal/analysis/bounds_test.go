package analysis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/source"
)

// hostile are programs on which a naive interpreter takes forever.
var hostile = map[string]func() string{
	"functions that call twice": func() string {
		var b strings.Builder
		b.WriteString("local function f0(x) return redis.call('GET', x) end\n")
		for i := range 60 {
			fmt.Fprintf(&b, "local function f%d(x) local a = f%d(x) local b = f%d(x) return a or b end\n", i+1, i, i)
		}
		b.WriteString("return f60(KEYS[1])\n")
		return b.String()
	},
	"nested loops": func() string {
		return "local n = 0\n" + strings.Repeat("for i = 1, #ARGV do\n", 40) + "n = n + 1 redis.call('INCR', KEYS[1])\n" + strings.Repeat("end\n", 40) + "return n"
	},
	"many branches over many locals": func() string {
		var b strings.Builder
		for i := range 180 {
			fmt.Fprintf(&b, "local v%d = ARGV[%d]\n", i, i+1)
		}
		for i := range 3000 {
			fmt.Fprintf(&b, "if v%d == 'x' then v%d = redis.call('GET', KEYS[1]) end\n", i%180, (i*7)%180)
		}
		b.WriteString("return v1\n")
		return b.String()
	},
	"long conditions": func() string {
		return "local a, b = ARGV[1], ARGV[2]\nreturn " + strings.Repeat("(a and b or not a and ", 60) + "a" + strings.Repeat(")", 60)
	},
	"tables in tables": func() string {
		return "local t = {}\nfor i = 1, #ARGV do\n  t = {t, {t, ARGV[i], {t}}}\nend\nreturn t"
	},
	"growing cycles": func() string {
		var b strings.Builder
		for i := range 100 {
			fmt.Fprintf(&b, "local t%d = {}\n", i)
		}
		b.WriteString("while true do\n")
		for i := range 100 {
			fmt.Fprintf(&b, "t%d[1] = t%d t%d.x = t%d[1]\n", i, (i+1)%100, (i*3)%100, i)
		}
		b.WriteString("if t1 then break end end\nreturn t0")
		return b.String()
	},
	"a large script": func() string {
		var b strings.Builder
		for i := range 150 {
			fmt.Fprintf(&b, `local function step%d(key, arg)
  local v = redis.call('HGET', key, 'f%d')
  if not v then
    redis.call('HSET', key, 'f%d', arg)
    return 0
  end
  local n = tonumber(v) or 0
  for i = 1, n do
    redis.call('RPUSH', KEYS[2], i .. ':' .. arg)
  end
  if n > 5 then
    return redis.error_reply('TOOMANY of them')
  end
  local rest = redis.call('LRANGE', KEYS[2], 0, -1)
  for _, r in ipairs(rest) do
    if r == arg then
      n = n + 1
    end
  end
  return n
end
`, i, i, i)
		}
		for i := range 150 {
			fmt.Fprintf(&b, "if ARGV[1] == '%d' then return step%d(KEYS[1], ARGV[2]) end\n", i, i)
		}
		return b.String()
	},
}

// BenchmarkHostile shows the time that hostile programs take; TestHostile that
// they end at all, by count and not by clock.
func BenchmarkHostile(b *testing.B) {
	for name, program := range hostile {
		file := source.New("hostile.lua", program())
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			for b.Loop() {
				analysis.Analyze(file, analysis.Options{})
			}
		})
	}
}

func TestHostile(t *testing.T) {
	for name, program := range hostile {
		s, diags := analysis.Analyze(source.New("hostile.lua", program()), analysis.Options{})
		if s == nil {
			t.Errorf("%s: %v", name, diags)
		}
	}
}
