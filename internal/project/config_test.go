package project

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

var update = flag.Bool("update", false, "write the results into the test data")

// TestConfigDiagnostics reads each luagen.yaml of testdata/config and expects
// its diagnostics.
func TestConfigDiagnostics(t *testing.T) {
	golden(t, "testdata/config/*.txtar", func(t *testing.T, files map[string]string) string {
		_, diags := parseConfig(source.New(ConfigName, files[ConfigName]))
		return printed(diags, false)
	})
}

// TestConfig reads one that says everything.
func TestConfig(t *testing.T) {
	config, diags := parseConfig(source.New(ConfigName, `
version: 1
scripts:
  - {dir: lua}
  - dir: ./scripts/admin/
    out: internal/admin
    package: adminscripts
target: valkey-8.0
profile: cluster
modules: [json, FT]
client: go-redis
parameter_limit: 7
lint:
  rules: {hardcoded-key: off, computed-key: "error"}
  exclude: [lua/vendor/*]
`))
	if len(diags) != 0 {
		t.Fatalf("diagnostics:\n%s", printed(diags, false))
	}
	target, err := command.ParseTarget("valkey-8.0")
	if err != nil {
		t.Fatal(err)
	}
	want := Config{
		Scripts: []Folder{
			{Dir: "lua", Out: "generated"},
			{Dir: "scripts/admin", Out: "internal/admin", Package: "adminscripts"},
		},
		Target:         target,
		Profile:        []string{"cluster"},
		Modules:        []string{"JSON", "FT"},
		Client:         "go-redis",
		ParameterLimit: 7,
		Lint: Lint{
			Rules:   []RuleSetting{{Rule: "hardcoded-key", Severity: "off"}, {Rule: "computed-key", Severity: "error"}},
			Exclude: []string{"lua/vendor/*"},
		},
	}
	ignore := cmp.Options{
		cmpopts.IgnoreFields(Config{}, "File"),
		cmpopts.IgnoreFields(RuleSetting{}, "File", "Span"),
		cmpopts.IgnoreUnexported(Folder{}),
		cmp.Comparer(func(a, b command.Target) bool { return a == b }),
	}
	if diff := cmp.Diff(want, config, ignore); diff != "" {
		t.Errorf("config (-want +got):\n%s", diff)
	}
}

// FuzzConfig asks that no text breaks the reader, and that what it points at
// is in the text.
func FuzzConfig(f *testing.F) {
	archives, err := filepath.Glob("testdata/config/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(archive.Files[0].Data))
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, diags := parseConfig(source.New(ConfigName, text))
		for _, d := range diags {
			if d.Span.Start < 0 || d.Span.End < d.Span.Start || int(d.Span.End) > len(text) {
				t.Errorf("%s: span %v is not in the text", d.Message, d.Span)
			}
		}
	})
}

// golden runs a function over the files of txtar archives and compares its
// result with the file want.
func golden(t *testing.T, pattern string, run func(t *testing.T, files map[string]string) string) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil || len(names) == 0 {
		t.Fatalf("%s: %d files, error %v", pattern, len(names), err)
	}
	for _, name := range names {
		name, err := filepath.Abs(name)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			files := make(map[string]string)
			for _, file := range archive.Files {
				files[file.Name] = string(file.Data)
			}
			got := run(t, files)
			if got == files["want"] {
				return
			}
			if !*update {
				t.Fatalf("(-want +got):\n%s", cmp.Diff(files["want"], got))
			}
			last := &archive.Files[len(archive.Files)-1]
			last.Data = []byte(got)
			if err := os.WriteFile(name, txtar.Format(archive), 0o666); err != nil {
				t.Fatal(err)
			}
		})
	}
}

// printed lists diagnostics one a line, with their notes and help below.
func printed(diags []diag.Diagnostic, files bool) string {
	at := func(p source.Position) string {
		if files {
			return fmt.Sprintf("%s:%d:%d", p.Filename, p.Line, p.Column)
		}
		return fmt.Sprintf("%d:%d", p.Line, p.Column)
	}
	var b strings.Builder
	for _, d := range diags {
		fmt.Fprintf(&b, "%s: %s\n", at(d.Position()), d.Message)
		for _, note := range d.Notes {
			fmt.Fprintf(&b, "\t%s: %s\n", at(note.File.Position(note.Span.Start)), note.Message)
		}
		if d.Help != "" {
			fmt.Fprintf(&b, "\thelp: %s\n", d.Help)
		}
	}
	return b.String()
}
