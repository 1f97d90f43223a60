package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements float-return.

var floatReturn = &lint.Rule{
	Name:     "float-return",
	Severity: diag.Warning,
	Group:    lint.Failure,
	Doc: lint.Doc{
		What: "a number with a fraction is returned, and loses it",
		Why: `Redis makes an integer reply of every Lua number: 3.99 comes out as 3, without an
error. Return tostring(x) to keep the fraction, or math.floor(x) to say that it is not
wanted.`,
		Bad: `local hits = tonumber(ARGV[1])
return hits / 3 --[[want "float-return"]]
`,
		Good: `local hits = tonumber(ARGV[1])
return tostring(hits / 3)
`,
	},
	Run: func(p *lint.Pass) {
		for _, s := range p.Returns {
			for _, e := range s.Values {
				eachReplied(e, func(e syntax.Expr) {
					if fractional(p, e) {
						p.Report(e, "a reply has no fractions: this number is cut to an integer").
							Help("return tostring(...) to keep the fraction, or math.floor(...) to say that it is not wanted")
					}
				})
			}
		}
	},
}

// eachReplied visits a returned expression, and the elements of constructors.
func eachReplied(e syntax.Expr, visit func(syntax.Expr)) {
	t, ok := lint.Strip(e).(*syntax.TableExpr)
	if !ok {
		visit(e)
		return
	}
	for _, f := range t.Fields {
		if f.Key == nil {
			eachReplied(f.Value, visit)
		}
	}
}
