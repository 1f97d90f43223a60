package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

// TestBundle composes lua/main.lua of each archive in testdata/bundle, and
// prints what came out: each line with the place it was written at.
func TestBundle(t *testing.T) {
	golden(t, "testdata/bundle/*.txtar", func(t *testing.T, files map[string]string) string {
		p := newProject(t, files)
		bundle, diags, err := newBundler(p).bundle(p.path("lua/main.lua"))
		if err != nil {
			t.Fatal(err)
		}
		checkOrigins(t, bundle.file)
		return printed(diags, true) + "\n" + placed(bundle)
	})
}

// checkOrigins asks that each byte of a composed file is the one at its origin,
// but for the line breaks that composition put in.
func checkOrigins(t *testing.T, file *source.File) {
	t.Helper()
	for i := range file.Text {
		origin, at := file.Origin(source.Pos(i))
		if int(at) >= len(origin.Text) || origin.Text[at] != file.Text[i] && file.Text[i] != '\n' {
			t.Fatalf("byte %d, %q, has its origin at %d of %s", i, file.Text[i], at, origin.Name)
		}
	}
}

// FuzzBundle asks of any two files that composing them ends, with all bytes
// where they were written.
func FuzzBundle(f *testing.F) {
	f.Add("--- @include \"lib/x\"\nreturn 1", "-- $include(../main)\nlocal x")
	f.Add("-- $include(lib/x)\n-- $include(lib/x)", "--- @include '*'\r\n\n")
	f.Add("#!lua\n--[[ @include x ]]\n--- @include lib/*", "")
	p := newProject(f, map[string]string{"lua/lib/x.lua": ""})
	f.Fuzz(func(t *testing.T, main, lib string) {
		writeFiles(t, p.root, map[string]string{"lua/main.lua": main, "lua/lib/x.lua": lib})
		bundle, diags, err := newBundler(p).bundle(p.path("lua/main.lua"))
		if err != nil {
			return // a path that the system refuses
		}
		checkOrigins(t, bundle.file)
		for _, d := range diags {
			if int(d.Span.End) > len(d.File.Text) || d.Span.Start > d.Span.End {
				t.Errorf("%s: span %v is not in %s", d.Message, d.Span, d.File.Name)
			}
		}
	})
}

// placed prints a composed script, and its origins as generated code has them.
func placed(bundle bundled) string {
	var b strings.Builder
	file := bundle.file
	for line := 1; line <= file.Lines(); line++ {
		span := file.LineSpan(line)
		text := file.Slice(span)
		if text == "" && line == file.Lines() {
			break
		}
		indent := source.Pos(len(text) - len(strings.TrimLeft(text, " ")))
		at := file.Position(span.Start + indent)
		fmt.Fprintf(&b, "%-20s|%s\n", fmt.Sprintf("%s:%d:%d", at.Filename, at.Line, at.Column), text)
	}
	for _, origin := range bundle.origins {
		fmt.Fprintf(&b, "from line %d: %s:%d\n", origin.Line, origin.File, origin.At)
	}
	return b.String()
}

// TestBundleGrowth asks that text doubled by every file ends in a diagnostic
// and not in all of memory.
func TestBundleGrowth(t *testing.T) {
	files := map[string]string{"lua/f40.lua": strings.Repeat("x = 1\n", 100)}
	for i := range 40 {
		files[fmt.Sprintf("lua/f%d.lua", i)] = strings.Repeat(fmt.Sprintf("-- $include(f%d)\n", i+1), 2)
	}
	p := newProject(t, files)
	bundle, diags, err := newBundler(p).bundle(p.path("lua/f0.lua"))
	if err != nil {
		t.Fatal(err)
	}
	if len(bundle.file.Text) > 2*maxBundle || len(diags) != 1 || !strings.Contains(diags[0].Message, "larger than 4 MiB") {
		t.Errorf("%d bytes, diagnostics:\n%s", len(bundle.file.Text), printed(diags, true))
	}
}

// TestBundleLink asks that a link does not lead out of the module.
func TestBundleLink(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.lua")
	if err := os.WriteFile(outside, []byte("return 1\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p := newProject(t, map[string]string{"lua/main.lua": "--- @include \"link\"\n"})
	if err := os.Symlink(outside, p.path("lua/link.lua")); err != nil {
		t.Skip(err)
	}
	_, diags, err := newBundler(p).bundle(p.path("lua/main.lua"))
	if err != nil || len(diags) != 1 || !strings.Contains(diags[0].Message, "leads out of the module") {
		t.Errorf("error %v, diagnostics:\n%s", err, printed(diags, true))
	}
}

// newProject writes files to a module of their own, makes that the working
// directory, and opens it.
func newProject(t testing.TB, files map[string]string) *Project {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{"go.mod": "module example.com/test\n"})
	writeFiles(t, dir, files)
	t.Chdir(dir)
	projects, diags, err := Open()
	if err != nil || diag.HasErrors(diags) {
		t.Fatalf("error %v, diagnostics:\n%s", err, printed(diags, true))
	}
	return projects[0]
}

func writeFiles(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		name = filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
