package keyspace

// This file implements the order of a hash's fields: the order in which they
// came, which Redis keeps for small hashes and miniredis does not.

import (
	"slices"
	"strconv"

	"github.com/alicebob/miniredis/v2/server"

	"github.com/luagen/luagen/internal/engine/resp"
)

// hashKey names a hash of the server.
type hashKey struct {
	db  int
	key string
}

// database returns the database that a peer has selected.
func (k *Keyspace) database(p *server.Peer) int { return k.selected[p] }

// selects notes that a peer selected a database.
func (k *Keyspace) selects(p *server.Peer, text string) {
	n, err := strconv.Atoi(text)
	if err != nil {
		return
	}
	if _, known := k.selected[p]; !known {
		p.OnDisconnect(func() { delete(k.selected, p) })
	}
	k.selected[p] = n
}

func (c *caller) hash(key string) hashKey { return hashKey{c.k.database(c.p), key} }

// addFields notes the fields that a command is about to set.
func (c *caller) addFields(key string, fields []string) {
	h := c.hash(key)
	order := c.k.hashes[h]
	if len(order) > 0 && c.kind(key) != "hash" {
		order = nil
	}
	order = slices.Clip(order)
	for _, f := range fields {
		if !slices.Contains(order, f) {
			order = append(order, f)
		}
	}
	c.k.hashes[h] = order
}

func hashSet(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) >= 4 && len(args)%2 == 0 {
		var fields []string
		for i := 2; i < len(args); i += 2 {
			fields = append(fields, args[i])
		}
		return c.setFields(args, fields)
	}
	return c.ask(args...)
}

// setFields runs a command that sets fields, and notes them if it did.
func (c *caller) setFields(args, fields []string) resp.Reply {
	h := c.hash(args[1])
	old := c.k.hashes[h]
	c.addFields(args[1], fields)
	r := c.ask(args...)
	if r.IsError() {
		c.k.hashes[h] = old
	}
	return r
}

func hashSetOne(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) > 2 {
		return c.setFields(args, args[2:3])
	}
	return c.ask(args...)
}

func hashIncrFloat(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) != 4 {
		return c.ask(args...)
	}
	if _, failure := addFloats("0", args[3], errNotFloat, "ERR value is NaN or Infinity"); failure != "" {
		return resp.Error(failure)
	}
	old := c.ask("HGET", args[1], args[2])
	if old.IsError() {
		return old
	}
	text, failure := addFloats(old.Text, args[3], "ERR hash value is not a float", "ERR value is NaN or Infinity")
	if failure != "" {
		return resp.Error(failure)
	}
	c.addFields(args[1], args[2:3])
	c.ask("HSET", args[1], args[2], text)
	return resp.Bulk(text)
}

func hashDelete(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) > 2 {
		h := c.hash(args[1])
		k.hashes[h] = slices.DeleteFunc(k.hashes[h], func(f string) bool { return slices.Contains(args[2:], f) })
	}
	return c.ask(args...)
}

// inOrder returns the fields of a hash and their values, by field.
func (c *caller) inOrder(key string) (fields []string, values map[string]string, failure resp.Reply) {
	r := c.ask("HGETALL", key)
	if r.IsError() {
		return nil, nil, r
	}
	values = make(map[string]string, len(r.List)/2)
	for i := 0; i+1 < len(r.List); i += 2 {
		values[r.List[i].Text] = r.List[i+1].Text
	}
	seen := make(map[string]bool, len(values))
	for _, f := range c.k.hashes[c.hash(key)] {
		if _, ok := values[f]; ok {
			fields = append(fields, f)
			seen[f] = true
		}
	}
	for i := 0; i < len(r.List); i += 2 {
		if f := r.List[i].Text; !seen[f] {
			fields = append(fields, f)
		}
	}
	return fields, values, resp.Reply{}
}

func hashGetAll(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) != 2 {
		return c.ask(args...)
	}
	fields, values, failure := c.inOrder(args[1])
	if failure.IsError() {
		return failure
	}
	r := resp.Reply{Kind: '%'}
	for _, f := range fields {
		r.List = append(r.List, resp.Bulk(f), resp.Bulk(values[f]))
	}
	return r
}

func hashKeys(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) != 2 {
		return c.ask(args...)
	}
	fields, _, failure := c.inOrder(args[1])
	if failure.IsError() {
		return failure
	}
	return resp.Bulks(fields...)
}

func hashValues(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) != 2 {
		return c.ask(args...)
	}
	fields, values, failure := c.inOrder(args[1])
	if failure.IsError() {
		return failure
	}
	for i, f := range fields {
		fields[i] = values[f]
	}
	return resp.Bulks(fields...)
}

// hashScan puts the fields of a scan that found all into their order.
func hashScan(k *Keyspace, c *caller, args []string) resp.Reply {
	r := c.ask(args...)
	if len(args) < 3 || len(r.List) != 2 || r.List[0].Text != "0" || args[2] != "0" {
		return r
	}
	found := r.List[1].List
	values := map[string]resp.Reply{}
	for i := 0; i+1 < len(found); i += 2 {
		values[found[i].Text] = found[i+1]
	}
	fields, _, failure := c.inOrder(args[1])
	if failure.IsError() {
		return r
	}
	sorted := make([]resp.Reply, 0, len(found))
	for _, f := range fields {
		if v, ok := values[f]; ok {
			sorted = append(sorted, resp.Bulk(f), v)
		}
	}
	if len(sorted) == len(found) {
		r.List[1].List = sorted
	}
	return r
}

// rename carries the order of a hash to its new name.
func rename(k *Keyspace, c *caller, args []string) resp.Reply {
	r := c.ask(args...)
	if len(args) >= 3 && !r.IsError() && (r.Kind == '+' || r.Int == 1) {
		if order, ok := k.hashes[c.hash(args[1])]; ok {
			k.hashes[c.hash(args[2])] = slices.Clone(order)
			if args[0] != "COPY" {
				delete(k.hashes, c.hash(args[1]))
			}
		}
	}
	return r
}

// hashRandom is HRANDFIELD: RESP3 has pairs of fields and values.
func hashRandom(k *Keyspace, c *caller, args []string) resp.Reply {
	r := c.ask(args...)
	if r.Kind != '%' {
		return r
	}
	var pairs []resp.Reply
	for i := 0; i+1 < len(r.List); i += 2 {
		pairs = append(pairs, resp.Array(r.List[i], r.List[i+1]))
	}
	return resp.Array(pairs...)
}
