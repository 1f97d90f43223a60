package rules

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/redistest"
)

// proof says what a server shows of a rule's examples. Replies are compared as
// fmt prints them; an error's text is searched.
type proof struct {
	setup     string // commands, one a line
	args      []any
	bad, good string
}

const fails = "error: "

// proofs are of the rules that say that something fails or lies.
var proofs = map[string]proof{
	"reply-nil-compare":                 {bad: "<nil>", good: "missing"},
	"unknown-command":                   {bad: fails + "Unknown Redis command", good: "<nil>"},
	"wrong-arity":                       {bad: fails + "Wrong number of args", good: "OK"},
	"command-not-allowed":               {bad: fails + "not allowed from script", good: "<nil>"},
	"undefined-global":                  {bad: fails + "nonexistent global variable 'limt'", good: "OK", args: []any{"5"}},
	"global-write":                      {bad: fails + "Attempt to modify a readonly table", good: "1"},
	"unknown-member":                    {bad: fails + "attempt to call field 'unpack'", good: "0"},
	"argv-ordered-compare":              {bad: fails + "attempt to compare", good: "1", args: []any{"6"}},
	"string-number-equality":            {setup: "SET k 0", bad: "full", good: "empty"},
	"integer-reply-as-boolean":          {bad: "there", good: "missing"},
	"status-reply-compared-with-string": {setup: "HSET k f v", bad: "0", good: "1"},
	"nil-hole-return":                   {bad: "[1]", good: "[1 <nil> <nil>]"},
	"keyed-table-return":                {bad: "[]", good: "[1 a]"},
	"float-return":                      {bad: "3", good: "3.3333333333333", args: []any{"10"}},
	"hgetall-as-map":                    {setup: "HSET k name ann", bad: "<nil>", good: "ann"},
	"false-in-array-arith":              {bad: fails + "attempt to perform arithmetic", good: "0"},
	"concat-reply":                      {bad: fails + "attempt to concatenate", good: "id:"},
	"unguarded-tonumber":                {bad: fails + "attempt to perform arithmetic", good: "1"},
	"pcall-result-unchecked":            {setup: "SET k string", bad: "ok", good: "failed"},
	"nil-command-argument":              {bad: fails + "arguments must be strings or integers", good: "0"},
	"non-integer-argument":              {setup: "SET k v", bad: fails + "not an integer", good: "1", args: []any{"1500"}},
	"write-in-readonly":                 {bad: fails + "Write commands are not allowed", good: "<nil>"},
	"version-gated-api":                 {bad: fails + "Unknown Redis command", good: "0"},
	"server-alias":                      {bad: fails + "nonexistent global variable 'server'", good: "<nil>"},
	"cjson-missing-api":                 {bad: fails + "attempt to call field", good: "[]"},
	"foreign-platform":                  {bad: fails + "nonexistent global variable 'require'", good: "5", args: []any{"5"}},
	"setresp3-shape":                    {bad: "<nil>", good: "missing"},
	"multiple-return":                   {bad: "1", good: "[1 a]"},
	"log-misuse":                        {bad: fails + "redis.log() requires two arguments", good: "1"},
	"keys-redefined":                    {bad: fails + "Attempt to modify a readonly table", good: "0"},
	"ttl-lost-by-set":                   {bad: "-1", good: "60"},
	"empty-unpack":                      {bad: fails + "Wrong number of args", good: "0"},
	"expire-zero-or-negative":           {bad: fails + "invalid expire time", good: "OK"},
	"cjson-decode-unchecked":            {bad: fails + "bad argument #1", good: "<nil>"},
	"removed-lua-api":                   {bad: fails + "nonexistent global variable 'setfenv'", good: "1"},
	"escape-decimal":                    {bad: "<nil>", good: "12", args: []any{"12"}},
	"lua52-syntax":                      {bad: "x00", good: "\x00"},
	"cjson-empty-table":                 {bad: "{}", good: "[]", args: []any{}},
	"loop-never-runs":                   {setup: "RPUSH k a b", bad: "0", good: "2"},
}

// unproved are the rules of the group failure that no server is asked about.
var unproved = map[string]string{
	"error-table-without-err":  "it crashes servers",
	"unseeded-random":          "it takes two starts of a server",
	"error-reply-format":       "it is about clients",
	"number-as-text-precision": "the reply depends on the time",
}

// after are commands whose reply counts instead of the script's own.
var after = map[string][]any{
	"ttl-lost-by-set": {"TTL", "k"},
	"lua52-syntax":    {"GET", "k"},
	"loop-never-runs": {"LLEN", "k2"},
}

// TestServer runs the examples on redis-server: the bad one fails or lies as
// its rule says, and the good one does not.
func TestServer(t *testing.T) {
	server := redistest.Start(t)
	client := server.Client()
	ctx := context.Background()
	run := func(t *testing.T, name, text string, p proof) string {
		t.Helper()
		if err := client.FlushAll(ctx).Err(); err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(p.setup) {
			var words []any
			for _, w := range strings.Fields(line) {
				words = append(words, w)
			}
			if err := client.Do(ctx, words...).Err(); err != nil {
				t.Fatal(err)
			}
		}
		args := p.args
		if args == nil {
			args = []any{"a"}
		}
		reply, err := client.Do(ctx, append([]any{"EVAL", text, 2, "k", "k2"}, args...)...).Result()
		if err != nil && err.Error() != "redis: nil" {
			return fails + err.Error()
		}
		if cmd := after[name]; cmd != nil {
			reply, err = client.Do(ctx, cmd...).Result()
			if err != nil {
				return fails + err.Error()
			}
		}
		return fmt.Sprint(reply)
	}
	for _, r := range All {
		p, ok := proofs[r.Name]
		if !ok {
			if r.Group == "failure" && unproved[r.Name] == "" {
				t.Errorf("%s has no proof", r.Name)
			}
			continue
		}
		for _, c := range []struct{ text, want string }{{r.Doc.Bad, p.bad}, {r.Doc.Good, p.good}} {
			got := run(t, r.Name, c.text, p)
			if rest, failing := strings.CutPrefix(c.want, fails); failing && strings.HasPrefix(got, fails) && strings.Contains(got, rest) || got == c.want {
				continue
			}
			t.Errorf("%s:\n%sreplies %q, want %q", r.Name, c.text, got, c.want)
		}
	}
}
