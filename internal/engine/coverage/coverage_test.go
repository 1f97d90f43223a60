package coverage

import (
	"bytes"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luagen/luagen/internal/source"
)

var update = flag.Bool("update", false, "write the golden files")

const (
	shaA = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	shaB = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
)

func span(start, end source.Pos) source.Span { return source.Span{Start: start, End: end} }

// A file that is two files one behind the other is their sum, and is written
// the same however its counts came.
func TestMerge(t *testing.T) {
	one := "luagen coverage 1\nscript " + shaA + "\ns 0 4 2\nt 5 9 18446744073709551615\n"
	two := "luagen coverage 1\nscript " + shaB + "\nl 0 4 1\nscript " + shaA + "\nt 5 9 1\ns 0 4 3\ns 0 4 1\n"
	want := "luagen coverage 1\nscript " + shaA + "\ns 0 4 6\nt 5 9 18446744073709551615\nscript " + shaB + "\nl 0 4 1\n"
	for _, text := range []string{one + two, two + one} {
		p, err := Parse(strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := string(p.Append(nil)); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
	a, err1 := Parse(strings.NewReader(one))
	b, err2 := Parse(strings.NewReader(two))
	if err1 != nil || err2 != nil {
		t.Fatal(err1, err2)
	}
	a.Add(b)
	if got := string(a.Append(nil)); got != want {
		t.Errorf("the sum is\n%s\nwant\n%s", got, want)
	}
}

func TestParseErrors(t *testing.T) {
	for text, want := range map[string]string{
		"mode: set\n":                  `line 1: expected "luagen coverage 1": it is no coverage profile of scripts`,
		"luagen coverage 1\ns 0 4 1\n": `line 2: expected a script or a point such as "s 0 40 12", found "s 0 4 1"`,
		"luagen coverage 1\nscript " + shaA + "\ns 4 0 1\n":       `line 3: expected a script or a point such as "s 0 40 12", found "s 4 0 1"`,
		"luagen coverage 1\nscript " + shaA + "\nx 0 4 1\n":       `line 3: expected a script or a point such as "s 0 40 12", found "x 0 4 1"`,
		"luagen coverage 1\nscript " + shaA[1:] + "\n":            `line 2: expected a script or a point such as "s 0 40 12", found "script ` + shaA[1:] + `"`,
		"luagen coverage 1\nscript " + shaA + "\ns 0 4 1luagen\n": `line 3: expected a script or a point such as "s 0 40 12", found "s 0 4 1luagen"`,
	} {
		if _, err := Parse(strings.NewReader(text)); err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// Many processes, each with many recorders, write to one file and nothing is
// lost.
func TestSaveTogether(t *testing.T) {
	const processes, recorders, counts = 6, 20, 50
	if file := os.Getenv("COVERAGE_TEST_FILE"); file != "" {
		var all sync.WaitGroup
		for range recorders {
			all.Go(func() {
				r := FromEnv(func(string) string { return file })
				for i := range counts {
					r.Counter(shaA, Point{Statement, span(0, source.Pos(i))}).Add(1)
					if i%10 == 9 {
						if err := r.Save(); err != nil {
							t.Error(err)
						}
					}
				}
			})
		}
		all.Wait()
		return
	}
	file := filepath.Join(t.TempDir(), "lua.out")
	var all sync.WaitGroup
	for range processes {
		all.Go(func() {
			cmd := exec.Command(os.Args[0], "-test.run=^TestSaveTogether$")
			cmd.Env = append(os.Environ(), "COVERAGE_TEST_FILE="+file)
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	all.Wait()
	p, err := Read(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range counts {
		if n := p[shaA][Point{Statement, span(0, source.Pos(i))}]; n != processes*recorders {
			t.Errorf("point %d was counted %d times, want %d", i, n, processes*recorders)
		}
	}
}

// Without the variable nothing is recorded and nothing written.
func TestFromEnvUnset(t *testing.T) {
	r := FromEnv(func(string) string { return "" })
	if r != nil || r.Save() != nil {
		t.Error("there is a recorder")
	}
}

// scripts are two that include one library, and a third that was never run.
//
//	a.lua                       b.lua
//	1 local n = 1               1 local n = 2
//	2 --@include lib            2 --@include lib
//	3 return f(n)               3 return f(n)
func scripts() []Script {
	lib := source.New("lib.lua", "-- the library\nlocal function f(x)\n  if x > 1 then return x and 'big' or nil end\n  return 'smäll' -- <b>\nend\n")
	var list []Script
	for _, name := range []string{"a", "b"} {
		main := source.New(name+".lua", "local n = 1\n--@include lib\nreturn f(n)\n")
		n := source.Pos(len(lib.Text))
		file := source.Compose(name+".lua", main.Text[:12]+lib.Text+main.Text[27:], []source.Segment{
			{Start: 0, End: 12, Origin: main, At: 0},
			{Start: 12, End: 12 + n, Origin: lib, At: 0},
			{Start: 12 + n, End: 12 + n + source.Pos(len(main.Text)) - 27, Origin: main, At: 27},
		})
		at := func(text string) source.Span {
			i := source.Pos(strings.Index(file.Text, text))
			return span(i, i+source.Pos(len(text)))
		}
		list = append(list, Script{SHA1: strings.Repeat(name, 40), File: file, Points: Sort([]Point{
			{Statement, at("local n = 1")},
			{Statement, span(at("local function").Start, at("\nend\n").End-1)},
			{Statement, at("if x > 1 then return x and 'big' or nil end")},
			{True, at("x > 1")}, {False, at("x > 1")},
			{Statement, at("return x and 'big' or nil")},
			{Right, at("x and 'big'")}, {Left, at("x and 'big'")},
			{Statement, at("return 'smäll'")},
			{Statement, at("return f(n)")},
		}), Comments: []source.Span{at("-- the library"), at("-- <b>")}})
	}
	list[1].File.Name = "b.lua"
	other := source.New("other.lua", "return 1\n")
	return append(list, Script{SHA1: strings.Repeat("c", 40), File: other, Points: []Point{{Statement, span(0, 8)}}})
}

func testReport() *Report {
	list := scripts()
	p := Profile{"dddddddddddddddddddddddddddddddddddddddd": {Point{Statement, span(0, 1)}: 1}}
	for i, hits := range [][]uint64{{3, 3, 3, 3, 0, 0, 0, 0, 3, 3}, {1200, 1200, 1200, 0, 1200, 1200, 0, 1200, 0, 1200}} {
		for n, at := range list[i].Points {
			p.add(list[i].SHA1, at, hits[n])
		}
	}
	return NewReport(list, p)
}

// Counts of a part that several scripts include are added up, and places are
// those of the files that the author wrote.
func TestReport(t *testing.T) {
	r := testReport()
	if d := cmp.Diff([]string{"dddddddddddddddddddddddddddddddddddddddd"}, r.Unknown); d != "" {
		t.Error(d)
	}
	want := map[string][]Line{
		"a.lua":     {{1, 3}, {3, 3}},
		"b.lua":     {{1, 1200}, {3, 1200}},
		"lib.lua":   {{2, 1203}, {3, 1203}, {4, 3}},
		"other.lua": {{1, 0}},
	}
	got := map[string][]Line{}
	for _, f := range r.Files {
		got[f.Source.Name] = f.Lines
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestShare(t *testing.T) {
	for s, want := range map[Share]string{{0, 0}: "-", {2, 3}: "66.7%", {9999, 10000}: "99.9%", {3, 3}: "100.0%", {0, 2}: "0.0%"} {
		if got := s.String(); got != want {
			t.Errorf("%v is %s, want %s", [2]int{s.Covered, s.Total}, got, want)
		}
	}
}

func TestNotRun(t *testing.T) {
	f := &File{Lines: []Line{{1, 0}, {3, 0}, {4, 2}, {6, 0}, {7, 1}, {8, 0}, {9, 0}}}
	if d := cmp.Diff([][2]int{{1, 3}, {6, 6}, {8, 9}}, f.NotRun()); d != "" {
		t.Error(d)
	}
}

func TestHTML(t *testing.T) {
	var b bytes.Buffer
	if err := testReport().HTML(&b); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/page.html", b.Bytes())
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), string(got)); d != "" {
		t.Errorf("%s is not what it was; with -update it is written anew\n%s", name, d)
	}
}
