package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements string-number-equality.

var stringNumberEquality = &lint.Rule{
	Name:    "string-number-equality",
	Group:   lint.Failure,
	Fixable: true,
	Doc: lint.Doc{
		What: "a string is compared with a number, which it never equals",
		Why: `Lua converts nothing for == and ~=: '1' == 1 is false. Arguments are strings, and so
is the reply of GET, HGET and ZSCORE. Compare with a string, or convert with
tonumber.`,
		Bad: `if redis.call('GET', KEYS[1]) == 0 --[[want "string-number-equality"]] then
  return 'empty'
end
return 'full'
`,
		Good: `if redis.call('GET', KEYS[1]) == '0' then
  return 'empty'
end
return 'full'
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range equalities(p) {
			number := c.right.Is(analysis.Number) || c.right.May(analysis.Number) && c.right.Is(analysis.Number|analysis.Absent|analysis.Nil) && c.left.Is(analysis.String)
			if !number || !c.left.May(analysis.String) || c.left.May(analysis.Number|analysis.Table|analysis.Function|analysis.Other) || cursorOf(c.left) {
				continue
			}
			f := p.Report(c.expr, "%s is a string and never equals a number, so this is always %s", what(p, c.x), c.outcome())
			if text, ok := numeral(c.y); ok {
				f.Help("compare with the string %s, or convert with tonumber", text).Fix("compare with a string", lint.Replace(c.y, text))
			} else {
				f.Help("convert it: tonumber(%s)", p.Text(c.x))
			}
		}
	},
}

// cursorOf tells whether a value is a part of what SCAN and its kin reply;
// scan-loop is about those.
func cursorOf(v analysis.Value) bool {
	r := v.Reply()
	return r != nil && scans[r.Command.Name]
}

var scans = words("SCAN HSCAN SSCAN ZSCAN")
