package types

// This file implements the text form of types.

import (
	"fmt"
	"strconv"
	"strings"
)

func (t *Basic) String() string { return t.name }

func (t *Bool) String() string {
	if t.True == "" && t.False == "" {
		return "bool"
	}
	return fmt.Sprintf("bool(%s, %s)", quote(t.True), quote(t.False))
}

// String returns s, ms or us.
func (u Unit) String() string {
	switch u {
	case Seconds:
		return "s"
	case Milliseconds:
		return "ms"
	}
	return "us"
}

func (t *Duration) String() string { return "duration(" + t.Unit.String() + ")" }
func (t *Time) String() string     { return "time(" + t.Unit.String() + ")" }

func (t *Enum) String() string {
	parts := make([]string, len(t.Members))
	for i, m := range t.Members {
		switch {
		case !t.Text && m.Name == "":
			parts[i] = strconv.FormatInt(m.Int, 10)
		case !t.Text:
			parts[i] = m.Name + "=" + strconv.FormatInt(m.Int, 10)
		case m.Name == "":
			parts[i] = quote(m.Word)
		default:
			parts[i] = m.Name + "=" + quote(m.Word)
		}
	}
	return "enum(" + strings.Join(parts, ", ") + ")"
}

func (t *Encoded) String() string {
	name := "json"
	if t.Format == Msgpack {
		name = "msgpack"
	}
	if t.Go == "" {
		return name
	}
	return name + "(" + t.Go + ")"
}

func (t *Optional) String() string { return group(t.Elem) + "?" }
func (t *List) String() string     { return group(t.Elem) + "[]" }

func (t *Map) String() string {
	name := "map"
	if t.Ordered {
		name = "pairs"
	}
	return fmt.Sprintf("%s(%s, %s)", name, t.Key, t.Value)
}

func (t *Tuple) String() string {
	parts := make([]string, len(t.Fields))
	for i, f := range t.Fields {
		parts[i] = f.Name + ": " + f.Type.String()
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func (t *Union) String() string {
	parts := make([]string, len(t.Members))
	for i, m := range t.Members {
		parts[i] = m.String()
	}
	return strings.Join(parts, " | ")
}

// group returns t's text as an operand of a postfix: in parentheses if it is a union.
func group(t Type) string {
	if _, ok := t.(*Union); ok {
		return "(" + t.String() + ")"
	}
	return t.String()
}

// quote writes a string as tags do: in double quotes, with \" \\ \n \r \t and \xHH.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\r':
			b.WriteString(`\r`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < 0x20 || c == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
