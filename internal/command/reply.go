// This file implements the shapes of replies.

package command

import (
	"math"
	"strconv"
	"strings"
)

// ShapeKind is the sort of a reply.
type ShapeKind uint8

// The sorts of replies, as they come to a client of the protocol version in
// question.
const (
	AnyShape      ShapeKind = iota // nothing is known of it, not even whether it is nil
	IntegerShape                   // Min to Max
	BulkShape                      // a bulk string; Holds and Words say what is in it
	StatusShape                    // a status reply; Words, when not empty, are all there are
	ArrayShape                     // any number of Elems[0]
	PairsShape                     // a flat array: Elems[0], Elems[1], Elems[0], Elems[1], …
	TupleShape                     // Elems by position; the last may be Optional
	NullShape                      // always nil
	MapShape                       // RESP3 only: Elems[0] to Elems[1]
	SetShape                       // RESP3 only: any number of Elems[0]
	DoubleShape                    // RESP3 only
	BoolShape                      // RESP3 only
	VerbatimShape                  // RESP3 only
)

// Shape is what a reply looks like. Shapes belong to the table and must not be
// changed.
type Shape struct {
	Kind ShapeKind

	// Nil tells that a null may come instead; in a script false under RESP2
	// and nil under RESP3.
	Nil bool

	// Min and Max are the limits of an IntegerShape.
	Min, Max int64

	// Unit is what a number counts.
	Unit Unit

	// Holds is Integer or Double for a BulkShape that always is the text of
	// such a number, StreamID for an entry's ID, else String.
	Holds Kind

	// Words are the only texts of a StatusShape or BulkShape, when known.
	Words []string

	Elems []Elem
}

// Elem is a part of a Shape.
type Elem struct {
	Name     string // the field of a tuple, lower camel case; may be empty
	Optional bool   // may be missing, with all behind it
	Shape    *Shape
}

// Reply is what a call answers, when it does not raise an error.
type Reply struct {
	resp2, resp3 []*Shape
}

// Shapes returns the possible shapes of the reply under RESP version 2 or 3:
// one where the arguments tell which, several where an unknown argument
// decides, none where nothing is known.
func (r Reply) Shapes(resp int) []*Shape {
	if resp == 3 {
		return r.resp3
	}
	return r.resp2
}

// replyRule is the reply under a condition; the first that holds counts.
type replyRule struct {
	when         condition
	resp2, resp3 *Shape
}

// condition is what must be known of a call.
type condition struct {
	all  [][]string // of each, one option is present
	none []string   // these are not
	zero string     // the value of this option is not known to be above zero
	one  bool       // the repeated group is there exactly once
	from since
}

// TTL is what a call does to the time to live of the keys it writes.
type TTL uint8

// The effects on the time to live.
const (
	TTLKeeps   TTL = iota // unchanged, where the key existed before
	TTLSets               // set anew
	TTLClears             // removed: the key will not expire
	TTLDeletes            // the key is deleted, and its time to live with it
	TTLUnknown            // depends on what is not known
)

type ttlRule struct {
	when condition
	ttl  TTL
}

// String writes the shape for people: "[(member: bulk, score: double)]?".
func (s *Shape) String() string {
	var b strings.Builder
	s.write(&b)
	return b.String()
}

var shapeNames = [...]string{"any", "int", "bulk", "status", "", "pairs", "", "null", "map", "set", "double", "bool", "verbatim"}

var unitNames = [...]string{"", "s", "ms", "us", "unix-s", "unix-ms"}

func (s *Shape) write(b *strings.Builder) {
	b.WriteString(shapeNames[s.Kind])
	open, end := "(", ")"
	switch s.Kind {
	case ArrayShape:
		open, end = "[", "]"
	case IntegerShape:
		s.writeLimits(b)
	case BulkShape, StatusShape:
		if len(s.Words) > 0 {
			b.WriteString("(" + strings.Join(s.Words, " ") + ")")
		} else if s.Holds > String {
			b.WriteString("(" + s.Holds.String() + ")")
		}
	}
	if len(s.Elems) > 0 {
		b.WriteString(open)
		for i, e := range s.Elems {
			if i > 0 {
				b.WriteString(", ")
			}
			if e.Name != "" {
				b.WriteString(e.Name)
				if e.Optional {
					b.WriteByte('?')
				}
				b.WriteString(": ")
			}
			e.Shape.write(b)
		}
		b.WriteString(end)
	}
	if s.Unit != NoUnit {
		b.WriteString(":" + unitNames[s.Unit])
	}
	if s.Nil {
		b.WriteByte('?')
	}
}

func (s *Shape) writeLimits(b *strings.Builder) {
	if s.Min == math.MinInt64 && s.Max == math.MaxInt64 {
		return
	}
	b.WriteByte('(')
	if s.Min != math.MinInt64 {
		b.WriteString(strconv.FormatInt(s.Min, 10))
	}
	b.WriteString("..")
	if s.Max != math.MaxInt64 {
		b.WriteString(strconv.FormatInt(s.Max, 10))
	}
	b.WriteByte(')')
}
