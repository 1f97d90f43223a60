package rules

// This file implements when a reply is known to be there.

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
)

// certain tells whether a reply that may be missing seems to be known to be
// there: the script did something else with the same key before, or the key is
// one that it found somewhere. Elements of several replies are never certain.
func certain(p *lint.Pass, r *analysis.Reply) bool {
	switch r.Command.Name {
	case "MGET", "HMGET", "ZMSCORE":
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
func mayMiss(p *lint.Pass, v analysis.Value) bool {
	return v.Reply() != nil && v.May(analysis.False) && !v.May(analysis.True) && !v.May(analysis.Table) && !certain(p, v.Reply())
}
