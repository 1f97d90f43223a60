package analysis

// This file implements the reply: what Redis makes of the value that a script
// returns (REDIS.md section 3), joined over all its returns, as a type.

import (
	"math"
	"regexp"
	"slices"
	"strconv"

	"github.com/luagen/luagen/internal/syntax"
	"github.com/luagen/luagen/internal/types"
)

// shape is a set of replies.
type shape struct {
	none     bool // a return without a value, or the end of the script
	absent   bool // nil
	left     bool // the nil of a slot that was left out
	yes, no  bool // true is 1; false is nil
	ints     bool
	intLits  []int64 // all of them, when few are possible
	strs     bool
	str      text
	status   bool
	words    []string // all the status replies, when few are possible
	float    bool     // RESP3 double
	array    *array
	any      bool
	anyPlace syntax.Node
	why      *reason // with any, why
}

// array is a set of arrays.
type array struct {
	fields  []field // of tuples, by position
	least   int     // how many fields are always there
	elem    *shape  // of lists; nil when they are all tuples
	key     *shape  // of arrays of pairs, with elem for the values
	ordered bool
}

type field struct {
	name  string
	shape *shape
}

// maxReplyDepth bounds how deep tables in tables are followed.
const maxReplyDepth = 5

func (s *shape) join(o *shape) {
	if o == nil {
		return
	}
	switch {
	case !s.ints:
		s.intLits = o.intLits
	case o.ints && s.intLits != nil && o.intLits != nil:
		s.intLits = unionLits(s.intLits, o.intLits)
	case o.ints:
		s.intLits = nil
	}
	switch {
	case !s.strs:
		s.str = o.str
	case o.strs:
		kind := joinTextKind(s.str, o.str)
		if s.str.lits != nil && o.str.lits != nil {
			s.str.lits = unionLits(s.str.lits, o.str.lits)
		} else {
			s.str.lits = nil
		}
		s.str.kind = kind
	}
	switch {
	case !s.status:
		s.words = o.words
	case o.status && s.words != nil && o.words != nil:
		s.words = unionLits(s.words, o.words)
	case o.status:
		s.words = nil
	}
	s.none = s.none || o.none
	s.absent = s.absent || o.absent
	s.left = s.left || o.left
	s.yes = s.yes || o.yes
	s.no = s.no || o.no
	s.ints = s.ints || o.ints
	s.strs = s.strs || o.strs
	s.status = s.status || o.status
	s.float = s.float || o.float
	s.array = joinArrays(s.array, o.array)
	if o.any && !s.any {
		s.any, s.anyPlace, s.why = true, o.anyPlace, o.why
	}
}

func (s *shape) copy() *shape {
	r := &shape{}
	r.join(s)
	return r
}

func joinShapes(a, b *shape) *shape {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	r := a.copy()
	r.join(b)
	return r
}

func joinArrays(a, b *array) *array {
	switch {
	case a == nil || a == b:
		return b
	case b == nil:
		return a
	case a.key != nil && b.key != nil:
		return &array{key: joinShapes(a.key, b.key), elem: joinShapes(a.elem, b.elem), ordered: a.ordered || b.ordered}
	case a.empty():
		return b.maybeEmpty()
	case b.empty():
		return a.maybeEmpty()
	case a.elem == nil && b.elem == nil:
		return joinTuples(a, b)
	}
	return &array{elem: joinShapes(a.items(), b.items())}
}

// empty tells whether the array never has an element.
func (a *array) empty() bool { return a.elem == nil && len(a.fields) == 0 }

// maybeEmpty returns a, or nothing at all.
func (a *array) maybeEmpty() *array {
	r := *a
	r.least = 0
	return &r
}

// items is what any element may be.
func (a *array) items() *shape {
	s := joinShapes(a.elem, a.key)
	for _, f := range a.fields {
		s = joinShapes(s, f.shape)
	}
	if s == nil {
		s = &shape{}
	}
	return s
}

func joinTuples(a, b *array) *array {
	if len(a.fields) < len(b.fields) {
		a, b = b, a
	}
	r := &array{least: min(a.least, b.least)}
	for i, f := range a.fields {
		if i < len(b.fields) {
			g := b.fields[i]
			if f.name == "" {
				f.name = g.name
			}
			f.shape = joinShapes(f.shape, g.shape)
		} else {
			r.least = min(r.least, len(b.fields))
		}
		r.fields = append(r.fields, f)
	}
	return r
}

// replyOf is what Redis makes of the values of a return statement with n
// expressions: only the first counts.
func (in *interp) replyOf(vals values, n int) *shape {
	if n == 0 || len(vals.vals) == 0 && vals.open == nil {
		return &shape{none: true}
	}
	return in.shapeOf(vals.first(), 0)
}

func (in *interp) shapeOf(v *value, depth int) *shape {
	s := &shape{}
	if v.kinds == 0 {
		return s
	}
	if v.kinds&(kTrue|kNumber|kString|kTable) == kTrue|kNumber|kString|kTable && v.unknownTable() {
		s.any, s.why = true, v.why
		return s
	}
	s.absent = v.may(kNil | kFunc | kOther)
	s.left = v.may(kAbsent)
	s.yes = v.may(kTrue)
	s.no = v.may(kFalse) && in.st.resp&resp2 != 0
	if v.may(kFalse) && in.st.resp&resp3 != 0 {
		// After setresp(3) false is a boolean, which a RESP2 client sees as 0.
		s.join(&shape{ints: true, intLits: []int64{0}})
	}
	if v.may(kNumber) {
		n := &shape{ints: true}
		for _, l := range v.num.lits {
			n.intLits = append(n.intLits, truncate(l))
		}
		if n.intLits != nil {
			n.intLits = unionLits(n.intLits, nil)
		}
		s.join(n)
	}
	if v.may(kString) {
		s.strs, s.str = true, v.str
	}
	if v.unknownTable() {
		s.any, s.why = true, v.why
		return s
	}
	for _, t := range v.sites {
		if depth > maxReplyDepth {
			s.any = true
			break
		}
		s.join(in.tableShape(in.st.object(t), depth))
	}
	return s
}

func truncate(f float64) int64 {
	if math.IsNaN(f) || f >= math.MaxInt64 || f < math.MinInt64 {
		return math.MinInt64
	}
	return int64(f)
}

// tableShape follows Redis's order of looking: err, ok, double, map, set, then
// the array.
func (in *interp) tableShape(o *object, depth int) *shape {
	s := &shape{}
	switch {
	case o.any:
		s.any, s.why = true, o.why
		return s
	case o.slots != nil:
		s.array = &array{elem: &shape{strs: true}}
		return s
	case o.lib != "":
		s.array = &array{}
		return s
	}
	if err, ok := o.fields["err"]; ok && err.may(kString) {
		in.noteCodes(err)
		if err.is(kString) {
			return s
		}
	}
	if word, ok := o.fields["ok"]; ok && word.may(kString) {
		s.status = true
		s.words = word.str.lits
		if word.is(kString) {
			return s
		}
	}
	if d, ok := o.fields["double"]; ok && d.may(kNumber) {
		s.float = true
		if d.is(kNumber) {
			return s
		}
	}
	if m, ok := o.fields["map"]; ok && m.may(kTable) {
		s.join(&shape{array: in.mapShape(m, depth)})
		if m.is(kTable) {
			return s
		}
	}
	if m, ok := o.fields["set"]; ok && m.may(kTable) {
		s.join(&shape{array: &array{elem: in.mapShape(m, depth).key}})
		if m.is(kTable) {
			return s
		}
	}
	for _, name := range []string{"big_number", "verbatim_string"} {
		if v, ok := o.fields[name]; ok && v.may(kString|kTable) {
			s.join(&shape{strs: true})
			if v.is(kString | kTable) {
				return s
			}
		}
	}
	s.join(&shape{array: in.arrayShape(o, depth)})
	return s
}

func (in *interp) mapShape(m *value, depth int) *array {
	a := &array{key: &shape{}, elem: &shape{}}
	for _, t := range m.sites {
		key, val := in.st.object(t).entries()
		a.key.join(in.shapeOf(key, depth+1))
		a.elem.join(in.shapeOf(val, depth+1))
	}
	if m.unknownTable() {
		a.key.any, a.elem.any = true, true
	}
	return a
}

func (in *interp) arrayShape(o *object, depth int) *array {
	switch {
	case o.flat != nil:
		return &array{key: in.shapeOf(o.flat.key, depth+1), elem: in.shapeOf(o.flat.val, depth+1), ordered: o.flat.ordered}
	case o.rest != nil:
		l := o.list()
		return &array{elem: in.elementShape(l.rest, depth)}
	}
	a := &array{}
	for i, v := range o.seq {
		if v.is(kNil) {
			break // the array ends at the first nil
		}
		f := field{shape: in.elementShape(v, depth)}
		if i < len(o.names) {
			f.name = o.names[i]
		}
		a.fields = append(a.fields, f)
		if v.may(kNil) {
			break
		}
	}
	a.least = len(a.fields)
	if n := len(a.fields); n > 0 && o.seq[n-1].may(kNil) {
		// Whatever follows a nil is cut off with it.
		a.least = n - 1
		for i := n; i < len(o.seq) && !o.seq[i].is(kNil); i++ {
			f := field{shape: in.elementShape(o.seq[i], depth)}
			if i < len(o.names) {
				f.name = o.names[i]
			}
			a.fields = append(a.fields, f)
		}
	}
	return a
}

// elementShape is an element of an array: a nil there ends the array, it is
// not an element.
func (in *interp) elementShape(v *value, depth int) *shape {
	s := in.shapeOf(v, depth+1)
	if v.may(kNil) && !v.may(kFunc|kOther) {
		s.absent = false
	}
	return s
}

// typer turns shapes into types.
type typer struct {
	optionalSlots bool              // a slot may be left out, so its nil counts
	fieldNames    []string          // for the fields of the reply's tuple, from its comment
	slotNames     map[string]string // what slotField stands for
	level         int               // arrays around the current type
}

// maxReplyHeight is how many arrays in arrays a type spells out inside another
// array: what is deeper is for a tag to say.
const maxReplyHeight = 3

// height is how many arrays stand in each other.
func height(t types.Type) int {
	switch t := t.(type) {
	case *types.Optional:
		return height(t.Elem)
	case *types.List:
		return 1 + height(t.Elem)
	case *types.Map:
		return 1 + height(t.Value)
	case *types.Tuple:
		n := 0
		for _, f := range t.Fields {
			n = max(n, height(f.Type))
		}
		return 1 + n
	}
	return 0
}

func (t *typer) reply(s *shape) types.Type {
	if s.any {
		return types.Any
	}
	if s.status && !s.strs && !s.ints && !s.yes && s.array == nil && !s.float {
		return t.statusType(s)
	}
	return t.typeOf(s, true)
}

var codeWord = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

func (t *typer) statusType(s *shape) types.Type {
	var r types.Type = types.String
	switch {
	case len(s.words) == 1:
		r = types.Status
	case len(s.words) > 1 && allCodes(s.words):
		r = wordEnum(s.words)
	}
	if s.missing(t) {
		return &types.Optional{Elem: r}
	}
	return r
}

func allCodes(words []string) bool {
	return !slices.ContainsFunc(words, func(w string) bool { return !codeWord.MatchString(w) })
}

func wordEnum(words []string) types.Type {
	e := &types.Enum{Text: true}
	for _, w := range words {
		e.Members = append(e.Members, types.Member{Word: w})
	}
	return e
}

// missing tells whether the reply may be nil.
func (s *shape) missing(t *typer) bool {
	return s.absent || s.none || s.no || s.left && t.optionalSlots
}

func (t *typer) typeOf(s *shape, top bool) types.Type {
	if s.any {
		return types.Any
	}
	var alts []types.Type
	add := func(x types.Type) { alts = append(alts, x) }
	missing := s.missing(t)
	texts := s.strs || s.status
	numbers := s.ints || s.yes
	switch {
	case numbers && isBool(s) && !texts && s.array == nil && !s.float:
		// nil is false, unless 0 says that already.
		zero := slices.Contains(s.intLits, 0)
		b := types.Type(&types.Bool{})
		if zero && (s.absent || s.none || s.no && !s.yes) {
			return &types.Optional{Elem: b}
		}
		return b
	case numbers && texts && !s.status && s.str.kindOf() == textInt && s.str.lits == nil,
		numbers && !texts && !s.float:
		add(types.Int)
	case numbers && !s.status && (!texts || s.str.kindOf() == textFloat):
		add(types.Float)
	default:
		if numbers {
			add(types.Int)
		}
		if s.float {
			add(types.Float)
		}
		if texts {
			add(t.textType(s))
		}
	}
	if s.array != nil {
		add(t.arrayType(s.array, top))
	}
	var r types.Type
	switch len(alts) {
	case 0:
		if top {
			return types.None
		}
		if missing {
			return &types.Optional{Elem: types.String}
		}
		return types.Any
	case 1:
		r = alts[0]
	default:
		r = &types.Union{Members: alts}
	}
	if missing {
		return &types.Optional{Elem: r}
	}
	return r
}

// isBool tells whether the numbers of s are a truth value.
func isBool(s *shape) bool {
	if !s.ints {
		return s.yes
	}
	if s.intLits == nil {
		return false
	}
	for _, l := range s.intLits {
		if l != 0 && l != 1 {
			return false
		}
	}
	return len(s.intLits) == 2 || s.yes || s.intLits[0] == 1 && (s.absent || s.no || s.none)
}

func (t *typer) textType(s *shape) types.Type {
	if s.status || !s.strs {
		return types.String
	}
	if len(s.str.lits) > 1 && allCodes(s.str.lits) {
		return wordEnum(s.str.lits)
	}
	if s.str.lits != nil {
		return types.String
	}
	switch s.str.kind {
	case textInt:
		return types.Int
	case textFloat:
		return types.Float
	case textJSON:
		return &types.Encoded{Format: types.JSON}
	case textMsgpack:
		return &types.Encoded{Format: types.Msgpack}
	}
	return types.String
}

func (t *typer) arrayType(a *array, top bool) types.Type {
	switch {
	case t.level >= maxReplyDepth:
		return types.Any
	case a.key != nil && a.key.ints && a.key.strs:
		return &types.List{Elem: types.Any}
	case a.key != nil:
		return &types.Map{Ordered: a.ordered, Key: t.keyType(a.key), Value: t.typeOf(a.elem, false)}
	case a.elem != nil:
		t.level++
		elem := t.typeOf(a.elem, false)
		t.level--
		if t.level > 0 && t.level+1+height(elem) > maxReplyHeight {
			elem = types.Any
		}
		return &types.List{Elem: elem}
	case len(a.fields) == 0:
		return &types.List{Elem: types.Any}
	case a.least == 0 && a.alike(t):
		return &types.List{Elem: t.typeOf(a.items(), false)}
	}
	names := t.names(a, top)
	least := a.least
	for i, f := range a.fields {
		if f.shape.left && t.optionalSlots {
			least = min(least, i) // a slot that was left out ends the array
		}
	}
	r := &types.Tuple{}
	t.level++
	defer func() { t.level-- }()
	for i, f := range a.fields {
		ft := t.typeOf(f.shape, false)
		if i >= least {
			if _, ok := ft.(*types.Optional); !ok {
				ft = &types.Optional{Elem: ft}
			}
		}
		r.Fields = append(r.Fields, types.Field{Name: names[i], Type: ft})
	}
	return r
}

// keyType is a map's key: whatever is not a plain scalar is text.
func (t *typer) keyType(s *shape) types.Type {
	if s.strs && s.str.lits == nil && !s.ints && !s.any && s.array == nil {
		return t.textType(s)
	}
	if s.ints && !s.strs && !s.any && s.array == nil {
		return types.Int
	}
	return types.String
}

// alike tells whether all fields have one type, and no names that matter.
func (a *array) alike(t *typer) bool {
	first := t.typeOf(a.fields[0].shape, false).String()
	for _, f := range a.fields[1:] {
		if t.typeOf(f.shape, false).String() != first {
			return false
		}
	}
	return true
}

// names gives every field of a tuple a name of its own.
func (t *typer) names(a *array, top bool) []string {
	r := make([]string, len(a.fields))
	used := map[string]bool{}
	for i, f := range a.fields {
		n := f.name
		if name, ok := t.slotNames[n]; ok {
			n = name
		}
		if top && len(t.fieldNames) == len(a.fields) && t.fieldNames[i] != "" {
			n = t.fieldNames[i]
		}
		if n == "" || used[n] || !isWord(n) {
			n = "v" + strconv.Itoa(i+1)
		}
		used[n] = true
		r[i] = n
	}
	return r
}
