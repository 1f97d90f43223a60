package goldentest

// This file implements the test of the whole way, from scripts as people write
// them to typed calls on a server: the scripts with known answers are
// generated, and a program that is compiled with the result makes their calls.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/redistest"
)

const (
	knownScripts = "../../analysis/testdata/scripts"
	called       = "testdata/called" // the program; what it is compiled with is laid over its folder
)

func TestScriptsWithKnownAnswers(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles some eighty wrappers")
	}
	server := redistest.Start(t)
	dir := t.TempDir()
	luagen := filepath.Join(dir, "luagen")
	run(t, ".", "go", "build", "-o", luagen, "github.com/luagen/luagen/cmd/luagen")
	if err := os.CopyFS(filepath.Join(dir, "lua"), os.DirFS(knownScripts)); err != nil {
		t.Fatal(err)
	}
	run(t, dir, luagen, "generate")
	list := filepath.Join(dir, "list.json")
	if err := os.WriteFile(list, run(t, dir, luagen, "list", "--format", "json"), 0o644); err != nil {
		t.Fatal(err)
	}
	truth, err := filepath.Abs(filepath.Join(knownScripts, "truth.json"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("CALLED_LIST", list)
	t.Setenv("CALLED_TRUTH", truth)
	t.Setenv("CALLED_REDIS", server.Addr)
	run(t, ".", "go", "test", "-count=1", "-vet=off", "-overlay="+overlay(t, dir), "./"+called)
}

// overlay returns a file that lays the generated packages over the program's
// folder, with a table of them.
func overlay(t *testing.T, dir string) string {
	t.Helper()
	base, err := filepath.Abs(called)
	if err != nil {
		t.Fatal(err)
	}
	replace := map[string]string{}
	var folders []string
	generated := filepath.Join(dir, "generated")
	err = filepath.WalkDir(generated, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(generated, name)
		switch {
		case err != nil || rel == ".":
			return err
		case entry.IsDir():
			folders = append(folders, filepath.ToSlash(rel))
		default:
			replace[filepath.Join(base, "generated", rel)] = name
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	table := filepath.Join(dir, "packages_test.go")
	replace[filepath.Join(base, "packages_test.go")] = table
	if err := os.WriteFile(table, packageTable(folders), 0o644); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// packageTable returns a Go file that maps folders to what their New returns.
func packageTable(folders []string) []byte {
	var imports, entries strings.Builder
	for i, folder := range folders {
		fmt.Fprintf(&imports, "\tp%d \"github.com/luagen/luagen/internal/gogen/goldentest/%s/generated/%s\"\n", i, called, folder)
		fmt.Fprintf(&entries, "\t%q: func(c redislua.Client) any { return p%d.New(c) },\n", folder, i)
	}
	return fmt.Appendf(nil, "package called\n\nimport (\n%s\n\t\"github.com/luagen/luagen/redislua\"\n)\n\nvar packages = map[string]func(redislua.Client) any{\n%s}\n",
		imports.String(), entries.String())
}

// run runs a command, which must succeed, and returns its output.
func run(t *testing.T, dir, name string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out.Bytes(), errs.Bytes())
	}
	return out.Bytes()
}
