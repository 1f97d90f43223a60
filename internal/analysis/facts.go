package analysis

// This file implements what the interpreter notes about slots: where they are
// read, what they are called, how they are used.

import (
	"slices"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

type factKind uint8

const (
	factRead    factKind = iota // the slot is read
	factLength                  // #KEYS or #ARGV is asked for
	factName                    // a variable holds it: text
	factPeer                    // it is compared with what Redis holds, called text
	factNumber                  // it is a number
	factString                  // it is used as text
	factEqual                   // it is compared with a string literal: text
	factDefault                 // it may be left out: or, a test for nil
	factEmpty                   // it is compared with ''
	factBlank                   // an empty string in it is as good as nothing
	factJSON                    // it is decoded
	factMsgpack                 // it is decoded
	factRole                    // a command takes it: role
	factUnit                    // it is counted in a unit: role.Unit, duration or time
	factScaled                  // arithmetic scales it, so its unit is open
)

// fact is one note. Facts are a log, so that a loop's unfinished rounds can be
// taken back.
type fact struct {
	kind factKind
	ref  ref
	text string
	role role
	weak bool // a name: of a parameter, so it may be a helper's own word
	late bool // a name: of a variable that held something else before

	guarded bool // a read: where #ARGV says that it was sent

	shared bool // a name: of a parameter that other slots have been in too
	pos    source.Pos
}

// role is what a command takes a slot for.
type role struct {
	command.Role
	command string
	direct  bool    // the slot's own value, not a sum it counts in
	sum     bool    // other slots count in it too
	scale   float64 // by which the slot's value is multiplied
	count   int     // how many values make one group of a repeated role; 0 for none
	place   int     // which of the group
}

func (in *interp) note(f fact) {
	if f.pos == 0 {
		f.pos = in.at
	}
	in.facts = append(in.facts, f)
}

func (in *interp) noteAll(v *value, kind factKind) {
	for _, r := range v.refs() {
		in.note(fact{kind: kind, ref: r})
	}
}

// nameSlot notes that a variable holds a slot's value.
func (in *interp) nameSlot(l *syntax.Local, v *value, late bool) {
	r, ok := v.exactRef()
	if !ok || l.Name == "_" {
		return
	}
	in.note(fact{kind: factName, ref: r, text: l.Name, weak: l.Kind == syntax.LocalParam, late: late, pos: l.Pos.Start})
}

// useNumber notes that arithmetic takes v.
func (in *interp) useNumber(v *value) {
	if v.from == nil || v.from.number {
		return
	}
	in.noteAll(v, factNumber)
}

// fraction notes that v is divided: it stays what it is, but its unit is open.
func (in *interp) fraction(v *value) {
	for _, t := range v.terms() {
		in.note(fact{kind: factScaled, ref: t.ref})
	}
}

func (in *interp) useString(v *value) {
	if v.from == nil || v.from.number {
		return
	}
	in.noteAll(v, factString)
}

func (in *interp) testTruth(v *value) {
	if v.from != nil && v.from.exact && !v.is(kTrue|kFalse) {
		in.noteAll(v, factDefault)
	}
}

// defaulted notes x or y. An empty slot is as good as an absent one when the
// number that it does not hold is what or replaces.
func (in *interp) defaulted(x *value, y syntax.Expr) {
	if x.from == nil || !x.from.exact || x.is(kTrue|kFalse) {
		return
	}
	if b, ok := y.(*syntax.BoolExpr); ok && !b.Value {
		return
	}
	in.noteAll(x, factDefault)
	if x.from.number {
		in.noteAll(x, factBlank)
	}
}

// compareEqual notes x == y.
func (in *interp) compareEqual(x, y *value) {
	in.compareOne(x, y)
	in.compareOne(y, x)
}

func (in *interp) compareOne(x, y *value) {
	if len(x.refs()) == 0 {
		return
	}
	switch {
	case y.is(kMissing):
		if x.from.exact {
			in.noteAll(x, factDefault)
		}
	case y.kinds == kString && len(y.str.lits) > 0:
		for _, s := range y.str.lits {
			if s == "" {
				in.noteAll(x, factEmpty)
				in.noteAll(x, factDefault)
				continue
			}
			for _, r := range x.refs() {
				in.note(fact{kind: factEqual, ref: r, text: s})
			}
		}
	case y.may(kString) && !x.from.number:
		in.noteAll(x, factString)
	}
}

// sum returns the slots that x + sign·y counts in.
func (in *interp) sum(x, y *value, sign float64) *origin {
	terms := slices.Clone(x.terms())
	if y != nil {
		for _, t := range y.terms() {
			t.scale *= sign
			terms = append(terms, t)
		}
	}
	if len(terms) == 0 || len(terms) > 8 {
		return nil
	}
	return &origin{number: true, terms: terms}
}

// scaled returns the terms of x·c or x/c for a literal c.
func scaled(x, y *value, by func(s, c float64) float64) *origin {
	if len(y.terms()) > 0 && len(x.num.lits) == 1 {
		x, y = y, x
	}
	if len(x.terms()) == 0 || y.kinds != kNumber || len(y.num.lits) != 1 || y.num.lits[0] == 0 {
		return nil
	}
	o := &origin{number: true}
	for _, t := range x.terms() {
		t.scale = by(t.scale, y.num.lits[0])
		o.terms = append(o.terms, t)
	}
	return o
}

// flagOrigin keeps the slot of a comparison with a literal: a flag's name is
// the slot's.
func (in *interp) flagOrigin(x, y *value) *origin {
	if y.from != nil {
		x, y = y, x
	}
	if r, ok := x.exactRef(); ok && y.kinds == kString && len(y.str.lits) == 1 && y.from == nil {
		return &origin{refs: []ref{r}, exact: true, number: true}
	}
	return nil
}

// callSet collects the commands that a script calls.
type callSet struct {
	names   map[string]bool
	dynamic bool
	writes  bool
}

func (c *callSet) init() { c.names = map[string]bool{} }

func (c *callSet) sorted() []string {
	r := make([]string, 0, len(c.names))
	for n := range c.names {
		r = append(r, n)
	}
	slices.Sort(r)
	return r
}
