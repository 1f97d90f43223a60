package rules

import (
	"slices"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements computed-key.

var computedKey = &lint.Rule{
	Name:     "computed-key",
	Severity: diag.Warning,
	Group:    lint.Cluster,
	Targets:  "clusters, Dragonfly",
	Doc: lint.Doc{
		What: "a key is put together from arguments",
		Why: `A cluster routes a script by its KEYS alone. A key that the script makes itself works
while it happens to be on the same node, and raises an error when it is not.
Dragonfly refuses it from the start. Pass every key in KEYS; where keys share a hash
tag by design, say so in a suppression.`,
		Bad: `return redis.call('GET', 'user:' .. ARGV[1] --[[want "computed-key"]])
`,
		Good: `return redis.call('GET', KEYS[1])
`,
	},
	Run: func(p *lint.Pass) {
		eachKey(p, func(c *analysis.Call, _ int, at syntax.Node, of ingredients) {
			if of&ofArgs == 0 || of&ofReplies != 0 {
				return
			}
			f := p.Report(at, "the key of %s is made of arguments, so a cluster cannot see it", c.Command.Name).Help("pass the key in KEYS")
			if slices.Contains(p.Options.Profile, "cluster") || slices.Contains(p.Options.Profile, "dragonfly") {
				f.As(diag.Error)
			}
		})
	},
}
