package cli

// This file implements luagen cover: what the tests of a project's scripts ran.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/engine"
	"github.com/luagen/luagen/internal/engine/coverage"
	"github.com/luagen/luagen/internal/project"
)

func (a *app) coverCommand() *cobra.Command {
	var html string
	var asJSON bool
	command := &cobra.Command{
		Use:   "cover PROFILE [path...] [--html FILE] [--json]",
		Short: "Show which lines and branches of scripts tests ran",
		Long: `Cover reads what tests with luatest counted when LUATEST_COVERPROFILE named a
file, and shows for each file of Lua how many of its lines and branches ran. A
line counts when a statement begins on it. A branch is one way that a condition,
or an operator "and" or "or", can go. Counts of an included file are those of
all scripts that include it. Scripts that never ran are listed too.

Each test binary appends to the file: delete it before a run of its own.`,
		Example: `  rm -f lua.out; LUATEST_COVERPROFILE=$PWD/lua.out go test ./...
  luagen cover lua.out
  luagen cover lua.out --html lua.html
  luagen cover lua.out lua/queue --json | jq .total.lines.percent`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			return a.cover(args[0], args[1:], html, asJSON)
		},
	}
	command.Flags().StringVar(&html, "html", "", "write one page with the source in colours to this file")
	command.Flags().BoolVar(&asJSON, "json", false, "print one JSON document")
	return command
}

// cover prints the report of a profile, and writes its page if html names one.
func (a *app) cover(profile string, paths []string, html string, asJSON bool) error {
	counts, err := coverage.Read(profile)
	var path *fs.PathError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &project.UsageError{Message: fmt.Sprintf("%s: no such file; tests with luatest write it when %s=%s", profile, coverage.Variable, profile)}
	case errors.As(err, &path):
		return fmt.Errorf("reading %s: %w", profile, path.Err)
	case err != nil:
		return &project.UsageError{Message: err.Error()}
	}
	scripts, told, err := a.countable(paths)
	if err != nil {
		return err
	}
	report := coverage.NewReport(scripts, counts)
	if asJSON {
		err = a.coverJSON(report)
	} else {
		a.coverTable(report)
	}
	if err == nil && html != "" {
		err = writePage(report, html)
	}
	if n := len(report.Unknown); n > 0 && len(paths) == 0 {
		a.tell("luagen: %s counts %s that these files do not have: changed since the tests ran, or a test's own\n", profile, count(n, "script"))
	}
	if err != nil {
		return err
	}
	return told
}

// countable loads the scripts of paths. told is an exit if some have errors.
func (a *app) countable(paths []string) (scripts []coverage.Script, told, err error) {
	projects, err := a.open(paths)
	if err != nil {
		return nil, nil, err
	}
	var diags []diag.Diagnostic
	for _, p := range projects {
		set, err := p.Load()
		if err != nil {
			return nil, nil, err
		}
		diags = append(diags, set.Diagnostics...)
		for _, s := range set.Scripts() {
			countable, err := engine.Countable(s.Source)
			if err != nil {
				return nil, nil, err
			}
			scripts = append(scripts, countable)
		}
	}
	if diag.HasErrors(diags) {
		told = a.report(diags)
	}
	return scripts, told, nil
}

// coverTable prints a report for people.
func (a *app) coverTable(r *coverage.Report) {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	defer w.Flush()
	row := func(name string, lines, branches coverage.Share, rest string) {
		text := fmt.Sprintf("%s\t%d/%d\t%s\t%d/%d\t%s\t%s", name, lines.Covered, lines.Total, lines, branches.Covered, branches.Total, branches, rest)
		fmt.Fprintln(w, strings.TrimRight(text, "\t "))
	}
	fmt.Fprintf(w, "file\tlines\t\tbranches\t\tnot run\n")
	for _, f := range r.Files {
		row(f.Source.Name, f.LineShare(), f.BranchShare(), stretches(f.NotRun()))
	}
	lines, branches := r.Shares()
	row("total", lines, branches, "")
}

// shownStretches is how many stretches of lines the table names.
const shownStretches = 6

// stretches prints lines as 3-7, 9.
func stretches(list [][2]int) string {
	var parts []string
	for i, s := range list {
		switch {
		case i == shownStretches:
			return strings.Join(parts, ", ") + ", …"
		case s[0] == s[1]:
			parts = append(parts, fmt.Sprint(s[0]))
		default:
			parts = append(parts, fmt.Sprintf("%d-%d", s[0], s[1]))
		}
	}
	return strings.Join(parts, ", ")
}

// writePage writes the page to a file.
func writePage(r *coverage.Report, name string) error {
	f, err := os.Create(name)
	if err == nil {
		err = r.HTML(f)
		if closing := f.Close(); err == nil {
			err = closing
		}
	}
	if err != nil {
		return fmt.Errorf("writing the page: %w", err)
	}
	return nil
}

// The shapes of cover --json, which other programs read; docs/coverage.md
// describes them.
type (
	coverJSON struct {
		Files   []coverFileJSON `json:"files"`
		Total   coverTotalJSON  `json:"total"`
		Unknown []string        `json:"unknown"`
	}
	coverTotalJSON struct {
		Lines    shareJSON `json:"lines"`
		Branches shareJSON `json:"branches"`
	}
	shareJSON struct {
		Covered int     `json:"covered"`
		Total   int     `json:"total"`
		Percent float64 `json:"percent"`
	}
	coverFileJSON struct {
		File string `json:"file"`
		coverTotalJSON
		LineCounts   []lineJSON   `json:"lineCounts"`
		BranchCounts []branchJSON `json:"branchCounts"`
	}
	lineJSON struct {
		Line  int    `json:"line"`
		Count uint64 `json:"count"`
	}
	branchJSON struct {
		Kind      string    `json:"kind"`
		Line      int       `json:"line"`
		Column    int       `json:"column"`
		EndLine   int       `json:"endLine"`
		EndColumn int       `json:"endColumn"`
		Counts    [2]uint64 `json:"counts"`
	}
)

// coverJSON prints a report as one JSON document.
func (a *app) coverJSON(r *coverage.Report) error {
	out := coverJSON{Files: make([]coverFileJSON, len(r.Files)), Unknown: append([]string{}, r.Unknown...)}
	lines, branches := r.Shares()
	out.Total = coverTotalJSON{shareAsJSON(lines), shareAsJSON(branches)}
	for i, f := range r.Files {
		file := coverFileJSON{
			File: f.Source.Name, coverTotalJSON: coverTotalJSON{shareAsJSON(f.LineShare()), shareAsJSON(f.BranchShare())},
			LineCounts: make([]lineJSON, len(f.Lines)), BranchCounts: make([]branchJSON, len(f.Branches)),
		}
		for n, l := range f.Lines {
			file.LineCounts[n] = lineJSON{l.Number, l.Count}
		}
		for n, b := range f.Branches {
			start, end := f.Source.Position(b.Span.Start), f.Source.Position(b.Span.End)
			kind := "condition"
			if b.Operator {
				kind = "operator"
			}
			file.BranchCounts[n] = branchJSON{kind, start.Line, start.Column, end.Line, end.Column, b.Outcomes}
		}
		out.Files[i] = file
	}
	encoder := json.NewEncoder(a.stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}

func shareAsJSON(s coverage.Share) shareJSON { return shareJSON{s.Covered, s.Total, s.Percent()} }
