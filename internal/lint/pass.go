package lint

// This file implements what a rule sees of a script, and how it reports.

import (
	"fmt"
	"strings"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// Pass is one run of one rule over one script.
type Pass struct {
	*analysis.Result
	*Index
	Options Options

	rule     *Rule
	severity *diag.Severity // what the user set; nil for the rule's own
	found    []diag.Diagnostic
}

// Finding is a reported diagnostic, to which more can be added.
type Finding struct {
	p *Pass
	i int
}

// Report reports a finding at a node, in the rule's own severity.
func (p *Pass) Report(at syntax.Node, format string, args ...any) Finding {
	return p.ReportSpan(at.Span(), format, args...)
}

// ReportSpan reports a finding at a span.
func (p *Pass) ReportSpan(span source.Span, format string, args ...any) Finding {
	d := diag.Diagnostic{Rule: p.rule.Name, Severity: p.rule.Severity, File: p.File, Span: span, Message: fmt.Sprintf(format, args...)}
	if p.severity != nil {
		d.Severity = *p.severity
	}
	p.found = append(p.found, d)
	return Finding{p, len(p.found) - 1}
}

// Help says what to do.
func (f Finding) Help(format string, args ...any) Finding {
	f.p.found[f.i].Help = fmt.Sprintf(format, args...)
	return f
}

// As makes a finding less or more bad than the rule is, unless the user set it.
func (f Finding) As(s diag.Severity) Finding {
	if f.p.severity == nil {
		f.p.found[f.i].Severity = s
	}
	return f
}

// Note points at a second place.
func (f Finding) Note(at syntax.Node, format string, args ...any) Finding {
	d := &f.p.found[f.i]
	d.Notes = append(d.Notes, diag.Note{File: f.p.File, Span: at.Span(), Message: fmt.Sprintf(format, args...)})
	return f
}

// Fix offers to replace spans.
func (f Finding) Fix(message string, edits ...diag.Edit) Finding {
	d := &f.p.found[f.i]
	d.Fixes = append(d.Fixes, diag.Fix{Message: message, Edits: edits})
	return f
}

// Replace is the edit that replaces a node.
func Replace(n syntax.Node, text string) diag.Edit { return diag.Edit{Span: n.Span(), Text: text} }

// Behind is the edit that adds text behind a node.
func Behind(n syntax.Node, text string) diag.Edit {
	end := n.Span().End
	return diag.Edit{Span: source.Span{Start: end, End: end}, Text: text}
}

// Before is the edit that adds text before a node.
func Before(n syntax.Node, text string) diag.Edit {
	start := n.Span().Start
	return diag.Edit{Span: source.Span{Start: start, End: start}, Text: text}
}

// Text returns the source of a node, shortened for a message.
func (p *Pass) Text(n syntax.Node) string {
	text := strings.Join(strings.Fields(p.File.Slice(n.Span())), " ")
	if len(text) > 40 {
		text = text[:37] + "..."
	}
	return text
}

// Source returns the source of a node.
func (p *Pass) Source(n syntax.Node) string { return p.File.Slice(n.Span()) }

// CallsTo returns the calls of the named commands.
func (p *Pass) CallsTo(names ...string) []*analysis.Call {
	var list []*analysis.Call
	for _, c := range p.Calls {
		for _, name := range names {
			if c.Command != nil && c.Command.Name == name {
				list = append(list, c)
			}
		}
	}
	return list
}

// BuiltinCalls returns the calls of library functions, with their names.
func (p *Pass) BuiltinCalls(visit func(call *syntax.CallExpr, name string)) {
	for _, c := range p.builtins {
		visit(c.call, c.name)
	}
}

// Place returns where to report an argument of a call: the argument where it is
// written, else the call; nil where neither is known.
func Place(c *analysis.Call, i int) syntax.Node {
	switch {
	case c.Node == nil:
		return nil
	case c.Node != c.Inner:
		return c.Node
	case i < len(c.Exprs) && c.Exprs[i] != nil:
		return c.Exprs[i]
	}
	return c.Node
}

// Role returns what a command takes argument i of a call for, the name counted.
func Role(c *analysis.Call, i int) command.Role {
	if c.Match == nil || i < c.Used || i-c.Used >= len(c.Match.Args) {
		return command.Role{}
	}
	return c.Match.Args[i-c.Used]
}

// KeyOf returns what identifies the first key of a call within the script:
// KEYS[1], a literal, or the source of an expression that cannot change; empty
// where the key is not known so well.
func (p *Pass) KeyOf(c *analysis.Call) string {
	for i := c.Used; i < len(c.Args); i++ {
		if Role(c, i).Kind == command.Key {
			return p.identity(c, i)
		}
	}
	return ""
}

// Same returns what identifies an argument, as KeyOf does.
func (p *Pass) Same(c *analysis.Call, i int) string {
	if i >= len(c.Args) {
		return ""
	}
	return p.identity(c, i)
}

func (p *Pass) identity(c *analysis.Call, i int) string {
	if slots, exact := c.Args[i].Slots(); exact && len(slots) == 1 && slots[0].Index > 0 {
		if slots[0].Argv {
			return fmt.Sprintf("ARGV[%d]", slots[0].Index)
		}
		return fmt.Sprintf("KEYS[%d]", slots[0].Index)
	}
	if text, ok := c.Args[i].Text(); ok {
		return "'" + text
	}
	if i >= len(c.Exprs) || c.Exprs[i] == nil {
		return ""
	}
	steady := true
	syntax.Inspect(c.Exprs[i], func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.NameExpr:
			steady = steady && n.Local != nil && !n.Local.Assigned && n.Local.Kind == syntax.LocalVar
		case *syntax.CallExpr, *syntax.VarargExpr, *syntax.IndexExpr:
			steady = false
		}
		return steady
	})
	if !steady {
		return ""
	}
	return "=" + strings.Join(strings.Fields(p.Source(c.Exprs[i])), "")
}
