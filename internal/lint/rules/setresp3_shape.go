package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements setresp3-shape.

var setresp3Shape = &lint.Rule{
	Name:    "setresp3-shape",
	Group:   lint.Failure,
	Targets: "from redis-6.0",
	Fixable: true,
	Doc: lint.Doc{
		What: "a reply after redis.setresp(3) is taken for one of RESP2",
		Why: `After redis.setresp(3) a missing value is nil and not false, a map is {map = {...}}, a
set {set = {...}} and a score {double = n}. Code that was written for RESP2 finds
nothing in them.`,
		Bad: `redis.setresp(3)
local v = redis.call('GET', KEYS[1])
if v == false --[[want "setresp3-shape"]] then
  return 'missing'
end
return v
`,
		Good: `redis.setresp(3)
local v = redis.call('GET', KEYS[1])
if v == nil then
  return 'missing'
end
return v
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range equalities(p) {
			null, ok := lint.Strip(c.y).(*syntax.BoolExpr)
			if ok && !null.Value && c.left.Reply() != nil && c.left.May(analysis.Nil) && !c.left.May(analysis.False) && resp3(p, c.left) && !testedOtherwise(p, c.expr, c.x) {
				p.Report(c.expr, "after redis.setresp(3) a missing value is nil and never false, so this is always %s", c.outcome()).
					Fix("compare with nil", lint.Replace(null, "nil"))
			}
		}
		for _, e := range p.Indexes {
			v := p.Value(e.X)
			if v.Reply() == nil || !v.Is(analysis.Table) || v.Contents()&analysis.HasTyped == 0 ||
				v.Contents()&(analysis.HasElements|analysis.HasPairs|analysis.ContentsUnknown) != 0 || !p.Value(e.Key).Is(analysis.Number) {
				continue
			}
			p.Report(e, "after redis.setresp(3) the reply of %s has no places, but a field map or set", v.Reply().Command.Name)
		}
	},
}

// resp3 tells whether a value's reply came after redis.setresp(3).
func resp3(p *lint.Pass, v analysis.Value) bool {
	for _, c := range p.Calls {
		if c.Inner == v.Reply().Node {
			return c.Resp3
		}
	}
	return false
}
