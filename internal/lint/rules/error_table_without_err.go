package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements error-table-without-err.

var errorTableWithoutErr = &lint.Rule{
	Name:    "error-table-without-err",
	Group:   lint.Failure,
	Targets: "crashes servers before the fixes of October 2025",
	Doc: lint.Doc{
		What: "error() is given a table without the field err",
		Why: `Redis takes the message of an error from the field err of the table. Without that
field servers before the fixes of October 2025 crash, and later ones answer with an
error that says nothing. Use error({err = 'CODE text'}) or
redis.error_reply('CODE text').`,
		Bad: `if not ARGV[1] then
  error({code = 1}) --[[want "error-table-without-err"]]
end
return 1
`,
		Good: `if not ARGV[1] then
  error({err = 'BADARG no argument'})
end
return 1
`,
		Links: []string{"https://github.com/redis/redis/pull/14163"},
	},
	Run: func(p *lint.Pass) {
		caught := false
		p.BuiltinCalls(func(_ *syntax.CallExpr, name string) {
			caught = caught || name == "pcall" || name == "xpcall"
		})
		if caught {
			return // the script's own errors may be tables of any kind
		}
		p.BuiltinCalls(func(call *syntax.CallExpr, name string) {
			if name != "error" || len(call.Args) == 0 {
				return
			}
			v := p.Value(call.Args[0])
			if v.Is(analysis.Table) && v.Reply() == nil && v.Contents()&(analysis.HasErr|analysis.ContentsUnknown) == 0 {
				p.Report(call, "the table has no field err, which is where Redis looks for the message").Help("write error({err = 'CODE text'})")
			}
		})
	},
}
