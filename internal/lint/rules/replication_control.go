package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements replication-control.

var replicationControl = &lint.Rule{
	Name:     "replication-control",
	Severity: diag.Warning,
	Group:    lint.Safety,
	Doc: lint.Doc{
		What: "the script decides what replicas see",
		Why: `What a script writes under redis.set_repl(redis.REPL_NONE) is on the master only:
replicas differ from it, and after a failover the data is gone.
redis.replicate_commands() does nothing since Redis 7.0.`,
		Bad: `redis.set_repl(redis.REPL_NONE) --[[want "replication-control"]]
return redis.call('SET', KEYS[1], ARGV[1])
`,
		Good: `return redis.call('SET', KEYS[1], ARGV[1])
`,
	},
	Run: func(p *lint.Pass) {
		p.BuiltinCalls(func(call *syntax.CallExpr, name string) {
			switch {
			case name == "redis.set_repl" && len(call.Args) == 1:
				if e, ok := call.Args[0].(*syntax.IndexExpr); !ok || p.Source(e.Key) != "REPL_ALL" {
					p.Report(call, "what is written after this is not on all replicas, and is gone after a failover")
				}
			case name == "redis.replicate_commands" && p.Target.AtLeast(7, 0):
				p.Report(call, "redis.replicate_commands does nothing since Redis 7.0").As(diag.Info).Help("take it away")
			}
		})
	},
}
