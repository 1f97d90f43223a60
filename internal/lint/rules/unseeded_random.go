package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements unseeded-random.

var unseededRandom = &lint.Rule{
	Name:     "unseeded-random",
	Severity: diag.Warning,
	Group:    lint.Failure,
	Doc: lint.Doc{
		What: "math.random without a seed repeats itself",
		Why: `Redis never seeds math.random: from 7.0 a server gives the same sequence after each
start, and up to 6.2 each call of a script begins with the same number. Tokens and
identifiers made of it clash. Let the caller send them.`,
		Bad: `local id = math.random(1000000) --[[want "unseeded-random"]]
return redis.call('SADD', KEYS[1], id)
`,
		Good: `return redis.call('SADD', KEYS[1], ARGV[1])
`,
	},
	Run: func(p *lint.Pass) {
		seeded := false
		var first *syntax.CallExpr
		p.BuiltinCalls(func(call *syntax.CallExpr, name string) {
			seeded = seeded || name == "math.randomseed"
			if name == "math.random" && first == nil {
				first = call
			}
		})
		if first != nil && !seeded {
			p.Report(first, "math.random gives the same numbers after each start of the server").
				Help("let the caller send what must not repeat, or seed it from an argument with math.randomseed")
		}
	},
}
