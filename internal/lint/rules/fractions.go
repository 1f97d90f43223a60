package rules

// This file implements which numbers have a fraction for sure.

import (
	"math"

	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// fractional tells whether an expression is a number that is likely to have a
// fraction: a division, or a product with one. What is rounded is not.
func fractional(p *lint.Pass, e syntax.Expr) bool {
	e = p.Resolve(e)
	if v := p.Value(e); !v.Evaluated() || v.Integral() {
		return false
	}
	switch e := e.(type) {
	case *syntax.NumberExpr:
		return e.Value != math.Trunc(e.Value)
	case *syntax.UnaryExpr:
		return e.Op == syntax.OpNeg && fractional(p, e.X)
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.OpDiv:
			return !exact(p, e)
		case syntax.OpMul:
			return fractional(p, e.X) && !restores(p, e.X, e.Y) || fractional(p, e.Y) && !restores(p, e.Y, e.X)
		case syntax.OpAdd, syntax.OpSub:
			return fractional(p, e.X) || fractional(p, e.Y)
		}
	case *syntax.CallExpr:
		switch p.Builtin(e) {
		case "math.sqrt", "math.log", "math.log10", "math.exp", "math.sin", "math.cos", "os.clock":
			return true
		case "math.random":
			return len(e.Args) == 0
		}
		if r := p.Value(e).Reply(); r != nil && p.Builtin(e) == "tonumber" {
			return r.Command.Name == "INCRBYFLOAT" || r.Command.Name == "HINCRBYFLOAT" || r.Command.Name == "GEODIST"
		}
	}
	return false
}

// exact tells whether a division leaves no remainder: (a - a % b) / b.
func exact(p *lint.Pass, e *syntax.BinaryExpr) bool {
	sub, ok := p.Resolve(e.X).(*syntax.BinaryExpr)
	if !ok || sub.Op != syntax.OpSub {
		return false
	}
	mod, ok := p.Resolve(sub.Y).(*syntax.BinaryExpr)
	return ok && mod.Op == syntax.OpMod && p.Source(lint.Strip(mod.Y)) == p.Source(lint.Strip(e.Y))
}

// restores tells whether x, a division, is multiplied by what it was divided by.
func restores(p *lint.Pass, x, by syntax.Expr) bool {
	div, ok := p.Resolve(x).(*syntax.BinaryExpr)
	return ok && div.Op == syntax.OpDiv && p.Source(lint.Strip(div.Y)) == p.Source(lint.Strip(by))
}
