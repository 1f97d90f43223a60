package syntax

// This file parses expressions and function bodies.

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

// binary operators with their priorities on either side; a lower one on the
// right makes them right associative
var operators = [kinds]struct {
	op          Op
	left, right uint8
}{
	tPlus: {OpAdd, 6, 6}, tMinus: {OpSub, 6, 6}, tStar: {OpMul, 7, 7}, tSlash: {OpDiv, 7, 7}, tPercent: {OpMod, 7, 7},
	tCaret: {OpPow, 10, 9}, tConcat: {OpConcat, 5, 4},
	tEq: {OpEq, 3, 3}, tNe: {OpNe, 3, 3}, tLess: {OpLt, 3, 3}, tLe: {OpLe, 3, 3}, tGreater: {OpGt, 3, 3}, tGe: {OpGe, 3, 3},
	tAnd: {OpAnd, 2, 2}, tOr: {OpOr, 1, 1},
}

const unaryPriority = 8

// parseExprs parses a list of at least one expression.
func (p *parser) parseExprs() []Expr {
	base := len(p.exprs.open)
	p.exprs.push(p.parseExpr())
	for !p.lost && p.accept(tComma) {
		p.exprs.push(p.parseExpr())
	}
	return p.exprs.take(base)
}

func (p *parser) parseExpr() Expr { return p.parseBinary(0) }

// parseBinary parses an expression of operators that bind tighter than limit.
func (p *parser) parseBinary(limit uint8) Expr {
	if p.lost {
		return p.bad()
	}
	if !p.enter() {
		p.leave()
		return p.bad()
	}
	var x Expr
	start := p.tok.start
	if op, ok := unary(p.tok.kind); ok {
		p.next()
		u := p.unary.alloc()
		u.Op = op
		u.X = p.parseBinary(unaryPriority)
		u.Pos = p.from(start)
		x = u
	} else {
		x = p.simpleExpr()
	}
	for !p.lost {
		o := &operators[p.tok.kind]
		if o.left <= limit {
			break
		}
		b := p.binary.alloc()
		b.Op, b.OpPos, b.X = o.op, p.tok.start, x
		p.next()
		b.Y = p.parseBinary(o.right)
		b.Pos = p.from(start)
		x = b
	}
	p.leave()
	return x
}

func unary(k kind) (Op, bool) {
	switch k {
	case tNot:
		return OpNot, true
	case tMinus:
		return OpNeg, true
	case tHash:
		return OpLen, true
	}
	return 0, false
}

// bad returns what stands for an expression that is not there.
func (p *parser) bad() Expr {
	return &BadExpr{Pos: source.Span{Start: p.tok.start, End: p.tok.start}}
}

// simpleExpr parses an expression without operators.
func (p *parser) simpleExpr() Expr {
	var x Expr
	switch p.tok.kind {
	case tNumber:
		n := p.number.alloc()
		n.Pos, n.Value, n.Text = p.tok.span(), p.tok.num, p.tok.text
		x = n
	case tString:
		x = p.stringExpr()
	case tNil:
		x = &NilExpr{Pos: p.tok.span()}
	case tTrue, tFalse:
		x = &BoolExpr{Pos: p.tok.span(), Value: p.tok.kind == tTrue}
	case tDots:
		if !p.fn.fn.Vararg {
			p.syntaxError("cannot use '...' outside a vararg function", diag.Diagnostic{
				Message: "found '...' in a function without it",
				Help:    "add ... to the function's parameters, or pass the values on by name",
			})
		}
		x = &VarargExpr{Pos: p.tok.span()}
	case tLbrace:
		return p.parseTable()
	case tFunction:
		start := p.tok.start
		p.next()
		return p.parseFuncBody(start, p.line, nil)
	default:
		return p.parsePrimary()
	}
	p.next()
	return x
}

// stringExpr makes a node of the current token.
func (p *parser) stringExpr() *StringExpr {
	s := p.str.alloc()
	s.Pos, s.Value, s.Long = p.tok.span(), p.tok.text, p.tok.long
	return s
}

// parsePrimary parses a name or a parenthesis with all its indices and calls.
func (p *parser) parsePrimary() Expr {
	start := p.tok.start
	x := p.parsePrefix()
	for !p.lost {
		switch p.tok.kind {
		case tDot:
			x = p.parseField(x)
		case tLbracket:
			i := p.index.alloc()
			i.X, i.Key = x, p.parseBracketed()
			i.Pos = p.from(start)
			x = i
		case tColon:
			p.next()
			c := p.call.alloc()
			c.Fun = x
			m := p.str.alloc()
			m.Value, m.Pos = p.expectName()
			c.Method = m
			p.parseArgs(c)
			c.Pos = p.from(start)
			x = c
		case tLparen, tString, tLbrace:
			c := p.call.alloc()
			c.Fun = x
			p.parseArgs(c)
			c.Pos = p.from(start)
			x = c
		default:
			return x
		}
	}
	return x
}

// parsePrefix parses a name or an expression in parentheses.
func (p *parser) parsePrefix() Expr {
	switch {
	case p.lost:
	case p.tok.kind == tName:
		return p.parseName()
	case p.tok.kind == tLparen:
		o := p.here()
		p.next()
		p.depth++
		x := &ParenExpr{X: p.parseExpr()}
		p.closeBracket(tRparen, o)
		x.Pos = p.from(o.span.Start)
		return x
	}
	p.fail("unexpected symbol", "found "+p.describe(&p.tok)+", expected "+p.expectation())
	return p.bad()
}

// expectation says what could stand at the current token.
func (p *parser) expectation() string {
	if p.tok.start == p.stmtStart {
		return "a statement"
	}
	return "an expression"
}

// parseName parses the use of a variable.
func (p *parser) parseName() *NameExpr {
	n := p.name.alloc()
	n.Name, n.Pos = p.expectName()
	if !p.lost {
		n.Local = p.resolve(n.Name)
	}
	return n
}

// parseField parses .name or :name behind x.
func (p *parser) parseField(x Expr) Expr {
	i := p.index.alloc()
	p.next()
	key := p.str.alloc()
	key.Value, key.Pos = p.expectName()
	i.X, i.Key, i.Dot = x, key, true
	i.Pos = p.from(x.Span().Start)
	return i
}

// parseBracketed parses [x].
func (p *parser) parseBracketed() Expr {
	p.next()
	p.depth++
	x := p.parseExpr()
	p.expect(tRbracket)
	p.depth--
	return x
}

// closeBracket steps over ) or }.
func (p *parser) closeBracket(want kind, o opener) {
	if !p.lost && p.tok.kind != want {
		p.unmatched(want, o, "")
		p.giveUp()
	}
	p.depth--
	if !p.lost {
		p.next()
	}
}

// parseArgs parses the arguments of a call.
func (p *parser) parseArgs(c *CallExpr) {
	c.Paren = p.tok.start
	switch {
	case p.lost:
	case p.tok.kind == tString:
		c.Paren = p.tok.end - 1
		p.exprs.push(p.stringExpr())
		c.Args = p.exprs.take(len(p.exprs.open) - 1)
		p.next()
	case p.tok.kind == tLbrace:
		p.exprs.push(p.parseTable())
		c.Args = p.exprs.take(len(p.exprs.open) - 1)
	case p.tok.kind == tLparen:
		if p.line != p.lastLine {
			p.syntaxError("ambiguous syntax (function call x new statement)", diag.Diagnostic{
				Message: "found '(' on a new line, which may be a call of the line before or a new statement",
				Help:    "put ';' behind the line before, or '(' on it",
			})
		}
		o := p.here()
		p.next()
		p.depth++
		base := len(p.exprs.open)
		if p.tok.kind != tRparen {
			p.exprs.push(p.parseExpr())
			for !p.lost && (p.accept(tComma) || p.missingComma(tRparen, o)) {
				p.exprs.push(p.parseExpr())
			}
		}
		c.Args = p.exprs.take(base)
		p.closeBracket(tRparen, o)
	default:
		p.fail("function arguments expected", "found "+p.describe(&p.tok)+", expected the arguments of a call")
	}
}

// missingComma tells whether the current token seems to be the next element of
// a list that lacks a comma, and reports it.
func (p *parser) missingComma(want kind, o opener) bool {
	if p.tok.kind == want || !p.tok.kind.startsExpr() {
		return false
	}
	if p.firstOnLine() && p.column(p.tok.start) <= p.column(p.stmtStart) {
		return false // more likely a new statement
	}
	p.unmatched(want, o, "put a comma between two elements")
	if p.startsStmt() {
		return false
	}
	p.quietLine = p.line
	return true
}

// parseTable parses a table constructor.
func (p *parser) parseTable() Expr {
	t := &TableExpr{}
	o := p.here()
	p.next()
	p.depth++
	base := len(p.fields.open)
	for p.tok.kind != tRbrace && !p.lost {
		p.fields.push(p.parseTableField())
		if p.lost || !p.accept(tComma) && !p.accept(tSemi) && !p.missingComma(tRbrace, o) {
			break
		}
	}
	t.Fields = p.fields.take(base)
	p.closeBracket(tRbrace, o)
	t.Pos = p.from(o.span.Start)
	return t
}

func (p *parser) parseTableField() TableField {
	switch {
	case p.tok.kind == tName && p.peek() == tAssign:
		key := p.stringExpr()
		p.next()
		p.next()
		return TableField{Key: key, Named: true, Value: p.parseExpr()}
	case p.tok.kind == tLbracket:
		key := p.parseBracketed()
		p.expect(tAssign)
		return TableField{Key: key, Value: p.parseExpr()}
	}
	return TableField{Value: p.parseExpr()}
}

// parseFuncBody parses the parameters and the block of a function that begins
// at start; line is where Lua says it begins, and self is a method's.
func (p *parser) parseFuncBody(start source.Pos, line int, self *Local) *FuncExpr {
	tokens, depth, stmt, quiet := p.tokens-p.stmtTokens, p.depth, p.stmtStart, p.quiet
	f := p.openFunc(start, line)
	o := opener{tFunction, line, source.Span{Start: start, End: start + source.Pos(len("function"))}}
	p.expect(tLparen)
	p.parseParams(self)
	if !p.lost {
		p.expect(tRparen)
	}
	p.resumeBody()
	f.fn.Body = p.parseBlock(o, tEnd)
	p.closeBlock(tEnd, o)
	p.stmtTokens, p.depth, p.stmtStart, p.quiet = p.tokens-tokens, depth, stmt, p.quiet || quiet
	return &FuncExpr{Func: p.closeFunc()}
}

// resumeBody goes on with the body of a function whose parameters are broken,
// behind the line they are on.
func (p *parser) resumeBody() {
	if !p.lost {
		return
	}
	for line := p.line; p.line == line && !p.startsStmt() && !p.tok.kind.closesBlock(); {
		if p.accept(tRparen) {
			break
		}
		p.skip()
	}
	p.lost = false
}

func (p *parser) parseParams(self *Local) {
	fn := p.fn.fn
	base := len(p.locals.open)
	if self != nil {
		self.Func = fn
		p.all.push(self)
		p.locals.push(self)
	}
	for more := p.tok.kind != tRparen; more && !p.lost; more = p.accept(tComma) {
		if p.tok.kind == tDots {
			pos := p.tok.span()
			p.next()
			fn.Vararg = true
			arg := p.declare("arg", pos, LocalArg, len(p.locals.open)-base)
			fn.Params = p.locals.take(base)
			p.activate(fn.Params...)
			p.activate(arg)
			return
		}
		if p.tok.kind != tName {
			p.fail("<name> or '...' expected", "found "+p.describe(&p.tok)+", expected a parameter or '...'")
			break
		}
		name, pos := p.expectName()
		p.locals.push(p.declare(name, pos, LocalParam, len(p.locals.open)-base))
	}
	fn.Params = p.locals.take(base)
	p.activate(fn.Params...)
}
