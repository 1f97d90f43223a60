package analysis

// This file implements the abstract state: variables and tables, and how two
// states join where control flow meets.

import (
	"maps"
	"slices"

	"github.com/luagen/luagen/internal/syntax"
)

// site stands for the tables that one place in one activation creates.
type site struct {
	id   int
	many bool // it stands for more than one table at a time: updates only add
}

// object is the content of a table. Objects are immutable and shared; a change
// makes a new one.
type object struct {
	seq    []*value          // elements 1 … len(seq), each at its place
	names  []string          // what the constructor called them; shorter than seq or as long
	rest   *value            // further elements, in any number; nil for none
	flat   *flat             // keys and values in turn, as HGETALL replies; then seq and rest are empty
	fields map[string]*value // under known string keys
	keys   *value            // other keys; nil for none
	dyn    *value            // values under other keys; nil for none
	any    bool              // nothing is known
	why    *reason           // with any, why
	slots  *slotTable        // it is KEYS or ARGV
	lib    string            // it is a library: redis, string, …
}

// flat is an array of pairs.
type flat struct {
	key, val *value
	ordered  bool
}

// slotTable is KEYS or ARGV after shift elements were removed from its front.
// An unknown shift means that removal goes on in a loop.
type slotTable struct {
	argv    bool
	shift   int
	unknown bool
	from    int // first slot that a loop removes, when unknown
	step    int
}

var (
	emptyObject = &object{}
	anyObject   = &object{any: true}
)

// state is what is known at one place of the script. A nil state is a place
// that is never reached.
type state struct {
	cells []*value  // variables, by cell
	heap  []*object // tables, by site
	resp  resp
}

// resp is the set of protocols that redis.setresp may have chosen.
type resp uint8

const (
	resp2 resp = 1 << iota
	resp3
)

func (s *state) clone() *state {
	return &state{cells: slices.Clone(s.cells), heap: slices.Clone(s.heap), resp: s.resp}
}

func (s *state) cell(i int) *value {
	if i < len(s.cells) && s.cells[i] != nil {
		return s.cells[i]
	}
	return vNil
}

func (s *state) setCell(i int, v *value) {
	for len(s.cells) <= i {
		s.cells = append(s.cells, nil)
	}
	s.cells[i] = v
}

func (s *state) object(t *site) *object {
	if t.id < len(s.heap) && s.heap[t.id] != nil {
		return s.heap[t.id]
	}
	return emptyObject
}

func (s *state) setObject(t *site, o *object) {
	for len(s.heap) <= t.id {
		s.heap = append(s.heap, nil)
	}
	s.heap[t.id] = o
}

// joinStates returns what holds after either; nil is unreachable. It may reuse a.
func joinStates(a, b *state) *state {
	switch {
	case a == nil:
		return b
	case b == nil || a == b:
		return a
	}
	n := max(len(a.cells), len(b.cells))
	for len(a.cells) < n {
		a.cells = append(a.cells, nil)
	}
	for i, v := range b.cells {
		switch w := a.cells[i]; {
		case v == w || v == nil:
		case w == nil:
			a.cells[i] = v
		default:
			a.cells[i] = join(w, v)
		}
	}
	for len(a.heap) < len(b.heap) {
		a.heap = append(a.heap, nil)
	}
	for i, o := range b.heap {
		switch p := a.heap[i]; {
		case o == p || o == nil:
		case p == nil:
			a.heap[i] = o
		default:
			a.heap[i] = joinObjects(p, o)
		}
	}
	a.resp |= b.resp
	return a
}

// widenStates joins the state at the end of a loop's body into the one at its
// head, and tells whether the head changed. Counters become progressions.
func widenStates(head, end *state) (*state, bool) {
	if end == nil {
		return head, false
	}
	changed := false
	for len(head.cells) < len(end.cells) {
		head.cells = append(head.cells, nil)
	}
	for i, v := range end.cells {
		w := head.cells[i]
		switch {
		case v == w || v == nil:
			continue
		case w == nil:
			head.cells[i] = v
			continue // first seen inside the body: its own declaration comes again
		}
		if j := widen(w, v); !same(j, w) {
			head.cells[i] = j
			changed = true
		}
	}
	for len(head.heap) < len(end.heap) {
		head.heap = append(head.heap, nil)
	}
	for i, o := range end.heap {
		p := head.heap[i]
		switch {
		case o == p || o == nil:
			continue
		case p == nil:
			head.heap[i] = o
			changed = true
			continue
		}
		if j := joinObjects(p, o); !sameObject(j, p) {
			head.heap[i] = j
			changed = true
		}
	}
	if head.resp|end.resp != head.resp {
		head.resp |= end.resp
		changed = true
	}
	return head, changed
}

// widen is join, but a literal that grows becomes a progression.
func widen(old, fresh *value) *value {
	j := join(old, fresh)
	if old.kinds == kNumber && fresh.kinds == kNumber && len(old.num.lits) == 1 && old.num.integral && fresh.num.integral &&
		len(fresh.num.lits) > 0 && !same(j, old) {
		stride, first := 0, int(old.num.lits[0])
		for _, l := range fresh.num.lits {
			stride = gcd(stride, int(l)-first)
		}
		r := *j
		r.num = number{integral: true}
		if stride > 0 && fresh.num.lits[0] >= old.num.lits[0] {
			r.num.prog = &progression{first: first, stride: stride, known: true}
		}
		return &r
	}
	if j.num.lits != nil && len(j.num.lits) > max(2, len(old.num.lits)) {
		r := *j
		r.num.lits = nil
		return &r
	}
	return j
}

func gcd(a, b int) int {
	for b != 0 {
		a, b = b, a%b
	}
	if a < 0 {
		return -a
	}
	return a
}

// element returns what o[n] may be for a number that is not known.
func (o *object) element() *value {
	v := vNever
	for _, e := range o.seq {
		v = join(v, e)
	}
	if o.rest != nil {
		v = join(v, o.rest)
	}
	if o.flat != nil {
		v = join(join(v, o.flat.key), o.flat.val)
	}
	if o.dyn != nil {
		v = join(v, o.dyn)
	}
	if o.any {
		v = lost(o.why)
	}
	return v
}

// list returns o with its elements summed up: known places become rest.
func (o *object) list() *object {
	if o.flat == nil && len(o.seq) == 0 {
		return o
	}
	r := *o
	r.seq, r.names, r.flat = nil, nil, nil
	rest := vNever
	for _, e := range o.seq {
		rest = join(rest, e)
	}
	if o.rest != nil {
		rest = join(rest, o.rest)
	}
	if o.flat != nil {
		rest = join(rest, join(o.flat.key, o.flat.val))
	}
	r.rest = rest
	return &r
}

// bare tells whether o has neither elements nor pairs.
func (o *object) bare() bool { return len(o.seq) == 0 && o.rest == nil && o.flat == nil }

func joinObjects(a, b *object) *object {
	if a == b {
		return a
	}
	switch {
	case a.any:
		return a
	case b.any:
		return b
	}
	if (a.slots == nil) != (b.slots == nil) || a.lib != b.lib {
		return anyObject
	}
	r := &object{lib: a.lib}
	if a.slots != nil {
		r.slots = joinSlotTables(a.slots, b.slots)
	}
	switch {
	case a.flat != nil && (b.flat != nil || b.bare()):
		r.flat = a.flat
		if b.flat != nil {
			r.flat = &flat{join(a.flat.key, b.flat.key), join(a.flat.val, b.flat.val), a.flat.ordered || b.flat.ordered}
		}
	case b.flat != nil && a.bare():
		r.flat = b.flat
	case a.flat == nil && b.flat == nil && len(a.seq) == len(b.seq):
		r.seq = make([]*value, len(a.seq))
		for i := range r.seq {
			r.seq[i] = join(a.seq[i], b.seq[i])
		}
		r.names = joinNames(a.names, b.names)
		r.rest = joinMaybe(a.rest, b.rest)
	default:
		la, lb := a.list(), b.list()
		r.rest = joinMaybe(la.rest, lb.rest)
	}
	r.keys = joinMaybe(a.keys, b.keys)
	r.dyn = joinMaybe(a.dyn, b.dyn)
	r.fields = joinFields(a.fields, b.fields)
	if sameObject(r, a) {
		return a
	}
	return r
}

func joinMaybe(a, b *value) *value {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return join(a, b)
}

func joinNames(a, b []string) []string {
	n := max(len(a), len(b))
	r := make([]string, n)
	for i := range r {
		switch {
		case i < len(a) && a[i] != "":
			r[i] = a[i]
		case i < len(b):
			r[i] = b[i]
		}
	}
	return r
}

// joinFields keeps every field; one that only one side has may be nil.
func joinFields(a, b map[string]*value) map[string]*value {
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	r := make(map[string]*value, len(a)+len(b))
	for k, v := range a {
		if w, ok := b[k]; ok {
			r[k] = join(v, w)
		} else {
			r[k] = join(v, vNil)
		}
	}
	for k, v := range b {
		if _, ok := a[k]; !ok {
			r[k] = join(v, vNil)
		}
	}
	return r
}

func joinSlotTables(a, b *slotTable) *slotTable {
	if *a == *b {
		return a
	}
	r := *a
	r.unknown = true
	r.from = min(a.first(), b.first())
	r.step = gcd(gcd(a.step, b.step), b.first()-a.first())
	r.shift = 0
	return &r
}

// first returns the slot that index 1 reads, or the least of them.
func (t *slotTable) first() int {
	if t.unknown {
		return t.from
	}
	return t.shift + 1
}

func sameObject(a, b *object) bool {
	return a == b || a.any == b.any && a.lib == b.lib &&
		slices.EqualFunc(a.seq, b.seq, same) && slices.Equal(a.names, b.names) &&
		sameMaybe(a.rest, b.rest) && sameMaybe(a.keys, b.keys) && sameMaybe(a.dyn, b.dyn) &&
		equalPtr(a.slots, b.slots) &&
		(a.flat == nil) == (b.flat == nil) &&
		(a.flat == nil || a.flat.ordered == b.flat.ordered && same(a.flat.key, b.flat.key) && same(a.flat.val, b.flat.val)) &&
		maps.EqualFunc(a.fields, b.fields, same)
}

func sameMaybe(a, b *value) bool {
	return a == b || a != nil && b != nil && same(a, b)
}

// frame is one activation of a function: where its locals live.
type frame struct {
	fn     *syntax.Func
	parent *frame // of the function that fn is defined in
	base   int    // the cell of its first local
	depth  int    // activations below it on the call stack
	args   multi  // what … stands for
	caller *frame
	call   *syntax.CallExpr // that began it; may be nil
	loops  int              // loops around the current statement

	lasting bool // a closure captures a local, so its cells stay

	returns multi // what its return statements gave so far
	exit    *state
}
