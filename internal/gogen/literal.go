package gogen

// This file implements the literal that holds a script's source.

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dave/jennifer/jen"
)

// placeholder stands for a source of several lines while its file is formatted:
// go/format would copy the real one about ten times over.
const placeholder = "`\n`"

// sourceLiteral returns the literal for a script's source, or the placeholder
// of one that insertSource puts there.
func sourceLiteral(text string) *jen.Statement {
	if isOneLine(text) {
		return jen.Lit(text)
	}
	return jen.Op(placeholder)
}

// insertSource puts a source of several lines in its place, byte for byte: as a
// raw string, or as its lines in quotes where Go's raw strings cannot hold it.
func insertSource(file []byte, text string) []byte {
	if isOneLine(text) {
		return file
	}
	literal := "`" + text + "`"
	if !isRaw(text) {
		literal = quotedLines(text)
	}
	at := bytes.LastIndex(file, []byte(placeholder))
	return slices.Concat(file[:at], []byte(literal), file[at+len(placeholder):])
}

func isOneLine(text string) bool {
	i := strings.IndexByte(text, '\n')
	return i < 0 || i == len(text)-1
}

// quotedLines returns the lines in quotes, indented as gofmt does it within a
// composite literal.
func quotedLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if b.Len() > 0 {
			b.WriteString(" +\n\t\t")
		}
		b.WriteString(strconv.Quote(line))
	}
	return b.String()
}

// isRaw reports whether a raw string literal can hold the text and show it as
// it is: it ends at a backtick and loses carriage returns, and what nobody sees
// is better written as an escape.
func isRaw(text string) bool {
	if !utf8.ValidString(text) {
		return false
	}
	return !strings.ContainsFunc(text, func(r rune) bool {
		return r == '`' || r != '\n' && r != '\t' && unicode.In(r, unicode.Cc, unicode.Cf)
	})
}
