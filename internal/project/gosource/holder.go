package gosource

// This file implements what tells one script from another: the definition that
// holds its text, the file of that, and the variable that a script is put in.

import (
	"go/ast"
	"slices"

	"github.com/luagen/luagen/internal/source"
)

// pathOf returns the absolute path of a file that was read.
func (l *loader) pathOf(origin *source.File, near *goFile) string {
	if near.source == origin {
		return near.abs
	}
	for abs, file := range l.embeds {
		if file == origin {
			return abs
		}
	}
	for _, p := range l.packages {
		if p == nil {
			continue
		}
		for _, f := range p.files {
			if f.source == origin {
				return f.abs
			}
		}
	}
	return near.abs
}

// holder returns the definition that an argument is the name of, followed to
// where the text is; nil for a text that stands in the call.
func (l *loader) holder(arg ast.Expr, at place) *definition {
	var last *definition
	for range 100 { // no chain of names is longer, but a cycle
		switch e := arg.(type) {
		case *ast.ParenExpr:
			arg = e.X
			continue
		case *ast.CallExpr:
			if inner := converted(e); inner != nil {
				arg = inner
				continue
			}
			if dotted(e.Fun) == "strings.TrimSpace" {
				arg = e.Args[0]
				continue
			}
			return last
		case *ast.Ident, *ast.SelectorExpr:
			def := l.lookup(e, at)
			if def == nil {
				return last
			}
			last = def
			if def.value == nil {
				return last
			}
			arg, at = def.value, def.place
			continue
		}
		return last
	}
	return last
}

// handle returns the definition of the variable that a call at a place gives
// its result to, or nil.
func (p place) handle() *definition {
	call := p.path[len(p.path)-1]
	for i, n := range slices.Backward(p.path) {
		outer := place{p.file, p.path[:i]}
		switch n := n.(type) {
		case *ast.GenDecl:
			for _, spec := range n.Specs {
				if spec, ok := spec.(*ast.ValueSpec); ok && spec.Pos() <= call.Pos() && call.End() <= spec.End() {
					name := nameOf(spec.Values, call, func(i int) ast.Expr { return spec.Names[min(i, len(spec.Names)-1)] })
					def := outer.keep().declares(n, name)
					if def != nil && i > 1 {
						def.local = true
					}
					return def
				}
			}
			return nil
		case *ast.AssignStmt:
			name := nameOf(n.Rhs, call, func(i int) ast.Expr { return n.Lhs[min(i, len(n.Lhs)-1)] })
			return outer.keep().defines(n, name)
		case *ast.FuncDecl, *ast.FuncLit, *ast.KeyValueExpr:
			return nil
		}
	}
	return nil
}
