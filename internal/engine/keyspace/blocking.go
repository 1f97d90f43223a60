package keyspace

// This file implements commands that wait for data, as tries that do not.

import (
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2/server"

	"github.com/luagen/luagen/internal/engine/resp"
)

// Wait is a command that waits until there is something for it.
type Wait struct {
	Timeout time.Duration // 0 waits for ever
	Try     func() (r resp.Reply, done bool)
	None    resp.Reply // the answer when the time is over
}

const (
	errTimeout  = "ERR timeout is not a float or out of range"
	errNegative = "ERR timeout is negative"
)

// Waits tells whether a peer's command waits, and how. A command with mistakes
// does not: running it gives the error.
func (k *Keyspace) Waits(p *server.Peer, args []string) (Wait, bool) {
	c := &caller{k, p}
	timeout, found := timeoutOf(args)
	if !found {
		return Wait{}, false
	}
	d, failure := parseTimeout(args[0], timeout)
	if failure != "" {
		return Wait{}, false
	}
	args = c.fixIDs(args)
	return Wait{Timeout: d, None: nothingFor(args[0]), Try: func() (resp.Reply, bool) {
		r := c.try(args)
		if where, ok := scored[args[0]]; ok && (k.oldScores || p.Resp3) {
			r = k.fixScores(r, where, args, p.Resp3)
		}
		return r, r.Kind != '_'
	}}, true
}

// timeoutOf returns the argument that says how long a command waits.
func timeoutOf(args []string) (string, bool) {
	switch args[0] {
	case "BLPOP", "BRPOP", "BLMOVE", "BRPOPLPUSH", "BZPOPMIN", "BZPOPMAX":
		if len(args) > 2 {
			return args[len(args)-1], true
		}
	case "BLMPOP", "BZMPOP":
		if len(args) > 4 {
			return args[1], true
		}
	case "XREAD", "XREADGROUP":
		if i := blockOption(args); i > 0 {
			return args[i+1], true
		}
	}
	return "", false
}

// blockOption finds BLOCK before STREAMS; 0 without it.
func blockOption(args []string) int {
	for i := 1; i+1 < len(args); i++ {
		switch strings.ToUpper(args[i]) {
		case "BLOCK":
			return i
		case "STREAMS":
			return 0
		}
	}
	return 0
}

func parseTimeout(name, text string) (time.Duration, string) {
	unit := float64(time.Second)
	if name[0] == 'X' {
		unit = float64(time.Millisecond)
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil || math.IsNaN(f) || f*unit > math.MaxInt64:
		return 0, errTimeout
	case f < 0:
		return 0, errNegative
	}
	return time.Duration(f * unit), ""
}

func nothingFor(name string) resp.Reply {
	if name == "BLMOVE" || name == "BRPOPLPUSH" {
		return resp.Nil()
	}
	return resp.NilArray()
}

// fixIDs replaces the id $ of XREAD by the last one there is now.
func (c *caller) fixIDs(args []string) []string {
	if args[0] != "XREAD" {
		return args
	}
	for i, a := range args {
		if !strings.EqualFold(a, "STREAMS") {
			continue
		}
		out := append([]string(nil), args...)
		n := (len(args) - i - 1) / 2
		for j := range n {
			if at := i + 1 + n + j; out[at] == "$" {
				out[at] = "0-0"
				if last := c.ask("XREVRANGE", out[i+1+j], "+", "-", "COUNT", "1"); len(last.List) == 1 {
					out[at] = last.List[0].List[0].Text
				}
			}
		}
		return out
	}
	return args
}

// tryOnce is a command that waits, where nothing waits: in a script or a
// transaction.
func tryOnce(k *Keyspace, c *caller, args []string) resp.Reply {
	name := upper(args[0])
	if timeout, ok := timeoutOf(append([]string{name}, args[1:]...)); ok {
		if _, failure := parseTimeout(name, timeout); failure != "" {
			return resp.Error(failure)
		}
	}
	r := c.try(append([]string{name}, args[1:]...))
	if r.Kind == '_' {
		return nothingFor(name)
	}
	return r
}

// try runs the form of a command that does not wait; nil is nothing.
func (c *caller) try(args []string) resp.Reply {
	switch name := args[0]; name {
	case "BLPOP", "BRPOP", "BZPOPMIN", "BZPOPMAX":
		for _, key := range args[1 : len(args)-1] {
			r := c.ask(name[1:], key)
			switch {
			case r.IsError():
				return r
			case r.Kind == '$':
				return resp.Array(resp.Bulk(key), r)
			case len(r.List) > 0:
				texts := flat(r)
				return resp.Array(resp.Bulk(key), resp.Bulk(texts[0]), resp.Bulk(texts[1]))
			}
		}
		return resp.Nil()
	case "BLMOVE", "BRPOPLPUSH":
		return c.ask(append([]string{name[1:]}, args[1:len(args)-1]...)...)
	case "BLMPOP", "BZMPOP":
		return c.ask(append([]string{name[1:]}, args[2:]...)...)
	}
	if i := blockOption(args); i > 0 {
		args = append(append([]string(nil), args[:i]...), args[i+2:]...)
	}
	r := c.ask(args...)
	if len(r.List) == 0 && !r.IsError() {
		return resp.Nil()
	}
	return r
}

// readStreams is XREAD and XREADGROUP: RESP3 has a map of the streams.
func readStreams(k *Keyspace, c *caller, args []string) resp.Reply {
	r := tryOnce(k, c, args)
	if !c.p.Resp3 || r.Kind != '*' {
		return r
	}
	m := resp.Reply{Kind: '%'}
	for _, stream := range r.List {
		m.List = append(m.List, stream.List...)
	}
	return m
}
