package analysis

// This file implements what the noted facts make of the slots: how many there
// are, what each is called, and of which type it is.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/types"
)

// maxSlots bounds the slots that an index may ask for: beyond it is no slot but
// a mistake.
const maxSlots = 250

// slot is what is known of one parameter, before tags.
type slot struct {
	name      string
	from      script.From
	typ       types.Type
	inferred  bool
	optional  bool
	empty     bool // EmptyWhenAbsent
	parallel  bool
	variadic  bool
	doc       string
	firstRead source.Pos // 0 when it is never read
	integerBy string     // the command that takes it as an integer; empty without
	unitBy    string     // the command that says what unit it is in; empty without
}

// usage is the facts of one slot.
type usage struct {
	facts []fact
}

func (u *usage) has(k factKind) bool {
	return slices.ContainsFunc(u.facts, func(f fact) bool { return f.kind == k })
}

func (u *usage) each(k factKind, visit func(fact)) {
	for _, f := range u.facts {
		if f.kind == k {
			visit(f)
		}
	}
}

// table is the facts of KEYS or of ARGV.
type table struct {
	argv  bool
	fixed map[int]*usage
	walks map[ref]*usage
	order []ref // of walks, as they were first seen
}

func collect(facts []fact, argv bool) *table {
	t := &table{argv: argv, fixed: map[int]*usage{}, walks: map[ref]*usage{}}
	params := map[source.Pos]ref{}
	shared := map[source.Pos]bool{}
	for _, f := range facts {
		if f.kind == factName && f.weak {
			if r, ok := params[f.pos]; ok && r != f.ref {
				shared[f.pos] = true
			}
			params[f.pos] = f.ref
		}
	}
	for _, f := range facts {
		f.shared = f.weak && shared[f.pos]
		if f.ref.argv != argv || f.kind == factLength {
			continue
		}
		if f.ref.index > 0 {
			if f.ref.index > maxSlots {
				continue
			}
			u := t.fixed[f.ref.index]
			if u == nil {
				u = &usage{}
				t.fixed[f.ref.index] = u
			}
			u.facts = append(u.facts, f)
			continue
		}
		u := t.walks[f.ref]
		if u == nil {
			u = &usage{}
			t.walks[f.ref] = u
			t.order = append(t.order, f.ref)
		}
		u.facts = append(u.facts, f)
	}
	return t
}

// highest returns the highest slot that is read by its place.
func (t *table) highest() int {
	n := 0
	for i, u := range t.fixed {
		if u.has(factRead) || u.has(factRole) {
			n = max(n, i)
		}
	}
	return n
}

// tail is the rest of KEYS or ARGV.
type tail struct {
	start  int
	stride int
	fields []*usage // of a group of stride slots, joined over all walks
	keys   bool     // every walk has as many steps as there are keys
}

// tail returns what walks over the slots say; nil without any.
func (t *table) tail(fixed int, doc *restDoc) *tail {
	if len(t.order) == 0 && doc == nil {
		return nil
	}
	r := &tail{start: 0, stride: 0, keys: t.argv}
	for _, w := range t.order {
		r.keys = r.keys && w.keys
		switch {
		case !w.known:
			r.stride = 1
		case r.stride == 0:
			r.stride = w.stride
		case r.stride != w.stride:
			r.stride = 1
		}
		if w.known && (r.start == 0 || w.first < r.start) {
			r.start = w.first
		}
	}
	if len(t.order) == 0 {
		r.keys = false
	}
	r.stride = max(r.stride, 1)
	if doc != nil && (r.start == 0 || len(t.order) == 0) {
		r.start = doc.first
	}
	if r.start <= fixed {
		r.start = fixed + 1
	}
	r.fields = make([]*usage, r.stride)
	for i := range r.fields {
		r.fields[i] = &usage{}
	}
	for _, w := range t.order {
		i := 0
		if w.known {
			i = ((w.first-r.start)%r.stride + r.stride) % r.stride
		}
		r.fields[i].facts = append(r.fields[i].facts, t.walks[w].facts...)
	}
	return r
}

// walked tells whether a loop reads slot i.
func (t *table) walked(i int) bool {
	return slices.ContainsFunc(t.order, func(w ref) bool { return w.known && w.first <= i })
}

// slots turns the facts into parameters. docs and rest are what comments say;
// with more, the numbered slots in them are examples of the rest.
func (t *table) slots(docs map[int]slotDoc, rest *restDoc, more bool) []slot {
	n := t.highest()
	for i, d := range docs {
		if !d.item && (!more || !t.walked(i)) {
			n = max(n, i)
		}
	}
	tl := t.tail(n, rest)
	if tl != nil && tl.start > n+1 {
		n = min(tl.start-1, maxSlots)
	}
	r := make([]slot, 0, n+1)
	for i := 1; i <= n; i++ {
		u := t.fixed[i]
		if u == nil {
			u = &usage{}
		}
		r = append(r, t.one(u, docs[i], i))
	}
	if tl != nil {
		r = append(r, t.rest(tl, rest, n+1))
	}
	settleOptional(r)
	return r
}

// one makes the parameter of one slot.
func (t *table) one(u *usage, d slotDoc, i int) slot {
	s := slot{typ: types.String, doc: d.text}
	for _, f := range u.facts {
		if f.kind == factRead && (s.firstRead == 0 || f.pos < s.firstRead) {
			s.firstRead = f.pos
		}
	}
	s.name, s.from = u.name(d, t.argv, i)
	if !t.argv {
		return s
	}
	hint := d.text
	s.typ, s.inferred = u.typeOf(s.name, hint)
	u.each(factRole, func(f fact) {
		switch {
		case !f.role.direct || f.role.Kind != command.Integer:
		case f.role.Unit != command.NoUnit:
			s.unitBy = f.role.command
		default:
			s.integerBy = f.role.command
		}
	})
	s.optional = u.has(factDefault) || u.guarded()
	s.empty = u.has(factEmpty)
	return s
}

// mixed tells whether the walks take the slots for things of different types.
func (t *table) mixed() bool {
	var first types.Type
	for _, w := range t.order {
		name, _ := t.walks[w].name(slotDoc{}, true, 1)
		typ, known := t.walks[w].typeOf(name, "")
		switch {
		case !known:
		case first == nil:
			first = typ
		case first.String() != typ.String():
			return true
		}
	}
	return false
}

// guarded tells whether the slot is read only where #ARGV says that it is there.
func (u *usage) guarded() bool {
	reads := false
	for _, f := range u.facts {
		if f.kind == factRead {
			if !f.guarded {
				return false
			}
			reads = true
		}
	}
	return reads
}

// rest makes the parameter of the walked slots.
func (t *table) rest(tl *tail, d *restDoc, at int) slot {
	s := slot{variadic: true, typ: types.String, parallel: tl.keys}
	var sd slotDoc
	if d != nil {
		sd = d.slotDoc
	}
	s.doc = sd.text
	for _, u := range tl.fields {
		u.each(factRead, func(f fact) {
			if s.firstRead == 0 || f.pos < s.firstRead {
				s.firstRead = f.pos
			}
		})
	}
	if !t.argv || tl.stride == 1 || tl.stride > 8 {
		all := &usage{}
		for _, u := range tl.fields {
			all.facts = append(all.facts, u.facts...)
		}
		if t.argv && t.mixed() {
			// Several arrays one after the other: what is said of one is not true of all.
			s.name, s.from = sd.name, script.FromComment
			if s.name == "" {
				s.name, s.from = plural(slotWord(true)), script.FromPosition
			}
			return s
		}
		if tl.stride > 1 {
			// Groups of keys are called what comments call them.
			s.name, s.from = (&usage{}).name(sd, t.argv, at)
			if s.from == script.FromPosition {
				s.name, s.from = plural(slotWord(t.argv)), script.FromCommand
			}
		} else {
			s.name, s.from = all.name(sd, t.argv, at)
			if s.from == script.FromPosition || len(s.name) == 1 {
				s.name = plural(slotWord(t.argv)) // k, of a loop, is no better
			} else if s.from != script.FromComment {
				s.name = plural(s.name)
			}
		}
		if t.argv {
			s.typ, s.inferred = all.typeOf(s.name, sd.text)
		}
		return s
	}
	group := &types.Tuple{}
	used := map[string]bool{}
	for i, u := range tl.fields {
		name, from := u.name(slotDoc{}, true, i+1)
		if from == script.FromPosition || used[name] {
			name = "v" + strconv.Itoa(i+1)
		}
		used[name] = true
		ft, _ := u.typeOf(name, "")
		group.Fields = append(group.Fields, types.Field{Name: name, Type: ft})
		if s.from == "" || from != script.FromPosition {
			s.from = from
		}
	}
	s.typ, s.inferred = group, true
	if sd.name != "" {
		s.name, s.from = sd.name, script.FromComment
	} else {
		s.name = groupName(group)
	}
	return s
}

// groupName calls a group after its first field that is no mere score.
func groupName(g *types.Tuple) string {
	for i, f := range g.Fields {
		if f.Name != "score" && f.Name != "v"+strconv.Itoa(i+1) {
			return plural(f.Name)
		}
	}
	return "items"
}

func slotWord(argv bool) string {
	if argv {
		return "arg"
	}
	return "key"
}

// settleOptional leaves optional what a caller can really leave out: the last
// arguments, and those whose emptiness says the same as their absence.
func settleOptional(list []slot) {
	last := true
	for i := len(list) - 1; i >= 0; i-- {
		s := &list[i]
		if s.variadic {
			last = false
			continue
		}
		if !s.optional {
			last = false
			continue
		}
		if !last && !s.empty {
			s.optional = false
		}
		if !s.optional {
			last = false
		}
	}
}

// units collects what a slot is counted in.
type units struct {
	unit  types.Unit
	time  bool
	found bool
	clash bool
}

func (u *units) add(unit types.Unit, isTime bool) {
	if u.found && (u.unit != unit || u.time != isTime) {
		u.clash = true
	}
	u.unit, u.time, u.found = unit, isTime, true
}

// typeOf returns a slot's type from all uses; false when nothing is known.
func (u *usage) typeOf(name, comment string) (types.Type, bool) {
	numeric := u.has(factNumber)
	var integer, double, text, other, role bool
	var un units
	u.each(factRole, func(f fact) {
		role = true
		switch f.role.Kind {
		case command.Integer, command.NumKeys:
			integer = true
		case command.Double:
			double = true
		case command.ScoreBound:
			if numeric || timeLike(name) {
				double = true
			} else {
				text = true
			}
		case command.String, command.Key, command.Channel:
			text = true
		case command.Unknown:
		default:
			other = true
		}
		if f.role.Unit != command.NoUnit {
			u.addUnit(&un, f.role, 1, name)
		}
	})
	u.each(factUnit, func(f fact) { u.addUnit(&un, f.role, f.role.scale, name) })
	switch {
	case u.has(factJSON) && !numeric && !integer && !double:
		return &types.Encoded{Format: types.JSON}, true
	case u.has(factMsgpack) && !numeric && !integer && !double:
		return &types.Encoded{Format: types.Msgpack}, true
	case un.found && !un.clash && !other:
		if un.time {
			return &types.Time{Unit: un.unit}, true
		}
		return &types.Duration{Unit: un.unit}, true
	case other:
		return types.String, true
	case integer:
		return types.Int, true
	case double, numeric:
		if t := commentUnit(name, comment); t != nil {
			return t, true
		}
		if double && !integerName(name) || numeric && fractional(name) {
			return types.Float, true
		}
		return types.Int, true
	}
	if u.isFlag() {
		return &types.Bool{}, true
	}
	return types.String, role || text || u.has(factString) || u.has(factEqual)
}

// addUnit notes a unit, seen through a factor: seconds times 1000 under
// PEXPIRE are seconds.
func (u *usage) addUnit(un *units, r role, scale float64, name string) {
	var unit types.Unit
	isTime := false
	switch r.Unit {
	case command.Seconds:
		unit = types.Seconds
	case command.Milliseconds:
		unit = types.Milliseconds
	case command.Microseconds:
		unit = types.Microseconds
	case command.UnixSeconds:
		unit, isTime = types.Seconds, true
	case command.UnixMilliseconds:
		unit, isTime = types.Milliseconds, true
	default:
		return
	}
	if scale < 0 {
		scale = -scale
	}
	switch scale {
	case 1:
	case 1000:
		if unit == types.Seconds {
			un.clash = true
			return
		}
		unit--
	case 0.001:
		if unit == types.Microseconds {
			un.clash = true
			return
		}
		unit++
	case 0.000001:
		if unit != types.Seconds {
			un.clash = true
			return
		}
		unit = types.Microseconds
	default:
		un.clash = true // minutes, or a product
		return
	}
	if r.sum {
		// In now + ttl one is a time and the other a duration.
		isTime = timeLike(name)
	}
	if un.found && un.unit == unit && un.time != isTime {
		isTime = isTime || un.time
		un.time = isTime
		return
	}
	un.add(unit, isTime)
}

var timeWords = []string{"now", "at", "time", "timestamp", "deadline", "until", "ts", "clock", "today", "date"}

// timeLike tells whether a name is a point in time's.
func timeLike(name string) bool {
	words := splitName(name)
	if len(words) == 0 {
		return false
	}
	return slices.Contains(timeWords, words[len(words)-1]) || words[0] == "now" || words[0] == "current" && slices.Contains(words, "time")
}

var durationWords = []string{"ttl", "timeout", "window", "lease", "expire", "expires", "expiry", "expiration", "delay", "interval", "period", "duration", "retention", "backoff"}

func durationLike(name string) bool {
	words := splitName(name)
	return len(words) > 0 && slices.Contains(durationWords, words[len(words)-1])
}

// commentUnit takes a unit from a comment, for a number whose name says that
// it is a time or a duration: "now, in ms".
func commentUnit(name, comment string) types.Type {
	unit, ok := unitIn(comment)
	switch {
	case !ok:
		return nil
	case timeLike(name):
		return &types.Time{Unit: unit}
	case durationLike(name):
		return &types.Duration{Unit: unit}
	}
	return nil
}

func unitIn(comment string) (types.Unit, bool) {
	words := strings.FieldsFunc(strings.ToLower(comment), func(r rune) bool { return !(r >= 'a' && r <= 'z') })
	for _, w := range words {
		switch w {
		case "ms", "msec", "msecs", "millis", "millisecond", "milliseconds":
			return types.Milliseconds, true
		case "us", "usec", "microsecond", "microseconds":
			return types.Microseconds, true
		case "second", "seconds", "sec", "secs":
			return types.Seconds, true
		}
	}
	return 0, false
}

var fractionWords = []string{"rate", "ratio", "factor", "weight", "probability", "lat", "lon", "lng", "latitude", "longitude", "score", "fraction", "percentile"}

func fractional(name string) bool {
	words := splitName(name)
	return len(words) > 0 && slices.Contains(fractionWords, words[len(words)-1])
}

// integerName tells whether a number under a score is one that counts.
func integerName(name string) bool {
	words := splitName(name)
	return len(words) > 0 && slices.Contains([]string{"count", "limit", "max", "min", "size", "capacity", "priority"}, words[len(words)-1])
}

// splitName splits an identifier into lower-case words.
func splitName(name string) []string {
	var words []string
	start := 0
	flush := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(name[start:end]))
		}
	}
	for i := 0; i < len(name); i++ {
		c := name[i]
		switch {
		case c == '_' || c >= '0' && c <= '9':
			flush(i)
			start = i + 1
		case c >= 'A' && c <= 'Z' && i > start && !(name[i-1] >= 'A' && name[i-1] <= 'Z'):
			flush(i)
			start = i
		}
	}
	flush(len(name))
	return words
}

// isFlag tells whether the slot is only ever compared with '1' and '0'.
func (u *usage) isFlag() bool {
	one := false
	for _, f := range u.facts {
		switch f.kind {
		case factEqual:
			if f.text != "1" && f.text != "0" {
				return false
			}
			one = one || f.text == "1"
		case factRead, factName:
		default:
			return false
		}
	}
	return one
}
