// This file implements reading facts.txt: a command a line at the margin, with
// its grammar, and its facts below it:
//
//	let NAME = SHAPE             at the margin: $NAME stands for it
//	NAME GRAMMAR                 a command; two words where a container's name comes first
//		new ARITY FLAGS @SINCE   it is not on Redis 7.0
//		scripts @SINCE           scripts may call it only since then
//		scripts A @SINCE         scripts may use the option only since then
//		deprecated V INSTEAD     since a version of both servers
//		together A B @SINCE      options that go together only since then
//		reply CONDITION = SHAPE  the first that holds counts
//		ttl CONDITION = EFFECT   keeps, sets, clears, deletes or unknown; none means keeps
//		reads A B                keys are read only with one of these options
//		like NAME                the replies of another command, behind its own
//
// A condition is a list of: WORD (the option is present), A|B (one of them),
// !WORD (it is not), zero:WORD (its value is not known to be above zero), one
// (the repeated group is there once), @SINCE.

package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// fact is what facts.txt says of one command.
type fact struct {
	line     int
	name     string
	usage    string
	isNew    bool
	arity    int
	flags    []string
	since    since
	scripts  since
	obsolete since
	instead  string
	combos   []combo
	barred   []combo
	reads    []string
	replies  []rule
	ttl      []rule
}

type combo struct {
	options []string
	since   since
}

type rule struct {
	when  condition
	value string
}

type condition struct {
	all  [][]string
	none []string
	zero string
	one  bool
	from since
}

// since is a version of each server as major*100+minor; 0 is always.
type since struct{ redis, valkey int }

const never = 9999

func parseFacts(text string) ([]*fact, error) {
	lets := map[string]string{}
	var facts []*fact
	for i, line := range strings.Split(text, "\n") {
		wrong := func(err error) error { return fmt.Errorf("facts.txt:%d: %w", i+1, err) }
		switch body := strings.TrimSpace(line); {
		case body == "" || body[0] == '#':
		case line[0] == '\t':
			if len(facts) == 0 {
				return nil, wrong(fmt.Errorf("a fact without a command"))
			}
			word, rest, _ := strings.Cut(body, " ")
			if err := facts[len(facts)-1].add(word, rest, lets, facts); err != nil {
				return nil, wrong(err)
			}
		case strings.HasPrefix(body, "let "):
			name, shape, _ := strings.Cut(body[4:], " = ")
			lets[name] = expand(shape, lets)
		default:
			words := strings.Fields(body)
			n := 1
			if len(words) > 1 && isContainer(words[0]) {
				n = 2
			}
			name := strings.Join(words[:n], " ")
			facts = append(facts, &fact{line: i + 1, name: name, usage: strings.Join(words[n:], " ")})
		}
	}
	return facts, nil
}

func isContainer(name string) bool {
	return slices.Contains([]string{"CLIENT", "CLUSTER", "COMMAND", "CONFIG", "MEMORY", "OBJECT", "PUBSUB", "SCRIPT", "SLOWLOG", "XGROUP", "XINFO"}, name)
}

func expand(text string, lets map[string]string) string {
	for name, value := range lets {
		text = strings.ReplaceAll(text, "$"+name, value)
	}
	return text
}

func (f *fact) add(word, rest string, lets map[string]string, facts []*fact) (err error) {
	words := strings.Fields(rest)
	switch word {
	case "new":
		f.isNew = true
		if f.arity, err = strconv.Atoi(words[0]); err != nil {
			return err
		}
		f.flags = words[1 : len(words)-1]
		f.since, err = parseSince(words[len(words)-1])
	case "scripts":
		var from since
		from, err = parseSince(words[len(words)-1])
		if len(words) == 1 {
			f.scripts = from
		} else {
			f.barred = append(f.barred, combo{words[:len(words)-1], from})
		}
	case "deprecated":
		f.obsolete, err = parseSince("@" + words[0])
		f.instead = strings.Join(words[1:], " ")
	case "reads":
		f.reads = words
	case "together":
		c := combo{options: words[:len(words)-1]}
		c.since, err = parseSince(words[len(words)-1])
		f.combos = append(f.combos, c)
	case "reply", "ttl":
		cond, value, ok := strings.Cut(" "+rest, " = ")
		if !ok {
			return fmt.Errorf("expected %s CONDITION = …", word)
		}
		r := rule{value: expand(value, lets)}
		if r.when, err = parseCondition(cond); err != nil {
			return err
		}
		if word == "ttl" {
			f.ttl = append(f.ttl, r)
		} else {
			f.replies = append(f.replies, r)
		}
	case "like":
		f.replies = append(f.replies, rule{value: "like " + rest})
	default:
		return fmt.Errorf("unknown fact %q", word)
	}
	return err
}

func parseCondition(text string) (c condition, err error) {
	for _, word := range strings.Fields(text) {
		switch {
		case word == "one":
			c.one = true
		case word[0] == '@':
			if c.from, err = parseSince(word); err != nil {
				return c, err
			}
		case strings.HasPrefix(word, "zero:"):
			c.zero = word[len("zero:"):]
		case word[0] == '!':
			c.none = append(c.none, word[1:])
		default:
			c.all = append(c.all, strings.Split(word, "|"))
		}
	}
	return c, nil
}

// parseSince reads "@7.2", "@redis7.4", "@valkey9.0" or "@redis8.0,valkey9.0".
func parseSince(text string) (since, error) {
	s := since{never, never}
	for _, part := range strings.Split(strings.TrimPrefix(text, "@"), ",") {
		number := strings.TrimPrefix(strings.TrimPrefix(part, "redis"), "valkey")
		major, minor, _ := strings.Cut(number, ".")
		a, err := strconv.Atoi(major)
		b, err2 := strconv.Atoi(minor)
		if err != nil || err2 != nil {
			return s, fmt.Errorf("expected @VERSION, found %q", text)
		}
		v := a*100 + b
		switch {
		case strings.HasPrefix(part, "redis"):
			s.redis = v
		case strings.HasPrefix(part, "valkey"):
			s.valkey = v
		case v <= 602:
			s = since{}
		case v <= 702:
			s = since{redis: v}
		default:
			return s, fmt.Errorf("%q: a version above 7.2 belongs to redis or valkey", text)
		}
	}
	return s, nil
}
