package gosource

// This file implements the names and the documentation that Go code gives to
// a script.

import (
	"go/ast"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/luagen/luagen/internal/script"
)

// noise are the words that say no more than that a name is a script's.
var noise = []string{"Scripts", "Script", "Cmd", "RedisLua", "Lua", "Src", "Source"}

// ScriptName makes a script's Go name from an identifier of Go code, without
// the words that only say what it is: enqueueCmd is Enqueue, luaRefresh is
// Refresh. It is empty when nothing else is there.
func ScriptName(ident string) string {
	name := script.Exported(ident)
	for cut := true; cut; {
		cut = false
		for _, word := range noise {
			if rest, ok := strings.CutSuffix(name, word); ok {
				name, cut = rest, true
			}
			if rest, ok := strings.CutPrefix(name, word); ok && (rest == "" || !unicode.IsLower(rune(rest[0]))) {
				name, cut = rest, true
			}
		}
	}
	switch name {
	case "Code", "Text", "Command", "Body", "Str", "Content":
		return ""
	}
	if len(name) < 2 {
		return ""
	}
	return script.Method(name)
}

// naming is where a script's name and documentation come from.
type naming struct {
	name  string // of the script; empty when Go code gives none
	ident string // as Go code has it
	doc   string
	ofAll bool // doc is the whole function's
}

// naming finds the name of what defines a text, and its documentation.
func (d *definition) naming() naming {
	return d.nameAt(naming{name: ScriptName(d.ident.Name), ident: d.ident.Name}, true)
}

// nameAt completes what is found of the name of what stands at a place: it is
// that of the constant, variable, field or function around it. results tells
// whether what is there is the script, and not what a call replies.
func (p place) nameAt(found naming, results bool) naming {
	documented := false // the doc of the nearest statement has been looked at
	inner := p.path[len(p.path)-1]
	for _, n := range slices.Backward(p.path) {
		var ident string
		switch n := n.(type) {
		case *ast.CallExpr:
			results = results && (n == inner || isMaker(n) || !p.inFunction())
		case *ast.KeyValueExpr:
			switch key := n.Key.(type) {
			case *ast.Ident:
				ident = key.Name
			case *ast.BasicLit:
				ident = literalWord(key)
			case *ast.SelectorExpr:
				ident = key.Sel.Name
			}
		case *ast.ValueSpec:
			if results {
				ident = nameOf(n.Values, inner, func(i int) ast.Expr {
					if i < len(n.Names) {
						return n.Names[i]
					}
					return nil
				})
			}
		case *ast.AssignStmt:
			if results {
				ident = nameOf(n.Rhs, inner, func(i int) ast.Expr {
					if i < len(n.Lhs) {
						return n.Lhs[i]
					}
					return nil
				})
			}
		case *ast.FuncDecl:
			ident = n.Name.Name
			if found.name == "" && found.doc == "" {
				found.doc, found.ofAll = n.Doc.Text(), true
			}
		}
		if !documented {
			switch n := n.(type) {
			case ast.Stmt, ast.Spec, *ast.KeyValueExpr:
				found.doc = p.file.docAbove(n)
				_, field := n.(*ast.KeyValueExpr)
				documented = !field || found.doc != ""
			}
		}
		if decl, ok := n.(*ast.GenDecl); ok && found.doc == "" && !decl.Lparen.IsValid() {
			found.doc = p.file.docAbove(decl)
		}
		if name := ScriptName(ident); found.name == "" && name != "" {
			found.name, found.ident = name, ident
		}
	}
	if found.name == "" {
		found.ident = strings.TrimSuffix(filepath.Base(p.file.abs), ".go")
		found.name = ScriptName(found.ident)
	}
	return found
}

// nameOf returns the name that stands for the one of some values that an inner
// node is in.
func nameOf(values []ast.Expr, inner ast.Node, left func(int) ast.Expr) string {
	for i, value := range values {
		if value.Pos() <= inner.Pos() && inner.End() <= value.End() {
			switch e := left(i).(type) {
			case *ast.Ident:
				return e.Name
			case *ast.SelectorExpr:
				return e.Sel.Name
			}
		}
	}
	return ""
}

// isMaker tells whether the result of a call is probably a script, by the name
// of its function.
func isMaker(call *ast.CallExpr) bool {
	name := strings.ToLower(calledName(call))
	return strings.Contains(name, "script") || strings.Contains(name, "lua") || converted(call) != nil ||
		strings.HasPrefix(name, "new") || strings.HasPrefix(name, "must") || name == "strings.trimspace"
}

// inFunction tells whether a place is in the body of a function. What is not
// runs once, so that its variables keep what they get.
func (p place) inFunction() bool {
	return slices.ContainsFunc(p.path, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncDecl, *ast.FuncLit:
			return true
		}
		return false
	})
}

// docAbove returns the text of the comment that ends on the line above a node.
func (f *goFile) docAbove(n ast.Node) string {
	line := f.tok.Line(n.Pos())
	i, _ := slices.BinarySearchFunc(f.syntax.Comments, n.Pos(), func(group *ast.CommentGroup, pos token.Pos) int {
		return int(group.End()) - int(pos)
	})
	if i == 0 {
		return ""
	}
	group := f.syntax.Comments[i-1]
	if f.tok.Line(group.End()) != line-1 {
		return ""
	}
	start := f.offset(group.Pos())
	before := f.source.Text[:start]
	if strings.TrimSpace(before[strings.LastIndexByte(before, '\n')+1:]) != "" {
		return "" // it belongs to the code before it
	}
	return group.Text()
}
