package rules

import (
	"strconv"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements non-integer-argument.

var nonIntegerArgument = &lint.Rule{
	Name:  "non-integer-argument",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "a command that takes an integer is given a fraction",
		Why: `EXPIRE, PEXPIRE, INCRBY, the values of PX and COUNT and others take integers.
tonumber(ARGV[1]) / 1000 is 1.5 as soon as the argument is 1500, and Redis raises
"value is not an integer or out of range". Round it with math.floor or math.ceil.`,
		Bad: `local ms = tonumber(ARGV[1])
return redis.call('EXPIRE', KEYS[1], ms / 1000 --[[want "non-integer-argument"]])
`,
		Good: `local ms = tonumber(ARGV[1])
return redis.call('EXPIRE', KEYS[1], math.ceil(ms / 1000))
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range p.Calls {
			for i := c.Used; i < len(c.Args); i++ {
				role := lint.Role(c, i)
				at := lint.Place(c, i)
				if role.Kind != command.Integer || at == nil {
					continue
				}
				if text, ok := c.Args[i].Text(); ok {
					if _, err := strconv.ParseInt(text, 10, 64); err != nil {
						p.Report(at, "%s takes an integer here, and '%s' is none", c.Command.Name, text)
					}
					continue
				}
				if i < len(c.Exprs) && c.Exprs[i] != nil && fractional(p, c.Exprs[i]) {
					p.Report(at, "%s takes an integer here, and this number may have a fraction", c.Command.Name).
						Help("round it with math.floor or math.ceil")
				}
			}
		}
	},
}
