// Package source holds the text that everything else points into: files, byte
// offsets and spans. Lines and columns exist only for printing.
package source

import (
	"sort"
	"strings"
)

// Pos is a byte offset into a File's Text, from 0 to len(Text) inclusive.
type Pos int

// Span is the half-open range of bytes [Start, End) of one file.
type Span struct {
	Start, End Pos
}

// Contains tells whether p lies in s; an empty span contains nothing.
func (s Span) Contains(p Pos) bool { return s.Start <= p && p < s.End }

// Position is a printable place: a file's name, a line and a column that both
// count from 1. The column counts bytes.
type Position struct {
	Filename string
	Line     int
	Column   int
}

// Segment says where a part of a composed file was written. The bytes
// [Start, End) of the composed text stand for the text of Origin from At on.
// When Fixed is set all of them stand for the single place At (a line break
// that composition put in, an escape of a Go string literal).
type Segment struct {
	Start, End Pos
	Origin     *File
	At         Pos
	Fixed      bool
}

// File is one text. A composed file (a script with its includes, or a script
// inside a Go string literal) has segments, and its positions are those of the
// files its author wrote.
type File struct {
	Name string // as diagnostics print it
	Text string

	lines    []Pos // start of each line
	segments []Segment
}

// New returns a file whose positions are its own.
func New(name, text string) *File {
	return &File{Name: name, Text: text, lines: lineStarts(text)}
}

// Compose returns a file that is made of parts of others. The segments are in
// order and cover the text without a gap.
func Compose(name, text string, segments []Segment) *File {
	f := New(name, text)
	f.segments = segments
	return f
}

// lineStarts follows Lua's count of lines (inclinenumber in llex.c of Lua 5.1):
// CR, LF, CR LF and LF CR each end one line.
func lineStarts(text string) []Pos {
	starts := make([]Pos, 1, 1+strings.Count(text, "\n"))
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\n' && c != '\r' {
			continue
		}
		if i+1 < len(text) && (text[i+1] == '\n' || text[i+1] == '\r') && text[i+1] != c {
			i++
		}
		starts = append(starts, Pos(i+1))
	}
	return starts
}

// Composed tells whether the file has segments.
func (f *File) Composed() bool { return len(f.segments) > 0 }

// Line returns the line of p in this file's own text, from 1. For a composed
// file that is the line that a server would report.
func (f *File) Line(p Pos) int {
	return sort.Search(len(f.lines), func(i int) bool { return f.lines[i] > p })
}

// Lines returns the number of lines of the file's own text, at least 1.
func (f *File) Lines() int { return len(f.lines) }

// LineSpan returns the span of a line of this file's own text, without its
// line break. Lines outside the file give an empty span at its nearest end.
func (f *File) LineSpan(line int) Span {
	if line < 1 {
		return Span{}
	}
	if line > len(f.lines) {
		end := Pos(len(f.Text))
		return Span{end, end}
	}
	start := f.lines[line-1]
	end := Pos(len(f.Text))
	if line < len(f.lines) {
		end = f.lines[line]
		for end > start && (f.Text[end-1] == '\n' || f.Text[end-1] == '\r') {
			end--
		}
	}
	return Span{start, end}
}

// Slice returns the text under a span.
func (f *File) Slice(s Span) string { return f.Text[s.Start:s.End] }

// Origin returns the file that the author wrote p in, and where in it.
// A file without segments is its own origin.
func (f *File) Origin(p Pos) (*File, Pos) {
	for len(f.segments) > 0 {
		i := sort.Search(len(f.segments), func(i int) bool { return f.segments[i].End > p })
		if i == len(f.segments) {
			i--
		}
		seg := f.segments[i]
		at := seg.At
		if !seg.Fixed {
			at += p - seg.Start
		}
		f, p = seg.Origin, min(at, Pos(len(seg.Origin.Text)))
	}
	return f, p
}

// OriginSpan returns the author's file and span for a span of f. A span that
// crosses files ends where its first file's part ends.
func (f *File) OriginSpan(s Span) (*File, Span) {
	file, start := f.Origin(s.Start)
	if s.End <= s.Start {
		return file, Span{start, start}
	}
	last, end := f.Origin(s.End - 1)
	end++
	if last != file || end < start {
		end = file.LineSpan(file.Line(start)).End
	}
	return file, Span{start, min(end, Pos(len(file.Text)))}
}

// Position returns where the author wrote p.
func (f *File) Position(p Pos) Position {
	file, at := f.Origin(p)
	line := file.Line(at)
	return Position{file.Name, line, int(at-file.lines[line-1]) + 1}
}

// Normalize returns text without a leading byte order mark and with CR LF
// turned into LF, and says what it changed. A digest is taken of this form, so
// that a checkout's line ends cannot change it. A CR that stands alone stays.
func Normalize(text string) (normal string, bom, crlf bool) {
	normal, bom = strings.CutPrefix(text, "\uFEFF")
	if strings.Contains(normal, "\r\n") {
		normal, crlf = strings.ReplaceAll(normal, "\r\n", "\n"), true
	}
	return normal, bom, crlf
}
