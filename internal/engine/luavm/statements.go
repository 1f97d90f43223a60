package luavm

// This file implements the compilation of statements.

import (
	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/coverage"
	"github.com/luagen/luagen/internal/syntax"
)

func (f *function) statements(b *syntax.Block) {
	for _, s := range b.Stmts {
		f.count(coverage.Statement, s)
		f.statement(s)
	}
}

func (f *function) scope(b *syntax.Block) {
	f.enter(false)
	f.statements(b)
	f.leave(f.unit.end(b))
}

func (f *function) statement(s syntax.Stmt) {
	u := f.unit
	switch s := s.(type) {
	case *syntax.LocalStmt:
		f.localStmt(s)
	case *syntax.AssignStmt:
		f.assignStmt(s)
	case *syntax.CallStmt:
		save := f.free
		f.call(s.Call, 0)
		f.free = save
	case *syntax.DoStmt:
		f.scope(s.Body)
	case *syntax.WhileStmt:
		f.whileStmt(s)
	case *syntax.RepeatStmt:
		f.repeatStmt(s)
	case *syntax.IfStmt:
		f.ifStmt(s)
	case *syntax.NumericFor:
		f.numericFor(s)
	case *syntax.GenericFor:
		f.genericFor(s)
	case *syntax.FuncStmt:
		f.assignOne(s.Target, s.Func, u.start(s))
	case *syntax.LocalFuncStmt:
		f.localFunc(s)
	case *syntax.ReturnStmt:
		f.returnStmt(s)
	case *syntax.BreakStmt:
		f.breakStmt(s)
	}
}

func (f *function) localStmt(s *syntax.LocalStmt) {
	base := f.free
	f.expressions(s.Values, len(s.Names), f.unit.end(s))
	for i, l := range s.Names {
		f.declare(l, base+i, f.unit.start(s))
	}
}

func (f *function) localFunc(s *syntax.LocalFuncStmt) {
	where := f.unit.end(s)
	reg := f.reserve(1)
	if !boxed(s.Name) {
		f.declare(s.Name, reg, where)
		f.closure(s.Func.Func, reg, where)
		return
	}
	f.abc(lua.OP_LOADNIL, reg, reg, 0, where)
	f.declare(s.Name, reg, where)
	tmp := f.reserve(1)
	f.closure(s.Func.Func, tmp, where)
	f.abc(lua.OP_SETTABLE, reg, f.rkConstant(lua.LNumber(1), where), tmp, where)
	f.free = tmp
}

// assignStmt evaluates the targets' tables and keys, then all values, then
// assigns from the last target to the first, as Lua 5.1 does.
func (f *function) assignStmt(s *syntax.AssignStmt) {
	if len(s.Targets) == 1 && len(s.Values) == 1 {
		f.assignOne(s.Targets[0], s.Values[0], f.unit.end(s))
		return
	}
	save := f.free
	stores := make([]store, len(s.Targets))
	for i, t := range s.Targets {
		stores[i] = f.target(t, s.Targets)
	}
	base := f.free
	where := f.unit.end(s)
	f.expressions(s.Values, len(s.Targets), where)
	for i := len(stores) - 1; i >= 0; i-- {
		f.store(stores[i], base+i, where)
	}
	f.free = save
}

// store is where an assignment goes: a local, a global, or a field.
type store struct {
	local      *syntax.Local
	global     string
	table, key int // an RK for the key
	keyString  bool
	names      [2]string
}

// target evaluates what has to be known before the values are. all are the
// targets of the statement: one that another target reads is copied first.
func (f *function) target(e syntax.Expr, all []syntax.Expr) store {
	switch e := e.(type) {
	case *syntax.NameExpr:
		if e.Local != nil {
			return store{local: e.Local}
		}
		return store{global: e.Name}
	case *syntax.IndexExpr:
		st := store{names: [2]string{f.describe(e.X)}}
		st.table = f.stable(e.X, all)
		_, st.keyString = e.Key.(*syntax.StringExpr)
		if st.keyString {
			st.key = f.rk(e.Key)
			st.keyString = st.key&rkBit != 0
		} else if _, name := e.Key.(*syntax.NameExpr); name {
			st.key = f.stable(e.Key, all)
		} else {
			st.key = f.rk(e.Key)
		}
		return st
	}
	panic("assignment to what is no variable")
}

// stable is anyReg, but copies a local that the statement assigns to.
func (f *function) stable(e syntax.Expr, all []syntax.Expr) int {
	if n, ok := e.(*syntax.NameExpr); ok && n.Local != nil && len(all) > 1 {
		for _, t := range all {
			if other, ok := t.(*syntax.NameExpr); ok && other.Local == n.Local {
				return f.nextReg(e)
			}
		}
	}
	return f.anyReg(e)
}

// store assigns an RK operand.
func (f *function) store(st store, rk, where int) {
	switch {
	case st.local != nil:
		f.storeLocal(st.local, rk, where)
	case st.table == 0 && st.key == 0 && st.global != "":
		f.abx(lua.OP_SETGLOBAL, f.toReg(rk, where), f.constant(lua.LString(st.global)), where)
	default:
		op := lua.OP_SETTABLE
		if st.keyString {
			op = lua.OP_SETTABLEKS
		}
		at := f.unit.named(position{line: f.lineOf(where), names: st.names})
		f.abc(op, st.table, st.key, rk, at)
	}
}

func (f *function) storeLocal(l *syntax.Local, rk, where int) {
	if boxed(l) {
		save := f.free
		box := f.box(l, where)
		f.abc(lua.OP_SETTABLE, box, f.rkConstant(lua.LNumber(1), where), rk, where)
		f.free = save
		return
	}
	reg := f.locals[l]
	if rk&rkBit != 0 {
		f.abx(lua.OP_LOADK, reg, rk&^rkBit, where)
	} else if rk != reg {
		f.abc(lua.OP_MOVE, reg, rk, 0, where)
	}
}

func (f *function) assignOne(target, value syntax.Expr, where int) {
	save := f.free
	if n, ok := target.(*syntax.NameExpr); ok && n.Local != nil && n.Local.Func == f.tree && !boxed(n.Local) {
		if writesLast(value) {
			f.into(value, f.locals[n.Local])
		} else {
			f.storeLocal(n.Local, f.nextReg(value), where)
		}
		f.free = save
		return
	}
	st := f.target(target, nil)
	f.store(st, f.rk(value), where)
	f.free = save
}

// writesLast tells whether the code of an expression writes its target only
// with its last instruction, after every read.
func writesLast(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return writesLast(e.X)
	case *syntax.BinaryExpr:
		return e.Op <= syntax.OpDiv
	case *syntax.UnaryExpr:
		return e.Op == syntax.OpNeg || e.Op == syntax.OpNot
	case *syntax.NilExpr, *syntax.BoolExpr, *syntax.NumberExpr, *syntax.StringExpr, *syntax.NameExpr, *syntax.IndexExpr:
		return true
	}
	return false
}

func (f *function) whileStmt(s *syntax.WhileStmt) {
	start := len(f.code)
	exits := f.condition(s.Cond, false)
	f.countOutcome(coverage.True, s.Cond)
	b := f.enter(true)
	f.statements(s.Body)
	where := f.unit.end(s)
	f.leave(where)
	f.jumpBack(start, where)
	f.patchHere(exits)
	f.countOutcome(coverage.False, s.Cond)
	f.patchHere(b.breaks)
}

func (f *function) repeatStmt(s *syntax.RepeatStmt) {
	start := len(f.code)
	loop := f.enter(true)
	f.enter(false)
	f.statements(s.Body)
	f.count(coverage.Statement, s.Cond)
	exits := f.condition(s.Cond, true)
	f.countOutcome(coverage.False, s.Cond)
	where := f.unit.end(s)
	f.close(f.block, where)
	f.jumpBack(start, where)
	f.patchHere(exits)
	f.countOutcome(coverage.True, s.Cond)
	f.leave(where)
	f.leave(where)
	f.patchHere(loop.breaks)
}

func (f *function) ifStmt(s *syntax.IfStmt) {
	var ends []int
	for i, c := range s.Clauses {
		if i > 0 {
			f.count(coverage.Statement, c.Cond)
		}
		next := f.condition(c.Cond, false)
		f.countOutcome(coverage.True, c.Cond)
		f.scope(c.Body)
		if i < len(s.Clauses)-1 || s.Else != nil || f.counts(c.Cond) {
			ends = append(ends, f.jump(f.unit.end(c.Body)))
		}
		f.patchHere(next)
		f.countOutcome(coverage.False, c.Cond)
	}
	if s.Else != nil {
		f.scope(s.Else)
	}
	f.patchHere(ends)
}

func (f *function) numericFor(s *syntax.NumericFor) {
	u := f.unit
	where := u.start(s)
	loop := f.enter(true)
	base := f.free
	static := true
	bounds := []syntax.Expr{s.Start, s.Limit}
	if s.Step != nil {
		bounds = append(bounds, s.Step)
	}
	for _, e := range bounds {
		static = static && alwaysNumber(e)
	}
	if static {
		for _, e := range bounds {
			f.nextReg(e)
		}
	} else {
		// a function turns text into numbers and checks the three
		fn := f.reserve(1)
		f.loadConstant(fn, forPrepare, where)
		for _, e := range bounds {
			f.nextReg(e)
		}
		f.abc(lua.OP_CALL, fn, len(bounds)+1, 4, where)
		f.free = base
		f.reserve(3)
	}
	if static && s.Step == nil {
		f.loadConstant(f.reserve(1), lua.LNumber(1), where)
	}
	prep := f.abx(lua.OP_FORPREP, base, maxJump, where)
	body := len(f.code)
	f.enter(false)
	reg := f.reserve(1)
	f.declare(s.Var, reg, where)
	f.statements(s.Body)
	f.leave(u.end(s))
	f.patch(prep, len(f.code))
	pc := f.abx(lua.OP_FORLOOP, base, maxJump, where)
	f.patch(pc, body)
	f.leave(u.end(s))
	f.patchHere(loop.breaks)
}

// alwaysNumber tells whether an expression can give nothing but a number.
func alwaysNumber(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.NumberExpr:
		return true
	case *syntax.ParenExpr:
		return alwaysNumber(e.X)
	case *syntax.UnaryExpr:
		return e.Op == syntax.OpNeg && alwaysNumber(e.X) || e.Op == syntax.OpLen && isKeysOrArgv(e.X)
	case *syntax.BinaryExpr:
		return e.Op <= syntax.OpPow && alwaysNumber(e.X) && alwaysNumber(e.Y)
	}
	return false
}

func isKeysOrArgv(e syntax.Expr) bool {
	n, ok := e.(*syntax.NameExpr)
	return ok && n.Local == nil && (n.Name == "KEYS" || n.Name == "ARGV")
}

func (f *function) genericFor(s *syntax.GenericFor) {
	u := f.unit
	where := u.start(s)
	loop := f.enter(true)
	base := f.free
	f.expressions(s.Exprs, 3, where)
	f.max = max(f.max, base+6) // the VM copies its call above the three
	prep := f.jump(where)
	body := len(f.code)
	f.enter(false)
	first := f.reserve(len(s.Vars))
	for i, l := range s.Vars {
		f.declare(l, first+i, where)
	}
	f.statements(s.Body)
	f.leave(u.end(s))
	f.patch(prep, len(f.code))
	f.abc(lua.OP_TFORLOOP, base, 0, len(s.Vars), where)
	f.jumpBack(body, where)
	f.leave(u.end(s))
	f.patchHere(loop.breaks)
}

func (f *function) breakStmt(s *syntax.BreakStmt) {
	capture, base := false, 0
	b := f.block
	for ; !b.loop; b = b.parent {
		capture = capture || b.capture
		base = b.base
	}
	if b.capture {
		capture, base = true, b.base
	}
	where := f.unit.start(s)
	if capture {
		f.abc(lua.OP_CLOSE, base, 0, 0, where)
	}
	b.breaks = append(b.breaks, f.jump(where))
}

func (f *function) returnStmt(s *syntax.ReturnStmt) {
	where := f.unit.end(s)
	save := f.free
	defer func() { f.free = save }()
	switch len(s.Values) {
	case 0:
		f.abc(lua.OP_RETURN, 0, 1, 0, where)
		return
	case 1:
		if c, ok := s.Values[0].(*syntax.CallExpr); ok {
			reg := f.call(c, -1)
			last := len(f.code) - 1
			f.code[last] = f.code[last]&(1<<26-1) | uint32(lua.OP_TAILCALL)<<26
			f.abc(lua.OP_RETURN, reg, 0, 0, where)
			return
		}
		if _, multi := s.Values[0].(*syntax.VarargExpr); !multi {
			f.abc(lua.OP_RETURN, f.anyReg(s.Values[0]), 2, 0, where)
			return
		}
	}
	base := f.free
	n := f.openExpressions(s.Values)
	f.abc(lua.OP_RETURN, base, n+1, 0, where)
}
