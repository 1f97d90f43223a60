package types

// This file implements the comparison of types.

import "slices"

// Equal tells whether two types are the same. The order of the members of an
// enum or a union does not count; the names of fields and members do.
func Equal(a, b Type) bool {
	if a == b {
		return true
	}
	switch a := a.(type) {
	case *Bool:
		b, ok := b.(*Bool)
		return ok && *a == *b
	case *Duration:
		b, ok := b.(*Duration)
		return ok && *a == *b
	case *Time:
		b, ok := b.(*Time)
		return ok && *a == *b
	case *Encoded:
		b, ok := b.(*Encoded)
		return ok && *a == *b
	case *Enum:
		b, ok := b.(*Enum)
		return ok && a.Text == b.Text && len(a.Members) == len(b.Members) &&
			!slices.ContainsFunc(a.Members, func(m Member) bool { return !slices.Contains(b.Members, m) })
	case *Optional:
		b, ok := b.(*Optional)
		return ok && Equal(a.Elem, b.Elem)
	case *List:
		b, ok := b.(*List)
		return ok && Equal(a.Elem, b.Elem)
	case *Map:
		b, ok := b.(*Map)
		return ok && a.Ordered == b.Ordered && Equal(a.Key, b.Key) && Equal(a.Value, b.Value)
	case *Tuple:
		b, ok := b.(*Tuple)
		return ok && slices.EqualFunc(a.Fields, b.Fields, func(f, g Field) bool {
			return f.Name == g.Name && Equal(f.Type, g.Type)
		})
	case *Union:
		b, ok := b.(*Union)
		return ok && len(a.Members) == len(b.Members) && !slices.ContainsFunc(a.Members, func(m Type) bool {
			return !slices.ContainsFunc(b.Members, func(n Type) bool { return Equal(m, n) })
		})
	}
	return false
}
