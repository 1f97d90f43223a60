package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements large-range.

var largeRange = &lint.Rule{
	Name:     "large-range",
	Severity: diag.Info,
	Group:    lint.Performance,
	Doc: lint.Doc{
		What: "all elements of a key are read at once",
		Why: `LRANGE 0 -1, SMEMBERS and HGETALL take as long as the key is big, and nothing else runs
meanwhile. Where the key may grow, read a part.`,
		Bad: `return redis.call('LRANGE' --[[want "large-range"]], KEYS[1], 0, -1)
`,
		Good: `return redis.call('LRANGE', KEYS[1], 0, 99)
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range p.CallsTo("SMEMBERS", "HGETALL", "HKEYS", "HVALS", "LRANGE", "ZRANGE", "ZREVRANGE") {
			whole := c.Command.Name == "SMEMBERS" || c.Command.Name[0] == 'H' || wholeRange(c)
			if at := lint.Place(c, 0); whole && at != nil {
				p.Report(at, "%s reads all elements, however many there are", c.Command.Name)
			}
		}
	},
}
