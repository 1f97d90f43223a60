package syntax

// This file implements the lexer. It follows llex.c of Lua 5.1.5 byte by byte,
// also where that is surprising: the line count of mixed line ends, a NUL that
// is taken for part of a numeral or of "..". In one point it follows the
// servers since October 2025: their fix of CVE-2025-46819 made [[ in a long
// string plain text, where Lua 5.1 refuses it.

import (
	"strings"

	"github.com/luagen/luagen/internal/source"
)

// lexer cuts a text into tokens and comments. Its errors are kept until
// somebody takes them; what follows one is a guess that lets the parser go on.
type lexer struct {
	src      string
	pos      int
	line     int // of pos, from 1, counted as Lua counts
	comments []*Comment
	comment  slab[Comment]
	errors   []fault
}

// fault is a text that is no token, or that the compiler cannot hold.
type fault struct {
	line    int // where Lua reports it
	span    source.Span
	lua     string // Lua's message, with near and what is near
	message string
	help    string
}

func (l *lexer) fail(e fault) {
	e.line = l.line
	l.errors = append(l.errors, e)
}

// classes of bytes, as the C locale has them
const (
	cSpace uint8 = 1 << iota // without CR and LF
	cAlpha                   // letters and _
	cDigit
)

var class = func() (table [256]uint8) {
	for _, c := range " \t\v\f" {
		table[c] |= cSpace
	}
	for c := '0'; c <= '9'; c++ {
		table[c] |= cDigit
	}
	for c := 'a'; c <= 'z'; c++ {
		table[c] |= cAlpha
		table[c-'a'+'A'] |= cAlpha
	}
	table['_'] |= cAlpha
	return table
}()

// single maps the bytes that are always a token of their own.
var single = [256]kind{
	'+': tPlus, '*': tStar, '/': tSlash, '%': tPercent, '^': tCaret, '#': tHash, '(': tLparen, ')': tRparen,
	'{': tLbrace, '}': tRbrace, ']': tRbracket, ';': tSemi, ':': tColon, ',': tComma,
}

// at returns the byte n behind the position, and 0 at the end of the text.
func (l *lexer) at(n int) byte {
	if l.pos+n < len(l.src) {
		return l.src[l.pos+n]
	}
	return 0
}

// newline steps over a line break, which may be CR LF or LF CR.
func (l *lexer) newline() {
	c := l.src[l.pos]
	l.pos++
	if n := l.at(0); (n == '\n' || n == '\r') && n != c {
		l.pos++
	}
	l.line++
}

// scan reads the next token into t.
func (l *lexer) scan(t *token) {
	l.skipBlank()
	t.start = source.Pos(l.pos)
	t.long = false
	if l.pos == len(l.src) {
		t.kind, t.end, t.text = tEOF, t.start, ""
		return
	}
	c := l.src[l.pos]
	switch {
	case class[c]&cAlpha != 0:
		l.scanName(t)
	case class[c]&cDigit != 0:
		l.scanNumber(t)
	case single[c] != 0:
		t.kind = single[c]
		l.pos++
	default:
		l.scanSymbol(t, c)
	}
	t.end = source.Pos(l.pos)
}

// skipBlank steps over white space and comments.
func (l *lexer) skipBlank() {
	for l.pos < len(l.src) {
		src, i := l.src, l.pos // most of a blank is indentation
		for i < len(src) && class[src[i]]&cSpace != 0 {
			i++
		}
		if l.pos = i; i == len(src) {
			return
		}
		switch c := src[i]; {
		case c == '\n' || c == '\r':
			l.newline()
		case c == '-' && l.at(1) == '-':
			l.scanComment()
		default:
			return
		}
	}
}

// scanName reads a name or a keyword.
func (l *lexer) scanName(t *token) {
	src, i := l.src, l.pos+1
	for i < len(src) && class[src[i]]&(cAlpha|cDigit) != 0 {
		i++
	}
	t.text = src[l.pos:i]
	l.pos = i
	t.kind = keyword(t.text)
}

// keyword returns the kind of a word.
func keyword(word string) kind {
	if len(word) < 2 || len(word) > 8 || word[0] < 'a' || word[0] > 'w' {
		return tName
	}
	switch word {
	case "and":
		return tAnd
	case "break":
		return tBreak
	case "do":
		return tDo
	case "else":
		return tElse
	case "elseif":
		return tElseif
	case "end":
		return tEnd
	case "false":
		return tFalse
	case "for":
		return tFor
	case "function":
		return tFunction
	case "if":
		return tIf
	case "in":
		return tIn
	case "local":
		return tLocal
	case "nil":
		return tNil
	case "not":
		return tNot
	case "or":
		return tOr
	case "repeat":
		return tRepeat
	case "return":
		return tReturn
	case "then":
		return tThen
	case "true":
		return tTrue
	case "until":
		return tUntil
	case "while":
		return tWhile
	}
	return tName
}

// scanSymbol reads the tokens of which the first byte does not tell all.
func (l *lexer) scanSymbol(t *token, c byte) {
	switch c {
	case '"', '\'':
		l.scanString(t, c)
	case '[':
		l.scanBracket(t)
	case '.':
		l.scanDot(t)
	case '-':
		t.kind = tMinus
		l.pos++
	case '=':
		l.oneOrTwo(t, tAssign, tEq)
	case '<':
		l.oneOrTwo(t, tLess, tLe)
	case '>':
		l.oneOrTwo(t, tGreater, tGe)
	case '~':
		l.oneOrTwo(t, tOther, tNe)
	default:
		t.kind = tOther
		l.pos++
	}
}

// oneOrTwo reads a symbol that a following = makes another one.
func (l *lexer) oneOrTwo(t *token, one, two kind) {
	t.kind = one
	l.pos++
	if l.at(0) == '=' {
		t.kind = two
		l.pos++
	}
}

// scanDot reads ., .., ... or a numeral. Lua takes a NUL for a dot here, as
// its strchr finds one in every set.
func (l *lexer) scanDot(t *token) {
	dots := 1
	for dots < 3 && l.pos+dots < len(l.src) && (l.src[l.pos+dots] == '.' || l.src[l.pos+dots] == 0) {
		dots++
	}
	if dots == 1 && class[l.at(1)]&cDigit != 0 {
		l.scanNumber(t)
		return
	}
	t.kind = [...]kind{tDot, tConcat, tDots}[dots-1]
	l.pos += dots
}

// separator returns the number of = between two brackets of the same kind that
// begin at i, and whether there are two.
func (l *lexer) separator(i int) (level int, ok bool) {
	j := i + 1
	for j < len(l.src) && l.src[j] == '=' {
		j++
	}
	return j - i - 1, j < len(l.src) && l.src[j] == l.src[i]
}

// scanBracket reads [ or a long string.
func (l *lexer) scanBracket(t *token) {
	level, ok := l.separator(l.pos)
	switch {
	case ok:
		t.kind, t.long = tString, true
		t.text = l.longText(level, "string")
	case level == 0:
		t.kind = tLbracket
		l.pos++
	default:
		t.kind, t.text = tString, ""
		l.pos += 1 + level
		near := l.src[t.start:l.pos]
		l.fail(fault{
			span:    source.Span{Start: t.start, End: source.Pos(l.pos)},
			lua:     "invalid long string delimiter near '" + near + "'",
			message: "found '" + near + "', expected a second '[' that opens a long string",
		})
	}
}

// longText reads what stands in long brackets and returns it, without a line
// break at its very beginning and with every line break as one LF.
func (l *lexer) longText(level int, what string) string {
	start := l.pos
	l.pos += level + 2
	closing := "]" + strings.Repeat("=", level) + "]"
	length := strings.Index(l.src[l.pos:], closing)
	end, after := len(l.src), len(l.src)
	if length >= 0 {
		end, after = l.pos+length, l.pos+length+len(closing)
	}
	body := l.src[l.pos:end]
	l.line += countLines(body)
	l.pos = after
	if length < 0 {
		l.fail(fault{
			span:    source.Span{Start: source.Pos(start), End: source.Pos(start + level + 2)},
			lua:     "unfinished long " + what + " near '<eof>'",
			message: "found the end of the file inside a long " + what + ", expected '" + closing + "'",
		})
	}
	return plainLines(body)
}

// countLines returns the number of line breaks as Lua counts them.
func countLines(text string) int {
	if strings.IndexByte(text, '\r') < 0 {
		return strings.Count(text, "\n")
	}
	n := 0
	for i := 0; i < len(text); i++ {
		if c := text[i]; c == '\n' || c == '\r' {
			n++
			if i+1 < len(text) && text[i+1] == c^'\n'^'\r' {
				i++
			}
		}
	}
	return n
}

// plainLines drops a leading line break and makes all others one LF.
func plainLines(text string) string {
	if text == "" {
		return ""
	}
	if strings.IndexByte(text, '\r') < 0 {
		return strings.TrimPrefix(text, "\n")
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c != '\n' && c != '\r' {
			b.WriteByte(c)
			continue
		}
		first := i == 0
		if i+1 < len(text) && text[i+1] == c^'\n'^'\r' {
			i++
		}
		if !first {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// scanComment reads a comment, short or long.
func (l *lexer) scanComment() {
	start := l.pos
	l.pos += 2
	c := l.comment.alloc()
	level, ok := 0, false
	if l.at(0) == '[' {
		level, ok = l.separator(l.pos)
	}
	if ok {
		c.Long = true
		open := l.pos + level + 2
		l.longText(level, "comment")
		c.Text = strings.TrimSuffix(l.src[open:l.pos], "]"+strings.Repeat("=", level)+"]")
	} else {
		end := l.pos
		for end < len(l.src) && l.src[end] != '\n' && l.src[end] != '\r' {
			end++
		}
		c.Text = l.src[l.pos:end]
		l.pos = end
	}
	c.Pos = source.Span{Start: source.Pos(start), End: source.Pos(l.pos)}
	l.comments = append(l.comments, c)
}
