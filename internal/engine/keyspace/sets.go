package keyspace

// This file implements sets and sorted sets: the order of sets of integers, and
// the commands over several sorted sets that miniredis lacks.

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/engine/resp"
)

// setMembers answers a command whose reply is a set: integers are in numeric
// order, as Redis keeps them.
func setMembers(k *Keyspace, c *caller, args []string) resp.Reply {
	r := c.ask(args...)
	sortIntegers(r.List)
	if r.Kind == '*' {
		r.Kind = '~'
	}
	return r
}

func setScan(k *Keyspace, c *caller, args []string) resp.Reply {
	r := c.ask(args...)
	if len(r.List) == 2 {
		sortIntegers(r.List[1].List)
	}
	return r
}

func sortIntegers(list []resp.Reply) {
	for _, item := range list {
		if !isInteger(item.Text) {
			return
		}
	}
	slices.SortFunc(list, func(a, b resp.Reply) int {
		x, _ := strconv.ParseInt(a.Text, 10, 64)
		y, _ := strconv.ParseInt(b.Text, 10, 64)
		return cmp.Compare(x, y)
	})
}

// isInteger tells whether Redis would keep a string as a number.
func isInteger(s string) bool {
	n, err := strconv.ParseInt(s, 10, 64)
	return err == nil && strconv.FormatInt(n, 10) == s
}

// scoredMember is an element of a sorted set.
type scoredMember struct {
	member string
	score  float64
}

// members reads a sorted set, or a set as one whose scores are 1.
func (c *caller) members(key string) ([]scoredMember, resp.Reply) {
	switch c.kind(key) {
	case "none":
		return nil, resp.Reply{}
	case "set":
		r := c.ask("SMEMBERS", key)
		out := make([]scoredMember, len(r.List))
		for i, item := range r.List {
			out[i] = scoredMember{item.Text, 1}
		}
		return out, resp.Reply{}
	case "zset":
		texts := flat(c.ask("ZRANGE", key, "0", "-1", "WITHSCORES"))
		out := make([]scoredMember, 0, len(texts)/2)
		for i := 0; i+1 < len(texts); i += 2 {
			f, _ := strconv.ParseFloat(texts[i+1], 64)
			out = append(out, scoredMember{texts[i], f})
		}
		return out, resp.Reply{}
	}
	return nil, resp.Error(errWrongType)
}

// flat returns the texts of a list, of pairs too.
func flat(r resp.Reply) []string {
	var out []string
	for _, item := range r.List {
		if item.Kind == '*' {
			out = append(out, flat(item)...)
		} else {
			out = append(out, item.Text)
		}
	}
	return out
}

// keyList reads numkeys and the keys behind it, from args[at] on.
func keyList(args []string, at int) (keys, rest []string, failure resp.Reply) {
	n, err := strconv.Atoi(args[at])
	switch {
	case err != nil:
		return nil, nil, resp.Error(errNotInteger)
	case n < 1:
		return nil, nil, resp.Error("ERR at least 1 input key is needed for '" + strings.ToLower(args[0]) + "' command")
	case n > len(args)-at-1:
		return nil, nil, resp.Error(errSyntax)
	}
	return args[at+1 : at+1+n], args[at+1+n:], resp.Reply{}
}

// difference is what ZDIFF finds, ordered as a sorted set.
func (c *caller) difference(keys []string) ([]scoredMember, resp.Reply) {
	var result []scoredMember
	for i, key := range keys {
		m, failure := c.members(key)
		if failure.IsError() {
			return nil, failure
		}
		if i == 0 {
			result = m
			continue
		}
		gone := make(map[string]bool, len(m))
		for _, x := range m {
			gone[x.member] = true
		}
		result = slices.DeleteFunc(result, func(x scoredMember) bool { return gone[x.member] })
	}
	slices.SortFunc(result, func(a, b scoredMember) int {
		return cmp.Or(cmp.Compare(a.score, b.score), strings.Compare(a.member, b.member))
	})
	return result, resp.Reply{}
}

func zdiff(k *Keyspace, c *caller, args []string) resp.Reply {
	keys, rest, failure := keyList(args, 1)
	if failure.IsError() {
		return failure
	}
	withScores := len(rest) == 1 && strings.EqualFold(rest[0], "WITHSCORES")
	if len(rest) > 0 && !withScores {
		return resp.Error(errSyntax)
	}
	found, failure := c.difference(keys)
	if failure.IsError() {
		return failure
	}
	out := resp.Array()
	for _, x := range found {
		switch {
		case !withScores:
			out.List = append(out.List, resp.Bulk(x.member))
		case c.p.Resp3:
			out.List = append(out.List, resp.Array(resp.Bulk(x.member), resp.Reply{Kind: ',', Text: k.score(x.score)}))
		default:
			out.List = append(out.List, resp.Bulk(x.member), resp.Bulk(k.score(x.score)))
		}
	}
	return out
}

// replace stores a sorted set under a key, whatever was there.
func (c *caller) replace(key string, members []scoredMember) resp.Reply {
	c.ask("DEL", key)
	for _, x := range members {
		c.ask("ZADD", key, strconv.FormatFloat(x.score, 'g', 17, 64), x.member)
	}
	return resp.Int(len(members))
}

func zdiffstore(k *Keyspace, c *caller, args []string) resp.Reply {
	keys, rest, failure := keyList(args, 2)
	if failure.IsError() {
		return failure
	}
	if len(rest) > 0 {
		return resp.Error(errSyntax)
	}
	found, failure := c.difference(keys)
	if failure.IsError() {
		return failure
	}
	return c.replace(args[1], found)
}

func zintercard(k *Keyspace, c *caller, args []string) resp.Reply {
	keys, rest, failure := keyList(args, 1)
	if failure.IsError() {
		return failure
	}
	var err error
	limit := 0
	switch {
	case len(rest) == 2 && strings.EqualFold(rest[0], "LIMIT"):
		if limit, err = strconv.Atoi(rest[1]); err != nil || limit < 0 {
			return resp.Error("ERR LIMIT can't be negative")
		}
	case len(rest) > 0:
		return resp.Error(errSyntax)
	}
	count := map[string]int{}
	for i, key := range keys {
		m, failure := c.members(key)
		if failure.IsError() {
			return failure
		}
		for _, x := range m {
			if count[x.member] == i {
				count[x.member]++
			}
		}
	}
	found := 0
	for _, n := range count {
		if n == len(keys) {
			found++
		}
	}
	if limit > 0 {
		found = min(found, limit)
	}
	return resp.Int(found)
}

func zrangestore(k *Keyspace, c *caller, args []string) resp.Reply {
	query := append([]string{"ZRANGE"}, args[2:]...)
	if hasOption(query, "WITHSCORES") {
		return resp.Error(errSyntax)
	}
	r := c.ask(query...)
	if r.IsError() {
		return r
	}
	var found []scoredMember
	for _, member := range r.Texts() {
		f, _ := strconv.ParseFloat(c.ask("ZSCORE", args[2], member).Text, 64)
		found = append(found, scoredMember{member, f})
	}
	return c.replace(args[1], found)
}

// zpop is ZPOPMIN and ZPOPMAX: with a count, RESP3 has pairs.
func zpop(k *Keyspace, c *caller, args []string) resp.Reply {
	r := c.ask(args...)
	if len(args) < 3 || !c.p.Resp3 || len(r.List) == 0 || r.List[0].Kind == '*' {
		return r
	}
	var pairs []resp.Reply
	for i := 0; i+1 < len(r.List); i += 2 {
		pairs = append(pairs, resp.Array(r.List[i], r.List[i+1]))
	}
	return resp.Array(pairs...)
}

// stores is a command whose result replaces a key, the argument at: without
// elements there is none.
func stores(at int) handler {
	return func(k *Keyspace, c *caller, args []string) resp.Reply {
		r := c.ask(args...)
		if r.Kind == ':' && r.Int == 0 && len(args) > at {
			c.ask("DEL", args[at])
		}
		return r
	}
}

// zscan is ZSCAN, whose scores are strings in RESP3 too.
func zscan(k *Keyspace, c *caller, args []string) resp.Reply {
	r := c.ask(args...)
	if len(r.List) != 2 {
		return r
	}
	for i := range r.List[1].List {
		if item := &r.List[1].List[i]; i%2 == 1 {
			k.rescore(item)
			item.Kind = '$'
		}
	}
	return r
}
