package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements false-in-array-arith.

var falseInArrayArith = &lint.Rule{
	Name:  "false-in-array-arith",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "a reply that may be false is calculated with",
		Why: `What is missing is false in a script, also among the elements that MGET and HMGET
reply, and arithmetic on it raises "attempt to perform arithmetic on a boolean value".
Give it a default: (v or 0).`,
		Bad: `local sum = 0
for _, v in ipairs(redis.call('MGET', unpack(KEYS))) do
  sum = sum + v --[[want "false-in-array-arith"]]
end
return sum
`,
		Good: `local sum = 0
for _, v in ipairs(redis.call('MGET', unpack(KEYS))) do
  sum = sum + (v or 0)
end
return sum
`,
	},
	Run: func(p *lint.Pass) {
		eachOperand(p, func(e syntax.Expr) {
			v := p.Value(e)
			if v.May(analysis.String) && mayMiss(p, e, v) {
				p.Report(e, "%s is false where nothing is found, and calculating with it raises an error", what(p, e)).As(worse(v.Reply())).
					Help("give it a default: (%s or 0)", p.Text(e))
			}
		})
	},
}

// eachOperand visits the operands of arithmetic.
func eachOperand(p *lint.Pass, visit func(syntax.Expr)) {
	for _, b := range p.Binaries {
		if b.Op <= syntax.OpPow {
			visit(b.X)
			visit(b.Y)
		}
	}
	for _, u := range p.Unaries {
		if u.Op == syntax.OpNeg {
			visit(u.X)
		}
	}
}
