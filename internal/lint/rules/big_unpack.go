package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements big-unpack.

var bigUnpack = &lint.Rule{
	Name:     "big-unpack",
	Severity: diag.Warning,
	Group:    lint.Safety,
	Doc: lint.Doc{
		What: "unpack of a reply that may be of any length",
		Why: `unpack gives at most 7999 values; more raise "too many results to unpack". A script
that unpacks all members of a set works until the set has grown. Take the elements in
portions, or bound the reply with LIMIT or COUNT.`,
		Bad: `local ids = redis.call('SMEMBERS', KEYS[1])
if #ids == 0 then return 0 end
return redis.call('DEL', unpack(ids)) --[[want "big-unpack"]]
`,
		Good: `local ids = redis.call('SMEMBERS', KEYS[1])
local n = 0
for i = 1, #ids, 1000 do
  n = n + redis.call('DEL', unpack(ids, i, math.min(i + 999, #ids)))
end
return n
`,
		Links: []string{"https://github.com/taskforcesh/bullmq/issues/422"},
	},
	Run: func(p *lint.Pass) {
		p.BuiltinCalls(func(call *syntax.CallExpr, name string) {
			if name != "unpack" || len(call.Args) == 0 || len(call.Args) > 2 {
				return
			}
			v := p.Value(call.Args[0])
			if r := v.Reply(); r != nil && v.May(analysis.Table) && unbounded(p, r) {
				p.Report(call, "%s may reply more than the 7999 elements that unpack can give", r.Command.Name).
					Help("unpack portions in a loop: unpack(t, i, math.min(i + 999, #t))")
			}
		})
	},
}

// unbounded tells whether nothing in a call bounds the length of its reply.
func unbounded(p *lint.Pass, r *analysis.Reply) bool {
	for _, c := range p.Calls {
		if c.Inner == nil || c.Inner != r.Node || c.Match == nil {
			continue
		}
		switch c.Command.Name {
		case "SMEMBERS", "HGETALL", "HKEYS", "HVALS", "KEYS", "SUNION", "SINTER", "SDIFF":
			return true
		case "LRANGE", "ZRANGE", "ZREVRANGE":
			return !c.Match.Has("LIMIT") && !c.Match.Has("BYSCORE") && !c.Match.Has("BYLEX") && wholeRange(c)
		case "ZRANGEBYSCORE", "ZREVRANGEBYSCORE", "ZRANGEBYLEX", "ZREVRANGEBYLEX":
			return !c.Match.Has("LIMIT") && !c.Open
		}
	}
	return false
}

// wholeRange tells whether a range is from 0 to -1.
func wholeRange(c *analysis.Call) bool {
	is := func(i int, text string, number float64) bool {
		if i >= len(c.Args) {
			return false
		}
		if s, ok := c.Args[i].Text(); ok {
			return s == text
		}
		ns := c.Args[i].Numbers()
		return len(ns) == 1 && ns[0] == number
	}
	return is(2, "0", 0) && is(3, "-1", -1)
}
