package coverage

// This file implements the page that shows source in the colours of its counts.

import (
	"fmt"
	"html/template"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	_ "embed" // the page is a file

	"github.com/luagen/luagen/internal/source"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// The shapes of the page.
type (
	pageView struct {
		Lines, Branches Share
		Files           []fileView
		Unknown         int
	}
	fileView struct {
		ID, Name        string
		Lines, Branches Share
		Source          []lineView
	}
	lineView struct {
		Number int
		Count  string // empty on a line where no statement begins
		Class  string
		Parts  []part
	}
	part struct{ Text, Class, Title string }
)

// HTML writes the report as one page that needs no other file and no network.
func (r *Report) HTML(w io.Writer) error {
	view := pageView{Unknown: len(r.Unknown)}
	view.Lines, view.Branches = r.Shares()
	for i, f := range r.Files {
		view.Files = append(view.Files, fileView{
			ID: fmt.Sprintf("file%d", i+1), Name: f.Source.Name,
			Lines: f.LineShare(), Branches: f.BranchShare(), Source: f.view(),
		})
	}
	return page.Execute(w, view)
}

// Level returns the class of a bar: how good a share is.
func (s Share) Level() string {
	switch p := s.Percent(); {
	case s.Covered == s.Total:
		return "full"
	case p >= 75:
		return "good"
	case p >= 50:
		return "fair"
	}
	return "poor"
}

// view cuts the file into lines, and lines into parts of one colour.
func (f *File) view() []lineView {
	paint := f.paint()
	counts := map[int]uint64{}
	for _, l := range f.Lines {
		counts[l.Number] = l.Count
	}
	partial := map[int]bool{}
	for _, b := range f.Branches {
		if b.Missing() != "" {
			partial[f.Source.Line(b.Span.Start)] = true
		}
	}
	views := make([]lineView, f.Source.Lines())
	for i := range views {
		span := f.Source.LineSpan(i + 1)
		v := lineView{Number: i + 1}
		if n, ok := counts[i+1]; ok {
			v.Count = fmt.Sprint(n)
			switch {
			case n == 0:
				v.Class = "no"
			case partial[i+1]:
				v.Class = "some"
			default:
				v.Class = "yes"
			}
		}
		for at := span.Start; at < span.End; {
			end := at + 1
			for end < span.End && paint[end] == paint[at] {
				end++
			}
			v.Parts = append(v.Parts, paint[at].part(f.Source.Slice(source.Span{Start: at, End: end})))
			at = end
		}
		if v.Class == "" && neverRan(v.Parts) {
			v.Class = "no" // the rest of a statement that began further up
		}
		views[i] = v
	}
	if last := len(views) - 1; last > 0 && f.Source.LineSpan(last+1).Start == source.Pos(len(f.Source.Text)) {
		views = views[:last] // what is behind the last line break is no line
	}
	return views
}

// neverRan tells whether what is to be seen of a line is of statements that
// never ran.
func neverRan(parts []part) bool {
	found := false
	for _, p := range parts {
		if strings.TrimSpace(p.Text) == "" || p.Class == "" {
			continue
		}
		if p.Class != "c0" {
			return false
		}
		found = true
	}
	return found
}

// colour is that of a byte.
type colour struct {
	counted bool
	count   uint64
	missing string // what the innermost branch around it lacks
}

func (c colour) part(text string) part {
	p := part{Text: strings.ToValidUTF8(text, "�")}
	if !c.counted {
		return p
	}
	p.Class, p.Title = fmt.Sprintf("c%d", c.level()), times(c.count)
	if c.missing != "" && c.count > 0 {
		p.Class += " gap"
		p.Title = c.missing
	}
	return p
}

// level is 0 for what never ran, and 1 to 5 by the logarithm of the count.
func (c colour) level() int {
	if c.count == 0 {
		return 0
	}
	return min(5, 1+int(math.Log10(float64(c.count))))
}

func times(n uint64) string {
	switch n {
	case 0:
		return "never ran"
	case 1:
		return "ran once"
	}
	return fmt.Sprintf("ran %d times", n)
}

// paint gives each byte the count of the innermost statement around it. What a
// branch guards by an operator counts as the branch does; comments have none.
func (f *File) paint() []colour {
	paint := make([]colour, len(f.Source.Text))
	fill := func(s source.Span, change func(*colour)) {
		for at := s.Start; at < s.End; at++ {
			change(&paint[at])
		}
	}
	for _, at := range slices.SortedFunc(maps.Keys(f.counts), compare) {
		if at.Kind == Statement {
			fill(at.Span, func(c *colour) { *c = colour{counted: true, count: f.counts[at]} })
		}
	}
	for _, b := range f.Branches {
		if missing := b.Missing(); missing != "" {
			fill(b.Span, func(c *colour) { c.missing = missing })
		}
	}
	for _, s := range f.comments {
		fill(s, func(c *colour) { *c = colour{} })
	}
	return paint
}
