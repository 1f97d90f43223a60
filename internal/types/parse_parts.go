package types

// This file implements what the parser reads inside the brackets of a type.

import (
	"slices"
	"strconv"
	"strings"
)

// bool reads the two words of a bool, if it has them.
func (p *parser) bool() Type {
	open := p.at
	if !p.accept("(") {
		return &Bool{}
	}
	t := &Bool{True: p.quoted("bool(")}
	p.expect(",", `in bool("true", "false")`)
	t.False = p.quoted("bool(")
	p.expect(")", `after the two words of bool("true", "false")`)
	if t.True == t.False {
		p.fail(open, p.at, "the two words of a bool are the same")
	}
	return t
}

// quoted reads a string in double quotes.
func (p *parser) quoted(of string) string {
	p.blanks()
	if !p.peek(`"`) {
		p.failHere("found %s in %s…), expected a string in double quotes", p.found(), of)
	}
	start := p.at
	end := start + p.tokenLength()
	raw := p.text[start:end]
	if len(raw) < 2 || raw[len(raw)-1] != '"' || strings.HasSuffix(strings.ReplaceAll(raw, `\\`, ""), `\"`) {
		p.fail(start, end, "the string has no closing double quote")
	}
	p.at = end
	return p.unquote(start+1, raw[1:len(raw)-1])
}

// unquote resolves the escapes that quote writes.
func (p *parser) unquote(start int, raw string) string {
	var b strings.Builder
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			b.WriteByte(raw[i])
			continue
		}
		i++
		switch c := raw[i]; c {
		case '"', '\\':
			b.WriteByte(c)
		case 'n':
			b.WriteByte('\n')
		case 'r':
			b.WriteByte('\r')
		case 't':
			b.WriteByte('\t')
		case 'x':
			digits := raw[i+1 : min(i+3, len(raw))]
			v, err := strconv.ParseUint(digits, 16, 8)
			if err != nil || len(digits) != 2 {
				p.fail(start+i-1, start+i+1+len(digits), `found \x%s, expected two hexadecimal digits after \x`, digits)
			}
			b.WriteByte(byte(v))
			i += 2
		default:
			p.fail(start+i-1, start+i+1, `found \%c, the escapes are \" \\ \n \r \t and \xHH`, c)
		}
	}
	return b.String()
}

// unit reads the unit of a duration or a time.
func (p *parser) unit(of string) Unit {
	before := p.at
	p.blanks()
	if !p.accept("(") {
		p.fail(before-len(of), before, "%s needs its unit: %[1]s(s), %[1]s(ms) or %[1]s(us)", of)
	}
	p.blanks()
	start := p.at
	name := p.word()
	var unit Unit
	switch name {
	case "s":
		unit = Seconds
	case "ms":
		unit = Milliseconds
	case "us":
		unit = Microseconds
	default:
		p.at = start
		p.failHere("found %s as a unit, expected s, ms or us", p.found())
	}
	p.expect(")", "after the unit")
	return unit
}

// enum reads the members of an enum, which start names.
func (p *parser) enum(start int) Type {
	before := p.at
	p.blanks()
	if !p.accept("(") {
		p.fail(start, before, `enum needs its values: enum(no=0, yes=1) or enum("OK", "BUSY")`)
	}
	t := &Enum{}
	for {
		p.member(t)
		p.blanks()
		if p.accept(")") {
			return t
		}
		p.expect(",", "between the values of an enum")
	}
}

// member reads one member of an enum and adds it.
func (p *parser) member(t *Enum) {
	p.blanks()
	start := p.at
	m := Member{}
	if p.peek(")") {
		p.failHere(`found ")", expected a value such as ok=0 or "OK"`)
	}
	if !p.peek(`"`) {
		m.Name = p.memberName()
	}
	p.blanks()
	value := p.at
	text := p.peek(`"`)
	if text {
		m.Word = p.quoted("enum(")
	} else {
		m.Int = p.integer()
	}
	if len(t.Members) > 0 && text != t.Text {
		p.fail(value, p.at, "an enum has either numbers or strings, not both")
	}
	t.Text = text
	for _, old := range t.Members {
		if m.Name != "" && m.Name == old.Name {
			p.fail(start, start+len(m.Name), "the name %s is there twice", m.Name)
		}
		if m.Int == old.Int && m.Word == old.Word {
			p.fail(value, p.at, "the value %s is there twice", p.text[value:p.at])
		}
	}
	t.Members = append(t.Members, m)
}

// memberName reads NAME= in front of a value.
func (p *parser) memberName() string {
	start := p.at
	if n := p.tokenLength(); n > 0 && (p.text[start] == '-' || p.text[start] >= '0' && p.text[start] <= '9') {
		p.failHere("the value %s has no name: write it as name=%[1]s", p.text[start:start+n])
	}
	name := p.name("a value")
	p.blanks()
	if !p.accept("=") {
		p.fail(start, start+len(name), `%s has no value: write %[1]s=0, or "%[1]s" for the string itself`, name)
	}
	return name
}

// integer reads a decimal integer of 64 bits.
func (p *parser) integer() int64 {
	n := p.tokenLength()
	v, err := strconv.ParseInt(p.text[p.at:p.at+n], 10, 64)
	if err != nil {
		p.failHere("found %s as a value, expected a decimal integer or a string in double quotes", p.found())
	}
	p.at += n
	return v
}

// goType reads the Go type of a json or msgpack, if it has one.
func (p *parser) goType(of string) string {
	if !p.accept("(") {
		return ""
	}
	p.blanks()
	start := p.at
	for p.at < len(p.text) && (isWord(p.text[p.at]) || strings.IndexByte("./-~", p.text[p.at]) >= 0) {
		p.at++
	}
	name := p.text[start:p.at]
	if !IsGoType(name) {
		end := max(p.at, start+p.tokenLength())
		p.fail(start, end, "found %q in %s(…), expected a Go type such as github.com/acme/shop.Order", p.text[start:end], of)
	}
	p.expect(")", "after the Go type")
	return name
}

// IsGoType tells whether a text names a type of a package as import/path.Type:
// an import path of plain elements and an exported identifier. cgo's C is no
// package.
func IsGoType(text string) bool {
	dot := strings.LastIndexByte(text, '.')
	if dot <= 0 {
		return false
	}
	path, name := text[:dot], text[dot+1:]
	if path == "C" || name == "" || name[0] < 'A' || name[0] > 'Z' || strings.ContainsAny(name, "/-~") {
		return false
	}
	for i := range len(text) {
		if !isWord(text[i]) && strings.IndexByte("./-~", text[i]) < 0 {
			return false
		}
	}
	for elem := range strings.SplitSeq(path, "/") {
		if strings.Trim(elem, ".") == "" {
			return false
		}
	}
	return true
}

// mapping reads the key and the value of a map or of pairs.
func (p *parser) mapping(name string) Type {
	before := p.at
	p.blanks()
	if !p.accept("(") {
		p.fail(before-len(name), before, "%s needs its key and value: %[1]s(string, int)", name)
	}
	p.blanks()
	t := &Map{Ordered: name == "pairs"}
	start := p.at
	t.Key = p.union(false)
	if !isKey(t.Key, t.Ordered) {
		if t.Key == Bytes {
			p.fail(start, p.at, "a map in Go cannot have keys of bytes: write string, or pairs(bytes, …)")
		}
		p.fail(start, p.at, "the key of %s is %s, expected string, int, uint, float, bool, duration, time or enum", name, t.Key)
	}
	p.expect(",", "after the key of "+name)
	p.blanks()
	t.Value = p.union(false)
	p.expect(")", "after the value of "+name)
	return t
}

// isKey tells whether a type may be the key of a map or, if ordered, of pairs.
func isKey(t Type, ordered bool) bool {
	switch t := t.(type) {
	case *Basic:
		return t == String || t == Int || t == Uint || t == Float || t == Bytes && ordered
	case *Bool, *Duration, *Time, *Enum:
		return true
	}
	return false
}

// tuple reads the fields of a tuple.
func (p *parser) tuple() Type {
	t := &Tuple{}
	for {
		t.Fields = append(t.Fields, p.field(t.Fields))
		p.blanks()
		if p.accept("}") {
			return t
		}
		p.expect(",", "between the fields of a tuple")
	}
}

// field reads one field; before are those in front of it.
func (p *parser) field(before []Field) Field {
	p.blanks()
	start := p.at
	if p.peek("}") {
		p.failHere(`found "}", expected a field such as name: int`)
	}
	name := p.name("a field")
	p.blanks()
	if !p.accept(":") {
		p.fail(start, start+len(name), "the field %s has no type: write it as name: type", name)
	}
	if slices.ContainsFunc(before, func(f Field) bool { return f.Name == name }) {
		p.fail(start, start+len(name), "the field %s is there twice", name)
	}
	p.blanks()
	return Field{name, p.union(false)}
}
