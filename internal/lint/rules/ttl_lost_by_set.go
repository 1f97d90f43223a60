package rules

import (
	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements ttl-lost-by-set.

var ttlLostBySet = &lint.Rule{
	Name:     "ttl-lost-by-set",
	Severity: diag.Warning,
	Group:    lint.Atomicity,
	Doc: lint.Doc{
		What: "SET takes away a time to live that the script set before",
		Why: `SET makes a key that does not expire, whatever time to live it had. Set the time
after the value, in the same SET with EX or PX, or keep it with KEEPTTL.`,
		Bad: `redis.call('EXPIRE', KEYS[1], 60)
redis.call('SET', KEYS[1], ARGV[1]) --[[want "ttl-lost-by-set"]]
return 1
`,
		Good: `redis.call('SET', KEYS[1], ARGV[1], 'EX', 60)
return 1
`,
	},
	Run: func(p *lint.Pass) {
		for i, c := range p.Calls {
			key := p.KeyOf(c)
			if c.Match == nil || c.Match.TTL != command.TTLSets || key == "" || c.Inner == nil {
				continue
			}
			for j, s := range p.Calls[i+1:] {
				if s.Match == nil || s.Inner == nil || p.KeyOf(s) != key {
					continue
				}
				if s.Match.TTL != command.TTLClears || s.Name != "SET" && s.Name != "GETSET" || !follows(p, c.Inner, s.Inner) {
					break
				}
				later := false
				for _, e := range p.Calls[i+1+j+1:] {
					later = later || e.Match != nil && e.Match.TTL == command.TTLSets
				}
				if !later {
					p.Report(s.Node, "%s takes away the time to live that %s set", s.Name, c.Name).
						Help("set it in the same call, or keep it with KEEPTTL").Note(c.Node, "it is set here")
				}
				break
			}
		}
	},
}

// follows tells whether what runs a has run before b: a's block holds b.
func follows(p *lint.Pass, a, b syntax.Node) bool {
	for n := p.Parent(a); n != nil; n = p.Parent(n) {
		switch n := n.(type) {
		case *syntax.Block:
			return lint.Within(b, n)
		case *syntax.BinaryExpr:
			if (n.Op == syntax.OpAnd || n.Op == syntax.OpOr) && lint.Within(a, n.Y) {
				return false
			}
		}
	}
	return true
}
