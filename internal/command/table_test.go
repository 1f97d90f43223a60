package command

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/luagen/luagen/internal/redistest"
)

// TestKeys asks the server where the keys of every call in
// testdata/replies.txt are, and how they are used.
func TestKeys(t *testing.T) {
	client := redistest.Start(t).Client()
	scenes, _ := readScenes(t)
	for _, sc := range scenes {
		for _, st := range sc.steps {
			if st.refused || len(st.args) == 1 {
				continue // the server does not look for keys where nothing can be one
			}
			at := fmt.Sprintf("testdata/replies.txt:%d: %s", st.line, strings.Join(st.args, " "))
			c, used := Find(literals(st.args))
			m := c.Match(literals(st.args[used:]), Default)
			var have []string
			uses := map[string]Use{}
			for i, r := range m.Args {
				if r.Kind == Key {
					key := st.args[used+i]
					have = append(have, key)
					uses[key] |= r.Use
				}
			}
			var want []string
			reply, err := do(client, append([]string{"COMMAND", "GETKEYSANDFLAGS"}, st.args...)...)
			if err != nil && !strings.Contains(err.Error(), "has no key arguments") {
				if st.args[0] != "PFMERGE" || len(st.args) > 2 { // which the server fails to look into
					t.Errorf("%s: %v", at, err)
				}
				continue
			}
			list, _ := reply.([]any)
			for _, item := range list {
				key, flags := item.([]any)[0].(string), item.([]any)[1].([]any)
				want = append(want, key)
				for _, flag := range flags {
					if use := map[any]Use{"RO": Read, "access": Read, "RW": Write, "OW": Write, "RM": Write}[flag]; use&^uses[key] != 0 && c.Name != "PFCOUNT" {
						t.Errorf("%s: the server uses %s as %v, and the table as %d", at, key, flags, uses[key])
					}
				}
			}
			slices.Sort(have)
			slices.Sort(want)
			if !slices.Equal(have, want) {
				t.Errorf("%s: the server finds the keys %q, and the table %q", at, want, have)
			}
		}
	}
}

// TestTTL gives every key of a scene a time to live and looks what each call
// leaves of it. A call may do nothing, or delete the key, but not do to it what
// the table excludes; and each effect of the table must show once.
func TestTTL(t *testing.T) {
	client := redistest.Start(t).Client()
	const given = 3_000_000
	shown := map[string]bool{}
	scenes, _ := readScenes(t)
	for _, sc := range scenes {
		for _, st := range sc.steps {
			if st.refused {
				continue
			}
			c, used := Find(literals(st.args))
			m := c.Match(literals(st.args[used:]), Default)
			args := sc.prepare(t, client, st.args)
			var keys []string
			for i, r := range m.Args {
				key := args[used+i]
				if r.Kind == Key && r.Use&Write != 0 {
					if r.Name == "destination" && m.TTL == TTLClears || c.Name == "MSET" {
						_, _ = do(client, "SET", key, "old") // to be overwritten
					}
					if n, _ := do(client, "PEXPIRE", key, fmt.Sprint(given)); n == int64(1) {
						keys = append(keys, key)
					}
				}
			}
			if _, err := do(client, append([]string{"EVAL", "redis.call(unpack(ARGV)) return 1", "0"}, args...)...); err != nil {
				t.Fatalf("%v: %v", st.args, err)
			}
			for _, key := range keys {
				left, err := client.PTTL(t.Context(), key).Result()
				if err != nil {
					t.Fatal(err)
				}
				effect := TTLSets
				switch ms := left.Milliseconds(); {
				case left == -2:
					effect = TTLDeletes
				case left == -1:
					effect = TTLClears
				case ms <= given && ms > given-int64(2*time.Minute/time.Millisecond):
					effect = TTLKeeps
				}
				shown[fmt.Sprint(c.Name, effect)] = true
				allowed := m.TTL == TTLUnknown || effect == m.TTL || effect == TTLDeletes || effect == TTLKeeps
				if !allowed {
					t.Errorf("testdata/replies.txt:%d: %v: the table says %d, and the server did %d to the time to live of %s",
						st.line, st.args, m.TTL, effect, key)
				}
			}
		}
	}
	for i := range table {
		c := &table[i]
		if !c.On(Default).Allowed || len(c.args) == 0 || c.Name == "MIGRATE" || strings.HasPrefix(c.Name, "FLUSH") || c.Name == "MSETNX" || c.Name == "SETNX" {
			continue // MIGRATE needs a second server, FLUSHALL names no keys, the others do not touch a key that is there
		}
		for _, rule := range c.ttl {
			if rule.ttl != TTLUnknown && !shown[fmt.Sprint(c.Name, rule.ttl)] {
				t.Errorf("no call of %s in testdata/replies.txt shows the effect %d", c.Name, rule.ttl)
			}
		}
	}
}

// TestAllowed calls every command of the server from a script, to see which it
// lets a script call.
func TestAllowed(t *testing.T) {
	client := redistest.Start(t).Client()
	reply, err := do(client, "COMMAND", "LIST")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, name := range reply.([]any) {
		name := strings.ToUpper(strings.ReplaceAll(name.(string), "|", " "))
		listed[name] = true
		first, sub, _ := strings.Cut(name, " ")
		c := Lookup(first, sub)
		if c == nil || !c.On(Default).Exists {
			t.Errorf("%s: the server has it, and the table has not", name)
			continue
		}
		if c.Container() || name == "FLUSHALL" {
			continue
		}
		args := strings.Fields(name)
		for len(args) < max(c.Arity(), -c.Arity()) {
			args = append(args, "x")
		}
		_, err := do(client, append([]string{"EVAL", "return redis.call(unpack(ARGV))", "0"}, args...)...)
		refused := err != nil && strings.Contains(err.Error(), "not allowed from script")
		if refused == c.On(Default).Allowed {
			t.Errorf("%s: the server says %v, and the table: allowed %t", name, err, c.On(Default).Allowed)
		}
	}
	for i := range table {
		c := &table[i]
		if _, sub, _ := strings.Cut(c.Name, " "); sub == "" && c.On(Default).Exists && !listed[c.Name] {
			t.Errorf("%s: the table has it on %s, and the server has not", c.Name, Default)
		}
	}
}

func TestAvailability(t *testing.T) {
	target := func(text string) Target {
		got, err := ParseTarget(text)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	for _, c := range []struct {
		name, sub, target string
		want              Availability
	}{
		{"GET", "", "redis-6.2", Availability{Exists: true, Allowed: true, Since: target("redis-6.2")}},
		{"LMPOP", "", "redis-6.2", Availability{Since: target("redis-7.0")}},
		{"LMPOP", "", "valkey-7.2", Availability{Exists: true, Allowed: true, Since: target("valkey-7.2")}},
		{"BLPOP", "", "redis-7.0", Availability{Exists: true, Since: target("redis-6.2")}},
		{"BLPOP", "", "redis-7.2", Availability{Exists: true, Allowed: true, Since: target("redis-6.2")}},
		{"BLPOP", "", "valkey-7.2", Availability{Exists: true, Allowed: true, Since: target("valkey-7.2")}},
		{"HEXPIRE", "", "redis-7.2", Availability{Since: target("redis-7.4")}},
		{"HEXPIRE", "", "valkey-8.1", Availability{Since: target("valkey-9.0")}},
		{"DELIFEQ", "", "redis-8.4", Availability{}},
		{"EVAL", "", "redis-8.4", Availability{Exists: true, Since: target("redis-6.2")}},
		{"SETEX", "", "redis-7.0", Availability{Exists: true, Allowed: true, Since: target("redis-6.2")}},
		{"SETEX", "", "redis-7.2", Availability{Exists: true, Allowed: true, Deprecated: true, Instead: "SET with the EX argument", Since: target("redis-6.2")}},
		{"HMSET", "", "redis-6.2", Availability{Exists: true, Allowed: true, Deprecated: true, Instead: "HSET with multiple field-value pairs", Since: target("redis-6.2")}},
	} {
		if got := Lookup(c.name, c.sub).On(target(c.target)); got != c.want {
			t.Errorf("%s on %s is %+v, want %+v", c.name, c.target, got, c.want)
		}
	}
}

func TestParseTarget(t *testing.T) {
	for text, want := range map[string]string{
		"redis-7.0": "redis-7.0", "redis-7.0.15": "redis-7.0", "redis-8": "redis-8.0", "valkey-9.9": "valkey-9.9", "redis-6.2": "redis-6.2",
		"redis-6.0": "", "valkey-7.0": "", "redis": "", "keydb-6.3": "", "redis-": "", "redis-7.x": "", "redis-7.0.1.2": "", "": "", "Redis-7.0": "",
	} {
		got, err := ParseTarget(text)
		if err != nil && want != "" || err == nil && got.String() != want {
			t.Errorf("ParseTarget(%q) is %v, %v; want %q", text, got, err, want)
		}
	}
	for _, target := range Targets() {
		if got, err := ParseTarget(target.String()); got != target || err != nil {
			t.Errorf("ParseTarget(%q) is %v, %v", target, got, err)
		}
	}
}
