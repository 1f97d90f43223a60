package rules

import (
	"strings"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements unused-local.

var unusedLocal = &lint.Rule{
	Name:     "unused-local",
	Severity: diag.Warning,
	Group:    lint.Style,
	Doc: lint.Doc{
		What: "a local that nothing reads",
		Why: `Most often it is misspelt where it was to be read, or left over. A name that begins
with _ says that it is not wanted.`,
		Bad: `local limit --[[want "unused-local"]] = tonumber(ARGV[1])
return redis.call('LRANGE', KEYS[1], 0, -1)
`,
		Good: `local limit = tonumber(ARGV[1])
return redis.call('LRANGE', KEYS[1], 0, limit - 1)
`,
	},
	Run: func(p *lint.Pass) {
		read := map[*syntax.Local]bool{}
		for _, n := range p.Names {
			if n.Local != nil && !assigned(p, n) {
				read[n.Local] = true
			}
		}
		functions := append([]*syntax.Func{p.Chunk.Main}, p.Functions...)
		last := lastNames(p)
		for _, f := range functions {
			for _, l := range f.Locals {
				if read[l] || strings.HasPrefix(l.Name, "_") || !p.Own(l.Pos.Start) || l.Kind != syntax.LocalVar && l.Kind != syntax.LocalFunc || !last[l] && l.Kind == syntax.LocalVar {
					continue
				}
				if p.Fragment() && l.Func == p.Chunk.Main {
					continue
				}
				f := p.Report(l, "nothing reads %s", l.Name)
				if namesSlot(p, l) {
					f.As(diag.Info) // it only says what the slot is
				}
				f.Help("take it away, or call it _%s", l.Name)
			}
		}
	},
}

// namesSlot tells whether a local is declared with a slot and nothing else.
func namesSlot(p *lint.Pass, l *syntax.Local) bool {
	init := p.Init(l)
	if init == nil {
		return false
	}
	e, ok := lint.Strip(init).(*syntax.IndexExpr)
	if !ok {
		return false
	}
	n, ok := e.X.(*syntax.NameExpr)
	return ok && slotTable(n)
}

// lastNames returns the locals whose places no later name of the same
// statement needs.
func lastNames(p *lint.Pass) map[*syntax.Local]bool {
	set := map[*syntax.Local]bool{}
	for _, s := range p.Locals {
		for i, l := range s.Names {
			set[l] = i == len(s.Names)-1 || len(s.Values) >= len(s.Names)
		}
	}
	return set
}
