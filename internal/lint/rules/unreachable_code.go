package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements unreachable-code.

var unreachableCode = &lint.Rule{
	Name:     "unreachable-code",
	Severity: diag.Warning,
	Group:    lint.Style,
	Doc: lint.Doc{
		What: "code that never runs",
		Why: `It stands behind a statement that always leaves: an error, or an if whose every branch
returns.`,
		Bad: `if ARGV[1] == '1' then
  return 1
else
  return 0
end
redis.call('INCR', KEYS[1]) --[[want "unreachable-code"]]
`,
		Good: `redis.call('INCR', KEYS[1])
if ARGV[1] == '1' then
  return 1
else
  return 0
end
`,
	},
	Run: func(p *lint.Pass) {
		for _, b := range append([]*syntax.Block{p.Chunk.Main.Body}, p.Blocks...) {
			for i, s := range b.Stmts {
				if i > 0 && always(p, b.Stmts[i-1]) {
					p.Report(s, "this never runs, as what is before it always leaves")
					break
				}
			}
		}
	},
}

// always tells whether a statement never lets the next one run.
func always(p *lint.Pass, s syntax.Stmt) bool {
	switch s := s.(type) {
	case *syntax.ReturnStmt, *syntax.BreakStmt:
		return true
	case *syntax.CallStmt:
		return p.Builtin(s.Call) == "error"
	case *syntax.DoStmt:
		return alwaysBlock(p, s.Body)
	case *syntax.IfStmt:
		if s.Else == nil || !alwaysBlock(p, s.Else) {
			return false
		}
		for _, c := range s.Clauses {
			if !alwaysBlock(p, c.Body) {
				return false
			}
		}
		return true
	}
	return false
}

func alwaysBlock(p *lint.Pass, b *syntax.Block) bool {
	return len(b.Stmts) > 0 && always(p, b.Stmts[len(b.Stmts)-1])
}
