package analysis

// This file implements names. A slot is called by the code, by a comment, by the
// commands that take it, by what it is compared with, at last by its place; a
// field of the reply by its expression.

import (
	"slices"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/syntax"
)

// generic are names that say nothing of a slot: a helper's parameters, and
// what a reply is kept in.
var generic = []string{"str", "string", "s", "value", "val", "v", "x", "y", "a", "b", "t", "tbl", "table", "arg", "name", "n", "num",
	"number", "text", "input", "key", "k", "obj", "data", "o", "item", "e", "result", "res", "ret", "reply", "raw"}

// rank is how much a variable's name says of the slot that it holds.
type rank uint8

const (
	rankNone   rank = iota
	rankLetter      // one letter, or a helper's word for anything
	rankLate        // assigned to a variable that held something else
	rankParam       // a helper's parameter
	rankLocal
)

func (f fact) rank() rank {
	switch {
	case len(strings.Trim(f.text, "_0123456789")) <= 1:
		return rankLetter
	case f.weak && (f.shared || slices.Contains(generic, strings.ToLower(f.text))):
		return rankLetter
	case f.late:
		return rankLate
	case f.weak:
		return rankParam
	}
	return rankLocal
}

// name returns what a slot is called, and where that came from.
func (u *usage) name(d slotDoc, argv bool, at int) (string, script.From) {
	var best fact
	top := rankNone
	u.each(factName, func(f fact) {
		if r := f.rank(); r > top || r == top && f.pos < best.pos {
			best, top = f, r
		}
	})
	named, vague := u.commandName(argv)
	switch {
	case top >= rankParam:
		return best.text, script.FromCode
	case d.name != "":
		return d.name, script.FromComment
	case top == rankLate, top == rankLetter && !best.weak:
		return best.text, script.FromCode
	case named != "":
		return named, script.FromCommand
	}
	if p := u.peerName(); p != "" {
		return p, script.FromCode
	}
	switch {
	case vague != "":
		return vague, script.FromCommand
	case top == rankLetter && len(best.text) > 1 && !best.shared:
		return best.text, script.FromCode
	case u.has(factPeer):
		return "value", script.FromCommand // compared with what a key holds
	}
	return slotWord(argv) + strconv.Itoa(at), script.FromPosition
}

// commandName is what the commands that take the slot call it. The first that
// has a name counts; vague is that of one that takes any value.
func (u *usage) commandName(argv bool) (name, vague string) {
	u.each(factRole, func(f fact) {
		n := f.role.Name
		if !f.role.direct || n == "" || f.role.Kind == command.Token {
			return
		}
		if n == "value" || n == "element" || n == "field" || n == "key" && argv {
			if vague == "" {
				vague = n
			}
			return
		}
		if name == "" {
			name = n
		}
	})
	u.each(factUnit, func(f fact) {
		if name == "" && !f.role.sum {
			name = f.role.Name
		}
	})
	return name, vague
}

// peerName is the name of what the slot is compared with: in owner == ARGV[1]
// the slot is an owner too.
func (u *usage) peerName() string {
	name := ""
	u.each(factPeer, func(f fact) {
		if name == "" {
			name = f.text
		}
	})
	return name
}

// presentWords begin names of what is there now, not of what is compared with it.
var presentWords = []string{"current", "cur", "stored", "existing", "old", "prev", "previous", "saved", "actual", "raw", "cached", "last", "found", "real", "db", "redis"}

// comparePeer notes what a slot is compared with, where that has a name.
func (in *interp) comparePeer(e syntax.Expr, slot *value) {
	r, ok := slot.exactRef()
	if !ok {
		return
	}
	if text, ok := in.peerOf(e); ok {
		in.note(fact{kind: factPeer, ref: r, text: text})
	}
}

// peerOf names what e reads from Redis: by its variable, else by the field; an
// empty name for the value of a key.
func (in *interp) peerOf(e syntax.Expr) (string, bool) {
	switch e := e.(type) {
	case *syntax.ParenExpr:
		return in.peerOf(e.X)
	case *syntax.NameExpr:
		if e.Local == nil {
			return "", false
		}
		source, ok := in.readInto[e.Local]
		if name := peerWord(e.Name); name != "" && source == "" {
			return name, ok
		}
		return source, ok
	case *syntax.CallExpr:
		return in.commandRead(e)
	}
	return "", false
}

// peerWord cuts current and its like off a variable's name; empty for a name
// that says nothing.
func peerWord(name string) string {
	words := splitName(name)
	for len(words) > 0 && slices.Contains(presentWords, words[0]) {
		words = words[1:]
	}
	if len(words) == 0 || len(words[len(words)-1]) == 1 || len(words) == 1 && slices.Contains(generic, words[0]) {
		return ""
	}
	return joinWords(words)
}

// commandRead names what a redis.call of GET, HGET and their like reads.
func (in *interp) commandRead(e *syntax.CallExpr) (string, bool) {
	if len(e.Args) < 2 || e.Method != nil {
		return "", false
	}
	s, ok := e.Args[0].(*syntax.StringExpr)
	if !ok {
		return "", false
	}
	switch strings.ToUpper(s.Value) {
	case "GET", "GETSET", "LINDEX", "LPOP", "RPOP":
		return "", true
	case "HGET":
		if f, ok := e.Args[len(e.Args)-1].(*syntax.StringExpr); ok {
			return fieldWord(f.Value), true
		}
		return "", true
	}
	return "", false
}

// fieldWord is the name that a hash field gives to its value; empty for one
// that is no name.
func fieldWord(field string) string {
	if len(field) < 2 || !isWord(field) {
		return ""
	}
	return field
}

// elementName returns what a reader would call an element of a constructor:
// by its expression, else by the comment behind it; empty for none.
func (in *interp) elementName(e syntax.Expr, v *value) string {
	if name := in.expressionName(e); name != "" {
		return name
	}
	if r, ok := v.exactRef(); ok && r.index > 0 {
		return slotField(r)
	}
	if !v.is(kNumber | kString | kTrue | kFalse) {
		return ""
	}
	if c := in.chunk.Trailing(e); c != nil && !c.Long {
		if text := strings.TrimSpace(strings.TrimLeft(c.Text, "-")); len(strings.Fields(text)) <= 3 {
			return phraseName(text, true)
		}
	}
	return ""
}

// slotField is the name of an element that is a slot's value, until the slots
// have names.
func slotField(r ref) string { return "\x00" + slotWord(r.argv) + itoa(r.index) }

// expressionName returns what a reader would call the value of e; empty for none.
func (in *interp) expressionName(e syntax.Expr) string {
	switch e := e.(type) {
	case *syntax.NameExpr:
		if e.Name == "_" || e.Local == nil {
			return ""
		}
		return e.Name
	case *syntax.IndexExpr:
		if s, ok := e.Key.(*syntax.StringExpr); ok && isWord(s.Value) {
			return s.Value
		}
	case *syntax.ParenExpr:
		return in.expressionName(e.X)
	case *syntax.BinaryExpr:
		if e.Op == syntax.OpOr || e.Op == syntax.OpAnd {
			if n := in.expressionName(e.X); n != "" {
				return n
			}
		}
		if _, ok := e.Y.(*syntax.NumberExpr); ok && (e.Op == syntax.OpAdd || e.Op == syntax.OpSub) {
			return in.expressionName(e.X) // rank + 1
		}
	case *syntax.CallExpr:
		return in.callName(e)
	}
	return ""
}

// callName names the result of tonumber(x) and its like for x, and that of a
// redis.call for its command where the command says what it answers.
func (in *interp) callName(e *syntax.CallExpr) string {
	if len(e.Args) == 0 || e.Method != nil {
		return ""
	}
	switch f := e.Fun.(type) {
	case *syntax.NameExpr:
		if g := in.global(f); g == "tonumber" || g == "tostring" {
			return in.expressionName(e.Args[0])
		}
	case *syntax.IndexExpr:
		s, ok := f.Key.(*syntax.StringExpr)
		if !ok {
			return ""
		}
		switch s.Value {
		case "floor", "ceil":
			return in.expressionName(e.Args[0])
		case "call", "pcall":
			return commandResultName(e.Args)
		}
	}
	return ""
}

var resultNames = map[string]string{
	"TTL": "ttl", "PTTL": "ttl", "LLEN": "length", "ZCARD": "count", "SCARD": "count", "HLEN": "count",
	"XLEN": "length", "ZRANK": "rank", "ZREVRANK": "rank", "ZSCORE": "score", "TYPE": "type", "STRLEN": "length",
}

func commandResultName(args []syntax.Expr) string {
	s, ok := args[0].(*syntax.StringExpr)
	if !ok {
		return ""
	}
	name := strings.ToUpper(s.Value)
	if name == "HGET" && len(args) == 3 {
		if f, ok := args[2].(*syntax.StringExpr); ok && isWord(f.Value) {
			return f.Value
		}
	}
	return resultNames[name]
}
