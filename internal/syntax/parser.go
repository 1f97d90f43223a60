package syntax

// This file implements the parser's frame: its state, how it moves over
// tokens, and the nesting it allows. The grammar is in statements.go and
// expressions.go. It takes the same steps in the same order as lparser.c of
// Lua 5.1.5, so that the first error is the one that Redis reports.

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

// Limits of Lua 5.1 as Redis builds it.
const (
	maxLevels   = 200 // LUAI_MAXCCALLS: nested blocks and subexpressions
	maxLocals   = 200 // LUAI_MAXVARS: active in one function
	maxUpvalues = 60  // LUAI_MAXUPVALUES: of one function
)

// Parse reads a file. The tree is complete and usable whatever the file holds:
// what could not be read is a BadStmt or BadExpr. The diagnostics are in the
// order in which Redis would meet them; all are errors, and with none of them
// Redis compiles the file.
func Parse(file *source.File) (*Chunk, []diag.Diagnostic) {
	p := parser{file: file, lexer: lexer{src: file.Text, line: 1}}
	p.sizeBlocks(len(file.Text))
	chunk := &Chunk{File: file}
	chunk.Shebang = p.parseShebang()
	p.next()
	chunk.Main = p.parseMain()
	if p.crowded || p.tokens > maxDeclared {
		p.checkLimits(chunk.Main)
	}
	chunk.Comments = p.comments
	chunk.Refusal = p.refusal
	return chunk, p.diags
}

type parser struct {
	lexer
	file *source.File

	tok      token // the current token
	ahead    token // the one behind it, when hasAhead
	hasAhead bool
	prevEnd  source.Pos // where the token before tok ends
	lastLine int        // the line of the lexer when tok became current

	fn     *function
	levels int // nested blocks and subexpressions
	depth  int // brackets open in the current statement

	errorState
	limitState
	nodes
	stmts  stack[Stmt]
	exprs  stack[Expr]
	fields stack[TableField]
	locals stack[*Local] // in lists
	all    stack[*Local] // of functions
}

// nodes are the slabs of the frequent nodes.
type nodes struct {
	local      slab[Local]
	block      slab[Block]
	localStmt  slab[LocalStmt]
	assignStmt slab[AssignStmt]
	callStmt   slab[CallStmt]
	ifStmt     slab[IfStmt]
	returnStmt slab[ReturnStmt]
	number     slab[NumberExpr]
	str        slab[StringExpr]
	name       slab[NameExpr]
	index      slab[IndexExpr]
	call       slab[CallExpr]
	binary     slab[BinaryExpr]
	unary      slab[UnaryExpr]
}

// next makes the next token current.
func (p *parser) next() {
	p.prevEnd = p.tok.end
	p.lastLine = p.line
	p.tokens++
	if p.hasAhead {
		p.tok, p.hasAhead = p.ahead, false
		return
	}
	p.scan(&p.tok)
	if len(p.errors) > 0 {
		p.lexicalErrors()
	}
}

// peek returns the kind of the token behind the current one.
func (p *parser) peek() kind {
	if !p.hasAhead {
		p.scan(&p.ahead)
		p.hasAhead = true
		p.lexicalErrors()
	}
	return p.ahead.kind
}

// accept steps over the current token if it is of a kind.
func (p *parser) accept(k kind) bool {
	if p.tok.kind != k {
		return false
	}
	p.next()
	return true
}

// from returns the span from start to the end of the last token.
func (p *parser) from(start source.Pos) source.Span {
	return source.Span{Start: start, End: max(start, p.prevEnd)}
}

// enter counts a level of nesting; it tells whether Lua allows it.
func (p *parser) enter() bool {
	p.levels++
	if p.levels <= maxLevels {
		return true
	}
	p.limitError("chunk has too many syntax levels", "found more than 200 levels of nesting, more than Lua allows")
	p.abandon()
	return false
}

func (p *parser) leave() { p.levels-- }

// opener is the token that a later one has to match.
type opener struct {
	kind kind
	line int // as Lua gives it in messages
	span source.Span
}

// here returns the current token as one that has to be matched.
func (p *parser) here() opener {
	return opener{p.tok.kind, p.line, p.tok.span()}
}
