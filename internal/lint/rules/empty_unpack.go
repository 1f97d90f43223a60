package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements empty-unpack.

var emptyUnpack = &lint.Rule{
	Name:     "empty-unpack",
	Severity: diag.Warning,
	Group:    lint.Failure,
	Doc: lint.Doc{
		What: "unpack of what may be empty, where a command needs an argument",
		Why: `unpack of an empty table gives nothing, and DEL, SADD or ZREM without members raise
"Wrong number of args calling Redis command from script". Ask for the length first.`,
		Bad: `local old = redis.call('ZRANGE', KEYS[1], 0, 99)
return redis.call('ZREM', KEYS[1], unpack(old)) --[[want "empty-unpack"]]
`,
		Good: `local old = redis.call('ZRANGE', KEYS[1], 0, 99)
if #old > 0 then
  return redis.call('ZREM', KEYS[1], unpack(old))
end
return 0
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range p.Calls {
			if c.Inner == nil || !c.Open || c.Command == nil || c.Caught || len(c.Inner.Args) == 0 {
				continue
			}
			call, ok := c.Inner.Args[len(c.Inner.Args)-1].(*syntax.CallExpr)
			if !ok || p.Builtin(call) != "unpack" || len(call.Args) != 1 || !needsMore(c) {
				continue
			}
			v := p.Value(call.Args[0])
			if v.Reply() == nil || !v.Is(analysis.Table) || v.Contents()&analysis.ContentsUnknown != 0 || neverEmpty[v.Reply().Command.Name] || lengthAsked(p, call.Args[0]) {
				continue
			}
			p.Report(call, "where %s finds nothing this gives no argument, and %s needs one", v.Reply().Command.Name, c.Command.Name).
				Help("ask for the length first: if #t > 0 then")
		}
	},
}

// neverEmpty are commands that reply as many elements as they are asked for.
var neverEmpty = words("MGET HMGET ZMSCORE TIME SMISMEMBER")

// needsMore tells whether a call is refused when nothing follows its fixed
// arguments.
func needsMore(c *analysis.Call) bool {
	arity := c.Command.Arity()
	if arity < 0 {
		arity = -arity
	}
	return len(c.Args)-c.Used+1 < arity
}
