package gogen_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/gogen"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/types"
)

func TestClash(t *testing.T) {
	_, err := gogen.Generate(gogen.Package{Name: "p", Scripts: []*script.Script{
		{Name: "JobID", File: "lua/job_id.lua"}, {Name: "JobID", File: "lua/job-id.lua"}, {Name: "Other", File: "lua/other.lua"},
	}})
	var clash *gogen.ClashError
	if !errors.As(err, &clash) || clash.Name != "JobID" || clash.First.File != "lua/job-id.lua" || clash.Second.File != "lua/job_id.lua" {
		t.Errorf("got %v, want a ClashError about JobID", err)
	}
}

func TestScriptErrors(t *testing.T) {
	arg := func(a script.Arg) *script.Script { return &script.Script{Name: "X", Args: []script.Arg{a}} }
	reply := func(typ types.Type) *script.Script { return &script.Script{Name: "X", Reply: script.Reply{Type: typ}} }
	pair := &types.Tuple{Fields: []types.Field{{Name: "a", Type: types.Int}}}
	for want, s := range map[string]*script.Script{
		"is the method that sends a pipeline": {Name: "Exec"},
		`"" is no exported Go name`:           {},
		`"lower" is no exported Go name`:      {Name: "lower"},
		"any cannot be an argument":           arg(script.Arg{Name: "a", Type: types.Any}),
		"int[] cannot be an argument":         arg(script.Arg{Name: "a", Type: &types.List{Elem: types.Int}}),
		"{a: int} cannot be an argument":      arg(script.Arg{Name: "a", Type: pair}),
		"none cannot be an argument":          arg(script.Arg{Name: "a"}),
		`a: "x" is no Go type`:                arg(script.Arg{Name: "a", Type: types.String, Go: "x"}),
		"@go is for strings and integers":     arg(script.Arg{Name: "a", Type: pair, Variadic: true, Go: "a/b.C"}),
		"it takes the rest of ARGV":           {Name: "X", Args: []script.Arg{{Name: "a", Type: types.Int, Variadic: true}, {Name: "b", Type: types.Int}}},
		"json cannot be the key of a Go map":  reply(&types.Map{Key: &types.Encoded{}, Value: types.Int}),
		`reply: "C.X" is no Go type`:          reply(&types.Encoded{Go: "C.X"}),
	} {
		_, err := gogen.Generate(gogen.Package{Name: "p", Scripts: []*script.Script{s}})
		var unusable *gogen.ScriptError
		if !errors.As(err, &unusable) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want a ScriptError that says %q", err, want)
		}
	}
}

func TestPackageName(t *testing.T) {
	for _, name := range []string{"", "_", "a-b", "type", "x;y", "a b"} {
		if _, err := gogen.Generate(gogen.Package{Name: name}); err == nil {
			t.Errorf("a package may be called %q", name)
		}
	}
}
