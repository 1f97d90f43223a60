package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements multiple-return.

var multipleReturn = &lint.Rule{
	Name:     "multiple-return",
	Severity: diag.Warning,
	Group:    lint.Failure,
	Doc: lint.Doc{
		What: "a script returns several values, of which one is sent",
		Why:  `A reply is one value. Of return a, b only a is sent. Return a table: {a, b}.`,
		Bad: `local n = redis.call('INCR', KEYS[1])
return n, ARGV[1] --[[want "multiple-return"]]
`,
		Good: `local n = redis.call('INCR', KEYS[1])
return {n, ARGV[1]}
`,
	},
	Run: func(p *lint.Pass) {
		for _, s := range p.Returns {
			if len(s.Values) > 1 {
				p.Report(s.Values[1], "only the first value that a script returns is sent").Help("return a table: {%s, ...}", p.Text(s.Values[0]))
			}
		}
	},
}
