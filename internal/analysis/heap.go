package analysis

// This file implements tables: reading, writing, walking.

import (
	"maps"
	"slices"
	"strconv"
)

// load returns x[key].
func (in *interp) load(x, key *value) *value {
	if !x.may(kTable | kString | kOther) {
		in.st = nil // indexing anything else raises
		return vNever
	}
	if x.unknownTable() {
		return lost(x.why)
	}
	r := vNever
	if x.may(kString) {
		r = stringMethod(key)
	}
	if x.may(kOther) {
		r = vAny
	}
	for _, s := range x.sites {
		r = join(r, in.loadFrom(s, in.st.object(s), key))
	}
	return r
}

// stringMethod is ("x")[key]: strings look their fields up in the library, so
// that any other is nil.
func stringMethod(key *value) *value {
	name, ok := key.literalString()
	switch {
	case !ok:
		return vAny
	case isStringFunction(name):
		return builtinValue("string." + name)
	}
	return vNil
}

func (in *interp) loadFrom(s *site, o *object, key *value) *value {
	switch {
	case o.any:
		return lost(o.why)
	case o.slots != nil:
		return in.loadSlot(o, key)
	case o.lib != "":
		if name, ok := key.literalString(); ok {
			return libraryField(o.lib, name)
		}
		return vAny
	}
	if name, ok := key.literalString(); ok {
		if v, ok := o.fields[name]; ok {
			if o.dyn != nil && o.keysMay(kString) {
				return join(v, o.dyn)
			}
			return v
		}
		if o.dyn != nil && o.keysMay(kString) {
			return join(o.dyn, vNil)
		}
		return vNil
	}
	r := vNever
	if key.may(kNumber) {
		r = join(r, in.loadNumber(s, o, key))
	}
	if key.may(kAll &^ kNumber) {
		if key.may(kString) {
			for _, v := range o.fields {
				r = join(r, v)
			}
		}
		if o.dyn != nil {
			r = join(r, o.dyn)
		}
		r = join(r, vNil)
	}
	return r
}

func (o *object) keysMay(k kinds) bool { return o.keys == nil || o.keys.may(k) }

func (in *interp) loadNumber(s *site, o *object, key *value) *value {
	if len(key.num.lits) > 0 && o.flat == nil {
		r := vNever
		for _, l := range key.num.lits {
			i := int(l)
			switch {
			case float64(i) == l && i >= 1 && i <= len(o.seq):
				r = join(r, o.seq[i-1])
			case o.rest != nil:
				r = join(join(r, o.rest), vNil)
			default:
				r = join(r, vNil)
			}
			if o.dyn != nil && o.keysMay(kNumber) {
				r = join(r, o.dyn)
			}
		}
		return r
	}
	if o.flat != nil {
		if i, ok := o.flatSide(key); ok {
			v := o.flat.key
			if i == 1 {
				v = o.flat.val
			}
			// An array of pairs has an even length.
			if p := key.num.prog; p != nil && p.within == s.id+1 && (p.shift <= 0 || p.shift == 1 && i == 1) && p.first >= 1 {
				return v
			}
			return join(v, vNil)
		}
	}
	if p := key.num.prog; p != nil && p.within == s.id+1 && p.shift <= 0 && p.first >= 1 && o.dyn == nil {
		return o.element()
	}
	return join(o.element(), vNil)
}

// flatSide tells whether key reads keys (0) or values (1) of an array of pairs.
func (o *object) flatSide(key *value) (int, bool) {
	if len(key.num.lits) > 0 {
		side := -1
		for _, l := range key.num.lits {
			s := (int(l) + 1) % 2
			if side >= 0 && side != s {
				return 0, false
			}
			side = s
		}
		return side, true
	}
	if p := key.num.prog; p != nil && p.known && p.stride%2 == 0 {
		return (p.first + 1) % 2, true
	}
	return 0, false
}

func (o *object) withField(name string, v *value) *object {
	r := *o
	r.fields = maps.Clone(o.fields)
	if r.fields == nil {
		r.fields = map[string]*value{}
	}
	r.fields[name] = v
	return &r
}

// setKey returns o with o[key] = v, where o is known to be a single table.
func setKey(o *object, key, v *value) *object {
	if o.any || o.lib != "" {
		return o
	}
	if name, ok := key.literalString(); ok {
		if o.dyn != nil && o.keysMay(kString) {
			return addDyn(o, key, v)
		}
		return o.withField(name, v)
	}
	if i, ok := key.literalInt(); ok && o.flat == nil {
		switch {
		case i >= 1 && i <= len(o.seq):
			r := *o
			r.seq = append([]*value(nil), o.seq...)
			r.seq[i-1] = v
			return &r
		case i == len(o.seq)+1 && o.rest == nil:
			r := *o
			r.seq = append(append([]*value(nil), o.seq...), v)
			return &r
		}
	}
	if key.is(kNumber) {
		return addElement(o, v)
	}
	return addDyn(o, key, v)
}

// addElement returns o where some element, or one more, may be v.
func addElement(o *object, v *value) *object {
	r := *o.list()
	r.rest = joinMaybe(r.rest, v)
	return &r
}

func addDyn(o *object, key, v *value) *object {
	r := *o
	r.keys = joinMaybe(o.keys, key)
	r.dyn = joinMaybe(o.dyn, v)
	if key.may(kNumber) {
		l := *r.list()
		l.rest = joinMaybe(l.rest, v)
		return &l
	}
	return &r
}

// storeIndex assigns x[key] = v.
func (in *interp) storeIndex(x, key, v *value) {
	if !x.may(kTable) {
		if !x.may(kOther) {
			in.st = nil
		}
		return
	}
	if x.unknownTable() {
		return
	}
	sure := len(x.sites) == 1 && x.is(kTable) && in.weak == 0
	for _, s := range x.sites {
		o := in.st.object(s)
		var r *object
		switch {
		case o.any, o.lib != "":
			continue
		case o.slots != nil:
			r = storeSlot(o, key, v)
		default:
			r = setKey(o, key, v)
		}
		if !sure || s.many {
			r = joinObjects(o, r)
		}
		in.st.setObject(s, r)
	}
}

// append assigns x[#x + 1] = v.
func (in *interp) append(x, v *value) {
	if !x.may(kTable) {
		if !x.may(kOther) {
			in.st = nil
		}
		return
	}
	sure := len(x.sites) == 1 && x.is(kTable) && in.weak == 0
	for _, s := range x.sites {
		o := in.st.object(s)
		r := appendTo(o, v)
		if !sure || s.many {
			r = joinObjects(o, r)
		}
		in.st.setObject(s, r)
	}
}

// appendTo returns o with one more element.
func appendTo(o *object, v *value) *object {
	if o.any || o.slots != nil || o.lib != "" {
		return o
	}
	if o.rest == nil && o.flat == nil && !slices.ContainsFunc(o.seq, func(e *value) bool { return e.may(kMissing) }) {
		r := *o
		r.seq = append(append([]*value(nil), o.seq...), v)
		return &r
	}
	return addElement(o, v)
}

// slotOverride is the field under which a changed slot is kept.
func slotOverride(i int) string { return "\x00" + strconv.Itoa(i) }

func storeSlot(o *object, key, v *value) *object {
	if i, ok := key.literalInt(); ok && !o.slots.unknown {
		return o.withField(slotOverride(i+o.slots.shift), v)
	}
	return anyObject
}

// loadSlot reads KEYS[key] or ARGV[key].
func (in *interp) loadSlot(o *object, key *value) *value {
	t := o.slots
	if key.is(kString) && !key.may(kNumber) {
		return vNil
	}
	if t.unknown {
		return in.readSlot(ref{argv: t.argv, first: t.from, stride: max(t.step, 1), known: t.from > 0})
	}
	switch n := key.num; {
	case len(n.lits) > 0:
		r := vNever
		for _, l := range n.lits {
			i := int(l) + t.shift
			if v, ok := o.fields[slotOverride(i)]; ok {
				r = join(r, v)
				continue
			}
			if float64(int(l)) != l || i < 1 {
				r = join(r, vNil)
				continue
			}
			r = join(r, in.readSlot(ref{argv: t.argv, index: i}))
		}
		return r
	case n.prog != nil:
		return in.readSlot(ref{argv: t.argv, first: n.prog.first + t.shift, stride: n.prog.stride, known: n.prog.known, keys: n.prog.keys})
	case n.length != nil && n.length.argv == t.argv && n.length.add+t.shift <= 0:
		return in.readSlot(ref{argv: t.argv, stride: 1}) // the last one, or before it
	}
	return in.readSlot(ref{argv: t.argv, stride: 1})
}

func (in *interp) readSlot(r ref) *value {
	if r.index == 0 && r.known && r.first < 1 {
		// A walk that begins before the first slot reads nil there.
		r.first += (1 - r.first + r.stride - 1) / r.stride * r.stride
	}
	sure := r.argv && r.index > 0 && r.index <= in.guard
	in.note(fact{kind: factRead, ref: r, guarded: sure})
	if sure {
		return slotValue(r).only(kString)
	}
	return slotValue(r)
}

// slotValue is what the script sees in a slot: a string, or nil when it was not sent.
func slotValue(r ref) *value {
	k := kString
	if r.argv || r.index == 0 {
		k |= kAbsent
	}
	if !r.argv && r.index == 0 {
		k = kString
	}
	return &value{kinds: k, from: &origin{refs: []ref{r}, exact: true, terms: []term{{r, 1}}}}
}

// eachElement is what ipairs(x) gives in a round: an index and an element.
func (in *interp) eachElement(x *value) multi {
	index := &value{kinds: kNumber, num: number{integral: true}}
	if x.is(kTable) && len(x.sites) == 1 {
		o := in.st.object(x.sites[0])
		if t := o.slots; t != nil && !o.any {
			r := ref{argv: t.argv, first: t.first(), stride: 1, known: true, keys: !t.argv}
			index.num.prog = &progression{first: 1, stride: 1, known: true, keys: !t.argv && t.first() == 1}
			v := in.readSlot(r).only(kAll &^ kMissing)
			return multi{vals: []*value{index, v}}
		}
		if len(o.fields) == 0 {
			index.num.prog = &progression{first: 1, stride: 1, known: true, within: x.sites[0].id + 1}
		}
	}
	v := vNever
	switch {
	case !x.may(kTable):
		if !x.may(kOther) {
			in.st = nil
			return multi{}
		}
		v = vAny
	case x.unknownTable():
		v = lost(x.why)
	default:
		for _, s := range x.sites {
			o := in.st.object(s)
			if o.slots != nil {
				v = join(v, vString)
				continue
			}
			v = join(v, o.element())
		}
	}
	v = v.only(kAll &^ kMissing)
	if v.kinds == 0 {
		in.st = nil // the table is empty: no round
	}
	return multi{vals: []*value{index, v}}
}

// eachField is what pairs(x) gives in a round.
func (in *interp) eachField(x *value) multi {
	if !x.may(kTable) {
		if x.may(kOther) {
			return multi{vals: []*value{vAny, vAny}}
		}
		in.st = nil
		return multi{}
	}
	if x.unknownTable() {
		return multi{vals: []*value{vAny.only(kAll &^ kMissing), vAny.only(kAll &^ kMissing)}}
	}
	if len(x.sites) == 1 {
		if o := in.st.object(x.sites[0]); o.slots != nil && !o.any {
			return in.eachElement(x)
		}
	}
	key, val := vNever, vNever
	for _, s := range x.sites {
		k, v := in.st.object(s).entries()
		key, val = join(key, k), join(val, v)
	}
	key, val = key.only(kAll&^kMissing), val.only(kAll&^kMissing)
	if key.kinds == 0 {
		in.st = nil
	}
	return multi{vals: []*value{key, val}}
}

// entries returns all keys and all values of a table.
func (o *object) entries() (key, val *value) {
	if o.any || o.lib != "" || o.slots != nil {
		return vAny, vAny
	}
	key, val = vNever, o.element()
	if !o.bare() {
		key = vInt
	}
	for name, v := range o.fields {
		key, val = join(key, stringLit(name)), join(val, v)
	}
	if o.keys != nil {
		key = join(key, o.keys)
	}
	return key, val
}
