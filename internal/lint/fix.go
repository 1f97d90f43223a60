package lint

// This file implements the application of fixes.

import (
	"cmp"
	"slices"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

// Fixes returns the new text of each file that the first fix of some
// diagnostics changes, and how many were applied. Where two fixes touch, only
// the first is applied; another run does the other.
func Fixes(list []diag.Diagnostic) (texts map[*source.File]string, applied int) {
	edits := map[*source.File][]diag.Edit{}
	for _, d := range list {
		if len(d.Fixes) == 0 {
			continue
		}
		file, own := originEdits(d.File, d.Fixes[0].Edits)
		if file == nil || overlaps(edits[file], own) {
			continue
		}
		edits[file] = append(edits[file], own...)
		applied++
	}
	texts = map[*source.File]string{}
	for file, list := range edits {
		slices.SortFunc(list, func(a, b diag.Edit) int { return cmp.Compare(b.Span.Start, a.Span.Start) })
		text := file.Text
		for _, e := range list {
			text = text[:e.Span.Start] + e.Text + text[e.Span.End:]
		}
		texts[file] = text
	}
	return texts, applied
}

// originEdits places edits in the file that the author wrote; nil when they are
// in several, or in none that can be edited.
func originEdits(file *source.File, edits []diag.Edit) (*source.File, []diag.Edit) {
	var at *source.File
	var own []diag.Edit
	for _, e := range edits {
		f, span := file.OriginSpan(e.Span)
		if at != nil && f != at || f.Slice(span) != file.Slice(e.Span) {
			return nil, nil
		}
		at = f
		own = append(own, diag.Edit{Span: span, Text: e.Text})
	}
	return at, own
}

// overlaps tells whether edits touch others.
func overlaps(have, more []diag.Edit) bool {
	for _, a := range have {
		for _, b := range more {
			if a.Span.Start <= b.Span.End && b.Span.Start <= a.Span.End {
				return true
			}
		}
	}
	return false
}
