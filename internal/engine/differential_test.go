package engine

// This file compares the engine with redis-server on random scripts.

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"io"
	"math/rand"
	"net"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/luagen/luagen/internal/engine/resp"
	"github.com/luagen/luagen/internal/redistest"
)

var (
	scripts = flag.Int("scripts", 1000, "how many random scripts the differential test runs")
	seed    = flag.Int64("seed", 1, "the first seed of the differential test")
	theme   = flag.String("theme", "", "lua, redis or result: only such scripts")
)

// wireClient is a connection that gives replies as they came.
type wireClient struct {
	conn net.Conn
	in   *bufio.Reader
}

func dialWire(t testing.TB, addr string) *wireClient {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return &wireClient{conn, bufio.NewReader(conn)}
}

func (c *wireClient) do(args ...string) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(&b, "$%d\r\n%s\r\n", len(a), a)
	}
	if err := c.conn.SetDeadline(time.Now().Add(20 * time.Second)); err != nil {
		return nil, err
	}
	if _, err := c.conn.Write(b.Bytes()); err != nil {
		return nil, err
	}
	return c.read(nil)
}

func (c *wireClient) read(out []byte) ([]byte, error) {
	line, err := c.in.ReadBytes('\n')
	if err != nil {
		return out, err
	}
	out = append(out, line...)
	n, _ := strconv.Atoi(strings.TrimSpace(string(line[1:])))
	switch line[0] {
	case '$', '=':
		if n >= 0 {
			data := make([]byte, n+2)
			if _, err := io.ReadFull(c.in, data); err != nil {
				return out, err
			}
			out = append(out, data...)
		}
	case '%':
		n *= 2
		fallthrough
	case '*', '~', '>':
		for range n {
			if out, err = c.read(out); err != nil {
				return out, err
			}
		}
	}
	return out, nil
}

// TestDifferential runs random scripts on the engine and on redis-server.
func TestDifferential(t *testing.T) {
	srv := redistest.Start(t)
	real := dialWire(t, srv.Addr)
	e := New(Options{TimeLimit: 5 * time.Second})
	defer e.Close()
	mine := e.Connect()
	differences := 0
	for i := range *scripts {
		g := &generator{Rand: rand.New(rand.NewSource(*seed + int64(i)))}
		which := []string{"lua", "lua", "redis", "redis", "result"}[g.Intn(5)]
		if *theme != "" {
			which = *theme
		}
		var script string
		switch which {
		case "lua":
			script = g.luaScript()
		case "redis":
			script = g.redisScript()
		default:
			for script = g.resultScript(); strings.Contains(script, "error("); script = g.resultScript() {
				// an error without a text brings redis-server 7.0.15 down
			}
		}
		if i%50 == 0 {
			for _, c := range [][]string{{"FLUSHALL"}, {"SCRIPT", "FLUSH"}, {"HELLO", []string{"2", "3"}[i/50%2]}} {
				if _, err := real.do(c...); err != nil {
					t.Fatal(err)
				}
				mine.DoRaw(c...)
			}
		}
		args := []string{"EVAL", script, "2", "s", "h", "v1", "2"}
		want, err := real.do(args...)
		if err != nil {
			t.Fatalf("redis-server is gone: %v\n%s", err, script)
		}
		got := string(mine.DoRaw(args...))
		if got == string(want) || known(script, got, string(want)) {
			continue
		}
		differences++
		if differences <= 60 {
			t.Errorf("seed %d:\n%s", *seed+int64(i), firstDifference(script, got, string(want)))
		}
		if _, err := real.do("FLUSHALL"); err != nil {
			t.Fatal(err)
		}
		mine.DoRaw("FLUSHALL")
	}
	if differences > 0 {
		t.Errorf("%d of %d scripts differ", differences, *scripts)
	}
}

// firstDifference shows the first step of a script whose results differ.
func firstDifference(script, got, want string) string {
	a, _, err1 := resp.Parse([]byte(got))
	b, _, err2 := resp.Parse([]byte(want))
	steps := strings.Split(strings.TrimPrefix(script, prelude), "\n")
	if err1 == nil && err2 == nil && strings.HasPrefix(script, prelude) && len(a.List) == len(b.List) {
		if strings.HasPrefix(steps[0], "redis.setresp") {
			steps = steps[1:]
		}
		for i := range a.List {
			if a.List[i].Text != b.List[i].Text {
				return fmt.Sprintf("%s\n got  %q\n want %q", steps[i], a.List[i].Text, b.List[i].Text)
			}
		}
	}
	return fmt.Sprintf("%s\n got  %q\n want %q", strings.Join(steps, "\n"), got, want)
}

// address is where a value lies in memory.
var address = regexp.MustCompile(`0x[0-9a-f]{6,}`)

// unordered are commands whose replies have no order: Redis hashes sets, and
// hashes with long values, with a seed of its own.
var unordered = regexp.MustCompile(`(?i)"(sdiff|sunion|sinter|smembers|hgetall|hkeys|hvals|zinter|zunion|zdiff)"`)

var negativeZero = regexp.MustCompile(`(^|[^0-9A-Za-z])-0([^0-9.]|$)`)

// known tells whether a difference is one that stays, and why:
//   - tostring of a table or function shows an address, of another length here;
//   - sets and large hashes have no order;
//   - the machine drops the sign of a zero that arithmetic gives.
func known(script, got, want string) bool {
	got, want = sameText(got), sameText(want)
	return got == want || unordered.MatchString(script) && sortedBytes(got) == sortedBytes(want)
}

func sortedBytes(s string) string {
	b := []byte(s)
	slices.Sort(b)
	return string(b)
}

func sameText(reply string) string {
	r, _, err := resp.Parse([]byte(reply))
	if err != nil {
		return reply
	}
	return negativeZero.ReplaceAllString(address.ReplaceAllString(r.String(), "0x"), "${1}0$2")
}
