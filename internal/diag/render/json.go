package render

// This file implements the JSON form, a contract that other tools read.

import (
	"encoding/json"
	"io"

	"github.com/luagen/luagen/internal/diag"
)

// JSON writes one object on one line:
//
//	{"diagnostics":[{"rule":"syntax","severity":"error","file":"lua/x.lua",
//	  "line":7,"column":4,"endLine":7,"endColumn":20,"message":"…"}]}
//
// The end is exclusive, as in SARIF: column 4 to endColumn 20 are 16 bytes, and
// an empty span ends where it starts. Without diagnostics the list is empty.
func JSON(w io.Writer, list []diag.Diagnostic) error {
	type diagnostic struct {
		Rule      string `json:"rule"`
		Severity  string `json:"severity"`
		File      string `json:"file"`
		Line      int    `json:"line"`
		Column    int    `json:"column"`
		EndLine   int    `json:"endLine"`
		EndColumn int    `json:"endColumn"`
		Message   string `json:"message"`
	}
	report := struct {
		Diagnostics []diagnostic `json:"diagnostics"`
	}{make([]diagnostic, len(list))}
	for i, d := range list {
		file, span := d.File.OriginSpan(d.Span)
		start, end := file.Position(span.Start), file.Position(span.End)
		report.Diagnostics[i] = diagnostic{
			Rule: d.Rule, Severity: d.Severity.String(), File: file.Name,
			Line: start.Line, Column: start.Column, EndLine: end.Line, EndColumn: end.Column,
			Message: d.Message,
		}
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(report)
}
