// Package gosource finds Redis scripts in Go source: in the string literals,
// constants and embedded files that Go code hands to a Redis client. Positions
// in what it finds are those of the Go files. It reads files and nothing else:
// it builds nothing, checks no types and needs no network.
package gosource

// This file implements the search.

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
)

// Script is one script in Go source.
type Script struct {
	Source   *source.File // the text that Redis gets; its positions are the author's
	Name     string       // its Go name, exported, distinct among those of its folder
	Ident    string       // of the constant, variable, field or function in Go code that names it
	Doc      string       // the comment above its definition, or above its first use
	Path     string       // absolute: the file that its text begins in
	Embedded bool         // all of it is one file that go:embed reads
	Guessed  bool         // no call of a client that we know takes it; its text told
	Uses     []Use        // the calls that take it; none when it is guessed

	dir     string
	at      source.Pos
	handles []*definition // what its text, and the script made of it, are called
}

// Use is a place in Go code where a script is used.
type Use struct {
	File  *source.File
	Span  source.Span
	Call  string // redis.NewScript, Eval, …
	Makes bool   // it returns the script, and not what Redis replies
}

// Missed is a call whose script is known only at run time. The span is that of
// the argument.
type Missed struct {
	Use
	Why string // as in: it is built with fmt.Sprintf
}

// RuleDynamic is the rule of diagnostics about scripts that are not read.
const RuleDynamic = "go-dynamic"

// Diagnostic says that a script was not read.
func (m Missed) Diagnostic() diag.Diagnostic {
	return diag.Diagnostic{
		Rule: RuleDynamic, Severity: diag.Info, File: m.File, Span: m.Span,
		Message: fmt.Sprintf("this script is not read, as %s", m.Why),
		Help:    "make it a constant, and hand what changes over in ARGV",
	}
}

// Found is what the search found.
type Found struct {
	Scripts []*Script // by file and place
	Missed  []Missed
	Broken  []diag.Diagnostic // syntax errors of Go files; the rest of such a file is read

	loader *loader
}

// loader is one search.
type loader struct {
	display  func(abs string) string
	fset     *token.FileSet
	packages map[string]*pkg // by folder; nil for what cannot be read
	order    []*pkg          // that are searched
	modules  map[string]module
	embeds   map[string]*source.File

	changed map[*ast.Ident]bool // what changes tells of variables
	scripts map[string]*Script  // by where the text is defined, and the text
	part    map[token.Pos]bool  // literals and variables that are part of a script
	missed  []Missed
}

// Load searches the Go packages of patterns: folders, folders with /... behind
// them, and .go files. Test files are searched when they are named themselves;
// files that luagen wrote, and those that a build constraint "ignore" keeps
// out of every build, are not. display returns how messages call a file. An
// error is one of reading a file or a folder.
func Load(patterns []string, display func(abs string) string) (*Found, error) {
	l := &loader{
		display: display, fset: token.NewFileSet(),
		packages: make(map[string]*pkg), modules: make(map[string]module), embeds: make(map[string]*source.File),
		changed: make(map[*ast.Ident]bool), scripts: make(map[string]*Script), part: make(map[token.Pos]bool),
	}
	if err := l.open(patterns); err != nil {
		return nil, err
	}
	files := l.candidates()
	for _, f := range files {
		walk(f, func(n ast.Node, at place) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				l.visit(call, at)
			}
			return true
		})
	}
	for _, f := range files {
		l.noteBuilt(f)
	}
	for _, f := range files {
		l.guess(f)
	}
	return l.found(files), nil
}

// candidates returns the files that may hold a script, parsed.
func (l *loader) candidates() []*goFile {
	var files []*goFile
	var group errgroup.Group
	group.SetLimit(8)
	for _, p := range l.order {
		for _, f := range p.files {
			if f.wanted && f.hasHint() {
				files = append(files, f)
			}
		}
	}
	for _, f := range files {
		group.Go(func() error { f.parse(l.fset); return nil })
	}
	_ = group.Wait() // none fails
	for _, f := range files {
		l.parse(f)
	}
	return files
}

// visit looks at one call.
func (l *loader) visit(call *ast.CallExpr, at place) {
	s := at.file.scriptSite(call)
	if s == nil {
		return
	}
	use := Use{at.file.source, at.file.span(call), s.name, s.makes}
	var missed *Missed
	for _, arg := range s.args {
		r := &resolver{loader: l, into: new(text)}
		problem := r.resolve(arg, at)
		if problem == nil {
			if r.into.value.Len() > 0 && (s.certain || looksLikeScript(r.into)) {
				l.add(r, arg, at, s, &use)
			}
			return
		}
		// What is given to a method may be something else than a script.
		if s.certain && problem.why != "" && (s.makes || len(r.used) > 0) {
			missed = &Missed{Use{use.File, at.file.span(arg), use.Call, use.Makes}, problem.why}
			l.mark(r.used)
		}
	}
	if missed != nil {
		l.missed = append(l.missed, *missed)
	}
}

// mark notes what belongs to a script.
func (l *loader) mark(used []token.Pos) {
	for _, pos := range used {
		l.part[pos] = true
	}
}

// add adds a script, or a use to one that is there. Without a site it is a
// guess.
func (l *loader) add(r *resolver, arg ast.Expr, at place, s *site, use *Use) {
	l.mark(r.used)
	def := l.holder(arg, at)
	from := arg.Pos()
	if def != nil {
		from = def.ident.Pos()
	}
	key := fmt.Sprint(from, " ", r.into.value.String())
	found, known := l.scripts[key]
	makes := s == nil || s.makes
	around := at.nameAt(naming{}, makes)
	if !known {
		names := around
		if def != nil {
			names = def.naming()
			if ScriptName(def.ident.Name) == "" {
				names.name = around.name
			}
		}
		origin, place := r.into.segments[0].Origin, r.into.segments[0].At
		found = &Script{Name: names.name, Ident: names.ident, Doc: names.doc, Guessed: s == nil, dir: at.file.pkg.dir, at: place}
		if def != nil {
			found.handles = append(found.handles, def)
		}
		found.Path = l.pathOf(origin, at.file)
		if len(r.into.segments) == 1 && origin.Text == r.into.value.String() {
			found.Source, found.Embedded = origin, true
		} else {
			found.Source = r.into.compose(origin.Name)
		}
		l.scripts[key] = found
	}
	if found.Doc == "" && (def == nil || !around.ofAll) {
		found.Doc = around.doc
	}
	if use != nil {
		found.Uses = append(found.Uses, *use)
	}
	if makes {
		if handle := at.handle(); handle != nil {
			found.handles = append(found.handles, handle)
		}
	}
}

// found orders what there is, and makes the names distinct.
func (l *loader) found(files []*goFile) *Found {
	found := &Found{Missed: l.missed, loader: l}
	for _, s := range l.scripts {
		found.Scripts = append(found.Scripts, s)
	}
	slices.SortFunc(found.Scripts, func(a, b *Script) int {
		if a.Path != b.Path {
			return strings.Compare(a.Path, b.Path)
		}
		if a.at != b.at {
			return int(a.at - b.at)
		}
		return strings.Compare(a.Source.Text, b.Source.Text)
	})
	taken := make(map[string]bool)
	for _, s := range found.Scripts {
		if s.Name == "" {
			s.Name = "Script"
		}
		name := s.Name
		for n := 2; taken[s.dir+"\x00"+s.Name]; n++ {
			s.Name = script.Numbered(name, n)
		}
		taken[s.dir+"\x00"+s.Name] = true
	}
	for _, f := range files {
		if f.broken != nil {
			found.Broken = append(found.Broken, f.brokenAt())
		}
	}
	return found
}
