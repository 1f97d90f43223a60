package syntax

// This file reads the #! line. Redis has its own grammar for it: the engine's
// name, then options, split as the arguments of a redis.conf line are.

import (
	"slices"
	"strings"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

// scriptFlags are the flags that a #! line can set, as Redis 7.0 and all later
// servers have them.
var scriptFlags = []string{"no-writes", "allow-oom", "allow-stale", "no-cluster", "allow-cross-slot-keys"}

// parseShebang reads the #! line, if there is one, and leaves the lexer before
// its line break. Redis gives its errors no line.
func (p *parser) parseShebang() *Shebang {
	if !strings.HasPrefix(p.src, "#!") {
		return nil
	}
	text, _, whole := strings.Cut(p.src, "\n")
	p.pos = len(text)
	text = strings.TrimSuffix(text, "\r")
	s := &Shebang{Text: text[2:], Pos: source.Span{End: source.Pos(len(text))}}
	switch {
	case !whole:
		p.shebangError("Invalid script shebang", s.Pos, "found the end of the file in the #! line, expected a line feed", "")
	case strings.IndexByte(text, 0) >= 0: // C sees no further
		p.shebangError("Invalid script shebang", s.Pos, "found a NUL byte in the #! line", "")
	default:
		s.Flags = p.checkShebang(text)
	}
	return s
}

// checkShebang reports the first mistake of a #! line, as Redis does, and
// returns its flags.
func (p *parser) checkShebang(line string) (flags []string) {
	words, ok := splitWords(line)
	if !ok || len(words) == 0 {
		p.shebangError("Invalid engine in script shebang", source.Span{End: source.Pos(len(line))},
			"found unbalanced quotes in the #! line, expected '#!lua'", "")
		return nil
	}
	if w := words[0]; w.text != "#!lua" {
		p.shebangError("Unexpected engine in script shebang: "+w.text, w.span,
			"found '"+w.text+"', expected '#!lua'", "")
		return nil
	}
	for _, w := range words[1:] {
		list, ok := strings.CutPrefix(w.text, "flags=")
		if !ok {
			p.shebangError("Unknown lua shebang option: "+w.text, w.span,
				"found the option '"+w.text+"', expected 'flags='", "")
			return flags
		}
		if list == "" {
			continue
		}
		for _, flag := range strings.Split(list, ",") {
			flags = append(flags, flag)
			if !slices.Contains(scriptFlags, flag) {
				p.shebangError("Unexpected flag in script shebang: "+flag, w.span,
					"found the flag '"+flag+"', expected one of "+strings.Join(scriptFlags, ", "), "")
				return flags
			}
		}
	}
	return flags
}

func (p *parser) shebangError(lua string, span source.Span, message, help string) {
	p.record(diag.Diagnostic{Rule: diag.RuleShebang, Span: span, Message: message, Help: help}, 0, lua)
}

// word is one word of a #! line, its quotes and escapes undone.
type word struct {
	text string
	span source.Span
}

// splitWords splits a line at white space. A word may be quoted: "…" with the
// escapes \xHH, \n, \r, \t, \b, \a and '…' with \'; a closing quote ends its
// word. It tells whether the quotes are balanced.
func splitWords(line string) (words []word, ok bool) {
	for i := 0; ; {
		for i < len(line) && isBlank(line[i]) {
			i++
		}
		if i == len(line) {
			return words, true
		}
		start := i
		var b strings.Builder
		for i < len(line) && !isBlank(line[i]) {
			if c := line[i]; c != '"' && c != '\'' {
				b.WriteByte(c)
				i++
				continue
			}
			n, ok := unquote(&b, line[i:])
			if i += n; !ok || i < len(line) && !isBlank(line[i]) {
				return words, false
			}
		}
		words = append(words, word{b.String(), source.Span{Start: source.Pos(start), End: source.Pos(i)}})
	}
}

func isBlank(c byte) bool { return class[c]&cSpace != 0 || c == '\n' || c == '\r' }

// unquote appends what text begins with in quotes and returns its length.
func unquote(b *strings.Builder, text string) (n int, ok bool) {
	quote := text[0]
	for i := 1; i < len(text); i++ {
		c := text[i]
		switch {
		case c == quote:
			return i + 1, true
		case c != '\\' || i+1 == len(text) || quote == '\'' && text[i+1] != '\'':
			b.WriteByte(c)
		case quote == '"' && text[i+1] == 'x' && i+3 < len(text) && isHex(text[i+2]) && isHex(text[i+3]):
			b.WriteByte(hexValue(text[i+2])<<4 | hexValue(text[i+3]))
			i += 3
		default:
			i++
			c = text[i]
			if j := strings.IndexByte("nrtba", c); j >= 0 && quote == '"' {
				c = "\n\r\t\b\a"[j]
			}
			b.WriteByte(c)
		}
	}
	return len(text), false
}

func isHex(c byte) bool { return strings.IndexByte("0123456789abcdefABCDEF", c) >= 0 }

func hexValue(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return c&^0x20 - 'A' + 10
}
