package rules

import (
	"regexp"
	"strings"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/source"
)

// This file implements multi-slot-risk.

var multiSlotRisk = &lint.Rule{
	Name:     "multi-slot-risk",
	Severity: diag.Warning,
	Group:    lint.Cluster,
	Targets:  "clusters",
	Doc: lint.Doc{
		What: "several keys, and nothing says that they share a hash slot",
		Why: `In a cluster all KEYS of a call must be in one hash slot, or the call is refused with
CROSSSLOT. Keys share a slot when they have the same text in braces: {user:1}:cart,
{user:1}:total. Say so in the script's comment.`,
		Bad: `-- Moves an item from one list to another.
return redis.call('LMOVE', KEYS[1] --[[want "multi-slot-risk"]], KEYS[2], 'LEFT', 'RIGHT')
`,
		Good: `-- Moves an item from one list to another, in the same hash slot.
return redis.call('LMOVE', KEYS[1], KEYS[2], 'LEFT', 'RIGHT')
`,
	},
	Run: func(p *lint.Pass) {
		if p.Script == nil || len(p.Script.Keys) < 2 && !(len(p.Script.Keys) == 1 && p.Script.Keys[0].Variadic) {
			return
		}
		for _, c := range p.Chunk.Comments {
			if sameSlot.MatchString(c.Text) {
				return
			}
		}
		at := source.Span{}
		for _, e := range p.Indexes {
			if strings.HasPrefix(p.Source(e), "KEYS[") {
				at = e.Pos
				break
			}
		}
		p.ReportSpan(at, "the script has several keys, and nothing says that they share a hash slot").
			Help("say in its comment that they do, or give the keys a {tag} in common")
	},
}

var sameSlot = regexp.MustCompile(`(?i)hash[- ]?(slot|tag)|same slot|\{[^{}\s]+\}`)
