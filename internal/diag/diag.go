// Package diag holds what the tool tells people about their files: diagnostics
// with an exact span, and the fixes that go with them. Rendering is in
// diag/render.
package diag

import (
	"cmp"
	"slices"

	"github.com/luagen/luagen/internal/source"
)

// Severity says how bad a finding is.
type Severity uint8

// The severities, worst first.
const (
	Error   Severity = iota // the script fails, lies or corrupts data; or cannot be compiled
	Warning                 // it probably does not do what its author wants
	Info                    // worth knowing
)

// String returns the name that output formats use: error, warning or info.
func (s Severity) String() string {
	switch s {
	case Error:
		return "error"
	case Warning:
		return "warning"
	}
	return "info"
}

// The rules that the front end itself reports under. Lint rules have names of
// their own.
const (
	RuleSyntax  = "syntax"          // the file does not parse
	RuleTag     = "tag"             // a tag is wrong in itself
	RuleDrift   = "tag-drift"       // a tag and the code disagree
	RuleShebang = "shebang-invalid" // the #! line is one that Redis refuses
	RuleInclude = "include"         // an include that cannot be resolved
	RuleName    = "name"            // a script's Go name is unusable or taken
)

// Diagnostic is one finding about one span of one file.
type Diagnostic struct {
	Rule     string
	Severity Severity
	File     *source.File
	Span     source.Span
	Message  string // what was found and what was expected: lower case, no full stop
	Help     string // what to do, one line; may be empty
	Notes    []Note // other places that explain it
	Fixes    []Fix
}

// Note points at a second place.
type Note struct {
	File    *source.File
	Span    source.Span
	Message string
}

// Fix is one way to mend a finding; its edits are applied together.
type Fix struct {
	Message string
	Edits   []Edit
}

// Edit replaces the text under a span of the diagnostic's file.
type Edit struct {
	Span source.Span
	Text string
}

// Position is where the author wrote what the diagnostic is about.
func (d *Diagnostic) Position() source.Position { return d.File.Position(d.Span.Start) }

// Sort orders diagnostics by file name, place, severity and rule, and drops exact repeats.
func Sort(list []Diagnostic) []Diagnostic {
	slices.SortStableFunc(list, func(a, b Diagnostic) int {
		p, q := a.Position(), b.Position()
		return cmp.Or(
			cmp.Compare(p.Filename, q.Filename),
			cmp.Compare(p.Line, q.Line),
			cmp.Compare(p.Column, q.Column),
			cmp.Compare(a.Severity, b.Severity),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Message, b.Message),
		)
	})
	return slices.CompactFunc(list, func(a, b Diagnostic) bool {
		return a.Rule == b.Rule && a.Message == b.Message && a.Position() == b.Position()
	})
}

// HasErrors tells whether one of them is an error.
func HasErrors(list []Diagnostic) bool {
	return slices.ContainsFunc(list, func(d Diagnostic) bool { return d.Severity == Error })
}
