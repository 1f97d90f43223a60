package command

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestMatch reads each call of testdata/match.txt, a line that begins with ">":
// ? is an unknown argument, # an unknown number, ... an unknown rest. What the
// table makes of it stands below the line.
func TestMatch(t *testing.T) {
	const file = "testdata/match.txt"
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for line := range strings.Lines(string(want)) {
		switch {
		case strings.HasPrefix(line, "#"):
			b.WriteString(line)
		case strings.HasPrefix(line, "> "):
			b.WriteString(line + describe(line[2:]) + "\n")
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" && !*update {
		t.Errorf("%s (-file +table):\n%s", file, diff)
	}
}

// parseCall reads a call as TestMatch writes it; a word TARGET: comes first
// where it is not for the default.
func parseCall(text string) (Target, []Arg) {
	target := Default
	var call []Arg
	for _, word := range strings.Fields(text) {
		switch word {
		case "?":
			call = append(call, Arg{Kind: Value})
		case "#":
			call = append(call, Arg{Kind: Number})
		case "...":
			call = append(call, Arg{Kind: Rest})
		default:
			if name, ok := strings.CutSuffix(word, ":"); ok && len(call) == 0 {
				target, _ = ParseTarget(name)
				continue
			}
			call = append(call, Arg{Text: strings.Trim(word, `"`)})
		}
	}
	return target, call
}

// describe writes what the table says of a call.
func describe(text string) string {
	target, call := parseCall(text)
	c, used := Find(call)
	if c == nil {
		return "  unknown\n"
	}
	m := c.Match(call[used:], target)
	var b strings.Builder
	for i, r := range m.Args {
		if call[used+i].Kind == Rest {
			b.WriteString("  rest")
			for j := range max(len(m.tail), 1) {
				b.WriteString(" " + roleText(m.Tail(j)))
			}
			fmt.Fprintf(&b, " period %d\n", m.Period())
			continue
		}
		fmt.Fprintf(&b, "  %s\n", roleText(r))
	}
	if p := m.Problem; p != nil {
		kind := [...]string{"too few", "too many", "incomplete", "unexpected"}[p.Kind]
		fmt.Fprintf(&b, "  problem: %s at %d, want %s\n", kind, p.Index, strings.Join(p.Want, " "))
	}
	for _, o := range m.Options {
		if o.Maybe {
			fmt.Fprintf(&b, "  maybe %s at %d\n", o.Name, o.Index)
		}
	}
	for _, o := range m.Newer {
		fmt.Fprintf(&b, "  newer %s at %d", o.Name, o.Index)
		if o.Target != (Target{}) {
			fmt.Fprintf(&b, ", in %s", o.Target)
		}
		b.WriteByte('\n')
	}
	for _, o := range m.Barred {
		fmt.Fprintf(&b, "  barred %s at %d until %s\n", o.Name, o.Index, o.Target)
	}
	if m.Problem != nil {
		return b.String()
	}
	fmt.Fprintf(&b, "  ttl %s\n", [...]string{"keeps", "sets", "clears", "deletes", "unknown"}[m.TTL])
	for resp := 2; resp <= 3; resp++ {
		var shapes []string
		for _, s := range m.Reply.Shapes(resp) {
			shapes = append(shapes, s.String())
		}
		fmt.Fprintf(&b, "  resp%d %s\n", resp, strings.Join(shapes, " | "))
	}
	return b.String()
}

func roleText(r Role) string {
	s := r.Kind.String()
	if r.Kind == Token {
		return strings.TrimSpace(s + " " + r.Name)
	}
	if r.Name != "" {
		s = r.Name + ":" + s
	}
	if r.Unit != NoUnit {
		s += "(" + unitNames[r.Unit] + ")"
	}
	if r.Kind == Key {
		s += [...]string{"", "(r)", "(w)", "(rw)"}[r.Use]
	}
	if r.Option != "" {
		s += " of " + r.Option
	}
	if r.Repeats {
		s += fmt.Sprintf(" #%d", r.Group)
	}
	return s
}

func TestLookup(t *testing.T) {
	for _, c := range []struct{ name, sub, want string }{
		{"get", "", "GET"},
		{"GeT", "anything", "GET"},
		{"xgroup", "create", "XGROUP CREATE"},
		{"XGROUP", "", "XGROUP"},
		{"XGROUP", "CRATE", ""},
		{"OBJECT", "encoding", "OBJECT ENCODING"},
		{"GETT", "", ""},
		{"", "", ""},
		{"ZUNIONSTORE", "", "ZUNIONSTORE"},
		{"XGROUP CREATE", "", ""},
	} {
		got := ""
		if found := Lookup(c.name, c.sub); found != nil {
			got = found.Name
		}
		if got != c.want {
			t.Errorf("Lookup(%q, %q) is %q, want %q", c.name, c.sub, got, c.want)
		}
	}
	if n := testing.AllocsPerRun(10, func() { Lookup("xgroup", "createconsumer") }); n != 0 {
		t.Errorf("Lookup allocates %v times", n)
	}
}

func TestTableIsSorted(t *testing.T) {
	for i := range table {
		name, sub, _ := strings.Cut(table[i].Name, " ")
		if Lookup(name, sub) != &table[i] {
			t.Errorf("%s is not found", table[i].Name)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, c := range [][2]string{
		{"gett", "GET"}, {"HGETAL", "HGETALL"}, {"EXPRIE", "EXPIRE"}, {"ZRANGEBYSCOER", "ZRANGEBYSCORE"},
		{"XGROUP CRATE", "XGROUP CREATE"}, {"FROBNICATE", ""}, {strings.Repeat("X", 100), ""}, {"", ""},
	} {
		if got := Nearest(c[0]); got != c[1] {
			t.Errorf("Nearest(%q) is %q, want %q", c[0], got, c[1])
		}
	}
}

func BenchmarkMatch(b *testing.B) {
	for _, text := range []string{"GET ?", "SET ? ? PX ?", "ZADD ? ? ?", "HSET ? ...", "SET ? ? ...", "ZRANGE ? ? ? BYSCORE LIMIT 0 ?"} {
		target, call := parseCall(text)
		b.Run(text, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				c, used := Find(call)
				c.Match(call[used:], target)
			}
		})
	}
}
