package gosource

// This file implements finding scripts by their text, where no call that we
// know takes them.

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// guess adds the texts of a file that are scripts, though no call that we know
// takes them.
func (l *loader) guess(f *goFile) {
	walk(f, func(n ast.Node, at place) bool {
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.ValueSpec:
			for _, ident := range n.Names {
				l.guessEmbedded(ident, at)
			}
		case *ast.BasicLit, *ast.BinaryExpr:
			return !l.guessText(n.(ast.Expr), at)
		}
		return true
	})
}

// guessText adds a text that stands in Go code, and tells whether what is in
// it needs no look.
func (l *loader) guessText(e ast.Expr, at place) bool {
	r := &resolver{loader: l, into: new(text)}
	if !mentionsRedis(at.file.source.Slice(at.file.span(e))) || l.part[firstLiteral(e)] {
		return false
	}
	if problem := r.resolve(e, at); problem != nil {
		return l.miss(e, at, "+", "a part of it is known only at run time")
	}
	if !looksLikeScript(r.into) {
		return false
	}
	value := at.keep()
	value.path = value.path[:len(value.path)-1]
	for i, n := range slices.Backward(value.path) {
		if _, ok := n.(*ast.ParenExpr); !ok {
			value.path = value.path[:i+1]
			break
		}
	}
	l.add(r, e, at, nil, nil)
	return true
}

// noteBuilt notes the scripts of a file that are built at run time, so that no
// part of one is taken for a whole.
func (l *loader) noteBuilt(f *goFile) {
	walk(f, func(n ast.Node, at place) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			name := dotted(n.Fun)
			template := name == "fmt.Sprintf" || name == "strings.Replace" || name == "strings.ReplaceAll"
			if sel, ok := n.Fun.(*ast.SelectorExpr); ok && sel.Sel.Name == "WriteString" {
				name = "WriteString"
			} else if !template && !strings.HasPrefix(name, "fmt.") {
				return true
			}
			for i, arg := range n.Args {
				if template && i == 0 && dotted(arg) != "" || mentionsRedis(f.source.Slice(f.span(arg))) {
					l.miss(arg, at, name, "it is built with "+name)
				}
			}
		case *ast.AssignStmt:
			if n.Tok == token.ADD_ASSIGN && mentionsRedis(f.source.Slice(f.span(n))) {
				l.miss(n.Rhs[0], at, "+=", "it is built with +=")
			}
		}
		return true
	})
}

// miss notes a text that is a part of a script, and tells whether it is one. A
// text that is part of a script which is known needs no note.
func (l *loader) miss(e ast.Expr, at place, call, why string) bool {
	r := &resolver{loader: l, into: new(text)}
	r.resolve(e, at)
	if !strings.Contains(r.into.value.String(), "redis.call(") && !strings.Contains(r.into.value.String(), "redis.pcall(") {
		return false
	}
	if !slices.ContainsFunc(r.used, func(pos token.Pos) bool { return l.part[pos] }) {
		l.missed = append(l.missed, Missed{Use{File: at.file.source, Span: at.file.span(e), Call: call}, why})
	}
	l.mark(r.used)
	return true
}

// guessEmbedded adds the file that is embedded in a variable.
func (l *loader) guessEmbedded(ident *ast.Ident, at place) {
	if len(at.path) != 3 || l.part[ident.Pos()] {
		return
	}
	outer := place{at.file, at.path[:1]}
	def := outer.keep().declares(at.path[1].(*ast.GenDecl), ident.Name)
	if def == nil || l.embedded(def) == nil {
		return
	}
	r := &resolver{loader: l, into: new(text)}
	if problem := r.resolve(ident, at); problem == nil && looksLikeScript(r.into) {
		l.add(r, ident, at, nil, nil)
	}
}

// firstLiteral returns the place of the first literal in an expression.
func firstLiteral(e ast.Expr) token.Pos {
	for {
		switch inner := e.(type) {
		case *ast.BinaryExpr:
			e = inner.X
		case *ast.ParenExpr:
			e = inner.X
		default:
			return e.Pos()
		}
	}
}

// mentionsRedis tells whether a text calls Redis as scripts do.
func mentionsRedis(text string) bool {
	return strings.Contains(text, "redis.call") || strings.Contains(text, "redis.pcall")
}

// looksLikeScript tells whether a text is Lua that calls Redis.
func looksLikeScript(t *text) bool {
	value := t.value.String()
	if !mentionsRedis(value) {
		return false
	}
	_, diags := syntax.Parse(source.New("", value))
	return !diag.HasErrors(diags)
}
