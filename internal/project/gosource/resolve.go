package gosource

// This file implements the values of string expressions, as far as they are
// known before the program runs.

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"github.com/luagen/luagen/internal/source"
)

// obstacle says why the value of an expression is not known.
type obstacle struct {
	why string // for people; empty when the value comes from elsewhere, as a parameter does
}

// maxSteps bounds the work for one value.
const maxSteps = 10_000

// resolver works out one value.
type resolver struct {
	*loader
	into  *text
	open  []token.Pos // definitions that are being followed
	steps int
	used  []token.Pos // literals and definitions that are part of it
}

// resolve appends the value of an expression to the text.
func (r *resolver) resolve(e ast.Expr, at place) *obstacle {
	if r.steps++; r.steps > maxSteps || r.into.value.Len() > maxText {
		return &obstacle{"it is too large"}
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING || !r.into.literal(at.file.source, at.file.offset(e.Pos())) {
			return &obstacle{""}
		}
		r.used = append(r.used, e.Pos())
		return nil
	case *ast.ParenExpr:
		return r.resolve(e.X, at)
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return &obstacle{""}
		}
		left, right := r.resolve(e.X, at), r.resolve(e.Y, at)
		problem := left
		if problem == nil {
			problem = right
		}
		if problem != nil && problem.why == "" && (left == nil || right == nil) {
			return &obstacle{"a part of it is known only at run time"}
		}
		return problem
	case *ast.Ident, *ast.SelectorExpr:
		return r.follow(e, at)
	case *ast.CallExpr:
		return r.call(e, at)
	}
	return &obstacle{""}
}

// follow appends the value of a constant or variable.
func (r *resolver) follow(e ast.Expr, at place) *obstacle {
	def := r.lookup(e, at)
	if def == nil {
		return &obstacle{""}
	}
	for _, pos := range r.open {
		if pos == def.ident.Pos() {
			return &obstacle{""} // no program
		}
	}
	if r.changes(def) {
		if def.value != nil {
			r.resolve(def.value, def.place) // what it is made of belongs to a script
		}
		return &obstacle{def.ident.Name + " gets more than one value"}
	}
	if file := r.embedded(def); file != nil {
		r.used = append(r.used, def.ident.Pos())
		r.into.run(file, 0, source.Pos(len(file.Text)))
		r.into.ends(file, source.Pos(len(file.Text)))
		return nil
	}
	if def.value == nil {
		return &obstacle{""}
	}
	r.open = append(r.open, def.ident.Pos())
	problem := r.resolve(def.value, def.place)
	r.open = r.open[:len(r.open)-1]
	return problem
}

// call appends the value of a conversion or of a function that is known.
func (r *resolver) call(e *ast.CallExpr, at place) *obstacle {
	if inner := converted(e); inner != nil {
		return r.resolve(inner, at)
	}
	name := dotted(e.Fun)
	if name == "strings.TrimSpace" && len(e.Args) == 1 {
		inner := &resolver{loader: r.loader, into: new(text), open: r.open, steps: r.steps}
		problem := inner.resolve(e.Args[0], at)
		r.steps, r.used = inner.steps, append(r.used, inner.used...)
		r.into.trimmed(inner.into)
		return problem
	}
	// What goes into the call belongs to a script all the same.
	for _, arg := range e.Args {
		inner := &resolver{loader: r.loader, into: new(text), open: r.open, steps: r.steps}
		inner.resolve(arg, at)
		r.steps, r.used = inner.steps, append(r.used, inner.used...)
	}
	if strings.HasPrefix(name, "fmt.Sprint") {
		return &obstacle{"it is built with " + name}
	}
	if name == "" {
		name = "a function"
	}
	return &obstacle{"it is what " + name + " returns"}
}

// converted returns what string(x) and []byte(x) convert, or nil.
func converted(e *ast.CallExpr) ast.Expr {
	if len(e.Args) != 1 {
		return nil
	}
	if isNamed(e.Fun, "string") {
		return e.Args[0]
	}
	if array, ok := e.Fun.(*ast.ArrayType); ok && array.Len == nil && isNamed(array.Elt, "byte") {
		return e.Args[0]
	}
	return nil
}

// dotted returns the text of a name or of names with dots, or "".
func dotted(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		if x := dotted(e.X); x != "" {
			return x + "." + e.Sel.Name
		}
	}
	return ""
}

// trimmed appends another text without the blanks around it.
func (t *text) trimmed(other *text) {
	value := other.value.String()
	from := len(value) - len(strings.TrimLeftFunc(value, isSpace))
	to := from + len(strings.TrimSpace(value))
	for _, s := range other.segments {
		start, end := max(s.Start, source.Pos(from)), min(s.End, source.Pos(to))
		if start < end {
			if !s.Fixed {
				s.At += start - s.Start
			}
			t.append(value[start:end], s)
		}
	}
	t.end = other.end
}

func isSpace(r rune) bool { return strings.TrimSpace(string(r)) == "" }

// embedded returns the file that a go:embed directive puts into a variable of
// type string or []byte, or nil.
func (l *loader) embedded(def *definition) *source.File {
	if def.spec == nil || def.decl.Tok != token.VAR || len(def.spec.Values) > 0 || def.local {
		return nil
	}
	var patterns []string
	for _, group := range []*ast.CommentGroup{def.decl.Doc, def.spec.Doc} {
		if group == nil {
			continue
		}
		for _, comment := range group.List {
			if rest, ok := strings.CutPrefix(comment.Text, "//go:embed "); ok {
				patterns = append(patterns, strings.Fields(rest)...)
			}
		}
	}
	if len(patterns) != 1 || !isText(def.spec.Type) {
		return nil
	}
	pattern := strings.TrimPrefix(strings.Trim(patterns[0], "\"`"), "all:")
	matches, _ := filepath.Glob(filepath.Join(escapeGlob(def.file.pkg.dir), filepath.FromSlash(pattern)))
	if len(matches) != 1 {
		return nil
	}
	if file, known := l.embeds[matches[0]]; known {
		return file
	}
	data, err := os.ReadFile(matches[0])
	if err != nil {
		return nil // the compiler will tell
	}
	file := source.New(l.display(matches[0]), string(data))
	l.embeds[matches[0]] = file
	return file
}

// isText tells whether a type is string or []byte.
func isText(t ast.Expr) bool {
	array, ok := t.(*ast.ArrayType)
	return isNamed(t, "string") || ok && array.Len == nil && isNamed(array.Elt, "byte")
}
