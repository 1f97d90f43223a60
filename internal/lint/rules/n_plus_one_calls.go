package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements n-plus-one-calls.

// together names the command that does many of one at once.
var together = map[string]string{"GET": "MGET", "HGET": "HMGET", "SISMEMBER": "SMISMEMBER", "ZSCORE": "ZMSCORE", "SADD": "SADD", "SREM": "SREM", "DEL": "DEL", "RPUSH": "RPUSH", "LPUSH": "LPUSH"}

var nPlusOneCalls = &lint.Rule{
	Name:     "n-plus-one-calls",
	Severity: diag.Info,
	Group:    lint.Performance,
	Doc: lint.Doc{
		What: "one command for each element, where one does for all",
		Why: `Each call from Lua costs a look-up, a check and a conversion. MGET, HMGET and others
take many names at once.`,
		Bad: `local out = {}
for i, key in ipairs(KEYS) do
  out[i] = redis.call('GET' --[[want "n-plus-one-calls"]], key)
end
return out
`,
		Good: `return redis.call('MGET', unpack(KEYS))
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range p.Calls {
			if c.Command == nil || !c.Loop || c.Inner == nil || together[c.Command.Name] == "" {
				continue
			}
			for n := p.Parent(c.Inner); n != nil; n = p.Parent(n) {
				if _, ok := n.(*syntax.GenericFor); ok {
					p.Report(lint.Place(c, 0), "%s is called for each element; %s takes many at once", c.Command.Name, together[c.Command.Name])
					break
				}
			}
		}
	},
}
