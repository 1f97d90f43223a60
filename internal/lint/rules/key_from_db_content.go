package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements key-from-db-content.

var keyFromDBContent = &lint.Rule{
	Name:     "key-from-db-content",
	Severity: diag.Warning,
	Group:    lint.Cluster,
	Targets:  "clusters, Dragonfly",
	Doc: lint.Doc{
		What: "a key is made of what the script read",
		Why: `A cluster routes a script by its KEYS, before anything is read. A key that another
key's value names may live on another node, and the call raises an error. Read the
name first, and run a second script with it in KEYS.`,
		Bad: `local id = redis.call('GET', KEYS[1])
if not id then return false end
return redis.call('HGETALL', 'job:' .. id --[[want "key-from-db-content"]])
`,
		Good: `return redis.call('HGETALL', KEYS[1])
`,
	},
	Run: func(p *lint.Pass) {
		eachKey(p, func(c *analysis.Call, _ int, at syntax.Node, of ingredients) {
			if of&ofReplies != 0 {
				p.Report(at, "the key of %s is made of what the script read, so a cluster cannot see it", c.Command.Name)
			}
		})
	},
}
