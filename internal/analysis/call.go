package analysis

// This file implements calls: of Lua functions, which are followed into, and
// of values that are not known.

import (
	"slices"

	"github.com/luagen/luagen/internal/syntax"
)

// call evaluates f(args) or x:m(args).
func (in *interp) call(e *syntax.CallExpr) multi {
	in.step()
	if in.st == nil {
		return multi{}
	}
	f := in.expr(e.Fun)
	var self []*value
	if e.Method != nil {
		if in.st == nil {
			return multi{}
		}
		self = []*value{f}
		if f.may(kString) {
			in.useString(f)
			if !f.may(kTable) {
				f = builtinValue("string." + e.Method.Value)
			} else {
				f = vAny
			}
		} else {
			f = in.load(f, stringLit(e.Method.Value))
		}
	}
	mark := len(in.facts)
	args := in.exprs(e.Args).multi
	if f.is(kFunc) && len(f.funcs) == 1 && f.funcs[0].builtin == "assert" {
		in.dropTests(mark)
	}
	if in.st == nil {
		return multi{}
	}
	in.callAt = e.Pos.Start
	if self != nil {
		args.vals = append(self, args.vals...)
	}
	return in.invoke(f, args, e, e)
}

// invoke calls whatever f may be. call is the call's node, or nil; node gives
// the tables that it makes a place.
func (in *interp) invoke(f *value, args multi, call *syntax.CallExpr, node any) multi {
	if !f.may(kFunc | kTable | kOther) {
		in.st = nil // calling anything else raises
		return multi{}
	}
	if f.unknownFunc() || f.may(kTable|kOther) && !f.may(kFunc) {
		return in.unknownCall(args, "the function that is called here is not known")
	}
	if len(f.funcs) == 1 {
		return in.invokeOne(f.funcs[0], args, call, node)
	}
	before := in.st
	var after *state
	var r multi
	for _, fn := range f.funcs {
		in.st = before.clone()
		got := in.invokeOne(fn, args, call, node)
		if in.st == nil {
			continue
		}
		if after == nil {
			r = got
		} else {
			r = joinMulti(r, got)
		}
		after = joinStates(after, in.st)
	}
	in.st = after
	return r
}

func (in *interp) invokeOne(f *function, args multi, call *syntax.CallExpr, node any) multi {
	if f.builtin != "" {
		return in.builtin(f.builtin, args, call, node)
	}
	return in.inline(f, args, call)
}

// unknownCall is a call of something that cannot be followed: it may change
// every table and every variable that a closure can reach.
func (in *interp) unknownCall(args multi, why string) multi {
	for _, v := range args.vals {
		in.useString(v)
	}
	r := in.because(vAny, why)
	in.havoc(args, r.why)
	return multi{open: r}
}

// havoc forgets whatever a function called with args may change: the variables
// that closures share, and the tables behind those, globals and arguments.
func (in *interp) havoc(args multi, why *reason) {
	unknown := &object{any: true, why: why}
	r := reach{st: in.st, seen: map[int]bool{}}
	for _, v := range args.vals {
		r.value(v)
	}
	r.value(args.open)
	for _, fr := range in.lasting {
		for i, l := range fr.fn.Locals {
			if l.Captured && fr.base+i < len(in.st.cells) && in.st.cells[fr.base+i] != nil {
				r.value(in.st.cells[fr.base+i])
				if l.Assigned {
					in.st.cells[fr.base+i] = lost(why)
				}
			}
		}
	}
	for _, c := range in.globals {
		r.value(in.st.cell(c))
		in.st.setCell(c, lost(why))
	}
	for i, o := range in.st.heap {
		if o != nil && o.slots == nil && o.lib == "" && (r.all || r.seen[i]) {
			in.st.heap[i] = unknown
		}
	}
}

// reach collects the tables that values lead to.
type reach struct {
	st   *state
	seen map[int]bool
	all  bool // some table on the way is not known: any may be meant
}

func (r *reach) value(v *value) {
	if v == nil || r.all || v.kinds&(kTable|kOther) == 0 {
		return
	}
	if v.unknownTable() {
		r.all = true
		return
	}
	for _, s := range v.sites {
		if r.seen[s.id] {
			continue
		}
		r.seen[s.id] = true
		r.object(r.st.object(s))
	}
}

func (r *reach) object(o *object) {
	r.all = r.all || o.any
	for _, v := range o.seq {
		r.value(v)
	}
	for _, v := range o.fields {
		r.value(v)
	}
	r.value(o.rest)
	r.value(o.keys)
	r.value(o.dyn)
	if o.flat != nil {
		r.value(o.flat.key)
		r.value(o.flat.val)
	}
}

// inline follows a call into a Lua function.
func (in *interp) inline(f *function, args multi, call *syntax.CallExpr) multi {
	switch {
	case in.active[f.code] > 0:
		return in.unknownCall(args, "the function calls itself here")
	case in.frame.depth >= maxInline || in.inlined >= maxCalls:
		return in.unknownCall(args, "the script calls too many functions to follow")
	}
	in.inlined++
	in.active[f.code]++
	defer func() { in.active[f.code]-- }()

	caller := in.frame
	key := frameKey{call, f.code, f.frame, caller}
	fr, known := in.frames[key]
	if !known {
		fr = &frame{fn: f.code, parent: f.frame, caller: caller, depth: caller.depth + 1, call: call}
		fr.lasting = slices.ContainsFunc(f.code.Locals, func(l *syntax.Local) bool { return l.Captured })
		in.frames[key] = fr
		if fr.lasting {
			in.lasting = append(in.lasting, fr)
		}
		in.indexLocals(f.code)
	}
	if !known || !fr.lasting {
		fr.base = in.nextCell
		in.nextCell += len(f.code.Locals)
	}
	fr.args, fr.returns, fr.exit = args, multi{}, nil
	fr.loops = 0
	if caller.loops > 0 {
		fr.loops = 1
	}
	breaks := in.breaks
	in.breaks, in.frame = nil, fr
	in.parameters(fr, args)
	in.block(f.code.Body)
	in.breaks, in.frame = breaks, caller

	r := fr.returns
	switch {
	case in.st != nil && fr.exit != nil:
		r = joinMulti(r, multi{}) // falling off the end gives nothing
		in.st = joinStates(in.st, fr.exit)
	case in.st == nil:
		in.st = fr.exit
	}
	if !fr.lasting && in.nextCell == fr.base+len(f.code.Locals) {
		// No closure can reach its variables any more.
		in.nextCell = fr.base
		if in.st != nil && len(in.st.cells) > fr.base {
			in.st.cells = in.st.cells[:fr.base]
		}
	}
	return r
}

func (in *interp) parameters(fr *frame, args multi) {
	n := 0
	for i, p := range fr.fn.Params {
		switch p.Kind {
		case syntax.LocalArg:
			continue
		default:
			in.declare(p, in.place(values{args}, i))
			n++
		}
	}
	for _, l := range fr.fn.Locals {
		if l.Kind == syntax.LocalArg {
			extra := &object{dyn: nil}
			if len(args.vals) > n {
				extra.seq = args.vals[n:]
			}
			extra.rest = args.open
			extra = extra.withField("n", vInt)
			in.declare(l, in.alloc(l, extra))
		}
	}
}

// protected evaluates a call under pcall: it may stop anywhere.
func (in *interp) protected(f *value, args multi, call *syntax.CallExpr, node any) multi {
	before := in.st.clone()
	in.weak++
	r := in.invoke(f, args, call, node)
	in.weak--
	failed := multi{vals: []*value{vFalse, join(vString, vAny.only(kTable|kOther|kNil|kNumber))}}
	if in.st == nil {
		in.st = before
		return failed
	}
	in.st = joinStates(in.st, before)
	r.vals = append([]*value{vTrue}, r.vals...)
	both := joinMulti(r, failed)
	for i, v := range r.vals {
		if v.from != nil && v.from.exact {
			both.vals[i] = both.vals[i].with(v.from) // a slot decoded keeps its name
		}
	}
	return both
}
