package rules

// This file implements what Lua 5.1 makes of escapes in strings.

import (
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// escape is a backslash in a string literal with what belongs to it.
type escape struct {
	text string // with the backslash, and with the character behind decimals
	span source.Span
}

// escapes returns the escapes of all string literals.
func escapes(p *lint.Pass) []escape {
	var list []escape
	for _, s := range p.Strings {
		if !s.Long {
			list = append(list, escapesOf(p, s)...)
		}
	}
	return list
}

func escapesOf(p *lint.Pass, s *syntax.StringExpr) []escape {
	var list []escape
	text := p.Source(s)
	if text == "" || text[0] != '"' && text[0] != '\'' {
		return nil // a name behind a dot
	}
	for i := 1; i+1 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		end := i + 2
		if isDigit(text[i+1]) {
			for end < len(text)-1 && end < i+5 && isDigit(text[end]) {
				end++
			}
		}
		start := s.Pos.Start + source.Pos(i)
		list = append(list, escape{text[i:end], source.Span{Start: start, End: start + source.Pos(end-i)}})
		i = min(end, i+4) - 1
	}
	return list
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }
