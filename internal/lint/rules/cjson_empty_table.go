package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements cjson-empty-table.

var cjsonEmptyTable = &lint.Rule{
	Name:     "cjson-empty-table",
	Severity: diag.Warning,
	Group:    lint.Strict,
	Doc: lint.Doc{
		What: "a table that may be empty is encoded as JSON",
		Why: `Lua has one kind of table, and cjson encodes an empty one as {}, an object. A list
without elements comes out as {} where its reader expects [], and [] that is decoded
and encoded again does too.`,
		Bad: `local list = {}
for i, id in ipairs(ARGV) do
  list[#list + 1] = id
end
return cjson.encode(list) --[[want "cjson-empty-table"]]
`,
		Good: `local list = {}
for i, id in ipairs(ARGV) do
  list[#list + 1] = id
end
if #list == 0 then
  return '[]'
end
return cjson.encode(list)
`,
	},
	Run: func(p *lint.Pass) {
		p.BuiltinCalls(func(call *syntax.CallExpr, name string) {
			if name != "cjson.encode" || len(call.Args) == 0 {
				return
			}
			v := p.Value(call.Args[0])
			c := v.Contents()
			list := c&analysis.HasElements != 0 && c&analysis.IsEmpty != 0 && c&(analysis.HasFields|analysis.HasOther|analysis.ContentsUnknown) == 0
			if list && !lengthAsked(p, call.Args[0]) {
				p.Report(call, "an empty list is encoded as {}, an object").Help("write '[]' yourself where the list is empty")
			}
		})
	},
}

// lengthAsked tells whether the script asks for the length of a variable, or
// for its first element, anywhere.
func lengthAsked(p *lint.Pass, e syntax.Expr) bool {
	name, ok := lint.Strip(e).(*syntax.NameExpr)
	if !ok || name.Local == nil {
		return false
	}
	for _, use := range p.Uses(name.Local) {
		switch n := p.Parent(use).(type) {
		case *syntax.UnaryExpr:
			if _, index := p.Parent(p.Parent(n)).(*syntax.IndexExpr); n.Op == syntax.OpNot || n.Op == syntax.OpLen && !index {
				return true
			}
		case *syntax.CallExpr:
			if p.Builtin(n) == "next" {
				return true
			}
		case *syntax.IndexExpr:
			if k, ok := n.Key.(*syntax.NumberExpr); ok && k.Value == 1 {
				return true
			}
		}
	}
	return false
}
