package rules

import (
	"strings"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements escape-decimal.

var escapeDecimal = &lint.Rule{
	Name:     "escape-decimal",
	Severity: diag.Warning,
	Group:    lint.Style,
	Doc: lint.Doc{
		What: "an escape that does not mean what it seems to",
		Why: `In Lua '\ddd' is decimal and takes three digits at most: '\0651' is the byte 65 and
the digit 1. A backslash before a letter that makes no escape is dropped, so '\d' is
'd'. A class of a pattern is written '%d'.`,
		Bad: `return string.match(ARGV[1], '^\d+$') --[[want "escape-decimal"]]
`,
		Good: `return string.match(ARGV[1], '^%d+$')
`,
	},
	Run: func(p *lint.Pass) {
		for _, e := range escapes(p) {
			c := e.text[1]
			switch {
			case len(e.text) == 5:
				p.ReportSpan(e.span, "%s is the byte %s and the digit %c, as an escape has three digits at most", e.text, e.text[1:4], e.text[4]).
					Help("close the string before the digit and join with .., if that is meant")
			case isLetter(c) && !strings.ContainsRune("abfnrtvxuz", rune(c)):
				f := p.ReportSpan(e.span, "%s is no escape: the backslash is dropped", e.text)
				if strings.ContainsRune("acdlpsuwxADSW", rune(c)) {
					f.Help("a class of a pattern is %%%c", c)
				} else {
					f.Help("take the backslash away, or double it")
				}
			}
		}
	},
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
