package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements argv-ordered-compare.

var argvOrderedCompare = &lint.Rule{
	Name:    "argv-ordered-compare",
	Group:   lint.Failure,
	Fixable: true,
	Doc: lint.Doc{
		What: "a string is compared by size",
		Why: `Arguments and most replies are strings. Comparing one with a number raises "attempt
to compare number with string", and two strings compare by their bytes, so that '10'
is less than '9'. Convert with tonumber first.`,
		Bad: `if ARGV[1] > 5 --[[want "argv-ordered-compare"]] then
  return 1
end
return 0
`,
		Good: `if tonumber(ARGV[1]) > 5 then
  return 1
end
return 0
`,
	},
	Run: func(p *lint.Pass) {
		for i, c := range orderings(p) {
			switch {
			case c.right.Is(analysis.Number) && stringly(p, c.x, c.left):
				f := p.Report(c.expr, "%s is a string, and comparing it with a number raises an error", what(p, c.x)).Help("convert it: tonumber(%s)", p.Text(c.x))
				if c.left.Is(analysis.String | analysis.Absent) {
					f.Fix("convert it", lint.Before(c.x, "tonumber("), lint.Behind(c.x, ")"))
				}
			case i%2 == 0 && c.left.Is(analysis.String|analysis.Absent) && c.right.Is(analysis.String|analysis.Absent) && counted(p, c):
				p.Report(c.expr, "two strings are compared by their bytes: '10' is less than '9'").As(diag.Warning).
					Help("convert both with tonumber, when they are numbers")
			}
		}
	},
}

// stringly tells whether a value is a string where it is anything: never a
// number, or a slot whose default alone is one.
func stringly(p *lint.Pass, e syntax.Expr, v analysis.Value) bool {
	if v.Is(analysis.String | analysis.False | analysis.Nil | analysis.Absent) {
		return v.May(analysis.String)
	}
	or, ok := p.Resolve(e).(*syntax.BinaryExpr)
	if !ok || or.Op != syntax.OpOr {
		return false
	}
	left := p.Value(or.X)
	return left.Is(analysis.String|analysis.False|analysis.Absent) && left.May(analysis.String) && p.Value(or.Y).Is(analysis.Number)
}

// counted tells whether two strings that are compared seem to be numbers: one
// is for sure, or both come from outside and nothing says that they are text.
func counted(p *lint.Pass, c comparison) bool {
	if c.left.Numeric() || c.right.Numeric() {
		return true
	}
	return outside(c.left) && outside(c.right) && !textual(p, c.left) && !textual(p, c.right)
}

func outside(v analysis.Value) bool {
	slots, exact := v.Slots()
	return v.Reply() != nil || exact && len(slots) > 0
}

// textual tells whether a value's slot is known to be text.
func textual(p *lint.Pass, v analysis.Value) bool {
	if r := v.Reply(); r != nil {
		return len(r.Command.Name) > 0 && (r.Command.Name[0] == 'X' || r.Command.Name == "TYPE")
	}
	slots, _ := v.Slots()
	for _, s := range slots {
		if !s.Argv || s.Index == 0 {
			return true
		}
		if p.Script != nil && p.ArgTags >= s.Index && p.Script.Args[s.Index-1].Type.String() == "string" {
			return true
		}
	}
	return false
}
