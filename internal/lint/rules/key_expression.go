package rules

import (
	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements key-expression.

var keyExpression = &lint.Rule{
	Name:     "key-expression",
	Severity: diag.Info,
	Group:    lint.Portability,
	Targets:  "proxies of Alibaba and Tencent",
	Doc: lint.Doc{
		What: "a key is not literally KEYS[i]",
		Why: `Some managed proxies read the script's text, and refuse a key that is anything but
KEYS[i]: "all the keys that the script uses should be passed using the KEYS array, and
KEYS should not be in expression". A local, or KEYS[1] .. ':x', is too much for them.`,
		Bad: `return redis.call('GET', KEYS[1] .. ':count' --[[want "key-expression"]])
`,
		Good: `return redis.call('GET', KEYS[1])
`,
		Links: []string{"https://github.com/go-redis/redis_rate/issues/93"},
	},
	Run: func(p *lint.Pass) {
		eachKey(p, func(c *analysis.Call, i int, at syntax.Node, of ingredients) {
			e, ok := at.(*syntax.IndexExpr)
			if ok {
				if n, isName := e.X.(*syntax.NameExpr); isName && n.Local == nil && n.Name == "KEYS" {
					return
				}
			}
			if of&^(ofKeys|ofLiterals) == 0 && of&ofKeys != 0 {
				p.Report(at, "the key is not literally KEYS[i], which some proxies refuse")
			}
		})
	},
}
