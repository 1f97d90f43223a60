// This file implements how what the server says and what the facts say become
// one table, and where they must agree.

package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// command is one entry of the table.
type command struct {
	*fact
	args  []node
	names []string // the flags' Go names
}

func join(server []serverCommand, facts []*fact) ([]command, error) {
	byName := map[string]*fact{}
	for _, f := range facts {
		if byName[f.name] != nil {
			return nil, fmt.Errorf("facts.txt:%d: %s is there already", f.line, f.name)
		}
		byName[f.name] = f
	}
	if err := follow(facts, byName); err != nil {
		return nil, err
	}
	var out []command
	for _, s := range server {
		f := byName[s.name]
		if f == nil {
			f = &fact{name: s.name, replies: []rule{{value: "any"}}}
		}
		delete(byName, s.name)
		c, err := s.join(f)
		if err != nil {
			return nil, fmt.Errorf("facts.txt:%d: %s: %w", f.line, f.name, err)
		}
		out = append(out, c)
	}
	for _, f := range byName {
		if !f.isNew {
			return nil, fmt.Errorf("facts.txt:%d: the server has no %s, and the facts do not call it new", f.line, f.name)
		}
		args, err := parseUsage(f.usage)
		if err != nil {
			return nil, fmt.Errorf("facts.txt:%d: %s: %w", f.line, f.name, err)
		}
		out = append(out, command{fact: f, args: args, names: f.flags})
	}
	slices.SortFunc(out, func(a, b command) int { return strings.Compare(a.name, b.name) })
	return out, nil
}

// follow replaces "like NAME" by the replies of that command.
func follow(facts []*fact, byName map[string]*fact) error {
	for _, f := range facts {
		for i, r := range f.replies {
			if name, ok := strings.CutPrefix(r.value, "like "); ok {
				other := byName[name]
				if other == nil {
					return fmt.Errorf("facts.txt:%d: like %s, which is not there", f.line, name)
				}
				f.replies = append(f.replies[:i:i], other.replies...)
				break
			}
		}
		if len(f.replies) == 0 {
			f.replies = []rule{{value: "any"}}
		}
	}
	return nil
}

// join adds what the server says of a command to its facts.
func (s serverCommand) join(f *fact) (command, error) {
	c := command{fact: f}
	if f.isNew {
		return c, fmt.Errorf("the server has it, so it is not new")
	}
	f.arity = s.arity
	f.since = sinceText(s.since)
	if s.obsolete != "" && f.obsolete == (since{}) {
		f.obsolete, f.instead = sinceText(s.obsolete), s.instead
		if f.obsolete == (since{}) {
			f.obsolete = since{602, 702}
		}
	}
	for _, flag := range []string{"write", "readonly", "may_replicate", "blocking", "noscript", "denyoom"} {
		if s.flags[flag] && (flag != "noscript" || f.scripts == (since{})) {
			c.names = append(c.names, flag)
		}
	}
	if s.container {
		c.names = append(c.names, "container")
		return c, nil
	}
	if s.tips["nondeterministic_output"] {
		c.names = append(c.names, "random")
	}
	if s.tips["nondeterministic_output_order"] {
		c.names = append(c.names, "unordered")
	}
	if f.usage == "" {
		f.usage = serverUsage(s.arguments)
	}
	var err error
	if c.args, err = parseUsage(f.usage); err != nil {
		return c, err
	}
	if err := s.checkTokens(c.args); err != nil {
		return c, err
	}
	return c, s.useKeys(c.args)
}

// checkTokens tells whether the facts' grammar has all words of the server's,
// and knows since when.
func (s serverCommand) checkTokens(args []node) error {
	have := map[string]since{}
	tokens(args, since{}, have)
	var check func(list []argument, from since) error
	check = func(list []argument, from since) error {
		for _, a := range list {
			v := from
			if a.since != "" {
				v = sinceText(a.since)
			}
			if a.hasToken && a.token != "*" && a.token != "$" {
				got, ok := have[a.token]
				if !ok {
					return fmt.Errorf("the server has the word %q, and the facts have not", a.token)
				}
				if got != v && v != sinceText(s.since) {
					return fmt.Errorf("the server has the word %q since %v, and the facts say %v", a.token, v, got)
				}
			}
			if err := check(a.arguments, v); err != nil {
				return err
			}
		}
		return nil
	}
	return check(s.arguments, since{})
}

// useKeys says of every key whether it is read and written: as the facts say,
// or as the server's specification of the same key does.
func (s serverCommand) useKeys(args []node) error {
	var specs []int
	var collect func(list []argument)
	collect = func(list []argument) {
		for _, a := range list {
			if a.kind == "key" {
				specs = append(specs, a.spec)
			}
			collect(a.arguments)
		}
	}
	collect(s.arguments)
	seen := map[string]int{} // the place of a key's name among the server's keys
	var fill func(list []node) error
	fill = func(list []node) error {
		for i := range list {
			n := &list[i]
			if n.kind == "Key" && !n.read && !n.write {
				at, ok := seen[n.name]
				if !ok || len(specs) > len(seen) && strings.HasPrefix(s.name, "GEORADIUS") || s.name == "MIGRATE" {
					at = len(seen)
					seen[n.name] = at
				}
				if at >= len(specs) || specs[at] >= len(s.keys) {
					return fmt.Errorf("the server has no specification for the key %s", n.name)
				}
				for _, flag := range s.keys[specs[at]] {
					n.read = n.read || flag == "RO" || flag == "access"
					n.write = n.write || flag == "RW" || flag == "OW" || flag == "RM"
				}
			}
			if err := fill(n.sub); err != nil {
				return err
			}
		}
		return nil
	}
	return fill(args)
}

// sinceText reads the server's "7.0.0"; what Redis 6.2 has is there always.
func sinceText(text string) since {
	parts := strings.Split(text, ".")
	if len(parts) < 2 {
		return since{}
	}
	major, _ := strconv.Atoi(parts[0])
	minor, _ := strconv.Atoi(parts[1])
	if v := major*100 + minor; v > 602 {
		return since{redis: v}
	}
	return since{}
}
