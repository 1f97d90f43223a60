// Package types describes what travels between Go and a script: the types of
// arguments and replies, their text form in tags, and how two of them join.
//
// Types are immutable. The text form is that of tags, which Parse reads:
//
//	string bytes int uint float bool bool("true", "false")
//	duration(s|ms|us) time(s|ms|us)
//	enum(a=0, b=1) enum("OK", "BUSY")
//	json json(import.Type) msgpack msgpack(import.Type)
//	T? T[] map(K, V) pairs(K, V) {a: T, b: U} A | B
//	status none any
//
// Inference joins what the branches of a script return, and needs a few types
// that the text form cannot say. Settle turns them into others at the end:
//
//   - None is the reply that is always nil: that of a script without a return,
//     or a nil or false inside an array. With T it joins to T?.
//   - An integer enum whose members have no names is a number that a script
//     returns as it stands, 1 or 0, or that a command replies as a flag. Enums
//     add up, so a script that returns 1 here and 0 there has the literals 0
//     and 1, which settle to bool. Bool itself is Lua's true and false, which
//     Redis sends as 1 and nil.
//   - The Tuple without fields is the empty array, {}.
//   - A field without a name is one that nothing names.
package types

// Type is one of *Basic, *Bool, *Duration, *Time, *Enum, *Encoded, *Optional,
// *List, *Map, *Tuple and *Union.
type Type interface {
	// String returns the text form, which Parse reads back.
	String() string
	isType()
}

// Basic is a type without parts.
type Basic struct {
	name string
}

// The basic types.
var (
	String = &Basic{"string"} // a bulk string
	Bytes  = &Basic{"bytes"}  // a bulk string that need not be text
	Int    = &Basic{"int"}    // an integer reply, or a bulk string that holds one
	Uint   = &Basic{"uint"}   // the same without a sign
	Float  = &Basic{"float"}  // a bulk string with up to 17 digits, or a RESP3 double
	Status = &Basic{"status"} // a status reply that says only that it went well
	None   = &Basic{"none"}   // nothing: the reply is always nil
	Any    = &Basic{"any"}    // what could not be narrowed
)

// Bool is 1 and 0 (as a reply also nil for false), or two strings when True and
// False are not empty.
type Bool struct {
	True, False string
}

// Unit is what a duration or a time is counted in.
type Unit uint8

// The units.
const (
	Seconds Unit = iota
	Milliseconds
	Microseconds
)

// Duration is a length of time as an integer of its unit.
type Duration struct{ Unit Unit }

// Time is a Unix time as an integer of its unit.
type Time struct{ Unit Unit }

// Enum is one of a few values: integers when Text is false, else strings or
// status replies.
type Enum struct {
	Text    bool
	Members []Member
}

// Member is one value of an enum. Name is an identifier; in a textual enum it
// may be empty, and is then made from Word; in an integer enum it is empty only
// during inference.
type Member struct {
	Name string
	Int  int64
	Word string
}

// Format is how an Encoded value is written.
type Format uint8

// The formats.
const (
	JSON Format = iota
	Msgpack
)

// Encoded is a string that holds a JSON or MessagePack document. Go is the Go
// type it decodes to, as import/path.Name; empty for the raw document.
type Encoded struct {
	Format Format
	Go     string
}

// Optional is Elem, or nil or false.
type Optional struct{ Elem Type }

// List is an array of Elem.
type List struct{ Elem Type }

// Map is a flat array of keys and values, or a RESP3 map. Ordered keeps the
// order, as pairs.
type Map struct {
	Ordered    bool
	Key, Value Type
}

// Tuple is an array by position, of at least one field once settled. The fields
// that may be missing come last and are Optional; an Optional field in front of
// others may be nil.
type Tuple struct{ Fields []Field }

// Field is one element of a tuple.
type Field struct {
	Name string
	Type Type
}

// Union is one of several types that could not be narrowed further: at least
// two, none of them a Union, Optional, Status, None or Any, no two equal.
type Union struct{ Members []Type }

func (*Basic) isType()    {}
func (*Bool) isType()     {}
func (*Duration) isType() {}
func (*Time) isType()     {}
func (*Enum) isType()     {}
func (*Encoded) isType()  {}
func (*Optional) isType() {}
func (*List) isType()     {}
func (*Map) isType()      {}
func (*Tuple) isType()    {}
func (*Union) isType()    {}
