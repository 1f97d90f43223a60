package cli

// This file implements commands of Redis as one types them.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// splitCommand splits a command into words as redis-cli does: at blanks, but
// not in quotes. In double quotes \n, \r, \t, \b, \a and \xHH are bytes, and a
// backslash takes any other character as it is; in single quotes it does so
// with a single quote.
func splitCommand(line string) ([]string, error) {
	var words []string
	rest := strings.TrimLeft(line, blanks)
	for rest != "" {
		var word string
		var err error
		if word, rest, err = firstWord(rest); err != nil {
			return nil, err
		}
		words = append(words, word)
		rest = strings.TrimLeft(rest, blanks)
	}
	if len(words) == 0 {
		return nil, errors.New("expected a command")
	}
	return words, nil
}

const blanks = " \t\r\n"

// firstWord takes the word that a text begins with.
func firstWord(text string) (word, rest string, err error) {
	quote := text[0]
	if quote != '"' && quote != '\'' {
		if end := strings.IndexAny(text, blanks); end >= 0 {
			return text[:end], text[end:], nil
		}
		return text, "", nil
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote:
			if rest = text[i+1:]; rest != "" && !strings.Contains(blanks, rest[:1]) {
				return "", "", fmt.Errorf("expected a blank behind the closing quote, found %q", rest[:1])
			}
			return b.String(), rest, nil
		case c == '\\' && i+1 < len(text) && (quote == '"' || text[i+1] == quote):
			n := 1
			if quote == '"' {
				c, n = unescape(text[i+1:])
				b.WriteByte(c)
			} else {
				b.WriteByte(quote)
			}
			i += n
		default:
			b.WriteByte(c)
		}
	}
	return "", "", fmt.Errorf("the quote %c is not closed", quote)
}

// unescape returns the byte that what follows a backslash stands for, and how
// long that is.
func unescape(text string) (byte, int) {
	if text[0] == 'x' && len(text) > 2 {
		if n, err := strconv.ParseUint(text[1:3], 16, 8); err == nil {
			return byte(n), 3
		}
	}
	if i := strings.IndexByte("nrtba", text[0]); i >= 0 {
		return "\n\r\t\b\a"[i], 1
	}
	return text[0], 1
}
