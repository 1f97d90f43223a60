package rules

import (
	"strings"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements cjson-config-leak.

var cjsonConfigLeak = &lint.Rule{
	Name:     "cjson-config-leak",
	Severity: diag.Warning,
	Group:    lint.Safety,
	Doc: lint.Doc{
		What: "a setting of cjson is changed for all scripts",
		Why: `All scripts of a server share one interpreter, and so its cjson. What one script sets
holds for every later one, of anybody. cjson.new() makes one that is the script's own.`,
		Bad: `cjson.encode_number_precision(3) --[[want "cjson-config-leak"]]
return cjson.encode({tonumber(ARGV[1])})
`,
		Good: `local json = cjson.new()
json.encode_number_precision(3)
return json.encode({tonumber(ARGV[1])})
`,
	},
	Run: func(p *lint.Pass) {
		p.BuiltinCalls(func(call *syntax.CallExpr, name string) {
			setting, ok := strings.CutPrefix(name, "cjson.")
			if !ok || len(call.Args) == 0 || !(strings.HasPrefix(setting, "encode_") || strings.HasPrefix(setting, "decode_")) || newerJSON[setting] != "" {
				return
			}
			e, ok := p.Resolve(call.Fun).(*syntax.IndexExpr)
			if !ok {
				return
			}
			if lib, ok := p.Resolve(e.X).(*syntax.NameExpr); ok && lib.Local == nil && lib.Name == "cjson" {
				p.Report(call, "this changes cjson for all later scripts of the server").Help("set it on a copy: local json = cjson.new()")
			}
		})
	},
}
