// This file implements the shapes of replies in their text form:
//
//	int int(0..1) int(-2..):ms       an integer, its limits and unit
//	bulk bulk(int) bulk(float) bulk(id) bulk("a")
//	status status(OK)  double bool verbatim null any
//	[T] set(T) pairs(K, V) map(K, V) (name: T, last?: T)
//	T?                               or null
//	T || U                           T under RESP2, U under RESP3
//
// Without || the RESP2 form follows: a double is a bulk string, a map flat
// pairs, a set an array, a bool an integer, a verbatim string a bulk string.

package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// shape mirrors the Shape of package command.
type shape struct {
	kind     string
	null     bool
	min, max int64
	unit     string
	holds    string
	words    []string
	elems    []elem
}

type elem struct {
	name     string
	optional bool
	shape    *shape
}

type shapeParser struct {
	text string
	pos  int
	resp int
}

// parseShape reads the form for one version of the protocol.
func parseShape(text string, resp int) (*shape, error) {
	p := shapeParser{text: text, resp: resp}
	s, err := p.either()
	if err == nil && p.pos < len(text) {
		err = fmt.Errorf("unexpected %q in shape %q", text[p.pos:], text)
	}
	return s, err
}

// either reads T || U and returns the one of the version that is wanted.
func (p *shapeParser) either() (*shape, error) {
	s, err := p.one()
	if err != nil || !p.eat("||") {
		return s, err
	}
	t, err := p.one()
	if p.resp == 3 {
		s = t
	}
	return s, err
}

func (p *shapeParser) space() {
	for p.pos < len(p.text) && p.text[p.pos] == ' ' {
		p.pos++
	}
}

func (p *shapeParser) eat(s string) bool {
	p.space()
	if strings.HasPrefix(p.text[p.pos:], s) {
		p.pos += len(s)
		return true
	}
	return false
}

func (p *shapeParser) word() string {
	p.space()
	start := p.pos
	for p.pos < len(p.text) && strings.IndexByte(" ()[]{},:?|.\"", p.text[p.pos]) < 0 {
		p.pos++
	}
	return p.text[start:p.pos]
}

// parens returns the text in parentheses, when they follow.
func (p *shapeParser) parens() string {
	if !strings.HasPrefix(p.text[p.pos:], "(") {
		return ""
	}
	start := p.pos + 1
	p.pos += strings.IndexByte(p.text[p.pos:], ')') + 1
	return p.text[start : p.pos-1]
}

func (p *shapeParser) one() (*shape, error) {
	s := &shape{}
	var err error
	switch {
	case p.eat("["):
		s.kind = "ArrayShape"
		s.elems, err = p.elems("]", false)
	case p.eat("("):
		s.kind = "TupleShape"
		s.elems, err = p.elems(")", true)
	default:
		err = p.named(s, p.word())
	}
	if err != nil {
		return nil, err
	}
	if strings.HasPrefix(p.text[p.pos:], ":") {
		p.pos++
		word := p.word()
		if word == "us" {
			s.unit = "Microseconds"
		} else {
			s.unit = kinds[word].unit
		}
	}
	if strings.HasPrefix(p.text[p.pos:], "?") {
		p.pos++
		s.null = true
	}
	return s, nil
}

func (p *shapeParser) named(s *shape, word string) (err error) {
	switch word {
	case "int":
		s.kind = "IntegerShape"
		err = s.limits(p.parens())
	case "bulk":
		s.kind, s.holds = "BulkShape", "String"
		switch in := p.parens(); {
		case in == "":
		case in[0] == '"':
			s.words = strings.Split(strings.ReplaceAll(in, `"`, ""), " ")
		default:
			s.holds = kinds[in].kind
		}
	case "status":
		s.kind, s.words = "StatusShape", strings.Fields(p.parens())
	case "any":
		s.kind = "AnyShape"
	case "null":
		s.kind = "NullShape"
	case "double":
		s.kind = "DoubleShape"
		if p.resp == 2 {
			s.kind, s.holds = "BulkShape", "Double"
		}
	case "bool":
		s.kind = "BoolShape"
		if p.resp == 2 {
			s.kind, s.max = "IntegerShape", 1
		}
	case "verbatim":
		s.kind = "VerbatimShape"
		if p.resp == 2 {
			s.kind, s.holds = "BulkShape", "String"
		}
	case "set", "map", "pairs":
		s.kind = map[string]string{"set": "SetShape", "map": "MapShape", "pairs": "PairsShape"}[word]
		if p.resp == 2 {
			s.kind = map[string]string{"set": "ArrayShape", "map": "PairsShape", "pairs": "PairsShape"}[word]
		}
		p.eat("(")
		s.elems, err = p.elems(")", false)
	default:
		err = fmt.Errorf("unknown shape %q in %q", word, p.text)
	}
	return err
}

// limits reads "0..1" or "-2..".
func (s *shape) limits(text string) (err error) {
	s.min, s.max = math.MinInt64, math.MaxInt64
	if text == "" {
		return nil
	}
	low, high, _ := strings.Cut(text, "..")
	if s.min, err = strconv.ParseInt(low, 10, 64); err == nil && high != "" {
		s.max, err = strconv.ParseInt(high, 10, 64)
	}
	return err
}

func (p *shapeParser) elems(end string, named bool) ([]elem, error) {
	var out []elem
	for {
		var e elem
		if named {
			e.name = p.word()
			e.optional = p.eat("?")
			if !p.eat(":") {
				return nil, fmt.Errorf("expected NAME: in shape %q", p.text)
			}
		}
		var err error
		if e.shape, err = p.either(); err != nil {
			return nil, err
		}
		out = append(out, e)
		if p.eat(end) {
			return out, nil
		}
		if !p.eat(",") {
			return nil, fmt.Errorf("expected %q in shape %q", end, p.text)
		}
	}
}
