package coverage

// This file implements what counts mean for the files that the author wrote.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/luagen/luagen/internal/source"
)

// Script is a script that counts may be about.
type Script struct {
	SHA1     string
	File     *source.File // its text, which knows the author's files
	Points   []Point
	Comments []source.Span
}

// Report is what the counts say of the files that scripts are made of.
type Report struct {
	Files   []*File  // sorted by name
	Unknown []string // digests, sorted, that the profile has and no script
}

// File is one file that the author wrote: a script, or a part that scripts
// include, whose counts are those of all of them together.
type File struct {
	Source   *source.File
	Lines    []Line   // those on which a statement begins, in order
	Branches []Branch // in order

	counts   map[Point]uint64
	comments []source.Span
}

// Line is a line on which a statement begins.
type Line struct {
	Number int
	Count  uint64 // how often its statement ran that ran most
}

// Branch is a decision with two outcomes.
type Branch struct {
	Span     source.Span // the condition, or the operator "and" or "or" with both sides
	Operator bool
	Outcomes [2]uint64 // of a condition: held, did not hold; of an operator: right side evaluated, not evaluated
}

// Missing says which outcomes never came; empty when both did.
func (b Branch) Missing() string {
	words := [2]string{"was never true", "was never false"}
	if b.Operator {
		words = [2]string{"the right side was never evaluated", "the left side never decided alone"}
	}
	switch {
	case b.Outcomes[0] == 0 && b.Outcomes[1] == 0:
		return "was never evaluated"
	case b.Outcomes[0] == 0:
		return words[0]
	case b.Outcomes[1] == 0:
		return words[1]
	}
	return ""
}

// Share is how much of something was covered.
type Share struct{ Covered, Total int }

// Percent returns 100 when there is nothing to cover.
func (s Share) Percent() float64 {
	if s.Total == 0 {
		return 100
	}
	return 100 * float64(s.Covered) / float64(s.Total)
}

// String returns the percentage with one digit behind the point; it is 100.0%
// only if all is covered, and - when there is nothing to cover.
func (s Share) String() string {
	if s.Total == 0 {
		return "-"
	}
	percent := s.Percent()
	if s.Covered < s.Total {
		percent = min(percent, 99.9)
	}
	return fmt.Sprintf("%.1f%%", percent)
}

func (s Share) plus(o Share) Share { return Share{s.Covered + o.Covered, s.Total + o.Total} }

// LineShare counts lines.
func (f *File) LineShare() Share {
	s := Share{Total: len(f.Lines)}
	for _, l := range f.Lines {
		if l.Count > 0 {
			s.Covered++
		}
	}
	return s
}

// BranchShare counts outcomes of branches.
func (f *File) BranchShare() Share {
	s := Share{Total: 2 * len(f.Branches)}
	for _, b := range f.Branches {
		for _, n := range b.Outcomes {
			if n > 0 {
				s.Covered++
			}
		}
	}
	return s
}

// Shares adds up those of all files.
func (r *Report) Shares() (lines, branches Share) {
	for _, f := range r.Files {
		lines, branches = lines.plus(f.LineShare()), branches.plus(f.BranchShare())
	}
	return lines, branches
}

// NewReport says what a profile means for scripts. A profile's points that a
// script does not have are passed over.
func NewReport(scripts []Script, p Profile) *Report {
	files := map[string]*File{}
	known := map[string]bool{}
	for _, s := range scripts {
		known[s.SHA1] = true
		for _, at := range s.Points {
			author, span := s.File.OriginSpan(at.Span)
			f := files[author.Name]
			if f == nil {
				f = &File{Source: author, counts: map[Point]uint64{}}
				files[author.Name] = f
			}
			f.counts[Point{at.Kind, span}] += p[s.SHA1][at]
		}
		for _, c := range s.Comments {
			author, span := s.File.OriginSpan(c)
			if f := files[author.Name]; f != nil {
				f.comments = append(f.comments, span)
			}
		}
	}
	r := &Report{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		files[name].settle()
		r.Files = append(r.Files, files[name])
	}
	for _, sha1 := range slices.Sorted(maps.Keys(p)) {
		if !known[sha1] {
			r.Unknown = append(r.Unknown, sha1)
		}
	}
	return r
}

// settle makes lines and branches of the counts.
func (f *File) settle() {
	lines := map[int]uint64{}
	type decision struct {
		span     source.Span
		operator bool // the same span may be a condition too
	}
	branches := map[decision]*Branch{}
	for at, n := range f.counts {
		if at.Kind == Statement {
			line := f.Source.Line(at.Span.Start)
			lines[line] = max(lines[line], n)
			continue
		}
		operator := at.Kind == Right || at.Kind == Left
		b := branches[decision{at.Span, operator}]
		if b == nil {
			b = &Branch{Span: at.Span, Operator: operator}
			branches[decision{at.Span, operator}] = b
		}
		if at.Kind == True || at.Kind == Right {
			b.Outcomes[0] = n
		} else {
			b.Outcomes[1] = n
		}
	}
	for _, number := range slices.Sorted(maps.Keys(lines)) {
		f.Lines = append(f.Lines, Line{number, lines[number]})
	}
	for _, b := range branches {
		f.Branches = append(f.Branches, *b)
	}
	slices.SortFunc(f.Branches, func(a, b Branch) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(b.Span.End, a.Span.End), order(a.Operator, b.Operator))
	})
}

// order puts false in front of true.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// NotRun returns the lines that never ran, as first and last of each stretch
// between lines that did.
func (f *File) NotRun() [][2]int {
	var stretches [][2]int
	open := false
	for _, l := range f.Lines {
		switch {
		case l.Count > 0:
			open = false
		case open:
			stretches[len(stretches)-1][1] = l.Number
		default:
			stretches, open = append(stretches, [2]int{l.Number, l.Number}), true
		}
	}
	return stretches
}
