// This file implements what a caller sees of matching: the arguments of a call
// against the grammar of its command.

package command

import "slices"

// ArgKind says how much is known of an argument.
type ArgKind uint8

// The kinds of knowledge.
const (
	Literal ArgKind = iota // its text is known
	Value                  // one argument of unknown text
	Number                 // one argument whose text is some number, so no option
	Rest                   // any number of arguments, also none; only as the last
)

// Arg is one argument of a call, as far as it is known.
type Arg struct {
	Kind ArgKind
	Text string // of a Literal
}

// Match is what the grammar of a command tells of one call.
//
// Where arguments are unknown there may be several readings. An unknown
// argument is read as a value wherever that is possible, and as an option word
// only where the number of arguments demands it: in ZADD KEYS[1] a b the last
// two are a score and a member. Of the remaining readings the Match tells what
// they agree in.
type Match struct {
	// Args has a role for every argument, also where Problem is set (as far as
	// the call was understood). That of a Rest is the role of its first
	// element; Tail tells of all.
	Args []Role

	// Options are the option words that are present, and the names of optional
	// arguments by position ("count"), in the order of the call.
	Options []Option

	// Problem says why the server is certain to refuse the call; nil when it
	// need not.
	Problem *Problem

	// Newer are the options that the target has not yet.
	Newer []Option

	// Barred are the options that the target does not let a script use.
	Barred []Option

	Reply Reply
	TTL   TTL

	tail   []Role
	period int
}

// Option is an option of a call.
type Option struct {
	Name   string // upper case for a word, else the name of a value
	Index  int    // of its argument
	Maybe  bool   // only some readings have it
	Target Target // in Match.Newer and Match.Barred: the first release of the server that takes it; the zero Target for none
	since  since
}

// ProblemKind is the sort of a Problem.
type ProblemKind uint8

// The sorts of problems.
const (
	TooFew     ProblemKind = iota // more arguments are needed
	TooMany                       // the argument at Index is one too many
	Incomplete                    // the last repetition of a group lacks values: a field without a value
	Unexpected                    // the literal at Index is none of Want
)

// Problem is why no reading of a call exists. A server may fail to see it where
// the key is missing: the SCAN family, BITCOUNT, BITPOS and the GEORADIUS family look at
// their options later.
type Problem struct {
	Kind  ProblemKind
	Index int      // the first argument that is at fault; len(args) when some are missing
	Want  []string // the words, or the names of the values, that could stand there, sorted
}

// Has tells whether an option is present for certain.
func (m *Match) Has(name string) bool {
	return slices.ContainsFunc(m.Options, func(o Option) bool { return o.Name == name && !o.Maybe })
}

// Tail returns the role of element i, from 0, of the call's Rest.
func (m *Match) Tail(i int) Role {
	switch {
	case len(m.tail) == 0:
		return Role{}
	case i < len(m.tail):
		return m.tail[i]
	case m.period == 0:
		return Role{}
	}
	last := len(m.tail) - m.period
	role := m.tail[last+(i-last)%m.period]
	role.Group += (i - last) / m.period
	return role
}

// Period is after how many elements of the call's Rest the roles repeat: 1 for
// members, 2 for fields and values, 0 where they do not.
func (m *Match) Period() int { return m.period }

// longestRest is how many elements of an unknown rest are tried: no command
// needs more for its shortest form.
const longestRest = 8

// Match reads the arguments of a call, those behind the command's name, as the
// target's server would. A container has no grammar: its roles are unknown.
func (c *Command) Match(args []Arg, t Target) Match {
	if c.flags&container != 0 {
		return nothing(len(args))
	}
	if n := len(args); n > 0 && args[n-1].Kind == Rest {
		return c.matchRest(args[:n-1], t)
	}
	m := matcher{c: c, target: t, args: args}
	m.run()
	switch {
	case len(args) < c.least():
		res := m.refused()
		res.Problem.Kind = TooFew
		return res
	case m.tired():
		return nothing(len(args))
	case m.found.count > 0:
		return m.found.match(c, t)
	}
	return m.refused()
}

// nothing is the Match of a call of which nothing is known.
func nothing(args int) Match {
	return Match{Args: make([]Role, args), TTL: TTLUnknown}
}

// matchRest tries every length of the rest and joins what the readings say.
// Where values may repeat without end, only lengths that leave nothing but
// plain values count: nobody hides options in a list of members.
func (c *Command) matchRest(fixed []Arg, t Target) Match {
	args := slices.Clone(fixed)
	var plain, all readings
	var tail []Role
	var period int
	cost := costAny
	stuck, lengths := true, 0
	for n := 0; n <= longestRest && lengths < 2; n++ {
		m := matcher{c: c, target: t, args: args}
		m.run()
		if m.tired() {
			return nothing(len(fixed) + 1)
		}
		stuck = stuck && m.far < len(fixed)
		if m.found.count > 0 && (m.limit < costNewer || all.count == 0) {
			roles, options := m.found.roles, m.optionsFrom(len(fixed))
			m.found.roles = roles[:len(fixed):len(fixed)]
			all.merge(&m.found)
			if options == 0 && m.limit <= cost {
				cost = m.limit
				plain.merge(&m.found)
				if n > 0 {
					tail, period = extend(tail, roles[len(fixed):])
					lengths++
				}
			}
		}
		if all.count > 0 && period == 0 && n > len(tail)+2 {
			break // only options can follow, and longer ones add nothing but combinations
		}
		args = append(args, Arg{Kind: Value})
	}
	if stuck {
		m := matcher{c: c, target: t, args: fixed}
		m.run()
		res := m.refused()
		res.Args = append(res.Args, Role{})
		return res
	}
	use := &all
	if period > 0 {
		use = &plain
	}
	if use.count == 0 {
		return nothing(len(fixed) + 1)
	}
	res := use.match(c, t)
	res.tail, res.period = tail, period
	res.Args = append(res.Args, res.Tail(0))
	return res
}

// extend compares the roles of a rest with those of a longer one. When the
// longer one goes on as the shorter one ends, the period is by how much; else
// only what both begin with is known.
func extend(short, long []Role) (tail []Role, period int) {
	if short == nil {
		if n := len(long); n == 0 || !long[n-1].Repeats {
			return long, 0
		}
		return long, len(long)
	}
	for i := range short {
		if short[i].Kind != long[i].Kind || short[i].Name != long[i].Name {
			return long[:i], 0
		}
	}
	if !long[len(long)-1].Repeats {
		return long, 0
	}
	return long, len(long) - len(short)
}
