package analysis_test

// This file holds the analysis against small scripts, one habit each: the
// signature and the diagnostics of every script in testdata/signatures.

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag/render"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
)

var update = flag.Bool("update", false, "rewrite the signatures in testdata")

// TestSignatures reads archives in which every script NAME.lua is followed by
// NAME.sig, what is understood of it. NAME.doc before a script is the Go
// comment above it.
func TestSignatures(t *testing.T) {
	archives, err := filepath.Glob("testdata/signatures/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) { checkArchive(t, path) })
	}
}

func checkArchive(t *testing.T, path string) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	fresh := &txtar.Archive{Comment: archive.Comment}
	want := map[string]string{}
	for _, f := range archive.Files {
		want[f.Name] = string(f.Data)
	}
	for _, f := range archive.Files {
		name, ok := strings.CutSuffix(f.Name, ".lua")
		if !ok {
			if strings.HasSuffix(f.Name, ".doc") {
				fresh.Files = append(fresh.Files, f)
			}
			continue
		}
		got := signature(t, f.Name, string(f.Data), want[name+".doc"])
		fresh.Files = append(fresh.Files, f, txtar.File{Name: name + ".sig", Data: []byte(got)})
		if d := cmp.Diff(want[name+".sig"], got); d != "" && !*update {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	if *update {
		if err := os.WriteFile(path, txtar.Format(fresh), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// signature writes what is understood of a script: one line for each slot, the
// reply, what was given up, and the diagnostics as a terminal shows them.
func signature(t *testing.T, name, text, doc string) string {
	s, diags := analysis.Analyze(source.New(name, text), analysis.Options{Doc: doc})
	var b strings.Builder
	if s != nil {
		for _, k := range s.Keys {
			fmt.Fprintf(&b, "key %s%s (%s)\n", k.Name, dots(k.Variadic), k.From)
		}
		for _, a := range s.Args {
			optional := ""
			if a.Optional {
				optional = "?"
			}
			fmt.Fprintf(&b, "arg %s %s%s%s (%s)%s\n", a.Name, a.Type, optional, dots(a.Variadic), a.From, defaulted(a.TypeFrom))
		}
		fmt.Fprintf(&b, "reply %s\n", s.Reply.Type)
		for _, u := range s.Unknown {
			fmt.Fprintf(&b, "unknown at line %d: %s: %s\n", u.Position.Line, u.What, u.Reason)
		}
	}
	if err := render.Text(&b, diags, false); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func dots(variadic bool) string {
	if variadic {
		return "..."
	}
	return ""
}

func defaulted(from script.TypeFrom) string {
	if from == script.TypeDefault {
		return " by default"
	}
	return ""
}

// TestSignatureRepliesFit runs the same scripts on a server: whatever they
// reply is of the type that was inferred.
func TestSignatureRepliesFit(t *testing.T) {
	c := dial(t)
	archives, err := filepath.Glob("testdata/signatures/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range archives {
		archive, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range archive.Files {
			s, _ := analysis.Analyze(source.New(f.Name, string(f.Data)), analysis.Options{})
			if s == nil || filepath.Ext(f.Name) != ".lua" {
				continue // .sig and .doc, and mistakes in tags
			}
			for seed := range uint64(60) {
				r := rand.New(rand.NewPCG(seed, 3))
				keys := make([]string, len(s.Keys))
				for i := range keys {
					keys[i] = generatedKeys[r.IntN(len(generatedKeys))]
				}
				args := arguments(r, s)
				got := c.eval(t, s.Source, keys, args)
				if _, failed := got.(replyError); !failed && !fits(s.Reply.Type, got) {
					t.Errorf("%s: inferred %s, got %#v with %q and %q", f.Name, s.Reply.Type, got, keys, args)
					break
				}
			}
		}
	}
}
