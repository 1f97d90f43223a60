package rules

// This file implements what a key is made of.

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// ingredients is the set of what an expression is made of.
type ingredients uint8

const (
	ofKeys ingredients = 1 << iota
	ofArgs
	ofReplies
	ofLiterals
	ofUnknown
)

// ingredientsOf follows an expression through locals and concatenations.
func ingredientsOf(p *lint.Pass, e syntax.Expr, depth int) ingredients {
	e = lint.Strip(e)
	v := p.Value(e)
	if _, ok := v.Text(); ok {
		return ofLiterals
	}
	if slots, _ := v.Slots(); len(slots) > 0 {
		var of ingredients
		for _, s := range slots {
			if s.Argv {
				of |= ofArgs
			} else {
				of |= ofKeys
			}
		}
		return of
	}
	if v.Reply() != nil {
		return ofReplies
	}
	if depth == 0 {
		return ofUnknown
	}
	switch e := e.(type) {
	case *syntax.NumberExpr, *syntax.StringExpr:
		return ofLiterals
	case *syntax.NameExpr:
		if init := p.Init(e.Local); init != nil {
			return ingredientsOf(p, init, depth-1)
		}
	case *syntax.BinaryExpr:
		return ingredientsOf(p, e.X, depth-1) | ingredientsOf(p, e.Y, depth-1)
	case *syntax.CallExpr:
		switch p.Builtin(e) {
		case "tostring", "string.format", "string.lower", "string.upper", "string.sub":
			var of ingredients
			for _, a := range e.Args {
				of |= ingredientsOf(p, a, depth-1)
			}
			return of
		}
	}
	return ofUnknown
}

// eachKey visits the arguments of calls that are keys, where they are written
// and no slot of KEYS itself.
func eachKey(p *lint.Pass, visit func(c *analysis.Call, i int, at syntax.Node, of ingredients)) {
	for _, c := range p.Calls {
		for i := c.Used; i < len(c.Args); i++ {
			if lint.Role(c, i).Kind != command.Key {
				continue
			}
			at := lint.Place(c, i)
			if at == nil {
				continue
			}
			of := ofUnknown
			if i < len(c.Exprs) && c.Exprs[i] != nil {
				of = ingredientsOf(p, c.Exprs[i], 6)
			}
			visit(c, i, at, of)
		}
	}
}
