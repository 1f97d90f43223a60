// Package command is what luagen knows of Redis commands: how many arguments
// each takes and what they are, which of them are keys, what it does to them,
// what it replies under RESP2 and RESP3, and since when which server has it.
//
// The facts are one table, table.go, which gen writes from two sources: a
// redis-server 7.0 that is asked for COMMAND and COMMAND DOCS, and facts.txt,
// where people wrote down what that server cannot tell: names and units of
// arguments, replies, effects on a key's time to live, and what came later.
//
// The package knows no Lua. Names are as in Redis, upper case; a subcommand is
// a command of its own, "XGROUP CREATE".
package command

//go:generate go run ./gen

import "strings"

// Command is one command, or one subcommand of a container.
type Command struct {
	Name     string // upper case; a subcommand's with its container, "XGROUP CREATE"
	Use      string // the grammar in one line, for people: "key [count]"
	arity    int8   // as COMMAND tells it: the name counts, negative is "at least"
	flags    flags
	ttl      []ttlRule
	args     []node
	replies  []replyRule
	combos   []combo  // options that go together only since a version
	barred   []combo  // options that a script may use only since a version
	reads    []string // the keys are read only with one of these options; empty is always
	since    since
	scripts  since // the versions that allow it in a script; never with the flag noscript
	obsolete since // deprecated since
	instead  string
}

type flags uint16

const (
	write        flags = 1 << iota
	readonly           // the server's own flag, which PING has not
	mayReplicate       // refused in read-only scripts though it is no write
	blocking           // waits where it may; a script never does
	noscript           // no version allows it in a script
	container          // is named by its subcommands
	random             // the same call on the same data may answer differently
	unordered          // the order of the elements is not defined
	denyOOM            // refused when memory is short
)

// combo is a set of options, and the version that takes them.
type combo struct {
	options []string
	since   since
}

// Lookup finds a command by its name in any case. The word sub, the first
// argument, is used where name is a container ("XGROUP", "CREATE") and ignored
// elsewhere. A container with an empty sub is found itself; a command or
// subcommand that no server has is nil. Lookup allocates nothing.
func Lookup(name, sub string) *Command {
	c := find(name, "")
	if c == nil || sub == "" || c.flags&container == 0 {
		return c
	}
	return find(name, sub)
}

func find(name, sub string) *Command {
	if strings.IndexByte(name, ' ') >= 0 {
		return nil
	}
	lo, hi := 0, len(table)
	for lo < hi {
		mid := int(uint(lo+hi) >> 1)
		switch compareName(table[mid].Name, name, sub) {
		case 0:
			return &table[mid]
		case -1:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return nil
}

// compareName compares have, upper case, with name and sub in any case.
func compareName(have, name, sub string) int {
	want := len(name)
	if sub != "" {
		want += 1 + len(sub)
	}
	for i := range min(len(have), want) {
		var b byte
		switch {
		case i < len(name):
			b = upper(name[i])
		case i == len(name):
			b = ' '
		default:
			b = upper(sub[i-len(name)-1])
		}
		if have[i] != b {
			if have[i] < b {
				return -1
			}
			return 1
		}
	}
	switch {
	case len(have) < want:
		return -1
	case len(have) > want:
		return 1
	}
	return 0
}

func upper(b byte) byte {
	if 'a' <= b && b <= 'z' {
		return b - ('a' - 'A')
	}
	return b
}

func equalFold(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) {
		if upper(a[i]) != upper(b[i]) {
			return false
		}
	}
	return true
}

// Find resolves a whole call, its first argument being the command's name. It
// returns the command and how many arguments its name takes: 1, or 2 for a
// subcommand. The command is nil when the name is not literal or not known; a
// container whose subcommand is not literal or not known is returned itself.
func Find(call []Arg) (c *Command, used int) {
	if len(call) == 0 || call[0].Kind != Literal {
		return nil, 0
	}
	c = find(call[0].Text, "")
	if c == nil {
		return nil, 1
	}
	if c.flags&container != 0 && len(call) > 1 && call[1].Kind == Literal {
		if s := find(call[0].Text, call[1].Text); s != nil {
			return s, 2
		}
	}
	return c, 1
}

// All returns the table, sorted by name.
func All() []Command { return table[:] }

// Container tells whether the command is one only by its subcommands.
func (c *Command) Container() bool { return c.flags&container != 0 }

// Arity is the command's own: the name counts (a subcommand's name is two
// words), and a negative number means "at least".
func (c *Command) Arity() int { return int(c.arity) }

// Writes tells whether the server flags the command as a write, whatever its
// arguments.
func (c *Command) Writes() bool { return c.flags&write != 0 }

// MayReplicate tells whether the command is refused in read-only scripts like a
// write, though it has not the flag: PUBLISH, PFCOUNT.
func (c *Command) MayReplicate() bool { return c.flags&mayReplicate != 0 }

// Blocking tells whether the command would wait, were it not in a script.
func (c *Command) Blocking() bool { return c.flags&blocking != 0 }

// Nondeterministic tells whether the same call on the same data may answer
// differently: TIME, SPOP, SCAN, but also TTL.
func (c *Command) Nondeterministic() bool { return c.flags&random != 0 }

// Unordered tells whether the order of a reply's elements is not defined.
func (c *Command) Unordered() bool { return c.flags&unordered != 0 }
