package keyspace

// This file implements SORT and SORT_RO.

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/engine/lualib"
	"github.com/luagen/luagen/internal/engine/resp"
)

// sortQuery is what SORT is asked for.
type sortQuery struct {
	by            string
	get           []string
	offset, count int
	desc, alpha   bool
	store         string
	unsorted      bool
}

func parseSort(args []string) (q sortQuery, failure resp.Reply) {
	q.count = -1
	for i := 2; i < len(args); i++ {
		left := len(args) - i - 1
		switch word := strings.ToUpper(args[i]); {
		case word == "ASC":
			q.desc = false
		case word == "DESC":
			q.desc = true
		case word == "ALPHA":
			q.alpha = true
		case word == "LIMIT" && left >= 2:
			var err1, err2 error
			q.offset, err1 = strconv.Atoi(args[i+1])
			q.count, err2 = strconv.Atoi(args[i+2])
			if err1 != nil || err2 != nil {
				return q, resp.Error(errNotInteger)
			}
			i += 2
		case word == "STORE" && left >= 1 && !strings.EqualFold(args[0], "SORT_RO"):
			i++
			q.store = args[i]
		case word == "BY" && left >= 1:
			i++
			q.by = args[i]
			q.unsorted = !strings.Contains(q.by, "*")
		case word == "GET" && left >= 1:
			i++
			q.get = append(q.get, args[i])
		default:
			return q, resp.Error(errSyntax)
		}
	}
	return q, resp.Reply{}
}

// sortKey is SORT key [BY p] [LIMIT o n] [GET p]… [ASC|DESC] [ALPHA] [STORE k].
func sortKey(k *Keyspace, c *caller, args []string) resp.Reply {
	q, failure := parseSort(args)
	if failure.IsError() {
		return failure
	}
	var items []string
	switch c.kind(args[1]) {
	case "none":
	case "list":
		items = c.ask("LRANGE", args[1], "0", "-1").Texts()
	case "set":
		items = c.ask("SMEMBERS", args[1]).Texts()
		if q.unsorted && q.store != "" {
			q.unsorted, q.alpha, q.by = false, true, ""
		}
	case "zset":
		items = c.ask("ZRANGE", args[1], "0", "-1").Texts()
		if q.unsorted && q.desc {
			slices.Reverse(items)
		}
	default:
		return resp.Error(errWrongType)
	}
	if !q.unsorted {
		if failure := c.sortItems(items, q); failure.IsError() {
			return failure
		}
	}
	from := min(max(q.offset, 0), len(items))
	to := len(items)
	if q.count >= 0 {
		to = min(from+q.count, len(items))
	}
	var out []resp.Reply
	for _, item := range items[from:to] {
		if len(q.get) == 0 {
			out = append(out, resp.Bulk(item))
		}
		for _, pattern := range q.get {
			out = append(out, c.lookup(pattern, item))
		}
	}
	if q.store == "" {
		return resp.Array(out...)
	}
	c.ask("DEL", q.store)
	for _, r := range out {
		c.ask("RPUSH", q.store, r.Text)
	}
	return resp.Int(len(out))
}

func (c *caller) sortItems(items []string, q sortQuery) resp.Reply {
	type weighed struct {
		item, text string
		number     float64
		none       bool
	}
	list := make([]weighed, len(items))
	for i, item := range items {
		w := weighed{item: item, text: item}
		if q.by != "" {
			r := c.lookup(q.by, item)
			w.text, w.none = r.Text, r.Kind == '_'
		}
		if !q.alpha && !w.none {
			numeral, _, _ := strings.Cut(w.text, "\x00") // as C reads it
			f, ok := lualib.ParseNumber(numeral)
			if !ok && numeral != "" || f != f {
				return resp.Error("ERR One or more scores can't be converted into double")
			}
			w.number = f
		}
		list[i] = w
	}
	slices.SortStableFunc(list, func(a, b weighed) int {
		order := 0
		switch {
		case !q.alpha:
			order = cmp.Compare(a.number, b.number)
		case a.none || b.none:
			order = cmp.Compare(btoi(!a.none), btoi(!b.none))
		default:
			order = strings.Compare(a.text, b.text)
		}
		if order == 0 && (!q.alpha || q.by != "") {
			order = strings.Compare(a.item, b.item)
		}
		if q.desc {
			return -order
		}
		return order
	})
	for i := range list {
		items[i] = list[i].item
	}
	return resp.Reply{}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// lookup reads what a pattern of BY or GET stands for.
func (c *caller) lookup(pattern, item string) resp.Reply {
	if pattern == "#" {
		return resp.Bulk(item)
	}
	prefix, suffix, ok := strings.Cut(pattern, "*")
	if !ok {
		return resp.Nil()
	}
	field := ""
	if at := strings.Index(suffix, "->"); at >= 0 && at+2 < len(suffix) {
		suffix, field = suffix[:at], suffix[at+2:]
	}
	key := prefix + item + suffix
	var r resp.Reply
	if field != "" {
		r = c.ask("HGET", key, field)
	} else {
		r = c.ask("GET", key)
	}
	if r.IsError() {
		return resp.Nil()
	}
	return r
}
