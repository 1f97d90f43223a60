package syntax

// This file walks the tree.

// Inspect calls visit for node and, where that returns true, for all nodes
// below it, in the order of the text. The nodes are *Chunk, *Block, *Func,
// *Local where it is declared, and all statements and expressions; the name of
// a method is visited as a StringExpr.
func Inspect(node Node, visit func(Node) bool) {
	if node == nil || !visit(node) {
		return
	}
	w := walker{visit}
	switch n := node.(type) {
	case *Chunk:
		Inspect(n.Main, visit)
	case *Block:
		for _, s := range n.Stmts {
			Inspect(s, visit)
		}
	case *Func:
		w.locals(n.Params)
		w.block(n.Body)
	case Stmt:
		w.stmt(n)
	case Expr:
		w.expr(n)
	}
}

type walker struct{ visit func(Node) bool }

func (w walker) locals(list []*Local) {
	for _, l := range list {
		Inspect(l, w.visit)
	}
}

func (w walker) exprs(list []Expr) {
	for _, x := range list {
		Inspect(x, w.visit)
	}
}

func (w walker) block(b *Block) {
	if b != nil {
		Inspect(b, w.visit)
	}
}

// stmt walks what is below a statement.
func (w walker) stmt(s Stmt) {
	switch s := s.(type) {
	case *LocalStmt:
		w.locals(s.Names)
		w.exprs(s.Values)
	case *AssignStmt:
		w.exprs(s.Targets)
		w.exprs(s.Values)
	case *CallStmt:
		Inspect(s.Call, w.visit)
	case *DoStmt:
		w.block(s.Body)
	case *WhileStmt:
		Inspect(s.Cond, w.visit)
		w.block(s.Body)
	case *RepeatStmt:
		w.block(s.Body)
		Inspect(s.Cond, w.visit)
	case *IfStmt:
		for _, c := range s.Clauses {
			Inspect(c.Cond, w.visit)
			w.block(c.Body)
		}
		w.block(s.Else)
	case *NumericFor:
		Inspect(s.Var, w.visit)
		Inspect(s.Start, w.visit)
		Inspect(s.Limit, w.visit)
		Inspect(s.Step, w.visit)
		w.block(s.Body)
	case *GenericFor:
		w.locals(s.Vars)
		w.exprs(s.Exprs)
		w.block(s.Body)
	case *FuncStmt:
		Inspect(s.Target, w.visit)
		Inspect(s.Func, w.visit)
	case *LocalFuncStmt:
		Inspect(s.Name, w.visit)
		Inspect(s.Func, w.visit)
	case *ReturnStmt:
		w.exprs(s.Values)
	}
}

// expr walks what is below an expression.
func (w walker) expr(x Expr) {
	switch x := x.(type) {
	case *FuncExpr:
		Inspect(x.Func, w.visit)
	case *IndexExpr:
		Inspect(x.X, w.visit)
		Inspect(x.Key, w.visit)
	case *CallExpr:
		Inspect(x.Fun, w.visit)
		if x.Method != nil {
			Inspect(x.Method, w.visit)
		}
		w.exprs(x.Args)
	case *BinaryExpr:
		Inspect(x.X, w.visit)
		Inspect(x.Y, w.visit)
	case *UnaryExpr:
		Inspect(x.X, w.visit)
	case *TableExpr:
		for _, f := range x.Fields {
			Inspect(f.Key, w.visit)
			Inspect(f.Value, w.visit)
		}
	case *ParenExpr:
		Inspect(x.X, w.visit)
	}
}
