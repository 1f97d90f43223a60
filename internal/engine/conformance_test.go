package engine

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/luagen/luagen/internal/engine/coverage"
	"github.com/luagen/luagen/internal/engine/resp"
)

// conformanceCase is a script with what redis-server 7.0.15 answered.
type conformanceCase struct {
	ID           string
	Script       string
	Reply        string
	Shape        string
	Mode         string
	Keys, Args   []string
	Setup, Probe [][]string
	ProbeReplies []string
	Cmd          []string
	RO, Resp3    bool
	Kill         bool
}

// wire writes a reply in the notation of cases.json.
func wire(r resp.Reply, in []byte) string {
	quote := strconv.Quote
	switch r.Kind {
	case '$', '+', '-':
		return string(r.Kind) + quote(r.Text)
	case ':':
		return ":" + strconv.FormatInt(r.Int, 10)
	case '_':
		if len(in) > 0 && in[0] == '_' {
			return "_"
		}
		return "$nil"
	case '#':
		if r.Int == 1 {
			return "#t"
		}
		return "#f"
	case ',', '(':
		return string(r.Kind) + r.Text
	case '=':
		return "=" + quote(r.Text)
	case '%':
		var parts []string
		for i := 0; i < len(r.List); i += 2 {
			parts = append(parts, wire(r.List[i], in)+"=>"+wire(r.List[i+1], in))
		}
		return "%{" + strings.Join(parts, " ") + "}"
	}
	var parts []string
	for _, item := range r.List {
		parts = append(parts, wire(item, in))
	}
	return string(r.Kind) + "[" + strings.Join(parts, " ") + "]"
}

func (c *conformanceCase) run(e *Engine) (string, []string) {
	conn := e.Connect()
	defer conn.Close()
	for _, s := range c.Setup {
		conn.Do(s...)
	}
	if c.Resp3 {
		conn.Do("HELLO", "3")
	}
	for _, list := range [][]string{c.Keys, c.Args} {
		for i, s := range list {
			if rest, ok := strings.CutPrefix(s, "b64:"); ok {
				raw, _ := base64.StdEncoding.DecodeString(rest)
				list[i] = string(raw)
			}
		}
	}
	args := c.Cmd
	if args == nil {
		name := "EVAL"
		if c.RO {
			name = "EVAL_RO"
		}
		args = append([]string{name, c.Script, itoa(len(c.Keys))}, append(c.Keys, c.Args...)...)
	}
	raw := append([]byte(nil), conn.DoRaw(args...)...)
	reply, _, err := resp.Parse(raw)
	if err != nil {
		return "unreadable: " + strconv.Quote(string(raw)), nil
	}
	var probes []string
	for _, p := range c.Probe {
		raw := append([]byte(nil), conn.DoRaw(p...)...)
		r, _, _ := resp.Parse(raw)
		probes = append(probes, wire(r, raw))
	}
	return wire(reply, raw), probes
}

// TestConformance runs small scripts and compares their replies with those of
// redis-server 7.0.15.
func TestConformance(t *testing.T) { conform(t, Options{}) }

// TestConformanceCounting is TestConformance with coverage, which must not
// change what scripts do.
func TestConformanceCounting(t *testing.T) {
	conform(t, Options{Coverage: coverage.NewRecorder("")})
}

func conform(t *testing.T, opts Options) {
	opts.TimeLimit = time.Minute
	data, err := os.ReadFile("testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []conformanceCase
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	passed := 0
	for _, c := range cases {
		ok := t.Run(c.ID, func(t *testing.T) {
			e := New(opts)
			defer e.Close()
			got, probes := c.run(e)
			if c.Mode == "shape" {
				if len(got) == 0 || got[0] != c.Reply[0] {
					t.Errorf("%s\n got  %s\n want %s", c.Script, got, c.Reply)
				}
			} else if got != c.Reply {
				t.Errorf("%s\n got  %s\n want %s", c.Script, got, c.Reply)
			}
			for i, p := range probes {
				if p != c.ProbeReplies[i] {
					t.Errorf("%s\n %v: got  %s\n want %s", c.Script, c.Probe[i], p, c.ProbeReplies[i])
				}
			}
		})
		if ok {
			passed++
		}
	}
	t.Logf("%d of %d cases answer as redis-server does", passed, len(cases))
}
