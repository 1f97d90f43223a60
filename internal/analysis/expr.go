package analysis

// This file implements the interpreter's expressions.

import (
	"math"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/syntax"
)

// values is the result of an expression list, with the slots that an open end
// stands for when it is assigned to several variables.
type values struct{ multi }

// place returns what the i-th variable of an assignment gets.
func (in *interp) place(v values, i int) *value {
	if v.walk == nil || i < len(v.vals) {
		return v.at(i)
	}
	r := *v.walk
	if !r.known {
		return v.at(i)
	}
	return in.readSlot(ref{argv: r.argv, index: r.first + i - len(v.vals)})
}

// exprs evaluates a list; the last call or … may give any number of values.
func (in *interp) exprs(list []syntax.Expr) values {
	var m multi
	for i, e := range list {
		if i == len(list)-1 {
			last := in.multi(e)
			m.vals = append(m.vals, last.vals...)
			m.open, m.walk = last.open, last.walk
			break
		}
		m.vals = append(m.vals, in.expr(e))
	}
	return values{m}
}

func (in *interp) multi(e syntax.Expr) multi {
	switch e := e.(type) {
	case *syntax.CallExpr:
		m := in.call(e)
		if in.view != nil && in.st != nil {
			in.see(e, m.first())
		}
		return m
	case *syntax.VarargExpr:
		in.step()
		return in.varargs()
	}
	return single(in.expr(e))
}

func (in *interp) varargs() multi {
	if in.frame.caller == nil {
		return multi{} // Redis calls the script without arguments
	}
	n := in.fixedParams()
	a := in.frame.args
	if len(a.vals) > n {
		a.vals = a.vals[n:]
	} else {
		a.vals = nil
	}
	return a
}

func (in *interp) fixedParams() int {
	n := len(in.frame.fn.Params)
	for n > 0 && in.frame.fn.Params[n-1].Kind == syntax.LocalArg {
		n--
	}
	return n
}

// expr evaluates an expression to one value.
func (in *interp) expr(e syntax.Expr) *value {
	v := in.evaluate(e)
	if in.view != nil {
		in.see(e, v)
	}
	return v
}

func (in *interp) evaluate(e syntax.Expr) *value {
	in.step()
	if in.st == nil {
		return vNever
	}
	switch e := e.(type) {
	case *syntax.NilExpr:
		return vNil
	case *syntax.BoolExpr:
		if e.Value {
			return vTrue
		}
		return vFalse
	case *syntax.NumberExpr:
		return numberLit(e.Value)
	case *syntax.StringExpr:
		return stringLit(e.Value)
	case *syntax.VarargExpr:
		return in.varargs().first()
	case *syntax.FuncExpr:
		return in.closure(e.Func)
	case *syntax.NameExpr:
		return in.name(e)
	case *syntax.IndexExpr:
		x := in.expr(e.X)
		key := in.expr(e.Key)
		if in.st == nil {
			return vNever
		}
		in.at = e.Pos.Start
		v := in.load(x, key)
		in.survives(e.X, x, kIndexed)
		return v
	case *syntax.CallExpr:
		return in.call(e).first()
	case *syntax.BinaryExpr:
		return in.binary(e)
	case *syntax.UnaryExpr:
		return in.unary(e)
	case *syntax.TableExpr:
		return in.table(e)
	case *syntax.ParenExpr:
		return in.expr(e.X)
	}
	return vAny
}

func (in *interp) name(e *syntax.NameExpr) *value {
	if e.Local != nil {
		c := in.cellOf(e.Local)
		if c < 0 {
			return vAny
		}
		return in.st.cell(c)
	}
	if c, ok := in.globals[e.Name]; ok {
		return in.st.cell(c)
	}
	switch e.Name {
	case "KEYS", "ARGV":
		s := in.globalSite(e.Name)
		if s.id >= len(in.st.heap) || in.st.heap[s.id] == nil {
			in.st.setObject(s, &object{slots: &slotTable{argv: e.Name == "ARGV"}})
		}
		return tableAt(s)
	}
	if isLibrary(e.Name) {
		s := in.globalSite(e.Name)
		if s.id >= len(in.st.heap) || in.st.heap[s.id] == nil {
			in.st.setObject(s, &object{lib: e.Name})
		}
		return tableAt(s)
	}
	if isBaseFunction(e.Name) {
		return builtinValue(e.Name)
	}
	return vAny
}

func (in *interp) globalSite(name string) *site {
	key := siteKey{node: name}
	s, ok := in.sites[key]
	if !ok {
		s = &site{id: len(in.sites)}
		in.sites[key] = s
	}
	return s
}

func (in *interp) unary(e *syntax.UnaryExpr) *value {
	v := in.expr(e.X)
	if in.st == nil {
		return vNever
	}
	switch e.Op {
	case syntax.OpNot:
		in.testTruth(v)
		switch {
		case v.is(kTruthy):
			return vFalse
		case v.is(kFalsy):
			return vTrue
		}
		return vBool
	case syntax.OpLen:
		return in.length(v)
	}
	if in.survives(e.X, v, kOperand); in.st == nil {
		return vNever
	}
	if in.metatables && v.may(kTable) {
		return vAny
	}
	in.useNumber(v)
	r := &value{kinds: kNumber, num: number{integral: v.num.integral && !v.may(kString)}, from: in.sum(v, nil, 1)}
	if v.kinds == kNumber && len(v.num.lits) > 0 {
		for i := len(v.num.lits) - 1; i >= 0; i-- {
			r.num.lits = append(r.num.lits, -v.num.lits[i])
		}
	}
	if v.kinds == kNumber && v.num.integral {
		r.num.integral = true
	}
	return r
}

func (in *interp) length(v *value) *value {
	if v.is(kString) {
		return vInt
	}
	if v.is(kTable) && len(v.sites) == 1 {
		o := in.st.object(v.sites[0])
		if t := o.slots; t != nil && !o.any {
			in.note(fact{kind: factLength, ref: ref{argv: t.argv}})
			r := &value{kinds: kNumber, num: number{integral: true}}
			if !t.unknown {
				r.num.length = &length{argv: t.argv, add: -t.shift}
			}
			return r
		}
		if !o.any && o.rest == nil && o.flat == nil && o.dyn == nil && o.lib == "" && !v.sites[0].many {
			sure := true
			for _, e := range o.seq {
				sure = sure && !e.may(kMissing)
			}
			if sure {
				return numberLit(float64(len(o.seq)))
			}
		}
		return &value{kinds: kNumber, num: number{integral: true, sizeOf: v.sites[0].id + 1}}
	}
	return vInt
}

func (in *interp) binary(e *syntax.BinaryExpr) *value {
	switch e.Op {
	case syntax.OpAnd, syntax.OpOr:
		return in.logic(e)
	}
	x := in.expr(e.X)
	y := in.expr(e.Y)
	if in.st == nil {
		return vNever
	}
	switch e.Op {
	case syntax.OpEq, syntax.OpNe:
		in.compareEqual(x, y)
		in.comparePeer(e.X, y)
		in.comparePeer(e.Y, x)
		equal, ok := definite(x, y)
		switch {
		case !ok:
			return vBool.with(in.flagOrigin(x, y))
		case equal == (e.Op == syntax.OpEq):
			return vTrue
		}
		return vFalse
	case syntax.OpLt, syntax.OpLe, syntax.OpGt, syntax.OpGe:
		if in.operands(e, x, y); in.st == nil {
			return vNever
		}
		return vBool
	}
	if in.operands(e, x, y); in.st == nil {
		return vNever
	}
	if in.metatables && (x.may(kTable) || y.may(kTable)) {
		return vAny
	}
	if e.Op == syntax.OpConcat {
		return in.concat(x, y)
	}
	return in.arithmetic(e.Op, x, y)
}

// operands narrows both sides of an operator that raises on nil and booleans.
func (in *interp) operands(e *syntax.BinaryExpr, x, y *value) {
	in.survives(e.X, x, kOperand)
	in.survives(e.Y, y, kOperand)
}

// logic evaluates x and y, x or y.
func (in *interp) logic(e *syntax.BinaryExpr) *value {
	x := in.expr(e.X)
	if in.st == nil {
		return vNever
	}
	keep, other := kFalsy, kTruthy
	if e.Op == syntax.OpOr {
		keep, other = kTruthy, kFalsy
	}
	if e.Op == syntax.OpOr {
		in.defaulted(x, e.Y)
	} else {
		in.testTruth(x)
	}
	if x.kinds&other == 0 {
		return x
	}
	kept := x.only(keep)
	if e.Op == syntax.OpAnd {
		kept = kept.with(nil) // nil and false stand for no slot
	}
	if isConstant(e.Y) {
		return joinDefault(kept, in.expr(e.Y))
	}
	if e.Op == syntax.OpAnd {
		saved := in.guard
		defer func() { in.guard = saved }()
		enough, _ := in.guardOf(e.X)
		in.guard = max(in.guard, enough)
	}
	if x.kinds&keep == 0 {
		return in.expr(e.Y)
	}
	skip := in.st.clone()
	// What x must be for y to be asked holds in y.
	in.narrowBy(in.st, e.X, x, other)
	in.narrowBy(skip, e.X, x, keep)
	y := in.expr(e.Y)
	in.st = joinStates(in.st, skip)
	return joinDefault(kept, y)
}

// narrowBy applies to s what it means that e, with value v, is of kinds k; in
// conditions made of and, or, not and comparisons too.
func (in *interp) narrowBy(s *state, e syntax.Expr, v *value, k kinds) {
	switch e := e.(type) {
	case *syntax.NameExpr, *syntax.IndexExpr:
		in.refine(s, e, v.only(k))
	case *syntax.ParenExpr:
		in.narrowBy(s, e.X, v, k)
	case *syntax.UnaryExpr, *syntax.BinaryExpr:
		// Ask again, silently: which state comes of this outcome?
		mark, calls, saved := len(in.facts), in.view.mark(), in.st
		in.st = s.clone()
		yes, no := in.branch(e)
		in.st, in.facts = saved, in.facts[:mark]
		in.view.rewind(calls)
		got := yes
		if k == kFalsy {
			got = no
		}
		if got != nil && pure(e) {
			s.cells, s.heap = got.cells, got.heap
		}
	}
}

// pure tells whether e calls nothing.
func pure(e syntax.Expr) bool {
	ok := true
	syntax.Inspect(e, func(n syntax.Node) bool {
		switch n.(type) {
		case *syntax.CallExpr, *syntax.FuncExpr:
			ok = false
		}
		return ok
	})
	return ok
}

// joinDefault joins the outcomes of and/or; the result still stands for the
// slots of the left side.
func joinDefault(x, y *value) *value {
	r := join(x, y)
	if x.from != nil && x.kinds != 0 && y.from == nil && r.from != x.from {
		return r.with(x.from)
	}
	return r
}

func isConstant(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.NilExpr, *syntax.BoolExpr, *syntax.NumberExpr, *syntax.StringExpr:
		return true
	case *syntax.UnaryExpr:
		return e.Op == syntax.OpNeg && isConstant(e.X)
	}
	return false
}

func (in *interp) concat(x, y *value) *value {
	in.useString(x)
	in.useString(y)
	if a, ok := x.constantText(); ok {
		if b, ok := y.constantText(); ok && len(a)+len(b) < 4096 {
			return stringLit(a + b)
		}
	}
	r := vString
	// A literal beginning matters for error codes: 'CODE ' .. text.
	if a, ok := x.constantText(); ok && a != "" {
		r = &value{kinds: kString, str: text{lits: nil}}
		r.from = &origin{prefix: a}
	} else if x.from != nil && x.from.prefix != "" {
		r = &value{kinds: kString, from: &origin{prefix: x.from.prefix}}
	}
	return r
}

// constantText returns the text of a literal as .. writes it.
func (v *value) constantText() (string, bool) {
	if s, ok := v.literalString(); ok {
		return s, true
	}
	if v.kinds == kNumber && len(v.num.lits) == 1 {
		return formatNumber(v.num.lits[0]), true
	}
	return "", false
}

// formatNumber writes a number as Lua does: %.14g.
func formatNumber(n float64) string {
	switch {
	case n == math.Trunc(n) && math.Abs(n) < 1e14:
		return strconv.FormatInt(int64(n), 10)
	}
	s := strconv.FormatFloat(n, 'g', 14, 64)
	if strings.Contains(s, ".") && !strings.Contains(s, "e") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

func (in *interp) arithmetic(op syntax.Op, x, y *value) *value {
	in.useNumber(x)
	in.useNumber(y)
	r := &value{kinds: kNumber}
	a, b := asNumber(x), asNumber(y)
	intArgs := a.integral && b.integral
	switch op {
	case syntax.OpAdd, syntax.OpSub, syntax.OpMul:
		r.num.integral = intArgs
	case syntax.OpMod: // by zero it is nan
		r.num.integral = intArgs && len(b.lits) == 1 && b.lits[0] != 0
	}
	if len(a.lits) == 1 && len(b.lits) == 1 {
		n := compute(op, a.lits[0], b.lits[0])
		if !math.IsNaN(n) && !math.IsInf(n, 0) {
			r.num.lits = []float64{n}
			r.num.integral = n == math.Trunc(n)
		}
		return r
	}
	if len(b.lits) == 1 && b.lits[0] == math.Trunc(b.lits[0]) {
		c := int(b.lits[0])
		r.num.prog = shiftProg(op, a.prog, c)
		r.num.length = shiftLength(op, a.length, c)
		if len(a.lits) > 1 && (op == syntax.OpAdd || op == syntax.OpSub || op == syntax.OpMul) {
			for _, l := range a.lits {
				r.num.lits = append(r.num.lits, compute(op, l, b.lits[0]))
			}
		}
	} else if len(a.lits) == 1 && (op == syntax.OpAdd || op == syntax.OpMul) && a.lits[0] == math.Trunc(a.lits[0]) {
		c := int(a.lits[0])
		r.num.prog = shiftProg(op, b.prog, c)
		r.num.length = shiftLength(op, b.length, c)
	} else if (op == syntax.OpAdd || op == syntax.OpSub) && (a.prog != nil || b.prog != nil) {
		r.num.prog = lostProg(a.prog, b.prog)
	}
	switch op {
	case syntax.OpAdd:
		r.from = in.sum(x, y, 1)
	case syntax.OpSub:
		r.from = in.sum(x, y, -1)
	case syntax.OpMul:
		r.from = scaled(x, y, func(s, c float64) float64 { return s * c })
	case syntax.OpDiv:
		if len(b.lits) == 1 {
			r.from = scaled(x, y, func(s, c float64) float64 { return s / c })
		}
		in.fraction(x)
	}
	return r
}

// asNumber returns v's number as arithmetic sees it; strings convert.
func asNumber(v *value) number {
	if v.is(kNumber) {
		return v.num
	}
	n := number{}
	if v.may(kNumber) {
		n = v.num
		n.lits, n.prog, n.length = nil, nil, nil
	}
	if v.may(kString) {
		n.integral = v.str.kindOf() == textInt && (!v.may(kNumber) || v.num.integral)
	}
	return n
}

func compute(op syntax.Op, a, b float64) float64 {
	switch op {
	case syntax.OpAdd:
		return a + b
	case syntax.OpSub:
		return a - b
	case syntax.OpMul:
		return a * b
	case syntax.OpDiv:
		return a / b
	case syntax.OpMod:
		return a - math.Floor(a/b)*b
	}
	return math.Pow(a, b)
}

func shiftProg(op syntax.Op, p *progression, c int) *progression {
	if p == nil {
		return nil
	}
	r := *p
	switch op {
	case syntax.OpAdd:
		r.first += c
		r.shift += c
	case syntax.OpSub:
		r.first -= c
		r.shift -= c
	case syntax.OpMul:
		if c <= 0 {
			return nil
		}
		r.within = 0
		r.first *= c
		r.stride *= c
	default:
		return nil
	}
	return &r
}

func lostProg(p, q *progression) *progression {
	if p == nil {
		p = q
	}
	return &progression{stride: p.stride}
}

func shiftLength(op syntax.Op, l *length, c int) *length {
	if l == nil {
		return nil
	}
	r := *l
	switch op {
	case syntax.OpAdd:
		r.add += c
	case syntax.OpSub:
		r.add -= c
	default:
		return nil
	}
	return &r
}

// table evaluates a constructor.
func (in *interp) table(e *syntax.TableExpr) *value {
	o := &object{}
	var keyed [][2]*value
	for i := range e.Fields {
		f := &e.Fields[i]
		if in.st == nil {
			return vNever
		}
		switch {
		case f.Key == nil && i == len(e.Fields)-1:
			m := in.multi(f.Value)
			o.seq = append(o.seq, m.vals...)
			if m.open != nil {
				o.rest = joinMaybe(o.rest, m.open)
			}
			if len(m.vals) == 1 && m.open == nil {
				o.names = appendName(o.names, len(o.seq)-1, in.elementName(f.Value, o.seq[len(o.seq)-1]))
			}
		case f.Key == nil:
			o.seq = append(o.seq, in.expr(f.Value))
			o.names = appendName(o.names, len(o.seq)-1, in.elementName(f.Value, o.seq[len(o.seq)-1]))
		default:
			key := in.expr(f.Key)
			val := in.expr(f.Value)
			keyed = append(keyed, [2]*value{key, val})
		}
	}
	if in.st == nil {
		return vNever
	}
	places := len(o.seq)
	for n := places; n > 0 && o.rest == nil && o.seq[n-1].is(kNil); n = len(o.seq) {
		o.seq = o.seq[:n-1]
	}
	for _, kv := range keyed {
		// Lua stores the positional values last: they win.
		if i, ok := kv[0].literalInt(); !ok || i < 1 || i > places {
			o = setKey(o, kv[0], kv[1])
		}
	}
	return in.alloc(e, o)
}

func appendName(names []string, i int, name string) []string {
	for len(names) < i {
		names = append(names, "")
	}
	return append(names[:i:i], name)
}

func isWord(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return s != ""
}

func isInt(s string) bool {
	_, err := strconv.ParseInt(s, 10, 64)
	return err == nil
}

func isFloat(s string) bool {
	_, err := strconv.ParseFloat(s, 64)
	return err == nil && !strings.ContainsAny(s, "_xXpP")
}
