package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements pairs-order-dependent.

var pairsOrderDependent = &lint.Rule{
	Name:     "pairs-order-dependent",
	Severity: diag.Info,
	Group:    lint.Strict,
	Doc: lint.Doc{
		What: "a list is built in the order of pairs, which is none",
		Why: `pairs walks a table in the order of its memory, which may differ between servers,
versions and runs. A reply that is built so comes in another order each time. Sort it.`,
		Bad: `local seen, out = {}, {}
for _, id in ipairs(ARGV) do
  seen[id] = true
end
for id in pairs(seen) do
  out[#out + 1] = id --[[want "pairs-order-dependent"]]
end
return out
`,
		Good: `local seen, out = {}, {}
for _, id in ipairs(ARGV) do
  seen[id] = true
end
for id in pairs(seen) do
  out[#out + 1] = id
end
table.sort(out)
return out
`,
	},
	Run: func(p *lint.Pass) {
		sorts := false
		p.BuiltinCalls(func(_ *syntax.CallExpr, name string) { sorts = sorts || name == "table.sort" })
		if sorts {
			return
		}
		for _, s := range p.Assigns {
			t, ok := s.Targets[0].(*syntax.IndexExpr)
			if !ok {
				continue
			}
			if sum, ok := t.Key.(*syntax.BinaryExpr); !ok || sum.Op != syntax.OpAdd {
				continue
			}
			for n := p.Parent(s); n != nil; n = p.Parent(n) {
				loop, ok := n.(*syntax.GenericFor)
				if !ok || len(loop.Exprs) != 1 {
					continue
				}
				if call, ok := loop.Exprs[0].(*syntax.CallExpr); ok && p.Builtin(call) == "pairs" {
					p.Report(s, "the list has the order of pairs, which is none").Help("sort it with table.sort")
				}
				break
			}
		}
	},
}
