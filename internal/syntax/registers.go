package syntax

// This file follows the registers that Lua's compiler takes for expressions;
// see limits.go.

import "math"

// operandKind says where the value of an expression is.
type operandKind uint8

const (
	oNone     operandKind = iota
	oNil                  // constants
	oTrue                 //
	oFalse                //
	oConstant             // a string: info is its index
	oNumber               // value
	oLocal                // info is its register
	oUpvalue              //
	oGlobal               //
	oIndexed              // info is the table's register, aux the key's or 256 and more
	oJump                 // the outcome of a comparison
	oPending              // an instruction that can put it into any register
	oRegister             // info is the register
	oCall                 // a call, info is its base register
	oVararg               // ...
)

// operand is an expression of which the value may not be in a register yet.
type operand struct {
	kind      operandKind
	op        Op // of a pending value: OpNot or OpConcat, else OpAdd
	info, aux int
	value     float64
	whenTrue  bool // jumps wait that leave it when true
	whenFalse bool // … when false
}

func (e *operand) jumps() bool   { return e.whenTrue || e.whenFalse }
func (e *operand) multi() bool   { return e.kind == oCall || e.kind == oVararg }
func (e *operand) numeral() bool { return e.kind == oNumber && !e.jumps() }

func (e *operand) pending(op Op) { e.kind, e.op = oPending, op }

// closeMulti makes one value of a call or of ….
func (c *compiler) closeMulti(e *operand) {
	switch e.kind {
	case oCall:
		e.kind = oRegister
	case oVararg:
		e.pending(OpAdd)
	}
}

// open leaves all values of a call or of … in registers.
func (c *compiler) open(e *operand) {
	if e.kind == oVararg {
		c.reserve(1)
	}
}

// fetch turns a variable into a value.
func (c *compiler) fetch(e *operand) {
	switch e.kind {
	case oLocal:
		e.kind = oRegister
	case oUpvalue, oGlobal:
		e.pending(OpAdd)
	case oIndexed:
		c.release(e.aux)
		c.release(e.info)
		e.pending(OpAdd)
	case oCall, oVararg:
		c.closeMulti(e)
	}
}

// free gives back the register of a value that is no longer needed.
func (c *compiler) free(e *operand) {
	if e.kind == oRegister {
		c.release(e.info)
	}
}

// put moves a value into a register.
func (c *compiler) put(e *operand, register int) {
	c.putPlain(e, register)
	*e = operand{kind: oRegister, info: register}
}

// putPlain moves a value into a register, apart from the jumps that wait for it.
func (c *compiler) putPlain(e *operand, register int) {
	c.fetch(e)
	switch e.kind {
	case oNone, oJump:
		return
	case oNumber:
		c.constantIndex(constant{kind: oNumber, value: e.value})
	}
	e.kind, e.info = oRegister, register
}

// toNext moves a value into the next free register.
func (c *compiler) toNext(e *operand) {
	c.fetch(e)
	c.free(e)
	c.reserve(1)
	c.put(e, c.fn.free-1)
}

// toAny moves a value into some register.
func (c *compiler) toAny(e *operand) {
	c.fetch(e)
	if e.kind == oRegister {
		if !e.jumps() {
			return
		}
		if e.info >= c.fn.active {
			c.put(e, e.info)
			return
		}
	}
	c.toNext(e)
}

// toValue makes sure that no jump waits for a value.
func (c *compiler) toValue(e *operand) {
	if e.jumps() {
		c.toAny(e)
	} else {
		c.fetch(e)
	}
}

// toOperand makes a value the operand of an instruction: a register, or a
// constant of which the index is returned with 256 added.
func (c *compiler) toOperand(e *operand) int {
	c.toValue(e)
	switch e.kind {
	case oNumber, oTrue, oFalse, oNil:
		if len(c.fn.constants) <= maxOperandK {
			e.info = c.constantIndex(constant{kind: e.kind, value: e.value})
			e.kind = oConstant
			return e.info + maxOperandK + 1
		}
	case oConstant:
		if e.info <= maxOperandK {
			return e.info + maxOperandK + 1
		}
	}
	c.toAny(e)
	return e.info
}

// store assigns a value to a variable.
func (c *compiler) store(target operand, e *operand) {
	switch target.kind {
	case oLocal:
		c.free(e)
		c.put(e, target.info)
		return
	case oIndexed:
		c.toOperand(e)
	default:
		c.toAny(e)
	}
	c.free(e)
}

// goIf compiles a jump away unless the value is as wanted.
func (c *compiler) goIf(e *operand, want bool) {
	c.fetch(e)
	jumps := true
	switch e.kind {
	case oConstant, oNumber:
		jumps = !want
		if !want {
			c.test(e)
		}
	case oTrue:
		jumps = !want
	case oNil:
		jumps = want
		if want {
			c.test(e)
		}
	case oFalse:
		jumps = want
	case oJump:
	default:
		c.test(e)
	}
	if want {
		e.whenFalse, e.whenTrue = e.whenFalse || jumps, false
	} else {
		e.whenTrue, e.whenFalse = e.whenTrue || jumps, false
	}
}

// test compiles a jump on a value.
func (c *compiler) test(e *operand) {
	if e.kind == oPending && e.op == OpNot {
		return // tests what not was applied to
	}
	c.discharge(e)
	c.free(e)
}

// discharge moves a value into a register, apart from the jumps.
func (c *compiler) discharge(e *operand) {
	if e.kind != oRegister {
		c.reserve(1)
		c.putPlain(e, c.fn.free-1)
	}
}

// not compiles not x.
func (c *compiler) not(e *operand) {
	c.fetch(e)
	switch e.kind {
	case oNil, oFalse:
		e.kind = oTrue
	case oConstant, oNumber, oTrue:
		e.kind = oFalse
	case oPending, oRegister:
		c.discharge(e)
		c.free(e)
		e.pending(OpNot)
	}
	e.whenTrue, e.whenFalse = e.whenFalse, e.whenTrue
}

// arithmetic compiles x op y into x.
func (c *compiler) arithmetic(op Op, x, y *operand) {
	if value, ok := fold(op, x, y); ok {
		x.value = value
		return
	}
	o2 := 0
	if op != OpNeg && op != OpLen {
		o2 = c.toOperand(y)
	}
	if o1 := c.toOperand(x); o1 > o2 {
		c.free(x)
		c.free(y)
	} else {
		c.free(y)
		c.free(x)
	}
	x.pending(op)
}

// fold computes what Lua computes when it compiles.
func fold(op Op, x, y *operand) (float64, bool) {
	if !x.numeral() || !y.numeral() {
		return 0, false
	}
	a, b := x.value, y.value
	var r float64
	switch op {
	case OpAdd:
		r = a + b
	case OpSub:
		r = a - b
	case OpMul:
		r = a * b
	case OpDiv:
		r = a / b
	case OpMod:
		r = a - math.Floor(a/b)*b
	case OpPow:
		r = math.Pow(a, b)
	case OpNeg:
		r = -a
	default:
		return 0, false
	}
	if math.IsNaN(r) || b == 0 && (op == OpDiv || op == OpMod) {
		return 0, false
	}
	return r, true
}

// expr compiles an expression.
func (c *compiler) expr(x Expr) operand {
	switch x := x.(type) {
	case *NilExpr:
		return operand{kind: oNil}
	case *BoolExpr:
		if x.Value {
			return operand{kind: oTrue}
		}
		return operand{kind: oFalse}
	case *NumberExpr:
		return operand{kind: oNumber, value: x.Value}
	case *StringExpr:
		return operand{kind: oConstant, info: c.stringIndex(x.Value)}
	case *VarargExpr:
		return operand{kind: oVararg}
	case *FuncExpr:
		c.function(x.Func)
		return operand{kind: oPending}
	case *NameExpr:
		return c.variable(x)
	case *ParenExpr:
		e := c.expr(x.X)
		c.behind(x.Pos.End, 0)
		c.fetch(&e)
		return e
	case *IndexExpr:
		return c.index(x)
	case *CallExpr:
		return c.call(x)
	case *TableExpr:
		return c.table(x)
	case *UnaryExpr:
		return c.unaryExpr(x)
	case *BinaryExpr:
		return c.binaryExpr(x)
	}
	return operand{kind: oNil}
}

func (c *compiler) variable(x *NameExpr) operand {
	switch {
	case x.Local == nil:
		c.behind(x.Pos.End, 0)
		c.stringIndex(x.Name)
		return operand{kind: oGlobal}
	case x.Local.Func != c.fn.fn:
		return operand{kind: oUpvalue}
	}
	return operand{kind: oLocal, info: c.fn.registers[x.Local]}
}

func (c *compiler) index(x *IndexExpr) operand {
	e := c.expr(x.X)
	c.behind(x.X.Span().End, 0)
	c.toAny(&e)
	key := c.expr(x.Key)
	if !x.Dot {
		c.behind(x.Key.Span().End, 0)
		c.toValue(&key)
	}
	c.behind(x.Pos.End, 0)
	e.aux = c.toOperand(&key)
	e.kind = oIndexed
	return e
}

func (c *compiler) call(x *CallExpr) operand {
	e := c.expr(x.Fun)
	if x.Method != nil {
		c.behind(x.Method.Pos.End, 0)
		key := c.expr(x.Method)
		c.toAny(&e)
		c.free(&e)
		e.info = c.fn.free
		c.reserve(2)
		c.toOperand(&key)
		c.free(&key)
	} else {
		c.behind(x.Fun.Span().End, 0)
		c.toNext(&e)
	}
	base := e.info
	args := c.exprs(x.Args)
	if args.multi() && c.src[x.Paren] == '(' {
		c.behind(lastEnd(x.Args, 0), 0)
		c.open(&args)
	} else if len(x.Args) > 0 {
		c.behind(x.Pos.End, 0)
		c.toNext(&args)
	}
	c.fn.free = base + 1
	return operand{kind: oCall, info: base}
}

func (c *compiler) table(x *TableExpr) operand {
	c.behind(x.Pos.Start, 0)
	t := operand{kind: oPending}
	c.toNext(&t)
	var item operand
	stored := 0
	from := x.Pos.Start
	for _, f := range x.Fields {
		c.behind(from, 1) // the bracket or separator
		if item.kind != oNone {
			c.toNext(&item)
			item = operand{}
			if stored == fieldsFlush {
				c.fn.free = t.info + 1
				stored = 0
			}
		}
		if f.Key != nil {
			c.field(f)
		} else {
			item = c.expr(f.Value)
			stored++
		}
		from = f.Value.Span().End
	}
	c.behind(x.Pos.End, 0)
	if stored > 0 {
		if item.multi() {
			c.open(&item)
		} else if item.kind != oNone {
			c.toNext(&item)
		}
		c.fn.free = t.info + 1
	}
	return t
}

// field compiles a field with a key.
func (c *compiler) field(f TableField) {
	free := c.fn.free
	key := c.expr(f.Key)
	end := f.Key.Span().End
	if f.Named {
		c.behind(end, 1) // =
	} else {
		c.behind(end, 0)
		c.toValue(&key)
		c.behind(end, 2) // ] =
	}
	c.toOperand(&key)
	value := c.expr(f.Value)
	c.behind(f.Value.Span().End, 0)
	c.toOperand(&value)
	c.fn.free = free
}

func (c *compiler) unaryExpr(x *UnaryExpr) operand {
	e := c.expr(x.X)
	c.behind(x.Pos.End, 0)
	zero := operand{kind: oNumber}
	switch x.Op {
	case OpNot:
		c.not(&e)
	case OpNeg:
		if !e.numeral() {
			c.toAny(&e)
		}
		c.arithmetic(OpNeg, &e, &zero)
	case OpLen:
		c.toAny(&e)
		c.arithmetic(OpLen, &e, &zero)
	}
	return e
}

func (c *compiler) binaryExpr(x *BinaryExpr) operand {
	e := c.expr(x.X)
	c.behind(x.Y.Span().Start, 0)
	switch x.Op {
	case OpAnd, OpOr:
		c.goIf(&e, x.Op == OpAnd)
	case OpConcat:
		c.toNext(&e)
	case OpAdd, OpSub, OpMul, OpDiv, OpMod, OpPow:
		if !e.numeral() {
			c.toOperand(&e)
		}
	default:
		c.toOperand(&e)
	}
	y := c.expr(x.Y)
	c.behind(x.Pos.End, 0)
	switch x.Op {
	case OpAnd, OpOr:
		c.fetch(&y)
		y.whenFalse = y.whenFalse || e.whenFalse
		y.whenTrue = y.whenTrue || e.whenTrue
		return y
	case OpConcat:
		c.toValue(&y)
		if y.kind == oPending && y.op == OpConcat {
			c.free(&e)
			e.pending(OpConcat)
			return e
		}
		c.toNext(&y)
		c.arithmetic(OpConcat, &e, &y)
	case OpEq, OpNe, OpLt, OpLe, OpGt, OpGe:
		c.toOperand(&e)
		c.toOperand(&y)
		c.free(&y)
		c.free(&e)
		e.kind = oJump
	default:
		c.arithmetic(x.Op, &e, &y)
	}
	return e
}
