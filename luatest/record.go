package luatest

// This file implements what a test can look at: the log, the calls that
// scripts made, the keys.

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/engine"
	"github.com/luagen/luagen/internal/engine/resp"
)

// LogLine is a message of redis.log.
type LogLine struct {
	Level   string // debug, verbose, notice or warning
	Message string
}

// Call is a command that a script ran.
type Call struct {
	Script string // the script's SHA-1, or the function's name
	Args   []string
	Reply  string // on one line, strings quoted as Go does
}

// String returns the call on one line: SET "k" "v" -> OK.
func (c Call) String() string {
	var b strings.Builder
	for i, a := range c.Args {
		if i == 0 {
			b.WriteString(strings.ToUpper(a))
		} else {
			b.WriteString(" " + strconv.Quote(a))
		}
	}
	return b.String() + " -> " + c.Reply
}

func (s *Server) addLog(level int, message string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.log = append(s.log, LogLine{[]string{"debug", "verbose", "notice", "warning"}[level], message})
}

func (s *Server) addCall(c engine.Call) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, Call{c.Script, slices.Clone(c.Args), c.Reply.String()})
}

// Log returns what scripts passed to redis.log since the last call of Log.
func (s *Server) Log() []LogLine {
	s.t.Helper()
	s.embeddedOnly("Log")
	s.mu.Lock()
	defer s.mu.Unlock()
	log := s.log
	s.log = nil
	return log
}

// Calls returns the commands that scripts ran since the last call of Calls.
func (s *Server) Calls() []Call {
	s.t.Helper()
	s.embeddedOnly("Calls")
	s.mu.Lock()
	defer s.mu.Unlock()
	calls := s.calls
	s.calls = nil
	return calls
}

// do runs a command on database 0 of the server.
func (s *Server) do(args ...string) resp.Reply {
	s.t.Helper()
	if s.engine != nil {
		c := s.engine.Connect()
		defer c.Close()
		return c.Do(args...)
	}
	c := redis.NewClient(s.real)
	defer func() { _ = c.Close() }()
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = a
	}
	v, err := c.Do(context.Background(), list...).Result()
	if err != nil && err != redis.Nil {
		if _, ok := err.(redis.Error); !ok {
			s.t.Fatalf("luatest: %v", err)
		}
		return resp.Error(err.Error())
	}
	return replyOf(v)
}

// replyOf turns a value of go-redis into a reply.
func replyOf(v any) resp.Reply {
	switch v := v.(type) {
	case nil:
		return resp.Nil()
	case string:
		return resp.Bulk(v)
	case int64:
		return resp.Int(int(v))
	case error:
		return resp.Error(v.Error())
	case []any:
		r := resp.Array()
		for _, item := range v {
			r.List = append(r.List, replyOf(item))
		}
		return r
	case map[any]any:
		r := resp.Array()
		for key, item := range v {
			r.List = append(r.List, replyOf(key), replyOf(item))
		}
		return r
	}
	return resp.Bulk(fmt.Sprint(v))
}

// valueOf turns a reply into the value that Run returns.
func valueOf(r resp.Reply) any {
	switch r.Kind {
	case ':':
		return r.Int
	case '#':
		return r.Int == 1
	case '_':
		return nil
	case '-':
		return Error(r.Text)
	case '*', '~', '>', '%':
		list := make([]any, len(r.List))
		for i, item := range r.List {
			list[i] = valueOf(item)
		}
		return list
	}
	return r.Text
}

// Dump returns a picture of database 0, the same for the same keys: a line for
// each key, sorted, with its type, its value and its time to live. Golden files
// can hold it.
//
//	lock:1  string  "token"  ttl 10s
//	jobs    list    "a" "b"
//	user:7  hash    name="x" seen="3"
func (s *Server) Dump() string {
	s.t.Helper()
	keys := s.do("KEYS", "*").Texts()
	slices.Sort(keys)
	rows := make([][3]string, len(keys))
	width := [2]int{}
	for i, key := range keys {
		kind := s.do("TYPE", key).Text
		rows[i] = [3]string{name(key), kind, s.value(key, kind)}
		if ms := s.do("PTTL", key).Int; ms >= 0 {
			rows[i][2] += "  ttl " + (time.Duration(ms) * time.Millisecond).String()
		}
		width[0], width[1] = max(width[0], len(rows[i][0])), max(width[1], len(kind))
	}
	var b strings.Builder
	for _, row := range rows {
		fmt.Fprintf(&b, "%-*s  %-*s  %s\n", width[0], row[0], width[1], row[1], row[2])
	}
	return b.String()
}

// name shows a key as it is, or quoted where that would not read well.
func name(key string) string {
	if q := strconv.Quote(key); key == "" || q != `"`+key+`"` || strings.Contains(key, " ") {
		return q
	}
	return key
}

// value shows what a key holds.
func (s *Server) value(key, kind string) string {
	switch kind {
	case "string":
		return strconv.Quote(s.do("GET", key).Text)
	case "list":
		return quoted(s.do("LRANGE", key, "0", "-1").Texts())
	case "set":
		members := s.do("SMEMBERS", key).Texts()
		slices.Sort(members)
		return quoted(members)
	case "hash":
		return pairs(s.do("HGETALL", key).Texts(), true)
	case "zset":
		return pairs(s.do("ZRANGE", key, "0", "-1", "WITHSCORES").Texts(), false)
	case "stream":
		var parts []string
		for _, entry := range s.do("XRANGE", key, "-", "+").List {
			parts = append(parts, entry.List[0].Text+"{"+pairs(entry.List[1].Texts(), false)+"}")
		}
		return strings.Join(parts, " ")
	}
	return "?"
}

func quoted(list []string) string {
	out := make([]string, len(list))
	for i, v := range list {
		out[i] = strconv.Quote(v)
	}
	return strings.Join(out, " ")
}

// pairs shows fields and values in turn; sorted by field where the order means
// nothing.
func pairs(list []string, sorted bool) string {
	var parts []string
	for i := 0; i+1 < len(list); i += 2 {
		parts = append(parts, name(list[i])+"="+strconv.Quote(list[i+1]))
	}
	if sorted {
		slices.Sort(parts)
	}
	return strings.Join(parts, " ")
}
