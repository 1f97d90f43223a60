package rules

import (
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements global-write.

var globalWrite = &lint.Rule{
	Name:    "global-write",
	Group:   lint.Failure,
	Fixable: true,
	Doc: lint.Doc{
		What: "an assignment to a global variable",
		Why: `The globals of a script cannot be changed, as all scripts of a server share them:
Redis raises "Attempt to modify a readonly table". A variable or a function of the
script's own needs the word local.`,
		Bad: `count --[[want "global-write"]] = redis.call('INCR', KEYS[1])
return count
`,
		Good: `local count = redis.call('INCR', KEYS[1])
return count
`,
	},
	Run: func(p *lint.Pass) {
		told := map[string]bool{}
		report := func(n *syntax.NameExpr, stmt syntax.Stmt, only bool) {
			if n.Local != nil || told[n.Name] || n.Name == "KEYS" || n.Name == "ARGV" {
				return
			}
			told[n.Name] = true
			f := p.Report(n, "%s is not declared, and scripts may not make global variables", n.Name).Help("declare it: local %s", n.Name)
			if only && p.Parent(stmt) == syntax.Node(p.Chunk.Main.Body) && written(p, n.Name) == 1 {
				f.Fix("declare it", lint.Before(stmt, "local "))
			}
		}
		for _, s := range p.Assigns {
			for _, t := range s.Targets {
				if n, ok := t.(*syntax.NameExpr); ok {
					report(n, s, len(s.Targets) == 1)
				}
				writeMember(p, t)
			}
		}
		for _, s := range p.FuncStmts {
			if n, ok := s.Target.(*syntax.NameExpr); ok {
				report(n, s, true)
			}
			writeMember(p, s.Target)
		}
	},
}

// written counts the assignments to a global.
func written(p *lint.Pass, name string) int {
	n := 0
	for _, s := range p.Assigns {
		for _, t := range s.Targets {
			if g, ok := t.(*syntax.NameExpr); ok && g.Local == nil && g.Name == name {
				n++
			}
		}
	}
	for _, s := range p.FuncStmts {
		if g, ok := s.Target.(*syntax.NameExpr); ok && g.Local == nil && g.Name == name {
			n++
		}
	}
	return n
}

// writeMember reports an assignment to a field of a library, or of _G.
func writeMember(p *lint.Pass, target syntax.Expr) {
	e, ok := target.(*syntax.IndexExpr)
	if !ok {
		return
	}
	lib, ok := e.X.(*syntax.NameExpr)
	if ok && lib.Local == nil && (lib.Name == "_G" || members[lib.Name] != nil) {
		p.Report(e, "the table %s cannot be changed by a script", lib.Name)
	}
}
