package types

// This file implements the answer to a type name that does not exist.

import (
	"fmt"
	"strings"
)

// choices lists the types in messages.
const choices = `string, bytes, int, uint, float, bool, duration(ms), time(ms), enum(…), json, msgpack, map(K, V), pairs(K, V), {name: T}, status, none or any`

// spellings are the words that people write for a type, and what they mean.
// Those of the language come first, so that a typing error finds them first.
var spellings = [...]struct{ word, meaning string }{
	{"string", "string"},
	{"bytes", "bytes"},
	{"int", "int"},
	{"uint", "uint"},
	{"float", "float"},
	{"bool", "bool"},
	{"duration", "duration(ms)"},
	{"time", "time(ms)"},
	{"enum", "enum(no=0, yes=1)"},
	{"json", "json"},
	{"msgpack", "msgpack"},
	{"map", "map(string, string)"},
	{"pairs", "pairs(string, string)"},
	{"status", "status"},
	{"none", "none"},
	{"any", "any"},
	{"integer", "int"},
	{"number", "int or float"},
	{"long", "int"},
	{"int64", "int"},
	{"unsigned", "uint"},
	{"double", "float"},
	{"boolean", "bool"},
	{"str", "string"},
	{"text", "string"},
	{"binary", "bytes"},
	{"timestamp", "time(ms)"},
	{"seconds", "duration(s)"},
	{"milliseconds", "duration(ms)"},
	{"microseconds", "duration(us)"},
	{"ms", "duration(ms)"},
	{"ttl", "duration(ms)"},
	{"object", "json"},
	{"hash", "map(string, string)"},
	{"array", "string[]"},
	{"list", "string[]"},
	{"table", "string[]"},
	{"nil", "none"},
	{"null", "none"},
	{"void", "none"},
	{"ok", "status"},
}

// unknownType returns the message about a name that is no type.
func unknownType(name string) string {
	for _, near := range []func(a, b string) bool{strings.EqualFold, oneSlip} {
		for _, s := range spellings {
			if near(name, s.word) {
				return fmt.Sprintf("unknown type %s, did you mean %s?", name, s.meaning)
			}
		}
	}
	return fmt.Sprintf("unknown type %s, expected %s", name, choices)
}

// oneSlip tells whether two words of three letters or more differ in one letter
// that is too many, missing or wrong, or in two that are swapped.
func oneSlip(a, b string) bool {
	if len(a) < 3 || len(b) < 3 {
		return false
	}
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for a != "" && b != "" && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	swapped := len(a) == 2 && len(b) == 2 && a[0] == b[1] && a[1] == b[0]
	return len(a) <= 1 && len(b) <= 1 || swapped
}
