// Package render writes diagnostics for people and for tools.
//
// Places are always those that the author wrote, in a script with includes as
// well as in one inside a Go string literal. Lines and columns count from 1, and
// columns count bytes. Nothing here sorts: see diag.Sort.
package render

// This file implements the text form.

import (
	"fmt"
	"io"
	"strings"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

// Text writes each diagnostic as
//
//	lua/x.lua:7:4: error: what was found, what was expected [rule-name]
//	  7 |    if v == nil then
//	    |       ^^^^^^^^
//	  note: lua/x.lua:3:7: v is set here
//	  3 | local v = redis.call('GET', KEYS[1])
//	    |       ^
//	  help: what to do
//
// with a blank line between two of them. The first line is what editors and
// grep understand. The carets stand under the exact span: tabs are widened, wide
// characters count twice, and what a terminal would obey is shown as �. Escape
// sequences for color are written only if color is set.
func Text(w io.Writer, list []diag.Diagnostic, color bool) error {
	p := &printer{color: color}
	for i := range list {
		if i > 0 {
			p.out.WriteByte('\n')
		}
		p.diagnostic(&list[i])
	}
	_, err := io.WriteString(w, p.out.String())
	return err
}

// The colors, as the parameters of SGR escape sequences.
const (
	bold   = "1"
	red    = "1;31"
	yellow = "1;33"
	cyan   = "1;36"
	green  = "1;32"
	blue   = "34"
)

func severityColor(s diag.Severity) string {
	switch s {
	case diag.Error:
		return red
	case diag.Warning:
		return yellow
	}
	return cyan
}

type printer struct {
	out   strings.Builder
	color bool
}

// paint writes text in a color.
func (p *printer) paint(color, text string) {
	if p.color && text != "" {
		text = "\x1b[" + color + "m" + text + "\x1b[0m"
	}
	p.out.WriteString(text)
}

func (p *printer) diagnostic(d *diag.Diagnostic) {
	color := severityColor(d.Severity)
	p.paint(bold, place(d.File, d.Span)+":")
	p.out.WriteByte(' ')
	p.paint(color, d.Severity.String()+":")
	p.out.WriteByte(' ')
	p.paint(bold, plain(d.Message))
	p.out.WriteString(" [" + d.Rule + "]\n")

	gutter := gutterWidth(d)
	p.snippet(d.File, d.Span, gutter, color)
	for _, note := range d.Notes {
		p.out.WriteString("  ")
		p.paint(cyan, "note:")
		p.out.WriteString(" " + place(note.File, note.Span) + ": " + plain(note.Message) + "\n")
		p.snippet(note.File, note.Span, gutter, cyan)
	}
	if d.Help != "" {
		p.out.WriteString("  ")
		p.paint(green, "help:")
		p.out.WriteString(" " + plain(d.Help) + "\n")
	}
}

// place returns the author's file, line and column of a span's start.
func place(f *source.File, s source.Span) string {
	at := f.Position(s.Start)
	return fmt.Sprintf("%s:%d:%d", plain(at.Filename), at.Line, at.Column)
}

// gutterWidth returns the width of the longest line number of a diagnostic.
func gutterWidth(d *diag.Diagnostic) int {
	width := 0
	measure := func(f *source.File, s source.Span) {
		f, s = f.OriginSpan(s)
		width = max(width, len(fmt.Sprint(f.Line(s.End))))
	}
	measure(d.File, d.Span)
	for _, note := range d.Notes {
		measure(note.File, note.Span)
	}
	return width
}

// snippet writes the author's lines under a span, of more than three only the
// first and the last.
func (p *printer) snippet(f *source.File, s source.Span, gutter int, color string) {
	f, s = f.OriginSpan(s)
	first, last := f.Line(s.Start), f.Line(s.Start)
	if s.End > s.Start {
		last = f.Line(s.End - 1)
	}
	for n := first; n <= last; n++ {
		if n == first+1 && last > first+2 {
			p.paint(blue, fmt.Sprintf("  %*s |", gutter, "…"))
			p.out.WriteByte('\n')
			n = last
		}
		span := f.LineSpan(n)
		l := layOut(f.Slice(span))
		from, to := 0, l.width()
		if n == first {
			from = l.column(int(s.Start - span.Start))
		} else {
			from = l.indent()
		}
		if n == last {
			to = l.column(int(s.End - span.Start))
		}
		to = max(to, from+1)
		text, from, to := l.window(from, to)

		p.paint(blue, fmt.Sprintf("  %*d |", gutter, n))
		p.out.WriteString(strings.TrimRight(" "+text, " ") + "\n")
		p.paint(blue, fmt.Sprintf("  %*s |", gutter, ""))
		p.out.WriteString(strings.Repeat(" ", from+1))
		p.paint(color, strings.Repeat("^", to-from))
		p.out.WriteByte('\n')
	}
}
