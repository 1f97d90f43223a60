package luavm

// This file implements the compilation of expressions.

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/coverage"
	"github.com/luagen/luagen/internal/engine/lualib"
	"github.com/luagen/luagen/internal/syntax"
)

// expressions evaluates a list into want consecutive new registers.
func (f *function) expressions(list []syntax.Expr, want, where int) {
	base := f.free
	for i, e := range list {
		if i == len(list)-1 && isMulti(e) {
			if more := want - i; more > 0 {
				f.multi(e, more)
				f.free = base + i
				f.reserve(more)
				return
			}
			f.multi(e, 0)
			f.free = base + want
			return
		}
		if i < want {
			f.nextReg(e)
		} else {
			save := f.free
			f.nextReg(e)
			f.free = save
		}
	}
	if missing := base + want - f.free; missing > 0 {
		r := f.reserve(missing)
		f.abc(lua.OP_LOADNIL, r, r+missing-1, 0, where)
	}
}

// openExpressions evaluates a list into new registers and returns how many,
// or -1 when the last gives as many values as it has.
func (f *function) openExpressions(list []syntax.Expr) int {
	for i, e := range list {
		if i == len(list)-1 && isMulti(e) {
			f.multi(e, -1)
			return -1
		}
		f.nextReg(e)
	}
	return len(list)
}

func isMulti(e syntax.Expr) bool {
	switch e.(type) {
	case *syntax.CallExpr, *syntax.VarargExpr:
		return true
	}
	return false
}

// multi evaluates a call or ... into the registers from the first free one on.
// want is a count, or -1 for all.
func (f *function) multi(e syntax.Expr, want int) {
	switch e := e.(type) {
	case *syntax.CallExpr:
		f.call(e, want)
	case *syntax.VarargExpr:
		f.usesDots = true
		if want > 0 {
			r := f.reserve(want)
			f.abc(lua.OP_VARARG, r, want+1, 0, f.unit.end(e))
		} else if want < 0 {
			f.abc(lua.OP_VARARG, f.reserve(1), 0, 0, f.unit.end(e))
		}
	}
}

// nextReg evaluates an expression into a new register.
func (f *function) nextReg(e syntax.Expr) int {
	r := f.reserve(1)
	f.into(e, r)
	f.free = r + 1
	return r
}

// anyReg evaluates an expression into some register: a local's own, or a new one.
func (f *function) anyReg(e syntax.Expr) int {
	switch x := e.(type) {
	case *syntax.NameExpr:
		if x.Local != nil && x.Local.Func == f.tree && !boxed(x.Local) {
			return f.locals[x.Local]
		}
	case *syntax.ParenExpr:
		if !isMulti(x.X) {
			return f.anyReg(x.X)
		}
	}
	return f.nextReg(e)
}

// rk evaluates an expression to an operand: a constant or a register.
func (f *function) rk(e syntax.Expr) int {
	var v lua.LValue
	switch e := e.(type) {
	case *syntax.NilExpr:
		v = lua.LNil
	case *syntax.BoolExpr:
		v = lua.LBool(e.Value)
	case *syntax.NumberExpr:
		v = lua.LNumber(e.Value)
	case *syntax.StringExpr:
		v = lua.LString(e.Value)
	default:
		return f.anyReg(e)
	}
	return f.rkConstant(v, f.unit.end(e))
}

func (f *function) rkConstant(v lua.LValue, where int) int {
	k := f.constant(v)
	if k <= maxRK {
		return k | rkBit
	}
	r := f.reserve(1)
	f.abx(lua.OP_LOADK, r, k, where)
	return r
}

func (f *function) toReg(rk, where int) int {
	if rk&rkBit == 0 {
		return rk
	}
	r := f.reserve(1)
	f.abx(lua.OP_LOADK, r, rk&^rkBit, where)
	return r
}

func (f *function) loadConstant(target int, v lua.LValue, where int) {
	f.abx(lua.OP_LOADK, target, f.constant(v), where)
}

// box loads the box of a local into some register.
func (f *function) box(l *syntax.Local, where int) int {
	if l.Func == f.tree {
		return f.locals[l]
	}
	r := f.reserve(1)
	f.abc(lua.OP_GETUPVAL, r, f.upvalue(l), 0, where)
	return r
}

// into evaluates an expression into the register target. Registers from
// f.free on are scratch.
func (f *function) into(e syntax.Expr, target int) {
	save := f.free
	defer func() { f.free = save }()
	u := f.unit
	switch e := e.(type) {
	case *syntax.NilExpr:
		f.abc(lua.OP_LOADNIL, target, target, 0, u.end(e))
	case *syntax.BoolExpr:
		b := 0
		if e.Value {
			b = 1
		}
		f.abc(lua.OP_LOADBOOL, target, b, 0, u.end(e))
	case *syntax.NumberExpr:
		f.loadConstant(target, lua.LNumber(e.Value), u.end(e))
	case *syntax.StringExpr:
		f.loadConstant(target, lua.LString(e.Value), u.end(e))
	case *syntax.VarargExpr:
		f.usesDots = true
		f.abc(lua.OP_VARARG, f.reserve(1), 2, 0, u.end(e))
		f.move(target, f.free-1, u.end(e))
	case *syntax.FuncExpr:
		f.closure(e.Func, target, u.end(e))
	case *syntax.NameExpr:
		f.name(e, target)
	case *syntax.IndexExpr:
		f.index(e, target)
	case *syntax.CallExpr:
		r := f.call(e, 1)
		f.move(target, r, u.end(e))
	case *syntax.BinaryExpr:
		f.binary(e, target)
	case *syntax.UnaryExpr:
		f.unary(e, target)
	case *syntax.TableExpr:
		f.table(e, target)
	case *syntax.ParenExpr:
		f.into(e.X, target)
	default:
		panic("an expression that does not parse was compiled")
	}
}

func (f *function) move(target, from, where int) {
	if target != from {
		f.abc(lua.OP_MOVE, target, from, 0, where)
	}
}

func (f *function) name(e *syntax.NameExpr, target int) {
	where := f.unit.end(e)
	switch l := e.Local; {
	case l == nil:
		f.abx(lua.OP_GETGLOBAL, target, f.constant(lua.LString(e.Name)), where)
	case boxed(l):
		f.abc(lua.OP_GETTABLE, target, f.box(l, where), f.rkConstant(lua.LNumber(1), where), where)
	case l.Func == f.tree:
		f.move(target, f.locals[l], where)
	default:
		f.abc(lua.OP_GETUPVAL, target, f.upvalue(l), 0, where)
	}
}

func (f *function) index(e *syntax.IndexExpr, target int) {
	line := f.unit.endLine(e)
	names := [2]string{f.describe(e.X)}
	table, later := f.leftOperand(e.X)
	key := f.rk(e.Key)
	later()
	op := lua.OP_GETTABLE
	if _, ok := e.Key.(*syntax.StringExpr); ok && key&rkBit != 0 {
		op = lua.OP_GETTABLEKS
	}
	f.abc(op, target, table, key, f.unit.named(position{line: line, names: names}))
}

// leftOperand evaluates a left operand that Lua would read only when the operation
// is done, as it does a local variable: what the right operand changes is
// seen. A boxed local of this function is therefore loaded by later.
func (f *function) leftOperand(e syntax.Expr) (reg int, later func()) {
	if n, ok := e.(*syntax.NameExpr); ok && n.Local != nil && n.Local.Func == f.tree && boxed(n.Local) {
		reg = f.reserve(1)
		return reg, func() {
			save := f.free
			f.name(n, reg)
			f.free = save
		}
	}
	return f.rk(e), func() {}
}

var arithmetic = [...]int{
	syntax.OpAdd: lua.OP_ADD, syntax.OpSub: lua.OP_SUB, syntax.OpMul: lua.OP_MUL,
	syntax.OpDiv: lua.OP_DIV,
}

func (f *function) binary(e *syntax.BinaryExpr, target int) {
	switch e.Op {
	case syntax.OpAnd, syntax.OpOr:
		f.logical(e, target)
	case syntax.OpConcat:
		f.concat(e, target)
	case syntax.OpEq, syntax.OpNe, syntax.OpLt, syntax.OpLe, syntax.OpGt, syntax.OpGe:
		where := f.unit.end(e)
		yes := f.compare(e, true)
		f.abc(lua.OP_LOADBOOL, target, 0, 1, where)
		f.patchHere([]int{yes})
		f.abc(lua.OP_LOADBOOL, target, 1, 0, where)
	case syntax.OpMod, syntax.OpPow:
		fn := f.reserve(1)
		operator := modulo
		if e.Op == syntax.OpPow {
			operator = power
		}
		f.loadConstant(fn, operator, f.unit.end(e))
		f.nextReg(e.X)
		f.nextReg(e.Y)
		names := [2]string{f.describe(e.X), f.describe(e.Y)}
		at := f.unit.named(position{line: f.unit.endLine(e), names: names})
		f.abc(lua.OP_CALL, fn, 3, 2, at)
		f.move(target, fn, at)
	default:
		x, later := f.leftOperand(e.X)
		y := f.rk(e.Y)
		later()
		names := [2]string{f.describe(e.X), f.describe(e.Y)}
		at := f.unit.named(position{line: f.unit.endLine(e), names: names})
		f.abc(arithmetic[e.Op], target, x, y, at)
	}
}

// logical evaluates X and Y, or X or Y. Its target is never a local that Y could
// read: see writesLast.
func (f *function) logical(e *syntax.BinaryExpr, target int) {
	where := f.unit.end(e)
	f.into(e.X, target)
	skip := 0
	if e.Op == syntax.OpOr {
		skip = 1
	}
	f.abc(lua.OP_TEST, target, 0, skip, where)
	ends := []int{f.jump(where)}
	f.countOutcome(coverage.Right, e)
	f.into(e.Y, target)
	f.patchHere(f.countLeft(e, ends, where))
}

// compare emits a comparison and returns a jump taken when it gives want.
func (f *function) compare(e *syntax.BinaryExpr, want bool) int {
	save := f.free
	x, later := f.leftOperand(e.X)
	y := f.rk(e.Y)
	later()
	f.free = save
	a := 0
	if want {
		a = 1
	}
	op := lua.OP_EQ
	switch e.Op {
	case syntax.OpNe:
		a = 1 - a
	case syntax.OpLt:
		op = lua.OP_LT
	case syntax.OpLe:
		op = lua.OP_LE
	case syntax.OpGt:
		op, x, y = lua.OP_LT, y, x
	case syntax.OpGe:
		op, x, y = lua.OP_LE, y, x
	}
	where := f.unit.end(e)
	f.abc(op, a, x, y, where)
	return f.jump(where)
}

// condition emits a test and returns the jumps taken when it gives want;
// otherwise the code goes on behind it.
func (f *function) condition(e syntax.Expr, want bool) []int {
	where := f.unit.end(e)
	switch e := e.(type) {
	case *syntax.ParenExpr:
		if !isMulti(e.X) {
			return f.condition(e.X, want)
		}
	case *syntax.UnaryExpr:
		if e.Op == syntax.OpNot {
			return f.condition(e.X, !want)
		}
	case *syntax.NilExpr:
		return f.always(!want, where)
	case *syntax.BoolExpr:
		return f.always(e.Value == want, where)
	case *syntax.NumberExpr, *syntax.StringExpr:
		return f.always(want, where)
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.OpAnd, syntax.OpOr:
			if (e.Op == syntax.OpOr) == want {
				out := f.condition(e.X, want)
				f.countOutcome(coverage.Right, e)
				in := f.condition(e.Y, want)
				return append(f.countLeft(e, out, where), in...)
			}
			out := f.condition(e.X, !want)
			f.countOutcome(coverage.Right, e)
			in := f.condition(e.Y, want)
			f.patchHere(f.countLeft(e, out, where))
			return in
		case syntax.OpEq, syntax.OpNe, syntax.OpLt, syntax.OpLe, syntax.OpGt, syntax.OpGe:
			return []int{f.compare(e, want)}
		}
	}
	save := f.free
	r := f.anyReg(e)
	f.free = save
	c := 0
	if want {
		c = 1
	}
	f.abc(lua.OP_TEST, r, 0, c, where)
	return []int{f.jump(where)}
}

func (f *function) always(jumps bool, where int) []int {
	if jumps {
		return []int{f.jump(where)}
	}
	return nil
}

func (f *function) unary(e *syntax.UnaryExpr, target int) {
	u := f.unit
	if n, ok := e.X.(*syntax.NumberExpr); ok && e.Op == syntax.OpNeg && n.Value != 0 {
		f.loadConstant(target, lua.LNumber(-n.Value), u.end(e))
		return
	}
	at := u.named(position{line: u.endLine(e), names: [2]string{f.describe(e.X), f.describe(e.X)}})
	switch e.Op {
	case syntax.OpNot:
		f.abc(lua.OP_NOT, target, f.anyReg(e.X), 0, at)
	case syntax.OpNeg:
		f.abc(lua.OP_UNM, target, f.anyReg(e.X), 0, at)
	case syntax.OpLen:
		// a function, because Lua 5.1 asks no __len of a table
		fn := f.reserve(1)
		f.loadConstant(fn, length, at)
		f.nextReg(e.X)
		f.abc(lua.OP_CALL, fn, 2, 2, at)
		f.move(target, fn, at)
	}
}

// concat calls a function: the VM's own instruction prints numbers otherwise
// than Lua does.
func (f *function) concat(e *syntax.BinaryExpr, target int) {
	fn := f.reserve(1)
	f.loadConstant(fn, concatenate, f.unit.end(e))
	p := position{line: f.unit.endLine(e)}
	var operand syntax.Expr = e
	for {
		b, ok := operand.(*syntax.BinaryExpr)
		if !ok || b.Op != syntax.OpConcat {
			break
		}
		f.nextReg(b.X)
		p.list = append(p.list, f.describe(b.X))
		operand = b.Y
	}
	f.nextReg(operand)
	p.list = append(p.list, f.describe(operand))
	at := f.unit.named(p)
	f.abc(lua.OP_CALL, fn, len(p.list)+1, 2, at)
	f.move(target, fn, at)
}

// call emits a call with want results, or -1 for all, and returns the register
// of the first.
func (f *function) call(c *syntax.CallExpr, want int) int {
	u := f.unit
	base := f.free
	p := position{line: u.line(c.Paren)}
	name := "?"
	if c.Method != nil {
		p.names[0] = "method '" + c.Method.Value + "'"
		name = lualib.MethodMark + c.Method.Value
		obj := f.anyReg(c.Fun)
		f.free = base
		f.reserve(2)
		at := u.named(position{line: u.line(c.Method.Pos.Start), names: [2]string{f.describe(c.Fun)}})
		if k := f.constant(lua.LString(c.Method.Value)); k <= maxRK {
			f.abc(lua.OP_SELF, base, obj, k|rkBit, at)
		} else {
			f.abc(lua.OP_MOVE, base+1, obj, 0, at)
			r := f.reserve(1)
			f.abx(lua.OP_LOADK, r, k, at)
			f.abc(lua.OP_GETTABLE, base, base+1, r, at)
			f.free = r
		}
	} else {
		f.nextReg(c.Fun)
		p.names[0] = f.describe(c.Fun)
		name = calledName(c.Fun)
	}
	fixed := f.free - base - 1
	n := f.openExpressions(c.Args)
	b := 0
	if n >= 0 {
		b = fixed + n + 1
	}
	pc := f.abc(lua.OP_CALL, base, b, want+1, u.named(p))
	f.calls = append(f.calls, lua.DbgCall{Name: name, Pc: pc})
	f.free = base
	if want > 0 {
		f.reserve(want)
	}
	return base
}

// calledName is the name that errors in arguments give a function.
func calledName(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.NameExpr:
		return e.Name
	case *syntax.IndexExpr:
		if s, ok := e.Key.(*syntax.StringExpr); ok {
			return s.Value
		}
	case *syntax.ParenExpr:
		if !isMulti(e.X) {
			return calledName(e.X)
		}
	}
	return "?"
}

// table compiles a constructor to a call of lualib's: see there for the
// arguments.
func (f *function) table(e *syntax.TableExpr, target int) {
	shape := &lualib.Shape{}
	computed := false
	pairs := 0
	var open syntax.Expr
	for i, field := range e.Fields {
		if field.Key == nil {
			if i == len(e.Fields)-1 && isMulti(field.Value) {
				open = field.Value
				break
			}
			shape.Positional++
			continue
		}
		pairs++
		key, ok := field.Key.(*syntax.StringExpr)
		if !ok {
			computed = true
		} else {
			shape.Keys = append(shape.Keys, key.Value)
		}
	}
	switch {
	case !computed:
		f.constantKeys(e, target, shape, open)
	case pairs <= maxPairs:
		shape.Keys, shape.Pairs = nil, pairs
		f.computedKeys(e, target, shape, open)
	default:
		f.manyKeys(e, target, open)
	}
}

// maxPairs bounds the fields that are passed to the constructor in registers.
const maxPairs = 50

// constructor begins a call of construct: the function, the table, the shape.
func (f *function) constructor(shape *lualib.Shape, where int) (fn, t int) {
	fn = f.reserve(1)
	f.loadConstant(fn, construct, where)
	t = f.reserve(1)
	f.abc(lua.OP_NEWTABLE, t, min(shape.Positional, 511), min(len(shape.Keys), 511), where)
	return fn, t
}

// constructed ends a call of construct, with the values of open behind.
func (f *function) constructed(fn int, open syntax.Expr, target, where int) {
	count := f.free - fn
	if open != nil {
		f.multi(open, -1)
		count = 0
	}
	f.abc(lua.OP_CALL, fn, count, 2, where)
	f.move(target, fn, where)
}

func (f *function) constantKeys(e *syntax.TableExpr, target int, shape *lualib.Shape, open syntax.Expr) {
	where := f.unit.start(e)
	fn, t := f.constructor(shape, where)
	f.fill(e, t, where, open)
	f.loadConstant(f.reserve(1), shape, where)
	f.constructed(fn, open, target, f.unit.end(e))
}

func (f *function) computedKeys(e *syntax.TableExpr, target int, shape *lualib.Shape, open syntax.Expr) {
	where := f.unit.start(e)
	fn, t := f.constructor(shape, where)
	f.loadConstant(f.reserve(1), shape, where)
	n := 0
	for _, field := range e.Fields {
		switch {
		case field.Key != nil:
			f.nextReg(field.Key)
			f.nextReg(field.Value)
		case field.Value != open:
			n++
			f.assignPosition(t, n, field.Value)
		}
	}
	f.constructed(fn, open, target, f.unit.end(e))
}

func (f *function) assignPosition(t, n int, value syntax.Expr) {
	save := f.free
	key := f.rkConstant(lua.LNumber(n), f.unit.end(value))
	f.abc(lua.OP_SETTABLE, t, key, f.rk(value), f.unit.end(value))
	f.free = save
}

// manyKeys makes an empty table and assigns one field after the other.
func (f *function) manyKeys(e *syntax.TableExpr, target int, open syntax.Expr) {
	where := f.unit.start(e)
	shape := &lualib.Shape{}
	t, _ := f.constructor(shape, where)
	f.loadConstant(f.reserve(1), shape, where)
	f.constructed(t, nil, t, where)
	f.free = t + 1
	n := 0
	for _, field := range e.Fields {
		save := f.free
		switch {
		case field.Key != nil:
			key := f.rk(field.Key)
			f.abc(lua.OP_SETTABLE, t, key, f.rk(field.Value), f.unit.end(field.Value))
		case field.Value != open:
			n++
			f.assignPosition(t, n, field.Value)
		}
		f.free = save
	}
	if open != nil {
		fn := f.reserve(1)
		f.loadConstant(fn, appendValues, where)
		f.move(f.reserve(1), t, where)
		f.loadConstant(f.reserve(1), lua.LNumber(n), where)
		f.multi(open, -1)
		f.abc(lua.OP_CALL, fn, 0, 1, where)
	}
	f.move(target, t, where)
}

// fill assigns a constructor's fields.
func (f *function) fill(e *syntax.TableExpr, t, where int, open syntax.Expr) {
	pending, flushed := 0, 0
	flush := func() {
		flushed++
		if flushed > 511 {
			f.abc(lua.OP_SETLIST, t, pending, 0, where)
			f.emit(uint32(flushed), where)
		} else {
			f.abc(lua.OP_SETLIST, t, pending, flushed, where)
		}
		pending, f.free = 0, t+1
	}
	for _, field := range e.Fields {
		if field.Key == nil {
			if field.Value == open {
				continue
			}
			f.nextReg(field.Value)
			if pending++; pending == fieldsFlush {
				flush()
			}
			continue
		}
		save := f.free
		key := f.rk(field.Key)
		value := f.rk(field.Value)
		op := lua.OP_SETTABLE
		if _, ok := field.Key.(*syntax.StringExpr); ok && key&rkBit != 0 {
			op = lua.OP_SETTABLEKS
		}
		f.abc(op, t, key, value, f.unit.end(field.Value))
		f.free = save
	}
	if pending > 0 {
		flush()
	}
}

// describe names an expression as Lua's error texts do.
func (f *function) describe(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.NameExpr:
		switch {
		case e.Local == nil:
			return "global '" + e.Name + "'"
		case e.Local.Func == f.tree:
			return "local '" + e.Name + "'"
		}
		return "upvalue '" + e.Name + "'"
	case *syntax.IndexExpr:
		if s, ok := e.Key.(*syntax.StringExpr); ok {
			return "field '" + s.Value + "'"
		}
		return "field '?'"
	case *syntax.ParenExpr:
		if !isMulti(e.X) {
			return f.describe(e.X)
		}
	case *syntax.BinaryExpr:
		if e.Op == syntax.OpAnd || e.Op == syntax.OpOr {
			if n, ok := e.X.(*syntax.NameExpr); ok && n.Local != nil {
				return ""
			}
			return f.describe(e.X)
		}
	}
	return ""
}
