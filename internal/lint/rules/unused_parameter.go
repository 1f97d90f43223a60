package rules

import (
	"strings"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements unused-parameter.

var unusedParameter = &lint.Rule{
	Name:     "unused-parameter",
	Severity: diag.Info,
	Group:    lint.Strict,
	Doc: lint.Doc{
		What: "a parameter that its function does not read",
		Why:  `It is left over, or another name is read by mistake. One that begins with _ says that it is not wanted.`,
		Bad: `local function count(key, field --[[want "unused-parameter"]])
  return redis.call('HLEN', key)
end
return count(KEYS[1], ARGV[1])
`,
		Good: `local function count(key)
  return redis.call('HLEN', key)
end
return count(KEYS[1])
`,
	},
	Run: func(p *lint.Pass) {
		used := map[*syntax.Local]bool{}
		for _, n := range p.Names {
			used[n.Local] = true
		}
		for _, f := range p.Functions {
			for _, l := range f.Params {
				if l.Kind == syntax.LocalParam && !used[l] && !strings.HasPrefix(l.Name, "_") && p.Own(l.Pos.Start) {
					p.Report(l, "the function does not read %s", l.Name).Help("take it away, or call it _%s", l.Name)
				}
			}
		}
	},
}
