package rules

import (
	"regexp"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements lock-del-without-owner-check.

var lockDelWithoutOwnerCheck = &lint.Rule{
	Name:     "lock-del-without-owner-check",
	Severity: diag.Warning,
	Group:    lint.Atomicity,
	Doc: lint.Doc{
		What: "a lock is deleted without a look at who holds it",
		Why: `Between taking a lock and releasing it the lease may end, and somebody else may hold
the lock. A release that just deletes the key then frees the lock of another. Compare
the value with the owner's token first, in the same script.`,
		Bad: `-- Releases the lock.
return redis.call('DEL', KEYS[1]) --[[want "lock-del-without-owner-check"]]
`,
		Good: `-- Releases the lock.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
`,
		Links: []string{"https://redis.io/docs/latest/develop/use/patterns/distributed-locks/"},
	},
	Run: func(p *lint.Pass) { ownerless(p, "releases", "DEL", "UNLINK") },
}

var lockExtendWithoutOwnerCheck = &lint.Rule{
	Name:     "lock-extend-without-owner-check",
	Severity: diag.Warning,
	Group:    lint.Atomicity,
	Doc: lint.Doc{
		What: "a lock is extended without a look at who holds it",
		Why: `When the lease has ended and somebody else holds the lock, a script that just sets a
new time to live extends the lock of another, and its own owner goes on as if it held
it. Compare the value with the owner's token first, in the same script.`,
		Bad: `-- Extends the lock.
return redis.call('PEXPIRE', KEYS[1], ARGV[1]) --[[want "lock-extend-without-owner-check"]]
`,
		Good: `-- Extends the lock.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
`,
	},
	Run: func(p *lint.Pass) { ownerless(p, "extends", "PEXPIRE", "EXPIRE") },
}

var lockWord = regexp.MustCompile(`(?i)\b(un)?(lock|mutex|lease)s?\b|(^|[_/])(un)?(lock|mutex|lease)`)

// ownerless reports a script about a lock whose only commands are those that
// do away with it or extend it.
func ownerless(p *lint.Pass, does string, names ...string) {
	if len(p.Calls) == 0 || p.Script == nil {
		return
	}
	for _, c := range p.Calls {
		if c.Name != names[0] && c.Name != names[1] || len(c.Args) < 2 || c.Node == nil {
			return
		}
	}
	if !aboutLock(p) {
		return
	}
	for _, c := range p.Calls {
		if slots, exact := c.Args[1].Slots(); exact && slots[0] == (analysis.Slot{Index: 1}) {
			p.Report(c.Node, "this %s the lock of whoever holds it", does).Help("compare the value with the owner's token first: if redis.call('GET', KEYS[1]) == ARGV[1] then")
			return
		}
	}
}

// aboutLock tells whether a script's name, documentation or first key speaks
// of a lock.
func aboutLock(p *lint.Pass) bool {
	text := p.File.Name + "\n" + p.Script.Doc
	if len(p.Script.Keys) > 0 {
		text += "\n" + p.Script.Keys[0].Name + "\n" + p.Script.Keys[0].Doc
	}
	return lockWord.MatchString(text)
}
