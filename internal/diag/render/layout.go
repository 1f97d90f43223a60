package render

// This file implements how a line of source is laid out on a terminal.

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	tabWidth = 4
	// maxWidth is how much of a long line is shown; lead is how much of that
	// stands in front of the span.
	maxWidth = 120
	lead     = 40
)

// cell is one character of a line as it is shown.
type cell struct {
	end   int // offset in the line behind its last byte
	text  string
	width int // in columns of the terminal
}

// line is a line of source as it is shown.
type line []cell

func layOut(text string) line {
	var l line
	column := 0
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		c := cell{i + size, text[i : i+size], runeWidth(r)}
		switch {
		case r == '\t':
			c.width = tabWidth - column%tabWidth
			c.text = strings.Repeat(" ", c.width)
		case r == utf8.RuneError || obeyed(r):
			c.text, c.width = "�", 1
		}
		l = append(l, c)
		column += c.width
		i += size
	}
	return l
}

func (l line) width() int {
	width := 0
	for _, c := range l {
		width += c.width
	}
	return width
}

// column returns where the character with the given byte is shown; past the end
// of the line it is the line's width.
func (l line) column(offset int) int {
	column := 0
	for _, c := range l {
		if c.end > offset {
			break
		}
		column += c.width
	}
	return column
}

// indent returns the column of the first character that is no blank.
func (l line) indent() int {
	column := 0
	for _, c := range l {
		if strings.Trim(c.text, " ") != "" {
			return column
		}
		column += c.width
	}
	return 0
}

// window returns the text of the line, cut around the columns [from, to) if it
// is too long, and these columns in what is left.
func (l line) window(from, to int) (string, int, int) {
	left, right := 0, l.width()
	if right > maxWidth {
		if to > maxWidth {
			left = max(0, from-lead)
		}
		right = left + maxWidth
	}
	var b strings.Builder
	column, start := 0, -1
	for _, c := range l {
		if column >= left && column+c.width <= right {
			if start < 0 {
				start = column
			}
			b.WriteString(c.text)
		}
		column += c.width
	}
	text := b.String()
	start = max(start, 0)
	if column > right {
		text += "…"
	}
	if start > 0 {
		text = "…" + text
		start--
	}
	return text, from - start, min(to, right+1) - start
}

// plain returns text without what a terminal would obey.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if obeyed(r) {
			return utf8.RuneError
		}
		return r
	}, text)
}

// obeyed tells whether a terminal would act on a character instead of showing
// it: control characters, and marks that turn the direction of writing.
func obeyed(r rune) bool {
	return unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069'
}

// wide are the ranges of characters that terminals draw two columns wide: the
// East Asian ones and the pictures.
var wide = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x1100, Hi: 0x115f, Stride: 1},
		{Lo: 0x2e80, Hi: 0x303e, Stride: 1},
		{Lo: 0x3041, Hi: 0x4dbf, Stride: 1},
		{Lo: 0x4e00, Hi: 0xa4cf, Stride: 1},
		{Lo: 0xa960, Hi: 0xa97f, Stride: 1},
		{Lo: 0xac00, Hi: 0xd7a3, Stride: 1},
		{Lo: 0xf900, Hi: 0xfaff, Stride: 1},
		{Lo: 0xfe30, Hi: 0xfe6f, Stride: 1},
		{Lo: 0xff00, Hi: 0xff60, Stride: 1},
		{Lo: 0xffe0, Hi: 0xffe6, Stride: 1},
	},
	R32: []unicode.Range32{
		{Lo: 0x1f300, Hi: 0x1f64f, Stride: 1},
		{Lo: 0x1f680, Hi: 0x1f6ff, Stride: 1},
		{Lo: 0x1f900, Hi: 0x1f9ff, Stride: 1},
		{Lo: 0x20000, Hi: 0x3fffd, Stride: 1},
	},
}

func runeWidth(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.Is(wide, r):
		return 2
	}
	return 1
}
