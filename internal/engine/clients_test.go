package engine

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/engine/resp"
)

func target(t *testing.T, name string) command.Target {
	t.Helper()
	target, err := command.ParseTarget(name)
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// A script that runs too long makes the server busy; SCRIPT KILL ends it, unless
// it has written.
func TestBusyAndKill(t *testing.T) {
	var enough atomic.Bool // ends the script that cannot be killed
	e := New(Options{BusyAfter: 20 * time.Millisecond, BeforeCall: func([]string) error {
		if enough.Load() {
			return errors.New("ERR enough")
		}
		return nil
	}})
	defer e.Close()
	run := func(script string) chan resp.Reply {
		done := make(chan resp.Reply, 1)
		go func() {
			c := e.Connect()
			defer c.Close()
			done <- c.Do("EVAL", script, "0")
		}()
		return done
	}
	c := e.Connect()
	defer c.Close()
	untilBusy := func() {
		t.Helper()
		for deadline := time.Now().Add(10 * time.Second); ; {
			if r := c.Do("PING"); strings.HasPrefix(r.Text, "BUSY ") {
				return
			}
			if time.Now().After(deadline) {
				t.Fatal("the server is not busy")
			}
		}
	}
	if r := c.Do("SCRIPT", "KILL"); !strings.HasPrefix(r.Text, "NOTBUSY ") {
		t.Errorf("without a script SCRIPT KILL gives %v", r)
	}
	done := run("while true do end")
	untilBusy()
	if r := c.Do("SCRIPT", "KILL"); r.Text != "OK" {
		t.Errorf("SCRIPT KILL gives %v", r)
	}
	if r := <-done; !strings.HasPrefix(r.Text, "ERR Script killed by user with SCRIPT KILL.") {
		t.Errorf("the script ends with %v", r)
	}
	done = run("redis.call('SET', 'k', 'v') while not redis.pcall('GET', 'k').err do end return 'done'")
	untilBusy()
	if r := c.Do("SCRIPT", "KILL"); !strings.HasPrefix(r.Text, "UNKILLABLE ") {
		t.Errorf("after a write SCRIPT KILL gives %v", r)
	}
	enough.Store(true)
	if r := <-done; r.Text != "done" {
		t.Errorf("the script ends with %v", r)
	}
	if r := c.Do("PING"); r.Text != "PONG" {
		t.Errorf("afterwards PING gives %v", r)
	}
}

// No client sees a script half done, whatever command it uses.
func TestScriptsAreAtomic(t *testing.T) {
	e := New(Options{})
	defer e.Close()
	const moves = `redis.call('DECRBY', 'a', 1) local x = 0 for i = 1, 200 do x = x + i end redis.call('INCRBY', 'b', 1)
redis.call('RPUSH', 'l', 1) redis.call('RPUSH', 'l', 2) return redis.call('LLEN', 'l')`
	e.Connect().Do("MSET", "a", "0", "b", "0")
	var wg sync.WaitGroup
	problems := make(chan string, 100)
	worker := func(n int, step func(c *Conn) string) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			c := e.Connect()
			defer c.Close()
			for range n {
				if p := step(c); p != "" {
					problems <- p
					return
				}
			}
		}()
	}
	worker(200, func(c *Conn) string { c.Do("EVAL", moves, "0"); return "" })
	worker(200, func(c *Conn) string {
		c.Do("MULTI")
		c.Do("INCRBY", "a", "1")
		c.Do("EVAL", "return redis.call('DECRBY', 'b', 1)", "0")
		if r := c.Do("EXEC"); len(r.List) != 2 {
			return fmt.Sprintf("EXEC gives %v", r)
		}
		return ""
	})
	worker(300, func(c *Conn) string {
		if v := c.Do("MGET", "a", "b"); v.List[0].Text != strings.TrimPrefix("-"+v.List[1].Text, "--") && v.List[0].Text+v.List[1].Text != "00" {
			return fmt.Sprintf("a and b are %v", v)
		}
		return ""
	})
	worker(200, func(c *Conn) string {
		first, second := c.Do("BLPOP", "l", "0"), c.Do("BLPOP", "l", "0")
		if first.List[1].Text != "1" || second.List[1].Text != "2" {
			return fmt.Sprintf("BLPOP gives %v, then %v", first, second)
		}
		return ""
	})
	wg.Wait()
	close(problems)
	for p := range problems {
		t.Error(p)
	}
}

// WATCH sees what scripts write, and a transaction fails as a whole.
func TestWatchSeesScripts(t *testing.T) {
	e := New(Options{})
	defer e.Close()
	a, b := e.Connect(), e.Connect()
	a.Do("WATCH", "k")
	b.Do("EVAL", "return redis.call('SET', KEYS[1], 1)", "1", "k")
	a.Do("MULTI")
	if r := a.Do("EVAL", "return redis.call('SET', 'x', 1)", "0"); r.Text != "QUEUED" {
		t.Errorf("EVAL in MULTI gives %v", r)
	}
	if r := a.Do("EXEC"); r.Kind != '_' {
		t.Errorf("EXEC gives %v", r)
	}
	if r := a.Do("EXISTS", "x"); r.Int != 0 {
		t.Error("the script of the failed transaction ran")
	}
	a.Do("MULTI")
	a.Do("NOSUCH")
	a.Do("SET", "x", "1")
	if r := a.Do("EXEC"); !strings.HasPrefix(r.Text, "EXECABORT ") {
		t.Errorf("EXEC gives %v", r)
	}
}

// From Redis 7.4 on scripts that came by EVAL leave the cache, those of SCRIPT
// LOAD do not.
func TestEviction(t *testing.T) {
	for _, test := range []struct {
		target  string
		evicted bool
	}{{"redis-7.0", false}, {"redis-7.4", true}, {"valkey-8.0", true}} {
		e := New(Options{Target: target(t, test.target)})
		c := e.Connect()
		c.Do("EVAL", "return 'first'", "0")
		c.Do("SCRIPT", "LOAD", "return 'loaded'")
		for i := range 501 {
			c.Do("EVAL", fmt.Sprintf("return %d", i), "0")
		}
		r := c.Do("SCRIPT", "EXISTS", digest("return 'first'"), digest("return 'loaded'"))
		want := int64(1)
		if test.evicted {
			want = 0
		}
		if r.List[0].Int != want || r.List[1].Int != 1 {
			t.Errorf("%s: EXISTS gives %v", test.target, r)
		}
		e.Close()
	}
}

// One run leaves nothing behind for the next but what the server leaves.
func TestNothingLeaks(t *testing.T) {
	e := New(Options{})
	defer e.Close()
	c := e.Connect()
	for _, s := range []string{
		`KEYS.x = 1 ARGV[9] = 2 redis.setresp(3) return 1`,
		`local t = getmetatable('') t.__index = 1`, `string.len = 1`, `redis.call = 1`, `_G.x = 1`, `rawset(_G, 'x', 1)`,
		`setmetatable(_G, {})`, `getmetatable(_G).__index = 1`, `table.insert(string, 1)`, `KEYS = 1`, `x = 1`,
		`local s = 'x' for i = 1, 100 do s = s .. 'y' end pcall(error, s) error({err = 'E x'})`,
		`redis.call('SELECT', 5) return 1`,
	} {
		c.Do("EVAL", s, "1", "k", "v")
	}
	want := "*5\r\n$1\r\nk\r\n$1\r\nv\r\n$8\r\nfunction\r\n$1\r\n1\r\n:1\r\n"
	got := c.DoRaw("EVAL", `local x = redis.call('HGETALL', 'h') redis.call('SET', 'leak', '1')
return {KEYS[1], ARGV[1], type(string.len), tostring(#KEYS), x.map == nil and KEYS.x == nil and ARGV[9] == nil and 1}`, "1", "k", "v")
	if !bytes.Equal(got, []byte(want)) {
		t.Errorf("got %q", got)
	}
	if r := c.Do("EXISTS", "leak"); r.Int != 1 {
		t.Error("SELECT in a script changed the database of the next")
	}
}

// A cluster's node refuses keys that the caller did not declare.
func TestClusterKeys(t *testing.T) {
	e := New(Options{Cluster: true})
	defer e.Close()
	c := e.Connect()
	for _, test := range []struct{ script, want string }{
		{`return redis.call('SET', KEYS[1], 1)`, "OK"},
		{`return redis.call('SET', '{k}other', 1)`, "non local key"},
		{`return redis.call('SET', 'elsewhere', 1)`, "do not hash to the same slot"},
		{`return redis.call('PING')`, "PONG"},
	} {
		if r := c.Do("EVAL", test.script, "1", "{k}1"); !strings.Contains(r.Text, test.want) {
			t.Errorf("%s gives %v", test.script, r)
		}
	}
	if r := c.Do("EVAL", "return 1", "2", "a", "b"); !strings.HasPrefix(r.Text, "CROSSSLOT ") {
		t.Errorf("keys of two slots give %v", r)
	}
	if slotOf("foo") != 12182 || slotOf("{user1000}.following") != slotOf("user1000") {
		t.Error("slots are wrong")
	}
}
