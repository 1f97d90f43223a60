package snapshot_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/luagen/luagen/internal/engine"
	"github.com/luagen/luagen/internal/engine/snapshot"
)

func TestDiff(t *testing.T) {
	e := engine.New(engine.Options{})
	defer e.Close()
	e.SetTime(time.Unix(1700000000, 0))
	c := e.Connect()
	defer c.Close()
	do := func(lines string) {
		for line := range strings.Lines(lines) {
			if r := c.Do(strings.Fields(line)...); r.IsError() {
				t.Fatalf("%s%s", line, r)
			}
		}
	}
	do(`SET same 1 PX 5000
SET gone x PX 1500
SET counter 1
SET kind 1
SET mayfly 1
SET kept 1 EX 7
RPUSH list a b
SADD set a b c
HSET hash a 1 b 2 c 3
ZADD zset 1 a 2 b
XADD stream 1-1 f v
SET refreshed 1 PX 100
`)
	before := snapshot.All(c.Do)
	do(`DEL gone kind
INCR counter
SADD kind m
PEXPIRE mayfly 250
PERSIST kept
LPUSH list z
SREM set b
SADD set d
HSET hash b 3 d x
HDEL hash a
ZADD zset 2.5 a 0 n
XADD stream 1-2 g w
SET new\key v
PEXPIRE refreshed 200
`)
	e.FastForward(50 * time.Millisecond)
	var got []string
	for _, change := range snapshot.Diff(before, snapshot.All(c.Do), 50*time.Millisecond) {
		got = append(got, change.String())
	}
	want := []string{
		`~ counter string "1" -> "2"`,
		`- gone string "x" ttl 1.5s`,
		`~ hash hash b="2" -> "3" +d="x" -a="1"`,
		`~ kept string ttl 7s -> none`,
		`~ kind string "1" -> set "m"`,
		`~ list list "a" "b" -> "z" "a" "b"`,
		`~ mayfly string ttl none -> 200ms`,
		`+ "new\\key" string "v"`,
		`~ refreshed string ttl 100ms -> 150ms`,
		`~ set set +"d" -"b"`,
		`~ stream stream 1-1{f="v"} -> 1-1{f="v"} 1-2{g="w"}`,
		`~ zset zset +n="0" a="1" -> "2.5"`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Only the keys asked for are looked at.
func TestKeys(t *testing.T) {
	e := engine.New(engine.Options{})
	defer e.Close()
	c := e.Connect()
	defer c.Close()
	c.Do("MSET", "a", "1", "b", "2")
	got := snapshot.Keys(c.Do, []string{"a", "a", "nowhere"})
	if len(got) != 1 || got["a"].String() != `string "1"` {
		t.Errorf("got %v", got)
	}
}
