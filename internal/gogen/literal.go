package gogen

// This file implements the literal that holds a script's source.

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// sourceLiteral returns a string literal that is the text byte for byte: a raw
// one, or its lines in quotes where Go's raw strings cannot hold it.
func sourceLiteral(text string) *jen.Statement {
	if isRaw(text) {
		return jen.Op("`" + text + "`")
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		if b.Len() > 0 {
			b.WriteString(" +\n")
		} else {
			b.WriteString("\"\" +\n")
		}
		b.WriteString(strconv.Quote(line))
	}
	return jen.Op(b.String())
}

// isRaw reports whether a raw string literal can hold the text: it ends at a
// backtick, loses carriage returns, and the source of a Go file is UTF-8
// without NUL and without a byte order mark within.
func isRaw(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsAny(text, "`\r\x00\ufeff")
}
