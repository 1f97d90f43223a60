package analysis

// This file implements the abstract values that the interpreter computes with.

import (
	"slices"

	"github.com/luagen/luagen/internal/syntax"
)

// kinds is the set of Lua types that a value may have. nil is split in two:
// kAbsent is the nil of a slot that the caller left out (or of a number that is
// none), which a caller of the wrapper can rule out.
type kinds uint16

const (
	kNil kinds = 1 << iota
	kAbsent
	kFalse
	kTrue
	kNumber
	kString
	kTable
	kFunc
	kOther // userdata (cjson.null) and threads

	kMissing = kNil | kAbsent
	kFalsy   = kNil | kAbsent | kFalse
	kTruthy  = kTrue | kNumber | kString | kTable | kFunc | kOther
	kAll     = kFalsy | kTruthy
)

// maxLits bounds the literals that a value is known by.
const maxLits = 8

// value is a set of Lua values. Values are immutable and shared.
type value struct {
	kinds kinds
	num   number      // meaningful with kNumber
	str   text        // meaningful with kString
	sites []*site     // the tables it may be; kTable without any is an unknown table
	funcs []*function // the functions it may be; kFunc without any is an unknown function
	from  *origin     // the slots it stands for
	reply *Reply      // the reply that it is, or a part of; nil unless a view is recorded
	why   *reason     // why no more is known of it; nil without a reason to tell
}

// number describes numbers.
type number struct {
	lits     []float64    // all of them, when few are possible; nil otherwise
	integral bool         // none has a fraction
	prog     *progression // the values of a loop over a slot table
	length   *length      // it is the length of KEYS or ARGV plus something
	sizeOf   int          // it is at most the length of the table of this site, plus 1; 0 for none
}

// text describes strings.
type text struct {
	lits []string // all of them, when few are possible
	kind textKind
}

// textKind is what a string is known to hold.
type textKind uint8

const (
	textPlain textKind = iota
	textInt            // an integer, in full
	textFloat          // a number
	textJSON
	textMsgpack
)

// progression is first, first+stride, first+2·stride, …: a loop's variable as
// an index into KEYS or ARGV.
type progression struct {
	first, stride int
	known         bool // first is known; otherwise the walk begins somewhere
	keys          bool // as many steps as there are keys
	within        int  // the site, plus 1, of the table whose length bounds it; 0 for none
	shift         int  // what was added since
}

// length is the number of slots of KEYS or ARGV, plus add.
type length struct {
	argv bool
	add  int
}

// function is a closure, a library function, or one of redis.call's aliases.
type function struct {
	builtin string // redis.call, string.format, …; empty for Lua code
	code    *syntax.Func
	frame   *frame // where code was defined
}

// ref names slots: one of KEYS or ARGV, or those of a walk.
type ref struct {
	argv          bool
	index         int // from 1; 0 for a walk
	first, stride int
	keys          bool // the walk has as many steps as there are keys
	known         bool // first is known
}

// origin says which slots a value stands for.
type origin struct {
	refs   []ref
	exact  bool // the value is that one slot's, but for conversions
	number bool // it went through a conversion to a number
	terms  []term
	prefix string // a string that begins so; only of concatenations
}

// term is a slot that a sum counts in.
type term struct {
	ref   ref
	scale float64
}

var (
	vNil    = &value{kinds: kNil}
	vFalse  = &value{kinds: kFalse}
	vTrue   = &value{kinds: kTrue}
	vBool   = &value{kinds: kFalse | kTrue}
	vAny    = &value{kinds: kAll}
	vNumber = &value{kinds: kNumber}
	vInt    = &value{kinds: kNumber, num: number{integral: true}}
	vString = &value{kinds: kString}
	vTable  = &value{kinds: kTable}
	vOther  = &value{kinds: kOther}
	vNever  = &value{}
)

func numberLit(n float64) *value {
	return &value{kinds: kNumber, num: number{lits: []float64{n}, integral: n == float64(int64(n))}}
}

func stringLit(s string) *value { return &value{kinds: kString, str: text{lits: []string{s}}} }

func textOf(k textKind) *value { return &value{kinds: kString, str: text{kind: k}} }

func tableAt(s *site) *value { return &value{kinds: kTable, sites: []*site{s}} }

func builtinValue(name string) *value {
	return &value{kinds: kFunc, funcs: []*function{{builtin: name}}}
}

// literalString returns the one string that v is.
func (v *value) literalString() (string, bool) {
	if v.kinds == kString && len(v.str.lits) == 1 {
		return v.str.lits[0], true
	}
	return "", false
}

// literalInt returns the one integer that v is.
func (v *value) literalInt() (int, bool) {
	if v.kinds == kNumber && len(v.num.lits) == 1 {
		n := v.num.lits[0]
		if n == float64(int(n)) {
			return int(n), true
		}
	}
	return 0, false
}

// is tells whether v can be of no other kinds than k, and is possible at all.
func (v *value) is(k kinds) bool { return v.kinds != 0 && v.kinds&^k == 0 }

func (v *value) may(k kinds) bool { return v.kinds&k != 0 }

// only returns v restricted to kinds k.
func (v *value) only(k kinds) *value {
	if v.kinds&^k == 0 {
		return v
	}
	if v.kinds&k == 0 {
		return vNever
	}
	r := *v
	r.kinds &= k
	if r.kinds&kNumber == 0 {
		r.num = number{}
	}
	if r.kinds&kString == 0 {
		r.str = text{}
	}
	if r.kinds&kTable == 0 {
		r.sites = nil
	}
	if r.kinds&kFunc == 0 {
		r.funcs = nil
	}
	return &r
}

// with returns v with another origin.
func (v *value) with(o *origin) *value {
	if v.from == o {
		return v
	}
	r := *v
	r.from = o
	return &r
}

func (v *value) exactRef() (ref, bool) {
	if v.from != nil && v.from.exact && len(v.from.refs) == 1 {
		return v.from.refs[0], true
	}
	return ref{}, false
}

func (v *value) refs() []ref {
	if v.from == nil {
		return nil
	}
	return v.from.refs
}

func (v *value) terms() []term {
	if v.from == nil {
		return nil
	}
	return v.from.terms
}

// join returns what may be a or b.
func join(a, b *value) *value {
	if a == b || b.kinds == 0 {
		return a
	}
	if a.kinds == 0 {
		return b
	}
	r := &value{kinds: a.kinds | b.kinds}
	r.num = joinNumber(a, b)
	r.str = joinText(a, b)
	if r.kinds&kTable != 0 && !a.unknownTable() && !b.unknownTable() {
		r.sites = joinSites(a.sites, b.sites)
	}
	if r.kinds&kFunc != 0 && !a.unknownFunc() && !b.unknownFunc() {
		r.funcs = joinFuncs(a.funcs, b.funcs)
	}
	r.from = joinOrigin(a, b)
	if r.why = a.why; r.why == nil {
		r.why = b.why
	}
	r.reply = joinReply(a, b)
	if same(r, a) {
		return a
	}
	if same(r, b) {
		return b
	}
	return r
}

func (v *value) unknownTable() bool { return v.kinds&kTable != 0 && len(v.sites) == 0 }
func (v *value) unknownFunc() bool  { return v.kinds&kFunc != 0 && len(v.funcs) == 0 }

func joinNumber(a, b *value) number {
	switch {
	case a.kinds&kNumber == 0:
		return b.num
	case b.kinds&kNumber == 0:
		return a.num
	}
	r := number{integral: a.num.integral && b.num.integral}
	if a.num.lits != nil && b.num.lits != nil {
		r.lits = unionLits(a.num.lits, b.num.lits)
	}
	if p, q := a.num.prog, b.num.prog; p != nil && q != nil {
		r.prog = joinProg(p, q)
	}
	if a.num.sizeOf == b.num.sizeOf {
		r.sizeOf = a.num.sizeOf
	}
	if p, q := a.num.length, b.num.length; p != nil && q != nil && *p == *q {
		r.length = p
	}
	return r
}

// joinProg keeps a progression that contains the other.
func joinProg(p, q *progression) *progression {
	if *p == *q {
		return p
	}
	if q.first < p.first {
		p, q = q, p
	}
	if p.known && q.known && p.stride == q.stride && p.keys == q.keys && p.within == q.within && p.stride > 0 && (q.first-p.first)%p.stride == 0 {
		return p
	}
	return &progression{stride: 1}
}

func joinText(a, b *value) text {
	switch {
	case a.kinds&kString == 0:
		return b.str
	case b.kinds&kString == 0:
		return a.str
	}
	r := text{kind: joinTextKind(a.str, b.str)}
	if a.str.lits != nil && b.str.lits != nil {
		r.lits = unionLits(a.str.lits, b.str.lits)
	}
	return r
}

func joinTextKind(a, b text) textKind {
	ka, kb := a.kindOf(), b.kindOf()
	switch {
	case ka == kb:
		return ka
	case ka == textInt && kb == textFloat, ka == textFloat && kb == textInt:
		return textFloat
	}
	return textPlain
}

// kindOf returns what the text holds, literals looked at.
func (t text) kindOf() textKind {
	if t.lits == nil {
		return t.kind
	}
	kind := textInt
	for _, s := range t.lits {
		switch {
		case isInt(s):
		case isFloat(s):
			kind = textFloat
		default:
			return t.kind
		}
	}
	return kind
}

// unionLits returns the sorted union, or nil when it grows beyond maxLits.
func unionLits[T int64 | float64 | string](a, b []T) []T {
	r := slices.Concat(a, b)
	slices.Sort(r)
	r = slices.Compact(r)
	if len(r) > maxLits {
		return nil
	}
	return r
}

func joinSites(a, b []*site) []*site {
	r := slices.Concat(a, b)
	slices.SortFunc(r, func(x, y *site) int { return x.id - y.id })
	return slices.Compact(r)
}

func joinFuncs(a, b []*function) []*function {
	r := slices.Clone(a)
	for _, f := range b {
		if !slices.ContainsFunc(r, func(g *function) bool { return *f == *g }) {
			r = append(r, f)
		}
	}
	return r
}

func joinOrigin(a, b *value) *origin {
	p, q := a.from, b.from
	// The absence of a slot carries no origin of its own.
	switch {
	case p == q:
		return p
	case p == nil && a.is(kMissing):
		return q
	case q == nil && b.is(kMissing):
		return p
	}
	r := &origin{}
	if p != nil {
		r.refs, r.number, r.terms = p.refs, p.number, p.terms
	}
	if q != nil {
		r.number = r.number || q.number
		r.refs = unionOf(r.refs, q.refs)
		r.terms = unionOf(r.terms, q.terms)
	}
	if p != nil && q != nil && p.exact && q.exact && len(r.refs) == 1 {
		r.exact = true
	}
	return r
}

// unionOf appends to a what of b it lacks.
func unionOf[T comparable](a, b []T) []T {
	fresh := false
	for _, x := range b {
		if !slices.Contains(a, x) {
			if !fresh {
				a, fresh = slices.Clone(a), true
			}
			a = append(a, x)
		}
	}
	return a
}

// same tells whether two values are equal.
func same(a, b *value) bool {
	return a == b || a.kinds == b.kinds && a.reply == b.reply && a.num.integral == b.num.integral && a.num.sizeOf == b.num.sizeOf && a.str.kind == b.str.kind &&
		equalLits(a.num.lits, b.num.lits) && equalLits(a.str.lits, b.str.lits) &&
		equalPtr(a.num.prog, b.num.prog) && equalPtr(a.num.length, b.num.length) &&
		slices.Equal(a.sites, b.sites) && sameFuncs(a.funcs, b.funcs) && sameOrigin(a.from, b.from)
}

func equalLits[T comparable](a, b []T) bool {
	return (a == nil) == (b == nil) && slices.Equal(a, b)
}

func equalPtr[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
}

func sameFuncs(a, b []*function) bool {
	return slices.EqualFunc(a, b, func(x, y *function) bool { return *x == *y })
}

func sameOrigin(a, b *origin) bool {
	return a == b || a != nil && b != nil && a.exact == b.exact && a.number == b.number &&
		slices.Equal(a.refs, b.refs) && slices.Equal(a.terms, b.terms)
}

// multi is a list of values: the results of a call, or arguments.
type multi struct {
	vals []*value
	open *value // any number of further values; nil for none
	walk *ref   // the further values are these slots, one after the other
}

func single(v *value) multi { return multi{vals: []*value{v}} }

// at returns the i-th value, from 0; past the end it is nil.
func (m multi) at(i int) *value {
	if i < len(m.vals) {
		return m.vals[i]
	}
	if m.open == nil {
		return vNil
	}
	return join(m.open, vNil)
}

func (m multi) first() *value { return m.at(0) }

func joinMulti(a, b multi) multi {
	n := max(len(a.vals), len(b.vals))
	r := multi{vals: make([]*value, n)}
	for i := range r.vals {
		r.vals[i] = join(a.at(i), b.at(i))
	}
	switch {
	case a.open != nil && b.open != nil:
		r.open = join(a.open, b.open)
	case a.open != nil:
		r.open = a.open
	default:
		r.open = b.open
	}
	return r
}
