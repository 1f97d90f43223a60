package render

// This file implements SARIF 2.1.0, which code scanning reads.

import (
	"encoding/json"
	"io"
	"net/url"
	"strings"

	"github.com/luagen/luagen/internal/diag"
)

// SARIFRule is what SARIF says of a rule.
type SARIFRule struct {
	ID       string
	Severity diag.Severity
	Summary  string // one line
	Help     string // Markdown
	URI      string // of its page; may be empty
	Tags     []string
}

// The parts of SARIF that are written; names are those of the standard.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		Version        string      `json:"version,omitempty"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID               string          `json:"id"`
		ShortDescription sarifText       `json:"shortDescription"`
		FullDescription  sarifText       `json:"fullDescription"`
		Help             sarifMarkdown   `json:"help"`
		HelpURI          string          `json:"helpUri,omitempty"`
		Default          sarifLevel      `json:"defaultConfiguration"`
		Properties       sarifProperties `json:"properties"`
	}
	sarifLevel struct {
		Level string `json:"level"`
	}
	sarifProperties struct {
		Tags []string `json:"tags"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifMarkdown struct {
		Text     string `json:"text"`
		Markdown string `json:"markdown"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex *int            `json:"ruleIndex,omitempty"`
		Level     string          `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
		Related   []sarifLocation `json:"relatedLocations,omitempty"`
		Fixes     []sarifFix      `json:"fixes,omitempty"`
	}
	sarifLocation struct {
		Physical sarifPhysical `json:"physicalLocation"`
		Message  *sarifText    `json:"message,omitempty"`
	}
	sarifPhysical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   sarifRegion   `json:"region"`
	}
	sarifArtifact struct {
		URI string `json:"uri"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn"`
		EndLine     int `json:"endLine"`
		EndColumn   int `json:"endColumn"`
	}
	sarifFix struct {
		Description sarifText     `json:"description"`
		Changes     []sarifChange `json:"artifactChanges"`
	}
	sarifChange struct {
		Artifact     sarifArtifact      `json:"artifactLocation"`
		Replacements []sarifReplacement `json:"replacements"`
	}
	sarifReplacement struct {
		Deleted  sarifRegion `json:"deletedRegion"`
		Inserted sarifText   `json:"insertedContent"`
	}
)

// SARIF writes a log of one run, with all rules and their help. Columns count
// UTF-16 code units, as the standard wants; ends are exclusive.
func SARIF(w io.Writer, list []diag.Diagnostic, rules []SARIFRule, version string) error {
	run := sarifRun{ColumnKind: "utf16CodeUnits", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: "luagen", Version: version, InformationURI: "https://github.com/luagen/luagen", Rules: []sarifRule{}}
	index := map[string]int{}
	for i, r := range rules {
		index[r.ID] = i
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRule{
			ID: r.ID, ShortDescription: sarifText{r.Summary}, FullDescription: sarifText{r.Summary},
			Help: sarifMarkdown{r.Summary, r.Help}, HelpURI: r.URI, Default: sarifLevel{sarifLevelOf(r.Severity)}, Properties: sarifProperties{r.Tags},
		})
	}
	for _, d := range list {
		result := sarifResult{RuleID: d.Rule, Level: sarifLevelOf(d.Severity), Message: sarifText{d.Message}}
		if i, ok := index[d.Rule]; ok {
			result.RuleIndex = &i
		}
		if d.Help != "" {
			result.Message.Text += "; " + d.Help
		}
		result.Locations = []sarifLocation{{Physical: sarifPlace(&d, diag.Edit{Span: d.Span})}}
		for _, n := range d.Notes {
			note := diag.Diagnostic{File: n.File}
			result.Related = append(result.Related, sarifLocation{sarifPlace(&note, diag.Edit{Span: n.Span}), &sarifText{n.Message}})
		}
		for _, f := range d.Fixes {
			fix := sarifFix{Description: sarifText{f.Message}}
			for _, e := range f.Edits {
				at := sarifPlace(&d, e)
				fix.Changes = append(fix.Changes, sarifChange{at.Artifact, []sarifReplacement{{at.Region, sarifText{e.Text}}}})
			}
			result.Fixes = append(result.Fixes, fix)
		}
		run.Results = append(run.Results, result)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(sarifLog{
		Schema:  "https://json.schemastore.org/sarif-2.1.0.json",
		Version: "2.1.0", Runs: []sarifRun{run},
	})
}

func sarifLevelOf(s diag.Severity) string {
	switch s {
	case diag.Error:
		return "error"
	case diag.Warning:
		return "warning"
	}
	return "note"
}

// sarifPlace is where the author wrote the span of an edit in d's file.
func sarifPlace(d *diag.Diagnostic, e diag.Edit) sarifPhysical {
	file, span := d.File.OriginSpan(e.Span)
	start, end := file.Position(span.Start), file.Position(span.End)
	column := func(line, bytes int) int {
		text := file.Slice(file.LineSpan(line))
		return utf16Len(text[:min(bytes-1, len(text))]) + 1
	}
	return sarifPhysical{
		Artifact: sarifArtifact{(&url.URL{Path: strings.TrimPrefix(file.Name, "./")}).String()},
		Region:   sarifRegion{start.Line, column(start.Line, start.Column), end.Line, column(end.Line, end.Column)},
	}
}

// utf16Len counts the UTF-16 code units of a text.
func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		if n++; r > 0xFFFF {
			n++
		}
	}
	return n
}
