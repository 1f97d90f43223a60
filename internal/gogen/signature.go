package gogen

// This file implements the planning of a script's signature: which Go types
// its slots and its reply have.

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/types"
)

// planSignature plans keys, arguments and reply, and returns what Go cannot
// have.
func (u *unit) planSignature(names names) []error {
	s := u.script
	fields := map[string]bool{}
	for i, k := range s.Keys {
		u.keys = append(u.keys, &slot{
			name: k.Name, field: distinctField(fields, script.Field(k.Name)), place: place("KEYS", i, k.Variadic), doc: k.Doc, variadic: k.Variadic,
		})
	}
	var errs []error
	for i, a := range s.Args {
		arg, err := u.planArg(names, a, i)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		field := script.Field(a.Name)
		if a.Go == "" {
			field = withoutUnit(field, a.Type)
		}
		arg.field = distinctField(fields, field)
		u.args = append(u.args, arg)
	}
	if err := u.planReply(names); err != nil {
		errs = append(errs, err)
	}
	return errs
}

func place(table string, i int, variadic bool) string {
	dots := ""
	if variadic {
		dots = "..."
	}
	return table + "[" + strconv.Itoa(i+1) + dots + "]"
}

// distinctField returns a field's name, different from those before it.
func distinctField(used map[string]bool, field string) string {
	name := field
	for n := 2; used[name]; n++ {
		name = script.Numbered(field, n)
	}
	used[name] = true
	return name
}

// withoutUnit returns the name of a field. That of a duration does not name the
// unit, which a time.Duration has not.
func withoutUnit(field string, t types.Type) string {
	if _, ok := whole(t).(*types.Duration); !ok {
		return field
	}
	return cmp.Or(script.Exported(script.WithoutUnit(field)), "Duration")
}

// planArg plans the i-th argument.
func (u *unit) planArg(names names, a script.Arg, i int) (*slot, error) {
	refuse := func(format string, v ...any) error {
		return &ScriptError{Script: u.script, Slot: a.Name, Reason: fmt.Sprintf(format, v...)}
	}
	if a.Variadic && i < len(u.script.Args)-1 {
		return nil, refuse("it takes the rest of ARGV, and another argument follows")
	}
	if bad := unsendable(a.Type, a.Variadic); bad != nil {
		return nil, refuse("%s cannot be an argument", bad)
	}
	at := location{
		base: u.script.Name, words: []string{script.Field(a.Name)}, sent: true,
		what: "the argument " + a.Name + " of " + u.script.Name,
	}
	if a.Variadic {
		at.words[0] = singular(at.words[0])
		at.what = "one of the " + a.Name + " that " + u.script.Name + " takes"
	}
	v, err := u.planValue(names, at, a.Type, a.Go)
	if err != nil {
		return nil, refuse("%s", err)
	}
	return &slot{
		name: a.Name, place: place("ARGV", i, a.Variadic), doc: a.Doc, value: v,
		optional: a.Optional && !a.Variadic, variadic: a.Variadic, parallel: a.Parallel && a.Variadic, empty: a.EmptyWhenAbsent,
	}, nil
}

// unsendable returns the part of t that is not one argument, or a group of
// them where that is allowed; nil if there is none.
func unsendable(t types.Type, group bool) types.Type {
	switch t := t.(type) {
	case nil:
		return types.None
	case *types.Basic:
		if t == types.Status || t == types.None || t == types.Any {
			return t
		}
	case *types.Tuple:
		if !group || len(t.Fields) == 0 {
			return t
		}
		for _, f := range t.Fields {
			if bad := unsendable(f.Type, false); bad != nil {
				return bad
			}
		}
	case *types.Optional, *types.List, *types.Map, *types.Union:
		return t
	}
	return nil
}

// planReply plans the reply. What could not be narrowed stays a
// redislua.Value, absent or not.
func (u *unit) planReply(names names) error {
	r := u.script.Reply
	t := whole(r.Type)
	_, u.reply.optional = r.Type.(*types.Optional)
	if r.Go == "" && (t == types.Status || t == types.None) {
		return nil
	}
	at := location{base: u.script.Name, what: "the reply of " + u.script.Name, doc: r.Doc}
	v, err := u.planValue(names, at, t, r.Go)
	if err != nil {
		return &ScriptError{Script: u.script, Slot: "reply", Reason: err.Error()}
	}
	if v.typ == types.Any && v.user == nil {
		u.reply.optional = false
	}
	u.reply.value = v
	return nil
}

// location is where a type stands in a signature, which is what it is named for.
type location struct {
	base  string   // the script
	words []string // from the signature to the type; none for the reply itself
	what  string
	doc   string
	sent  bool // in an argument
}

// then returns the path of a part.
func (p location) then(word, what string) location {
	p.words = append(p.words[:len(p.words):len(p.words)], word)
	p.what, p.doc = what, ""
	return p
}

// element returns the path of a list's elements: the singular of the list's
// own name.
func (p location) element() location {
	last := len(p.words) - 1
	if last < 0 {
		return p.then("Item", "an element of "+p.what)
	}
	word := p.words[last]
	p.words = p.words[:last]
	return p.then(singular(word), "an element of "+p.what)
}

// singular returns the name of one of many, as far as the spelling tells.
func singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return strings.TrimSuffix(word, "ies") + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "shes"), strings.HasSuffix(word, "ches"), strings.HasSuffix(word, "xes"):
		return strings.TrimSuffix(word, "es")
	case strings.HasSuffix(word, "ss"), strings.HasSuffix(word, "us"), strings.HasSuffix(word, "is"), len(word) < 3:
	case strings.HasSuffix(word, "s"):
		return strings.TrimSuffix(word, "s")
	}
	return word + "Item"
}

// planValue plans a type within a signature; goType is the user's own for the
// innermost part, if any.
func (u *unit) planValue(names names, at location, t types.Type, goType string) (*value, error) {
	switch t := t.(type) {
	case *types.Optional:
		return u.planOptional(names, at, t, goType)
	case *types.List:
		elem, err := u.planValue(names, at.element(), t.Elem, goType)
		return &value{typ: t, elem: elem}, err
	}
	if goType != "" {
		switch t.(type) {
		case *types.Map, *types.Tuple:
			return nil, fmt.Errorf("%s has no single Go type: @go is for strings and integers", t)
		}
		return u.userValue(t, goType)
	}
	switch t := t.(type) {
	case *types.Encoded:
		if t.Go != "" {
			return u.userValue(t, t.Go)
		}
	case *types.Map:
		return u.planMap(names, at, t)
	case *types.Enum, *types.Tuple:
		n, err := u.declare(names, at, t)
		return &value{typ: t, named: n}, err
	}
	return &value{typ: scalar(t)}, nil
}

// scalar returns the type that stands for t where Go has nothing better.
func scalar(t types.Type) types.Type {
	switch t.(type) {
	case nil, *types.Union:
		t = types.Any
	}
	switch {
	case t == types.Status:
		return types.String
	case t == types.None:
		return types.Any
	}
	return t
}

// planOptional plans a part that may be absent. What could not be narrowed is
// a redislua.Value, which can be absent by itself.
func (u *unit) planOptional(names names, at location, t *types.Optional, goType string) (*value, error) {
	elem, err := u.planValue(names, at, whole(t), goType)
	if err != nil || elem.typ == types.Any && elem.user == nil {
		return elem, err
	}
	return &value{typ: t, elem: elem}, nil
}

func (u *unit) planMap(names names, at location, t *types.Map) (*value, error) {
	key, err := u.planValue(names, at.then("Key", "a key of "+at.what), t.Key, "")
	if err != nil {
		return nil, err
	}
	if !t.Ordered && !isComparable(key.typ) {
		return nil, fmt.Errorf("%s cannot be the key of a Go map: write pairs(%s, %s) instead", t.Key, t.Key, t.Value)
	}
	elem, err := u.planValue(names, at.then("Value", "a value of "+at.what), t.Value, "")
	return &value{typ: t, key: key, elem: elem}, err
}

func isComparable(t types.Type) bool {
	switch t.(type) {
	case *types.Basic:
		return t != types.Bytes && t != types.Any
	case *types.Bool, *types.Duration, *types.Time, *types.Enum:
		return true
	}
	return false
}

// userValue plans a value of the user's own type.
func (u *unit) userValue(t types.Type, goType string) (*value, error) {
	if !types.IsGoType(goType) {
		return nil, fmt.Errorf("%q is no Go type, expected one such as github.com/acme/shop.Order", goType)
	}
	user := &userType{}
	user.path, user.name = script.SplitGo(goType)
	u.imports = append(u.imports, user.path)
	return &value{typ: t, user: user}, nil
}

// declare plans the declaration of an enum or a tuple. Two parts of a script
// with one name and one type share it.
func (u *unit) declare(names names, at location, t types.Type) (*named, error) {
	short := at.base + strings.Join(at.words, "")
	n := &named{what: at.what, doc: at.doc, typ: t, decoded: !at.sent}
	tuple, isTuple := t.(*types.Tuple)
	switch {
	case len(at.words) == 0 && u.replyName != "":
		n.name = u.replyName
	case at.sent && isTuple:
		n.name = u.itemName
	default:
		for _, known := range u.named {
			if known.name == short && known.typ.String() == t.String() {
				known.decoded = known.decoded || n.decoded
				return known, nil
			}
		}
		role := "Reply"
		if at.sent {
			role = "Arg"
		}
		n.name = names.take(short, at.base+role+strings.Join(at.words, ""))
	}
	u.named = append(u.named, n)
	if !isTuple {
		return n, nil
	}
	if at.sent {
		at.words = nil
	}
	used := map[string]bool{}
	for i, f := range tuple.Fields {
		name := withoutUnit(script.Exported(f.Name), f.Type)
		if name == "" {
			name = "V" + strconv.Itoa(i+1)
		}
		v, err := u.planValue(names, at.then(name, "the "+label(f.Name, name)+" of "+article(n.name)), f.Type, "")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
		n.fields = append(n.fields, &field{name: distinctField(used, name), label: label(f.Name, name), value: v})
	}
	return n, nil
}

// label returns a field as its author calls it, or as Go does where that is no
// word.
func label(name, exported string) string {
	if cleaned := cleanLine(name); cleaned != "" {
		return cleaned
	}
	return exported
}

// article returns a type's name behind a or an.
func article(name string) string {
	if strings.ContainsRune("AEIO", rune(name[0])) {
		return "an " + name
	}
	return "a " + name
}
