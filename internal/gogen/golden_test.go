package gogen_test

// This file implements the golden packages: real Go packages under
// testdata/golden, generated from the Lua files beside them. The tests in
// goldentest import and run them.

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luagen/luagen/internal/gogen"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/types"
)

var update = flag.Bool("update", false, "write the golden packages anew")

const goldenFolder = "testdata/golden"

func TestGolden(t *testing.T) {
	for _, folder := range subfolders(t, goldenFolder) {
		t.Run(folder, func(t *testing.T) {
			dir := filepath.Join(goldenFolder, folder)
			files := generate(t, gogen.Package{Name: folder, Scripts: readScripts(t, dir)})
			want := map[string]string{}
			for _, f := range files {
				want[f.Name] = string(f.Source)
			}
			if *update {
				replaceGo(t, dir, want)
			}
			if diff := cmp.Diff(readFolder(t, dir, ".go"), want); diff != "" {
				t.Errorf("the golden package differs, -update writes it anew (- have, + generated):\n%s", diff)
			}
		})
	}
}

// TestGoldenIsClean runs the tools over the golden packages that users run
// over theirs.
func TestGoldenIsClean(t *testing.T) {
	if testing.Short() {
		t.Skip("runs go vet and staticcheck")
	}
	var packages []string
	for _, folder := range subfolders(t, goldenFolder) {
		packages = append(packages, "./"+goldenFolder+"/"+folder)
	}
	run := func(command ...string) {
		command = append(command, packages...)
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", strings.Join(command, " "), err, out)
		}
	}
	run("go", "vet")
	const tools = "-modfile=../../tools/go.mod"
	there := exec.Command("go", "tool", tools, "-n", "staticcheck")
	there.Env = append(there.Environ(), "GOPROXY=off")
	if there.Run() != nil {
		t.Skip("staticcheck is not downloaded: make check does it")
	}
	run("go", "tool", tools, "staticcheck")
}

// TestOrder proves that the order in which scripts come changes nothing.
func TestOrder(t *testing.T) {
	scripts := readScripts(t, filepath.Join(goldenFolder, "names"))
	want := generate(t, gogen.Package{Name: "names", Scripts: scripts})
	slices.Reverse(scripts)
	got := generate(t, gogen.Package{Name: "names", Scripts: scripts})
	for i := range want {
		if got[i].Name != want[i].Name || !bytes.Equal(got[i].Source, want[i].Source) {
			t.Errorf("%s differs when scripts come in another order", want[i].Name)
		}
	}
}

func generate(t *testing.T, pkg gogen.Package) []gogen.File {
	t.Helper()
	files, err := gogen.Generate(pkg)
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func subfolders(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.IsDir() {
			names = append(names, e.Name())
		}
	}
	return names
}

func readFolder(t testing.TB, dir, extension string) map[string]string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*"+extension))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(name)] = string(text)
	}
	return files
}

func replaceGo(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name := range readFolder(t, dir, ".go") {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// readScripts reads the tags of a folder's Lua files, as far as the golden
// packages need them: mistakes are panics here, and what tags do not say is
// not inferred.
func readScripts(t testing.TB, dir string) []*script.Script {
	t.Helper()
	var scripts []*script.Script
	for file, text := range readFolder(t, dir, ".lua") {
		digest := sha1.Sum([]byte(text))
		s := &script.Script{
			Name: script.Exported(strings.TrimSuffix(file, ".lua")), File: "lua/" + file,
			Source: text, SHA1: hex.EncodeToString(digest[:]), Reply: script.Reply{Type: types.Any},
		}
		readTags(t, s)
		s.NameSlots()
		scripts = append(scripts, s)
	}
	return scripts
}

func readTags(t testing.TB, s *script.Script) {
	for line := range strings.Lines(s.Source) {
		if flags, ok := strings.CutPrefix(line, "#!lua flags="); ok {
			s.Flags = strings.Split(strings.TrimSpace(flags), ",")
			continue
		}
		text, ok := strings.CutPrefix(line, "--")
		if !ok {
			break
		}
		text = strings.TrimPrefix(text, " ")
		if tag, isTag := strings.CutPrefix(text, "@"); isTag {
			readTag(t, s, strings.TrimSpace(tag))
			continue
		}
		s.Doc += text
	}
	s.Doc = strings.TrimSpace(s.Doc)
}

func readTag(t testing.TB, s *script.Script, tag string) {
	tag, rest, _ := strings.Cut(tag, " ")
	rest = strings.TrimSpace(rest)
	word, text, _ := strings.Cut(rest, " ")
	text = strings.TrimSpace(text)
	arg := func() *script.Arg {
		return &s.Args[slices.IndexFunc(s.Args, func(a script.Arg) bool { return a.Name == word })]
	}
	switch tag {
	case "key":
		name, variadic := strings.CutSuffix(word, "...")
		s.Keys = append(s.Keys, script.Key{Name: name, Doc: text, From: script.FromTag, Variadic: variadic})
	case "arg":
		slot, n, err := types.ParseSlotPrefix(text)
		if err != nil {
			t.Fatal(s.File, err)
		}
		s.Args = append(s.Args, script.Arg{
			Name: word, Doc: strings.TrimSpace(text[n:]), Type: slot.Type, Optional: slot.Optional, Variadic: slot.Variadic,
		})
	case "return":
		reply, n, err := types.ParsePrefix(rest)
		if err != nil {
			t.Fatal(s.File, err)
		}
		s.Reply.Type, s.Reply.Doc = reply, strings.TrimSpace(rest[n:])
	case "error":
		s.Errors = append(s.Errors, script.ErrorCode{Code: word, Doc: text, Tag: true})
	case "readonly":
		s.Readonly = true
	case "idempotent":
		s.Idempotent = true
	case "go":
		if word == "reply" {
			s.Reply.Go = text
		} else {
			arg().Go = text
		}
	case "empty": // not a tag of luagen: analysis finds it in the code
		arg().EmptyWhenAbsent = true
	case "parallel": // nor is this one
		arg().Parallel = true
	default:
		t.Fatalf("%s: unknown tag @%s", s.File, tag)
	}
}
