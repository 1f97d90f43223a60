package rules

import (
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements time-busy-wait.

var timeBusyWait = &lint.Rule{
	Name:    "time-busy-wait",
	Group:   lint.Safety,
	Targets: "endless from redis-7.2 and valkey-7.2",
	Doc: lint.Doc{
		What: "a loop waits for the clock",
		Why: `Nothing else runs while a script does, so a script that waits stops the server. From
Redis 7.2 TIME does not move within a script, and from 5.0 no key expires in it: the
wait never ends.`,
		Bad: `local start = tonumber(redis.call('TIME')[1])
repeat
  local now = tonumber(redis.call('TIME')[1]) --[[want "time-busy-wait"]]
until now >= start + 1
return 1
`,
		Good: `local now = tonumber(redis.call('TIME')[1])
return redis.call('ZADD', KEYS[1], now + 1, ARGV[1])
`,
	},
	Run: func(p *lint.Pass) {
		for _, loop := range p.Loops {
			var clock syntax.Node
			other := false
			for _, c := range p.Calls {
				if c.Inner == nil || !lint.Within(c.Inner, loop) {
					continue
				}
				switch {
				case c.Command == nil:
					other = true
				case clocks[c.Command.Name]:
					clock = c.Inner
				case c.Command.Writes():
					other = true
				}
			}
			p.BuiltinCalls(func(call *syntax.CallExpr, name string) {
				if name == "os.clock" && lint.Within(call, loop) {
					clock = call
				}
			})
			if clock != nil && !other && !counts(loop) {
				p.Report(clock, "this loop waits for the clock, and the server waits with it").Help("wait in the client")
			}
		}
	},
}

// clocks are commands whose replies change with time alone.
var clocks = words("TIME PTTL TTL")

// counts tells whether a loop has a numeric for or assigns a table's element,
// and so does some work.
func counts(loop syntax.Node) bool {
	work := false
	syntax.Inspect(loop, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.NumericFor, *syntax.GenericFor:
			work = true
		case *syntax.AssignStmt:
			for _, t := range n.Targets {
				_, element := t.(*syntax.IndexExpr)
				work = work || element
			}
		}
		return !work
	})
	return work
}
