package keyspace

// This file implements the order in which commands on lists look at their
// arguments: the key first.

import "github.com/luagen/luagen/internal/engine/resp"

func listIndex(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) == 3 {
		switch c.kind(args[1]) {
		case "none":
			return resp.Nil()
		case "list":
		default:
			return resp.Error(errWrongType)
		}
	}
	return c.ask(args...)
}

func listSet(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) == 4 {
		switch c.kind(args[1]) {
		case "none":
			return resp.Error("ERR no such key")
		case "list":
		default:
			return resp.Error(errWrongType)
		}
	}
	return c.ask(args...)
}
