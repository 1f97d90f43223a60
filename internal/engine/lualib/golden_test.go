package lualib_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/engine/lualib"
	"github.com/luagen/luagen/internal/redistest"
)

var update = flag.Bool("update", false, "rewrite the answers in testdata with those of redis-server")

// answers is a file of testdata: a line of Lua, then, indented, what redis-server answers to it.
type answers struct {
	comments []string
	bodies   []string
	want     []string
}

func readAnswers(t *testing.T, path string) *answers {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	a := &answers{}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSuffix(line, "\n")
		switch {
		case strings.HasPrefix(line, "#") && len(a.bodies) == 0:
			a.comments = append(a.comments, line)
		case strings.HasPrefix(line, "\t"):
			a.want[len(a.want)-1] = line[1:]
		default:
			a.bodies = append(a.bodies, line)
			a.want = append(a.want, "")
		}
	}
	return a
}

func (a *answers) write(path string) error {
	var b strings.Builder
	for _, c := range a.comments {
		b.WriteString(c + "\n")
	}
	for i := range a.bodies {
		b.WriteString(a.bodies[i] + "\n\t" + a.want[i] + "\n")
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// chunks are the bodies as function bodies: an expression is returned.
func (a *answers) chunks() []string {
	chunks := make([]string, len(a.bodies))
	for i, body := range a.bodies {
		if statement.MatchString(body) {
			chunks[i] = body
		} else {
			chunks[i] = "return " + body
		}
	}
	return chunks
}

var (
	statement = regexp.MustCompile(`^(local |[\w.]+ = |[\w.]+\([^()]*\) (local|return) )`)
	line      = regexp.MustCompile(`user_script:\d+:`)
)

// oneLine makes an answer fit on a line of a file.
func oneLine(s string) string {
	s = line.ReplaceAllString(address(s), "user_script:")
	var b strings.Builder
	for i := range len(s) {
		if c := s[i]; c >= ' ' && c < 0x7f {
			b.WriteByte(c)
		} else {
			b.WriteString("\\x" + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
		}
	}
	return b.String()
}

func TestAnswers(t *testing.T) {
	paths, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no files of answers: %v", err)
	}
	if *update {
		client := redistest.Start(t).Client()
		for _, path := range paths {
			a := readAnswers(t, path)
			for i, answer := range theirs(t, client, a.chunks()) {
				a.want[i] = oneLine(answer)
			}
			if err := a.write(path); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			a := readAnswers(t, path)
			for i, got := range newRunner(t, lualib.Options{}).describe(t, a.chunks()) {
				if got := oneLine(got); got != a.want[i] {
					t.Errorf("%s\n got %s\nwant %s", a.bodies[i], got, a.want[i])
				}
			}
		})
	}
}
