package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements no-index-limit-removal.

var noIndexLimitRemoval = &lint.Rule{
	Name:     "no-index-limit-removal",
	Severity: diag.Warning,
	Group:    lint.Atomicity,
	Doc: lint.Doc{
		What: "more is removed than was read",
		Why: `ZRANGEBYSCORE with LIMIT reads a part of a range, and ZREMRANGEBYSCORE removes all of
it: what the limit left out is lost unread. Remove the members that were read, with
ZREM.`,
		Bad: `local due = redis.call('ZRANGE', KEYS[1], 0, ARGV[1], 'BYSCORE', 'LIMIT', 0, 10)
redis.call('ZREMRANGEBYSCORE' --[[want "no-index-limit-removal"]], KEYS[1], 0, ARGV[1])
return due
`,
		Good: `local due = redis.call('ZRANGE', KEYS[1], 0, ARGV[1], 'BYSCORE', 'LIMIT', 0, 10)
if #due > 0 then
  redis.call('ZREM', KEYS[1], unpack(due))
end
return due
`,
	},
	Run: func(p *lint.Pass) {
		for i, c := range p.Calls {
			if c.Match == nil || c.Loop || !c.Match.Has("LIMIT") || c.Name != "ZRANGEBYSCORE" && !(c.Name == "ZRANGE" && c.Match.Has("BYSCORE")) {
				continue
			}
			key := p.KeyOf(c)
			for _, r := range p.Calls[i+1:] {
				at := lint.Place(r, 0)
				if r.Name == "ZREMRANGEBYSCORE" && key != "" && p.KeyOf(r) == key && at != nil &&
					p.Same(c, 2) != "" && p.Same(c, 2) == p.Same(r, 2) && p.Same(c, 3) == p.Same(r, 3) {
					p.Report(at, "this removes the whole range, of which LIMIT let only a part be read").
						Help("remove what was read, with ZREM").Note(c.Node, "it is read here")
				}
			}
		}
	},
}
