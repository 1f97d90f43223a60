package rules

// This file implements when a reply is known to be there.

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// certain tells whether a reply that may be missing seems to be known to be
// there: the script did something else with the same key before, or the key is
// one that it found somewhere. Elements of several replies are never certain.
func certain(p *lint.Pass, r *analysis.Reply) bool {
	switch r.Command.Name {
	case "MGET", "ZMSCORE":
		return false
	}
	if r.Node == nil {
		return true
	}
	key, found := "", false
	for _, c := range p.Calls {
		if c.Inner == r.Node {
			if key, found = p.KeyOf(c), true; key == "" {
				return true
			}
		}
	}
	if !found {
		return true
	}
	for _, c := range p.Calls {
		if c.Inner == r.Node {
			return false
		}
		for i := c.Used; i < len(c.Args); i++ {
			if p.Same(c, i) == key {
				return true
			}
		}
	}
	return false
}

// mayMiss tells whether a value is what a command replies, or false where there
// is nothing, and nothing says that there is something.
func mayMiss(p *lint.Pass, e syntax.Expr, v analysis.Value) bool {
	return v.Reply() != nil && !guarded(p, e) && v.May(analysis.False) && !v.May(analysis.True) && !v.May(analysis.Table) && !certain(p, v.Reply())
}

// guarded tells whether an element that is read by its place is tested
// somewhere, as in if t[2] then use(t[2]); elements are not followed through
// conditions.
func guarded(p *lint.Pass, e syntax.Expr) bool {
	if e == nil {
		return false
	}
	e = lint.Strip(e)
	if p.Tested(e) {
		if _, element := e.(*syntax.IndexExpr); element {
			return true
		}
	}
	from := p.Resolve(e)
	if call, ok := from.(*syntax.CallExpr); ok && p.Builtin(call) == "tonumber" && len(call.Args) > 0 {
		from = p.Resolve(call.Args[0])
	}
	_, element := from.(*syntax.IndexExpr)
	return element && p.Tested(from)
}

// worse is how bad it is when a reply is missing: fields of a record that is
// read at once are there by design most of the time.
func worse(r *analysis.Reply) diag.Severity {
	if r.Command.Name == "HMGET" {
		return diag.Warning
	}
	return diag.Error
}
