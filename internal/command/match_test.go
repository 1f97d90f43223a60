package command

import (
	"flag"
	"fmt"
	"os"
	"slices"
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

// FuzzMatch looks for calls that the matcher breaks on: a role for every
// argument, options inside of the call, and a reply for what has no problem.
func FuzzMatch(f *testing.F) {
	text, err := os.ReadFile("testdata/match.txt")
	if err != nil {
		f.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if call, ok := strings.CutPrefix(line, "> "); ok {
			f.Add(call)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		target, call := parseCall(text)
		if n := slices.IndexFunc(call, func(a Arg) bool { return a.Kind == Rest }); n >= 0 {
			call = call[:n+1] // a rest is the last
		}
		if target == (Target{}) {
			target = Default
		}
		c, used := Find(call)
		if c == nil {
			return
		}
		args := call[min(used, len(call)):]
		m := c.Match(args, target)
		if len(m.Args) != len(args) {
			t.Fatalf("%d roles for %d arguments", len(m.Args), len(args))
		}
		for _, o := range slices.Concat(m.Options, m.Newer, m.Barred) {
			if o.Index < 0 || o.Index >= len(args) && len(args) > 0 && args[len(args)-1].Kind != Rest {
				t.Fatalf("option %+v outside of %d arguments", o, len(args))
			}
		}
		if p := m.Problem; p != nil {
			if p.Index < 0 || p.Index > len(args) {
				t.Fatalf("problem %+v outside of %d arguments", *p, len(args))
			}
			return
		}
		if len(c.replies) > 0 && len(m.Options) > 0 && (len(m.Reply.Shapes(2)) == 0 || len(m.Reply.Shapes(3)) == 0) {
			t.Fatal("no reply for a call without a problem")
		}
		for i := range 20 {
			m.Tail(i)
		}
	})
}

func TestModule(t *testing.T) {
	for name, want := range map[string]string{"JSON.SET": "JSON", "ft.search": "FT", "ft._list": "FT", "json": "", "JSONX.GET": "", "GET": "", ".": ""} {
		if got := Module(name); got != want {
			t.Errorf("Module(%q) is %q, want %q", name, got, want)
		}
	}
}

func TestAccepts(t *testing.T) {
	for kind, texts := range map[Kind][2]string{
		Integer:    {"0 -1 9223372036854775807", "1.5 x 1e3 9223372036854775808 +1 0x10"},
		Double:     {"0 -1.5 1e300 inf -inf +inf", "x nan 1,5"},
		Cursor:     {"0 18446744073709551615", "-1 x"},
		ScoreBound: {"1 (1.5 -inf +inf (inf", "[1 x ((1"},
		LexBound:   {"- + [a (b [", "a 1 -x"},
		StreamID:   {"* $ > - + 0 1-1 5-* (1-1", "x"},
		String:     {"x 1 (", ""},
	} {
		for i, list := range texts {
			for _, text := range strings.Fields(list) {
				if got := kind.Accepts(text); got != (i == 0) {
					t.Errorf("%s accepts %q: %t", kind, text, got)
				}
			}
		}
	}
}

// TestWorkIsBounded matches calls that are made to have many readings, or to be
// long. It would not end, were the work not bounded.
func TestWorkIsBounded(t *testing.T) {
	for _, part := range []string{"?", "GET u8", "OVERFLOW SAT", "NX", "COUNT", "1 ?", "? x", "BY"} {
		words := strings.Fields(strings.Repeat(part+" ", 3000))
		for i := range table {
			_, args := parseCall(strings.Join(words[:min(len(words), 40)], " "))
			table[i].Match(args, Default)
			table[i].Match(append(args, Arg{Kind: Rest}), Default)
		}
		_, args := parseCall(strings.Join(words, " "))
		for _, name := range []string{"BITFIELD", "SORT", "ZADD", "HSET", "XADD", "ZUNIONSTORE", "GEORADIUS", "MIGRATE", "XREADGROUP"} {
			Lookup(name, "").Match(args, Default)
		}
	}
}
