package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements server-alias.

var serverAlias = &lint.Rule{
	Name:    "server-alias",
	Group:   lint.Versions,
	Targets: "all but valkey-8.0 and later",
	Fixable: true,
	Doc: lint.Doc{
		What: "server.* is only on Valkey 8",
		Why: `Valkey 8.0 added server as another name of redis, and kept redis. On every other
server the global does not exist, and the script raises an error.`,
		Bad: `return server --[[want "server-alias"]].call('GET', KEYS[1])
`,
		Good: `return redis.call('GET', KEYS[1])
`,
	},
	Run: func(p *lint.Pass) {
		written := writtenGlobals(p.Assigns, p.FuncStmts)
		for _, n := range p.Names {
			if n.Local != nil || n.Name != "server" || written["server"] {
				continue
			}
			if hasServer(p.Target) {
				p.Report(n, "server is not there on Redis or before Valkey 8; redis is everywhere").As(diag.Info).Fix("use redis", lint.Replace(n, "redis"))
				continue
			}
			p.Report(n, "%s has no global server, only Valkey 8 and later have", p.Target).Help("use redis, which all servers have").
				Fix("use redis", lint.Replace(n, "redis"))
		}
	},
}
