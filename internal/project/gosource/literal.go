package gosource

// This file implements the text of Go string literals: the bytes that Redis
// gets, and where each of them was written.

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/luagen/luagen/internal/source"
)

// maxText bounds the text of one script, as constants that are joined with
// themselves grow without end.
const maxText = 4 << 20

// text is a string value that is put together from what was written in one or
// more places.
type text struct {
	value    strings.Builder
	segments []source.Segment
	end      source.Segment // behind the last byte, and empty
}

// ends notes where the last part ends in its file.
func (t *text) ends(file *source.File, at source.Pos) {
	t.end = source.Segment{Origin: file, At: at, Fixed: true}
}

// run appends bytes that stand in a file as they are.
func (t *text) run(file *source.File, from, to source.Pos) {
	if from < to {
		t.append(file.Text[from:to], source.Segment{Origin: file, At: from})
	}
}

// append appends bytes and where they were written.
func (t *text) append(bytes string, written source.Segment) {
	written.Start = source.Pos(t.value.Len())
	written.End = written.Start + source.Pos(len(bytes))
	t.value.WriteString(bytes)
	t.segments = append(t.segments, written)
}

// literal appends the value of the string literal that begins at a place of a
// Go file. It reports whether there is a whole one.
func (t *text) literal(file *source.File, at source.Pos) bool {
	rest := file.Text[at:]
	if strings.HasPrefix(rest, "`") {
		end := strings.IndexByte(rest[1:], '`')
		if end < 0 {
			return false
		}
		t.raw(file, at+1, at+1+source.Pos(end))
		return true
	}
	return strings.HasPrefix(rest, `"`) && t.interpreted(file, at+1)
}

// raw appends the inside of a raw string literal, which has no carriage
// returns however it is written.
func (t *text) raw(file *source.File, from, to source.Pos) {
	for from < to {
		end := to
		if cr := strings.IndexByte(file.Text[from:to], '\r'); cr >= 0 {
			end = from + source.Pos(cr)
		}
		t.run(file, from, end)
		from = end + 1
	}
	t.ends(file, to)
}

// interpreted appends the inside of an interpreted string literal from a place
// on, up to its closing quote.
func (t *text) interpreted(file *source.File, from source.Pos) bool {
	at := from
	for int(at) < len(file.Text) {
		switch file.Text[at] {
		case '"':
			t.run(file, from, at)
			t.ends(file, at)
			return true
		case '\n':
			return false
		case '\\':
			t.run(file, from, at)
			// No escape is longer than \U0010FFFF.
			escape := file.Text[at:min(int(at)+10, len(file.Text))]
			char, wide, tail, err := strconv.UnquoteChar(escape, '"')
			if err != nil {
				return false
			}
			bytes := string([]byte{byte(char)})
			if wide {
				bytes = string(utf8.AppendRune(nil, char))
			}
			t.append(bytes, source.Segment{Origin: file, At: at, Fixed: true})
			at += source.Pos(len(escape) - len(tail))
			from = at
		default:
			at++
		}
	}
	return false
}

// compose makes the file of a whole text that is not empty. What is wrong at
// its end stands at the end of its last literal.
func (t *text) compose(name string) *source.File {
	last := t.end
	last.Start = source.Pos(t.value.Len())
	last.End = last.Start
	return source.Compose(name, t.value.String(), append(t.segments, last))
}
