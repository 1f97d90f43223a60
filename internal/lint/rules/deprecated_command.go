package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements deprecated-command.

var deprecatedCommand = &lint.Rule{
	Name:     "deprecated-command",
	Severity: diag.Info,
	Group:    lint.Versions,
	Fixable:  true,
	Targets:  "by the list of each",
	Doc: lint.Doc{
		What: "a command that the target's documentation calls deprecated",
		Why: `It still works, and nobody plans to take it away. The newer command does the same, and
more.`,
		Bad: `redis.call('HMSET' --[[want "deprecated-command"]], KEYS[1], 'name', ARGV[1])
return 1
`,
		Good: `redis.call('HSET', KEYS[1], 'name', ARGV[1])
return 1
`,
	},
	Run: func(p *lint.Pass) {
		statements := map[*syntax.CallExpr]bool{}
		for _, s := range p.CallStmts {
			statements[s.Call] = true
		}
		for _, c := range p.Calls {
			if c.Command == nil || c.Node == nil {
				continue
			}
			on := c.Command.On(p.Target)
			if !on.Deprecated {
				continue
			}
			at := lint.Place(c, 0)
			f := p.Report(at, "%s is deprecated", c.Command.Name)
			if on.Instead != "" {
				f.Help("use %s", on.Instead)
			}
			if c.Name == "HMSET" && statements[c.Inner] {
				renameCommand(f, c, "HSET")
			}
		}
	},
}

// renameCommand offers another name, in the case that the old one has.
func renameCommand(f lint.Finding, c *analysis.Call, name string) {
	if len(c.Exprs) == 0 {
		return
	}
	s, ok := c.Exprs[0].(*syntax.StringExpr)
	if !ok || s.Long {
		return
	}
	if s.Value != c.Name {
		name = lower(name)
	}
	f.Fix("use "+name, lint.Replace(s, "'"+name+"'"))
}

func lower(s string) string {
	b := []byte(s)
	for i := range b {
		if b[i] >= 'A' && b[i] <= 'Z' {
			b[i] += 'a' - 'A'
		}
	}
	return string(b)
}
