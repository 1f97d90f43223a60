// Package script is the model of one Redis Lua script: its signature, its
// effects and what may be told about them. Generators, lists and lint rules
// that need no syntax see this and nothing below it.
package script

import (
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/types"
)

// Script is one .lua file, or one script in a Go string literal.
type Script struct {
	Name string // the Go name, exported
	File string // as given or found; slashes on every system

	Source string // the bundled text: what is hashed, embedded and sent
	SHA1   string // lower-case hexadecimal SHA-1 of Source: what EVALSHA takes

	Doc string // the header comment without tags and slot lines

	Keys  []Key
	Args  []Arg
	Reply Reply

	Readonly   bool // @readonly: runs through the _RO commands
	Idempotent bool // @idempotent: may be sent again

	Flags    []string // of the shebang line
	Shebang  bool     // there is one
	Commands []string // literal command names, upper case, sorted, the container alone for subcommands
	Writes   bool     // calls a command with the write flag
	Errors   []ErrorCode
	Origins  []Origin // where lines came from when files are included; nil when Source is the file itself
	Unknown  []Unknown
}

// From says where a slot's name came from.
type From string

// The origins of names, strongest first.
const (
	FromTag      From = "tag"
	FromCode     From = "code"
	FromComment  From = "comment"
	FromCommand  From = "command"
	FromPosition From = "position"
)

// TypeFrom says where a type came from.
type TypeFrom string

// The origins of types, strongest first.
const (
	TypeTag      TypeFrom = "tag"
	TypeInferred TypeFrom = "inferred"
	TypeDefault  TypeFrom = "default"
)

// Key is one KEYS slot; a variadic one is the rest of KEYS.
type Key struct {
	Name     string // a Go parameter name
	Doc      string
	From     From
	Variadic bool
}

// Arg is one ARGV slot; a variadic one is the rest of ARGV. A variadic argument
// with a Tuple type is the rest of ARGV in groups of its fields.
type Arg struct {
	Name     string // a Go parameter name
	Doc      string
	From     From
	Type     types.Type // never Optional
	TypeFrom TypeFrom
	Go       string // @go: import/path.Type of the user's own; empty without
	Optional bool
	Variadic bool

	// Parallel: the script walks this variadic argument and the variadic key
	// together, so the wrapper wants one value for each key.
	Parallel bool

	// EmptyWhenAbsent: the script compares the slot with '', so an absent
	// value is sent as an empty string even when only absent ones follow.
	EmptyWhenAbsent bool
}

// Reply is what the script answers with.
type Reply struct {
	Type types.Type
	Doc  string
	From TypeFrom
	Go   string // @go reply IMPORT.TYPE
}

// ErrorCode is the first word of an error that the script replies with.
type ErrorCode struct {
	Code string
	Doc  string
	Tag  bool // declared by @error, so it becomes a Go error
}

// Origin maps lines of Source, from Line on, to lines of File, from At on.
type Origin struct {
	Line int
	File string
	At   int
}

// Unknown is a place where inference gave up and a tag would help.
type Unknown struct {
	Position source.Position
	What     string // what is not known: "the reply", "the type of argument ttl"
	Reason   string
}
