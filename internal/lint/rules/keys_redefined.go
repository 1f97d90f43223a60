package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements keys-redefined.

var keysRedefined = &lint.Rule{
	Name:     "keys-redefined",
	Severity: diag.Error,
	Group:    lint.Keys,
	Doc: lint.Doc{
		What: "KEYS or ARGV is given another value",
		Why: `KEYS and ARGV are globals, and assigning to a global raises an error. A local of that
name hides what the caller sent, so that the keys a cluster routes by are not those
that the script uses.`,
		Bad: `KEYS --[[want "keys-redefined"]] = redis.call('SMEMBERS', KEYS[1])
return #KEYS
`,
		Good: `local members = redis.call('SMEMBERS', KEYS[1])
return #members
`,
	},
	Run: func(p *lint.Pass) {
		for _, s := range p.Assigns {
			for _, t := range s.Targets {
				switch t := t.(type) {
				case *syntax.NameExpr:
					if slotTable(t) {
						p.Report(t, "%s cannot be assigned to: scripts may not change globals", t.Name)
					}
				case *syntax.IndexExpr:
					if n, ok := t.X.(*syntax.NameExpr); ok && slotTable(n) && n.Name == "KEYS" {
						p.Report(t, "the keys that the caller sent are changed").As(diag.Warning).Help("use a local of your own")
					}
				}
			}
		}
		for _, s := range p.Locals {
			for i, l := range s.Names {
				if l.Name != "KEYS" && l.Name != "ARGV" || i >= len(s.Values) {
					continue
				}
				if n, ok := s.Values[i].(*syntax.NameExpr); !ok || n.Name != l.Name {
					p.Report(l, "this local hides the %s that the caller sent", l.Name).As(diag.Warning).Help("give it another name")
				}
			}
		}
	},
}

func slotTable(n *syntax.NameExpr) bool {
	return n.Local == nil && (n.Name == "KEYS" || n.Name == "ARGV")
}
