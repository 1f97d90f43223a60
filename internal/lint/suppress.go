package lint

// This file implements suppressions: -- luagen:allow RULE REASON behind a line
// or above it, and -- @allow RULE REASON for a script.

import (
	"slices"
	"strings"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

// Suppression is the rule that reports suppressions which are no use: of no
// rule, without a reason, or of nothing.
const Suppression = "suppression"

type suppression struct {
	rule, reason string
	span         source.Span // of the rule's name
	line         int         // that it is about; 0 is the whole script
	used         bool
}

type suppressions struct {
	result *analysis.Result
	list   []*suppression
}

// marker introduces a suppression in a comment.
const marker = "luagen:allow"

func readSuppressions(r *analysis.Result) *suppressions {
	s := &suppressions{result: r}
	for _, a := range r.Allows {
		s.list = append(s.list, &suppression{rule: a.Rule, reason: a.Reason, span: a.Span})
	}
	for _, c := range r.Chunk.Comments {
		text := strings.TrimLeft(c.Text, "- \t\n")
		after, ok := strings.CutPrefix(text, marker)
		if !ok || after != "" && !strings.ContainsAny(after[:1], " \t") {
			continue
		}
		whole := r.File.Slice(c.Pos)
		at := c.Pos.Start + source.Pos(strings.Index(whole, marker))
		span := source.Span{Start: at, End: at + source.Pos(len(marker))}
		rule, reason, _ := strings.Cut(strings.TrimSpace(after), " ")
		if rule != "" {
			offset := strings.Index(whole[int(at-c.Pos.Start)+len(marker):], rule)
			span.Start = at + source.Pos(len(marker)+offset)
			span.End = span.Start + source.Pos(len(rule))
		}
		s.list = append(s.list, &suppression{rule: rule, reason: strings.TrimSpace(reason), span: span, line: lineOf(r, c.Pos)})
	}
	return s
}

// lineOf returns the line that a comment is about: its own, when code stands
// before it there, else the next that has more than a comment.
func lineOf(r *analysis.Result, comment source.Span) int {
	line := r.File.Line(comment.Start)
	before := r.File.Text[r.File.LineSpan(line).Start:comment.Start]
	if strings.TrimSpace(before) != "" {
		return line
	}
	for line = r.File.Line(comment.End) + 1; line < r.File.Lines(); line++ {
		text := strings.TrimSpace(r.File.Slice(r.File.LineSpan(line)))
		if text != "" && !strings.HasPrefix(text, "--") {
			break
		}
	}
	return line
}

// apply takes out what is suppressed, and adds what is wrong with suppressions.
func (s *suppressions) apply(found []diag.Diagnostic, rules []*Rule, ran map[string]bool, o Options) []diag.Diagnostic {
	kept := slices.DeleteFunc(found, func(d diag.Diagnostic) bool {
		off := false
		for _, a := range s.list {
			if a.rule != d.Rule || a.reason == "" {
				continue
			}
			first, last := d.File.Line(d.Span.Start), d.File.Line(max(d.Span.Start, d.Span.End-1))
			if a.line == 0 || first <= a.line && a.line <= last {
				a.used, off = true, true
			}
		}
		return off
	})
	i := slices.IndexFunc(rules, func(r *Rule) bool { return r.Name == Suppression })
	if i < 0 {
		return kept
	}
	severity, on := o.Set.Severity(rules[i], o.Profile)
	if !on {
		return kept
	}
	p := &Pass{Result: s.result, rule: rules[i], severity: severity}
	for _, a := range s.list {
		s.check(p, a, rules, ran)
	}
	return append(kept, p.found...)
}

func (s *suppressions) check(p *Pass, a *suppression, rules []*Rule, ran map[string]bool) {
	var names []string
	for _, r := range rules {
		names = append(names, r.Name)
	}
	switch {
	case a.rule == "":
		p.ReportSpan(a.span, "the suppression names no rule, expected luagen:allow RULE REASON")
	case !slices.Contains(names, a.rule):
		f := p.ReportSpan(a.span, "there is no rule %s to suppress", a.rule)
		if near := diag.Nearest(a.rule, names); near != "" {
			f.Help("did you mean %s?", near).Fix("write "+near, diag.Edit{Span: a.span, Text: near})
		}
	case a.reason == "":
		p.ReportSpan(a.span, "the suppression of %s gives no reason, and so it is not heeded", a.rule).Help("say behind the rule why the finding is fine here")
	case !a.used && ran[a.rule]:
		p.ReportSpan(a.span, "%s finds nothing here, so there is nothing to suppress", a.rule).Help("take the suppression away")
	}
}
