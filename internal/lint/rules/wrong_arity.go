package rules

import (
	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements wrong-arity.

var wrongArity = &lint.Rule{
	Name:  "wrong-arity",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "a command with too few or too many arguments",
		Why: `Redis counts the arguments when the call runs, and raises "Wrong number of args
calling Redis command from script". Commands that take pairs, as HSET, MSET and
XADD, count further than their arity tells: a field without a value is refused too.`,
		Bad: `return redis.call('SET', KEYS[1]) --[[want "wrong-arity"]]
`,
		Good: `return redis.call('SET', KEYS[1], ARGV[1])
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range p.Calls {
			if c.Match == nil || c.Match.Problem == nil || c.Node == nil {
				continue
			}
			problem := c.Match.Problem
			switch problem.Kind {
			case command.TooFew:
				p.Report(c.Node, "%s lacks arguments, expected %s next", c.Command.Name, oneOf(problem.Want)).
					Help("%s %s", c.Command.Name, c.Command.Use)
			case command.Incomplete:
				p.Report(c.Node, "the last group of arguments of %s is not complete, expected %s next", c.Command.Name, oneOf(problem.Want)).
					Help("%s %s", c.Command.Name, c.Command.Use)
			case command.TooMany:
				if at := lint.Place(c, problem.Index+c.Used); at != nil {
					p.Report(at, "%s has an argument too many", c.Command.Name).Help("%s %s", c.Command.Name, c.Command.Use)
				}
			}
		}
	},
}
