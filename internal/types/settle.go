package types

// This file implements the last step of inference.

import "strconv"

// Settle returns t as a signature shows it, without what only inference has:
// what is nameless gets a name or loses its literals, and the text form of the
// result can be read back. An integer enum with a nameless member becomes a
// Bool if it is exactly 0 and 1, else Int. Fields without a name become v1, v2
// and so on by their place; a name that is there already gets a number. Inside
// another type None is any?, and Status is String. An array that is always
// empty is any[].
func Settle(t Type) Type {
	switch u := t.(type) {
	case *Basic:
		return t
	case *Optional:
		if u.Elem == Status {
			return t
		}
	}
	return settle(t)
}

func settle(t Type) Type {
	switch t := t.(type) {
	case *Basic:
		switch t {
		case None:
			return &Optional{Any}
		case Status:
			return String
		}
	case *Enum:
		return settleEnum(t)
	case *Optional:
		elem := settle(t.Elem)
		if o, ok := elem.(*Optional); ok {
			return o
		}
		return &Optional{elem}
	case *List:
		return &List{settle(t.Elem)}
	case *Map:
		return &Map{t.Ordered, settle(t.Key), settle(t.Value)}
	case *Tuple:
		return settleTuple(t)
	case *Union:
		joined := settle(t.Members[0])
		for _, m := range t.Members[1:] {
			joined = Join(joined, settle(m))
		}
		return joined
	}
	return t
}

func settleEnum(t *Enum) Type {
	if t.Text {
		return t
	}
	nameless, small := false, len(t.Members) == 2
	for _, m := range t.Members {
		nameless = nameless || m.Name == ""
		small = small && m.Name == "" && (m.Int == 0 || m.Int == 1)
	}
	switch {
	case !nameless:
		return t
	case small:
		return &Bool{}
	}
	return Int
}

func settleTuple(t *Tuple) Type {
	if len(t.Fields) == 0 {
		return &List{Any}
	}
	taken := map[string]bool{}
	for _, f := range t.Fields {
		taken[f.Name] = true
	}
	seen := map[string]bool{}
	fields := make([]Field, len(t.Fields))
	for i, f := range t.Fields {
		name := f.Name
		if name == "" {
			name = freeName("v", i+1, taken)
		} else if seen[name] {
			name = freeName(name, 2, taken)
		}
		fields[i] = Field{name, settle(f.Type)}
		seen[name], taken[name] = true, true
	}
	return &Tuple{fields}
}

// freeName returns base with the first number from n on that makes it free.
func freeName(base string, n int, taken map[string]bool) string {
	for taken[base+strconv.Itoa(n)] {
		n++
	}
	return base + strconv.Itoa(n)
}
