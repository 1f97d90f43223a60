package rules

import (
	"github.com/luagen/luagen/internal/lint"
)

// This file implements command-not-allowed.

var commandNotAllowed = &lint.Rule{
	Name:    "command-not-allowed",
	Group:   lint.Failure,
	Targets: "BLPOP and its kin: up to redis-7.0",
	Doc: lint.Doc{
		What: "a command that scripts may not call",
		Why: `Some commands make no sense within a script, as it runs alone: SUBSCRIBE, MULTI,
EVAL, AUTH, CONFIG and others. Redis raises "This Redis command is not allowed from
script". Up to Redis 7.0 that is so for the blocking commands as well, as BLPOP.`,
		Bad: `return redis.call('BLPOP' --[[want "command-not-allowed"]], KEYS[1], 0)
`,
		Good: `return redis.call('LPOP', KEYS[1])
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range p.Calls {
			if c.Command == nil || c.Node == nil || c.Command.Container() && c.Used == 1 {
				continue
			}
			on := c.Command.On(p.Target)
			if on.Exists && !on.Allowed {
				f := p.Report(lint.Place(c, 0), "scripts may not call %s on %s", c.Command.Name, p.Target)
				if instead := unblocked[c.Command.Name]; instead != "" {
					f.Help("use %s, which does not wait", instead)
				}
				continue
			}
			for _, o := range c.Match.Barred {
				if at := lint.Place(c, o.Index+c.Used); at != nil && !o.Maybe {
					p.Report(at, "scripts may not call %s with %s on %s", c.Command.Name, o.Name, p.Target)
				}
			}
		}
	},
}

// unblocked names the command that does what a blocking one does when there is
// something to take.
var unblocked = map[string]string{
	"BLPOP": "LPOP", "BRPOP": "RPOP", "BLMOVE": "LMOVE", "BRPOPLPUSH": "RPOPLPUSH",
	"BZPOPMIN": "ZPOPMIN", "BZPOPMAX": "ZPOPMAX", "BLMPOP": "LMPOP", "BZMPOP": "ZMPOP",
}
