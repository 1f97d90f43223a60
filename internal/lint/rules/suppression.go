package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements the rule suppression; package lint finds what it reports.

var suppressionRule = &lint.Rule{
	Name:     lint.Suppression,
	Severity: diag.Warning,
	Group:    lint.Meta,
	Fixable:  true,
	Doc: lint.Doc{
		What: "a suppression that is no use",
		Why: `-- luagen:allow RULE REASON behind a line, or above it, says why a finding is fine
there; -- @allow RULE REASON says so for the whole script. One that names no rule,
gives no reason or suppresses nothing only hides what comes later.`,
		Bad: `-- luagen:allow reply-nil-compare --[[want "suppression"]] the server is old
return redis.call('GET', KEYS[1])
`,
		Good: `-- luagen:allow reply-nil-compare nil is spelt out for readers
return redis.call('GET', KEYS[1]) == nil
`,
	},
	Run: func(*lint.Pass) {},
}
