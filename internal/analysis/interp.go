package analysis

// This file implements the interpreter's statements: control flow, loops to a
// fixed point, and where states meet.

import (
	"slices"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// Bounds on the work for one script. They are far above what real scripts need;
// past them the interpreter stops and says so.
const (
	maxSteps  = 400_000 // expressions evaluated
	maxInline = 24      // nested calls of Lua functions
	maxCalls  = 3_000   // calls of Lua functions
	maxRounds = 16      // rounds of one loop
	maxUnroll = 16      // literal bounds of a loop that are kept apart
)

// interp runs one script on abstract values.
type interp struct {
	chunk  *syntax.Chunk
	target command.Target

	index    map[*syntax.Local]int    // place of a local in its function's frame
	readInto map[*syntax.Local]string // what a local holds of Redis: a field's name, or empty for a key's value

	st     *state // what holds now; nil when this place is not reached
	frame  *frame
	breaks []*state // what holds at the break of each enclosing loop, joined

	nextCell int
	sites    map[siteKey]*site
	frames   map[frameKey]*frame
	lasting  []*frame       // those whose variables closures reach
	globals  map[string]int // cells of globals that the script makes
	active   map[*syntax.Func]int

	at         source.Pos // of the expression being evaluated
	callAt     source.Pos // of the call being evaluated
	metatables bool       // the script sets some, so operators on tables may give anything
	guard      int        // how many arguments there are at least, by a test of #ARGV
	steps      int
	inlined    int   // calls of Lua functions followed so far
	weak       int   // inside pcall: an assignment may not have happened
	view       *view // what rules are told of; nil when nobody asks
	gaveUp     string

	facts   []fact
	reply   *shape
	results []result // what each return of the script replies
	codes   map[string]bool
	did     callSet
}

type siteKey struct {
	node  any
	frame *frame
}

type frameKey struct {
	call   *syntax.CallExpr
	fn     *syntax.Func
	parent *frame
	caller *frame
}

// tooMuch is what the interpreter panics with when a bound is passed; run
// recovers it.
type tooMuch struct{ reason string }

func newInterp(chunk *syntax.Chunk, target command.Target) *interp {
	in := &interp{
		chunk:    chunk,
		target:   target,
		index:    map[*syntax.Local]int{},
		readInto: map[*syntax.Local]string{},
		sites:    map[siteKey]*site{},
		frames:   map[frameKey]*frame{},
		globals:  map[string]int{},
		active:   map[*syntax.Func]int{},
		codes:    map[string]bool{},
		reply:    &shape{},
	}
	in.did.init()
	return in
}

// giveUp, deferred, ends a run whose bounds were passed, and notes why.
func (in *interp) giveUp() {
	if r := recover(); r != nil {
		stop, ok := r.(tooMuch)
		if !ok {
			panic(r)
		}
		in.gaveUp = stop.reason
	}
}

// run interprets the whole script.
func (in *interp) run() {
	defer in.giveUp()
	in.st = &state{resp: resp2}
	main := in.chunk.Main
	in.indexLocals(main)
	in.frame = &frame{fn: main, args: multi{}, lasting: true}
	in.lasting = append(in.lasting, in.frame)
	in.nextCell = len(main.Locals)
	for _, table := range []string{"KEYS", "ARGV"} {
		// Now, not at first sight: a loop that removes from them must know how they were before.
		in.st.setObject(in.globalSite(table), &object{slots: &slotTable{argv: table == "ARGV"}})
	}
	in.block(main.Body)
	if in.st != nil {
		in.reply.none = true
	}
}

func (in *interp) indexLocals(fn *syntax.Func) {
	if len(fn.Locals) == 0 {
		return
	}
	if _, done := in.index[fn.Locals[0]]; done {
		return
	}
	for i, l := range fn.Locals {
		in.index[l] = i
	}
}

func (in *interp) step() {
	in.steps++
	if in.steps > maxSteps {
		panic(tooMuch{"the script takes too many steps to follow"})
	}
}

// site returns the site of a node in the current frame; asking again makes it
// stand for many tables.
func (in *interp) site(node any) *site {
	key := siteKey{node, in.frame}
	if s, ok := in.sites[key]; ok {
		s.many = s.many || in.frame.loops > 0
		return s
	}
	s := &site{id: len(in.sites)}
	in.sites[key] = s
	return s
}

// alloc makes a table with the given content.
func (in *interp) alloc(node any, o *object) *value {
	s := in.site(node)
	if s.many && s.id < len(in.st.heap) && in.st.heap[s.id] != nil {
		o = joinObjects(in.st.heap[s.id], o)
	}
	in.st.setObject(s, o)
	return tableAt(s)
}

// cellOf returns the cell of a local, which belongs to the current frame or to
// one that encloses its function.
func (in *interp) cellOf(l *syntax.Local) int {
	f := in.frame
	for f != nil && f.fn != l.Func {
		f = f.parent
	}
	if f == nil {
		return -1
	}
	return f.base + in.index[l]
}

func (in *interp) declare(l *syntax.Local, v *value) {
	c := in.cellOf(l)
	if c < 0 {
		return
	}
	if l.Captured && l.Assigned && in.frame.loops > 0 {
		v = join(v, in.st.cell(c)) // one cell stands for every round's variable
	}
	in.st.setCell(c, v)
	in.nameSlot(l, v, false)
}

func (in *interp) assignLocal(l *syntax.Local, v *value) {
	c := in.cellOf(l)
	if c < 0 {
		return
	}
	if in.weak > 0 {
		v = join(in.st.cell(c), v)
	}
	was := in.st.cell(c)
	in.st.setCell(c, v)
	in.nameSlot(l, v, !was.is(kFalsy) && !sharesSlot(was, v))
}

// sharesSlot tells whether two values stand for a slot in common: x = tonumber(x).
func sharesSlot(a, b *value) bool {
	for _, r := range a.refs() {
		if slices.Contains(b.refs(), r) {
			return true
		}
	}
	return false
}

func (in *interp) block(b *syntax.Block) {
	saved := in.guard
	defer func() { in.guard = saved }()
	for _, s := range b.Stmts {
		if in.st == nil {
			return
		}
		in.stmt(s)
	}
}

func (in *interp) stmt(s syntax.Stmt) {
	in.step()
	if in.view != nil {
		in.view.reached[s] = true
	}
	switch s := s.(type) {
	case *syntax.LocalStmt:
		vals := in.exprs(s.Values)
		for i, l := range s.Names {
			if in.st == nil {
				return
			}
			in.declare(l, in.place(vals, i))
			if i < len(s.Values) {
				if call, ok := s.Values[i].(*syntax.CallExpr); ok {
					if field, ok := in.commandRead(call); ok {
						in.readInto[l] = field
					}
				}
			}
		}
	case *syntax.AssignStmt:
		in.assign(s)
	case *syntax.CallStmt:
		in.call(s.Call)
	case *syntax.DoStmt:
		in.block(s.Body)
	case *syntax.IfStmt:
		in.ifStmt(s)
	case *syntax.WhileStmt:
		in.loop(func() *state {
			yes, no := in.branch(s.Cond)
			in.st = yes
			if yes != nil {
				in.block(s.Body)
			}
			return no
		})
	case *syntax.RepeatStmt:
		in.repeat(s)
	case *syntax.NumericFor:
		in.numericFor(s)
	case *syntax.GenericFor:
		in.genericFor(s)
	case *syntax.FuncStmt:
		in.store(s.Target, in.closure(s.Func.Func))
	case *syntax.LocalFuncStmt:
		in.declare(s.Name, in.closure(s.Func.Func))
	case *syntax.ReturnStmt:
		in.returns(s)
	case *syntax.BreakStmt:
		if n := len(in.breaks); n > 0 {
			in.breaks[n-1] = joinStates(in.breaks[n-1], in.st)
		}
		in.st = nil
	case *syntax.BadStmt:
	}
}

func (in *interp) closure(fn *syntax.Func) *value {
	in.indexLocals(fn)
	return &value{kinds: kFunc, funcs: []*function{{code: fn, frame: in.frame}}}
}

func (in *interp) assign(s *syntax.AssignStmt) {
	vals := in.exprs(s.Values)
	for i, t := range s.Targets {
		if in.st == nil {
			return
		}
		in.store(t, in.place(vals, i))
	}
}

// store assigns to a variable, a field or an element.
func (in *interp) store(target syntax.Expr, v *value) {
	switch t := target.(type) {
	case *syntax.NameExpr:
		if t.Local != nil {
			in.assignLocal(t.Local, v)
			return
		}
		in.storeGlobal(t.Name, v)
	case *syntax.IndexExpr:
		x := in.expr(t.X)
		if isAppend(t) {
			if in.st != nil {
				in.append(x, v)
			}
			return
		}
		key := in.expr(t.Key)
		if in.st != nil {
			in.storeIndex(x, key, v)
		}
	}
}

// isAppend recognises t[#t + 1].
func isAppend(e *syntax.IndexExpr) bool {
	sum, ok := e.Key.(*syntax.BinaryExpr)
	if !ok || sum.Op != syntax.OpAdd {
		return false
	}
	one, ok := sum.Y.(*syntax.NumberExpr)
	length, isLen := sum.X.(*syntax.UnaryExpr)
	if !ok || !isLen || one.Value != 1 || length.Op != syntax.OpLen {
		return false
	}
	x, ok := e.X.(*syntax.NameExpr)
	y, ok2 := length.X.(*syntax.NameExpr)
	return ok && ok2 && x.Name == y.Name && x.Local == y.Local
}

func (in *interp) storeGlobal(name string, v *value) {
	c, ok := in.globals[name]
	if !ok {
		c = in.nextCell
		in.nextCell++
		in.globals[name] = c
	}
	if in.weak > 0 {
		v = join(in.st.cell(c), v)
	}
	in.st.setCell(c, v)
}

func (in *interp) ifStmt(s *syntax.IfStmt) {
	var after *state
	saved, returned := in.guard, true
	for i := range s.Clauses {
		mark := len(in.facts)
		enough, otherwise := in.guardOf(s.Clauses[i].Cond)
		yes, no := in.branch(s.Clauses[i].Cond)
		refuses := in.refuses(s.Clauses[i].Body)
		if refuses {
			in.dropTests(mark)
		}
		in.st = yes
		if yes != nil {
			in.guarded(enough, func() { in.block(s.Clauses[i].Body) })
		}
		if !refuses && (in.st == nil || i+1 < len(s.Clauses) || s.Else != nil) {
			in.guard = max(in.guard, otherwise) // for the other clauses, or after an early return
		}
		returned = returned && in.st == nil
		after = joinStates(after, in.st)
		in.st = no
		if no == nil {
			break
		}
	}
	if in.st != nil && s.Else != nil {
		in.block(s.Else)
	}
	if !returned {
		in.guard = saved
	}
	in.st = joinStates(after, in.st)
}

// refuses tells whether a block does nothing but answer with an error or a
// constant: its condition then checks the slots, it does not make them optional.
func (in *interp) refuses(b *syntax.Block) bool {
	if len(b.Stmts) != 1 {
		return false
	}
	switch s := b.Stmts[0].(type) {
	case *syntax.ReturnStmt:
		if len(s.Values) == 0 {
			return false
		}
		if isConstant(s.Values[0]) {
			return true
		}
		switch e := s.Values[0].(type) {
		case *syntax.CallExpr:
			return in.calls(e.Fun, "error_reply")
		case *syntax.TableExpr:
			if len(e.Fields) == 0 {
				return true
			}
			for _, f := range e.Fields {
				if k, ok := f.Key.(*syntax.StringExpr); ok && k.Value == "err" {
					return true
				}
			}
		}
	case *syntax.CallStmt:
		return in.calls(s.Call.Fun, "error")
	}
	return false
}

// calls tells whether a call's function has the given last name.
func (in *interp) calls(fun syntax.Expr, name string) bool {
	switch f := fun.(type) {
	case *syntax.NameExpr:
		return f.Name == name
	case *syntax.IndexExpr:
		k, ok := f.Key.(*syntax.StringExpr)
		return ok && k.Value == name
	}
	return false
}

// dropTests takes back what a condition noted on slots being optional.
func (in *interp) dropTests(mark int) {
	kept := in.facts[:mark]
	for _, f := range in.facts[mark:] {
		if f.kind != factDefault && f.kind != factEmpty {
			kept = append(kept, f)
		}
	}
	in.facts = kept
}

// loop runs a body until nothing new comes of another round. The body begins
// at the head, returns what holds where the loop's condition ends it, and
// leaves in in.st what holds at its own end. Facts of unfinished rounds are
// taken back, because they saw only a part of the values.
func (in *interp) loop(body func() *state) {
	head := in.st
	var exit, broke *state
	in.frame.loops++
	for round := 0; ; round++ {
		if round == maxRounds {
			panic(tooMuch{"a loop does not settle"})
		}
		mark, calls := len(in.facts), in.view.mark()
		in.st = head.clone()
		in.breaks = append(in.breaks, nil)
		exit = body()
		n := len(in.breaks) - 1
		broke, in.breaks = in.breaks[n], in.breaks[:n]
		var changed bool
		if head, changed = widenStates(head, in.st); !changed {
			break
		}
		in.facts = in.facts[:mark]
		in.view.rewind(calls)
	}
	in.frame.loops--
	in.st = joinStates(exit, broke)
}

func (in *interp) repeat(s *syntax.RepeatStmt) {
	in.loop(func() *state {
		in.block(s.Body)
		if in.st == nil {
			return nil
		}
		yes, no := in.branch(s.Cond)
		in.st = no
		return yes
	})
}

func (in *interp) numericFor(s *syntax.NumericFor) {
	start, limit, step := in.expr(s.Start), in.expr(s.Limit), numberLit(1)
	if s.Step != nil {
		step = in.expr(s.Step)
	}
	if in.st == nil {
		return
	}
	in.useNumber(start)
	in.useNumber(limit)
	in.useNumber(step)
	v := loopVariable(start, limit, step)
	in.loop(func() *state {
		none := in.st.clone()
		in.declare(s.Var, v)
		in.block(s.Body)
		return none
	})
}

// loopVariable returns what for i = start, limit, step counts through.
func loopVariable(start, limit, step *value) *value {
	n := number{integral: start.num.integral && step.num.integral}
	by, stepKnown := step.literalInt()
	first, startKnown := start.literalInt()
	last, limitKnown := limit.literalInt()
	if startKnown && limitKnown && stepKnown && by != 0 && (last-first)/by < maxUnroll && (last-first)/by >= 0 {
		for i := first; by > 0 && i <= last || by < 0 && i >= last; i += by {
			n.lits = append(n.lits, float64(i))
		}
		if by < 0 {
			slices.Reverse(n.lits)
		}
		return &value{kinds: kNumber, num: n}
	}
	p := &progression{stride: 1}
	if stepKnown && by != 0 {
		p.stride = max(by, -by)
		switch {
		case by > 0 && startKnown:
			p.first, p.known = first, true
		case by < 0 && limitKnown && by == -1:
			p.first, p.known = last, true
		}
	}
	if l := limit.num.length; l != nil && !l.argv && stepKnown && by > 0 {
		p.keys = l.add == 0 && p.known && p.first == 1 && by == 1
	}
	if limit.num.sizeOf != 0 && p.known && p.first >= 1 {
		p.within = limit.num.sizeOf
	}
	n.prog = p
	return &value{kinds: kNumber, num: n}
}

func (in *interp) genericFor(s *syntax.GenericFor) {
	it := in.exprs(s.Exprs)
	if in.st == nil {
		return
	}
	iterator := it.first()
	in.loop(func() *state {
		none := in.st.clone()
		vars := in.iterate(iterator, it.multi, s)
		if in.st == nil {
			return none
		}
		for i, l := range s.Vars {
			in.declare(l, vars.at(i))
		}
		in.block(s.Body)
		return none
	})
}

// iterate returns what a generic for assigns to its variables in a round.
func (in *interp) iterate(iterator *value, it multi, s *syntax.GenericFor) multi {
	if iterator.is(kFunc) && len(iterator.funcs) == 1 {
		switch iterator.funcs[0].builtin {
		case "ipairs iterator":
			return in.eachElement(it.at(1))
		case "next":
			return in.eachField(it.at(1))
		case "gmatch iterator":
			return multi{vals: []*value{vString}, open: join(vString, vNil)}
		case "gmatch iterator of places":
			v := join(vString, vInt)
			return multi{vals: []*value{v}, open: join(v, vNil)}
		}
	}
	if len(s.Exprs) == 0 {
		return multi{open: vAny}
	}
	r := in.invoke(iterator, multi{vals: []*value{it.at(1), vAny}}, nil, s)
	if len(r.vals) > 0 {
		r.vals[0] = r.vals[0].only(kAll &^ kMissing) // nil ends the loop
	}
	return r
}

func (in *interp) returns(s *syntax.ReturnStmt) {
	vals := in.exprs(s.Values)
	if in.st == nil {
		return
	}
	f := in.frame
	if f.caller == nil {
		r := in.replyOf(vals, len(s.Values))
		if r.any {
			r.anyPlace = s
		}
		in.reply.join(r)
		in.results = append(in.results, result{s.Pos.Start, r})
		in.st = nil
		return
	}
	if f.exit == nil {
		f.returns = vals.multi
	} else {
		f.returns = joinMulti(f.returns, vals.multi)
	}
	f.exit = joinStates(f.exit, in.st)
	in.st = nil
}
