package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements reply-nil-compare.

var replyNilCompare = &lint.Rule{
	Name:    "reply-nil-compare",
	Group:   lint.Failure,
	Fixable: true,
	Doc: lint.Doc{
		What: "a reply is compared with nil, which it never is",
		Why: `Redis turns a nil reply into the Lua value false, not nil. A comparison with nil is
therefore never true for a missing key, and the branch that was meant for it never
runs. Compare with false, or test the truth of the reply. Only after
redis.setresp(3) is a missing value nil.`,
		Bad: `local v = redis.call('GET', KEYS[1])
if v == nil --[[want "reply-nil-compare"]] then
  return 'missing'
end
return v
`,
		Good: `local v = redis.call('GET', KEYS[1])
if v == false then
  return 'missing'
end
return v
`,
		Links: []string{"https://redis.io/docs/latest/develop/interact/programmability/lua-api/#resp2-to-lua-type-conversion"},
	},
	Run: func(p *lint.Pass) {
		for _, e := range p.Binaries {
			if e.Op != syntax.OpEq && e.Op != syntax.OpNe {
				continue
			}
			x, null := e.X, lint.Strip(e.Y)
			if _, ok := null.(*syntax.NilExpr); !ok {
				x, null = e.Y, lint.Strip(e.X)
			}
			if _, ok := null.(*syntax.NilExpr); !ok {
				continue
			}
			v := p.Value(x)
			if v.Reply() == nil || v.May(analysis.Nil|analysis.Absent) || testedOtherwise(p, e, x) {
				continue
			}
			outcome := "false"
			if e.Op == syntax.OpNe {
				outcome = "true"
			}
			name := v.Reply().Command.Name
			if v.May(analysis.False) {
				p.Report(e, "%s replies false and never nil for what is missing, so this is always %s", name, outcome).
					Help("compare with false, or test the value itself").
					Fix("compare with false", lint.Replace(null, "false"))
			} else {
				p.Report(e, "the reply of %s is %s here and never nil, so this is always %s", name, v, outcome)
			}
		}
	},
}

// testedOtherwise tells whether the condition that a comparison is a part of
// also tests x for false, which makes the comparison a habit and no mistake.
func testedOtherwise(p *lint.Pass, comparison syntax.Node, x syntax.Expr) bool {
	top := p.Condition(comparison.(syntax.Expr))
	if top == comparison {
		return false
	}
	found := false
	text := p.Source(lint.Strip(x))
	syntax.Inspect(top, func(n syntax.Node) bool {
		if n == comparison {
			return false
		}
		if e, ok := n.(syntax.Expr); ok && p.Source(e) == text {
			found = true
		}
		return !found
	})
	return found
}
