package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements select-in-script.

var selectInScript = &lint.Rule{
	Name:     "select-in-script",
	Severity: diag.Warning,
	Group:    lint.Keys,
	Doc: lint.Doc{
		What: "SELECT in a script",
		Why: `A cluster has one database, and refuses SELECT. Elsewhere the keys that the caller
declared are meant in the caller's database, and ACLs and proxies look there.`,
		Bad: `redis.call('SELECT' --[[want "select-in-script"]], 1)
return redis.call('GET', KEYS[1])
`,
		Good: `return redis.call('GET', KEYS[1])
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range p.CallsTo("SELECT") {
			if at := lint.Place(c, 0); at != nil {
				p.Report(at, "SELECT leaves the database whose keys the caller declared").Help("let the client choose the database")
			}
		}
	},
}
