package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements log-misuse.

var logMisuse = &lint.Rule{
	Name:  "log-misuse",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "redis.log without a level, or with its arguments swapped",
		Why: `redis.log takes a level, as redis.LOG_WARNING, and then the message. Anything else
raises an error, in the very place that was to report one.`,
		Bad: `redis.log('started') --[[want "log-misuse"]]
return 1
`,
		Good: `redis.log(redis.LOG_NOTICE, 'started')
return 1
`,
	},
	Run: func(p *lint.Pass) {
		p.BuiltinCalls(func(call *syntax.CallExpr, name string) {
			if name != "redis.log" || len(call.Args) == 0 {
				return
			}
			_, open := call.Args[len(call.Args)-1].(*syntax.CallExpr)
			if _, vararg := call.Args[0].(*syntax.VarargExpr); vararg || len(call.Args) == 1 && open {
				return
			}
			level := p.Value(call.Args[0])
			switch {
			case level.Evaluated() && !level.May(analysis.Number|analysis.Absent) && !numericText(level):
				p.Report(call, "the first argument of redis.log is a level, and this is %s", level).Help("write redis.log(redis.LOG_NOTICE, message)")
			case len(call.Args) == 1:
				p.Report(call, "redis.log takes a level and a message, and this has one argument")
			}
		})
	},
}

// numericText tells whether a value may be a string that Lua takes for a number.
func numericText(v analysis.Value) bool {
	texts := v.Texts()
	return v.May(analysis.String) && (texts == nil || v.Numeric())
}
