package types

// This file implements the parser of the text form.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ParseError tells what is wrong with the text of a type, and where.
type ParseError struct {
	Offset  int    // of the offending token, in bytes from the start of the text
	Length  int    // of the token; 0 at the end of the text
	Message string // what was found and what was expected: lower case, no full stop
}

// Error returns the message, without the place.
func (e *ParseError) Error() string { return e.Message }

// The bounds of nesting, so that no text can exhaust the stack of the parser or
// of whoever walks the result: brackets within brackets, and ? and [] in a row.
const (
	maxNesting   = 100
	maxPostfixes = 50
)

// Parse reads a type that takes the whole of the text, blanks around it aside.
// Every error is a *ParseError.
func Parse(text string) (Type, error) {
	t, n, err := ParsePrefix(text)
	if err != nil {
		return nil, err
	}
	return t, wantEnd(text, n, "the type "+t.String())
}

// ParsePrefix reads the type that a text begins with, leading blanks aside, and
// returns how many bytes of the text it takes. A blank or the end must follow;
// the rest is prose. Every error is a *ParseError.
func ParsePrefix(text string) (t Type, n int, err error) {
	p := &parser{text: text}
	defer p.recover(&err)
	p.blanks()
	t = p.union(true)
	p.wantBlank()
	return t, p.at, nil
}

// wantEnd reports what follows the first n bytes of a text.
func wantEnd(text string, n int, what string) error {
	p := &parser{text: text, at: n}
	p.blanks()
	if p.at == len(text) {
		return nil
	}
	return &ParseError{p.at, p.tokenLength(), fmt.Sprintf("found %s after %s, expected the end", p.found(), what)}
}

// parser reads one type. Its methods panic with a *ParseError, which recover
// turns into the result of an exported function.
type parser struct {
	text    string
	at      int
	nesting int
}

func (p *parser) recover(err *error) {
	switch e := recover().(type) {
	case nil:
	case *ParseError:
		*err = e
	default:
		panic(e)
	}
}

// fail reports the text between two offsets.
func (p *parser) fail(start, end int, format string, args ...any) {
	panic(&ParseError{start, end - start, fmt.Sprintf(format, args...)})
}

// failHere reports the token at the current place.
func (p *parser) failHere(format string, args ...any) {
	p.fail(p.at, p.at+p.tokenLength(), format, args...)
}

// found names the token at the current place in a message.
func (p *parser) found() string {
	if p.at >= len(p.text) {
		return "the end"
	}
	token := p.text[p.at : p.at+p.tokenLength()]
	if token[0] == '"' {
		return token
	}
	return strconv.Quote(token)
}

// tokenLength returns the length of what a reader would take as one thing at
// the current place: a word, a number, a string, or one character.
func (p *parser) tokenLength() int {
	rest := p.text[p.at:]
	if rest == "" {
		return 0
	}
	if rest[0] == '"' {
		for i := 1; i < len(rest); i++ {
			switch rest[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return len(rest)
	}
	n := 0
	for n < len(rest) && (isWord(rest[n]) || n == 0 && rest[n] == '-') {
		n++
	}
	if n > 0 {
		return n
	}
	for i := range rest {
		if i > 0 {
			return i
		}
	}
	return len(rest)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (p *parser) blanks() {
	for p.at < len(p.text) && isBlank(p.text[p.at]) {
		p.at++
	}
}

// peek tells whether the text goes on with s at this very place.
func (p *parser) peek(s string) bool { return strings.HasPrefix(p.text[p.at:], s) }

// accept takes s if the text goes on with it at this very place.
func (p *parser) accept(s string) bool {
	if !p.peek(s) {
		return false
	}
	p.at += len(s)
	return true
}

// expect takes s, which blanks may precede.
func (p *parser) expect(s, where string) {
	p.blanks()
	if !p.accept(s) {
		p.failHere("found %s %s, expected %q", p.found(), where, s)
	}
}

// wantBlank reports a type that runs into what follows it.
func (p *parser) wantBlank() {
	if p.at == len(p.text) || isBlank(p.text[p.at]) {
		return
	}
	switch {
	case p.peek("..."):
		p.fail(p.at, p.at+3, `found "..." after the type, which only the last argument may have`)
	case p.peek("?"):
		p.fail(p.at, p.at+1, `found a second "?", the type is optional already`)
	}
	p.failHere("found %s right behind the type, expected a blank before the description", p.found())
}

// word takes an identifier at this very place; it is empty if there is none.
func (p *parser) word() string {
	start := p.at
	for p.at < len(p.text) && isWord(p.text[p.at]) {
		p.at++
	}
	return p.text[start:p.at]
}

// name takes an identifier that a Go name can be made of.
func (p *parser) name(of string) string {
	p.blanks()
	start := p.at
	name := p.word()
	switch {
	case name == "":
		p.failHere("found %s, expected the name of %s", p.found(), of)
	case name[0] >= '0' && name[0] <= '9':
		p.fail(start, p.at, "found %q, the name of %s begins with a letter", name, of)
	case strings.Trim(name, "_0123456789") == "":
		p.fail(start, p.at, "found %q, the name of %s needs a letter", name, of)
	}
	return name
}

// union reads alternatives. Optional alternatives make the whole optional:
// A? | B is (A | B)?. At the top of a type, status and none are allowed.
func (p *parser) union(top bool) Type {
	if p.nesting++; p.nesting > maxNesting {
		p.failHere("the type nests deeper than %d levels", maxNesting)
	}
	defer func() { p.nesting-- }()

	start := p.at
	first := p.postfix(top)
	end := p.at
	if !p.acceptBar() {
		return first
	}
	a := alternatives{}
	p.alternative(&a, first, start, end)
	for more := true; more; more = p.acceptBar() {
		p.blanks()
		start := p.at
		t := p.postfix(false)
		p.alternative(&a, t, start, p.at)
	}
	if a.optional {
		return &Optional{&Union{a.members}}
	}
	return &Union{a.members}
}

// alternatives are what a union is made of.
type alternatives struct {
	members  []Type
	optional bool
}

// acceptBar takes a | and the blanks before it, or nothing.
func (p *parser) acceptBar() bool {
	before := p.at
	p.blanks()
	if p.accept("|") {
		return true
	}
	p.at = before
	return false
}

// alternative adds what was read from start to end.
func (p *parser) alternative(a *alternatives, t Type, start, end int) {
	switch t := t.(type) {
	case *Optional:
		a.optional = true
		p.alternative(a, t.Elem, start, end)
		return
	case *Union:
		for _, m := range t.Members {
			p.alternative(a, m, start, end)
		}
		return
	}
	switch t {
	case Any:
		p.fail(start, end, "any stands alone, it holds every other type already")
	case Status, None:
		p.alone(t, start, end)
	}
	if slices.ContainsFunc(a.members, func(m Type) bool { return Equal(m, t) }) {
		p.fail(start, end, "found %s twice", t)
	}
	a.members = append(a.members, t)
}

// alone reports a status or none inside another type.
func (p *parser) alone(t Type, start, end int) {
	if t == None {
		p.fail(start, end, "none stands alone: write T? for a T that may be absent")
	}
	p.fail(start, end, "status stands alone: inside another type write string or enum")
}

// postfix reads a type with its ? and [].
func (p *parser) postfix(top bool) Type {
	start := p.at
	t := p.primary(top)
	for n := postfixes(t); ; n++ {
		at := p.at
		switch {
		case n > maxPostfixes:
			p.fail(start, at, "the type nests deeper than %d levels", maxPostfixes)
		case p.accept("?"):
			if t == None {
				p.fail(start, p.at, "none is never there, it takes no \"?\"")
			}
			if _, ok := t.(*Optional); ok {
				p.fail(at, p.at, `found a second "?", the type is optional already`)
			}
			t = &Optional{t}
		case p.accept("[]"):
			p.element(start, at, t)
			t = &List{t}
		default:
			return t
		}
	}
}

// postfixes counts the ? and [] that end a type.
func postfixes(t Type) int {
	switch t := t.(type) {
	case *Optional:
		return 1 + postfixes(t.Elem)
	case *List:
		return 1 + postfixes(t.Elem)
	}
	return 0
}

// element reports a status or none, read from start to end, under [].
func (p *parser) element(start, end int, t Type) {
	if o, ok := t.(*Optional); ok {
		t = o.Elem
	}
	if t == Status || t == None {
		p.alone(t, start, end)
	}
}

// primary reads a type without a postfix.
func (p *parser) primary(top bool) Type {
	start := p.at
	switch {
	case p.accept("("):
		p.blanks()
		t := p.union(top)
		p.expect(")", "in a group")
		return t
	case p.accept("{"):
		return p.tuple()
	}
	name := p.word()
	if name == "" {
		p.failHere("found %s, expected a type: %s", p.found(), choices)
	}
	if t := basic(name); t != nil {
		if !top && (t == Status || t == None) {
			p.alone(t, start, p.at)
		}
		return t
	}
	switch name {
	case "bool":
		return p.bool()
	case "duration":
		return &Duration{p.unit(name)}
	case "time":
		return &Time{p.unit(name)}
	case "enum":
		return p.enum(start)
	case "json":
		return &Encoded{JSON, p.goType(name)}
	case "msgpack":
		return &Encoded{Msgpack, p.goType(name)}
	case "map", "pairs":
		return p.mapping(name)
	}
	p.fail(start, p.at, "%s", unknownType(name))
	return nil
}

// basic returns the basic type of a name, nil if there is none.
func basic(name string) Type {
	for _, t := range [...]*Basic{String, Bytes, Int, Uint, Float, Status, None, Any} {
		if t.name == name {
			return t
		}
	}
	return nil
}
