package syntax

// This file prints trees.

import (
	"fmt"
	"strings"
)

// Print returns a tree as Lua, one statement a line and indented with tabs,
// without its comments. For a tree without errors the text parses to the same
// tree, spans apart, so that printing that one gives the same text. Bad nodes
// print as a comment.
func Print(chunk *Chunk) string {
	var p printer
	if s := chunk.Shebang; s != nil {
		p.WriteString("#!" + s.Text + "\n")
	}
	p.stmts(chunk.Main.Body)
	return p.String()
}

type printer struct {
	strings.Builder
	indent int
}

// line begins a line.
func (p *printer) line() {
	for range p.indent {
		p.WriteByte('\t')
	}
}

// block prints the statements of a block, deeper by one, and what follows.
func (p *printer) block(b *Block, after string) {
	p.WriteByte('\n')
	p.indent++
	p.stmts(b)
	p.indent--
	p.line()
	p.WriteString(after)
}

func (p *printer) stmts(b *Block) {
	for i, s := range b.Stmts {
		p.line()
		p.stmt(s)
		if i+1 < len(b.Stmts) && beginsWithParen(b.Stmts[i+1]) {
			p.WriteByte(';') // or else it were a call of this line
		}
		p.WriteByte('\n')
	}
}

// beginsWithParen tells whether a statement's first token is (.
func beginsWithParen(s Stmt) bool {
	var x Expr
	switch s := s.(type) {
	case *CallStmt:
		x = s.Call
	case *AssignStmt:
		x = s.Targets[0]
	}
	for {
		switch e := x.(type) {
		case *CallExpr:
			x = e.Fun
		case *IndexExpr:
			x = e.X
		case *ParenExpr:
			return true
		default:
			return false
		}
	}
}

func (p *printer) stmt(s Stmt) {
	switch s := s.(type) {
	case *LocalStmt:
		p.WriteString("local ")
		p.names(s.Names)
		if len(s.Values) > 0 {
			p.WriteString(" = ")
			p.exprs(s.Values)
		}
	case *AssignStmt:
		p.exprs(s.Targets)
		p.WriteString(" = ")
		p.exprs(s.Values)
	case *CallStmt:
		p.expr(s.Call)
	case *DoStmt:
		p.WriteString("do")
		p.block(s.Body, "end")
	case *WhileStmt:
		p.WriteString("while ")
		p.expr(s.Cond)
		p.WriteString(" do")
		p.block(s.Body, "end")
	case *RepeatStmt:
		p.WriteString("repeat")
		p.block(s.Body, "until ")
		p.expr(s.Cond)
	case *IfStmt:
		p.ifStmt(s)
	case *NumericFor:
		p.WriteString("for " + s.Var.Name + " = ")
		p.expr(s.Start)
		p.WriteString(", ")
		p.expr(s.Limit)
		if s.Step != nil {
			p.WriteString(", ")
			p.expr(s.Step)
		}
		p.WriteString(" do")
		p.block(s.Body, "end")
	case *GenericFor:
		p.WriteString("for ")
		p.names(s.Vars)
		p.WriteString(" in ")
		p.exprs(s.Exprs)
		p.WriteString(" do")
		p.block(s.Body, "end")
	case *FuncStmt:
		p.WriteString("function ")
		p.funcName(s)
		p.funcBody(s.Func.Func)
	case *LocalFuncStmt:
		p.WriteString("local function " + s.Name.Name)
		p.funcBody(s.Func.Func)
	case *ReturnStmt:
		p.WriteString("return")
		if len(s.Values) > 0 {
			p.WriteByte(' ')
			p.exprs(s.Values)
		}
	case *BreakStmt:
		p.WriteString("break")
	case *BadStmt:
		p.WriteString("-- not a statement")
	}
}

func (p *printer) ifStmt(s *IfStmt) {
	for i, c := range s.Clauses {
		word := "if "
		if i > 0 {
			word = "elseif "
		}
		p.WriteString(word)
		p.expr(c.Cond)
		p.WriteString(" then")
		p.block(c.Body, "")
	}
	if s.Else != nil {
		p.WriteString("else")
		p.block(s.Else, "")
	}
	p.WriteString("end")
}

// funcName prints the name that a function statement assigns to.
func (p *printer) funcName(s *FuncStmt) {
	if i, ok := s.Target.(*IndexExpr); ok && s.Method {
		p.expr(i.X)
		p.WriteString(":" + i.Key.(*StringExpr).Value)
		return
	}
	p.expr(s.Target)
}

// funcBody prints a function from its parameters on.
func (p *printer) funcBody(f *Func) {
	p.WriteByte('(')
	params := f.Params
	if len(params) > 0 && params[0].Kind == LocalSelf {
		params = params[1:]
	}
	p.names(params)
	if f.Vararg {
		if len(params) > 0 {
			p.WriteString(", ")
		}
		p.WriteString("...")
	}
	p.WriteByte(')')
	if len(f.Body.Stmts) == 0 {
		p.WriteString(" end")
		return
	}
	p.block(f.Body, "end")
}

func (p *printer) names(list []*Local) {
	for i, l := range list {
		if i > 0 {
			p.WriteString(", ")
		}
		p.WriteString(l.Name)
	}
}

func (p *printer) exprs(list []Expr) {
	for i, x := range list {
		if i > 0 {
			p.WriteString(", ")
		}
		p.expr(x)
	}
}

func (p *printer) expr(x Expr) {
	switch x := x.(type) {
	case *NilExpr:
		p.WriteString("nil")
	case *BoolExpr:
		fmt.Fprint(p, x.Value)
	case *NumberExpr:
		p.WriteString(x.Text)
	case *StringExpr:
		p.quote(x.Value)
	case *VarargExpr:
		p.WriteString("...")
	case *FuncExpr:
		p.WriteString("function")
		p.funcBody(x.Func)
	case *NameExpr:
		p.WriteString(x.Name)
	case *IndexExpr:
		p.expr(x.X)
		if x.Dot {
			p.WriteString("." + x.Key.(*StringExpr).Value)
			return
		}
		p.WriteByte('[')
		p.expr(x.Key)
		p.WriteByte(']')
	case *CallExpr:
		p.expr(x.Fun)
		if x.Method != nil {
			p.WriteString(":" + x.Method.Value)
		}
		p.WriteByte('(')
		p.exprs(x.Args)
		p.WriteByte(')')
	case *BinaryExpr:
		p.expr(x.X)
		p.WriteString(" " + x.Op.String() + " ")
		p.expr(x.Y)
	case *UnaryExpr:
		p.WriteString(x.Op.String())
		if inner, ok := x.X.(*UnaryExpr); x.Op == OpNot || ok && inner.Op == OpNeg {
			p.WriteByte(' ') // -- would begin a comment
		}
		p.expr(x.X)
	case *TableExpr:
		p.table(x)
	case *ParenExpr:
		p.WriteByte('(')
		p.expr(x.X)
		p.WriteByte(')')
	case *BadExpr:
		p.WriteString("nil --[[not an expression]]")
	}
}

func (p *printer) table(t *TableExpr) {
	p.WriteByte('{')
	for i, f := range t.Fields {
		if i > 0 {
			p.WriteString(", ")
		}
		switch {
		case f.Named:
			p.WriteString(f.Key.(*StringExpr).Value + " = ")
		case f.Key != nil:
			p.WriteByte('[')
			p.expr(f.Key)
			p.WriteString("] = ")
		}
		p.expr(f.Value)
	}
	p.WriteByte('}')
}

// quote prints a string in double quotes, with decimal escapes for all that is
// not printable ASCII.
func (p *printer) quote(s string) {
	p.WriteByte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			p.WriteByte('\\')
			p.WriteByte(c)
		case c == '\n':
			p.WriteString(`\n`)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(p, `\%03d`, c)
		default:
			p.WriteByte(c)
		}
	}
	p.WriteByte('"')
}
