package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements keys-command.

var keysCommand = &lint.Rule{
	Name:     "keys-command",
	Severity: diag.Warning,
	Group:    lint.Safety,
	Doc: lint.Doc{
		What: "KEYS walks through all keys of the server",
		Why: `KEYS looks at every key there is, and nothing else runs meanwhile: seconds on a big
server. What it finds was not declared, and a cluster shows only one node's. Keep the
names in a set, or scan from the client.`,
		Bad: `return redis.call('KEYS' --[[want "keys-command"]], 'session:*')
`,
		Good: `return redis.call('SMEMBERS', KEYS[1])
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range p.CallsTo("KEYS") {
			if at := lint.Place(c, 0); at != nil {
				p.Report(at, "KEYS walks through all keys of the server, and nothing else runs meanwhile").
					Help("keep the names in a set, or scan from the client")
			}
		}
	},
}
