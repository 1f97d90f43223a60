package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements hgetall-as-map.

var hgetallAsMap = &lint.Rule{
	Name:  "hgetall-as-map",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "a reply that is an array is read by name",
		Why: `In a script HGETALL, CONFIG GET, XINFO and ZRANGE WITHSCORES reply one flat array:
name, value, name, value. Reading it by name gives nil. Use HGET or HMGET, or build a
table in a loop with a step of 2. After redis.setresp(3) a map is in the field map.`,
		Bad: `local user = redis.call('HGETALL', KEYS[1])
return user.name --[[want "hgetall-as-map"]]
`,
		Good: `local name = redis.call('HGET', KEYS[1], 'name')
return name
`,
	},
	Run: func(p *lint.Pass) {
		const named = analysis.HasFields | analysis.HasOther | analysis.HasOk | analysis.HasErr | analysis.HasTyped | analysis.ContentsUnknown
		for _, e := range p.Indexes {
			key, ok := p.Value(e.Key).Text()
			v := p.Value(e.X)
			if !ok || v.Reply() == nil || !v.Is(analysis.Table) || v.Contents()&named != 0 || key == "ok" || key == "err" || assigned(p, e) {
				continue
			}
			name := v.Reply().Command.Name
			f := p.Report(e, "%s replies an array, which has no field %s: this is always nil", name, key)
			if name == "HGETALL" {
				f.Help("use redis.call('HGET', key, '%s'), or walk the array in steps of 2", key)
			} else {
				f.Help("read it by position")
			}
		}
	},
}

// assigned tells whether an expression is what an assignment stores into.
func assigned(p *lint.Pass, e syntax.Expr) bool {
	s, ok := p.Parent(e).(*syntax.AssignStmt)
	if !ok {
		return false
	}
	for _, t := range s.Targets {
		if t == e {
			return true
		}
	}
	return false
}
