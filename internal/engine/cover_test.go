package engine

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/luagen/luagen/internal/engine/coverage"
	"github.com/luagen/luagen/internal/source"
)

var update = flag.Bool("update", false, "write what the coverage tests see into their files")

// A case is a script, the arguments of each run in a line of "runs", and the
// lines and branches that are counted, with the replies.
func TestCoverage(t *testing.T) {
	files, err := filepath.Glob("testdata/coverage/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range files {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			file := source.New("script.lua", string(archive.Files[0].Data))
			var runs [][]string
			for line := range strings.Lines(string(archive.Files[1].Data)) {
				runs = append(runs, strings.Fields(line))
			}
			got := covered(t, file, runs)
			if *update {
				archive.Files[2].Data = []byte(got)
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(string(archive.Files[2].Data), got); d != "" {
				t.Error(d)
			}
		})
	}
}

// covered runs a script and prints the report. It runs it without counting
// too, and compares the replies.
func covered(t *testing.T, file *source.File, runs [][]string) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "lua.out")
	recorder := coverage.NewRecorder(out)
	var replies [2][]string
	for i, r := range []*coverage.Recorder{recorder, nil} {
		e := New(Options{Coverage: r})
		c := e.Connect()
		for _, args := range runs {
			replies[i] = append(replies[i], c.Do(append([]string{"EVAL", file.Text, "0"}, args...)...).String())
		}
		e.Close()
	}
	if d := cmp.Diff(replies[1], replies[0]); d != "" {
		t.Errorf("counting changes the replies:\n%s", d)
	}
	if err := recorder.Save(); err != nil {
		t.Fatal(err)
	}
	profile, err := coverage.Read(out)
	if err != nil {
		t.Fatal(err)
	}
	s, err := Countable(file)
	if err != nil {
		t.Fatal(err)
	}
	report := coverage.NewReport([]coverage.Script{s}, profile)
	if len(report.Files) != 1 || len(report.Unknown) != 0 {
		t.Fatalf("%d files, unknown: %v", len(report.Files), report.Unknown)
	}
	var b strings.Builder
	for _, r := range replies[0] {
		fmt.Fprintf(&b, "%s\n", r)
	}
	f := report.Files[0]
	for _, l := range f.Lines {
		fmt.Fprintf(&b, "%3d ran %d\n", l.Number, l.Count)
	}
	for _, branch := range f.Branches {
		fmt.Fprintf(&b, "%3d `%s` %v %s\n", file.Line(branch.Span.Start), file.Slice(branch.Span), branch.Outcomes, branch.Missing())
	}
	return b.String()
}
