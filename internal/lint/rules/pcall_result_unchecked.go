package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements pcall-result-unchecked.

var pcallResultUnchecked = &lint.Rule{
	Name:  "pcall-result-unchecked",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "an error of redis.pcall passes unseen",
		Why: `redis.pcall does not raise an error, it returns a table {err = '...'}, and a table is
true. A test for truth takes a failure for a success, and a call whose result nobody
looks at hides it. Look at the field err, or use redis.call.`,
		Bad: `local r = redis.pcall('LPUSH', KEYS[1], ARGV[1])
if r --[[want "pcall-result-unchecked"]] then
  return 'ok'
end
return 'failed'
`,
		Good: `local r = redis.pcall('LPUSH', KEYS[1], ARGV[1])
if type(r) == 'table' and r.err then
  return 'failed'
end
return 'ok'
`,
	},
	Run: func(p *lint.Pass) {
		calls := map[*syntax.CallExpr]*analysis.Call{}
		for _, c := range p.Calls {
			if c.Protected && c.Inner != nil && p.Builtin(c.Inner) == "redis.pcall" {
				calls[c.Inner] = c
			}
		}
		for _, s := range p.CallStmts {
			if calls[s.Call] != nil {
				p.Report(s.Call, "an error of this call is lost, as nobody looks at the result of redis.pcall").As(diag.Warning).
					Help("use redis.call, or look at the field err of the result")
			}
		}
		for _, e := range p.Conditions {
			call, ok := p.Resolve(e).(*syntax.CallExpr)
			if !ok || calls[call] == nil || !decides(p, e) || lookedAt(p, e) {
				continue
			}
			p.Report(e, "an error of redis.pcall is a table, and so it is true here").Help("look at the field err as well, or use redis.call")
		}
	},
}

// lookedAt tells whether the variable that is tested is used in any other way
// than by its truth.
func lookedAt(p *lint.Pass, e syntax.Expr) bool {
	name, ok := lint.Strip(e).(*syntax.NameExpr)
	if !ok {
		return false
	}
	tests := map[syntax.Expr]bool{}
	for _, c := range p.Conditions {
		tests[c] = true
	}
	for _, use := range p.Uses(name.Local) {
		if !tests[use] {
			return true
		}
	}
	return false
}
