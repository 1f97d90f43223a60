package gosource

import (
	"go/scanner"
	"go/token"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/luagen/luagen/internal/source"
)

// FuzzLiteral compares the value of a literal with that of the go/scanner and
// strconv packages, and asks of each of its bytes that it stands where the map
// says: as it is, or as the backslash of an escape.
func FuzzLiteral(f *testing.F) {
	for _, seed := range []string{
		"`a\r\nb`", "``", "`\r`", `"plain"`, `""`, `"\n\t\\\""`, `"\x41\101\u00e9\U0001F600é"`, `"\xff\377"`,
		`"unended`, "`unended", `"bad \q"`, `"\x4"`, `"\'"`, "\"a\nb\"", `"\ud800"`,
	} {
		f.Add("var x = ", seed)
	}
	f.Fuzz(func(t *testing.T, before, literal string) {
		if !utf8.ValidString(literal) || strings.ContainsAny(literal, "\x00\uFEFF") {
			t.Skip("no Go source")
		}
		want, valid := value(literal)
		file := source.New("x.go", before+literal)
		var got text
		if ok := got.literal(file, source.Pos(len(before))); ok != valid {
			t.Fatalf("%q is read: %t, want %t", literal, ok, valid)
		}
		if !valid {
			return
		}
		if got.value.String() != want {
			t.Fatalf("%q has the value %q, want %q", literal, got.value.String(), want)
		}
		if want == "" {
			return
		}
		composed := got.compose("x.go")
		last := source.Pos(len(before))
		for p := range source.Pos(len(want)) {
			origin, at := composed.Origin(p)
			switch {
			case origin != file || at < last || int(at) >= len(file.Text)-1:
				t.Fatalf("byte %d of %q stands at %d of %q", p, want, at, file.Text)
			case file.Text[at] != want[p] && file.Text[at] != '\\':
				t.Fatalf("byte %d of %q stands at %q of %q", p, want, file.Text[at:], file.Text)
			}
			last = at
		}
		// The end is the closing quote.
		if _, at := composed.Origin(source.Pos(len(want))); at <= last || file.Text[at] != literal[0] {
			t.Fatalf("the end of %q stands at %d of %q", want, at, file.Text)
		}
	})
}

// value returns the value of a text that begins with a string literal, as Go
// has it.
func value(literal string) (string, bool) {
	fset := token.NewFileSet()
	var s scanner.Scanner
	s.Init(fset.AddFile("x.go", -1, len(literal)), []byte(literal), nil, 0)
	pos, tok, lit := s.Scan()
	if tok != token.STRING || s.ErrorCount > 0 || fset.Position(pos).Offset != 0 {
		return "", false
	}
	value, err := strconv.Unquote(lit)
	return value, err == nil
}
