package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements setnx-then-expire.

var setnxThenExpire = &lint.Rule{
	Name:     "setnx-then-expire",
	Severity: diag.Warning,
	Group:    lint.Atomicity,
	Doc: lint.Doc{
		What: "SETNX and then EXPIRE, where one SET does both",
		Why: `SET with NX and PX sets the key and its time to live in one step. In two, an error
between them, or a script that is killed, leaves a key that never expires: a lock that
nobody can take again.`,
		Bad: `if redis.call('SETNX' --[[want "setnx-then-expire"]], KEYS[1], ARGV[1]) == 1 then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return 1
end
return 0
`,
		Good: `if redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return 1
end
return 0
`,
	},
	Run: func(p *lint.Pass) {
		for i, c := range p.Calls {
			if c.Name != "SETNX" || c.Node == nil {
				continue
			}
			key := p.KeyOf(c)
			for _, e := range p.Calls[i+1:] {
				unit := map[string]string{"EXPIRE": "EX", "PEXPIRE": "PX", "EXPIREAT": "EXAT", "PEXPIREAT": "PXAT"}[e.Name]
				if unit != "" && key != "" && p.KeyOf(e) == key && e.Node != nil {
					p.Report(lint.Place(c, 0), "SETNX and then %s: one SET does both at once", e.Name).
						Help("use SET key value NX %s time", unit).Note(e.Node, "the time to live is set here")
					break
				}
			}
		}
	},
}
