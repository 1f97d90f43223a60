package rules

import "github.com/luagen/luagen/internal/lint"

// This file implements lua52-syntax.

var lua52Syntax = &lint.Rule{
	Name:  "lua52-syntax",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "an escape of Lua 5.2, which Lua 5.1 takes for something else",
		Why: `Lua 5.1 has no \x41, \u{41} and \z. It does not complain: it drops the backslash, and
'\x41' is the three letters x41. Write decimals: '\065'. Other syntax of later
versions, as goto or //, does not compile at all.`,
		Bad: `return redis.call('SET', KEYS[1], '\x00' --[[want "lua52-syntax"]])
`,
		Good: `return redis.call('SET', KEYS[1], '\000')
`,
		Links: []string{"https://github.com/redis/redis/issues/3219"},
	},
	Run: func(p *lint.Pass) {
		for _, e := range escapes(p) {
			switch e.text[1] {
			case 'x', 'u', 'z':
				p.ReportSpan(e.span, "Lua 5.1 has no escape %s: this is the letter %c", e.text, e.text[1]).Help("write bytes as decimals: \\065")
			}
		}
	},
}
