package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements scan-loop.

var scanLoop = &lint.Rule{
	Name:     "scan-loop",
	Severity: diag.Error,
	Group:    lint.Safety,
	Fixable:  true,
	Doc: lint.Doc{
		What: "a loop over SCAN: one that never ends, or that holds the server",
		Why: `The cursor that SCAN replies is a string. Compared with the number 0 it is never
equal, and the loop runs until somebody kills the script. And a loop over all of SCAN
within a script holds the server for as long as KEYS would; scan from the client.`,
		Bad: `local cursor, n = '0', 0
repeat
  local page = redis.call('HSCAN', KEYS[1], cursor)
  cursor, n = page[1], n + #page[2]
until cursor == 0 --[[want "scan-loop"]]
return n
`,
		Good: `local cursor, n = '0', 0
repeat
  local page = redis.call('HSCAN', KEYS[1], cursor)
  cursor, n = page[1], n + #page[2]
until cursor == '0'
return n
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range equalities(p) {
			text, ok := numeral(c.y)
			if !ok || !isCursor(p, c) {
				continue
			}
			p.Report(c.expr, "a cursor is a string and never equals a number, so the loop does not end").
				Help("compare with the string %s", text).Fix("compare with a string", lint.Replace(c.y, text))
		}
		for _, c := range p.CallsTo("SCAN") {
			if c.Loop && c.Node != nil {
				p.Report(c.Node, "a loop over SCAN holds the server while it walks all keys").As(diag.Warning).
					Help("scan from the client, or keep the keys' names in a set")
			}
		}
	},
}

// isCursor tells whether a side of a comparison is a cursor: a part of a reply
// of SCAN, or a variable that is assigned one and has a number only to begin
// with.
func isCursor(p *lint.Pass, c comparison) bool {
	if cursorOf(c.left) {
		return c.left.Is(analysis.String)
	}
	name, ok := lint.Strip(c.x).(*syntax.NameExpr)
	if !ok || name.Local == nil || !c.left.May(analysis.String) {
		return false
	}
	found := false
	for _, s := range p.Assigns {
		for i, t := range s.Targets {
			target, ok := t.(*syntax.NameExpr)
			if !ok || target.Local != name.Local {
				continue
			}
			if i >= len(s.Values) || !cursorOf(p.Value(s.Values[i])) || !p.Value(s.Values[i]).Is(analysis.String) {
				return false
			}
			found = true
		}
	}
	return found
}
