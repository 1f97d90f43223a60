package render

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

// sample is one finding behind a character outside the basic plane.
func sample() []diag.Diagnostic {
	file := source.New("lua/a b.lua", "-- x\nlocal s = '𝄞' == nil\n")
	at := source.Pos(strings.Index(file.Text, "== nil"))
	span := source.Span{Start: at, End: at + 6}
	return []diag.Diagnostic{{
		Rule: "some-rule", Severity: diag.Warning, File: file, Span: span, Message: "50% is\nwrong", Help: "mend it",
		Fixes: []diag.Fix{{Message: "do", Edits: []diag.Edit{{Span: span, Text: "~= nil"}}}},
	}}
}

func TestGitHub(t *testing.T) {
	var b strings.Builder
	if err := GitHub(&b, sample()); err != nil {
		t.Fatal(err)
	}
	want := "::warning file=lua/a b.lua,line=2,endLine=2,col=18,endColumn=24,title=some-rule::50%25 is%0Awrong%0Amend it\n"
	if b.String() != want {
		t.Errorf("got  %swant %s", b.String(), want)
	}
}

func TestSARIF(t *testing.T) {
	var b strings.Builder
	rules := []SARIFRule{{ID: "other"}, {ID: "some-rule", Summary: "sum", Help: "# help"}}
	if err := SARIF(&b, sample(), rules, "v1"); err != nil {
		t.Fatal(err)
	}
	var log sarifLog
	if err := json.Unmarshal([]byte(b.String()), &log); err != nil {
		t.Fatal(err)
	}
	r := log.Runs[0].Results[0]
	place := r.Locations[0].Physical
	// The clef is two UTF-16 code units and four bytes.
	if place.Region != (sarifRegion{2, 16, 2, 22}) || place.Artifact.URI != "lua/a%20b.lua" || *r.RuleIndex != 1 || r.Level != "warning" {
		t.Errorf("got %s", b.String())
	}
	if f := r.Fixes[0].Changes[0].Replacements[0]; f.Deleted != place.Region || f.Inserted.Text != "~= nil" {
		t.Errorf("the fix is %+v", f)
	}
	b.Reset()
	if err := SARIF(&b, nil, nil, ""); err != nil || !strings.Contains(b.String(), `"results": []`) || !strings.Contains(b.String(), `"rules": []`) {
		t.Errorf("without findings it is %s", b.String())
	}
}
