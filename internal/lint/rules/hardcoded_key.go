package rules

import (
	"slices"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements hardcoded-key.

var hardcodedKey = &lint.Rule{
	Name:     "hardcoded-key",
	Severity: diag.Warning,
	Group:    lint.Keys,
	Doc: lint.Doc{
		What: "a key is written into the script",
		Why: `Redis wants to know a script's keys before it runs: a cluster routes by them, and an
ACL checks them. A key that stands in the script is found there by luck, and fails on
another node. Pass it in KEYS.`,
		Bad: `return redis.call('INCR', 'visits' --[[want "hardcoded-key"]])
`,
		Good: `return redis.call('INCR', KEYS[1])
`,
	},
	Run: func(p *lint.Pass) {
		eachKey(p, func(c *analysis.Call, i int, at syntax.Node, of ingredients) {
			text, ok := c.Args[i].Text()
			if !ok {
				return
			}
			f := p.Report(at, "the key '%s' is not one of KEYS", text).Help("pass it in KEYS")
			if slices.Contains(p.Options.Profile, "cluster") || slices.Contains(p.Options.Profile, "dragonfly") {
				f.As(diag.Error)
			}
		})
	},
}
