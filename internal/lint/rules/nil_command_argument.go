package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements nil-command-argument.

var nilCommandArgument = &lint.Rule{
	Name:  "nil-command-argument",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "a command is given what is no string and no number",
		Why: `Arguments of redis.call are strings and numbers. nil, booleans and tables raise "Lua
redis lib command arguments must be strings or integers": a reply of a missing key
(false), an argument that was not sent (nil), a comparison, a whole table.`,
		Bad: `local old = redis.call('GET', KEYS[1])
return redis.call('SET', KEYS[2], old --[[want "nil-command-argument"]])
`,
		Good: `local old = redis.call('GET', KEYS[1])
if old then
  return redis.call('SET', KEYS[2], old)
end
return redis.call('DEL', KEYS[2])
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range p.Calls {
			for i, v := range c.Args {
				at := lint.Place(c, i)
				if at == nil || !v.Evaluated() {
					continue
				}
				switch {
				case !v.May(analysis.String | analysis.Number | analysis.Absent | analysis.Other):
					f := p.Report(at, "an argument of a command is a string or a number, and this is %s", v)
					if v.Is(analysis.Table) {
						f.Help("pass its elements with unpack(...), or as text with cjson.encode(...)")
					} else if v.Is(analysis.True | analysis.False) {
						f.Help("write x and '1' or '0'")
					}
				case v.May(analysis.String) && mayMiss(p, exprOf(c, i), v):
					p.Report(at, "%s replies false for what is missing, and an argument of a command is a string or a number", v.Reply().Command.Name).As(worse(v.Reply())).
						Help("test it before, or give it a default")
				case leftOut(p, v):
					p.Report(at, "the argument may be left out, and is nil then, which no command takes").Help("test it before, or give it a default")
				}
			}
		}
	},
}

// exprOf returns the expression of an argument; nil where it is not known.
func exprOf(c *analysis.Call, i int) syntax.Expr {
	if i < len(c.Exprs) {
		return c.Exprs[i]
	}
	return nil
}

// leftOut tells whether a value is an argument that a tag says may be absent.
func leftOut(p *lint.Pass, v analysis.Value) bool {
	slots, exact := v.Slots()
	if !v.May(analysis.Absent) || !exact || len(slots) != 1 || !slots[0].Argv || p.Script == nil {
		return false
	}
	i := slots[0].Index
	return i > 0 && i <= p.ArgTags && i <= len(p.Script.Args) && p.Script.Args[i-1].Optional && !p.Script.Args[i-1].Variadic && !p.Script.Args[i-1].EmptyWhenAbsent
}
