package project

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
)

// named stands for the analysis: the name of a script and no more.
func named(file *source.File, _ analysis.Options) (*script.Script, []diag.Diagnostic) {
	name := strings.TrimSuffix(filepath.Base(file.Name), ".lua")
	return &script.Script{Name: script.Exported(name), Source: file.Text}, nil
}

// loaded lists the scripts of a set.
func loaded(set *Set) []string {
	var list []string
	for _, pkg := range set.Packages {
		for _, s := range pkg.Scripts {
			list = append(list, fmt.Sprintf("%s in %s as %s from %s", s.Name, pkg.Out, pkg.Name, s.Source.Name))
		}
	}
	return list
}

func TestLoad(t *testing.T) {
	newProject(t, map[string]string{
		"lua/b.lua":              "return 1",
		"lua/a.lua":              "return 1",
		"lua/_part.lua":          "return 1",
		"lua/_parts/x.lua":       "return 1",
		"lua/notes.txt":          "",
		"lua/queue/push.lua":     "return 1",
		"lua/queue/lib/list.lua": "return 1",
		"lua/queue/x/deep.lua":   "return 1",
		"lua/.git/hidden.lua":    "return 1",
		"lua/empty/readme":       "",
	})
	const (
		a    = "A in generated as generated from lua/a.lua"
		b    = "B in generated as generated from lua/b.lua"
		push = "Push in generated/queue as queue from lua/queue/push.lua"
		deep = "Deep in generated/queue/x as x from lua/queue/x/deep.lua"
	)
	for _, test := range []struct {
		paths    string
		scripts  []string
		packages []string // their scripts
	}{
		{"", []string{a, b, push, deep}, []string{a, b, push, deep}},
		{"lua/a.lua", []string{a}, []string{a, b}},
		{"./lua/queue", []string{push, deep}, []string{push, deep}},
		{"lua/queue/x lua/a.lua", []string{a, deep}, []string{a, b, deep}},
		{"lua/queue/push.lua .", []string{a, b, push, deep}, []string{a, b, push, deep}},
	} {
		t.Run(test.paths, func(t *testing.T) {
			projects, diags, err := Open(strings.Fields(test.paths)...)
			if err != nil || len(diags) != 0 || len(projects) != 1 {
				t.Fatalf("%d projects, %d diagnostics, error %v", len(projects), len(diags), err)
			}
			for packages, want := range map[bool][]string{false: test.scripts, true: test.packages} {
				set, err := projects[0].load(named, packages)
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(want, loaded(set)); diff != "" {
					t.Errorf("scripts, whole packages %t (-want +got):\n%s", packages, diff)
				}
			}
		})
	}
}

// TestLoadFault asks that a panic in one of the workers reaches whoever called
// Load, with the name of the file.
func TestLoadFault(t *testing.T) {
	p := newProject(t, map[string]string{"lua/a.lua": "", "lua/b.lua": "", "lua/c.lua": ""})
	defer func() {
		if fault := fmt.Sprint(recover()); !strings.HasPrefix(fault, "lua/b.lua: out of luck") {
			t.Errorf("panic %q", fault)
		}
	}()
	_, _ = p.load(func(file *source.File, o analysis.Options) (*script.Script, []diag.Diagnostic) {
		if file.Name == "lua/b.lua" {
			panic("out of luck")
		}
		return named(file, o)
	}, false)
	t.Error("no panic")
}

func TestPackageName(t *testing.T) {
	for folder, want := range map[string]string{
		"queue":      "queue",
		"Move-Queue": "movequeue",
		"9lives":     "p9lives",
		"type":       "typescripts",
		"main":       "mainscripts",
		"größe":      "gre",
		"очередь":    "scripts",
	} {
		if got := PackageName(folder); got != want || !validPackage(got) {
			t.Errorf("PackageName(%q) = %q, want %q", folder, got, want)
		}
	}
}

func TestMirror(t *testing.T) {
	for folder, want := range map[string]string{
		"":               "",
		"a/b-c":          "a/b-c",
		"move to/x~y":    "moveto/xy",
		"internal/a":     "internalscripts/a",
		"очередь/vendor": "scripts/vendorscripts",
		"..hidden./a":    "hidden/a",
	} {
		if got := mirror(folder); got != want {
			t.Errorf("mirror(%q) = %q, want %q", folder, got, want)
		}
	}
}
