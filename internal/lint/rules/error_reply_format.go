package rules

import (
	"strings"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements error-reply-format.

var errorReplyFormat = &lint.Rule{
	Name:     "error-reply-format",
	Severity: diag.Info,
	Group:    lint.Failure,
	Doc: lint.Doc{
		What: "an error reply without a code",
		Why: `Clients take the first word of an error for its code, as in WRONGTYPE or BUSY. An error
that begins with a word in lower case has that word for a code: 'no such user' has the
code no. Begin with a code in capitals, ERR where there is no better one.`,
		Bad: `return redis.error_reply('no such user' --[[want "error-reply-format"]])
`,
		Good: `return redis.error_reply('NOUSER no such user')
`,
	},
	Run: func(p *lint.Pass) {
		check := func(e syntax.Expr, bare bool) {
			text, ok := p.Value(e).Text()
			if !ok {
				text = p.Value(e).Prefix()
			}
			text = strings.TrimPrefix(text, "-")
			word, _, more := strings.Cut(text, " ")
			switch {
			case strings.ContainsAny(text, "\r\n"):
				p.Report(e, "an error reply is one line, and this has several")
			case word == "" || !more && !bare || strings.ToUpper(word) == word && word[0] != '\'' && isLetter(word[0]):
			default:
				p.Report(e, "the error's first word, %s, is taken for its code", word).Help("begin with a code in capitals, as ERR")
			}
		}
		p.BuiltinCalls(func(call *syntax.CallExpr, name string) {
			if name == "redis.error_reply" && len(call.Args) == 1 {
				check(call.Args[0], false)
			}
		})
		for _, s := range p.Returns {
			if len(s.Values) == 0 {
				continue
			}
			if t, ok := lint.Strip(s.Values[0]).(*syntax.TableExpr); ok {
				for _, f := range t.Fields {
					if k, ok := f.Key.(*syntax.StringExpr); ok && k.Value == "err" {
						check(f.Value, true)
					}
				}
			}
		}
	},
}
