package syntax

// This file finds what Lua's compiler cannot hold: expressions that need more
// registers than there are, and functions with too many constants. For that it
// repeats, for the functions of a crowded file, the compiler's bookkeeping of
// registers (lcode.c of Lua 5.1.5) without its code.

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

const (
	maxRegisters = 250    // MAXSTACK
	maxConstants = 262143 // MAXARG_Bx
	maxDeclared  = 32767  // SHRT_MAX: locals of a function, counting those out of scope
	maxOperandK  = 255    // MAXINDEXRK: a constant with a higher index takes a register
	fieldsFlush  = 50     // LFIELDS_PER_FLUSH: list fields kept in registers
)

// limitState tells whether the bookkeeping is worth its time.
type limitState struct {
	tokens     int  // read so far
	stmtTokens int  // the value of tokens when the current statement began
	crowded    bool // a function may need more registers or constants than there are
}

// countTokens looks whether the statement that ends here may have needed too
// many registers: it cannot have needed many more than it has tokens.
func (p *parser) countTokens() {
	if len(p.fn.active)+p.tokens-p.stmtTokens > maxRegisters-20 {
		p.crowded = true
	}
	p.stmtTokens = p.tokens
}

// checkLimits reports what the compiler could not hold in front of the first
// error so far.
func (p *parser) checkLimits(main *Func) {
	c := &compiler{src: p.src, firstError: source.Pos(len(p.src) + 1)}
	if len(p.diags) > 0 {
		c.firstError = p.errorAt
	}
	c.function(main)
	if len(c.found) == 0 {
		return
	}
	diags := p.diags
	p.diags, p.refusal = nil, nil
	for _, e := range c.found {
		p.record(diag.Diagnostic{
			Span: e.span, Message: e.message, Help: "split the function, or put the values into a table",
		}, e.line, e.lua)
	}
	p.diags = append(p.diags, diags...)
}

// compiler is the state of Lua's compiler as far as limits depend on it.
type compiler struct {
	src        string
	fn         *frame
	firstError source.Pos // nothing is reported from here on
	found      []fault

	// Where the compiler would stand: its current token is the one that
	// follows skip tokens behind at.
	at   source.Pos
	skip int
}

// frame is a function that is being compiled.
type frame struct {
	outer     *frame
	fn        *Func
	registers map[*Local]int // of the locals in scope, and of those that were
	active    int            // registers of locals
	free      int            // the first free register
	constants map[constant]int
	failed    bool // a limit was reported: say no more of this function
}

// constant is a key of a function's constants.
type constant struct {
	kind  operandKind
	text  string
	value float64
}

// behind says that pos and then skip more tokens have been read.
func (c *compiler) behind(pos source.Pos, skip int) { c.at, c.skip = pos, skip }

// report refuses the file at the token where the compiler stands.
func (c *compiler) report(lua, message string, lineless bool) {
	if c.fn.failed {
		return
	}
	c.fn.failed = true
	l := lexer{src: c.src, pos: int(c.at), line: 1 + countLines(c.src[:c.at])}
	var t token
	for range c.skip + 1 {
		l.scan(&t)
	}
	if t.start >= c.firstError {
		return
	}
	e := fault{span: t.span(), message: message, lua: lua}
	if !lineless {
		e.line = l.line
		e.lua += nearText(c.src, &t)
	}
	c.found = append(c.found, e)
}

// need makes sure that there are n more registers.
func (c *compiler) need(n int) {
	if c.fn.free+n >= maxRegisters {
		c.report("function or expression too complex",
			"found an expression that needs more than 250 registers, more than Lua has", false)
	}
}

func (c *compiler) reserve(n int) {
	c.need(n)
	c.fn.free += n
}

// release gives a register back unless it is a local's.
func (c *compiler) release(register int) {
	if register <= maxOperandK && register >= c.fn.active {
		c.fn.free--
	}
}

// constantIndex returns the index of a constant, which is added if it is new.
func (c *compiler) constantIndex(k constant) int {
	i, ok := c.fn.constants[k]
	if !ok {
		i = len(c.fn.constants)
		if i >= maxConstants {
			c.report("constant table overflow", "found more than 262143 constants in a function, more than Lua allows", true)
		}
		c.fn.constants[k] = i
	}
	return i
}

func (c *compiler) stringIndex(text string) int {
	return c.constantIndex(constant{kind: oConstant, text: text})
}

// function compiles a function and its body.
func (c *compiler) function(fn *Func) {
	c.fn = &frame{outer: c.fn, fn: fn, registers: map[*Local]int{}, constants: map[constant]int{}}
	if len(fn.Locals) > maxDeclared {
		c.behind(fn.Locals[maxDeclared].Pos.End, 0)
		c.report("too many local variables", "found more than 32767 local variables in a function, more than Lua allows", true)
	}
	c.activate(fn.Params...)
	if fn.Vararg && fn.Parent != nil {
		c.fn.active++ // arg
		for _, l := range fn.Locals {
			if l.Kind == LocalArg {
				c.fn.registers[l] = c.fn.active - 1
			}
		}
	}
	c.fn.free = c.fn.active
	c.block(fn.Body)
	c.fn = c.fn.outer
}

// activate gives the next registers to locals; they hold their values already.
func (c *compiler) activate(locals ...*Local) {
	for _, l := range locals {
		c.fn.registers[l] = c.fn.active
		c.fn.active++
	}
}

func (c *compiler) block(b *Block) {
	active := c.fn.active
	c.stmts(b)
	c.fn.active, c.fn.free = active, active
}

func (c *compiler) stmts(b *Block) {
	for _, s := range b.Stmts {
		c.stmt(s)
		c.fn.free = c.fn.active
	}
}

func (c *compiler) stmt(s Stmt) {
	switch s := s.(type) {
	case *LocalStmt:
		c.adjust(len(s.Names), s.Values, s.Pos.End)
		c.activate(s.Names...)
	case *AssignStmt:
		c.assign(s)
	case *CallStmt:
		c.expr(s.Call)
	case *DoStmt:
		c.block(s.Body)
	case *WhileStmt:
		c.cond(s.Cond)
		c.block(s.Body)
	case *RepeatStmt:
		active := c.fn.active
		c.stmts(s.Body)
		c.cond(s.Cond)
		c.fn.active = active
	case *IfStmt:
		for _, clause := range s.Clauses {
			c.cond(clause.Cond)
			c.block(clause.Body)
		}
		if s.Else != nil {
			c.block(s.Else)
		}
	case *NumericFor:
		c.numericFor(s)
	case *GenericFor:
		active := c.fn.active
		end := lastEnd(s.Exprs, s.Pos.Start)
		c.adjust(3, s.Exprs, end)
		c.need(3)
		c.forBody(s.Vars, end, s.Body)
		c.fn.active = active
	case *FuncStmt:
		target := c.expr(s.Target)
		value := c.expr(s.Func)
		c.behind(s.Pos.End, 0)
		c.store(target, &value)
	case *LocalFuncStmt:
		c.behind(s.Name.Pos.End, 0)
		c.reserve(1)
		c.activate(s.Name)
		value := c.expr(s.Func)
		c.behind(s.Pos.End, 0)
		c.store(operand{kind: oLocal, info: c.fn.registers[s.Name]}, &value)
	case *ReturnStmt:
		c.returns(s)
	}
}

func lastEnd(list []Expr, otherwise source.Pos) source.Pos {
	if len(list) == 0 {
		return otherwise
	}
	return list[len(list)-1].Span().End
}

func (c *compiler) cond(x Expr) {
	e := c.expr(x)
	if e.kind == oNil {
		e.kind = oFalse
	}
	c.behind(x.Span().End, 0)
	c.goIf(&e, true)
}

func (c *compiler) numericFor(s *NumericFor) {
	active := c.fn.active
	end := s.Pos.Start
	for _, x := range []Expr{s.Start, s.Limit, s.Step} {
		if x == nil {
			c.constantIndex(constant{kind: oNumber, value: 1})
			c.reserve(1)
			continue
		}
		e := c.expr(x)
		end = x.Span().End
		c.behind(end, 0)
		c.toNext(&e)
	}
	c.forBody([]*Local{s.Var}, end, s.Body)
	c.fn.active = active
}

// forBody compiles the body of a loop behind its head, which ends at end.
func (c *compiler) forBody(vars []*Local, end source.Pos, body *Block) {
	c.fn.active += 3
	c.activate(vars...)
	c.behind(end, 1) // do
	c.reserve(len(vars))
	c.block(body)
}

// exprs compiles a list: all its values but the last, which it returns, go to
// registers.
func (c *compiler) exprs(list []Expr) operand {
	if len(list) == 0 {
		return operand{}
	}
	e := c.expr(list[0])
	for _, x := range list[1:] {
		c.behind(x.Span().Start, 0)
		c.toNext(&e)
		e = c.expr(x)
	}
	return e
}

// adjust compiles a list of which n values are wanted.
func (c *compiler) adjust(n int, list []Expr, end source.Pos) {
	e := c.exprs(list)
	c.behind(end, 0)
	c.adjustLast(n-len(list), &e)
}

// adjustLast puts the last of a list into registers, and extra values more.
func (c *compiler) adjustLast(extra int, e *operand) {
	if e.multi() {
		extra = max(extra+1, 0)
		c.open(e)
		if extra > 1 {
			c.reserve(extra - 1)
		}
		return
	}
	if e.kind != oNone {
		c.toNext(e)
	}
	if extra > 0 {
		c.reserve(extra)
	}
}

func (c *compiler) assign(s *AssignStmt) {
	targets := make([]operand, 0, len(s.Targets))
	for _, x := range s.Targets {
		target := c.expr(x)
		if target.kind == oLocal && len(targets) > 0 {
			c.behind(x.Span().End, 0)
			c.saveLocal(targets, target.info)
		}
		targets = append(targets, target)
	}
	e := c.exprs(s.Values)
	c.behind(s.Pos.End, 0)
	n := len(targets)
	if surplus := len(s.Values) - n; surplus != 0 {
		c.adjustLast(-surplus, &e)
		c.fn.free -= max(surplus, 0)
	} else {
		c.closeMulti(&e)
		n--
		c.store(targets[n], &e)
	}
	for n--; n >= 0; n-- {
		e := operand{kind: oRegister, info: c.fn.free - 1}
		c.store(targets[n], &e)
	}
}

// saveLocal copies a local that an assignment changes and an earlier target
// uses.
func (c *compiler) saveLocal(targets []operand, register int) {
	conflict := false
	for i := range targets {
		t := &targets[i]
		if t.kind != oIndexed {
			continue
		}
		if t.info == register {
			conflict, t.info = true, c.fn.free
		}
		if t.aux == register {
			conflict, t.aux = true, c.fn.free
		}
	}
	if conflict {
		c.reserve(1)
	}
}

func (c *compiler) returns(s *ReturnStmt) {
	e := c.exprs(s.Values)
	c.behind(s.Pos.End, 0)
	switch {
	case len(s.Values) == 0:
	case e.multi():
		c.open(&e)
	case len(s.Values) == 1:
		c.toAny(&e)
	default:
		c.toNext(&e)
	}
}
