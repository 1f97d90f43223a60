// Package snapshot takes pictures of keys and tells what differs between two.
package snapshot

// This file implements pictures of keys.

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/luagen/luagen/internal/engine/resp"
)

// Do runs a command, on a server of any kind.
type Do func(args ...string) resp.Reply

// Entry is a key that is there.
type Entry struct {
	Type string // string, list, set, hash, zset, stream, or what a module calls its own
	// Value depends on the type: a string; the strings of a list, or those of
	// a set in order; arrays of two of a hash, by field, or of a sorted set with
	// its scores, by score; arrays of an ID and such fields of a stream. It is
	// nil for any other type.
	Value resp.Reply
	TTL   time.Duration // negative when the key stays
}

// Snapshot is a picture of some keys. Those that are not there are not in it.
type Snapshot map[string]Entry

// Keys takes a picture of the keys with these names.
func Keys(do Do, names []string) Snapshot {
	s := Snapshot{}
	for _, name := range names {
		if _, done := s[name]; done {
			continue
		}
		kind := do("TYPE", name).Text
		if kind == "none" {
			continue
		}
		e := Entry{Type: kind, Value: value(do, name, kind), TTL: -1}
		if ms := do("PTTL", name).Int; ms >= 0 {
			e.TTL = time.Duration(ms) * time.Millisecond
		}
		s[name] = e
	}
	return s
}

// All takes a picture of all keys of the database in use. KEYS finds them,
// which is not for a server that others use.
func All(do Do) Snapshot { return Keys(do, do("KEYS", "*").Texts()) }

// value reads what a key holds.
func value(do Do, name, kind string) resp.Reply {
	switch kind {
	case "string":
		return do("GET", name)
	case "list":
		return do("LRANGE", name, "0", "-1")
	case "set":
		members := do("SMEMBERS", name)
		slices.SortFunc(members.List, byText)
		return members
	case "hash":
		fields := pairs(do("HGETALL", name))
		slices.SortFunc(fields.List, func(a, b resp.Reply) int { return byText(a.List[0], b.List[0]) })
		return fields
	case "zset":
		return pairs(do("ZRANGE", name, "0", "-1", "WITHSCORES"))
	case "stream":
		entries := do("XRANGE", name, "-", "+")
		for i, e := range entries.List {
			if len(e.List) == 2 {
				entries.List[i] = resp.Array(e.List[0], pairs(e.List[1]))
			}
		}
		return entries
	}
	return resp.Nil()
}

func byText(a, b resp.Reply) int { return cmp.Compare(a.Text, b.Text) }

// pairs makes arrays of two of an array in which two belong together.
func pairs(flat resp.Reply) resp.Reply {
	r := resp.Array()
	for i := 0; i+1 < len(flat.List); i += 2 {
		r.List = append(r.List, resp.Array(flat.List[i], flat.List[i+1]))
	}
	return r
}

// String shows the entry on one line: string "token" ttl 10s.
func (e Entry) String() string { return e.Type + " " + e.Text() + e.Expiry() }

// Expiry shows the time to live with a blank in front; it is empty for a key
// that stays.
func (e Entry) Expiry() string {
	if e.TTL < 0 {
		return ""
	}
	return " ttl " + e.TTL.String()
}

// Text shows the value on one line: "a" "b" for a list, a="1" b="2" for a hash.
func (e Entry) Text() string {
	switch e.Type {
	case "string":
		return strconv.Quote(e.Value.Text)
	case "list", "set":
		return join(e.Value.List, func(r resp.Reply) string { return strconv.Quote(r.Text) })
	case "hash", "zset":
		return join(e.Value.List, pair)
	case "stream":
		return join(e.Value.List, func(r resp.Reply) string { return r.List[0].Text + "{" + join(r.List[1].List, pair) + "}" })
	}
	return "?"
}

func join(list []resp.Reply, show func(resp.Reply) string) string {
	parts := make([]string, len(list))
	for i, r := range list {
		parts[i] = show(r)
	}
	return strings.Join(parts, " ")
}

func pair(r resp.Reply) string { return Name(r.List[0].Text) + "=" + strconv.Quote(r.List[1].Text) }

// Name shows a key or field as it is, or quoted where that would not read well.
func Name(text string) string {
	if q := strconv.Quote(text); text == "" || q != `"`+text+`"` || strings.Contains(text, " ") {
		return q
	}
	return text
}

// Change is a key that differs between two pictures. A nil entry stands for no
// key.
type Change struct {
	Key           string
	Before, After *Entry
}

// Diff returns what differs, sorted by key. A time to live that only ran down
// by what passed between the pictures is no difference.
func Diff(before, after Snapshot, passed time.Duration) []Change {
	names := maps.Clone(before)
	maps.Copy(names, after)
	var changes []Change
	for _, name := range slices.Sorted(maps.Keys(names)) {
		a, isBefore := before[name]
		b, isAfter := after[name]
		c := Change{Key: name}
		if isBefore {
			c.Before = &a
		}
		if isAfter {
			c.After = &b
		}
		if isBefore && isAfter && a.Type == b.Type && same(a.TTL, b.TTL, passed) && a.Value.String() == b.Value.String() {
			continue
		}
		changes = append(changes, c)
	}
	return changes
}

func same(before, after, passed time.Duration) bool {
	if before < 0 || after < 0 {
		return before < 0 && after < 0
	}
	return after <= before && before-after <= passed
}

// String shows the change on one line, the key with + for a new one, - for one
// that is gone and ~ for one that differs:
//
//   - lock string "token" ttl 10s
//   - queue list "a" "b"
//     ~ hits string "1" -> "2"
//     ~ user hash seen="3" -> "4" +mail="x" -age
//
// Of a set, hash or sorted set that stays one, only the elements that differ
// are shown.
func (c Change) String() string {
	name := Name(c.Key)
	switch {
	case c.Before == nil:
		return "+ " + name + " " + c.After.String()
	case c.After == nil:
		return "- " + name + " " + c.Before.String()
	case c.Before.Type != c.After.Type:
		return "~ " + name + " " + c.Before.String() + " -> " + c.After.String()
	}
	parts := []string{"~ " + name + " " + c.Before.Type}
	was, is := c.Before.Text(), c.After.Text()
	switch {
	case was == is:
	case c.Before.Type == "set" || c.Before.Type == "hash" || c.Before.Type == "zset":
		parts = append(parts, elements(c.Before.Value.List, c.After.Value.List)...)
	default:
		parts = append(parts, was, "->", is)
	}
	if was, is := c.Before.Expiry(), c.After.Expiry(); was != is {
		parts = append(parts, "ttl", expiry(c.Before), "->", expiry(c.After))
	}
	return strings.Join(parts, " ")
}

func expiry(e *Entry) string {
	if e.TTL < 0 {
		return "none"
	}
	return e.TTL.String()
}

// elements shows what differs between the members or pairs of two values.
func elements(before, after []resp.Reply) []string {
	key := func(r resp.Reply) string {
		if len(r.List) == 2 {
			return r.List[0].Text
		}
		return r.Text
	}
	show := func(r resp.Reply) string {
		if len(r.List) == 2 {
			return pair(r)
		}
		return strconv.Quote(r.Text)
	}
	old := map[string]resp.Reply{}
	for _, r := range before {
		old[key(r)] = r
	}
	var parts []string
	for _, r := range after {
		was, there := old[key(r)]
		delete(old, key(r))
		switch {
		case !there:
			parts = append(parts, "+"+show(r))
		case was.String() != r.String():
			parts = append(parts, show(was)+" -> "+strconv.Quote(r.List[1].Text))
		}
	}
	for _, r := range before {
		if _, gone := old[key(r)]; gone {
			parts = append(parts, "-"+show(r))
		}
	}
	return parts
}
