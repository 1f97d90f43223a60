package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements status-reply-compared-with-string.

var statusReplyComparedWithString = &lint.Rule{
	Name:    "status-reply-compared-with-string",
	Group:   lint.Failure,
	Fixable: true,
	Doc: lint.Doc{
		What: "a status reply is compared with a string, which it never equals",
		Why: `A status reply, as OK or the answer of TYPE, is a table in Lua: {ok = 'OK'}. It never
equals a string. Compare its field ok; where the command may reply nothing, as
SET with NX, test its truth.`,
		Bad: `if redis.call('TYPE', KEYS[1]) == 'hash' --[[want "status-reply-compared-with-string"]] then
  return 1
end
return 0
`,
		Good: `if redis.call('TYPE', KEYS[1]).ok == 'hash' then
  return 1
end
return 0
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range equalities(p) {
			if !c.right.Is(analysis.String) || !c.left.May(analysis.Table) || c.left.May(analysis.String) ||
				c.left.Contents()&analysis.HasOk == 0 || c.left.Contents()&(analysis.HasElements|analysis.HasFields|analysis.ContentsUnknown) != 0 {
				continue
			}
			f := p.Report(c.expr, "%s is a table with the field ok and never equals a string, so this is always %s", what(p, c.x), c.outcome())
			if c.left.Is(analysis.Table) && c.left.Contents()&analysis.HasErr == 0 {
				f.Help("compare %s.ok", p.Text(c.x)).Fix("compare its field ok", lint.Behind(c.x, ".ok"))
			} else {
				f.Help("test its truth: it is false where nothing was done")
			}
		}
	},
}
