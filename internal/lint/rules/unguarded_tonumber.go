package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements unguarded-tonumber.

var unguardedTonumber = &lint.Rule{
	Name:  "unguarded-tonumber",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "a reply is converted and calculated with, and nil where it is missing",
		Why: `tonumber(false) is nil, so tonumber(redis.call('GET', key)) is nil for a missing key,
and calculating or comparing with it raises an error. Give it a default: tonumber(v or
0), or test it first.`,
		Bad: `local n = tonumber(redis.call('GET', KEYS[1]))
return n + 1 --[[want "unguarded-tonumber"]]
`,
		Good: `local n = tonumber(redis.call('GET', KEYS[1]) or 0)
return n + 1
`,
	},
	Run: func(p *lint.Pass) {
		report := func(e syntax.Expr) {
			v := p.Value(e)
			r := v.Reply()
			if r == nil || !v.Is(analysis.Number|analysis.Nil|analysis.Absent) || !v.May(analysis.Nil) || !v.May(analysis.Number) || certain(p, r) || guarded(p, e) {
				return
			}
			p.Report(e, "tonumber gives nil where %s finds nothing, and calculating with it raises an error", r.Command.Name).As(worse(r)).
				Help("give it a default: (%s or 0)", p.Text(e))
		}
		eachOperand(p, report)
		for i, c := range orderings(p) {
			if i%2 == 0 {
				report(c.x)
				report(c.y)
			}
		}
	},
}
