package syntax

// This file runs the cases of testdata: what each text is told.

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/luagen/luagen/internal/source"
)

var update = flag.Bool("update", false, "rewrite the expectations in testdata")

// TestErrors runs testdata/errors/*.txtar: each file of an archive is followed
// by one of the same name with .want, which holds its diagnostics.
func TestErrors(t *testing.T) {
	paths, err := filepath.Glob("testdata/errors/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no cases: ", err)
	}
	for _, path := range paths {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		wants := map[string]string{}
		out := &txtar.Archive{Comment: archive.Comment}
		for _, f := range archive.Files {
			if name, ok := strings.CutSuffix(f.Name, ".want"); ok {
				wants[name] = string(f.Data)
			}
		}
		for _, f := range archive.Files {
			if strings.HasSuffix(f.Name, ".want") {
				continue
			}
			got := report(string(f.Data))
			out.Files = append(out.Files, f, txtar.File{Name: f.Name + ".want", Data: []byte(got)})
			if got != wants[f.Name] && !*update {
				t.Errorf("%s, %s\n%s\ngot\n%s\nwant\n%s", path, f.Name, f.Data, got, wants[f.Name])
			}
		}
		if *update {
			if err := os.WriteFile(path, txtar.Format(out), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// report returns the diagnostics of a text with all that they say, and what
// Redis says of it.
func report(text string) string {
	chunk, diags := Parse(source.New("x.lua", text))
	var b strings.Builder
	for _, d := range diags {
		at := d.Position()
		fmt.Fprintf(&b, "%d:%d: %s [%s] %q\n", at.Line, at.Column, d.Message, d.Rule, d.File.Slice(d.Span))
		if d.Help != "" {
			fmt.Fprintf(&b, "\thelp: %s\n", d.Help)
		}
		for _, n := range d.Notes {
			at := n.File.Position(n.Span.Start)
			fmt.Fprintf(&b, "\tnote: %d:%d: %s\n", at.Line, at.Column, n.Message)
		}
	}
	if r := chunk.Refusal; r != nil {
		fmt.Fprintf(&b, "redis: %d: %s\n", r.Line, strings.ToValidUTF8(r.Message, "?"))
	}
	return b.String()
}
