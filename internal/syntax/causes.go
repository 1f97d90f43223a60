package syntax

// This file knows why code that is no Lua 5.1 was written: habits from other
// languages and from later Lua, and blocks that lack their end.

import (
	"strings"
	"unicode/utf8"

	"github.com/luagen/luagen/internal/source"
)

// foreignWords are the first words of statements of other languages.
var foreignWords = map[string]string{
	"goto":     "goto is Lua 5.2, Redis has Lua 5.1: use if, or a function with return",
	"continue": "Lua 5.1 has no continue: put the rest of the loop into an if",
	"var":      "variables are declared with local",
	"let":      "variables are declared with local",
	"const":    "variables are declared with local",
	"elif":     "write elseif",
	"elsif":    "write elseif",
	"func":     "write function",
	"fn":       "write function",
	"def":      "write function",
	"switch":   "Lua has no switch: use if and elseif, or a table",
	"try":      "Lua has no try: use pcall, or redis.pcall for a command",
	"throw":    "write error(…), or return redis.error_reply(…)",
	"raise":    "write error(…), or return redis.error_reply(…)",
	"import":   "a script of Redis cannot import",
	"unless":   "write if not",
	"foreach":  "write for k, v in pairs(t) do",
}

// foreignSymbols are what a piece of text at or just before the error means.
var foreignSymbols = []struct {
	text string
	help string
}{
	{"!=", "not equal is ~= in Lua"},
	{"!", "not is written not"},
	{"&&", "and is written and"},
	{"||", "or is written or"},
	{"&", "Lua 5.1 has no bitwise operators: use bit.band"},
	{"|", "Lua 5.1 has no bitwise operators: use bit.bor"},
	{"~", "Lua 5.1 has no bitwise operators: use bit.bxor or bit.bnot; not equal is ~="},
	{"<<", "Lua 5.1 has no bitwise operators: use bit.lshift"},
	{">>", "Lua 5.1 has no bitwise operators: use bit.rshift"},
	{"/*", "comments begin with --, or stand in --[[ ]]"},
	{"::", "labels are Lua 5.2, Redis has Lua 5.1"},
	{"?", "Lua has no ?: operator: write condition and a or b"},
	{"++", "Lua has no ++: write x = x + 1"},
	{"+=", "Lua has no +=: write x = x + …"},
	{"-=", "Lua has no -=: write x = x - …"},
	{"*=", "Lua has no *=: write x = x * …"},
	{"/=", "Lua has no /=: write x = x / …"},
	{"%=", "Lua has no %=: write x = x % …"},
	{"..=", "Lua has no ..=: write x = x .. …"},
	{"<const>", "attributes are Lua 5.4, Redis has Lua 5.1"},
	{"<close>", "attributes are Lua 5.4, Redis has Lua 5.1"},
	{"\u201c", "use plain quotes"},
	{"\u201d", "use plain quotes"},
	{"\u2018", "use plain quotes"},
	{"\u2019", "use plain quotes"},
	{"\u00a0", "this is a no-break space: use a plain one"},
	{"\ufeff", "this is a byte order mark: save the file without it"},
}

// cause returns what to do about an error at the current token, when that is
// known.
func (p *parser) cause() string {
	at, rest := p.tok.start, p.src[p.tok.start:]
	if p.tok.start > p.stmtStart {
		if help, ok := foreignWords[p.wordAt(p.stmtStart)]; ok && p.tok.kind != tAssign {
			return help
		}
	}
	if at == p.stmtStart {
		switch {
		case strings.HasPrefix(rest, "//"), p.tok.kind == tHash:
			return "comments begin with --"
		case p.tok.kind == tSemi:
			return "Lua 5.1 has no empty statement"
		case p.tok.kind == tLbrace:
			return "blocks have no braces in Lua: they begin with then or do and end with end"
		case p.tok.kind == tRbrace:
			return "blocks end with end, not with }"
		}
	}
	before := p.src[:at]
	if strings.HasSuffix(before, "/") && p.tok.kind == tSlash {
		return "// is Lua 5.3, Redis has Lua 5.1: use math.floor(a / b)"
	}
	for _, s := range foreignSymbols {
		if strings.HasPrefix(rest, s.text) {
			return s.help
		}
		if n := len(s.text) - len(p.tokText()); n > 0 && len(s.text) == 2 && p.prevEnd == at && strings.HasSuffix(before, s.text[:n]) && s.text[n:] == p.tokText() {
			return s.help
		}
	}
	return ""
}

// tokText returns the current token as written, the whole character for a byte
// that begins one.
func (p *parser) tokText() string {
	s := p.wholeSymbol(p.tok.span())
	return p.src[s.Start:s.End]
}

// wordAt returns the name that begins at a place.
func (p *parser) wordAt(pos source.Pos) string {
	end := int(pos)
	for end < len(p.src) && class[p.src[end]]&(cAlpha|cDigit) != 0 {
		end++
	}
	return p.src[pos:end]
}

// wholeSymbol widens the span of one byte to the character it begins.
func (p *parser) wholeSymbol(s source.Span) source.Span {
	if s.End == s.Start+1 && p.src[s.Start] >= utf8.RuneSelf {
		_, size := utf8.DecodeRuneInString(p.src[s.Start:])
		s.End = s.Start + source.Pos(size)
	}
	return s
}

// isKeyword tells whether a token is a keyword.
func (t *token) isKeyword() bool { return tAnd <= t.kind && t.kind <= tWhile }

// unclosed looks for the block that lacks its end, when the end of the file
// came first: one that is closed by an end further left than the line on which
// it was opened.
func (p *parser) unclosed() (source.Span, bool) {
	type open struct {
		span   source.Span
		indent int
	}
	var stack []open
	l := lexer{src: p.src, line: 1}
	if strings.HasPrefix(p.src, "#!") {
		l.pos = max(0, strings.IndexByte(p.src, '\n'))
	}
	var t token
	loop := false // a while or for waits for its do
	for l.scan(&t); t.kind != tEOF; l.scan(&t) {
		switch t.kind {
		case tDo:
			if loop {
				loop = false
				continue
			}
			fallthrough
		case tFunction, tIf, tRepeat, tWhile, tFor:
			loop = t.kind == tWhile || t.kind == tFor
			stack = append(stack, open{t.span(), p.indent(t.start)})
		case tEnd, tUntil:
			if len(stack) == 0 {
				return source.Span{}, false
			}
			top := stack[len(stack)-1]
			if p.indent(t.start) < top.indent {
				return top.span, true
			}
			stack = stack[:len(stack)-1]
		}
	}
	return source.Span{}, false
}

// indent returns how far the line of a place is indented.
func (p *parser) indent(pos source.Pos) int {
	start := int(pos) - p.column(pos)
	n := 0
	for class[p.src[start+n]]&cSpace != 0 {
		n++
	}
	return n
}
