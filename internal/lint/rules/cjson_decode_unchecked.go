package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements cjson-decode-unchecked.

var cjsonDecodeUnchecked = &lint.Rule{
	Name:     "cjson-decode-unchecked",
	Severity: diag.Warning,
	Group:    lint.Failure,
	Doc: lint.Doc{
		What: "a reply that may be missing is decoded",
		Why: `cjson.decode and cmsgpack.unpack take a string. For a missing key the reply is false,
and they raise "bad argument #1". Test the reply first.`,
		Bad: `local doc = cjson.decode(redis.call('GET', KEYS[1])) --[[want "cjson-decode-unchecked"]]
return doc.name
`,
		Good: `local text = redis.call('GET', KEYS[1])
if not text then return false end
return cjson.decode(text).name
`,
	},
	Run: func(p *lint.Pass) {
		p.BuiltinCalls(func(call *syntax.CallExpr, name string) {
			if name != "cjson.decode" && name != "cmsgpack.unpack" || len(call.Args) == 0 {
				return
			}
			if v := p.Value(call.Args[0]); v.May(analysis.String) && mayMiss(p, call.Args[0], v) {
				p.Report(call, "%s replies false for what is missing, which %s does not take", v.Reply().Command.Name, name).Help("test the reply first")
			}
		})
	},
}
