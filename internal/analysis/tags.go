package analysis

// This file implements tags: @key, @arg, @return and the others, with a
// diagnostic at the exact spot for every mistake.

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/types"
)

// tags is what the tags of a script say.
type tags struct {
	used       bool // there is a tag that only luagen has
	keys       []slotTag
	args       []slotTag
	reply      types.Type
	replyDoc   string
	replySpan  source.Span
	errors     []codeTag
	readonly   *source.Span
	idempotent bool
	name       string
	nameSpan   source.Span
	goTypes    []goTag
	allows     []allowTag

	file  *source.File
	diags []diag.Diagnostic
	last  *string // the text that a following line goes on with
}

type slotTag struct {
	name     string
	span     source.Span // of the name
	typ      types.Type  // nil when it could not be read
	typeSpan source.Span
	optional bool
	variadic bool
	doc      string
}

type codeTag struct{ code, doc string }

type goTag struct {
	slot, typ string
	slotSpan  source.Span
}

// allowTag turns a rule off for the script. It is the linter's.
type allowTag struct {
	rule, reason string
	span         source.Span
}

// tagNames are the tags, for suggestions.
var tagNames = []string{"key", "arg", "return", "error", "readonly", "idempotent", "name", "go", "allow"}

// foreignTags are LuaDoc's and its kin's: no mistakes, and nothing to us.
var foreignTags = []string{"param", "class", "field", "type", "alias", "diagnostic", "author", "version", "see", "usage",
	"module", "copyright", "license", "include", "returns", "param[opt]", "tparam", "treturn", "local", "generic", "overload", "meta",
	"deprecated", "since", "todo", "example", "description", "file", "brief", "date", "note", "throws"}

var tagLine = regexp.MustCompile(`^\s*@([A-Za-z_]+)`)

// readTags reads the tags among the lines of a header, and returns the other lines.
func readTags(file *source.File, lines []docLine) (*tags, []docLine) {
	t := &tags{file: file}
	for _, l := range lines {
		if m := tagLine.FindStringSubmatch(l.text); m != nil {
			switch m[1] {
			case "key", "arg", "readonly", "idempotent", "go", "allow":
				t.used = true
			}
		}
	}
	var rest []docLine
	block := -1
	for _, l := range lines {
		if l.block != block {
			t.last, block = nil, l.block
		}
		m := tagLine.FindStringSubmatchIndex(l.text)
		switch {
		case m != nil && t.tag(l, l.text[m[2]:m[3]], m[2], m[3]):
		case strings.TrimSpace(l.text) == "":
			t.last = nil
			rest = append(rest, l)
		case t.last != nil && m == nil:
			*t.last = strings.TrimSpace(*t.last + " " + strings.TrimSpace(l.text))
		default:
			rest = append(rest, l)
		}
	}
	return t, rest
}

// scanner cuts the words of a tag's line, keeping places.
type scanner struct {
	text string
	at   int
	base source.Pos
}

func (s *scanner) blanks() {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\t') {
		s.at++
	}
}

// word returns the next word and its span; an empty one at the end.
func (s *scanner) word() (string, source.Span) {
	s.blanks()
	start := s.at
	for s.at < len(s.text) && s.text[s.at] != ' ' && s.text[s.at] != '\t' {
		s.at++
	}
	return s.text[start:s.at], s.span(start, s.at)
}

func (s *scanner) span(start, end int) source.Span {
	return source.Span{Start: s.base + source.Pos(start), End: s.base + source.Pos(end)}
}

// rest returns what is left of the line.
func (s *scanner) rest() string {
	r := strings.TrimSpace(s.text[s.at:])
	s.at = len(s.text)
	return r
}

// tag reads one tag; false when the line is none of luagen's.
func (t *tags) tag(l docLine, name string, start, end int) bool {
	s := &scanner{text: l.text, at: end, base: l.pos}
	t.last = nil
	switch name {
	case "key":
		t.key(s)
	case "arg":
		t.arg(s)
	case "return":
		return t.returns(s)
	case "error":
		t.error(s)
	case "readonly":
		span := s.span(start-1, end)
		t.readonly = &span
	case "idempotent":
		t.idempotent = true
	case "name":
		t.name, t.nameSpan = s.word()
		if t.name == "" {
			t.fail(s.span(start-1, end), "found @name without a name, expected @name NAME", "")
		} else if !isWord(t.name) {
			t.fail(t.nameSpan, "found '"+t.name+"', expected a Go identifier", "")
			t.name = ""
		} else if s.blanks(); s.at < len(s.text) {
			t.fail(s.span(s.at, len(s.text)), "found '"+s.text[s.at:]+"' behind @name "+t.name+", expected one name", "")
		}
	case "go":
		t.goType(s, s.span(start-1, end))
	case "allow":
		t.allow(s, s.span(start-1, end))
	default:
		return t.unknown(name, s.span(start-1, end))
	}
	return true
}

// unknown reports a tag that does not exist. In a script without tags of ours
// only a near miss is one: other tools have tags too.
func (t *tags) unknown(name string, span source.Span) bool {
	if slices.Contains(foreignTags, strings.ToLower(name)) {
		return false
	}
	near := diag.Nearest(name, tagNames)
	switch {
	case near != "":
		t.report(t.severity(), span, "unknown tag @"+name+", did you mean @"+near+"?", "")
	case t.used:
		t.fail(span, "unknown tag @"+name+", expected one of @"+strings.Join(tagNames, ", @"), "")
	default:
		return false
	}
	return true
}

// severity of a mistake that may be somebody else's notation.
func (t *tags) severity() diag.Severity {
	if t.used {
		return diag.Error
	}
	return diag.Warning
}

func (t *tags) fail(span source.Span, message, help string) {
	t.report(t.severity(), span, message, help)
}

func (t *tags) report(sev diag.Severity, span source.Span, message, help string) {
	t.diags = append(t.diags, diag.Diagnostic{
		Rule: diag.RuleTag, Severity: sev, File: t.file, Span: span, Message: message, Help: help,
	})
}

func (t *tags) key(s *scanner) {
	start := s.at
	name, span := s.word()
	if name == "" {
		t.fail(s.span(start-4, start), "found @key without a name, expected @key NAME TEXT", "")
		t.keys = append(t.keys, slotTag{typ: types.String}) // the slot is there all the same
		return
	}
	k := slotTag{span: span, typ: types.String}
	k.name, k.variadic = strings.CutSuffix(name, "...")
	if k.variadic {
		k.span.End -= 3
	}
	t.slotName(&k, t.keys)
	k.doc = s.rest()
	t.keys = append(t.keys, k)
	t.last = &t.keys[len(t.keys)-1].doc
}

// slotName checks a slot's name against the slots before it.
func (t *tags) slotName(k *slotTag, before []slotTag) {
	if !isWord(k.name) {
		help := ""
		if word := joinWords(wordRun.FindAllString(k.name, -1)); word != "" && !(k.name[0] >= '0' && k.name[0] <= '9') {
			help = "write " + word
		}
		t.fail(k.span, "found '"+k.name+"', expected a name of letters, digits and _", help)
	}
	for _, list := range [][]slotTag{t.keys, t.args} {
		for _, o := range list {
			if o.name == k.name && k.name != "" {
				line := t.file.Position(o.span.Start).Line
				t.fail(k.span, "the name "+k.name+" is taken by the slot of line "+itoa(line), "give the slot a name of its own")
			}
		}
	}
	if n := len(before); n > 0 && before[n-1].variadic {
		t.fail(before[n-1].span, before[n-1].name+"... is not the last of its slots, expected ... on the last one only",
			"move it to the end, or take the ... away")
		before[n-1].variadic = false
	}
}

func (t *tags) arg(s *scanner) {
	start := s.at
	name, span := s.word()
	if name == "" {
		t.fail(s.span(start-4, start), "found @arg without a name, expected @arg NAME TYPE TEXT", "")
		t.args = append(t.args, slotTag{})
		return
	}
	a := slotTag{name: name, span: span}
	dots := false
	a.name, dots = strings.CutSuffix(name, "...")
	if dots {
		t.fail(s.span(int(span.End-s.base)-3, int(span.End-s.base)), "found '...' behind the name, expected it behind the type",
			"write @arg "+a.name+" TYPE...")
		a.span.End -= 3
	}
	if optional := strings.HasSuffix(a.name, "?"); optional {
		a.name = strings.TrimSuffix(a.name, "?")
		a.span.End--
		t.fail(s.span(int(a.span.End-s.base), int(a.span.End-s.base)+1), "found '?' behind the name, expected it behind the type",
			"write @arg "+a.name+" TYPE?")
	}
	t.slotName(&a, t.args)
	s.blanks()
	if s.at == len(s.text) {
		t.fail(a.span, "found no type for "+a.name+", expected @arg NAME TYPE TEXT", "a plain argument is a string: @arg "+a.name+" string")
		t.args = append(t.args, a)
		return
	}
	base := s.at
	slot, n, err := types.ParseSlotPrefix(s.text[base:])
	if err != nil {
		t.typeError(s, base, err, diag.Error, "")
	} else {
		a.typ, a.optional, a.variadic = slot.Type, slot.Optional, slot.Variadic || dots
		a.typeSpan = s.span(base, base+n)
		s.at = base + n
		a.doc = s.rest()
	}
	t.args = append(t.args, a)
	t.last = &t.args[len(t.args)-1].doc
}

func (t *tags) typeError(s *scanner, base int, err error, sev diag.Severity, help string) {
	span := s.span(base, len(s.text))
	message := err.Error()
	if e := (*types.ParseError)(nil); errors.As(err, &e) {
		span = s.span(base+e.Offset, base+e.Offset+max(e.Length, 0))
		message = e.Message
	}
	if nearType(err) {
		help = ""
	}
	t.report(sev, span, message, help)
}

// returns reads @return TYPE TEXT. LuaDoc has a tag of that name, so in a
// script without other tags a reply that is no type is prose.
func (t *tags) returns(s *scanner) bool {
	s.blanks()
	base := s.at
	if t.reply != nil {
		t.report(t.severity(), s.span(base, len(s.text)), "found a second @return, expected one", "a script has one reply; alternatives are A | B")
		return true
	}
	typ, n, err := types.ParsePrefix(s.text[base:])
	if err != nil {
		if !t.used && !nearType(err) {
			return false
		}
		t.typeError(s, base, err, t.severity(), "write @return TYPE TEXT")
		return true
	}
	t.reply, t.replySpan = typ, s.span(base, base+n)
	s.at = base + n
	t.replyDoc = s.rest()
	t.last = &t.replyDoc
	return true
}

// nearType tells whether a type's error comes with a suggestion.
func nearType(err error) bool { return strings.Contains(err.Error(), "did you mean") }

var codeName = regexp.MustCompile(`^[A-Z][A-Z0-9_]*$`)

func (t *tags) error(s *scanner) {
	start := s.at
	code, span := s.word()
	switch {
	case code == "":
		t.fail(s.span(start-6, start), "found @error without a code, expected @error CODE TEXT", "")
		return
	case !codeName.MatchString(code):
		help := ""
		if upper := strings.ToUpper(code); codeName.MatchString(upper) {
			help = "write " + upper
		}
		t.fail(span, "found '"+code+"', expected an error code in upper case, such as BUSY", help)
		return
	}
	for _, e := range t.errors {
		if e.code == code {
			t.fail(span, "the error code "+code+" is declared twice", "")
			return
		}
	}
	t.errors = append(t.errors, codeTag{code, s.rest()})
	t.last = &t.errors[len(t.errors)-1].doc
}

func (t *tags) goType(s *scanner, tag source.Span) {
	slot, slotSpan := s.word()
	typ, typSpan := s.word()
	switch {
	case slot == "" || typ == "":
		t.fail(tag, "found @go without a slot and a type, expected @go SLOT import/path.Type", "")
	case !types.IsGoType(typ):
		t.fail(typSpan, "found '"+typ+"', expected a Go type as import/path.Type", "")
	default:
		t.goTypes = append(t.goTypes, goTag{slot, typ, slotSpan})
	}
}

func (t *tags) allow(s *scanner, tag source.Span) {
	rule, span := s.word()
	if rule == "" {
		t.fail(tag, "found @allow without a rule, expected @allow RULE REASON", "")
		return
	}
	t.allows = append(t.allows, allowTag{rule, s.rest(), span})
	t.last = &t.allows[len(t.allows)-1].reason
}
