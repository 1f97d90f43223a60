package rules

// This file implements what rules about comparisons share.

import (
	"strconv"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// comparison is one side of a comparison, seen from the other.
type comparison struct {
	expr        *syntax.BinaryExpr
	x, y        syntax.Expr
	left, right analysis.Value
}

// equalities returns each == and ~= twice, once from each side.
func equalities(p *lint.Pass) []comparison {
	return comparisons(p, syntax.OpEq, syntax.OpNe)
}

// orderings returns each <, <=, > and >= twice, once from each side.
func orderings(p *lint.Pass) []comparison {
	return comparisons(p, syntax.OpLt, syntax.OpLe, syntax.OpGt, syntax.OpGe)
}

func comparisons(p *lint.Pass, ops ...syntax.Op) []comparison {
	var list []comparison
	for _, e := range p.Binaries {
		for _, op := range ops {
			if e.Op == op {
				x, y := p.Value(e.X), p.Value(e.Y)
				list = append(list, comparison{e, e.X, e.Y, x, y}, comparison{e, e.Y, e.X, y, x})
			}
		}
	}
	return list
}

// outcome is what an equality that never holds gives.
func (c comparison) outcome() string {
	if c.expr.Op == syntax.OpNe {
		return "true"
	}
	return "false"
}

// numeral returns the literal number that an expression is, as a string literal.
func numeral(e syntax.Expr) (string, bool) {
	n, ok := lint.Strip(e).(*syntax.NumberExpr)
	if !ok || n.Value != float64(int64(n.Value)) {
		return "", false
	}
	return "'" + strconv.FormatInt(int64(n.Value), 10) + "'", true
}

// what names a value for a message: ARGV[1], the reply of GET, or what it is.
func what(p *lint.Pass, e syntax.Expr) string {
	v := p.Value(e)
	if r := v.Reply(); r != nil {
		return "the reply of " + r.Command.Name
	}
	if slots, exact := v.Slots(); exact && len(slots) == 1 && slots[0].Index > 0 {
		table := "KEYS"
		if slots[0].Argv {
			table = "ARGV"
		}
		return table + "[" + strconv.Itoa(slots[0].Index) + "]"
	}
	return p.Text(e)
}
