package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements deprecated-lua.

var deprecatedLua = &lint.Rule{
	Name:     "deprecated-lua",
	Severity: diag.Info,
	Group:    lint.Style,
	Doc: lint.Doc{
		What: "a function that Lua 5.1 keeps from Lua 5.0",
		Why: `table.getn, table.foreach, string.gfind and math.mod have newer names since Lua 5.1,
and later versions of Lua have them no more. table.setn raises an error.`,
		Bad: `return table.getn(KEYS) --[[want "deprecated-lua"]]
`,
		Good: `return #KEYS
`,
	},
	Run: func(p *lint.Pass) {
		p.BuiltinCalls(func(call *syntax.CallExpr, name string) {
			instead := map[string]string{
				"table.getn": "#t", "table.foreach": "for k, v in pairs(t)", "table.foreachi": "for i, v in ipairs(t)",
				"string.gfind": "string.gmatch", "math.mod": "%",
			}[name]
			if instead != "" {
				p.Report(call, "%s is left from Lua 5.0", name).Help("use %s", instead)
			}
			if name == "table.setn" {
				p.Report(call, "table.setn raises an error in Lua 5.1").As(diag.Error)
			}
		})
	},
}
