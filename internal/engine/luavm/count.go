package luavm

// This file implements counting: code that says which points of a script a run
// passes. Without a counter none of it is there.

import (
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/coverage"
	"github.com/luagen/luagen/internal/syntax"
)

// Points returns the points of a chunk that parsed without errors, sorted. The
// error is Compile's.
func Points(chunk *syntax.Chunk) ([]coverage.Point, error) {
	var points []coverage.Point
	_, err := CompileCounting(chunk, "", 0, func(p coverage.Point) *atomic.Uint64 {
		points = append(points, p)
		return nil
	})
	return coverage.Sort(points), err
}

// count emits code that counts.
func (f *function) count(kind coverage.Kind, n syntax.Node) {
	if f.unit.counter == nil {
		return
	}
	counter := f.unit.counter(coverage.Point{Kind: kind, Span: n.Span()})
	where := f.unit.start(n)
	fn := f.reserve(1)
	f.loadConstant(fn, &lua.LFunction{IsG: true, GFunction: func(*lua.LState) int {
		counter.Add(1)
		return 0
	}}, where)
	f.abc(lua.OP_CALL, fn, 1, 1, where)
	f.free = fn
}

// counts tells whether the outcomes of a condition, or of an operator "and" or
// "or" as such, are counted.
func (f *function) counts(e syntax.Expr) bool { return f.unit.counter != nil && !isLiteral(e) }

// countOutcome emits code that counts an outcome of a condition or operator.
func (f *function) countOutcome(kind coverage.Kind, e syntax.Expr) {
	if f.counts(e) {
		f.count(kind, e)
	}
}

// countLeft makes the jumps of an operator's left side, which decided alone,
// pass code that counts, and returns the jump that takes their place. The code
// before it runs past.
func (f *function) countLeft(e *syntax.BinaryExpr, jumps []int, where int) []int {
	if !f.counts(e) || len(jumps) == 0 {
		return jumps
	}
	past := f.jump(where)
	f.patchHere(jumps)
	f.count(coverage.Left, e)
	out := f.jump(where)
	f.patchHere([]int{past})
	return []int{out}
}

// isLiteral tells whether an expression is a literal, or an operator whose left
// side is one: nothing is decided there.
func isLiteral(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return isLiteral(e.X)
	case *syntax.UnaryExpr:
		return e.Op == syntax.OpNot && isLiteral(e.X)
	case *syntax.BinaryExpr:
		return (e.Op == syntax.OpAnd || e.Op == syntax.OpOr) && isLiteral(e.X)
	case *syntax.NilExpr, *syntax.BoolExpr, *syntax.NumberExpr, *syntax.StringExpr, *syntax.TableExpr, *syntax.FuncExpr:
		return true
	}
	return false
}
