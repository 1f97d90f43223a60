// This file implements the search for the readings of a call: a backtracking
// walk through the grammar that prefers values to options where an argument is
// unknown, and has a bound on its steps.

package command

import (
	"slices"
	"strconv"
)

// The bound on the work for one call; with more, nothing is claimed.
const (
	maxSteps       = 20000
	maxStepsPerArg = 32
)

// The costs of what a reading has to assume. Of several readings the cheapest
// count.
const (
	costOption = 1 // an unknown argument is an option word
	costWord   = 1 // a word of the grammar is taken as a value
	costNewer  = 4 // an unknown argument is a word that the target has not
	costMisfit = 8 // a literal is not the number that is expected
	costAny    = 1 << 30
)

// matcher walks the grammar of one command along one call.
type matcher struct {
	c      *Command
	target Target
	args   []Arg

	// The state of the walk; what a step changes it restores.
	roles   []Role
	options []Option
	cost    int
	option  string // the word whose values come
	from    since  // of the innermost node that has one
	count   int    // what a literal NumKeys said; 0 when unknown or used up
	group   int    // repetition, from 0
	repeats bool   // inside of a group that may be repeated
	byPlace bool   // inside of an optional part without a word of its own
	times   int    // repetitions of the last mandatory group

	limit int
	steps int
	found readings

	// For problems: the furthest argument that did not fit, what could have
	// stood there, and whether it lay inside of a repetition.
	far    int
	want   []string
	inside bool
}

// run looks for the cheapest readings.
func (m *matcher) run() {
	m.roles = make([]Role, len(m.args))
	m.far = -1
	if m.plain() {
		return
	}
	for m.limit = 0; ; {
		m.seq(m.c.args, 0, m.accept)
		switch {
		case m.found.count > 0 || m.tired() || m.limit == costAny:
			return
		case m.limit < 4:
			m.limit++
		case m.limit < 32:
			m.limit *= 2
		default:
			m.limit = costAny
		}
	}
}

// plain reads a call of a command that takes only values, one for each place,
// as most do. It tells whether that is all that there is to it.
func (m *matcher) plain() bool {
	if len(m.args) != len(m.c.args) {
		return false
	}
	for i := range m.c.args {
		n, a := &m.c.args[i], &m.args[i]
		if n.kind <= Token || n.kind == NumKeys || n.opt || n.many || a.Kind == Literal && !n.kind.Accepts(a.Text) {
			return false
		}
		m.roles[i] = Role{Kind: n.kind, Unit: n.unit, Name: n.name, Use: n.use}
	}
	m.accept(len(m.args))
	return true
}

// tired tells that the work is too much.
func (m *matcher) tired() bool { return m.steps > maxSteps+maxStepsPerArg*len(m.args) }

func (m *matcher) accept(pos int) {
	if pos < len(m.args) {
		m.fail(pos, "")
		return
	}
	m.far = len(m.args)
	m.found.add(m)
}

// fail notes that the walk cannot go on at pos, where want could have stood.
func (m *matcher) fail(pos int, want string) {
	if pos < m.far || m.limit > 0 && pos == m.far && want == "" {
		return
	}
	if pos > m.far {
		m.far, m.want, m.inside = pos, nil, false
	}
	if want != "" && !slices.Contains(m.want, want) {
		m.want = append(m.want, want)
	}
}

// missing notes that the call ends where n would have to stand.
func (m *matcher) missing(n *node, pos int) {
	m.fail(pos, n.name)
	m.inside = m.inside || m.repeats && m.far == pos
}

// seq walks a sequence of nodes and calls next behind it.
func (m *matcher) seq(nodes []node, pos int, next func(int)) {
	if m.steps++; m.tired() {
		return
	}
	if len(nodes) == 0 {
		next(pos)
		return
	}
	n, rest := &nodes[0], nodes[1:]
	after := next
	if len(rest) > 0 {
		after = func(pos int) { m.seq(rest, pos, next) }
	}
	switch {
	case n.half:
		m.halves(n, pos, after)
	case n.opt && n.startsWithToken():
		j := 1
		for j < len(nodes) && nodes[j].opt && nodes[j].startsWithToken() {
			j++
		}
		run := nodes[:j]
		m.anyOrder(run, 0, pos, func(pos int) { m.seq(nodes[j:], pos, next) })
	case n.opt:
		was := m.byPlace
		m.byPlace = true
		m.item(n, pos, func(pos int) {
			m.byPlace = was
			after(pos)
			m.byPlace = true
		})
		m.byPlace = was
		after(pos)
	case n.kind == Token:
		m.item(n, pos, func(pos int) {
			was := m.option
			m.option = n.name
			after(pos)
			m.option = was
		})
	default:
		m.item(n, pos, after)
	}
}

// anyOrder walks neighbouring options, which servers take in any order; used has a
// bit for each that was seen.
func (m *matcher) anyOrder(run []node, used uint32, pos int, next func(int)) {
	if m.steps++; m.tired() {
		return
	}
	literal := pos < len(m.args) && m.args[pos].Kind == Literal
	leave := func() {
		for i := range run {
			if run[i].must && used&(1<<i) == 0 {
				m.wantFirst(&run[i], pos)
				return
			}
		}
		next(pos)
	}
	if !literal {
		leave()
	}
	taken := false
	for i := range run {
		n, mask := &run[i], used|1<<i
		switch {
		case literal && !n.begins(m.args[pos].Text):
			if used&(1<<i) == 0 {
				m.wantFirst(n, pos)
			}
			continue
		case used&(1<<i) != 0 && !(literal && m.hasOption(m.args[pos].Text)):
			continue // the other choice was taken: NX, and now XX
		case n.many:
			mask = used
		}
		taken = true
		m.one(n, pos, func(pos int) { m.anyOrder(run, mask, pos, next) })
	}
	if literal && !taken {
		leave()
	}
}

func (m *matcher) hasOption(word string) bool {
	return slices.ContainsFunc(m.options, func(o Option) bool { return equalFold(o.Name, word) })
}

// begins tells whether an optional node that starts with a token can start
// with this word.
func (n *node) begins(word string) bool {
	if n.kind == Token {
		return equalFold(n.name, word)
	}
	for i := range n.sub {
		s := &n.sub[i]
		if s.begins(word) {
			return true
		}
		if !n.alt && !s.opt {
			return false
		}
	}
	return false
}

func (m *matcher) wantFirst(n *node, pos int) {
	if !n.from.on(m.target) {
		return
	}
	if n.kind == Token {
		m.fail(pos, n.name)
		return
	}
	for i := range n.sub {
		m.wantFirst(&n.sub[i], pos)
		if !n.alt && !n.sub[i].opt {
			return
		}
	}
}

// item walks a node with its repetitions.
func (m *matcher) item(n *node, pos int, next func(int)) {
	if !n.many {
		m.one(n, pos, next)
		return
	}
	count, group, repeats := m.count, m.group, m.repeats
	if n.same {
		count = m.times
	}
	m.count, m.repeats = 0, true
	m.again(n, count, 0, pos, func(pos int) {
		g := m.group
		m.count, m.group, m.repeats = 0, group, repeats
		next(pos)
		m.count, m.group, m.repeats = 0, g, true
	})
	m.count, m.group, m.repeats = count, group, repeats
}

// again walks repetition g and those behind it; exactly count of them, when
// that is known.
func (m *matcher) again(n *node, count, g, pos int, next func(int)) {
	if g > 0 && count <= g {
		if count == g {
			m.stop(n, g, pos, next)
			return
		}
		if pos >= len(m.args) {
			m.stop(n, g, pos, next)
			return
		}
	}
	m.group = g
	before := pos
	m.one(n, pos, func(pos int) {
		if pos > before {
			m.again(n, count, g+1, pos, next)
			m.group = g
		}
	})
	if g > 0 && count == 0 {
		m.group = g - 1
		m.stop(n, g, pos, next)
	}
}

func (m *matcher) stop(n *node, g, pos int, next func(int)) {
	times := m.times
	if !n.opt && !n.same {
		m.times = g
	}
	next(pos)
	m.times = times
}

// one walks a node once.
func (m *matcher) one(n *node, pos int, next func(int)) {
	if m.steps++; m.tired() {
		return
	}
	if n.from != (since{}) {
		was := m.from
		m.from = n.from
		inner := next
		next = func(pos int) {
			m.from = was
			inner(pos)
			m.from = n.from
		}
		defer func() { m.from = was }()
	}
	switch {
	case n.kind == Token:
		m.token(n, pos, next)
	case n.kind != Unknown:
		m.value(n, pos, next)
	case n.alt:
		for i := range n.sub {
			m.item(&n.sub[i], pos, next)
		}
	default:
		was := m.option
		m.seq(n.sub, pos, func(pos int) {
			inner := m.option
			m.option = was
			next(pos)
			m.option = inner
		})
		m.option = was
	}
}

// pay calls next when the reading may still cost that much.
func (m *matcher) pay(cost, pos int, next func(int)) {
	if m.cost+cost > m.limit {
		return
	}
	m.cost += cost
	next(pos)
	m.cost -= cost
}

func (m *matcher) token(n *node, pos int, next func(int)) {
	if pos >= len(m.args) {
		if m.from.on(m.target) {
			m.missing(n, pos)
		}
		return
	}
	cost := 0
	switch a := m.args[pos]; a.Kind {
	case Literal:
		if !equalFold(a.Text, n.name) {
			if m.from.on(m.target) {
				m.fail(pos, n.name)
			}
			return
		}
	case Value:
		cost = costOption
		if !m.from.on(m.target) {
			cost = costNewer
		}
	default:
		return
	}
	m.options = append(m.options, Option{Name: n.name, Index: pos, since: m.from})
	m.roles[pos] = Role{Kind: Token, Name: n.name}
	m.pay(cost, pos+1, next)
	m.options = m.options[:len(m.options)-1]
}

func (m *matcher) value(n *node, pos int, next func(int)) {
	if pos >= len(m.args) {
		m.missing(n, pos)
		return
	}
	cost, count := 0, m.count
	if a := m.args[pos]; a.Kind == Literal {
		if !n.kind.Accepts(a.Text) {
			cost = costMisfit
		} else if m.c.hasWord(a.Text) {
			cost = costWord
		}
		if n.kind == NumKeys {
			m.count, _ = strconv.Atoi(a.Text)
			m.count = max(m.count, 0)
		}
	}
	if m.byPlace && m.option == "" {
		m.options = append(m.options, Option{Name: n.name, Index: pos, since: m.from})
		defer func() { m.options = m.options[:len(m.options)-1] }()
	}
	r := Role{Kind: n.kind, Unit: n.unit, Name: n.name, Use: n.use, Option: m.option, Repeats: m.repeats}
	if m.repeats {
		r.Group = m.group
	}
	m.roles[pos] = r
	m.pay(cost, pos+1, next)
	m.count = count
}

// halves walks two lists of the same length, which are the rest of the call:
// the keys and the IDs of XREAD.
func (m *matcher) halves(n *node, pos int, next func(int)) {
	left := len(m.args) - pos
	if left == 0 || left%2 != 0 {
		m.fail(len(m.args), n.sub[min(left, 1)].name)
		m.inside = left > 0
		return
	}
	group, repeats := m.group, m.repeats
	m.repeats = true
	m.half(n, pos, left/2, 0, func(pos int) {
		m.group, m.repeats = group, repeats
		next(pos)
		m.repeats = true
	})
	m.group, m.repeats = group, repeats
}

func (m *matcher) half(n *node, pos, each, i int, next func(int)) {
	if i == 2*each {
		next(pos)
		return
	}
	m.group = i % each
	m.value(&n.sub[i/each], pos, func(pos int) { m.half(n, pos, each, i+1, next) })
}

// hasWord tells whether a word is part of the command's grammar.
func (c *Command) hasWord(word string) bool { return anyWord(c.args, word) }

func anyWord(nodes []node, word string) bool {
	for i := range nodes {
		n := &nodes[i]
		if n.kind == Token && equalFold(n.name, word) || anyWord(n.sub, word) {
			return true
		}
	}
	return false
}
