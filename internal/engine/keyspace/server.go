package keyspace

// This file implements what is asked of the server itself, and of keys in
// general.

import (
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/engine/resp"
)

func commandInfo(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) == 2 && strings.EqualFold(args[1], "COUNT") {
		n := 0
		all := command.All()
		for i := range all {
			if all[i].On(k.target).Exists && !strings.Contains(all[i].Name, " ") {
				n++
			}
		}
		return resp.Int(n)
	}
	return c.ask(args...)
}

func clusterInfo(k *Keyspace, c *caller, args []string) resp.Reply {
	if !k.cluster {
		return resp.Error("ERR This instance has cluster support disabled")
	}
	return c.ask(args...)
}

func migrate(*Keyspace, *caller, []string) resp.Reply { return resp.Status("NOKEY") }

func nobodyListens(*Keyspace, *caller, []string) resp.Reply { return resp.Int(0) }

// object is OBJECT: how Redis would keep a key.
func object(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) < 3 {
		return c.ask(args...)
	}
	sub := strings.ToUpper(args[1])
	kind := c.kind(args[2])
	switch {
	case kind == "none" && (sub == "ENCODING" || sub == "REFCOUNT" || sub == "IDLETIME" || sub == "FREQ"):
		return resp.Nil()
	case sub == "ENCODING":
		return resp.Bulk(k.encoding(c, args[2], kind))
	case sub == "REFCOUNT":
		if n, err := strconv.Atoi(c.ask("GET", args[2]).Text); kind == "string" && err == nil && n >= 0 && n < 10000 {
			return resp.Int(1<<31 - 1)
		}
		return resp.Int(1)
	case sub == "FREQ":
		return resp.Error("ERR An LFU maxmemory policy is not selected, access frequency not tracked. Please note that when " +
			"switching between policies at runtime LRU and LFU data will take some time to adjust.")
	}
	return c.ask(args...)
}

// encoding names the form in which Redis keeps a key of this size.
func (k *Keyspace) encoding(c *caller, key, kind string) string {
	small := func(items []string, count int) bool {
		if len(items) > count {
			return false
		}
		for _, s := range items {
			if len(s) > 64 {
				return false
			}
		}
		return true
	}
	switch kind {
	case "string":
		s := c.ask("GET", key).Text
		switch {
		case isInteger(s):
			return "int"
		case len(s) <= 44:
			return "embstr"
		}
		return "raw"
	case "list":
		if k.target.AtLeast(7, 2) && small(c.ask("LRANGE", key, "0", "-1").Texts(), 128) {
			return "listpack"
		}
		return "quicklist"
	case "hash":
		if items := flat(c.ask("HGETALL", key)); small(items, 2*512) {
			return k.packed()
		}
		return "hashtable"
	case "set":
		items := c.ask("SMEMBERS", key).Texts()
		integers := len(items) <= 512
		for _, s := range items {
			integers = integers && isInteger(s)
		}
		switch {
		case integers:
			return "intset"
		case k.target.AtLeast(7, 2) && small(items, 128):
			return "listpack"
		}
		return "hashtable"
	case "zset":
		if small(c.ask("ZRANGE", key, "0", "-1").Texts(), 128) {
			return k.packed()
		}
		return "skiplist"
	}
	return kind
}

func (k *Keyspace) packed() string {
	if k.target.AtLeast(7, 0) {
		return "listpack"
	}
	return "ziplist"
}

// config answers CONFIG with as little as clients can live with.
func config(k *Keyspace, c *caller, args []string) resp.Reply {
	switch strings.ToUpper(args[min(1, len(args)-1)]) {
	case "GET":
		return resp.Reply{Kind: '%'}
	case "SET", "RESETSTAT", "REWRITE":
		return resp.Status("OK")
	}
	return resp.Error("ERR unknown subcommand '" + args[1] + "'. Try CONFIG HELP.")
}

// setID is XSETID: adding and removing an entry with the id moves a stream's
// last id there.
func setID(k *Keyspace, c *caller, args []string) resp.Reply {
	switch c.kind(args[1]) {
	case "none":
		return resp.Error("ERR no such key")
	case "stream":
	default:
		return resp.Error(errWrongType)
	}
	if r := c.ask("XADD", args[1], args[2], "x", "x"); r.IsError() {
		return resp.Error("ERR The ID specified in XSETID is smaller than the target stream top item")
	}
	c.ask("XDEL", args[1], args[2])
	return resp.Status("OK")
}

// ttl is TTL: whole seconds, rounded to the nearest.
func ttl(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) != 2 {
		return c.ask(args...)
	}
	r := c.ask("PTTL", args[1])
	if r.Int >= 0 {
		r.Int = (r.Int + 500) / 1000
	}
	return r
}

// trim is XTRIM, which cannot keep less than nothing.
func trim(k *Keyspace, c *caller, args []string) resp.Reply {
	for i := 2; i < len(args); i++ {
		if n, err := strconv.Atoi(args[i]); strings.EqualFold(args[2], "MAXLEN") && err == nil && n < 0 {
			return resp.Error("ERR The MAXLEN argument must be >= 0.")
		}
	}
	return c.ask(args...)
}
