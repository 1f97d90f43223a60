package types

// This file implements the type of an argument: what may stand in a slot.

// Slot is the type of an argument as a tag gives it.
type Slot struct {
	Type     Type // never Optional; a Tuple only if Variadic, for the rest of ARGV in groups
	Optional bool // T?: may be absent
	Variadic bool // T...: the rest of ARGV
}

// String returns the text form, which ParseSlot reads back.
func (s Slot) String() string {
	text := s.Type.String()
	switch {
	case s.Optional:
		return text + "?"
	case s.Variadic:
		return text + "..."
	}
	return text
}

// ParseSlot reads the type of an argument, which takes the whole of the text.
// Every error is a *ParseError.
func ParseSlot(text string) (Slot, error) {
	s, n, err := ParseSlotPrefix(text)
	if err != nil {
		return Slot{}, err
	}
	return s, wantEnd(text, n, "the type "+s.String())
}

// ParseSlotPrefix reads the type of an argument that a text begins with, as
// ParsePrefix does. Every error is a *ParseError.
func ParseSlotPrefix(text string) (s Slot, n int, err error) {
	p := &parser{text: text}
	defer p.recover(&err)
	p.blanks()
	start := p.at
	s.Type = p.union(true)
	end := p.at
	if o, ok := s.Type.(*Optional); ok {
		s.Type, s.Optional = o.Elem, true
	}
	if s.Variadic = p.accept("..."); s.Variadic {
		switch {
		case s.Optional:
			p.fail(end-1, p.at, `found "?...", the rest of ARGV may be empty anyway: write "..." alone`)
		case p.peek("?"):
			p.fail(end, p.at+1, `found "...?", the rest of ARGV may be empty anyway: write "..." alone`)
		}
	}
	p.wantBlank()
	p.checkSlot(s, start, end)
	return s, p.at, nil
}

// checkSlot reports a type, read from start to end, that no argument can have.
func (p *parser) checkSlot(s Slot, start, end int) {
	switch t := s.Type.(type) {
	case *Tuple:
		if !s.Variadic {
			p.fail(start, end, `a group of arguments is the rest of ARGV: write "..." behind it`)
		}
		for _, f := range t.Fields {
			if !isArgument(f.Type) {
				p.fail(start, end, "the field %s of a group is %s, expected a type of one argument that is always there", f.Name, f.Type)
			}
		}
	case *List:
		p.fail(start, end, "an argument is one string and cannot be %s: write T... for the rest of ARGV, or json", t)
	case *Map:
		p.fail(start, end, "an argument is one string and cannot be %s: write {key: %s, value: %s}... for the rest of ARGV, or json", t, t.Key, t.Value)
	default:
		if !isArgument(t) {
			p.fail(start, end, "an argument cannot be %s, expected a type of one string: string, bytes, int, uint, float, bool, duration(ms), time(ms), enum(…), json or msgpack", t)
		}
	}
}

// isArgument tells whether a value of the type is one argument.
func isArgument(t Type) bool {
	switch t := t.(type) {
	case *Basic:
		return t != Status && t != None && t != Any
	case *Bool, *Duration, *Time, *Enum, *Encoded:
		return true
	}
	return false
}
