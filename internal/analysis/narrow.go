package analysis

// This file implements conditions: what each outcome says of the values.

import (
	"slices"

	"github.com/luagen/luagen/internal/syntax"
)

// These kinds do not raise: tables may have metamethods.
const (
	kOperand = kNumber | kString | kTable | kOther // of arithmetic, an order or ..
	kIndexed = kTable | kString | kOther
	kPassed  = kNumber | kString // to a command
)

// survives narrows the variable e, whose value was v, to what did not raise
// just now: after x + 1 x is no nil.
func (in *interp) survives(e syntax.Expr, v *value, k kinds) {
	if in.st == nil || v.kinds&^k == 0 {
		return
	}
	if v.kinds&k == 0 {
		in.st = in.elsewhere(e, nil)
		return
	}
	if p, ok := e.(*syntax.ParenExpr); ok {
		e = p.X
	}
	n, ok := e.(*syntax.NameExpr)
	if !ok || n.Local == nil || n.Local.Captured && n.Local.Assigned {
		return // whatever was evaluated since may have changed it
	}
	in.refine(in.st, n, v.only(k))
}

// branch evaluates a condition and returns what holds where it is true and
// where it is false; nil where that cannot be.
func (in *interp) branch(cond syntax.Expr) (yes, no *state) {
	in.step()
	switch e := cond.(type) {
	case *syntax.ParenExpr:
		return in.branch(e.X)
	case *syntax.UnaryExpr:
		if e.Op == syntax.OpNot {
			no, yes = in.branch(e.X)
			return yes, no
		}
	case *syntax.BinaryExpr:
		switch e.Op {
		case syntax.OpAnd:
			t, f := in.branch(e.X)
			if in.st = t; t == nil {
				return nil, f
			}
			enough, _ := in.guardOf(e.X)
			in.guarded(enough, func() { yes, no = in.branch(e.Y) })
			return yes, joinStates(no, f)
		case syntax.OpOr:
			t, f := in.branch(e.X)
			if in.st = f; f == nil {
				return t, nil
			}
			yes, no = in.branch(e.Y)
			return joinStates(yes, t), no
		case syntax.OpEq:
			return in.equality(e)
		case syntax.OpNe:
			no, yes = in.equality(e)
			return yes, no
		}
	}
	v := in.expr(cond)
	if in.st == nil {
		return nil, nil
	}
	in.testTruth(v)
	return in.split(cond, v, v.only(kTruthy), v.only(kFalsy))
}

// split returns the current state twice, with the place that e names narrowed
// to t and to f; nil where the value is impossible.
func (in *interp) split(e syntax.Expr, v, t, f *value) (yes, no *state) {
	s := in.st
	switch {
	case t.kinds == 0:
		return in.elsewhere(e, nil), s
	case f.kinds == 0:
		return s, in.elsewhere(e, nil)
	}
	yes, no = s, s.clone()
	if t != v {
		in.refine(yes, e, t)
	}
	if f != v {
		in.refine(no, e, f)
	}
	return yes, no
}

// elsewhere returns what holds where a condition on x, and y, has an outcome
// that it cannot have, or behind an error that is certain: nothing. Rules see what stands there as well, as that
// may be the script's mistake; then nothing is known of x and y.
func (in *interp) elsewhere(x, y syntax.Expr) *state {
	if in.view == nil || in.frame.caller != nil || isConstant(x) && (y == nil || isConstant(y)) {
		return nil
	}
	s := in.st.clone()
	in.refine(s, x, vAny)
	if y != nil {
		in.refine(s, y, vAny)
	}
	return s
}

// refine records in s that the variable or element e holds v.
func (in *interp) refine(s *state, e syntax.Expr, v *value) {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		in.refine(s, e.X, v)
	case *syntax.NameExpr:
		if e.Local != nil {
			if c := in.cellOf(e.Local); c >= 0 {
				s.setCell(c, v)
			}
		}
	case *syntax.IndexExpr:
		in.refineElement(s, e, v)
	}
}

// refineElement narrows x[1] or x.name, where x is a variable with one known table.
func (in *interp) refineElement(s *state, e *syntax.IndexExpr, v *value) {
	name, ok := e.X.(*syntax.NameExpr)
	if !ok || name.Local == nil {
		return
	}
	c := in.cellOf(name.Local)
	if c < 0 {
		return
	}
	x := s.cell(c)
	if !x.is(kTable) || len(x.sites) != 1 || x.sites[0].many {
		return
	}
	o := s.object(x.sites[0])
	if o.slots != nil || o.lib != "" || o.any {
		return
	}
	switch key := e.Key.(type) {
	case *syntax.NumberExpr:
		i := int(key.Value)
		if float64(i) != key.Value || i < 1 || i > len(o.seq) {
			return
		}
		r := *o
		r.seq = append([]*value(nil), o.seq...)
		r.seq[i-1] = v
		s.setObject(x.sites[0], &r)
	case *syntax.StringExpr:
		if o.dyn == nil && o.fields[key.Value] != nil {
			s.setObject(x.sites[0], o.withField(key.Value, v))
		}
	}
}

// equality evaluates x == y and narrows both sides by the outcome.
func (in *interp) equality(e *syntax.BinaryExpr) (yes, no *state) {
	if arg, kind, ok := in.typeTest(e); ok {
		v := in.expr(arg)
		if in.st == nil {
			return nil, nil
		}
		in.testTruth(v)
		return in.split(arg, v, v.only(kind), v.only(kAll&^kind))
	}
	x := in.expr(e.X)
	if in.st == nil {
		return nil, nil
	}
	y := in.expr(e.Y)
	if in.st == nil {
		return nil, nil
	}
	in.compareEqual(x, y)
	in.comparePeer(e.X, y)
	in.comparePeer(e.Y, x)
	if v, ok := definite(x, y); ok {
		if v {
			return in.st, in.elsewhere(e.X, e.Y)
		}
		return in.elsewhere(e.X, e.Y), in.st
	}
	yes, no = in.st, in.st.clone()
	in.narrowEqual(yes, no, e.X, x, y)
	in.narrowEqual(yes, no, e.Y, y, x)
	return yes, no
}

// narrowEqual narrows e, whose value is v, by its being equal or not to w.
func (in *interp) narrowEqual(yes, no *state, e syntax.Expr, v, w *value) {
	common := v.kinds & w.kinds
	if w.kinds&kMissing != 0 {
		common |= v.kinds & kMissing
	}
	if common != v.kinds {
		in.refine(yes, e, v.only(common))
	}
	if w.is(kString) && len(w.str.lits) > 0 && v.kinds&kString != 0 {
		r := *v.only(kString)
		r.str = text{lits: w.str.lits, kind: v.str.kind}
		in.refine(yes, e, &r)
	}
	// Inequality says something only against a single value.
	switch {
	case w.is(kMissing):
		in.refine(no, e, v.only(kAll&^kMissing))
	case w.kinds == kFalse:
		in.refine(no, e, v.only(kAll&^kFalse))
	case w.kinds == kTrue:
		in.refine(no, e, v.only(kAll&^kTrue))
	case w.kinds == kNumber && len(w.num.lits) == 1 && v.kinds == kNumber && len(v.num.lits) > 1:
		r := *v
		r.num.lits = without(v.num.lits, w.num.lits[0])
		in.refine(no, e, &r)
	case w.kinds == kString && len(w.str.lits) == 1 && v.kinds == kString && len(v.str.lits) > 1:
		r := *v
		r.str.lits = without(v.str.lits, w.str.lits[0])
		in.refine(no, e, &r)
	}
}

// without returns the literals but one, in a list of their own.
func without[T comparable](lits []T, but T) []T {
	return slices.DeleteFunc(slices.Clone(lits), func(l T) bool { return l == but })
}

// definite tells whether x == y has only one outcome.
func definite(x, y *value) (equal, ok bool) {
	xk, yk := x.kinds, y.kinds
	if xk&kMissing != 0 {
		xk |= kMissing
	}
	if yk&kMissing != 0 {
		yk |= kMissing
	}
	if xk&yk == 0 {
		return false, true
	}
	if x.kinds == kNumber && y.kinds == kNumber && x.num.lits != nil && y.num.lits != nil {
		return decide(x.num.lits, y.num.lits)
	}
	if x.kinds == kString && y.kinds == kString && x.str.lits != nil && y.str.lits != nil {
		return decide(x.str.lits, y.str.lits)
	}
	if x.kinds == y.kinds && (x.kinds == kTrue || x.kinds == kFalse || x.kinds == kNil) {
		return true, true
	}
	return false, false
}

func decide[T comparable](a, b []T) (equal, ok bool) {
	if len(a) == 1 && len(b) == 1 {
		return a[0] == b[0], true
	}
	for _, x := range a {
		for _, y := range b {
			if x == y {
				return false, false
			}
		}
	}
	return false, true
}

// typeTest recognises type(x) == 'name'.
func (in *interp) typeTest(e *syntax.BinaryExpr) (arg syntax.Expr, kind kinds, ok bool) {
	call, lit := e.X, e.Y
	if _, swapped := call.(*syntax.StringExpr); swapped {
		call, lit = lit, call
	}
	c, isCall := call.(*syntax.CallExpr)
	s, isString := lit.(*syntax.StringExpr)
	if !isCall || !isString || len(c.Args) != 1 || c.Method != nil {
		return nil, 0, false
	}
	if f, isName := c.Fun.(*syntax.NameExpr); !isName || in.global(f) != "type" {
		return nil, 0, false
	}
	kind = map[string]kinds{
		"nil": kMissing, "boolean": kFalse | kTrue, "number": kNumber, "string": kString,
		"table": kTable, "function": kFunc, "userdata": kOther, "thread": kOther,
	}[s.Value]
	return c.Args[0], kind, kind != 0
}

// global returns the name of the library function that a name stands for.
func (in *interp) global(n *syntax.NameExpr) string {
	v := in.name(n)
	if v.is(kFunc) && len(v.funcs) == 1 {
		return v.funcs[0].builtin
	}
	return ""
}
