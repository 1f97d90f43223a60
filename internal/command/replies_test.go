package command

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
)

// describeReply runs ARGV[2..] under RESP ARGV[1] and writes the reply as text
// that readValue reads: what Lua sees is what is checked.
const describeReply = `
local resp = tonumber(ARGV[1])
redis.setresp(resp)
local out = {}
local function put(v)
	local kind = type(v)
	if kind == 'string' then
		out[#out+1] = '$' .. #v .. ':' .. v
	elseif kind == 'number' then
		out[#out+1] = string.format('#%.17g:', v)
	elseif kind == 'nil' or v == false and resp == 2 then
		out[#out+1] = '_0:'
	elseif kind == 'boolean' then
		out[#out+1] = v and 't0:' or 'f0:'
	elseif v.ok then
		out[#out+1] = '+' .. #v.ok .. ':' .. v.ok
	elseif v.err then
		out[#out+1] = '-' .. #v.err .. ':' .. v.err
	elseif v.double then
		out[#out+1] = string.format(',%.17g:', v.double)
	elseif v.verbatim_string then
		out[#out+1] = '=0:'
	elseif v.map then
		local n = 0
		for _ in pairs(v.map) do n = n + 1 end
		out[#out+1] = '%' .. 2 * n .. ':'
		for k, e in pairs(v.map) do put(k) put(e) end
	elseif v.set then
		local n = 0
		for _ in pairs(v.set) do n = n + 1 end
		out[#out+1] = '~' .. n .. ':'
		for k in pairs(v.set) do put(k) end
	else
		out[#out+1] = '*' .. table.maxn(v) .. ':'
		for i = 1, table.maxn(v) do put(v[i]) end
	end
end
put(redis.pcall(unpack(ARGV, 2)))
return table.concat(out)`

// value is a reply as Lua sees it; kind is the first letter in describeReply.
type value struct {
	kind  byte
	text  string
	elems []value
}

func readValue(s string) (value, string) {
	head, rest, _ := strings.Cut(s, ":")
	v := value{kind: head[0], text: head[1:]}
	switch v.kind {
	case '$', '+', '-':
		n, _ := strconv.Atoi(v.text)
		v.text, rest = rest[:n], rest[n:]
	case '*', '%', '~':
		n, _ := strconv.Atoi(v.text)
		for range n {
			var e value
			e, rest = readValue(rest)
			v.elems = append(v.elems, e)
		}
	}
	return v, rest
}

// fit checks a reply against a shape and notes in seen which of the shape's
// possibilities it shows; path names the place.
func fit(s *Shape, v value, path string, seen map[string]bool) error {
	wrong := func() error {
		return fmt.Errorf("%s: expected %s, found %c %q with %d elements", path, s, v.kind, v.text, len(v.elems))
	}
	if s.Kind == AnyShape {
		return nil
	}
	if v.kind == '_' {
		seen[path+" nil"] = true
		if !s.Nil && s.Kind != NullShape {
			return wrong()
		}
		return nil
	}
	seen[path] = true
	kinds := [...]string{IntegerShape: "#", BulkShape: "$", StatusShape: "+", ArrayShape: "*", PairsShape: "*", TupleShape: "*",
		MapShape: "%", SetShape: "~", DoubleShape: ",", BoolShape: "tf", VerbatimShape: "="}
	if !strings.ContainsRune(kinds[s.Kind], rune(v.kind)) {
		return wrong()
	}
	switch s.Kind {
	case IntegerShape:
		n, err := strconv.ParseFloat(v.text, 64)
		if err != nil || n < float64(s.Min) || n > float64(s.Max) {
			return wrong()
		}
		seen[path+" "+v.text] = true
	case BulkShape, StatusShape:
		if len(s.Words) > 0 && !slices.Contains(s.Words, v.text) {
			return wrong()
		}
		switch s.Holds {
		case Integer, Double, StreamID:
			if !s.Holds.Accepts(v.text) {
				return wrong()
			}
		}
	case ArrayShape, SetShape:
		for _, e := range v.elems {
			if err := fit(s.Elems[0].Shape, e, path+"[]", seen); err != nil {
				return err
			}
		}
	case PairsShape, MapShape:
		if len(v.elems)%2 != 0 {
			return wrong()
		}
		for i, e := range v.elems {
			if err := fit(s.Elems[i%2].Shape, e, path+[]string{".key", ".value"}[i%2], seen); err != nil {
				return err
			}
		}
	case TupleShape:
		if len(v.elems) > len(s.Elems) {
			return wrong()
		}
		for i, e := range s.Elems {
			at := path + "." + e.Name
			switch {
			case i < len(v.elems):
				if err := fit(e.Shape, v.elems[i], at, seen); err != nil {
					return err
				}
			case e.Optional:
				seen[at+" absent"] = true
			case e.Shape.Nil:
				seen[at+" nil"] = true // a table does not keep nils at its end
			default:
				return wrong()
			}
		}
	}
	return nil
}

// unseen lists what a shape promises and no reply has shown.
func unseen(s *Shape, path string, seen map[string]bool) (missing []string) {
	want := func(what string) {
		if !seen[path+what] {
			missing = append(missing, path+what)
		}
	}
	if s.Kind == AnyShape {
		return nil
	}
	want("")
	if s.Nil {
		want(" nil")
	}
	if s.Kind == IntegerShape && s.Min < 0 && s.Min >= -2 {
		for n := s.Min; n < 0; n++ {
			want(fmt.Sprintf(" %d", n))
		}
	}
	if s.Kind == IntegerShape && s.Max <= 2 {
		for n := s.Min; n <= s.Max; n++ {
			want(fmt.Sprintf(" %d", n))
		}
	}
	for i, e := range s.Elems {
		at := path + "." + e.Name
		switch s.Kind {
		case ArrayShape, SetShape:
			at = path + "[]"
		case PairsShape, MapShape:
			at = path + []string{".key", ".value"}[i]
		}
		if e.Optional && !seen[at+" absent"] {
			missing = append(missing, at+" absent")
		}
		missing = append(missing, unseen(e.Shape, at, seen)...)
	}
	return missing
}

// scene is a paragraph of testdata/replies.txt.
type scene struct {
	setup [][]string
	steps []step
}

type step struct {
	line    int
	refused bool
	args    []string
}

// readScenes reads the scenes, and the commands that they need not show.
func readScenes(t *testing.T) (scenes []scene, unshown []string) {
	t.Helper()
	text, err := os.ReadFile("testdata/replies.txt")
	if err != nil {
		t.Fatal(err)
	}
	scenes = []scene{{}}
	for i, line := range strings.Split(string(text), "\n") {
		last := &scenes[len(scenes)-1]
		words := splitWords(line)
		switch {
		case len(words) == 0:
			if len(last.steps) > 0 {
				scenes = append(scenes, scene{})
			}
		case words[0][0] == '#':
		case words[0] == "setup":
			last.setup = append(last.setup, words[1:])
		case words[0] == "dump":
			last.setup = append(last.setup, words)
		case words[0] == "unshown":
			unshown = append(unshown, strings.Join(words[1:], " "))
		case words[0] == "call", words[0] == "refused":
			last.steps = append(last.steps, step{i + 1, words[0] == "refused", words[1:]})
		default:
			t.Fatalf("testdata/replies.txt:%d: unknown line %q", i+1, line)
		}
	}
	return scenes, unshown
}

// splitWords splits at spaces; a word in double quotes is unquoted.
func splitWords(line string) []string {
	words := strings.Fields(line)
	for i, w := range words {
		if w[0] == '"' {
			words[i], _ = strconv.Unquote(w)
		}
	}
	return words
}

func do(client *redis.Client, args ...string) (any, error) {
	list := make([]any, len(args))
	for i, a := range args {
		list[i] = a
	}
	return client.Do(context.Background(), list...).Result()
}

// prepare makes the scene's state and returns the step's arguments with what
// the scene dumped.
func (sc *scene) prepare(t *testing.T, client *redis.Client, args []string) []string {
	t.Helper()
	if _, err := do(client, "FLUSHALL"); err != nil {
		t.Fatal(err)
	}
	args = slices.Clone(args)
	for _, cmd := range sc.setup {
		if cmd[0] == "dump" {
			payload, err := do(client, "DUMP", cmd[2])
			if err != nil {
				t.Fatal(err)
			}
			for i := range args {
				if args[i] == "$"+cmd[1] {
					args[i] = payload.(string)
				}
			}
			continue
		}
		if _, err := do(client, cmd...); err != nil && !errors.Is(err, redis.Nil) {
			t.Fatalf("%v: %v", cmd, err)
		}
	}
	return args
}

// run runs one call in a script under a version of RESP.
func (sc *scene) run(t *testing.T, client *redis.Client, args []string, resp int) value {
	t.Helper()
	args = sc.prepare(t, client, args)
	text, err := do(client, append([]string{"EVAL", describeReply, "0", strconv.Itoa(resp)}, args...)...)
	if err != nil {
		t.Fatalf("%v: %v", args, err)
	}
	v, _ := readValue(text.(string))
	return v
}

func literals(args []string) []Arg {
	call := make([]Arg, len(args))
	for i, a := range args {
		call[i].Text = a
	}
	return call
}

// TestReplies runs every call of testdata/replies.txt in a script, under RESP2
// and RESP3, and holds the replies against the table.
func TestReplies(t *testing.T) {
	client := redistest.Start(t).Client()
	seen := map[string]bool{}
	scenes, unshown := readScenes(t)
	for _, sc := range scenes {
		for _, st := range sc.steps {
			at := fmt.Sprintf("testdata/replies.txt:%d: %s", st.line, strings.Join(st.args, " "))
			call := literals(st.args)
			c, used := Find(call)
			if c == nil {
				t.Errorf("%s: the table has no such command", at)
				continue
			}
			if st.refused {
				if v := sc.run(t, client, st.args, 2); v.kind != '-' {
					t.Errorf("%s: the server takes it, and answers %c %q", at, v.kind, v.text)
				} else if m := c.Match(call[used:], Default); m.Problem == nil && len(m.Newer) == 0 && (used == 2 || !c.Container()) {
					t.Errorf("%s: the server says %q, and the table sees no problem", at, v.text)
				}
				continue
			}
			for resp := 2; resp <= 3; resp++ {
				v := sc.run(t, client, st.args, resp)
				if v.kind == '-' {
					t.Errorf("%s: %s", at, v.text)
					continue
				}
				checkReply(t, at, c, call[used:], resp, v, seen)
			}
		}
	}
	for i := range table {
		c := &table[i]
		if !c.On(Default).Allowed || c.Container() || slices.Contains(unshown, c.Name) {
			continue
		}
		for j, rule := range c.replies {
			if !rule.when.from.on(Default) || rule.late(c) {
				continue
			}
			path := fmt.Sprintf("%s reply %d", c.Name, j)
			for resp, shape := range map[int]*Shape{2: rule.resp2, 3: rule.resp3} {
				if rule.when.zero != "" {
					if at := fmt.Sprintf("%s resp%d nil", path, resp); !seen[at] {
						t.Errorf("no call in testdata/replies.txt shows %s", at)
					}
					continue
				}
				for _, what := range unseen(shape, fmt.Sprintf("%s resp%d", path, resp), seen) {
					t.Errorf("no call in testdata/replies.txt shows %s of %s", what, shape)
				}
			}
		}
	}
}

// late tells that no call on the default target comes to the rule: one that it
// takes is only on newer servers, or an earlier rule is always first.
func (r *replyRule) late(c *Command) bool {
	for _, names := range r.when.all {
		if !slices.ContainsFunc(names, func(name string) bool { return reachable(c.args, name) }) {
			return true
		}
	}
	for i := range c.replies {
		before := &c.replies[i]
		if before == r || before.resp2 == r.resp2 && before.resp3 == r.resp3 {
			return false
		}
		if before.when.from != (since{}) && before.when.from.on(Default) && len(before.when.all) == len(r.when.all) {
			return true
		}
	}
	return false
}

func reachable(nodes []node, name string) bool {
	for i := range nodes {
		n := &nodes[i]
		if n.from.on(Default) && (n.name == name || reachable(n.sub, name)) {
			return true
		}
	}
	return false
}

// checkReply holds one reply against what the table says of the call: with all
// arguments known, with only the words of the grammar known, and with a rest of
// any length in place of the last arguments.
func checkReply(t *testing.T, at string, c *Command, args []Arg, resp int, v value, seen map[string]bool) {
	t.Helper()
	m := c.Match(args, Default)
	if m.Problem != nil {
		t.Errorf("%s: the server takes it, and the table sees a problem: %+v", at, *m.Problem)
		return
	}
	if len(m.Newer) > 0 {
		t.Errorf("%s: the server takes it, and the table says it needs %+v", at, m.Newer)
	}
	shapes := m.Reply.Shapes(resp)
	if len(shapes) != 1 {
		t.Errorf("%s: %d shapes for a call that is wholly known", at, len(shapes))
		return
	}
	rule := slices.IndexFunc(c.replies, func(r replyRule) bool {
		return resp == 2 && r.resp2 == shapes[0] || resp == 3 && r.resp3 == shapes[0]
	})
	if err := fit(shapes[0], v, fmt.Sprintf("%s reply %d resp%d", c.Name, rule, resp), seen); err != nil {
		t.Errorf("%s: %v", at, err)
	}

	some := slices.Clone(args)
	for i, r := range m.Args {
		if r.Kind != Token {
			some[i] = Arg{Kind: Value}
		}
	}
	checkLoose(t, at+" with unknown values", c.Match(some, Default), resp, v)
	for i := len(args) - 1; i >= 0 && m.Args[i].Kind != Token; i-- {
		open := append(slices.Clone(some[:i]), Arg{Kind: Rest})
		checkLoose(t, fmt.Sprintf("%s with a rest from %d", at, i), c.Match(open, Default), resp, v)
	}
}

func checkLoose(t *testing.T, at string, m Match, resp int, v value) {
	t.Helper()
	if m.Problem != nil {
		t.Errorf("%s: the table sees a problem: %+v", at, *m.Problem)
		return
	}
	for _, s := range m.Reply.Shapes(resp) {
		if fit(s, v, "", map[string]bool{}) == nil {
			return
		}
	}
	t.Errorf("%s: the reply %c %q fits none of %v", at, v.kind, v.text, m.Reply.Shapes(resp))
}
