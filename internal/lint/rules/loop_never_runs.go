package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements loop-never-runs.

var loopNeverRuns = &lint.Rule{
	Name:     "loop-never-runs",
	Severity: diag.Warning,
	Group:    lint.Style,
	Fixable:  true,
	Doc: lint.Doc{
		What: "a for loop counts in the wrong direction",
		Why:  `for i = #t, 1 counts up from #t and so runs once at most. To count down it needs a step: for i = #t, 1, -1.`,
		Bad: `local list = redis.call('LRANGE', KEYS[1], 0, 99)
for i = #list, 1 --[[want "loop-never-runs"]] do
  redis.call('RPUSH', KEYS[2], list[i])
end
return #list
`,
		Good: `local list = redis.call('LRANGE', KEYS[1], 0, 99)
for i = #list, 1, -1 do
  redis.call('RPUSH', KEYS[2], list[i])
end
return #list
`,
	},
	Run: func(p *lint.Pass) {
		for _, s := range p.NumericFors {
			start, limit := p.Value(s.Start), p.Value(s.Limit)
			down := false
			if u, ok := lint.Strip(s.Start).(*syntax.UnaryExpr); ok && u.Op == syntax.OpLen {
				n, ok := constant(limit)
				down = ok && n <= 1
			}
			a, ok := constant(start)
			b, ok2 := constant(limit)
			down = down || ok && ok2 && a > b && start.Is(analysis.Number)
			if s.Step == nil && down {
				p.Report(s.Limit, "the loop counts up from %s, and so does not reach %s", p.Text(s.Start), p.Text(s.Limit)).
					Help("to count down add a step of -1").Fix("count down", lint.Behind(s.Limit, ", -1"))
			}
		}
	},
}
