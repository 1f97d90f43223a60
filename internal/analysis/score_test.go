package analysis_test

// This file scores the analysis against sample scripts whose signatures people
// wrote down: testdata/scripts/truth.json.

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/types"
)

type truth struct {
	Scripts []truthScript
}

type truthScript struct {
	File       string
	GoName     string `json:"go_name"`
	SHA1       string
	Convention string
	Keys       []struct {
		Names    []string
		Variadic bool
	}
	Args []struct {
		Names    []string
		Types    []string
		Optional *bool
		Variadic bool
	}
	Reply struct {
		Types     []string
		Inferable bool
	}
	Readonly, Idempotent bool
	Writes               bool
	Commands             []string
	ErrorCodes           []string `json:"error_codes"`
}

// tally counts the right ones of a field.
type tally struct{ right, all, wrong int }

func (t tally) percent() float64 {
	if t.all == 0 {
		return 100
	}
	return 100 * float64(t.right) / float64(t.all)
}

func TestScore(t *testing.T) {
	data, err := os.ReadFile("testdata/scripts/truth.json")
	if err != nil {
		t.Fatal(err)
	}
	var tr truth
	if err := json.Unmarshal(data, &tr); err != nil {
		t.Fatal(err)
	}
	var names, argTypes, replies, facts tally
	for _, want := range tr.Scripts {
		s := load(t, want.File)
		if s == nil {
			continue
		}
		miss := func(c *tally, ok bool, format string, args ...any) {
			c.all++
			if ok {
				c.right++
			} else {
				t.Logf("%s (%s): %s", want.File, want.Convention, fmt.Sprintf(format, args...))
			}
		}
		miss(&facts, s.Name == want.GoName, "name %s, want %s", s.Name, want.GoName)
		miss(&facts, want.SHA1 == "" || s.SHA1 == want.SHA1, "digest")
		miss(&facts, slices.Equal(s.Commands, want.Commands), "commands %v, want %v", s.Commands, want.Commands)
		miss(&facts, s.Writes == want.Writes, "writes %v", s.Writes)
		miss(&facts, slices.Equal(codes(s), want.ErrorCodes), "errors %v, want %v", codes(s), want.ErrorCodes)
		for i, k := range want.Keys {
			if i >= len(s.Keys) {
				miss(&names, false, "key %d of %v is missing", i+1, k.Names)
				continue
			}
			g := s.Keys[i]
			miss(&names, named(g.Name, k.Names) && g.Variadic == k.Variadic, "key %d is %s %v, want %v %v", i+1, g.Name, g.Variadic, k.Names, k.Variadic)
		}
		for i, k := range want.Args {
			if i >= len(s.Args) {
				miss(&names, false, "argument %d of %v is missing", i+1, k.Names)
				continue
			}
			g := s.Args[i]
			miss(&names, named(g.Name, k.Names) && g.Variadic == k.Variadic && (k.Optional == nil || g.Optional == *k.Optional),
				"argument %d is %s variadic %v optional %v, want %v", i+1, g.Name, g.Variadic, g.Optional, k)
			ok := typed(g.Type, k.Types)
			miss(&argTypes, ok, "argument %s is %s, want %v", g.Name, g.Type, k.Types)
			if !ok && g.Type != types.String {
				argTypes.wrong++
			}
		}
		miss(&names, len(s.Keys) == len(want.Keys) && len(s.Args) == len(want.Args), "%d keys and %d arguments, want %d and %d",
			len(s.Keys), len(s.Args), len(want.Keys), len(want.Args))
		ok := typed(s.Reply.Type, want.Reply.Types)
		if want.Reply.Inferable || want.Convention == "tags" {
			miss(&replies, ok, "reply is %s, want %v", s.Reply.Type, want.Reply.Types)
		}
		if !ok && s.Reply.From != script.TypeDefault {
			replies.wrong++
			t.Logf("%s (%s): WRONG reply %s, want %v", want.File, want.Convention, s.Reply.Type, want.Reply.Types)
		}
	}
	report := func(what string, c tally, least float64) {
		fmt.Printf("%-15s %5.1f %%  (%d of %d, %d wrong)\n", what, c.percent(), c.right, c.all, c.wrong)
		if c.percent() < least || c.wrong > 0 {
			t.Errorf("%s: %.1f %% right and %d wrong, want at least %.0f %% and none", what, c.percent(), c.wrong, least)
		}
	}
	report("names", names, 95)
	report("argument types", argTypes, 95)
	report("replies", replies, 95)
	report("other facts", facts, 100)
}

func codes(s *script.Script) []string {
	r := []string{}
	for _, e := range s.Errors {
		r = append(r, e.Code)
	}
	return r
}

func named(got string, good []string) bool {
	flat := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, "_", "")) }
	return slices.ContainsFunc(good, func(g string) bool { return flat(g) == flat(got) })
}

// typed compares types as the truth does: blanks and the order of members
// aside, and a field _ has any name.
func typed(got types.Type, good []string) bool {
	if got == nil {
		return false
	}
	for _, g := range good {
		if canonical(got.String(), strings.Contains(g, "_:")) == canonical(g, strings.Contains(g, "_:")) {
			return true
		}
	}
	return false
}

var (
	fieldName = regexp.MustCompile(`([{,])\w+:`)
	enumBody  = regexp.MustCompile(`enum\(([^)]*)\)`)
)

func canonical(s string, anonymous bool) string {
	s = strings.ReplaceAll(s, " ", "")
	if anonymous {
		s = fieldName.ReplaceAllString(s, "${1}_:")
	}
	s = enumBody.ReplaceAllStringFunc(s, func(e string) string {
		parts := strings.Split(enumBody.FindStringSubmatch(e)[1], ",")
		sort.Strings(parts)
		return "enum(" + strings.Join(parts, ",") + ")"
	})
	if strings.Contains(s, "|") && !strings.ContainsAny(s, "{[") {
		optional := strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")?")
		parts := strings.Split(strings.TrimSuffix(strings.Trim(s, "()"), ")?"), "|")
		sort.Strings(parts)
		s = strings.Join(parts, "|")
		if optional {
			s = "(" + s + ")?"
		}
	}
	return s
}

func load(t *testing.T, name string) *script.Script {
	t.Helper()
	text := bundle(t, filepath.Join("testdata/scripts", name), map[string]bool{})
	normal, _, _ := source.Normalize(text)
	s, diags := analysis.Analyze(source.New(name, normal), analysis.Options{})
	for _, d := range diags {
		t.Logf("%s:%d:%d: %s: %s", name, d.Position().Line, d.Position().Column, d.Severity, d.Message)
	}
	if s == nil {
		t.Errorf("%s: no script", name)
	}
	return s
}

var (
	includeOnce = regexp.MustCompile(`(?m)^--- @include "([^"]+)"\n`)
	includeText = regexp.MustCompile(`(?m)^-- \$include\(([^)]+)\)\n`)
)

// bundle is a stand-in for the project's includes: enough for the samples.
func bundle(t *testing.T, file string, seen map[string]bool) string {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Dir(file)
	text := includeOnce.ReplaceAllStringFunc(string(data), func(m string) string {
		path := filepath.Join(dir, includeOnce.FindStringSubmatch(m)[1])
		if filepath.Ext(path) == "" {
			path += ".lua"
		}
		if seen[path] {
			return ""
		}
		seen[path] = true
		return bundle(t, path, seen)
	})
	return includeText.ReplaceAllStringFunc(text, func(m string) string {
		return bundle(t, filepath.Join(dir, includeText.FindStringSubmatch(m)[1]), seen)
	})
}
