package analysis_test

import (
	"testing"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/types"
)

// FuzzAnalyze looks for texts that panic, and for models that nothing could be
// generated from.
func FuzzAnalyze(f *testing.F) {
	for _, s := range samples(f) {
		f.Add(s.Text)
	}
	for seed := range uint64(50) {
		f.Add(generate(seed))
	}
	f.Fuzz(func(t *testing.T, text string) {
		text, _, _ = source.Normalize(text)
		s, diags := analysis.Analyze(source.New("fuzz.lua", text), analysis.Options{})
		if (s == nil) != diag.HasErrors(diags) {
			t.Fatalf("script %v with %v", s, diags)
		}
		if s == nil {
			return
		}
		names := map[string]bool{}
		for _, k := range s.Keys {
			names[k.Name] = true
		}
		for _, a := range s.Args {
			names[a.Name] = true
			slot := types.Slot{Type: a.Type, Optional: a.Optional, Variadic: a.Variadic}
			if _, err := types.ParseSlot(slot.String()); err != nil {
				t.Errorf("argument %s: %v in %s", a.Name, err, slot)
			}
		}
		if len(names) != len(s.Keys)+len(s.Args) || names[""] {
			t.Errorf("names are not unique: %v", names)
		}
		if _, err := types.Parse(s.Reply.Type.String()); err != nil {
			t.Errorf("reply: %v in %s", err, s.Reply.Type)
		}
	})
}
