package rules

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/project"
	"github.com/luagen/luagen/internal/source"
)

var update = flag.Bool("update", false, "write the pages of docs/rules")

// check returns what the rules find in a script, as "line rule", without
// those of the front end about names.
func check(t *testing.T, text string, rule *lint.Rule) []string {
	t.Helper()
	target := command.Default
	if rule.Doc.Target != "" {
		var err error
		if target, err = command.ParseTarget(rule.Doc.Target); err != nil {
			t.Fatal(err)
		}
	}
	var o lint.Options
	o.Set.Enable(rule.Name)
	name := rule.Doc.File
	if name == "" {
		name = "example.lua"
	}
	file := source.New(name, text)
	list := lint.Run(analysis.Examine(file, analysis.Options{Target: target}), All, o)
	var found []string
	for _, d := range list {
		found = append(found, fmt.Sprintf("%d %s", file.Line(d.Span.Start), d.Rule))
		checkMessage(t, &d)
	}
	return found
}

// checkMessage holds messages to the house rules.
func checkMessage(t *testing.T, d *diag.Diagnostic) {
	t.Helper()
	if m := d.Message; m == "" || strings.HasSuffix(m, ".") || strings.Contains(m, "%!") {
		t.Errorf("the message of %s is %q", d.Rule, m)
	}
	if strings.HasSuffix(strings.TrimSuffix(d.Help, "..."), ".") || strings.Contains(d.Help, "%!") {
		t.Errorf("the help of %s is %q", d.Rule, d.Help)
	}
}

var wants = regexp.MustCompile(`--\[\[want "([a-z0-9-]+)"\]\]`)

// wanted returns what a script's marks ask for, as check has it.
func wanted(text string) []string {
	var list []string
	for i, line := range strings.Split(text, "\n") {
		for _, m := range wants.FindAllStringSubmatch(line, -1) {
			list = append(list, fmt.Sprintf("%d %s", i+1, m[1]))
		}
	}
	return list
}

// TestExamples runs the examples of every rule's documentation: the bad one
// has what its marks say and nothing else, the good one has nothing.
func TestExamples(t *testing.T) {
	for _, r := range All {
		t.Run(r.Name, func(t *testing.T) {
			if r.Doc.What == "" || r.Doc.Why == "" {
				t.Error("it is not documented")
			}
			want := wanted(r.Doc.Bad)
			if len(want) == 0 {
				t.Error("the bad example has no mark")
			}
			if got := check(t, r.Doc.Bad, r); !slices.Equal(got, want) {
				t.Errorf("the bad example\n%s\nhas %q, want %q", r.Doc.Bad, got, want)
			}
			if got := check(t, r.Doc.Good, r); len(got) != 0 {
				t.Errorf("the good example\n%s\nhas %q", r.Doc.Good, got)
			}
		})
	}
}

// TestFixes applies the fixes of the bad examples: what is left has no finding
// of the rule that offered the fix.
func TestFixes(t *testing.T) {
	for _, r := range All {
		o := lint.Options{}
		o.Set.Enable(r.Name)
		list := lint.Run(analysis.Examine(source.New("example.lua", r.Doc.Bad), analysis.Options{}), All, o)
		texts, _ := lint.Fixes(list)
		if len(texts) > 0 != r.Fixable && r.Name != lint.Suppression {
			t.Errorf("%s: fixable is %v, and its bad example is changed %v", r.Name, r.Fixable, len(texts) > 0)
		}
		for _, text := range texts {
			for _, d := range lint.Run(analysis.Examine(source.New("example.lua", text), analysis.Options{}), All, o) {
				if d.Rule == r.Name || d.Rule == diag.RuleSyntax {
					t.Errorf("%s: its fix leaves\n%s\nwith %s: %s", r.Name, text, d.Rule, d.Message)
				}
			}
		}
	}
}

// TestNames checks that names are unique, and that rules are listed by group.
func TestNames(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range All {
		if seen[r.Name] || !regexp.MustCompile(`^[a-z][a-z0-9-]+$`).MatchString(r.Name) || !slices.Contains(lint.Groups, r.Group) {
			t.Errorf("the rule %q of the group %q", r.Name, r.Group)
		}
		seen[r.Name] = true
	}
}

// TestCases runs testdata/*.lua: scripts whose marks say what is found.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.lua")
	if err != nil || len(files) == 0 {
		t.Fatal("there are no cases")
	}
	for _, name := range files {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		rule := &lint.Rule{}
		if m := regexp.MustCompile(`(?m)^-- target: (\S+)$`).FindStringSubmatch(text); m != nil {
			rule.Doc.Target = m[1]
		}
		if got, want := check(t, text, rule), wanted(text); !slices.Equal(got, want) {
			t.Errorf("%s has\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// good are projects and folders of scripts that are right.
var good = []string{"../../..", "../../../examples/*", "../../analysis/testdata/scripts"}

// deserved are findings in good scripts that are right.
var deserved = []string{"locks/setnx_expire.lua:5 setnx-then-expire"}

// TestGoodScripts checks that right scripts have no error and no warning.
func TestGoodScripts(t *testing.T) {
	var n atomic.Int64
	for _, pattern := range good {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, name := range paths {
			if _, err := os.Stat(filepath.Join(name, "lua")); err != nil && pattern != good[2] {
				continue
			}
			projects, _, err := project.Open(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range projects {
				list, err := p.Lint(func(file *source.File, _ analysis.Options) []diag.Diagnostic {
					n.Add(1)
					return lint.Run(analysis.Examine(file, analysis.Options{}), All, lint.Options{})
				})
				if err != nil {
					t.Fatal(err)
				}
				for _, d := range list {
					if d.Severity != diag.Info {
						at := d.Position()
						if slices.ContainsFunc(deserved, func(s string) bool {
							return strings.HasSuffix(fmt.Sprintf("%s:%d %s", at.Filename, at.Line, d.Rule), s)
						}) {
							continue
						}
						t.Errorf("%s:%d: %s: %s [%s]", at.Filename, at.Line, d.Severity, d.Message, d.Rule)
					}
				}
			}
		}
	}
	if n.Load() < 50 {
		t.Errorf("only %d scripts were found", n.Load())
	}
}

// TestPages checks that docs/rules is what the rules' documentation says.
func TestPages(t *testing.T) {
	dir := "../../../docs/rules"
	pages := map[string]string{"README.md": lint.IndexPage(All)}
	for _, r := range All {
		pages[r.Name+".md"] = r.Page()
	}
	if *update {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, want := range pages {
		name = filepath.Join(dir, name)
		if *update {
			if err := os.WriteFile(name, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(name)
		if err != nil || string(got) != want {
			t.Errorf("%s is not current; run go test ./internal/lint/rules -run TestPages -update", name)
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.md"))
	for _, name := range files {
		if _, ok := pages[filepath.Base(name)]; !ok {
			t.Errorf("%s is the page of no rule", name)
		}
	}
}
