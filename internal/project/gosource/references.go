package gosource

// This file implements finding where Go code uses a script that it has a name
// for.

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/luagen/luagen/internal/source"
)

// References returns the places that use a script once it is made, by the
// names that its text and the script made of it have: enqueueCmd.Run(…). The
// calls that take its text are those of Uses that reply; making it is none.
// They are in the order of their files.
func (f *Found) References(s *Script) []Use {
	var uses []Use
	var made []source.Span
	for _, use := range s.Uses {
		made = append(made, use.Span)
		if !use.Makes {
			uses = append(uses, use)
		}
	}
	for _, def := range s.handles {
		uses = append(uses, f.loader.references(def, made)...)
	}
	slices.SortFunc(uses, func(a, b Use) int {
		if a.File != b.File {
			return strings.Compare(a.File.Name, b.File.Name)
		}
		return int(a.Span.Start - b.Span.Start)
	})
	return slices.CompactFunc(uses, func(a, b Use) bool { return a.File == b.File && a.Span == b.Span })
}

// references returns the uses of a name, but for those in the calls that make
// the script.
func (l *loader) references(def *definition, made []source.Span) []Use {
	var uses []Use
	packages := []*pkg{def.file.pkg}
	if ast.IsExported(def.ident.Name) && !def.local {
		packages = append(packages, l.order...)
	}
	for i, p := range packages {
		if i > 0 && p == packages[0] {
			continue
		}
		for _, f := range p.files {
			if !strings.Contains(f.source.Text, def.ident.Name) || f.test && !f.wanted {
				continue
			}
			l.parse(f)
			walk(f, func(n ast.Node, at place) bool {
				e, ok := n.(ast.Expr)
				if !ok || !named(e, def.ident.Name) {
					return true
				}
				// A field or a method of the name is none of its uses.
				switch outer := parent(at).(type) {
				case *ast.SelectorExpr:
					if outer.Sel == e {
						return true
					}
				case *ast.KeyValueExpr:
					if outer.Key == e {
						return true
					}
				case *ast.Field:
					if outer.Type != e {
						return true
					}
				case *ast.FuncDecl, *ast.LabeledStmt, *ast.BranchStmt:
					return true
				}
				if found := l.lookup(e, at); found == nil || found.ident != def.ident || e == ast.Expr(def.ident) {
					return true
				}
				use := reference(at, def.ident.Name)
				inMade := func(span source.Span) bool { return span.Start <= use.Span.Start && use.Span.End <= span.End }
				if !slices.ContainsFunc(made, inMade) {
					uses = append(uses, use)
				}
				return false
			})
		}
	}
	return uses
}

// named tells whether an expression ends with a name.
func named(e ast.Expr, name string) bool {
	sel, ok := e.(*ast.SelectorExpr)
	return isNamed(e, name) || ok && sel.Sel.Name == name
}

func parent(at place) ast.Node {
	if len(at.path) < 2 {
		return nil
	}
	return at.path[len(at.path)-2]
}

// reference returns the use that a name is part of: the call of its method, or
// the call that it is an argument of.
func reference(at place, name string) Use {
	f := at.file
	for _, n := range slices.Backward(at.path) {
		call, ok := n.(*ast.CallExpr)
		if ok {
			return Use{File: f.source, Span: f.span(call), Call: calledName(call)}
		}
		if _, ok := n.(ast.Stmt); ok {
			break
		}
	}
	return Use{File: f.source, Span: f.span(at.path[len(at.path)-1]), Call: name}
}

// Definition returns the place of the name that the script's text has in Go
// code, or that of the script made of it. It reports false for a text that
// stands in a call without a name.
func (s *Script) Definition() (file *source.File, span source.Span, ok bool) {
	if len(s.handles) == 0 {
		return nil, source.Span{}, false
	}
	def := s.handles[0]
	return def.file.source, def.file.span(def.ident), true
}
