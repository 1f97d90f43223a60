package gogen

// This file implements the model that a package is written from: scripts whose
// types have the names that Go calls them by.

import (
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/types"
)

// plan is a package with every name in it decided.
type plan struct {
	Package
	units   []*unit // sorted by Go name
	errors  []*errorCode
	aliases map[string]string // names of the users' packages, by import path
}

// errorCode is a code that scripts declare with @error.
type errorCode struct {
	code, name, doc string
}

// unit is one script and the file it becomes.
type unit struct {
	plan   *plan
	script *script.Script
	file   string // of generated Go

	keys, args []*slot
	reply      reply
	named      []*named // in the order of the signature

	variable string // of the redislua.Script
	builder  string // of the function that builds the call
	params   string // of the struct that holds keys and arguments; empty when they are one by one

	replyName, itemName string   // reserved for the reply and for the groups of a variadic argument
	imports             []string // paths of the users' packages
}

// slot is a key or an argument.
type slot struct {
	name  string // as a parameter
	field string // as a field of the params struct
	place string // KEYS[1]
	doc   string
	value *value // nil for a key

	optional bool
	variadic bool
	parallel bool
	empty    bool // an absent one is sent as an empty string, whatever follows
}

// reply is how a wrapper returns what the script answers.
type reply struct {
	value    *value // nil for a status or nothing
	optional bool   // it may be absent as a whole
}

// value is a type, and what Go calls it and its parts.
type value struct {
	typ   types.Type
	named *named    // an enum or a tuple
	user  *userType // the user's own type instead of ours
	key   *value    // of a map
	elem  *value    // of an optional, a list or a map
}

// userType is a type that a tag names.
type userType struct {
	path string // of the package
	name string
}

// named is a type that the package declares for an enum or a tuple.
type named struct {
	name    string
	what    string // "the status of AcquireReply"
	doc     string
	typ     types.Type
	fields  []*field    // of a tuple
	members []*constant // of an enum
	decoded bool        // it is in a reply
	decoder string      // decodes one, if decoded
}

// field is a field of a tuple.
type field struct {
	name  string // of the Go struct
	label string // as the script's author calls it
	value *value
}

// constant is a member of an enum.
type constant struct {
	name   string
	label  string
	member types.Member
}

// slots returns the keys and the arguments.
func (u *unit) slots() []*slot {
	return append(u.keys[:len(u.keys):len(u.keys)], u.args...)
}
