// This file implements what the readings of a call agree in, and why a call
// has none.

package command

import (
	"slices"
	"strconv"
	"strings"
)

// readings is what was found in a search.
type readings struct {
	count   int
	roles   []Role
	options []Option // Maybe where only some readings have it
	rules   uint64   // the reply rules that apply, by index
	ttl     TTL
	newer   []Option // what every reading so far needs and the target lacks
	barred  []Option // what every reading so far needs and the target lets no script use
}

// add joins the walk's present state to what was found.
func (r *readings) add(m *matcher) {
	one := readings{
		count:   1,
		roles:   m.roles,
		options: m.options,
		rules:   m.replyRule(),
		ttl:     m.ttlRule(),
	}
	for _, o := range m.options {
		if !o.since.on(m.target) {
			one.newer = append(one.newer, o)
		}
	}
	one.newer = late(one.newer, m.c.combos, m.options, m.target)
	one.barred = late(nil, m.c.barred, m.options, m.target)
	r.merge(&one)
}

// merge joins other readings to r.
func (r *readings) merge(o *readings) {
	if r.count == 0 {
		*r = *o
		r.roles = slices.Clone(o.roles)
		r.options = slices.Clone(o.options)
		return
	}
	r.count += o.count
	for i := range r.roles {
		r.roles[i] = r.roles[i].join(o.roles[i])
	}
	for i := range r.options {
		if !r.options[i].in(o.options) {
			r.options[i].Maybe = true
		}
	}
	for _, option := range o.options {
		if !option.in(r.options) {
			option.Maybe = true
			r.options = append(r.options, option)
		}
	}
	r.rules |= o.rules
	if r.ttl != o.ttl {
		r.ttl = TTLUnknown
	}
	r.newer = slices.DeleteFunc(r.newer, func(n Option) bool { return !has(o.newer, n.Name) })
	r.barred = slices.DeleteFunc(r.barred, func(n Option) bool { return !has(o.barred, n.Name) })
}

// in tells whether the same option is in a list at the same place.
func (o *Option) in(options []Option) bool {
	return slices.ContainsFunc(options, func(p Option) bool { return p.Name == o.Name && p.Index == o.Index })
}

func has(options []Option, name string) bool {
	for i := range options {
		if options[i].Name == name {
			return true
		}
	}
	return false
}

// match is the Match that the readings make.
func (r *readings) match(c *Command, t Target) Match {
	res := Match{Args: r.roles, Options: r.options, TTL: r.ttl, Newer: r.newer, Barred: r.barred}
	for _, list := range [][]Option{res.Newer, res.Barred} {
		for i := range list {
			if first := list[i].since.target(t.Server); first.version != never {
				list[i].Target = first
			}
		}
	}
	if len(c.reads) > 0 && !slices.ContainsFunc(c.reads, func(name string) bool { return has(r.options, name) }) {
		for i := range res.Args {
			res.Args[i].Use &^= Read
		}
	}
	for i := range c.replies {
		if r.rules&(1<<i) != 0 {
			res.Reply.resp2 = appendShape(res.Reply.resp2, c.replies[i].resp2)
			res.Reply.resp3 = appendShape(res.Reply.resp3, c.replies[i].resp3)
		}
	}
	return res
}

// appendShape adds a shape to those that do not say it already.
func appendShape(list []*Shape, s *Shape) []*Shape {
	if slices.ContainsFunc(list, func(have *Shape) bool { return have.covers(s) }) {
		return list
	}
	list = slices.DeleteFunc(list, s.covers)
	return append(list, s)
}

// covers tells whether all that o allows is allowed by s, as far as that is
// plain to see.
func (s *Shape) covers(o *Shape) bool {
	if s == o {
		return true
	}
	return s.Kind == o.Kind && s.Unit == o.Unit && s.Holds == o.Holds && (s.Nil || !o.Nil) &&
		s.Min <= o.Min && o.Max <= s.Max && slices.Equal(s.Words, o.Words) && slices.Equal(s.Elems, o.Elems)
}

// replyRule returns a set with the first rule that applies.
func (m *matcher) replyRule() uint64 {
	for i := range m.c.replies {
		if m.holds(&m.c.replies[i].when) {
			return 1 << i
		}
	}
	return 0
}

func (m *matcher) ttlRule() TTL {
	for i := range m.c.ttl {
		if m.holds(&m.c.ttl[i].when) {
			return m.c.ttl[i].ttl
		}
	}
	return TTLKeeps
}

// holds tells whether a condition is true of the present reading.
func (m *matcher) holds(c *condition) bool {
	if c.one && m.times != 1 || !c.from.on(m.target) || c.zero != "" && !m.mayBeZero(c.zero) {
		return false
	}
	for _, names := range c.all {
		if !slices.ContainsFunc(names, func(name string) bool { return has(m.options, name) }) {
			return false
		}
	}
	return !slices.ContainsFunc(c.none, func(name string) bool { return has(m.options, name) })
}

// mayBeZero tells whether an option is there whose value is no literal above
// zero.
func (m *matcher) mayBeZero(option string) bool {
	for _, o := range m.options {
		if o.Name == option && o.Index+1 < len(m.args) {
			n, err := strconv.Atoi(m.args[o.Index+1].Text)
			return err != nil || n <= 0
		}
	}
	return false
}

// late appends the last option of each combination that the call has and the
// target does not take yet.
func late(newer []Option, combos []combo, options []Option, t Target) []Option {
	for i := range combos {
		combo := &combos[i]
		if combo.since.on(t) {
			continue
		}
		last := -1
		for _, name := range combo.options {
			j := slices.IndexFunc(options, func(o Option) bool { return o.Name == name })
			if j < 0 {
				last = -1
				break
			}
			last = max(last, j)
		}
		if last >= 0 {
			o := options[last]
			o.since = combo.since
			newer = append(newer, o)
		}
	}
	return newer
}

// optionsFrom counts the option words at and behind an argument.
func (m *matcher) optionsFrom(index int) int {
	n := 0
	for _, o := range m.found.options {
		if o.Index >= index && m.found.roles[o.Index].Kind == Token {
			n++
		}
	}
	return n
}

// refused is the Match of a call that has no reading.
func (m *matcher) refused() Match {
	res := Match{Args: m.prefix(), TTL: TTLUnknown}
	p := &Problem{Index: m.far, Want: m.want}
	slices.Sort(p.Want)
	switch {
	case m.far >= len(m.args) && m.inside && len(m.args) >= m.c.least():
		p.Kind = Incomplete
	case m.far >= len(m.args):
		p.Kind, p.Index = TooFew, len(m.args)
	case m.args[m.far].Kind == Literal && len(m.want) > 0:
		p.Kind = Unexpected
	default:
		p.Kind = TooMany
	}
	res.Problem = p
	return res
}

// prefix is the roles of a refused call as far as it was understood: those of
// the longest part from its start that can be read with what is missing behind
// it.
func (m *matcher) prefix() []Role {
	roles := make([]Role, len(m.args))
	steps := 0
	for n := min(m.far, len(m.args)); n > 0; n-- {
		args := slices.Clone(m.args[:n])
		for range longestRest {
			try := matcher{c: m.c, target: m.target, args: args}
			try.run()
			if try.found.count > 0 {
				copy(roles, try.found.roles[:n])
				return roles
			}
			if steps += try.steps; steps > maxSteps {
				return roles
			}
			args = append(args, Arg{Kind: Value})
		}
	}
	return roles
}

// least is how many arguments the command takes at least, its name not counted.
func (c *Command) least() int {
	least := int(max(c.arity, -c.arity)) - 1
	if strings.IndexByte(c.Name, ' ') >= 0 {
		least--
	}
	return least
}
