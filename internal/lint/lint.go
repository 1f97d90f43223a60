// Package lint runs rules over scripts. A rule is a value with its own
// documentation; it sees the script through a Pass, which knows what each
// expression may give and which commands are called, so that no rule looks at
// text. The rules themselves are in lint/rules.
package lint

import (
	"slices"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

// Group says what a rule is about.
type Group string

// The groups. Those of optIn are off unless they are asked for.
const (
	Failure     Group = "failure"     // the script fails or lies at run time
	Keys        Group = "keys"        // KEYS, ARGV and what they are for
	Atomicity   Group = "atomicity"   // locks, times to live, partial work
	Safety      Group = "safety"      // what may hold the server, or grow without bound
	Versions    Group = "versions"    // what servers and versions differ in
	Style       Group = "style"       // plain mistakes of Lua
	Meta        Group = "meta"        // suppressions
	Cluster     Group = "cluster"     // what a cluster refuses
	Strict      Group = "strict"      // what is often meant so
	Performance Group = "performance" // what could be faster
	Portability Group = "portability" // what proxies and other servers refuse
)

// Groups are all groups, in the order that the index of the documentation has.
var Groups = []Group{Failure, Keys, Atomicity, Safety, Versions, Style, Meta, Cluster, Strict, Performance, Portability}

// OptIn tells whether the rules of a group are off unless asked for.
func (g Group) OptIn() bool {
	return g == Cluster || g == Strict || g == Performance || g == Portability
}

// Rule is one check.
type Rule struct {
	Name     string
	Severity diag.Severity // the worst that it reports by default
	Group    Group
	Targets  string // where it matters, for people; empty is everywhere
	Fixable  bool   // it offers fixes, where the change is mechanical
	Doc      Doc
	Run      func(*Pass)
}

// Doc is what luagen explain and docs/rules say of a rule.
type Doc struct {
	What   string // the finding, in one line: "a reply is compared with nil"
	Why    string // what happens on a server, and what to do
	Bad    string // a script; --[[want "rule"]] stands behind what is reported
	Good   string // the same, right
	Links  []string
	Target string // that the examples are for; empty is the default
	File   string // that the examples are in; empty is any
}

// Options say which rules run, and for what.
type Options struct {
	Profile []string // cluster, dragonfly, proxy
	Modules []string // server modules whose commands are known
	Set     Set
}

// Run runs rules over one script and returns what they find, together with what
// was found in reading it, without what is suppressed there.
func Run(r *analysis.Result, rules []*Rule, o Options) []diag.Diagnostic {
	out := slices.Clone(r.Diagnostics)
	if r.Broken() {
		return out
	}
	index := newIndex(r)
	var found []diag.Diagnostic
	ran := map[string]bool{}
	for _, rule := range rules {
		severity, on := o.Set.Severity(rule, o.Profile)
		if !on || rule.Run == nil {
			continue
		}
		ran[rule.Name] = true
		p := &Pass{Result: r, Index: index, Options: o, rule: rule, severity: severity}
		rule.Run(p)
		found = append(found, p.found...)
	}
	found = dropRepeats(found)
	out = withoutTold(r, out, found)
	s := readSuppressions(r)
	found = s.apply(found, rules, ran, o)
	return diag.Sort(append(out, found...))
}

// writeInReadonly is the rule that says at each command what reading the script
// says of its tag.
const writeInReadonly = "write-in-readonly"

// withoutTold takes out what reading found where a rule says it better: one
// fault is one report.
func withoutTold(r *analysis.Result, read, found []diag.Diagnostic) []diag.Diagnostic {
	if r.Readonly == nil || !slices.ContainsFunc(found, func(d diag.Diagnostic) bool { return d.Rule == writeInReadonly }) {
		return read
	}
	return slices.DeleteFunc(read, func(d diag.Diagnostic) bool { return d.Rule == diag.RuleDrift && d.Span == *r.Readonly })
}

// dropRepeats keeps one of the findings of a rule at one place.
func dropRepeats(list []diag.Diagnostic) []diag.Diagnostic {
	type place struct {
		rule string
		span source.Span
	}
	seen := map[place]bool{}
	return slices.DeleteFunc(list, func(d diag.Diagnostic) bool {
		at := place{d.Rule, d.Span}
		again := seen[at]
		seen[at] = true
		return again
	})
}

// Set says which rules are on, and how bad their findings are. The zero Set has
// all rules but those of opt-in groups.
type Set struct {
	only    []string
	on, off []string
	levels  map[string]diag.Severity
}

// Only leaves nothing but the named rules and groups.
func (s *Set) Only(name string) { s.only = append(s.only, name) }

// Enable turns a rule or a group on.
func (s *Set) Enable(name string) { s.on = append(s.on, name) }

// Disable turns a rule or a group off.
func (s *Set) Disable(name string) { s.off = append(s.off, name) }

// SetSeverity turns a rule or a group on, and makes its findings as bad as level.
func (s *Set) SetSeverity(name string, level diag.Severity) {
	if s.levels == nil {
		s.levels = map[string]diag.Severity{}
	}
	s.levels[name] = level
	s.Enable(name)
}

// Severity returns what was set for a rule, and whether it is on; without a
// setting the severity is the rule's own.
func (s *Set) Severity(rule *Rule, profile []string) (level *diag.Severity, on bool) {
	named := func(list []string) bool {
		return slices.Contains(list, rule.Name) || slices.Contains(list, string(rule.Group))
	}
	on = !rule.Group.OptIn() || named(s.on) || slices.Contains(profile, string(rule.Group)) ||
		rule.Group == Portability && slices.Contains(profile, "proxy") || rule.Group == Cluster && slices.Contains(profile, "dragonfly")
	if len(s.only) > 0 {
		on = named(s.only)
	}
	if named(s.off) && !slices.Contains(s.on, rule.Name) {
		on = false
	}
	if l, ok := s.levels[rule.Name]; ok {
		return &l, on
	}
	if l, ok := s.levels[string(rule.Group)]; ok {
		return &l, on
	}
	return nil, on
}
