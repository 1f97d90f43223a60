package rules

import (
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements unbounded-loop.

var unboundedLoop = &lint.Rule{
	Name:  "unbounded-loop",
	Group: lint.Safety,
	Doc: lint.Doc{
		What: "a loop without an end",
		Why: `Nothing else runs while a script does. A loop that cannot end stops the server until
somebody sends SCRIPT KILL, and after the first write only SHUTDOWN NOSAVE helps.`,
		Bad: `while true --[[want "unbounded-loop"]] do
  redis.call('LPOP', KEYS[1])
end
`,
		Good: `for _ = 1, 100 do
  if not redis.call('LPOP', KEYS[1]) then break end
end
return 1
`,
	},
	Run: func(p *lint.Pass) {
		for _, loop := range p.Loops {
			var cond syntax.Expr
			forever := true
			switch s := loop.(type) {
			case *syntax.WhileStmt:
				cond = s.Cond
			case *syntax.RepeatStmt:
				cond, forever = s.Cond, false
			}
			b, ok := lint.Strip(cond).(*syntax.BoolExpr)
			if ok && b.Value == forever && !leaves(p, loop) {
				p.Report(cond, "this loop never ends").Help("bound it, or leave it with break")
			}
		}
	},
}

// leaves tells whether anything in a loop may end it: break, return, an error,
// or a function that may raise one.
func leaves(p *lint.Pass, loop syntax.Node) bool {
	found := false
	syntax.Inspect(loop, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BreakStmt, *syntax.ReturnStmt:
			found = true
		case *syntax.CallExpr:
			name := p.Builtin(n)
			found = found || name == "error" || name == "assert" || name == ""
		case *syntax.FuncExpr:
			return false
		}
		return !found
	})
	return found
}
