package types_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/luagen/luagen/internal/types"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func TestParse(t *testing.T) {
	tests := []struct{ text, want string }{
		{"string", "string"},
		{" \t int ", "int"},
		{`bool("yes", "")`, `bool("yes", "")`},
		{`bool( "\x41\n\"\\" ,"é" )`, `bool("A\n\"\\", "é")`},
		{"duration (ms)", "duration(ms)"},
		{"time( us )", "time(us)"},
		{"enum(banned=-2, full = -1,ok=0)", "enum(banned=-2, full=-1, ok=0)"},
		{`enum("OK", busy="BUSY")`, `enum("OK", busy="BUSY")`},
		{"json(github.com/acme/shop/v2.Order)", "json(github.com/acme/shop/v2.Order)"},
		{"msgpack(time.Time)?", "msgpack(time.Time)?"},
		{"string?[][]", "string?[][]"},
		{"(string)?", "string?"},
		{"map(string, {a: int, b: string?}[])", "map(string, {a: int, b: string?}[])"},
		{"pairs(bytes, float)", "pairs(bytes, float)"},
		{"{value: string?, left: duration(ms)}", "{value: string?, left: duration(ms)}"},
		{"int|string", "int | string"},
		{"int | string?", "(int | string)?"},
		{"(int? | string) | float", "(int | string | float)?"},
		{"(int | string)[]", "(int | string)[]"},
		{"status?", "status?"},
		{"none", "none"},
		{"any?", "any?"},
	}
	for _, test := range tests {
		got, err := types.Parse(test.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", test.text, err)
		} else if got.String() != test.want {
			t.Errorf("Parse(%q) = %s, want %s", test.text, got, test.want)
		}
	}
}

func TestParsePrefixLeavesTheProse(t *testing.T) {
	tests := []struct{ text, want, rest string }{
		{" int how many", "int", " how many"},
		{"int", "int", ""},
		{"bool (true when it was new)", "bool", " (true when it was new)"},
		{"json [raw]", "json", " [raw]"},
		{"string ? or nothing", "string", " ? or nothing"},
		{"{a: int, b: string?}[] one for each", "{a: int, b: string?}[]", " one for each"},
		{"int | string what there was", "int | string", " what there was"},
		{"duration(s)? until then", "duration(s)?", " until then"},
	}
	for _, test := range tests {
		got, n, err := types.ParsePrefix(test.text)
		if err != nil {
			t.Errorf("ParsePrefix(%q): %v", test.text, err)
		} else if got.String() != test.want || test.text[n:] != test.rest {
			t.Errorf("ParsePrefix(%q) = %s and leaves %q, want %s and %q", test.text, got, test.text[n:], test.want, test.rest)
		}
	}
}

func TestParseSlot(t *testing.T) {
	tests := []struct {
		text, elem         string
		optional, variadic bool
		rest               string
	}{
		{"string", "string", false, false, ""},
		{"int? how many, 1 when absent", "int", true, false, " how many, 1 when absent"},
		{"duration(ms)... the steps", "duration(ms)", false, true, " the steps"},
		{"{field: string, by: int}...", "{field: string, by: int}", false, true, ""},
		{"bytes ... and so on", "bytes", false, false, " ... and so on"},
		{`enum("asc", "desc")?`, `enum("asc", "desc")`, true, false, ""},
	}
	for _, test := range tests {
		s, n, err := types.ParseSlotPrefix(test.text)
		if err != nil {
			t.Errorf("ParseSlotPrefix(%q): %v", test.text, err)
			continue
		}
		if s.Type.String() != test.elem || s.Optional != test.optional || s.Variadic != test.variadic || test.text[n:] != test.rest {
			t.Errorf("ParseSlotPrefix(%q) = %+v and leaves %q", test.text, s, test.text[n:])
		}
		again, err := types.ParseSlot(s.String())
		if err != nil || again.String() != s.String() {
			t.Errorf("ParseSlot(%q) = %s, %v", s, again, err)
		}
	}
}

// The golden files hold a type a line; below it stands the error, under the
// exact text that it is about.
func TestErrors(t *testing.T) {
	for name, parse := range map[string]func(string) error{
		"type_errors.txtar": func(s string) error { _, err := types.Parse(s); return err },
		"slot_errors.txtar": func(s string) error { _, err := types.ParseSlot(s); return err },
	} {
		path := "testdata/" + name
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, file := range archive.Files {
			var got strings.Builder
			for line := range strings.Lines(string(file.Data)) {
				line = strings.TrimSuffix(line, "\n")
				if strings.HasPrefix(strings.TrimLeft(line, " "), "^") {
					continue
				}
				got.WriteString(line + "\n" + explain(t, line, parse(line)) + "\n")
			}
			if *update {
				archive.Files[i].Data = []byte(got.String())
			} else if got.String() != string(file.Data) {
				t.Errorf("%s, %s: got\n%swant\n%s", name, file.Name, got.String(), file.Data)
			}
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func explain(t *testing.T, text string, err error) string {
	var e *types.ParseError
	if !errors.As(err, &e) {
		t.Errorf("%q: got %v, want a *ParseError", text, err)
		return ""
	}
	if e.Offset < 0 || e.Length < 0 || e.Offset+e.Length > len(text) {
		t.Fatalf("%q: the error is at %d+%d, outside the text", text, e.Offset, e.Length)
	}
	return fmt.Sprintf("%s%s %s", strings.Repeat(" ", e.Offset), strings.Repeat("^", max(e.Length, 1)), e.Message)
}

func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := anyType().Draw(t, "type")
		got, err := types.Parse(want.String())
		if err != nil {
			t.Fatalf("Parse(%q): %v", want, err)
		}
		if got.String() != want.String() {
			t.Fatalf("Parse(%q) = %s", want, got)
		}
		if !types.Equal(got, want) {
			t.Fatalf("Parse(%q) is not equal to what was printed", want)
		}
	})
}

func TestEqual(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"enum(a=0, b=1)", "enum(b=1, a=0)", true},
		{"int | string?", "string | int?", true},
		{"enum(a=0, b=1)", "enum(a=0, c=1)", false},
		{"enum(a=0, b=1)", "enum(a=0)", false},
		{`enum("A")`, `enum(a="A")`, false},
		{"{a: int}", "{b: int}", false},
		{"{a: int}", "{a: int, b: int?}", false},
		{"map(string, int)", "pairs(string, int)", false},
		{"map(string, int)", "map(int, int)", false},
		{"duration(s)", "duration(ms)", false},
		{"duration(s)", "time(s)", false},
		{"json", "msgpack", false},
		{"json", "json(a.B)", false},
		{"bool", `bool("true", "false")`, false},
		{"int?", "int", false},
		{"int | string", "int | string | float", false},
	}
	for _, test := range tests {
		a, b := parse(t, test.a), parse(t, test.b)
		if types.Equal(a, b) != test.want || types.Equal(b, a) != test.want {
			t.Errorf("Equal(%s, %s) is not %v", test.a, test.b, test.want)
		}
	}
}

func TestParseBoundsItsStack(t *testing.T) {
	for _, text := range []string{
		strings.Repeat("(", 1e6),
		strings.Repeat("{a: ", 1e6),
		strings.Repeat("(", 90) + "int" + strings.Repeat("[])", 90),
		"int" + strings.Repeat("[]", 1e6),
	} {
		if _, err := types.Parse(text); err == nil || !strings.Contains(err.Error(), "deeper") {
			t.Errorf("Parse(%.20q…): %v, want that it nests too deep", text, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{
		"int", "string? x", `bool("a", "\x00")`, "enum(a=0, b=-1)", `enum("OK", busy="BUSY")?`,
		"{a: int, b: (x | y)[]}...", "map(string, pairs(int, json(a/b.C)))", "((int)", "é", "int...?", "\"",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		typ, n, err := types.ParsePrefix(text)
		if err != nil {
			explain(t, text, err)
		} else {
			if n > len(text) {
				t.Fatalf("%q: takes %d bytes", text, n)
			}
			again, err := types.Parse(typ.String())
			if err != nil || !types.Equal(again, typ) || again.String() != typ.String() {
				t.Fatalf("%q: %s is read back as %v, %v", text, typ, again, err)
			}
			whole, err := types.Parse(text[:n])
			if err != nil || !types.Equal(whole, typ) {
				t.Fatalf("%q: its prefix %q is read as %v, %v", text, text[:n], whole, err)
			}
		}
		if s, _, err := types.ParseSlotPrefix(text); err != nil {
			explain(t, text, err)
		} else if again, err := types.ParseSlot(s.String()); err != nil || again.String() != s.String() {
			t.Fatalf("%q: %s is read back as %s, %v", text, s, again, err)
		}
	})
}
