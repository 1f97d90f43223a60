package render

// This file implements the form that GitHub Actions shows beside the code.

import (
	"fmt"
	"io"
	"strings"

	"github.com/luagen/luagen/internal/diag"
)

// GitHub writes each diagnostic as a workflow command:
//
//	::error file=lua/x.lua,line=7,endLine=7,col=4,endColumn=20,title=rule::what was found
//
// Columns of more than one line are left out, as GitHub takes them for one.
func GitHub(w io.Writer, list []diag.Diagnostic) error {
	var out strings.Builder
	for _, d := range list {
		file, span := d.File.OriginSpan(d.Span)
		start, end := file.Position(span.Start), file.Position(span.End)
		level := map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Info: "notice"}[d.Severity]
		fmt.Fprintf(&out, "::%s file=%s,line=%d,endLine=%d", level, property(file.Name), start.Line, end.Line)
		if start.Line == end.Line {
			fmt.Fprintf(&out, ",col=%d,endColumn=%d", start.Column, end.Column)
		}
		message := d.Message
		if d.Help != "" {
			message += "\n" + d.Help
		}
		fmt.Fprintf(&out, ",title=%s::%s\n", property(d.Rule), commandData.Replace(message))
	}
	_, err := io.WriteString(w, out.String())
	return err
}

var commandData = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")

// property escapes a value of a workflow command.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(commandData.Replace(s))
}
