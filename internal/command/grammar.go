// This file implements the grammar of arguments: what the table says of each
// place in a command, and the roles that arguments get from it.

package command

import (
	"math"
	"strconv"
	"strings"
)

// Kind is what an argument is to its command.
type Kind uint8

// The kinds of arguments.
const (
	Unknown    Kind = iota // one of several that do not agree
	Token                  // a word of the grammar: an option, or a choice like LEFT
	Key                    // a key; see Role.Use
	String                 // any bytes: a value, a member, a field
	Integer                // a decimal integer of 64 bits
	Double                 // a floating point number, also inf
	NumKeys                // the count of the keys, or of the fields, that follow
	Pattern                // a glob; with SORT's BY and GET it makes key names
	Cursor                 // of the SCAN family; an integer whose text must be sent back as it came
	ScoreBound             // a score as a limit: 5, (5, -inf
	LexBound               // a member as a limit: [a, (a, -, +
	StreamID               // the ID of a stream entry, whole, in part, or one of * $ > - +
	Channel                // of PUBLISH and SPUBLISH
)

var kindNames = [...]string{"unknown", "token", "key", "string", "integer", "double", "numkeys", "pattern", "cursor", "score bound", "lex bound", "stream ID", "channel"}

// String names the kind, for messages.
func (k Kind) String() string { return kindNames[k] }

// Unit is what a number counts.
type Unit uint8

// The units. Unix times count from 1970.
const (
	NoUnit Unit = iota
	Seconds
	Milliseconds
	Microseconds
	UnixSeconds
	UnixMilliseconds
)

// Use is how a command uses a key.
type Use uint8

// The uses of a key; a set.
const (
	Read  Use = 1 << iota // its value comes into the reply, or into another key
	Write                 // it is created, changed or deleted
)

// node is one place of the grammar: a token, a value, a sequence or a choice.
type node struct {
	kind Kind   // Unknown for a sequence or a choice
	name string // the token, or the value's name
	unit Unit
	use  Use
	opt  bool // may be left out
	must bool // has to be there, though it stands anywhere among optional nodes
	many bool // may be repeated
	same bool // is repeated as often as the group before: a weight for each key
	alt  bool // sub are choices, not a sequence
	half bool // sub are two repeated values of the same count, to the end: keys and IDs of XREAD
	from since
	sub  []node
}

// startsWithToken tells whether an optional node is recognised by its first
// word, so that it may stand anywhere among its neighbours of the same sort.
func (n *node) startsWithToken() bool {
	switch {
	case n.kind == Token:
		return true
	case n.kind != Unknown:
		return false
	case n.alt:
		for i := range n.sub {
			if !n.sub[i].startsWithToken() {
				return false
			}
		}
		return true
	}
	for i := range n.sub {
		if !n.sub[i].startsWithToken() {
			return false
		}
		if !n.sub[i].opt {
			return true
		}
	}
	return true
}

// Role is what one argument of a call is.
type Role struct {
	Kind Kind
	Unit Unit   // of an Integer or Double that counts time
	Name string // the name a Go engineer would give it, lower camel case: ttl, member; for a Token the word; may be empty

	// Use is how a Key is used.
	Use Use

	// Option is the word that introduces the value: PX before its ttl. It is
	// empty for the values that stand by position.
	Option string

	// Repeats tells that the value belongs to a group that may be repeated:
	// a member of SADD, the fields and values of HSET. Group counts the
	// repetitions from 0.
	Repeats bool
	Group   int
}

// join is what is sure of an argument that may be either.
func (r Role) join(o Role) Role {
	if r.Kind != o.Kind {
		if number(r.Kind) && number(o.Kind) {
			r.Kind = Double
		} else {
			r.Kind = Unknown
		}
	}
	if r.Unit != o.Unit {
		r.Unit = NoUnit
	}
	if r.Name != o.Name {
		r.Name = ""
	}
	if r.Option != o.Option {
		r.Option = ""
	}
	r.Use |= o.Use
	if r.Repeats != o.Repeats || r.Group != o.Group {
		r.Repeats, r.Group = false, 0
	}
	return r
}

func number(k Kind) bool { return k == Integer || k == Double }

// Accepts tells whether the text of an argument can be of the kind: a server
// refuses "1.5" as an Integer and "x" as a Double.
func (k Kind) Accepts(text string) bool {
	switch k {
	case Integer, NumKeys:
		_, err := strconv.ParseInt(text, 10, 64)
		return err == nil && text[0] != '+'
	case Cursor:
		_, err := strconv.ParseUint(text, 10, 64)
		return err == nil
	case Double:
		f, err := strconv.ParseFloat(text, 64)
		return (err == nil || math.IsInf(f, 0)) && !math.IsNaN(f)
	case ScoreBound:
		return Double.Accepts(strings.TrimPrefix(text, "("))
	case LexBound:
		return text == "-" || text == "+" || strings.HasPrefix(text, "[") || strings.HasPrefix(text, "(")
	case StreamID:
		return text != "" && (strings.IndexByte("*$>-+(", text[0]) >= 0 || '0' <= text[0] && text[0] <= '9')
	}
	return true
}
