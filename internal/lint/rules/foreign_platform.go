package rules

import "github.com/luagen/luagen/internal/lint"

// This file implements foreign-platform.

// foreignLibraries are what scripts of other hosts require.
var foreignLibraries = words("bit bit32 ffi cjson.safe resty.core resty.redis socket lfs lpeg")

var foreignPlatform = &lint.Rule{
	Name:  "foreign-platform",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "a library of another host of Lua",
		Why: `ngx, ffi, jit and their like belong to OpenResty and LuaJIT. Redis has Lua 5.1 and no
module loader; its libraries bit, struct, cjson and cmsgpack are there without
require.`,
		Bad: `local bits = require --[[want "foreign-platform"]]('bit')
return bits.band(tonumber(ARGV[1]), 255)
`,
		Good: `return bit.band(tonumber(ARGV[1]), 255)
`,
	},
	Run: func(p *lint.Pass) {
		written := writtenGlobals(p.Assigns, p.FuncStmts)
		for _, n := range p.Names {
			if n.Local != nil || written[n.Name] {
				continue
			}
			if host := foreignGlobals[n.Name]; host != "" {
				p.Report(n, "%s is a library of %s, which Redis has not", n.Name, host)
			} else if foreignRequire(p, n) {
				p.Report(n, "scripts cannot require libraries").Help("bit, struct, cjson and cmsgpack are there already")
			}
		}
	},
}
