package gogen

// This file implements what the doc comment of a wrapper says: the script's
// own documentation, then its keys, arguments, errors and what a caller may
// rely on.

import (
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/types"
)

// doc returns the doc comment of a script's method.
func (u *unit) doc() *jen.Statement {
	s := u.script
	var c comment
	if text, ok := u.ownDoc(); ok {
		c.text(text)
	} else {
		c.line(s.Name + " runs " + cleanLine(u.script.File) + ".")
		c.gap()
		c.text(s.Doc)
	}
	u.describeSlots(&c)
	u.describeReply(&c)
	u.describeErrors(&c)
	u.describeEffects(&c)
	return c.code()
}

// ownDoc returns the script's documentation if it can begin with the script's
// name, as Go's does: it has it already, or begins with what the script does.
// The name is written as Go has it.
func (u *unit) ownDoc() (string, bool) {
	doc := strings.TrimSpace(u.script.Doc)
	first, rest, _ := strings.Cut(doc, " ")
	switch {
	case rest == "":
	case script.Exported(first) == u.script.Name:
		return u.script.Name + " " + rest, true
	case isVerb(first, rest):
		return u.script.Name + " " + strings.ToLower(first) + " " + rest, true
	}
	return "", false
}

// verbs are what scripts are said to do.
var verbs = strings.Fields(`acquires adds allocates appends applies asks cancels checks claims clears compares completes
	computes consumes copies counts creates decrements deletes dequeues drops empties enqueues extends fetches finds frees
	gets gives hands increments inserts keeps leaves lets lists loads locks makes marks merges moves picks pops promotes
	pushes puts reads records refreshes registers releases removes renames renews replaces reserves retries returns runs
	saves schedules sells sends sets splits stores sums swaps takes tells trims tries unlocks updates writes`)

// isVerb reports whether a text that begins with the word, such as "Frees
// pieces" or "Walks the list", says what a script does.
func isVerb(word, rest string) bool {
	if word[0] < 'A' || word[0] > 'Z' || strings.Trim(word[1:], "abcdefghijklmnopqrstuvwxyz") != "" || !strings.HasSuffix(word, "s") {
		return false
	}
	if slices.Contains(verbs, strings.ToLower(word)) {
		return true
	}
	next, _, _ := strings.Cut(rest, " ")
	return slices.Contains([]string{"a", "an", "the", "all", "any", "each", "every", "its", "no", "one", "some", "how", "what", "whether", "which"}, next)
}

func (u *unit) describeSlots(c *comment) {
	if len(u.keys)+len(u.args) == 0 {
		return
	}
	c.gap()
	if u.params != "" {
		c.line("Its keys and arguments are the fields of [" + u.params + "].")
		return
	}
	switch {
	case len(u.args) == 0:
		c.line("Its keys:")
	case len(u.keys) == 0:
		c.line("Its arguments:")
	default:
		c.line("Its keys and arguments:")
	}
	for _, s := range u.slots() {
		c.item(s.place + " " + s.name + s.traits() + s.about())
	}
}

// about returns the slot's documentation behind a colon, if it says more than
// the name.
func (s *slot) about() string {
	if script.Param(s.doc) == s.name {
		return ""
	}
	return colon(s.doc)
}

// traits returns what the Go type of a slot does not tell.
func (s *slot) traits() string {
	var traits string
	if s.value != nil {
		switch t := s.value.typ.(type) {
		case *types.Duration:
			traits = ", in " + unitName(t.Unit)
		case *types.Time:
			traits = ", in Unix " + unitName(t.Unit)
		}
	}
	if s.parallel {
		traits += ", one for each key"
	}
	if s.optional {
		traits += ", may be nil"
	}
	return traits
}

func unitName(u types.Unit) string {
	switch u {
	case types.Seconds:
		return "seconds"
	case types.Milliseconds:
		return "milliseconds"
	}
	return "microseconds"
}

func (u *unit) describeReply(c *comment) {
	r := u.reply
	if doc := strings.TrimSpace(u.script.Reply.Doc); cleanLine(doc) != "" && u.replyName == "" {
		c.gap()
		if strings.Contains(doc, "\n") {
			c.line("The reply:")
			for line := range strings.Lines(doc) {
				c.item(line)
			}
		} else {
			c.line("The reply: " + doc)
		}
	}
	if r.optional {
		c.gap()
		switch {
		case r.value == nil:
			c.line("It reports whether the script replied with a status.")
		case u.resultsNamed():
			c.line("There may be no reply, and ok is false then.")
		default:
			c.line("There may be no reply, and the bool is false then.")
		}
	}
}

func (u *unit) describeErrors(c *comment) {
	first := true
	for _, e := range u.script.Errors {
		if !e.Tag {
			continue
		}
		if first {
			c.gap()
			c.line("The script's own errors:")
			first = false
		}
		c.item("[" + u.plan.errorName(e.Code) + "]" + colon(e.Doc))
	}
}

func (u *unit) describeEffects(c *comment) {
	switch s := u.script; {
	case s.Readonly:
		c.gap()
		c.line("It only reads, so a replica may run it, and it may be sent again.")
	case s.Idempotent:
		c.gap()
		c.line("It is idempotent: running it twice is as good as once, so it may be sent again.")
	}
}
