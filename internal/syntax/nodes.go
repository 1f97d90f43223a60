// Package syntax reads Lua 5.1 as Redis accepts it: tokens with exact spans,
// all comments, a tree, and every syntax error of a file in one run. It knows
// nothing of Redis beyond the #! line.
package syntax

// This file declares the tree.

import "github.com/luagen/luagen/internal/source"

// Node is a part of the tree.
type Node interface {
	// Span returns the bytes from the node's first token to the end of its
	// last. Parentheses around an expression are a ParenExpr's.
	Span() source.Span
}

// Chunk is a whole file.
type Chunk struct {
	File     *source.File
	Shebang  *Shebang // nil without a #! line
	Main     *Func    // the main function: vararg, no parameters
	Comments []*Comment
	Refusal  *Refusal // nil for a file that Redis compiles
}

// Refusal is what Redis itself says of a file that it does not compile. Redis
// stops at the first error and prints
// "Error compiling script (new function): user_script:LINE: MESSAGE".
type Refusal struct {
	Line    int    // from 1; 0 where Redis gives none
	Message string // as in "'=' expected near 'x'"
	Shebang bool   // the #! line is refused: Redis prints the message alone
}

// Shebang is the first line of a file when it begins with #!.
type Shebang struct {
	Text  string      // without #! and the line break
	Pos   source.Span // with #!, without the line break
	Flags []string    // of flags=a,b, as written; also those that Redis does not know
}

// Comment is one comment, short or long.
type Comment struct {
	Pos  source.Span // from -- to the end of the line, or to the closing bracket
	Text string      // what stands inside: without --, and without --[==[ and ]==]
	Long bool
}

// Block is a list of statements in a scope of its own.
type Block struct {
	Pos   source.Span // between the surrounding keywords
	Stmts []Stmt
}

// Func is a function: its parameters and body. The main chunk is one too.
type Func struct {
	Pos    source.Span // from function to end; the main function has the whole file
	Params []*Local    // with self first for a method; without arg
	Vararg bool        // has ... in its parameters; the main function too
	Body   *Block
	Parent *Func    // nil for the main function
	Locals []*Local // every local declared in it, in order, parameters and loop variables too
}

// LocalKind says how a local came to be.
type LocalKind uint8

// The kinds of locals.
const (
	LocalVar   LocalKind = iota // local x
	LocalParam                  // a parameter
	LocalSelf                   // the self of a method
	LocalLoop                   // a loop variable
	LocalFunc                   // local function x
	LocalArg                    // the arg of a vararg function: a table, or nil where the function uses ...
)

// Local is one local variable: a declaration, not a use.
type Local struct {
	Name     string
	Pos      source.Span
	Kind     LocalKind
	Func     *Func // the function that declares it
	Captured bool  // an inner function uses it
	Assigned bool  // something assigns to it after its declaration
}

// Stmt is a statement.
type Stmt interface {
	Node
	stmt()
}

type (
	// LocalStmt is local a, b = x, y.
	LocalStmt struct {
		Pos    source.Span
		Names  []*Local
		Values []Expr
	}
	// AssignStmt is a, b.c = x, y. Targets are NameExpr and IndexExpr.
	AssignStmt struct {
		Pos     source.Span
		Targets []Expr
		Values  []Expr
	}
	// CallStmt is a call for its effect.
	CallStmt struct {
		Call *CallExpr
	}
	// DoStmt is do … end.
	DoStmt struct {
		Pos  source.Span
		Body *Block
	}
	// WhileStmt is while c do … end.
	WhileStmt struct {
		Pos  source.Span
		Cond Expr
		Body *Block
	}
	// RepeatStmt is repeat … until c; Cond sees the locals of Body.
	RepeatStmt struct {
		Pos  source.Span
		Body *Block
		Cond Expr
	}
	// IfStmt is if … elseif … else … end.
	IfStmt struct {
		Pos     source.Span
		Clauses []IfClause // if and every elseif
		Else    *Block     // nil without
	}
	// NumericFor is for i = start, limit, step do … end.
	NumericFor struct {
		Pos                source.Span
		Var                *Local
		Start, Limit, Step Expr // Step is nil without
		Body               *Block
	}
	// GenericFor is for k, v in exprs do … end.
	GenericFor struct {
		Pos   source.Span
		Vars  []*Local
		Exprs []Expr
		Body  *Block
	}
	// FuncStmt is function a.b.c() or function a:b(). Target is a NameExpr or
	// an IndexExpr.
	FuncStmt struct {
		Pos    source.Span
		Target Expr
		Method bool
		Func   *FuncExpr
	}
	// LocalFuncStmt is local function f(); its body sees f.
	LocalFuncStmt struct {
		Pos  source.Span
		Name *Local
		Func *FuncExpr
	}
	// ReturnStmt is return a, b.
	ReturnStmt struct {
		Pos    source.Span
		Values []Expr
	}
	// BreakStmt is break.
	BreakStmt struct {
		Pos source.Span
	}
	// BadStmt stands for tokens that are no statement; only in a tree whose
	// parse had errors.
	BadStmt struct {
		Pos source.Span
	}
)

// IfClause is one condition with its block.
type IfClause struct {
	Pos  source.Span // from if or elseif to the end of the block
	Cond Expr
	Body *Block
}

// Expr is an expression.
type Expr interface {
	Node
	expr()
}

type (
	// NilExpr is nil.
	NilExpr struct{ Pos source.Span }
	// BoolExpr is true or false.
	BoolExpr struct {
		Pos   source.Span
		Value bool
	}
	// NumberExpr is a numeral; Text is as written.
	NumberExpr struct {
		Pos   source.Span
		Value float64
		Text  string
	}
	// StringExpr is a string literal; Value holds its bytes, escapes undone.
	StringExpr struct {
		Pos   source.Span
		Value string
		Long  bool // [[…]]
	}
	// VarargExpr is ….
	VarargExpr struct{ Pos source.Span }
	// FuncExpr is function (…) … end.
	FuncExpr struct {
		Func *Func
	}
	// NameExpr is a use of a variable. Local is nil for a global.
	NameExpr struct {
		Pos   source.Span
		Name  string
		Local *Local
	}
	// IndexExpr is x[k], or x.name when Dot; then Key is a StringExpr over the name.
	IndexExpr struct {
		Pos source.Span
		X   Expr
		Key Expr
		Dot bool
	}
	// CallExpr is f(…), f"…", f{…}, or x:m(…) when Method is not nil; then Fun is x.
	CallExpr struct {
		Pos    source.Span
		Fun    Expr
		Method *StringExpr // the method's name; over the name's span
		Args   []Expr
		Paren  source.Pos // a place on the line that Lua reports for the call: its ( or {, or the last byte of a single string
	}
	// BinaryExpr is x op y.
	BinaryExpr struct {
		Pos   source.Span
		Op    Op
		OpPos source.Pos
		X, Y  Expr
	}
	// UnaryExpr is -x, not x or #x.
	UnaryExpr struct {
		Pos source.Span
		Op  Op
		X   Expr
	}
	// TableExpr is {…}.
	TableExpr struct {
		Pos    source.Span
		Fields []TableField
	}
	// ParenExpr is (x): it keeps one value of a call or of ….
	ParenExpr struct {
		Pos source.Span
		X   Expr
	}
	// BadExpr stands where an expression was expected; only in a tree whose
	// parse had errors.
	BadExpr struct {
		Pos source.Span
	}
)

// TableField is one entry of a table constructor. Key is nil for a positional
// one, and a StringExpr over the name for name = value.
type TableField struct {
	Key   Expr
	Named bool // name = value rather than [key] = value
	Value Expr
}

// Op is an operator.
type Op uint8

// The operators.
const (
	OpAdd    Op = iota // +
	OpSub              // -
	OpMul              // *
	OpDiv              // /
	OpMod              // %
	OpPow              // ^
	OpConcat           // ..
	OpEq               // ==
	OpNe               // ~=
	OpLt               // <
	OpLe               // <=
	OpGt               // >
	OpGe               // >=
	OpAnd              // and
	OpOr               // or
	OpNeg              // unary -
	OpNot              // not
	OpLen              // #
)

var opText = [...]string{"+", "-", "*", "/", "%", "^", "..", "==", "~=", "<", "<=", ">", ">=", "and", "or", "-", "not", "#"}

// String returns the operator as it is written.
func (op Op) String() string { return opText[op] }

func (c *Chunk) Span() source.Span   { return c.Main.Pos }
func (b *Block) Span() source.Span   { return b.Pos }
func (f *Func) Span() source.Span    { return f.Pos }
func (l *Local) Span() source.Span   { return l.Pos }
func (c *Comment) Span() source.Span { return c.Pos }

func (s *LocalStmt) Span() source.Span     { return s.Pos }
func (s *AssignStmt) Span() source.Span    { return s.Pos }
func (s *CallStmt) Span() source.Span      { return s.Call.Pos }
func (s *DoStmt) Span() source.Span        { return s.Pos }
func (s *WhileStmt) Span() source.Span     { return s.Pos }
func (s *RepeatStmt) Span() source.Span    { return s.Pos }
func (s *IfStmt) Span() source.Span        { return s.Pos }
func (s *NumericFor) Span() source.Span    { return s.Pos }
func (s *GenericFor) Span() source.Span    { return s.Pos }
func (s *FuncStmt) Span() source.Span      { return s.Pos }
func (s *LocalFuncStmt) Span() source.Span { return s.Pos }
func (s *ReturnStmt) Span() source.Span    { return s.Pos }
func (s *BreakStmt) Span() source.Span     { return s.Pos }
func (s *BadStmt) Span() source.Span       { return s.Pos }

func (e *NilExpr) Span() source.Span    { return e.Pos }
func (e *BoolExpr) Span() source.Span   { return e.Pos }
func (e *NumberExpr) Span() source.Span { return e.Pos }
func (e *StringExpr) Span() source.Span { return e.Pos }
func (e *VarargExpr) Span() source.Span { return e.Pos }
func (e *FuncExpr) Span() source.Span   { return e.Func.Pos }
func (e *NameExpr) Span() source.Span   { return e.Pos }
func (e *IndexExpr) Span() source.Span  { return e.Pos }
func (e *CallExpr) Span() source.Span   { return e.Pos }
func (e *BinaryExpr) Span() source.Span { return e.Pos }
func (e *UnaryExpr) Span() source.Span  { return e.Pos }
func (e *TableExpr) Span() source.Span  { return e.Pos }
func (e *ParenExpr) Span() source.Span  { return e.Pos }
func (e *BadExpr) Span() source.Span    { return e.Pos }

func (*LocalStmt) stmt()     {}
func (*AssignStmt) stmt()    {}
func (*CallStmt) stmt()      {}
func (*DoStmt) stmt()        {}
func (*WhileStmt) stmt()     {}
func (*RepeatStmt) stmt()    {}
func (*IfStmt) stmt()        {}
func (*NumericFor) stmt()    {}
func (*GenericFor) stmt()    {}
func (*FuncStmt) stmt()      {}
func (*LocalFuncStmt) stmt() {}
func (*ReturnStmt) stmt()    {}
func (*BreakStmt) stmt()     {}
func (*BadStmt) stmt()       {}

func (*NilExpr) expr()    {}
func (*BoolExpr) expr()   {}
func (*NumberExpr) expr() {}
func (*StringExpr) expr() {}
func (*VarargExpr) expr() {}
func (*FuncExpr) expr()   {}
func (*NameExpr) expr()   {}
func (*IndexExpr) expr()  {}
func (*CallExpr) expr()   {}
func (*BinaryExpr) expr() {}
func (*UnaryExpr) expr()  {}
func (*TableExpr) expr()  {}
func (*ParenExpr) expr()  {}
func (*BadExpr) expr()    {}
