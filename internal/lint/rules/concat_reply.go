package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements concat-reply.

var concatReply = &lint.Rule{
	Name:  "concat-reply",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "a reply that may be false is put into a string",
		Why: `What is missing is false in a script, and .. raises "attempt to concatenate a boolean
value". Give it a default: (v or ''). A status reply is a table, and fails too.`,
		Bad: `local id = redis.call('GET', KEYS[1])
return 'id:' .. id --[[want "concat-reply"]]
`,
		Good: `local id = redis.call('GET', KEYS[1])
return 'id:' .. (id or '')
`,
	},
	Run: func(p *lint.Pass) {
		for _, b := range p.Binaries {
			if b.Op != syntax.OpConcat {
				continue
			}
			for _, e := range []syntax.Expr{b.X, b.Y} {
				v := p.Value(e)
				switch {
				case v.Is(analysis.Table) && v.Contents()&analysis.ContentsUnknown == 0:
					p.Report(e, "%s is a table, and .. raises an error on it", what(p, e)).Help("join a list with table.concat")
				case v.Is(analysis.True|analysis.False) || v.Is(analysis.Nil):
					p.Report(e, "%s is %s, and .. raises an error on it", p.Text(e), v).Help("convert it: tostring(%s)", p.Text(e))
				case v.May(analysis.String) && mayMiss(p, e, v):
					p.Report(e, "%s is false where nothing is found, and .. raises an error then", what(p, e)).As(worse(v.Reply())).
						Help("give it a default: (%s or '')", p.Text(e))
				}
			}
		}
	},
}
