package types

// This file implements the walk over a type and its parts.

// Walk calls visit for t and for every type within it, the outer one first.
// A nil t has no parts.
func Walk(t Type, visit func(Type)) {
	if t == nil {
		return
	}
	visit(t)
	switch t := t.(type) {
	case *Optional:
		Walk(t.Elem, visit)
	case *List:
		Walk(t.Elem, visit)
	case *Map:
		Walk(t.Key, visit)
		Walk(t.Value, visit)
	case *Tuple:
		for _, f := range t.Fields {
			Walk(f.Type, visit)
		}
	case *Union:
		for _, m := range t.Members {
			Walk(m, visit)
		}
	}
}
