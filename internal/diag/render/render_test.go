package render_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/diag/render"
	"github.com/luagen/luagen/internal/source"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// Each golden file has the files that diagnostics are about, a file named
// diagnostics, and the expected text and json. Lines of diagnostics are
//
//	SEVERITY RULE FILE:START-END MESSAGE
//	note FILE:START-END MESSAGE
//	help MESSAGE
//
// where START and END are LINE.COLUMN and count bytes.
func TestGolden(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatalf("found no golden files: %v", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list := readDiagnostics(t, archive)
		got := map[string]string{
			"text":  renderText(t, list, false),
			"color": strings.ReplaceAll(renderText(t, list, true), "\x1b", "ESC"),
			"json":  strings.ReplaceAll(renderJSON(t, list), "},{", "},\n{"),
		}
		for i, file := range archive.Files {
			text, ok := got[file.Name]
			switch {
			case !ok:
			case *update:
				archive.Files[i].Data = []byte(text)
			case text != string(file.Data):
				t.Errorf("%s, %s: got\n%swant\n%s", path, file.Name, text, file.Data)
			}
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func renderText(t *testing.T, list []diag.Diagnostic, color bool) string {
	t.Helper()
	var out strings.Builder
	if err := render.Text(&out, list, color); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func renderJSON(t *testing.T, list []diag.Diagnostic) string {
	t.Helper()
	var out strings.Builder
	if err := render.JSON(&out, list); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func readDiagnostics(t *testing.T, archive *txtar.Archive) []diag.Diagnostic {
	t.Helper()
	files := map[string]*source.File{}
	var spec string
	for _, file := range archive.Files {
		switch {
		case file.Name == "diagnostics":
			spec = string(file.Data)
		case filepath.Ext(file.Name) == ".lua":
			files[file.Name] = source.New(file.Name, unescape(t, string(file.Data)))
		}
	}
	var list []diag.Diagnostic
	for line := range strings.Lines(spec) {
		kind, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		if kind == "help" {
			list[len(list)-1].Help = rest
			continue
		}
		d := diag.Diagnostic{Severity: diag.Info}
		switch kind {
		case "error":
			d.Severity = diag.Error
		case "warning":
			d.Severity = diag.Warning
		}
		if kind != "note" {
			d.Rule, rest, _ = strings.Cut(rest, " ")
		}
		where, message, _ := strings.Cut(rest, " ")
		name, span, _ := strings.Cut(where, ":")
		d.File, d.Message = files[name], unescape(t, message)
		if d.File == nil {
			t.Fatalf("no file %q", name)
		}
		d.Span = readSpan(t, d.File, span)
		if kind == "note" {
			last := &list[len(list)-1]
			last.Notes = append(last.Notes, diag.Note{File: d.File, Span: d.Span, Message: d.Message})
			continue
		}
		list = append(list, d)
	}
	return list
}

// unescape resolves the \xHH and \uHHHH of a golden file.
func unescape(t *testing.T, text string) string {
	t.Helper()
	if !strings.Contains(text, `\`) {
		return text
	}
	quoted := strings.NewReplacer(`"`, `\"`, "\n", `\n`, "\t", `\t`).Replace(text)
	plain, err := strconv.Unquote(`"` + quoted + `"`)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return plain
}

func readSpan(t *testing.T, f *source.File, text string) source.Span {
	t.Helper()
	var l1, c1, l2, c2 int
	if _, err := fmt.Sscanf(text, "%d.%d-%d.%d", &l1, &c1, &l2, &c2); err != nil {
		t.Fatalf("span %q: %v", text, err)
	}
	return source.Span{
		Start: f.LineSpan(l1).Start + source.Pos(c1-1),
		End:   f.LineSpan(l2).Start + source.Pos(c2-1),
	}
}

// A diagnostic about a script with includes shows the file that the author wrote.
func TestComposedFile(t *testing.T) {
	main := source.New("lua/x.lua", "--- @include \"lib/y\"\nreturn f(1)\n")
	lib := source.New("lua/lib/y.lua", "local z\nlocal function f(n) return n end\n")
	text := lib.Text + main.Text[21:]
	n := source.Pos(len(lib.Text))
	bundle := source.Compose("lua/x.lua", text, []source.Segment{
		{Start: 0, End: n, Origin: lib},
		{Start: n, End: source.Pos(len(text)), Origin: main, At: 21},
	})
	list := []diag.Diagnostic{{
		Rule: "unused", Severity: diag.Warning, File: bundle, Span: source.Span{Start: 6, End: 7}, Message: "z is never read",
		Notes: []diag.Note{{File: bundle, Span: source.Span{Start: n + 7, End: n + 11}, Message: "the last line"}},
	}}
	want := `lua/lib/y.lua:1:7: warning: z is never read [unused]
  1 | local z
    |       ^
  note: lua/x.lua:2:8: the last line
  2 | return f(1)
    |        ^^^^
`
	if got := renderText(t, list, false); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if got := renderJSON(t, list); !strings.Contains(got, `"file":"lua/lib/y.lua","line":1,"column":7,"endLine":1,"endColumn":8`) {
		t.Errorf("got %s, want the place in the library", got)
	}
}

func TestJSONWithoutDiagnosticsIsAnEmptyList(t *testing.T) {
	if got, want := renderJSON(t, nil), "{\"diagnostics\":[]}\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Whatever the bytes of a file are and wherever a span lies in it, rendering
// ends, writes nothing that a terminal obeys, and gives valid JSON.
func FuzzRender(f *testing.F) {
	f.Add("return 1\n", 0, 6)
	f.Add("\tlocal é = '世'\r\n\xff\x1b[2J", 3, 20)
	f.Add(strings.Repeat("x", 500), 300, 310)
	f.Add("", 0, 0)
	f.Fuzz(func(t *testing.T, text string, start, end int) {
		start = min(max(start, 0), len(text))
		end = min(max(end, start), len(text))
		span := source.Span{Start: source.Pos(start), End: source.Pos(end)}
		list := []diag.Diagnostic{{Rule: "r", File: source.New("f", text), Span: span, Message: text}}
		out := renderText(t, list, false)
		if strings.ContainsFunc(out, func(r rune) bool { return r < ' ' && r != '\n' || r == 0x7f }) {
			t.Errorf("a control character in %q", out)
		}
		if !strings.Contains(out, "^") {
			t.Errorf("no caret in %q", out)
		}
		if !json.Valid(bytes.TrimSpace([]byte(renderJSON(t, list)))) {
			t.Error("invalid JSON")
		}
	})
}
