package analysis_test

// This file holds inferred replies against a real server: whatever a script
// answers must be of the type that was inferred for it.

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/types"
)

// scriptsPerRun is how many generated scripts one run tries;
// LUAGEN_SOUNDNESS_RUNS is a factor for longer ones.
const scriptsPerRun = 6000

func TestGeneratedRepliesFitTheirTypes(t *testing.T) {
	c := dial(t)
	runs := scriptsPerRun
	if n, err := strconv.Atoi(os.Getenv("LUAGEN_SOUNDNESS_RUNS")); err == nil {
		runs *= n
	}
	vague, failed, bad := 0, 0, 0
	for seed := range uint64(runs) {
		text := generate(seed)
		s, diags := analysis.Analyze(source.New("generated.lua", text), analysis.Options{})
		if s == nil {
			t.Fatalf("seed %d does not parse: %v\n%s", seed, diags, text)
		}
		if s.Reply.Type == types.Any {
			vague++
			continue
		}
		args := arguments(rand.New(rand.NewPCG(seed, 9)), s)
		got := c.eval(t, text, generatedKeys, args)
		if _, isError := got.(replyError); isError {
			failed++
			continue
		}
		if !fits(s.Reply.Type, got) {
			t.Errorf("seed %d: inferred %s, got %#v with %q\n%s", seed, s.Reply.Type, got, args, text)
			if bad++; bad == 5 {
				return
			}
		}
	}
	t.Logf("%d scripts, %d of them any, %d failed on the server", runs, vague, failed)
	if vague > runs/2 {
		t.Errorf("%d of %d generated scripts have no type", vague, runs)
	}
}

// arguments returns what a wrapper may send: every argument, of its type, the
// optional ones perhaps not.
func arguments(r *rand.Rand, s *script.Script) []string {
	var args []string
	for i, a := range s.Args {
		n := 1
		if a.Variadic {
			n = r.IntN(4)
		}
		if a.Optional && i == len(s.Args)-1 && r.IntN(2) == 0 {
			n = 0
		}
		for range n {
			v := []string{"1", "x", "", "12", "3.5", "-1"}[r.IntN(6)]
			switch a.Type.(type) {
			case *types.Duration, *types.Time, *types.Bool:
				v = "1"
			}
			switch a.Type {
			case types.Int:
				v = []string{"0", "1", "-7"}[r.IntN(3)]
			case types.Float:
				v = []string{"0", "1.5", "-7"}[r.IntN(3)]
			}
			args = append(args, v)
		}
	}
	return args
}

// TestSampleRepliesFitTheirTypes runs the recorded calls of the samples.
func TestSampleRepliesFitTheirTypes(t *testing.T) {
	c := dial(t)
	data, err := os.ReadFile("testdata/scripts/truth.json")
	if err != nil {
		t.Fatal(err)
	}
	var tr struct {
		Scripts []struct {
			File  string
			Calls []struct {
				Setup [][]any
				Keys  []string
				Args  []any
			}
		}
	}
	if err := json.Unmarshal(data, &tr); err != nil {
		t.Fatal(err)
	}
	for _, sc := range tr.Scripts {
		s := load(t, sc.File)
		for _, call := range sc.Calls {
			c.do(t, "FLUSHALL")
			for _, cmd := range call.Setup {
				c.do(t, texts(cmd)...)
			}
			got := c.do(t, append(append([]string{"EVAL", s.Source, strconv.Itoa(len(call.Keys))}, call.Keys...), texts(call.Args)...)...)
			if _, isError := got.(replyError); !isError && !fits(s.Reply.Type, got) {
				t.Errorf("%s: inferred %s, got %#v", sc.File, s.Reply.Type, got)
			}
		}
	}
}

func texts(list []any) []string {
	r := make([]string, len(list))
	for i, v := range list {
		r[i] = fmt.Sprint(v)
	}
	return r
}

type replyError string

type replyStatus string

// fits tells whether a reply is of a type.
func fits(t types.Type, v any) bool {
	if _, ok := v.(replyError); ok {
		return true // an error inside an array is an error to the caller
	}
	switch t := t.(type) {
	case *types.Basic:
		return fitsBasic(t, v)
	case *types.Bool:
		n, ok := v.(int64)
		return v == nil || ok && (n == 0 || n == 1)
	case *types.Duration, *types.Time:
		return fits(types.Int, v)
	case *types.Enum:
		if !t.Text {
			n, ok := v.(int64)
			return ok && slices.ContainsFunc(t.Members, func(m types.Member) bool { return m.Int == n })
		}
		w, ok := word(v)
		return ok && slices.ContainsFunc(t.Members, func(m types.Member) bool { return m.Word == w })
	case *types.Encoded:
		s, ok := v.(string)
		return ok && (t.Format == types.Msgpack || json.Valid([]byte(s)))
	case *types.Optional:
		return v == nil || fits(t.Elem, v)
	case *types.List:
		list, ok := v.([]any)
		return ok && !slices.ContainsFunc(list, func(e any) bool { return !fits(t.Elem, e) })
	case *types.Map:
		list, ok := v.([]any)
		if !ok || len(list)%2 != 0 {
			return false
		}
		for i := 0; i < len(list); i += 2 {
			if !fits(t.Key, list[i]) || !fits(t.Value, list[i+1]) {
				return false
			}
		}
		return true
	case *types.Tuple:
		list, ok := v.([]any)
		if !ok || len(list) > len(t.Fields) {
			return false
		}
		for i, f := range t.Fields {
			if i >= len(list) {
				if _, optional := f.Type.(*types.Optional); !optional {
					return false
				}
			} else if !fits(f.Type, list[i]) {
				return false
			}
		}
		return true
	case *types.Union:
		return slices.ContainsFunc(t.Members, func(m types.Type) bool { return fits(m, v) })
	}
	return false
}

func fitsBasic(t *types.Basic, v any) bool {
	switch t {
	case types.Any:
		return true
	case types.None:
		return v == nil
	case types.Status:
		_, ok := v.(replyStatus)
		return ok
	case types.Int, types.Uint:
		if s, ok := v.(string); ok {
			f, err := strconv.ParseFloat(s, 64)
			return err == nil && f == math.Trunc(f)
		}
		_, ok := v.(int64)
		return ok
	case types.Float:
		if s, ok := v.(string); ok {
			_, err := strconv.ParseFloat(strings.TrimPrefix(s, "-"), 64)
			return err == nil
		}
		_, ok := v.(int64)
		return ok
	}
	_, ok := word(v)
	return ok
}

func word(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case replyStatus:
		return string(v), true
	}
	return "", false
}

// conn speaks RESP2 to a server, so that a status and a string stay apart.
type conn struct {
	c net.Conn
	r *bufio.Reader
}

func dial(t *testing.T) *conn {
	t.Helper()
	srv := redistest.Start(t)
	c, err := net.Dial("tcp", srv.Addr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(5 * time.Minute)); err != nil { // a script that never ends
		t.Fatal(err)
	}
	return &conn{c, bufio.NewReader(c)}
}

// eval fills the keyspace anew and runs a script on it.
func (c *conn) eval(t *testing.T, text string, keys, args []string) any {
	t.Helper()
	var b strings.Builder
	write(&b, "FLUSHALL")
	for _, cmd := range keyspace {
		write(&b, strings.Fields(cmd)...)
	}
	write(&b, append(append([]string{"EVAL", text, strconv.Itoa(len(keys))}, keys...), args...)...)
	if _, err := io.WriteString(c.c, b.String()); err != nil {
		t.Fatal(err)
	}
	for range len(keyspace) + 1 {
		c.read(t)
	}
	return c.read(t)
}

func (c *conn) do(t *testing.T, args ...string) any {
	t.Helper()
	var b strings.Builder
	write(&b, args...)
	if _, err := io.WriteString(c.c, b.String()); err != nil {
		t.Fatal(err)
	}
	return c.read(t)
}

func write(b *strings.Builder, args ...string) {
	fmt.Fprintf(b, "*%d\r\n", len(args))
	for _, a := range args {
		fmt.Fprintf(b, "$%d\r\n%s\r\n", len(a), a)
	}
}

func (c *conn) read(t *testing.T) any {
	t.Helper()
	line, err := c.r.ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	line = strings.TrimSuffix(line, "\r\n")
	n, _ := strconv.Atoi(line[1:])
	switch line[0] {
	case '+':
		return replyStatus(line[1:])
	case '-':
		return replyError(line[1:])
	case ':':
		i, _ := strconv.ParseInt(line[1:], 10, 64)
		return i
	case '$':
		if n < 0 {
			return nil
		}
		buf := make([]byte, n+2)
		if _, err := io.ReadFull(c.r, buf); err != nil {
			t.Fatal(err)
		}
		return string(buf[:n])
	case '*':
		if n < 0 {
			return nil
		}
		list := make([]any, n)
		for i := range list {
			list[i] = c.read(t)
		}
		return list
	}
	t.Fatalf("unexpected reply %q", line)
	return nil
}
