package source

import (
	"fmt"
	"testing"
)

// Lines end as Lua counts them: CR, LF, CR LF and LF CR are one end each.
func TestLines(t *testing.T) {
	f := New("a.lua", "one\ntwo\r\nthree\rfour\n\rfive\n\nseven")
	for line, want := range map[int]string{
		0: "", 1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "", 7: "seven", 8: "",
	} {
		if got := f.Slice(f.LineSpan(line)); got != want {
			t.Errorf("line %d is %q, want %q", line, got, want)
		}
	}
	if f.Lines() != 7 {
		t.Errorf("%d lines, want 7", f.Lines())
	}
}

func TestPosition(t *testing.T) {
	f := New("a.lua", "ab\nß = 1\n")
	for pos, want := range map[Pos]string{
		0:                "1:1",
		2:                "1:3", // the line break belongs to its line
		3:                "2:1",
		5:                "2:3", // columns count bytes
		9:                "2:7",
		Pos(len(f.Text)): "3:1",
	} {
		p := f.Position(pos)
		if got := fmt.Sprintf("%d:%d", p.Line, p.Column); got != want || p.Filename != "a.lua" {
			t.Errorf("position of %d is %s in %s, want %s", pos, got, p.Filename, want)
		}
	}
}

// composed is a file that includes another:
//
//	local a      main.lua:1
//	in one       lib.lua:1
//	in two       lib.lua:2
//	return       main.lua:3
func composed() *File {
	main := New("main.lua", "local a\n--include\nreturn\n")
	lib := New("lib.lua", "in one\nin two\n")
	return Compose("main.lua", "local a\nin one\nin two\nreturn\n", []Segment{
		{Start: 0, End: 8, Origin: main, At: 0},
		{Start: 8, End: 21, Origin: lib, At: 0},
		{Start: 21, End: 22, Origin: main, At: 8, Fixed: true},
		{Start: 22, End: 29, Origin: main, At: 18},
	})
}

func TestComposed(t *testing.T) {
	f := composed()
	for pos, want := range map[Pos]string{
		0:  "main.lua:1:1",
		8:  "lib.lua:1:1",
		15: "lib.lua:2:1",
		20: "lib.lua:2:6",
		21: "main.lua:2:1", // a line break of composition stands for the directive
		22: "main.lua:3:1",
		29: "main.lua:4:1",
	} {
		p := f.Position(pos)
		if got := fmt.Sprintf("%s:%d:%d", p.Filename, p.Line, p.Column); got != want {
			t.Errorf("position of %d is %s, want %s", pos, got, want)
		}
	}
	if line := f.Line(22); line != 4 {
		t.Errorf("a server would say line %d, want 4", line)
	}
}

// A span that crosses files ends with its first file's line.
func TestOriginSpan(t *testing.T) {
	f := composed()
	for _, test := range []struct {
		span Span
		want string
	}{
		{Span{8, 14}, "lib.lua in one"},
		{Span{6, 11}, "main.lua a"},
		{Span{24, 24}, "main.lua "},
		{Span{22, 28}, "main.lua return"},
	} {
		file, span := f.OriginSpan(test.span)
		if got := file.Name + " " + file.Slice(span); got != test.want {
			t.Errorf("origin of %v is %q, want %q", test.span, got, test.want)
		}
	}
}

func TestNormalize(t *testing.T) {
	for _, test := range []struct {
		text, normal string
		bom, crlf    bool
	}{
		{"a\nb", "a\nb", false, false},
		{"\uFEFFa", "a", true, false},
		{"a\r\nb\rc\n\r", "a\nb\rc\n\r", false, true},
		{"a\uFEFF", "a\uFEFF", false, false},
	} {
		normal, bom, crlf := Normalize(test.text)
		if normal != test.normal || bom != test.bom || crlf != test.crlf {
			t.Errorf("%q becomes %q, mark %t, CR LF %t", test.text, normal, bom, crlf)
		}
	}
}
