package rules

import (
	"strconv"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements expire-zero-or-negative.

var expireZeroOrNegative = &lint.Rule{
	Name:     "expire-zero-or-negative",
	Severity: diag.Error,
	Group:    lint.Failure,
	Doc: lint.Doc{
		What: "a time to live of zero or less",
		Why: `EXPIRE with zero or less deletes the key at once. SET with EX 0 or PX 0, and SETEX,
raise "invalid expire time". A key without a time to live has no EXPIRE at all;
PERSIST takes one away.`,
		Bad: `return redis.call('SET', KEYS[1], ARGV[1], 'EX', 0 --[[want "expire-zero-or-negative"]])
`,
		Good: `return redis.call('SET', KEYS[1], ARGV[1])
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range p.Calls {
			if c.Command == nil {
				continue
			}
			for i := c.Used; i < len(c.Args); i++ {
				n, ok := constant(c.Args[i])
				at := lint.Place(c, i)
				if !ok || n > 0 || at == nil {
					continue
				}
				switch {
				case c.Name == "EXPIRE" || c.Name == "PEXPIRE":
					if i == 2 {
						p.Report(at, "%s with %d deletes the key", c.Name, n).As(diag.Warning).Help("use DEL, or PERSIST to take the time to live away")
					}
				case (c.Name == "SETEX" || c.Name == "PSETEX") && i == 2, (c.Name == "SET" || c.Name == "GETEX") && expiry[lint.Role(c, i).Option]:
					p.Report(at, "%s refuses an expire time of %d", c.Name, n)
				}
			}
		}
	},
}

var expiry = words("EX PX EXAT PXAT")

// constant returns the one integer that a value is, as a number or as text.
func constant(v analysis.Value) (int64, bool) {
	if text, ok := v.Text(); ok {
		n, err := strconv.ParseInt(text, 10, 64)
		return n, err == nil
	}
	if ns := v.Numbers(); v.Is(analysis.Number) && len(ns) == 1 && v.Integral() {
		return int64(ns[0]), true
	}
	return 0, false
}
