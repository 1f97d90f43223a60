package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements self-assignment.

var selfAssignment = &lint.Rule{
	Name:     "self-assignment",
	Severity: diag.Warning,
	Group:    lint.Style,
	Doc: lint.Doc{
		What: "a variable is assigned to itself",
		Why:  `It changes nothing, so something else was meant.`,
		Bad: `local ttl = tonumber(ARGV[1])
if ttl < 0 then
  ttl = ttl --[[want "self-assignment"]]
end
return ttl
`,
		Good: `local ttl = tonumber(ARGV[1])
if ttl < 0 then
  ttl = 0
end
return ttl
`,
	},
	Run: func(p *lint.Pass) {
		for _, s := range p.Assigns {
			if len(s.Targets) != 1 || len(s.Values) != 1 {
				continue
			}
			t, ok := s.Targets[0].(*syntax.NameExpr)
			v, ok2 := s.Values[0].(*syntax.NameExpr)
			if ok && ok2 && t.Name == v.Name && t.Local != nil && t.Local == v.Local {
				p.Report(s, "%s is assigned to itself", t.Name)
			}
		}
	},
}
