package gosource_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/luagen/luagen/internal/project/gosource"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

var update = flag.Bool("update", false, "write what is found into the test data")

// TestLoad searches the Go files of each archive. Its comment may name the
// patterns, in a line "load ./a ./b"; without it they are ./....
func TestLoad(t *testing.T) {
	here, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(here, "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatal("no test data", err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			want := len(archive.Files)
			for i, file := range archive.Files {
				if file.Name == "want" {
					want = i
					continue
				}
				write(t, filepath.Join(dir, file.Name), strings.ReplaceAll(string(file.Data), "^M\n", "\r\n"))
			}
			got := describe(t, dir, patterns(string(archive.Comment)))
			if *update {
				archive.Files = append(archive.Files[:want:want], txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
					t.Fatal(err)
				}
				return
			}
			if want == len(archive.Files) {
				t.Fatal("the archive has no file want; run with -update")
			}
			if diff := cmp.Diff(string(archive.Files[want].Data), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// patterns returns what a comment asks to be searched.
func patterns(comment string) []string {
	for line := range strings.Lines(comment) {
		if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "load" {
			return fields[1:]
		}
	}
	return []string{"./..."}
}

// FuzzLoad asks that no Go file, however broken, stops the search, and that
// what it finds has places in it.
func FuzzLoad(f *testing.F) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		for _, file := range archive.Files {
			if strings.HasSuffix(file.Name, ".go") {
				f.Add(string(file.Data))
			}
		}
	}
	f.Add("package p\nconst a = `redis.call` + a + b\nconst b = a + a")
	f.Add("package p\nfunc f() { x := NewScript(x); Eval(`redis.call()`, x...) }")
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, text string) {
		name := filepath.Join(dir, "a.go")
		write(t, name, text)
		found, err := gosource.Load([]string{name}, filepath.Base)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range found.Scripts {
			if s.Name == "" || s.Source.Text == "" {
				t.Errorf("script %q has the text %q", s.Name, s.Source.Text)
			}
			for p := range len(s.Source.Text) + 1 {
				file, at := s.Source.Origin(source.Pos(p))
				if file.Name != "a.go" || int(at) > len(text) {
					t.Fatalf("byte %d of %q stands at %s, %d", p, s.Source.Text, file.Name, at)
				}
			}
			found.References(s)
		}
	})
}

// describe tells what is found: for each script a line, where its first and
// last bytes stand, its uses, its documentation, and its syntax errors.
func describe(t *testing.T, dir string, patterns []string) string {
	t.Chdir(dir)
	found, err := gosource.Load(patterns, func(abs string) string {
		rel, err := filepath.Rel(dir, abs)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.ToSlash(rel)
	})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range found.Scripts {
		fmt.Fprintf(&b, "%s (%s) %s-%s", s.Name, s.Ident, at(s.Source, 0), at(s.Source, len(s.Source.Text)))
		if s.Embedded {
			b.WriteString(" embedded")
		}
		if s.Guessed {
			b.WriteString(" guessed")
		}
		fmt.Fprintf(&b, "\n  text %q\n", s.Source.Text)
		for _, use := range s.Uses {
			fmt.Fprintf(&b, "  use  %s %s\n", at(use.File, int(use.Span.Start)), use.Call)
		}
		for line := range strings.Lines(s.Doc) {
			fmt.Fprintf(&b, "  doc  %s", line)
		}
		_, diags := syntax.Parse(s.Source)
		for _, d := range diags {
			file, span := d.File.OriginSpan(d.Span)
			fmt.Fprintf(&b, "  bad  %s %q %s\n", at(d.File, int(d.Span.Start)), file.Slice(span), d.Message)
		}
	}
	for _, m := range found.Missed {
		fmt.Fprintf(&b, "missed %s %s: %s\n", at(m.File, int(m.Span.Start)), m.Call, m.Why)
	}
	for _, d := range found.Broken {
		fmt.Fprintf(&b, "broken %s %s\n", at(d.File, int(d.Span.Start)), d.Message)
	}
	return b.String()
}

func at(f *source.File, p int) string {
	pos := f.Position(source.Pos(p))
	return fmt.Sprintf("%s:%d:%d", pos.Filename, pos.Line, pos.Column)
}

func write(tb testing.TB, name, text string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		tb.Fatal(err)
	}
}
