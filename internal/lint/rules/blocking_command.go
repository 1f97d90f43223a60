package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements blocking-command.

var blockingCommand = &lint.Rule{
	Name:     "blocking-command",
	Severity: diag.Warning,
	Group:    lint.Safety,
	Targets:  "from redis-7.2 and valkey-7.2",
	Doc: lint.Doc{
		What: "a blocking command, which never waits in a script",
		Why: `From Redis 7.2 a script may call BLPOP and its kin, but they answer at once, with
nothing where nothing is there. The plain command says what happens.`,
		Bad: `return redis.call('BLPOP' --[[want "blocking-command"]], KEYS[1], 0)
`,
		Good: `return redis.call('LPOP', KEYS[1])
`,
		Target: "redis-7.2",
	},
	Run: func(p *lint.Pass) {
		for _, c := range p.Calls {
			if c.Command == nil || c.Node == nil || !c.Command.Blocking() || !c.Command.On(p.Target).Allowed {
				continue
			}
			instead := unblocked[c.Command.Name]
			if instead == "" {
				continue
			}
			p.Report(lint.Place(c, 0), "%s does not wait in a script", c.Command.Name).Help("use %s, which does the same there", instead)
		}
	},
}
