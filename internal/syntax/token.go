package syntax

// This file declares the tokens.

import (
	"fmt"
	"unicode"
	"unicode/utf8"

	"github.com/luagen/luagen/internal/source"
)

// kind is what a token is.
type kind uint8

const (
	tEOF kind = iota
	tName
	tNumber
	tString
	tOther // a byte that begins no token of Lua 5.1

	tAnd
	tBreak
	tDo
	tElse
	tElseif
	tEnd
	tFalse
	tFor
	tFunction
	tIf
	tIn
	tLocal
	tNil
	tNot
	tOr
	tRepeat
	tReturn
	tThen
	tTrue
	tUntil
	tWhile

	tConcat
	tDots
	tEq
	tGe
	tLe
	tNe
	tPlus
	tMinus
	tStar
	tSlash
	tPercent
	tCaret
	tHash
	tLess
	tGreater
	tAssign
	tLparen
	tRparen
	tLbrace
	tRbrace
	tLbracket
	tRbracket
	tSemi
	tColon
	tComma
	tDot

	kinds
)

// kindText is how a kind is written, and for the kinds that have no fixed
// text what Lua's messages call it.
var kindText = [kinds]string{
	tEOF: "<eof>", tName: "<name>", tNumber: "<number>", tString: "<string>",
	tAnd: "and", tBreak: "break", tDo: "do", tElse: "else", tElseif: "elseif", tEnd: "end", tFalse: "false",
	tFor: "for", tFunction: "function", tIf: "if", tIn: "in", tLocal: "local", tNil: "nil", tNot: "not",
	tOr: "or", tRepeat: "repeat", tReturn: "return", tThen: "then", tTrue: "true", tUntil: "until", tWhile: "while",
	tConcat: "..", tDots: "...", tEq: "==", tGe: ">=", tLe: "<=", tNe: "~=",
	tPlus: "+", tMinus: "-", tStar: "*", tSlash: "/", tPercent: "%", tCaret: "^", tHash: "#",
	tLess: "<", tGreater: ">", tAssign: "=", tLparen: "(", tRparen: ")", tLbrace: "{", tRbrace: "}",
	tLbracket: "[", tRbracket: "]", tSemi: ";", tColon: ":", tComma: ",", tDot: ".",
}

func (k kind) String() string { return kindText[k] }

// closesBlock tells whether a token can stand behind a block.
func (k kind) closesBlock() bool {
	return k == tEnd || k == tElse || k == tElseif || k == tUntil || k == tEOF
}

// startsExpr tells whether an expression can begin with a token.
func (k kind) startsExpr() bool {
	switch k {
	case tName, tNumber, tString, tNil, tTrue, tFalse, tDots, tFunction, tLbrace, tLparen, tNot, tMinus, tHash:
		return true
	}
	return false
}

// token is one token. Text is a name, the bytes of a string with its escapes
// undone, or a numeral as written.
type token struct {
	kind       kind
	long       bool // a string in long brackets
	start, end source.Pos
	text       string
	num        float64
}

func (t *token) span() source.Span { return source.Span{Start: t.start, End: t.end} }

// describe returns how diagnostics name a token that was found.
func (p *parser) describe(t *token) string {
	switch t.kind {
	case tEOF:
		return "the end of the file"
	case tString:
		return "a string"
	case tNumber:
		return "the number " + p.src[t.start:t.end]
	case tOther:
		r, _ := utf8.DecodeRuneInString(p.src[t.start:])
		switch {
		case r == utf8.RuneError || r < ' ' || r == 0x7f:
			return fmt.Sprintf("the byte 0x%02x", p.src[t.start])
		case !unicode.IsPrint(r):
			return fmt.Sprintf("the character %U", r)
		}
		return "'" + string(r) + "'"
	}
	return "'" + p.src[t.start:t.end] + "'"
}
