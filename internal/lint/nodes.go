package lint

// This file implements the index of a script's tree: its nodes by kind, in the
// order of the text, so that each rule visits only those it is about.

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// Index holds the nodes of a script. All rules share it.
type Index struct {
	Binaries    []*syntax.BinaryExpr
	Unaries     []*syntax.UnaryExpr
	CallExprs   []*syntax.CallExpr
	Indexes     []*syntax.IndexExpr
	Names       []*syntax.NameExpr
	Strings     []*syntax.StringExpr
	Tables      []*syntax.TableExpr
	Locals      []*syntax.LocalStmt
	Assigns     []*syntax.AssignStmt
	FuncStmts   []*syntax.FuncStmt
	CallStmts   []*syntax.CallStmt
	Returns     []*syntax.ReturnStmt // of the script itself, not of its functions
	Blocks      []*syntax.Block
	Ifs         []*syntax.IfStmt
	Loops       []syntax.Stmt // while and repeat
	NumericFors []*syntax.NumericFor
	Functions   []*syntax.Func // without the main function
	Conditions  []syntax.Expr  // each operand whose truth alone decides

	chunk   *syntax.Chunk
	file    *source.File
	parents map[syntax.Node]syntax.Node
	inits   map[*syntax.Local]syntax.Expr
	tested  map[string]bool

	builtins []builtinCall
}

// builtinCall is a call of a library function.
type builtinCall struct {
	call *syntax.CallExpr
	name string
}

func newIndex(r *analysis.Result) *Index {
	x := &Index{chunk: r.Chunk, file: r.File}
	x.collect(r.Chunk.Main.Body, 0)
	for _, call := range x.CallExprs {
		if name := r.Builtin(call); name != "" {
			x.builtins = append(x.builtins, builtinCall{call, name})
		}
	}
	return x
}

// collect adds the nodes below n; depth counts the functions around it.
func (x *Index) collect(n syntax.Node, depth int) {
	syntax.Inspect(n, func(n syntax.Node) bool {
		switch n := n.(type) {
		case *syntax.BinaryExpr:
			x.Binaries = append(x.Binaries, n)
			if n.Op == syntax.OpAnd || n.Op == syntax.OpOr {
				x.condition(n.X)
			}
		case *syntax.UnaryExpr:
			x.Unaries = append(x.Unaries, n)
			if n.Op == syntax.OpNot {
				x.condition(n.X)
			}
		case *syntax.CallExpr:
			x.CallExprs = append(x.CallExprs, n)
		case *syntax.IndexExpr:
			x.Indexes = append(x.Indexes, n)
		case *syntax.NameExpr:
			x.Names = append(x.Names, n)
		case *syntax.StringExpr:
			x.Strings = append(x.Strings, n)
		case *syntax.TableExpr:
			x.Tables = append(x.Tables, n)
		case *syntax.LocalStmt:
			x.Locals = append(x.Locals, n)
		case *syntax.AssignStmt:
			x.Assigns = append(x.Assigns, n)
		case *syntax.FuncStmt:
			x.FuncStmts = append(x.FuncStmts, n)
		case *syntax.CallStmt:
			x.CallStmts = append(x.CallStmts, n)
		case *syntax.ReturnStmt:
			if depth == 0 {
				x.Returns = append(x.Returns, n)
			}
		case *syntax.Block:
			x.Blocks = append(x.Blocks, n)
		case *syntax.IfStmt:
			x.Ifs = append(x.Ifs, n)
			for _, c := range n.Clauses {
				x.condition(c.Cond)
			}
		case *syntax.WhileStmt:
			x.Loops = append(x.Loops, n)
			x.condition(n.Cond)
		case *syntax.RepeatStmt:
			x.Loops = append(x.Loops, n)
			x.condition(n.Cond)
		case *syntax.NumericFor:
			x.NumericFors = append(x.NumericFors, n)
		case *syntax.Func:
			x.Functions = append(x.Functions, n)
			x.collect(n.Body, depth+1)
			return false
		}
		return true
	})
}

// condition adds an expression whose truth decides, unless it is made of
// others.
func (x *Index) condition(e syntax.Expr) {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		x.condition(e.X)
		return
	case *syntax.UnaryExpr:
		if e.Op == syntax.OpNot {
			return // its operand is added where it is found
		}
	case *syntax.BinaryExpr:
		if e.Op == syntax.OpAnd || e.Op == syntax.OpOr {
			x.condition(e.Y)
			return
		}
	}
	x.Conditions = append(x.Conditions, e)
}

// Parent returns the node around one; nil for the main body.
func (x *Index) Parent(n syntax.Node) syntax.Node {
	if x.parents == nil {
		x.parents = map[syntax.Node]syntax.Node{}
		x.link(x.chunk.Main.Body)
	}
	return x.parents[n]
}

// link notes the parents below n. Inspect visits a node's whole subtree before
// the next one, so spans tell when a node is left.
func (x *Index) link(root syntax.Node) {
	stack := []syntax.Node{root}
	syntax.Inspect(root, func(n syntax.Node) bool {
		if n == root {
			return true
		}
		for len(stack) > 1 && !holds(stack[len(stack)-1], n) {
			stack = stack[:len(stack)-1]
		}
		x.parents[n] = stack[len(stack)-1]
		stack = append(stack, n)
		return true
	})
}

// holds tells whether n lies within outer.
func holds(outer, n syntax.Node) bool {
	a, b := outer.Span(), n.Span()
	return a.Start <= b.Start && b.End <= a.End
}

// Within tells whether a node lies in another.
func Within(n, outer syntax.Node) bool { return holds(outer, n) }

// Init returns the expression that a local is declared with, when that is all
// it ever holds; nil otherwise.
func (x *Index) Init(l *syntax.Local) syntax.Expr {
	if x.inits == nil {
		x.inits = map[*syntax.Local]syntax.Expr{}
		for _, s := range x.Locals {
			for i, l := range s.Names {
				if i < len(s.Values) && (i < len(s.Values)-1 || len(s.Names) == len(s.Values)) {
					x.inits[l] = s.Values[i]
				}
			}
		}
	}
	if l == nil || l.Assigned {
		return nil
	}
	return x.inits[l]
}

// Resolve follows parentheses, and locals to what they were declared with.
func (x *Index) Resolve(e syntax.Expr) syntax.Expr {
	for range 8 {
		switch n := e.(type) {
		case *syntax.ParenExpr:
			e = n.X
			continue
		case *syntax.NameExpr:
			if init := x.Init(n.Local); init != nil {
				e = init
				continue
			}
		}
		break
	}
	return e
}

// Uses returns the places where a local is read or assigned to.
func (x *Index) Uses(l *syntax.Local) []*syntax.NameExpr {
	var list []*syntax.NameExpr
	for _, n := range x.Names {
		if n.Local == l {
			list = append(list, n)
		}
	}
	return list
}

// Own tells whether a place is in the file that was examined, and not in one
// that it includes.
func (x *Index) Own(p source.Pos) bool {
	if !x.file.Composed() {
		return true
	}
	file, _ := x.file.Origin(p)
	return file.Name == x.file.Name
}

// Condition returns the outermost expression made of and, or, not and
// parentheses that an expression is a part of.
func (x *Index) Condition(e syntax.Expr) syntax.Expr {
	top := e
	for {
		switch n := x.Parent(top).(type) {
		case *syntax.ParenExpr:
			top = n
			continue
		case *syntax.UnaryExpr:
			if n.Op == syntax.OpNot {
				top = n
				continue
			}
		case *syntax.BinaryExpr:
			if n.Op == syntax.OpAnd || n.Op == syntax.OpOr {
				top = n
				continue
			}
		}
		return top
	}
}

// Tested tells whether the truth, the type or the equality of something that is
// written as e is asked for anywhere in the script.
func (x *Index) Tested(e syntax.Expr) bool {
	if x.tested == nil {
		x.tested = map[string]bool{}
		note := func(e syntax.Expr) { x.tested[x.file.Slice(Strip(e).Span())] = true }
		for _, c := range x.Conditions {
			note(c)
			b, ok := c.(*syntax.BinaryExpr)
			if !ok {
				continue
			}
			for _, side := range []syntax.Expr{b.X, b.Y} {
				note(side)
				if call, ok := side.(*syntax.CallExpr); ok && len(call.Args) == 1 {
					note(call.Args[0])
				}
			}
		}
	}
	return x.tested[x.file.Slice(Strip(e).Span())]
}

// Fragment tells whether the file is a part of scripts and none itself: it
// only declares functions.
func (x *Index) Fragment() bool {
	functions := 0
	for _, s := range x.chunk.Main.Body.Stmts {
		switch s := s.(type) {
		case *syntax.LocalFuncStmt, *syntax.FuncStmt:
			functions++
		case *syntax.LocalStmt:
			for _, v := range s.Values {
				if _, ok := v.(*syntax.FuncExpr); ok {
					functions++
				}
			}
		case *syntax.AssignStmt:
		default:
			return false
		}
	}
	return functions > 0
}

// Strip takes parentheses away.
func Strip(e syntax.Expr) syntax.Expr {
	for {
		p, ok := e.(*syntax.ParenExpr)
		if !ok {
			return e
		}
		e = p.X
	}
}
