package analysis

// This file implements tests of #ARGV: an argument that is only read where
// there are enough of them may be left out.

import "github.com/luagen/luagen/internal/syntax"

// guardOf returns how many arguments there are at least where a condition is
// true, and where it is false; 0 for no statement.
func (in *interp) guardOf(cond syntax.Expr) (yes, no int) {
	switch e := cond.(type) {
	case *syntax.ParenExpr:
		return in.guardOf(e.X)
	case *syntax.UnaryExpr:
		if e.Op == syntax.OpNot {
			no, yes = in.guardOf(e.X)
		}
		return yes, no
	case *syntax.BinaryExpr:
		if e.Op == syntax.OpAnd {
			a, _ := in.guardOf(e.X)
			b, _ := in.guardOf(e.Y)
			return max(a, b), 0
		}
		return in.guardOfOrder(e)
	}
	return 0, 0
}

// guardOfOrder reads #ARGV >= 3 and its like.
func (in *interp) guardOfOrder(e *syntax.BinaryExpr) (yes, no int) {
	n, ok := e.Y.(*syntax.NumberExpr)
	l := in.lengthOf(e.X)
	if !ok || l == nil || !l.argv {
		return 0, 0
	}
	c := int(n.Value) - l.add
	switch e.Op {
	case syntax.OpGe:
		return c, 0
	case syntax.OpGt:
		return c + 1, 0
	case syntax.OpEq:
		return c, 0
	case syntax.OpLt:
		return 0, c
	case syntax.OpLe:
		return 0, c + 1
	case syntax.OpNe:
		return 0, c
	}
	return 0, 0
}

// lengthOf tells what #ARGV, or a variable that holds it, counts; nil for
// anything else.
func (in *interp) lengthOf(e syntax.Expr) *length {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return in.lengthOf(e.X)
	case *syntax.NameExpr:
		if e.Local != nil {
			return in.name(e).num.length
		}
	case *syntax.UnaryExpr:
		n, ok := e.X.(*syntax.NameExpr)
		if !ok || e.Op != syntax.OpLen {
			return nil
		}
		v := in.name(n)
		if !v.is(kTable) || len(v.sites) != 1 {
			return nil
		}
		if t := in.st.object(v.sites[0]).slots; t != nil && !t.unknown {
			return &length{argv: t.argv, add: -t.shift}
		}
	}
	return nil
}

// guarded runs f where there are at least n arguments.
func (in *interp) guarded(n int, f func()) {
	saved := in.guard
	in.guard = max(in.guard, n)
	f()
	in.guard = saved
}
