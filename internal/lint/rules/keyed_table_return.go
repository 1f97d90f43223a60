package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements keyed-table-return.

var keyedTableReturn = &lint.Rule{
	Name:  "keyed-table-return",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "a table with named fields is returned, and comes out empty",
		Why: `A reply has only the array part of a table: {a = 1, b = 2} is sent as an empty array.
Return the values by position, or as JSON. Fields that Redis gives a meaning are ok,
err, and with RESP3 map, set and double.`,
		Bad: `local n = redis.call('INCR', KEYS[1])
return {count = n, limit = ARGV[1]} --[[want "keyed-table-return"]]
`,
		Good: `local n = redis.call('INCR', KEYS[1])
return {n, ARGV[1]}
`,
	},
	Run: func(p *lint.Pass) {
		const other = analysis.HasElements | analysis.HasPairs | analysis.HasOk | analysis.HasErr | analysis.HasTyped | analysis.ContentsUnknown
		for _, s := range p.Returns {
			if len(s.Values) == 0 {
				continue
			}
			v := p.Value(s.Values[0])
			c := v.Contents()
			if v.Is(analysis.Table) && c&(analysis.HasFields|analysis.HasOther) != 0 && c&other == 0 {
				p.Report(s.Values[0], "the fields of this table are not sent: the reply is an empty array").
					Help("return the values by position, or cjson.encode(...)")
			}
		}
	},
}
