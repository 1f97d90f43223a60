package gogen

// This file implements doc comments. Whatever a script's author wrote becomes
// lines behind "// ": no line of it can end the comment or direct a tool.

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// width is where comments are wrapped, their slashes not counted.
const width = 77

// comment collects the lines of a doc comment.
type comment struct {
	lines []string
}

// remark returns a comment of one paragraph.
func remark(text string) *comment {
	var c comment
	c.line(text)
	return &c
}

// code returns the comment, ready to stand before a declaration.
func (c *comment) code() *jen.Statement {
	var b strings.Builder
	for i, line := range c.lines {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString("//")
		if line != "" {
			b.WriteByte(' ')
			b.WriteString(harmless(line))
		}
	}
	return jen.Comment(b.String())
}

// harmless returns a line that no tool takes for a directive: some of them
// forgive the space behind the slashes.
func harmless(line string) string {
	text := strings.TrimLeft(line, " \t")
	if strings.HasPrefix(text, "go:") || strings.HasPrefix(text, "+build") {
		return line[:len(line)-len(text)] + "… " + text
	}
	return line
}

// gap begins a new paragraph.
func (c *comment) gap() {
	if n := len(c.lines); n > 0 && c.lines[n-1] != "" {
		c.lines = append(c.lines, "")
	}
}

// line adds a text of one line, wrapped.
func (c *comment) line(text string) { c.wrap(cleanLine(text), "", "") }

// item adds an element of a list, wrapped, as gofmt sets it.
func (c *comment) item(text string) { c.wrap(cleanLine(text), "  - ", "    ") }

// text adds a text of several lines. Those that are too long are wrapped, into
// the next one where that goes on with the sentence; indented ones stay as
// they are, since they are tables, lists or code.
func (c *comment) text(doc string) {
	rest := "" // of a line that was too long
	for line := range strings.Lines(doc) {
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		clean := cleanLine(line)
		if rest != "" && (clean == "" || indented || !unicode.IsLower(firstRune(clean))) {
			c.lines = append(c.lines, rest)
			rest = ""
		}
		switch {
		case clean == "":
			c.gap()
		case indented:
			c.lines = append(c.lines, "\t"+clean)
		default:
			before := len(c.lines)
			c.wrap(rest+" "+clean, "", "")
			if last := len(c.lines) - 1; last > before {
				rest, c.lines = c.lines[last], c.lines[:last]
			} else {
				rest = ""
			}
		}
	}
	if rest != "" {
		c.lines = append(c.lines, rest)
	}
	if n := len(c.lines); n > 0 && c.lines[n-1] == "" {
		c.lines = c.lines[:n-1]
	}
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// wrap adds a text behind a first and the following indents.
func (c *comment) wrap(text, first, next string) {
	var b strings.Builder
	b.WriteString(first)
	used, empty := len(first), true
	for word := range strings.FieldsSeq(text) {
		n := utf8.RuneCountInString(word)
		if !empty && used+1+n > width {
			c.lines = append(c.lines, b.String())
			b.Reset()
			b.WriteString(next)
			used, empty = len(next), true
		}
		if !empty {
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
		empty = false
	}
	if !empty {
		c.lines = append(c.lines, b.String())
	}
}

// cleanLine returns text as one line of a Go comment: without what Go forbids
// in source, what breaks lines and what is not seen.
func cleanLine(text string) string {
	if !isClean(text) {
		text = strings.Map(func(r rune) rune {
			switch {
			case r == '\t' || r == '\n' || r == '\r' || r == '\u2028' || r == '\u2029':
				return ' '
			case r == utf8.RuneError || unicode.Is(unicode.C, r):
				return -1
			}
			return r
		}, text)
	}
	return strings.TrimSpace(text)
}

func isClean(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] < ' ' || text[i] >= 0x7f {
			return false
		}
	}
	return true
}

// colon returns a doc behind a colon, if there is one.
func colon(doc string) string {
	if doc = cleanLine(doc); doc != "" {
		return ": " + doc
	}
	return ""
}
