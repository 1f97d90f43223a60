package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements nil-hole-return.

var nilHoleReturn = &lint.Rule{
	Name:    "nil-hole-return",
	Group:   lint.Failure,
	Fixable: true,
	Doc: lint.Doc{
		What: "a returned array has nil before its end, where the reply ends",
		Why: `Redis sends a table up to its first nil: {a, nil, c} is a reply of one element. Use
false in its place, which becomes a nil reply and keeps the elements behind it.`,
		Bad: `local owner = redis.call('GET', KEYS[1])
return {1, nil --[[want "nil-hole-return"]], owner}
`,
		Good: `local owner = redis.call('GET', KEYS[1])
return {1, false, owner}
`,
	},
	Run: func(p *lint.Pass) {
		for _, s := range p.Returns {
			if len(s.Values) > 0 {
				holes(p, s.Values[0])
			}
		}
	},
}

// holes reports the elements of a constructor that may be nil, where something
// follows that is not.
func holes(p *lint.Pass, e syntax.Expr) {
	t, ok := p.Resolve(e).(*syntax.TableExpr)
	if !ok {
		return
	}
	last := -1
	for i, f := range t.Fields {
		if f.Key == nil && !p.Value(f.Value).Is(analysis.Nil) {
			last = i
		}
	}
	for i, f := range t.Fields {
		if f.Key != nil {
			continue
		}
		v := p.Value(f.Value)
		holes(p, f.Value)
		if i >= last || !v.May(analysis.Nil) || vague(v) || converted(v) {
			continue
		}
		if v.Is(analysis.Nil) {
			r := p.Report(f.Value, "the reply ends here: what follows nil is not sent").Help("use false, which is sent as nil")
			if _, ok := lint.Strip(f.Value).(*syntax.NilExpr); ok {
				r.Fix("use false", lint.Replace(f.Value, "false"))
			}
			continue
		}
		if nilByHand(p, f.Value) || unset(p, f.Value) {
			p.Report(f.Value, "this is %s, and where it is nil the reply ends: what follows is not sent", v).Help("add or false, which is sent as nil")
		}
	}
}

// unset tells whether an expression is a local that is declared without a
// value, and so is nil where nothing assigns to it.
func unset(p *lint.Pass, e syntax.Expr) bool {
	n, ok := lint.Strip(e).(*syntax.NameExpr)
	if !ok || n.Local == nil {
		return false
	}
	for _, s := range p.Locals {
		for _, l := range s.Names {
			if l == n.Local {
				return len(s.Values) == 0
			}
		}
	}
	return false
}

// converted tells whether a value is a number, and nil only where a text was
// none.
func converted(v analysis.Value) bool {
	return v.May(analysis.Number) && v.Is(analysis.Number|analysis.Nil|analysis.Absent)
}

// nilByHand tells whether an expression ends in or nil.
func nilByHand(p *lint.Pass, e syntax.Expr) bool {
	b, ok := p.Resolve(e).(*syntax.BinaryExpr)
	if !ok || b.Op != syntax.OpOr {
		return false
	}
	_, ok = lint.Strip(b.Y).(*syntax.NilExpr)
	return ok
}

// vague tells whether next to nothing is known of a value.
func vague(v analysis.Value) bool {
	return v.May(analysis.Nil) && v.May(analysis.Table) && v.May(analysis.String) && v.May(analysis.Number)
}
