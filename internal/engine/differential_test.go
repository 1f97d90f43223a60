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
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/luagen/luagen/internal/redistest"
)

var (
	scripts = flag.Int("scripts", 0, "how many random scripts the differential test runs")
	seed    = flag.Int64("seed", 1, "the first seed of the differential test")
	theme   = flag.String("theme", "", "lua, redis or result: only such scripts")
)

func sortStrings(s []string) { sort.Strings(s) }

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
	if err := e.Offline(); err != nil {
		t.Fatal(err)
	}
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
			script = g.resultScript()
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
		if known(script, got, string(want)) {
			continue
		}
		if got != string(want) {
			differences++
			if differences <= 40 {
				t.Errorf("seed %d:\n%s\n%s", *seed+int64(i), strings.TrimPrefix(script, prelude), firstDifference(got, string(want)))
			}
		}
	}
	if differences > 0 {
		t.Errorf("%d of %d scripts differ", differences, *scripts)
	}
}

func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\r\n"), strings.Split(want, "\r\n")
	for i := 0; i < len(a) || i < len(b); i++ {
		x, y := "", ""
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x != y && !(strings.HasPrefix(x, "$") && strings.HasPrefix(y, "$")) {
			return fmt.Sprintf(" got  %q\n want %q", x, y)
		}
	}
	return ""
}

// known tells whether a difference is one that stays, and why.
func known(script, got, want string) bool { return false }

var _ = os.Stdout
