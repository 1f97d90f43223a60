package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements removed-lua-api.

var removedLuaAPI = &lint.Rule{
	Name:     "removed-lua-api",
	Severity: diag.Warning,
	Group:    lint.Versions,
	Targets:  "6.2.20, 7.2.11, 7.4.6, 8.0.4, 8.2.2 and later",
	Doc: lint.Doc{
		What: "a function that security fixes took away",
		Why: `getfenv, setfenv and newproxy are gone since the fixes of October 2025, unless the
server is told lua-enable-deprecated-api yes. Scripts that use them fail after an
update of the server.`,
		Bad: `setfenv --[[want "removed-lua-api"]](1, {})
return 1
`,
		Good: `return 1
`,
	},
	Run: func(p *lint.Pass) {
		for _, n := range p.Names {
			if n.Local == nil && removedGlobals[n.Name] {
				p.Report(n, "%s is gone from servers with the security fixes of October 2025", n.Name).Help("do without it")
			}
		}
	},
}
