package syntax

// This file parses statements and blocks.

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

// parseMain parses the whole file.
func (p *parser) parseMain() *Func {
	p.failedAt = -1
	f := p.openFunc(0, 0)
	f.fn.Vararg = true
	f.fn.Body = p.parseBlock(opener{kind: tEOF}, tEOF)
	p.closeFunc()
	f.fn.Pos = source.Span{End: source.Pos(len(p.src))}
	f.fn.Body.Pos = f.fn.Pos
	return f.fn
}

// parseBlock parses statements up to what ends the block, in a scope of their
// own. The block is what o opened, and want should close it.
func (p *parser) parseBlock(o opener, want kind) *Block {
	scope := len(p.fn.active)
	b := p.parseStmts(o, want)
	p.deactivate(scope)
	return b
}

// parseStmts is parseBlock without its scope.
func (p *parser) parseStmts(o opener, want kind) *Block {
	b := p.block.alloc()
	b.Pos.Start = p.prevEnd
	base := len(p.stmts.open)
	if p.enter() {
		for p.inBlock(o, want) {
			p.beginStmt()
			start := p.tok.start
			s, last := p.parseStmt()
			if p.lost {
				s = p.salvage(s, start)
				p.recover(start)
			}
			p.accept(tSemi)
			p.stmts.push(s)
			if last && !p.tok.kind.closesBlock() {
				word := p.wordAt(start)
				p.unmatched(want, o, word+" must be the last statement of its block: write do "+word+" … end")
			}
		}
	}
	p.leave()
	p.countTokens()
	b.Stmts = p.stmts.take(base)
	b.Pos.End = max(b.Pos.Start, p.tok.start)
	return b
}

// beginStmt resets what is kept for a statement.
func (p *parser) beginStmt() {
	p.countTokens()
	p.depth = 0
	p.stmtStart = p.tok.start
	if p.quietFrom < p.line {
		p.quiet = false
	}
}

// salvage returns the statement that was given up, or a BadStmt.
func (p *parser) salvage(s Stmt, start source.Pos) Stmt {
	if s == nil {
		return &BadStmt{Pos: p.from(start)}
	}
	return s
}

// inBlock tells whether the current token belongs to the block. A keyword that
// no block around this one waits for is reported and stepped over.
func (p *parser) inBlock(o opener, want kind) bool {
	for p.tok.kind.closesBlock() {
		switch {
		case p.tok.kind == tEOF, p.tok.kind == want, p.over:
			return false
		case p.tok.kind == tEnd && p.fn.outer != nil, p.tok.kind == tEnd && o.kind != tEOF:
			return false
		case (p.tok.kind == tElse || p.tok.kind == tElseif) && p.fn.ifs > 0:
			return false
		case p.tok.kind == tUntil && p.fn.repeats > 0:
			return false
		}
		p.unmatched(want, o, "no open block needs this '"+p.tok.kind.String()+"'")
		p.skipStray()
	}
	return true
}

// skipStray steps over a keyword that closes nothing, and over the condition
// that belongs to it.
func (p *parser) skipStray() {
	word := p.tok.kind
	p.next()
	if word == tEnd || word == tElse {
		p.accept(tSemi)
		return
	}
	p.lost = false
	p.parseExpr()
	p.lost = false
	if word == tElseif {
		p.accept(tThen)
	}
}

// closeBlock steps over the keyword that ends what o opened. Where it is
// missing, the block ends nevertheless.
func (p *parser) closeBlock(want kind, o opener) {
	if p.accept(want) {
		return
	}
	help := ""
	if p.tok.kind == tEOF && p.elseIf {
		help = "'else if' opens a second if: write elseif, or one more end"
	}
	p.unmatched(want, o, help)
	if want == tUntil && p.tok.kind == tEnd {
		p.next() // repeat … end
	}
}

// parseStmt parses one statement and tells whether it must be the last of its
// block. It may return nil when the statement is lost.
func (p *parser) parseStmt() (s Stmt, last bool) {
	switch p.tok.kind {
	case tIf:
		return p.parseIf(), false
	case tWhile:
		return p.parseWhile(), false
	case tDo:
		o := p.here()
		p.next()
		s := &DoStmt{Body: p.parseBlock(o, tEnd)}
		p.closeBlock(tEnd, o)
		s.Pos = p.from(o.span.Start)
		return s, false
	case tFor:
		return p.parseFor(), false
	case tRepeat:
		return p.parseRepeat(), false
	case tFunction:
		return p.parseFuncStmt(), false
	case tLocal:
		return p.parseLocal(), false
	case tReturn:
		return p.parseReturn(), true
	case tBreak:
		s := &BreakStmt{Pos: p.tok.span()}
		p.next()
		if p.fn.loops == 0 {
			p.syntaxError("no loop to break", diag.Diagnostic{
				Span: s.Pos, Message: "found 'break' outside a loop", Help: "use return to leave the script or function",
			})
		}
		return s, true
	}
	return p.parseExprStmt(), false
}

func (p *parser) parseIf() Stmt {
	o := p.here()
	s := p.ifStmt.alloc()
	p.fn.ifs++
	s.Clauses = append(make([]IfClause, 0, 1), p.parseClause(o))
	for p.tok.kind == tElseif {
		s.Clauses = append(s.Clauses, p.parseClause(o))
	}
	if line := p.line; p.accept(tElse) {
		p.elseIf = p.elseIf || p.tok.kind == tIf && p.line == line
		s.Else = p.parseBlock(o, tEnd)
		for p.tok.kind == tElse || p.tok.kind == tElseif {
			p.unmatched(tEnd, o, "else is the last part of an if")
			p.skipStray()
			p.parseBlock(o, tEnd)
		}
	}
	p.fn.ifs--
	p.closeBlock(tEnd, o)
	s.Pos = p.from(o.span.Start)
	return s
}

// parseClause parses if or elseif with its block.
func (p *parser) parseClause(o opener) IfClause {
	start := p.tok.start
	p.next()
	cond := p.parseExpr()
	p.expectWord(tThen)
	body := p.parseBlock(o, tEnd)
	return IfClause{Pos: p.from(start), Cond: cond, Body: body}
}

func (p *parser) parseWhile() Stmt {
	o := p.here()
	p.next()
	s := &WhileStmt{Cond: p.parseExpr()}
	p.fn.loops++
	p.expectWord(tDo)
	s.Body = p.parseBlock(o, tEnd)
	p.fn.loops--
	p.closeBlock(tEnd, o)
	s.Pos = p.from(o.span.Start)
	return s
}

func (p *parser) parseRepeat() Stmt {
	o := p.here()
	scope := len(p.fn.active)
	p.fn.loops++
	p.fn.repeats++
	p.next()
	s := &RepeatStmt{}
	s.Body = p.parseStmts(o, tUntil)
	p.fn.repeats--
	if p.tok.kind == tUntil {
		p.next()
		p.depth = 0
		s.Cond = p.parseExpr()
	} else {
		p.closeBlock(tUntil, o)
		s.Cond = &BadExpr{Pos: source.Span{Start: p.prevEnd, End: p.prevEnd}}
	}
	p.deactivate(scope)
	p.fn.loops--
	s.Pos = p.from(o.span.Start)
	return s
}

func (p *parser) parseFor() Stmt {
	o := p.here()
	scope := len(p.fn.active)
	p.next()
	name, pos := p.expectName()
	var s Stmt
	switch {
	case p.tok.kind == tAssign && !p.lost:
		s = p.parseNumericFor(o, name, pos)
	case p.tok.kind == tComma, p.tok.kind == tIn:
		s = p.parseGenericFor(o, name, pos)
	default:
		p.fail("'=' or 'in' expected", "found "+p.describe(&p.tok)+", expected '=' or 'in'")
		s = p.parseGenericFor(o, name, pos)
	}
	p.deactivate(scope)
	return s
}

// forBody parses the body of a for loop; its variables are in scope inside.
func (p *parser) forBody(o opener, vars []*Local) (*Block, source.Span) {
	p.activate(hidden, hidden, hidden)
	p.fn.loops++
	p.expectWord(tDo)
	p.activate(vars...)
	body := p.parseBlock(o, tEnd)
	p.fn.loops--
	p.closeBlock(tEnd, o)
	return body, p.from(o.span.Start)
}

func (p *parser) parseNumericFor(o opener, name string, pos source.Span) Stmt {
	s := &NumericFor{}
	p.checkLocals(3)
	s.Var = p.declare(name, pos, LocalLoop, 3)
	p.next()
	s.Start = p.parseExpr()
	p.expect(tComma)
	s.Limit = p.parseExpr()
	if !p.lost && p.accept(tComma) {
		s.Step = p.parseExpr()
	}
	s.Body, s.Pos = p.forBody(o, []*Local{s.Var})
	return s
}

func (p *parser) parseGenericFor(o opener, name string, pos source.Span) Stmt {
	s := &GenericFor{}
	p.checkLocals(3)
	base := len(p.locals.open)
	p.locals.push(p.declare(name, pos, LocalLoop, 3))
	for !p.lost && p.accept(tComma) {
		name, pos := p.expectName()
		p.locals.push(p.declare(name, pos, LocalLoop, 3+len(p.locals.open)-base))
	}
	s.Vars = p.locals.take(base)
	p.expect(tIn)
	s.Exprs = p.parseExprs()
	s.Body, s.Pos = p.forBody(o, s.Vars)
	return s
}

func (p *parser) parseLocal() Stmt {
	start := p.tok.start
	p.next()
	if p.tok.kind == tFunction {
		fn := p.tok.start
		p.next()
		name, pos := p.expectName()
		s := &LocalFuncStmt{Name: p.declare(name, pos, LocalFunc, 0)}
		p.activate(s.Name)
		s.Func = p.parseFuncBody(fn, p.line, nil)
		s.Pos = p.from(start)
		return s
	}
	s := p.localStmt.alloc()
	base := len(p.locals.open)
	for {
		name, pos := p.expectName()
		p.locals.push(p.declare(name, pos, LocalVar, len(p.locals.open)-base))
		if p.lost || !p.accept(tComma) {
			break
		}
	}
	s.Names = p.locals.take(base)
	if !p.lost && p.accept(tAssign) {
		s.Values = p.parseExprs()
	}
	p.activate(s.Names...)
	s.Pos = p.from(start)
	return s
}

func (p *parser) parseFuncStmt() Stmt {
	start, line := p.tok.start, p.line
	p.next()
	s := &FuncStmt{}
	name := p.parseName()
	s.Target = name
	for !p.lost && p.tok.kind == tDot {
		s.Target = p.parseField(s.Target)
	}
	var self *Local
	if p.tok.kind == tColon && !p.lost {
		colon := p.tok.span()
		s.Target = p.parseField(s.Target)
		s.Method = true
		self = &Local{Name: "self", Pos: colon, Kind: LocalSelf}
	}
	if s.Target == Expr(name) && name.Local != nil {
		name.Local.Assigned = true
	}
	s.Func = p.parseFuncBody(start, line, self)
	s.Pos = p.from(start)
	return s
}

func (p *parser) parseReturn() Stmt {
	s := p.returnStmt.alloc()
	start := p.tok.start
	p.next()
	if !p.tok.kind.closesBlock() && p.tok.kind != tSemi {
		s.Values = p.parseExprs()
	}
	s.Pos = p.from(start)
	return s
}

// parseExprStmt parses a call or an assignment.
func (p *parser) parseExprStmt() Stmt {
	start := p.tok.start
	x := p.parsePrimary()
	if p.lost {
		if c, ok := x.(*CallExpr); ok {
			return &CallStmt{Call: c}
		}
		return nil
	}
	if c, ok := x.(*CallExpr); ok {
		s := p.callStmt.alloc()
		s.Call = c
		return s
	}
	return p.parseAssign(start, x)
}

// parseAssign parses an assignment of which the first target is read.
func (p *parser) parseAssign(start source.Pos, x Expr) Stmt {
	base := len(p.exprs.open)
	p.exprs.push(x)
	for {
		if !assignable(p.exprs.open[len(p.exprs.open)-1]) {
			p.fail("syntax error", "found "+p.describe(&p.tok)+", expected a statement")
			break
		}
		if !p.accept(tComma) {
			p.expectAssign(x, len(p.exprs.open)-base)
			break
		}
		x := p.parsePrimary()
		if n := len(p.exprs.open) - base; n > maxLevels-p.levels {
			p.tooMany(p.fn, maxLevels-p.levels, "variables in assignment")
		}
		p.exprs.push(x)
		if p.lost {
			break
		}
	}
	s := p.assignStmt.alloc()
	s.Targets = p.exprs.take(base)
	if !p.lost {
		s.Values = p.parseExprs()
	}
	for _, t := range s.Targets {
		if n, ok := t.(*NameExpr); ok && n.Local != nil {
			n.Local.Assigned = true
		}
	}
	s.Pos = p.from(start)
	return s
}

// expectAssign steps over the = behind n targets, of which x is the first.
func (p *parser) expectAssign(x Expr, n int) {
	if p.accept(tAssign) {
		return
	}
	message := "found " + p.describe(&p.tok) + ", expected '='"
	if _, ok := x.(*NameExpr); ok && n == 1 {
		message += " or a call"
	}
	p.fail("'=' expected", message)
}

// assignable tells whether an expression can be assigned to.
func assignable(x Expr) bool {
	switch x.(type) {
	case *NameExpr, *IndexExpr:
		return true
	}
	return false
}
