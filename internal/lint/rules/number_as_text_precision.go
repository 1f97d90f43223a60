package rules

import (
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements number-as-text-precision.

var numberAsTextPrecision = &lint.Rule{
	Name:  "number-as-text-precision",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "a time in microseconds becomes text, and loses digits",
		Why: `Lua writes numbers with 14 digits: tostring, .. and cjson.encode make
1.7000000001235e+15 of a time in microseconds. Write it with
string.format('%.0f', t), which keeps all of them.`,
		Bad: `local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000000 + tonumber(t[2])
return 'id-' .. now --[[want "number-as-text-precision"]]
`,
		Good: `local t = redis.call('TIME')
local now = tonumber(t[1]) * 1000000 + tonumber(t[2])
return 'id-' .. string.format('%.0f', now)
`,
		Links: []string{"https://github.com/redis/redis/issues/1118"},
	},
	Run: func(p *lint.Pass) {
		report := func(at, e syntax.Expr) {
			if micros(p, e, 6) {
				p.Report(at, "a time in microseconds has 16 digits, and only 14 are written").Help("use string.format('%%.0f', %s)", p.Text(e))
			}
		}
		for _, b := range p.Binaries {
			if b.Op == syntax.OpConcat {
				report(b.X, b.X)
				report(b.Y, b.Y)
			}
		}
		p.BuiltinCalls(func(call *syntax.CallExpr, name string) {
			if len(call.Args) == 0 || name != "tostring" && name != "cjson.encode" {
				return
			}
			eachReplied(call.Args[0], func(e syntax.Expr) { report(e, e) })
		})
	},
}

// micros tells whether an expression is a time in microseconds: seconds of TIME
// by a million.
func micros(p *lint.Pass, e syntax.Expr, depth int) bool {
	b, ok := p.Resolve(e).(*syntax.BinaryExpr)
	if !ok || depth == 0 {
		return false
	}
	switch b.Op {
	case syntax.OpAdd:
		return micros(p, b.X, depth-1) || micros(p, b.Y, depth-1)
	case syntax.OpMul:
		return million(b.Y) && ofTime(p, b.X) || million(b.X) && ofTime(p, b.Y)
	}
	return false
}

func million(e syntax.Expr) bool {
	n, ok := lint.Strip(e).(*syntax.NumberExpr)
	return ok && n.Value >= 1e6
}

func ofTime(p *lint.Pass, e syntax.Expr) bool {
	r := p.Value(e).Reply()
	return r != nil && r.Command.Name == "TIME"
}
