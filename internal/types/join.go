package types

// This file implements the join of two types.

import (
	"cmp"
	"slices"
)

// Join returns a type that holds every value of a and every value of b, and as
// little else as can be said. It is commutative, associative and idempotent up
// to Equal: only the members of textual enums come in the order in which they
// were met.
//
// A value is taken apart by what Redis sends for it, and joined part by part:
//
//   - Nothing: None, and what Optional adds. None with T is T?.
//   - A number: Int, Uint, Float, plain Bool, Duration, Time and integer enums.
//     Equal ones stay, enums add up, Float holds all of them, everything else
//     meets in Int. A Bool sends nil for false, so it joins others as an
//     optional Int; it swallows the nameless literals 0 and 1, and a Duration
//     swallows a nameless 0.
//   - A text: String, Bytes, Status, Bool with words, textual enums and Encoded.
//     Equal ones stay, enums add up, json(A) and json(B) meet in json,
//     everything else in String, or Bytes where one side is not text.
//   - An array: Tuple, List and Map. Tuples join field by field, and fields that
//     one of them lacks become optional. Lists join their elements, maps their
//     keys and values. The empty Tuple is the empty array, which any List or Map
//     is already. Everything else meets in a List; of optional elements if a
//     Tuple is among them, for it may lack its last.
//
// Enums that give two names to one value, or one name to two, meet in Int or
// String. Different parts form a Union, in which Status is a String. Any holds
// every part.
func Join(a, b Type) Type {
	if Equal(a, b) {
		return a
	}
	var p parts
	p.add(a)
	p.add(b)
	return p.join()
}

// parts is a type taken apart by what Redis sends; a part that is not there is nil.
type parts struct {
	null, any           bool
	number, text, array Type
}

func (p *parts) add(t Type) {
	switch t := t.(type) {
	case *Optional:
		p.null = true
		p.add(t.Elem)
	case *Union:
		for _, m := range t.Members {
			p.add(m)
		}
	case *List, *Map, *Tuple:
		p.array = joinPart(p.array, t, joinArrays)
	case *Duration, *Time:
		p.addNumber(t)
	case *Encoded:
		p.text = joinPart(p.text, t, joinTexts)
	case *Bool:
		if *t == (Bool{}) {
			p.addNumber(t)
		} else {
			p.text = joinPart(p.text, t, joinTexts)
		}
	case *Enum:
		if !t.Text {
			p.addNumber(t)
		} else {
			p.text = joinPart(p.text, t, joinTexts)
		}
	case *Basic:
		switch t {
		case None:
			p.null = true
		case Any:
			p.any = true
		case Int, Uint, Float:
			p.addNumber(t)
		default:
			p.text = joinPart(p.text, t, joinTexts)
		}
	}
}

func joinPart(a, b Type, join func(a, b Type) Type) Type {
	if a == nil || Equal(a, b) {
		return b
	}
	return join(a, b)
}

// addNumber joins a number to the others. A Bool that does not stay one leaves
// its nil behind.
func (p *parts) addNumber(t Type) {
	old := p.number
	p.number = joinPart(old, t, joinNumbers)
	if _, ok := p.number.(*Bool); !ok {
		p.null = p.null || isBool(old) || isBool(t)
	}
}

func isBool(t Type) bool {
	_, ok := t.(*Bool)
	return ok
}

// join puts the parts together again.
func (p *parts) join() Type {
	var members []Type
	for _, part := range []Type{p.number, p.text, p.array} {
		if part != nil {
			members = append(members, part)
		}
	}
	var t Type
	switch {
	case p.any:
		t = Any
	case len(members) == 0:
		return None
	case len(members) == 1:
		t = members[0]
	default:
		if i := slices.Index(members, Type(Status)); i >= 0 {
			members[i] = String
		}
		t = &Union{members}
	}
	if p.null {
		t = &Optional{t}
	}
	return t
}

// joinNumbers joins two numbers that differ.
func joinNumbers(a, b Type) Type {
	if a == Float || b == Float {
		return Float
	}
	x, xEnum := a.(*Enum)
	y, yEnum := b.(*Enum)
	switch {
	case xEnum && yEnum:
		if t := joinEnums(x, y); t != nil {
			return t
		}
	case xEnum && swallows(b, x):
		return b
	case yEnum && swallows(a, y):
		return a
	}
	return Int
}

// swallows tells whether the literals of an integer enum are values of t as well.
func swallows(t Type, e *Enum) bool {
	var most int64
	switch t.(type) {
	case *Bool:
		most = 1
	case *Duration:
		most = 0
	default:
		return false
	}
	return !slices.ContainsFunc(e.Members, func(m Member) bool {
		return m.Name != "" || m.Int < 0 || m.Int > most
	})
}

// joinEnums adds up two enums of one kind; nil if their names contradict each other.
func joinEnums(a, b *Enum) Type {
	t := &Enum{Text: a.Text, Members: slices.Clone(a.Members)}
	for _, m := range b.Members {
		same := func(n Member) bool { return n.Int == m.Int && n.Word == m.Word }
		i := slices.IndexFunc(t.Members, same)
		switch {
		case i < 0:
			t.Members = append(t.Members, m)
		case t.Members[i].Name == "":
			t.Members[i].Name = m.Name
		case m.Name != "" && m.Name != t.Members[i].Name:
			return nil
		}
	}
	for i, m := range t.Members {
		clash := func(n Member) bool { return n.Name == m.Name }
		if m.Name != "" && slices.ContainsFunc(t.Members[:i], clash) {
			return nil
		}
	}
	if !t.Text {
		slices.SortFunc(t.Members, func(m, n Member) int { return cmp.Compare(m.Int, n.Int) })
	}
	return t
}

// joinTexts joins two texts that differ.
func joinTexts(a, b Type) Type {
	switch x := a.(type) {
	case *Enum:
		if y, ok := b.(*Enum); ok {
			if t := joinEnums(x, y); t != nil {
				return t
			}
		}
	case *Encoded:
		if y, ok := b.(*Encoded); ok && x.Format == y.Format {
			return &Encoded{Format: x.Format}
		}
	}
	if isBinary(a) || isBinary(b) {
		return Bytes
	}
	return String
}

// isBinary tells whether a text part need not be text.
func isBinary(t Type) bool {
	e, ok := t.(*Encoded)
	return t == Bytes || ok && e.Format == Msgpack
}

// joinArrays joins two arrays that differ.
func joinArrays(a, b Type) Type {
	switch x := a.(type) {
	case *Tuple:
		if y, ok := b.(*Tuple); ok {
			return joinTuples(x, y)
		}
		if len(x.Fields) == 0 {
			return b
		}
	case *List:
		if y, ok := b.(*List); ok {
			return &List{Join(x.Elem, y.Elem)}
		}
	case *Map:
		if y, ok := b.(*Map); ok {
			ordered := x.Ordered || y.Ordered
			if key := Join(x.Key, y.Key); isKey(key, ordered) {
				return &Map{ordered, key, Join(x.Value, y.Value)}
			}
		}
	}
	if y, ok := b.(*Tuple); ok && len(y.Fields) == 0 {
		return a
	}
	return &List{Join(element(a), element(b))}
}

// element returns what every element of an array is.
func element(array Type) Type {
	switch t := array.(type) {
	case *List:
		return t.Elem
	case *Map:
		return Join(t.Key, t.Value)
	case *Tuple:
		var elem Type = None
		for _, f := range t.Fields {
			elem = Join(elem, f.Type)
		}
		return elem
	}
	panic("types: " + array.String() + " is no array")
}

// joinTuples joins field by field. Of two names the longer one tells more; of
// two as long, the first in the alphabet.
func joinTuples(a, b *Tuple) Type {
	if len(a.Fields) < len(b.Fields) {
		a, b = b, a
	}
	t := &Tuple{Fields: slices.Clone(a.Fields)}
	for i := range t.Fields {
		f := &t.Fields[i]
		if i >= len(b.Fields) {
			f.Type = Join(f.Type, None)
			continue
		}
		g := b.Fields[i]
		f.Type = Join(f.Type, g.Type)
		if cmp.Or(cmp.Compare(len(g.Name), len(f.Name)), cmp.Compare(f.Name, g.Name)) > 0 {
			f.Name = g.Name
		}
	}
	return t
}
