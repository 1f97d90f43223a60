package engine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A trace has the commands in the order of the calls, with their lines, also
// those that were refused.
func TestTrace(t *testing.T) {
	var got []string
	e := New(Options{Trace: func(c Call) {
		got = append(got, fmt.Sprintf("%d %s -> %s", c.Line, strings.Join(c.Args, " "), c.Reply))
	}})
	defer e.Close()
	c := e.Connect()
	defer c.Close()
	c.Do("EVAL", `redis.call('SET', 'a', '1')
local function twice(x)
  return redis.call('INCRBY',
    x, 2)
end
twice('a')
pcall(redis.call, 'NOSUCH')
redis.pcall('LPUSH', 'a', 'x')
redis.call('SAVE')`, "0")
	want := []string{
		"1 SET a 1 -> OK",
		"3 INCRBY a 2 -> 3",
		`7 NOSUCH -> error "ERR Unknown Redis command called from script"`,
		`8 LPUSH a x -> error "WRONGTYPE Operation against a key holding the wrong kind of value"`,
		`9 SAVE -> error "ERR This Redis command is not allowed from script"`,
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
