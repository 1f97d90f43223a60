package gosource

// This file implements finding what defines a name: the constant or variable
// of an enclosing block, of the package, or of an imported one.

import (
	"go/ast"
	"go/token"
	"slices"
	"strings"
)

// place is a node of a file, with all that encloses it, outermost first. The
// path ends with the node itself.
type place struct {
	file *goFile
	path []ast.Node
}

// definition is what gives a name its value.
type definition struct {
	place // of the specification or statement
	ident *ast.Ident
	value ast.Expr       // nil when there is none
	spec  *ast.ValueSpec // nil for :=
	decl  *ast.GenDecl   // nil for :=
	local bool
}

// constant tells whether nothing can change the value.
func (d *definition) constant() bool { return d.decl != nil && d.decl.Tok == token.CONST }

// walk visits the nodes of a file with the places they are in. It does not
// enter nodes for which visit returns false.
func walk(f *goFile, visit func(n ast.Node, at place) bool) {
	var path []ast.Node
	ast.Inspect(f.syntax, func(n ast.Node) bool {
		if n == nil {
			path = path[:len(path)-1]
			return true
		}
		path = append(path, n)
		if !visit(n, place{f, path}) {
			path = path[:len(path)-1]
			return false
		}
		return true
	})
}

// keep returns a place that later steps of a walk leave alone.
func (p place) keep() place { return place{p.file, slices.Clone(p.path)} }

// local returns the definition of a name in the blocks around a place. It is
// found without a definition when it is a parameter, a loop's or another that
// has no one value.
func (p place) local(name string) (def *definition, found bool) {
	node := p.path[len(p.path)-1]
	for i := len(p.path) - 1; i >= 0; i-- {
		outer := place{p.file, p.path[:i+1]}
		var list []ast.Stmt
		switch n := p.path[i].(type) {
		case *ast.BlockStmt:
			list = n.List
		case *ast.CaseClause:
			list = n.Body
		case *ast.CommClause:
			list = append([]ast.Stmt{n.Comm}, n.Body...)
		case *ast.IfStmt:
			list = []ast.Stmt{n.Init}
		case *ast.ForStmt:
			list = []ast.Stmt{n.Init}
		case *ast.SwitchStmt:
			list = []ast.Stmt{n.Init}
		case *ast.TypeSwitchStmt:
			list = []ast.Stmt{n.Init, n.Assign}
		case *ast.RangeStmt:
			if n.Tok == token.DEFINE && (isNamed(n.Key, name) || isNamed(n.Value, name)) && n.Body.Pos() <= node.Pos() {
				return nil, true
			}
		case *ast.FuncLit:
			if declares(n.Type, name) {
				return nil, true
			}
		case *ast.FuncDecl:
			return nil, declares(n.Type, name) || n.Recv != nil && fieldsDeclare(n.Recv, name)
		}
		for _, stmt := range slices.Backward(list) {
			if stmt == nil || stmt.End() > node.Pos() {
				continue
			}
			if def := outer.defines(stmt, name); def != nil {
				return def, true
			}
		}
	}
	return nil, false
}

// defines returns the definition of a name that a statement makes.
func (p place) defines(stmt ast.Stmt, name string) *definition {
	at := place{p.file, append(slices.Clip(p.path), stmt)}
	switch stmt := stmt.(type) {
	case *ast.DeclStmt:
		if decl, ok := stmt.Decl.(*ast.GenDecl); ok {
			def := at.declares(decl, name)
			if def != nil {
				def.local = true
			}
			return def
		}
	case *ast.AssignStmt:
		for i, left := range stmt.Lhs {
			if stmt.Tok != token.DEFINE || !isNamed(left, name) {
				continue
			}
			def := &definition{place: at, ident: left.(*ast.Ident), local: true}
			if len(stmt.Lhs) == len(stmt.Rhs) {
				def.value = stmt.Rhs[i]
			}
			return def
		}
	}
	return nil
}

// declares returns the definition of a name in a declaration of constants or
// variables.
func (p place) declares(decl *ast.GenDecl, name string) *definition {
	if decl.Tok != token.CONST && decl.Tok != token.VAR {
		return nil
	}
	var repeated []ast.Expr // of the last constant that has values
	for _, spec := range decl.Specs {
		spec, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		values := spec.Values
		if decl.Tok == token.CONST && len(values) == 0 {
			values = repeated
		}
		repeated = values
		for i, ident := range spec.Names {
			if ident.Name != name {
				continue
			}
			def := &definition{place: place{p.file, append(slices.Clip(p.path), decl, spec)}, ident: ident, spec: spec, decl: decl}
			if i < len(values) && len(values) == len(spec.Names) {
				def.value = values[i]
			}
			return def
		}
	}
	return nil
}

// global returns the definition of a name in a package, or nil: that of the
// file that asks if it has one.
func (l *loader) global(p *pkg, from *goFile, name string) *definition {
	files := p.files
	if i := slices.Index(files, from); i > 0 {
		files = append([]*goFile{from}, files...)
	}
	for _, f := range files {
		if !strings.Contains(f.source.Text, name) {
			continue
		}
		l.parse(f)
		for _, decl := range f.syntax.Decls {
			if decl, ok := decl.(*ast.GenDecl); ok {
				if def := (place{f, []ast.Node{f.syntax}}).declares(decl, name); def != nil {
					return def
				}
			}
		}
	}
	return nil
}

// lookup returns the definition that an identifier or a selector stands for,
// or nil.
func (l *loader) lookup(e ast.Expr, at place) *definition {
	switch e := e.(type) {
	case *ast.Ident:
		def, found := at.local(e.Name)
		if !found {
			def = l.global(at.file.pkg, at.file, e.Name)
		}
		return def
	case *ast.SelectorExpr:
		if p := l.importedAs(e.X, at); p != nil {
			return l.global(p, nil, e.Sel.Name)
		}
	}
	return nil
}

// importedAs returns the package of the same module that an expression names,
// or nil.
func (l *loader) importedAs(e ast.Expr, at place) *pkg {
	ident, ok := e.(*ast.Ident)
	if !ok {
		return nil
	}
	imported, ok := at.file.aliases[ident.Name]
	if !ok {
		return nil
	}
	if _, hidden := at.local(ident.Name); hidden {
		return nil
	}
	return l.imported(at.file, imported)
}

// changes tells whether something assigns to a variable behind its
// definition, or takes its address.
func (l *loader) changes(def *definition) bool {
	if def.constant() {
		return false
	}
	changed, known := l.changed[def.ident]
	if !known {
		changed = l.isChanged(def)
		l.changed[def.ident] = changed
	}
	return changed
}

// isChanged is changes, worked out.
func (l *loader) isChanged(def *definition) bool {
	name := def.ident.Name
	if def.local {
		return changedIn(def.file, def.path, name, func(place) bool { return true })
	}
	for _, f := range def.file.pkg.files {
		if !strings.Contains(f.source.Text, name) {
			continue
		}
		l.parse(f)
		own := func(at place) bool { _, local := at.local(name); return !local }
		if changedIn(f, []ast.Node{f.syntax}, name, own) {
			return true
		}
	}
	return false
}

// changedIn tells whether a name is changed in the outermost function of a
// path, or in the file when there is none.
func changedIn(f *goFile, path []ast.Node, name string, own func(place) bool) bool {
	var top ast.Node = f.syntax
	for _, n := range slices.Backward(path) {
		if _, ok := n.(*ast.FuncDecl); ok {
			top = n
		}
	}
	changed := false
	walk(f, func(n ast.Node, at place) bool {
		if n.End() < top.Pos() || n.Pos() > top.End() {
			return false
		}
		switch n := n.(type) {
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE && slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { return isNamed(e, name) }) {
				changed = changed || own(at)
			}
		case *ast.UnaryExpr:
			if n.Op == token.AND && isNamed(n.X, name) {
				changed = changed || own(at)
			}
		}
		return !changed
	})
	return changed
}

// isNamed tells whether an expression is the identifier of a name.
func isNamed(e ast.Expr, name string) bool {
	ident, ok := e.(*ast.Ident)
	return ok && ident.Name == name
}

// declares tells whether a function has a parameter or a result of a name.
func declares(t *ast.FuncType, name string) bool {
	return fieldsDeclare(t.Params, name) || t.Results != nil && fieldsDeclare(t.Results, name)
}

func fieldsDeclare(list *ast.FieldList, name string) bool {
	return slices.ContainsFunc(list.List, func(f *ast.Field) bool {
		return slices.ContainsFunc(f.Names, func(ident *ast.Ident) bool { return ident.Name == name })
	})
}
