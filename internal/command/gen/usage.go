// This file implements the grammar of arguments in its text form, and turns
// the server's own grammar into it.

package main

import (
	"fmt"
	"slices"
	"strings"
)

// node mirrors the node of package command.
type node struct {
	kind, name, unit string // kind is the Go name of a Kind, empty for a group
	read, write      bool
	opt, many, alt   bool
	must, same, half bool
	from             since
	sub              []node
}

// kinds are the words behind the colon of a value.
var kinds = map[string]node{
	"str":     {kind: "String"}, // for a string that has a key's name
	"int":     {kind: "Integer"},
	"float":   {kind: "Double"},
	"s":       {kind: "Integer", unit: "Seconds"},
	"ms":      {kind: "Integer", unit: "Milliseconds"},
	"unix-s":  {kind: "Integer", unit: "UnixSeconds"},
	"unix-ms": {kind: "Integer", unit: "UnixMilliseconds"},
	"float-s": {kind: "Double", unit: "Seconds"},
	"numkeys": {kind: "NumKeys"},
	"pattern": {kind: "Pattern"},
	"cursor":  {kind: "Cursor"},
	"score":   {kind: "ScoreBound"},
	"lex":     {kind: "LexBound"},
	"id":      {kind: "StreamID"},
	"channel": {kind: "Channel"},
	"r":       {kind: "Key", read: true},
	"w":       {kind: "Key", write: true},
	"rw":      {kind: "Key", read: true, write: true},
}

// keyNames are the values that are keys without saying so.
var keyNames = []string{"key", "key1", "key2", "source", "destination", "newKey"}

type usageParser struct {
	text string
	pos  int
}

func parseUsage(text string) ([]node, error) {
	p := usageParser{text: text}
	nodes, err := p.sequence()
	if err == nil && p.pos < len(p.text) {
		err = fmt.Errorf("unexpected %q", p.text[p.pos:])
	}
	return nodes, err
}

func (p *usageParser) peek() byte {
	for p.pos < len(p.text) && p.text[p.pos] == ' ' {
		p.pos++
	}
	if p.pos == len(p.text) {
		return 0
	}
	return p.text[p.pos]
}

func (p *usageParser) sequence() ([]node, error) {
	var nodes []node
	for strings.IndexByte("\x00|])>}", p.peek()) < 0 {
		n, err := p.item()
		if err != nil {
			return nil, err
		}
		nodes = append(nodes, n)
	}
	return nodes, nil
}

// item reads one place with what follows it: "..." and "@SINCE".
func (p *usageParser) item() (n node, err error) {
	switch c := p.peek(); c {
	case '[', '(', '<':
		if n, err = p.choice(map[byte]byte{'[': ']', '(': ')', '<': '>'}[c]); err != nil {
			return n, err
		}
		n.opt = n.opt || c != '('
		n.must = c == '<'
	case '{':
		p.pos++
		if n.sub, err = p.sequence(); err != nil {
			return n, err
		}
		n.half = true
		p.pos++
	default:
		if n, err = word(p.until(" |[](){}<>.@")); err != nil {
			return n, err
		}
	}
	if strings.HasPrefix(p.text[p.pos:], "...") {
		p.pos += 3
		n.many = true
	}
	if strings.HasPrefix(p.text[p.pos:], "=") {
		p.pos++
		n.same = true
	}
	if strings.HasPrefix(p.text[p.pos:], "@") {
		n.from, err = parseSince(p.until(" |[](){}<>"))
	}
	return n, err
}

func (p *usageParser) until(stops string) string {
	start := p.pos
	for p.pos < len(p.text) && strings.IndexByte(stops, p.text[p.pos]) < 0 {
		p.pos++
	}
	return p.text[start:p.pos]
}

// choice reads alternatives up to the closing bracket. A version on the last
// value of an option belongs to the whole option.
func (p *usageParser) choice(end byte) (node, error) {
	p.pos++
	var sub []node
	for {
		nodes, err := p.sequence()
		if err != nil {
			return node{}, err
		}
		switch last := len(nodes) - 1; {
		case last < 0:
			return node{}, fmt.Errorf("an empty choice before %q", p.text[p.pos:])
		case last == 0:
			sub = append(sub, nodes[0])
		default:
			n := node{sub: nodes}
			if nodes[0].kind == "Token" {
				n.from, nodes[last].from = nodes[last].from, since{}
			}
			sub = append(sub, n)
		}
		c := p.peek()
		p.pos++
		switch c {
		case '|':
		case end:
			if len(sub) == 1 {
				return sub[0], nil
			}
			return node{alt: true, sub: sub}, nil
		default:
			return node{}, fmt.Errorf("expected %q in %q", end, p.text)
		}
	}
}

// word reads a token or a value.
func word(text string) (node, error) {
	if text == "" {
		return node{}, fmt.Errorf("expected a word")
	}
	if text[0] == '"' {
		return node{kind: "Token", name: strings.Trim(text, `"`)}, nil
	}
	if 'A' <= text[0] && text[0] <= 'Z' {
		return node{kind: "Token", name: text}, nil
	}
	name, kind, ok := strings.Cut(text, ":")
	n := node{kind: "String"}
	if ok {
		if n, ok = kinds[kind]; !ok {
			return n, fmt.Errorf("unknown kind %q", kind)
		}
	} else if slices.Contains(keyNames, name) {
		n.kind = "Key"
	}
	n.name = name
	return n, nil
}

// serverUsage writes the server's grammar in our form.
func serverUsage(list []argument) string {
	var parts []string
	for _, a := range list {
		parts = append(parts, a.usage())
	}
	return strings.Join(parts, " ")
}

func (a argument) usage() string {
	quoted := func() string {
		if a.token != "" && 'A' <= a.token[0] && a.token[0] <= 'Z' {
			return a.token
		}
		return `"` + a.token + `"`
	}
	var s string
	switch a.kind {
	case "pure-token":
		s = quoted()
	case "oneof":
		var parts []string
		for _, sub := range a.arguments {
			parts = append(parts, sub.usage())
		}
		s = "(" + strings.Join(parts, "|") + ")"
	case "block":
		s = "(" + serverUsage(a.arguments) + ")"
	default:
		s = camel(a.name) + map[string]string{"integer": ":int", "double": ":float", "pattern": ":pattern", "unix-time": ":int", "key": ":r"}[a.kind]
		if a.kind == "string" && slices.Contains(keyNames, s) {
			s += ":str"
		}
	}
	if a.hasToken && a.kind != "pure-token" {
		if a.flags["multiple"] && !a.flags["multiple_token"] {
			s += "..."
		}
		s = "(" + quoted() + " " + s + ")"
		if a.flags["multiple_token"] {
			s += "..."
		}
	} else if a.flags["multiple"] {
		s += "..."
	}
	if a.flags["optional"] {
		s = "[" + s + "]"
	}
	if v := sinceText(a.since); v != (since{}) {
		s += fmt.Sprintf("@%d.%d", v.redis/100, v.redis%100)
	}
	return s
}

// camel turns "unix-time-seconds" into "unixTimeSeconds".
func camel(name string) string {
	name = strings.ToLower(name)
	words := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' || r == ':' || r == ' ' || r == '/' })
	for i := 1; i < len(words); i++ {
		words[i] = strings.ToUpper(words[i][:1]) + words[i][1:]
	}
	return strings.Join(words, "")
}

// tokens collects the words of a grammar with the version each came with.
func tokens(nodes []node, from since, into map[string]since) {
	for _, n := range nodes {
		v := from
		if n.from != (since{}) {
			v = n.from
		}
		if n.kind == "Token" {
			if had, ok := into[n.name]; !ok || had != (since{}) {
				into[n.name] = v
			}
		}
		tokens(n.sub, v, into)
	}
}
