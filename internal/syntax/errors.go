package syntax

// This file reports errors and finds the place from which to go on. One
// mistake is one diagnostic: what follows from it in the same statement, or at
// the same token, stays unsaid.

import (
	"fmt"
	"strings"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

type errorState struct {
	diags   []diag.Diagnostic
	refusal *Refusal
	errorAt source.Pos // the token at which refusal was found

	lost      bool       // the current statement cannot be read on
	lostDepth int        // brackets open where that was found
	failedAt  source.Pos // the last error's place, -1 without
	quiet     bool       // the rest of the statement is a guess: report nothing
	quietFrom int        // the line where the guess begins
	quietLine int        // a line on which nothing more is reported
	over      bool       // nothing more is read
	elseIf    bool       // there was an else if

	stmtStart source.Pos // of the statement being parsed
}

// record adds a diagnostic; the first one is Redis's refusal as well.
func (p *parser) record(d diag.Diagnostic, line int, lua string) {
	if p.refusal == nil {
		p.refusal = &Refusal{Line: line, Message: lua, Shebang: d.Rule == diag.RuleShebang}
		p.errorAt = p.tok.start
	}
	if d.Rule == "" {
		d.Rule = diag.RuleSyntax
	}
	d.Severity, d.File = diag.Error, p.file
	p.diags = append(p.diags, d)
}

// lexicalErrors takes the lexer's errors. What follows in the statement was
// perhaps swallowed by the broken token.
func (p *parser) lexicalErrors() {
	for _, e := range p.errors {
		if p.over || p.quiet && p.lost {
			break
		}
		p.record(diag.Diagnostic{Span: e.span, Message: e.message, Help: e.help}, e.line, e.lua)
		p.quiet, p.quietFrom = true, e.line
	}
	p.errors = p.errors[:0]
}

// limitError reports what Lua cannot hold, at the current token.
func (p *parser) limitError(lua, message string) {
	if !p.over {
		p.record(diag.Diagnostic{Span: p.tok.span(), Message: message}, p.line, lua)
	}
}

// syntaxError reports an error at the current token; lua is Lua's message
// without what is near.
func (p *parser) syntaxError(lua string, d diag.Diagnostic) {
	if p.silent() {
		return
	}
	p.failedAt = p.tok.start
	if d.Span == (source.Span{}) {
		d.Span = p.wholeSymbol(p.tok.span())
	}
	if help := p.cause(); help != "" {
		d.Help = help
	}
	p.record(d, p.line, lua+nearText(p.src, &p.tok))
}

// silent tells whether an error at the current token follows from another one.
func (p *parser) silent() bool {
	return p.lost || p.quiet || p.over || p.line == p.quietLine || p.failedAt == p.tok.start
}

// nearText returns what Lua's messages end with at a token.
func nearText(src string, t *token) string {
	near := t.kind.String()
	switch t.kind {
	case tName, tNumber:
		near = t.text
	case tString:
		quote := 1
		if t.long {
			quote = 2 + strings.IndexByte(src[t.start+1:], '[')
		}
		near = cString(src[t.start:int(t.start)+quote] + t.text + src[int(t.end)-quote:t.end])
	case tOther:
		switch c := src[t.start]; {
		case c == 0:
			return "" // the token 0 means none to Lua
		case c < ' ' || c == 0x7f:
			near = fmt.Sprintf("char(%d)", c)
		default:
			near = src[t.start : t.start+1]
		}
	}
	return " near '" + near + "'"
}

// fail reports that the current token is not what stood to be expected, and
// gives the statement up.
func (p *parser) fail(lua, message string) {
	p.syntaxError(lua, diag.Diagnostic{Message: message})
	p.giveUp()
}

// giveUp says that the current statement cannot be read on.
func (p *parser) giveUp() {
	if !p.lost {
		p.lost, p.lostDepth = true, p.depth
	}
}

// failExpected is fail where one kind of token was expected.
func (p *parser) failExpected(k kind) {
	p.fail("'"+k.String()+"' expected", "found "+p.describe(&p.tok)+", expected "+wanted(k))
}

// failName is failExpected for a name; a keyword may have been meant as one.
func (p *parser) failName() {
	d := diag.Diagnostic{Message: "found " + p.describe(&p.tok) + ", expected a name"}
	if p.tok.isKeyword() && p.prevEnd > 0 {
		d.Help = "keywords cannot be names"
		if p.src[p.prevEnd-1] == '.' {
			d.Help = "keywords cannot be names: write [\"" + p.tok.kind.String() + "\"] for the field"
		}
	} else if p.depth > 0 && p.src[p.prevEnd-1] == ':' {
		d.Help = "a field of a table is written name = value"
	}
	p.syntaxError("'<name>' expected", d)
	p.giveUp()
}

func wanted(k kind) string {
	if k == tName {
		return "a name"
	}
	return "'" + k.String() + "'"
}

// expect steps over a token of a kind, or gives the statement up.
func (p *parser) expect(k kind) {
	if p.tok.kind == k && !p.lost {
		p.next()
		return
	}
	p.failExpected(k)
}

// expectName is expect for a name, which it returns.
func (p *parser) expectName() (string, source.Span) {
	if p.tok.kind != tName || p.lost {
		p.failName()
		return "", source.Span{Start: p.tok.start, End: p.tok.start}
	}
	name, span := p.tok.text, p.tok.span()
	p.next()
	return name, span
}

// unmatched reports that the current token does not match what was opened, and
// lets the parser go on as if it did. Help may be empty.
func (p *parser) unmatched(want kind, o opener, help string) {
	lua := "'" + want.String() + "' expected"
	d := diag.Diagnostic{Message: "found " + p.describe(&p.tok) + ", expected " + wanted(want)}
	if want == tEOF {
		d.Message = "found " + p.describe(&p.tok) + ", expected the end of the file"
	}
	if o.kind != tEOF {
		d.Message += fmt.Sprintf(" to close '%s'", o.kind)
		if o.line != p.line {
			lua += fmt.Sprintf(" (to close '%s' at line %d)", o.kind, o.line)
			d.Message += fmt.Sprintf(" of line %d", p.file.Position(o.span.Start).Line)
			d.Notes = []diag.Note{{File: p.file, Span: o.span, Message: "opened here"}}
			if want == tEnd && p.tok.kind == tEOF && !p.silent() {
				if at, ok := p.unclosed(); ok && at != o.span {
					d.Notes = append(d.Notes, diag.Note{File: p.file, Span: at, Message: "by its indentation, this one lacks its 'end'"})
				}
			}
		}
	}
	if d.Help == "" {
		d.Help = help
	}
	p.syntaxError(lua, d)
}

// expectWord steps over then or do. Where it is missing the parser goes on as
// if it were there, behind what is left of the line.
func (p *parser) expectWord(word kind) {
	if p.tok.kind != word {
		d := diag.Diagnostic{Message: "found " + p.describe(&p.tok) + ", expected '" + word.String() + "'"}
		switch p.tok.kind {
		case tAssign:
			d.Help = "to compare, write =="
		case tLbrace:
			d.Help = "blocks stand between " + word.String() + " and end, not in braces"
		}
		p.syntaxError("'"+word.String()+"' expected", d)
		p.giveUp()
	}
	depth := p.lostDepth
	for line := p.line; p.lost && p.tok.kind != tThen && p.tok.kind != tDo; p.skip() {
		if p.line != line && depth <= 0 || p.startsStmt() || p.tok.kind.closesBlock() {
			p.lost = p.over
			return
		}
		switch p.tok.kind {
		case tLparen, tLbrace, tLbracket:
			depth++
		case tRparen, tRbrace, tRbracket:
			depth--
		}
	}
	p.lost = false
	p.next()
}

// startsStmt tells whether the current token is a keyword that begins a
// statement.
func (p *parser) startsStmt() bool {
	switch p.tok.kind {
	case tLocal, tIf, tWhile, tFor, tRepeat, tReturn, tBreak, tDo:
		return true
	case tFunction:
		return p.peek() == tName
	}
	return false
}

// skip steps over one token, or over a whole function.
func (p *parser) skip() {
	if p.tok.kind == tFunction && p.peek() == tLparen && p.levels < maxLevels {
		lost, depth := p.lost, p.lostDepth
		p.lost = false
		p.simpleExpr()
		p.lost, p.lostDepth = lost, depth
		return
	}
	p.next()
}

// abandon ends the parse: the rest of the file is not read.
func (p *parser) abandon() {
	p.lost, p.over = true, true
	p.pos = len(p.src)
	p.hasAhead = false
	p.tok = token{kind: tEOF, start: source.Pos(p.pos), end: source.Pos(p.pos)}
}

// recover skips to where the next statement seems to begin.
func (p *parser) recover(stmt source.Pos) {
	if p.tok.start == stmt && !p.tok.kind.closesBlock() {
		p.skip() // always forward
	}
	depth := p.lostDepth
	for !p.tok.kind.closesBlock() && !p.startsStmt() {
		switch p.tok.kind {
		case tSemi:
			if depth <= 0 {
				p.lost = false
				return // the block steps over it
			}
		case tName:
			if p.firstOnLine() && (depth <= 0 || p.column(p.tok.start) <= p.column(stmt)) {
				p.lost = false
				return
			}
		case tLparen, tLbrace, tLbracket:
			if p.tok.kind == tLparen && depth <= 0 && p.firstOnLine() {
				p.lost = false
				return
			}
			depth++
		case tRparen, tRbrace, tRbracket:
			depth--
		}
		p.skip()
	}
	p.lost = false
}

// firstOnLine tells whether nothing stands before the current token on its line.
func (p *parser) firstOnLine() bool {
	for i := p.tok.start - 1; i >= 0; i-- {
		switch c := p.src[i]; {
		case c == '\n' || c == '\r':
			return true
		case class[c]&cSpace == 0:
			return false
		}
	}
	return true
}

// column returns how far a place is from the beginning of its line.
func (p *parser) column(pos source.Pos) int {
	n := 0
	for i := pos - 1; i >= 0 && p.src[i] != '\n' && p.src[i] != '\r'; i-- {
		n++
	}
	return n
}
