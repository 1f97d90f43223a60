package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements integer-reply-as-boolean.

var integerReplyAsBoolean = &lint.Rule{
	Name:    "integer-reply-as-boolean",
	Group:   lint.Failure,
	Fixable: true,
	Doc: lint.Doc{
		What: "an integer reply is used as a condition, and is always true",
		Why: `In Lua every number is true, 0 too. EXISTS, SISMEMBER, HEXISTS, SETNX and all other
commands that reply an integer make a condition that always holds. Compare the reply
with a number.`,
		Bad: `if redis.call('EXISTS', KEYS[1]) --[[want "integer-reply-as-boolean"]] then
  return 'there'
end
return 'missing'
`,
		Good: `if redis.call('EXISTS', KEYS[1]) == 1 then
  return 'there'
end
return 'missing'
`,
	},
	Run: func(p *lint.Pass) {
		for _, e := range p.Conditions {
			v := p.Value(e)
			if v.Reply() == nil || !v.Is(analysis.Number) || comparedToo(p, e) {
				continue
			}
			if !decides(p, e) {
				continue // a default that is never needed does no harm
			}
			name := v.Reply().Command.Name
			f := p.Report(e, "%s replies a number, and every number is true, 0 too", name)
			help := "compare it: %s == 1"
			if ns := v.Numbers(); len(ns) != 2 {
				help = "compare it: %s > 0"
			} else if call, ok := e.(*syntax.CallExpr); ok {
				f.Fix("compare with 1", lint.Behind(call, " == 1"))
			}
			f.Help(help, p.Text(e))
		}
	},
}

// decides tells whether the truth of an expression chooses anything but the
// expression itself, as it does not in x or 0, and a and x or 0.
func decides(p *lint.Pass, e syntax.Expr) bool {
	for {
		switch n := p.Parent(e).(type) {
		case *syntax.ParenExpr:
			e = n
		case *syntax.BinaryExpr:
			switch {
			case n.Op == syntax.OpAnd && n.X == e:
				return true
			case n.Op == syntax.OpAnd || n.Op == syntax.OpOr:
				e = n
			default:
				return false
			}
		case *syntax.UnaryExpr:
			return n.Op == syntax.OpNot
		case *syntax.IfStmt, *syntax.WhileStmt, *syntax.RepeatStmt:
			return true
		default:
			return false
		}
	}
}

// comparedToo tells whether a variable is compared or counted with as well:
// then its truth is asked for out of habit.
func comparedToo(p *lint.Pass, e syntax.Expr) bool {
	name, ok := lint.Strip(e).(*syntax.NameExpr)
	if !ok || name.Local == nil {
		return testedOtherwise(p, e, e)
	}
	for _, use := range p.Uses(name.Local) {
		if b, ok := p.Parent(use).(*syntax.BinaryExpr); ok && b.Op != syntax.OpAnd && b.Op != syntax.OpOr && b.Op != syntax.OpConcat {
			return true
		}
	}
	return false
}
