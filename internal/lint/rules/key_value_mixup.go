package rules

import (
	"fmt"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements key-value-mixup.

var keyValueMixup = &lint.Rule{
	Name:     "key-value-mixup",
	Severity: diag.Warning,
	Group:    lint.Keys,
	Doc: lint.Doc{
		What: "a slot of KEYS is never a key, or one of ARGV is only a key",
		Why: `KEYS is for the names of keys: a cluster routes by them, and refuses the script when
they are on different nodes. A field or a value belongs in ARGV, and a key in KEYS.`,
		Bad: `return redis.call('HGET', KEYS[1], KEYS[2] --[[want "key-value-mixup"]])
`,
		Good: `return redis.call('HGET', KEYS[1], ARGV[1])
`,
	},
	Run: func(p *lint.Pass) {
		uses := map[analysis.Slot]*slotUse{}
		for _, c := range p.Calls {
			for i := c.Used; i < len(c.Args); i++ {
				slots, exact := c.Args[i].Slots()
				if !exact || len(slots) != 1 || slots[0].Index == 0 {
					continue
				}
				u := uses[slots[0]]
				if u == nil {
					u = &slotUse{at: lint.Place(c, i), command: c}
					uses[slots[0]] = u
				}
				if c.Name == "PUBLISH" || c.Name == "SPUBLISH" {
					u.unknown = true // a channel may well stand among the keys
				}
				switch lint.Role(c, i).Kind {
				case command.Key:
					u.key = true
				case command.Unknown:
					u.unknown = true
				default:
					u.value = true
				}
			}
		}
		elsewhere := usedElsewhere(p)
		for slot, u := range uses {
			if u.unknown || u.at == nil || elsewhere[slot] {
				continue
			}
			switch {
			case !slot.Argv && u.value && !u.key:
				p.Report(u.at, "%s is no key of %s, and of no other command", slotName(slot), u.command.Command.Name).Help("pass it in ARGV")
			case slot.Argv && u.key && !u.value:
				p.Report(u.at, "%s is only ever a key", slotName(slot)).Help("pass it in KEYS")
			}
		}
	},
}

type slotUse struct {
	at                  syntax.Node
	command             *analysis.Call
	key, value, unknown bool
}

// usedElsewhere returns the slots that go anywhere but into a variable or into a
// command.
func usedElsewhere(p *lint.Pass) map[analysis.Slot]bool {
	set := map[analysis.Slot]bool{}
	check := func(e syntax.Expr) {
		slots, _ := p.Value(e).Slots()
		if len(slots) == 0 {
			return
		}
		switch n := p.Parent(e).(type) {
		case *syntax.LocalStmt:
			return
		case *syntax.CallExpr:
			if f := p.Builtin(n); f == "redis.call" || f == "redis.pcall" {
				return
			}
		}
		for _, s := range slots {
			set[s] = true
		}
	}
	for _, e := range p.Indexes {
		check(e)
	}
	for _, e := range p.Names {
		check(e)
	}
	return set
}

func slotName(s analysis.Slot) string {
	if s.Argv {
		return fmt.Sprintf("ARGV[%d]", s.Index)
	}
	return fmt.Sprintf("KEYS[%d]", s.Index)
}
