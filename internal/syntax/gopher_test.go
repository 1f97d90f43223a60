package syntax

// This file compares Parse with the parser of gopher-lua, of which the engine
// takes the machine only. The two differ in known ways.

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/yuin/gopher-lua/parse"

	"github.com/luagen/luagen/internal/source"
)

// knownDifferences are all texts on which the two parsers disagree; each is
// one of Lua 5.1 where gopher-lua does otherwise.
var knownDifferences = []struct {
	name    string
	accepts bool              // Lua accepts the text, gopher-lua refuses it
	lua     string            // else: part of Lua's refusal
	text    func(string) bool // nil for any text
}{
	{name: "goto is a name", accepts: true, text: holds("goto")},
	{name: "hexadecimal floats", accepts: true, text: hexFloat},
	{name: "\\v, \\f and NUL", accepts: true, text: holds("\v", "\f", "\x00")},
	{name: "a #! line", accepts: true, text: holds("#!")},

	{name: "... in a function without it", lua: "cannot use '...' outside a vararg function"},
	{name: "break outside a loop", lua: "no loop to break"},
	{name: "( on a new line", lua: "ambiguous syntax"},
	{name: "malformed numbers", lua: "malformed number"},
	{name: "hexadecimal floats, of which p is a name", lua: "near", text: hexFloat},
	{name: "empty statements", lua: "unexpected symbol near ';'"},
	{name: "empty fields", lua: "unexpected symbol near ','"},
	{name: "a call in parentheses as a statement", lua: "syntax error near"},
	{name: "escapes above \\255", lua: "escape sequence too large"},
	{name: "goto as a statement", lua: "'=' expected near", text: holds("goto")},
	{name: "labels", lua: "unexpected symbol near ':'", text: holds("::")},
	{name: "levels of nesting", lua: "chunk has too many syntax levels"},
	{name: "locals, upvalues, targets", lua: " has more than "},
	{name: "registers", lua: "function or expression too complex"},
	{name: "the #! line of Redis", lua: "shebang", text: holds("#!")},
	{name: "NUL for a letter of a number", lua: "near", text: holds("\x00")},
}

var hexFloat = regexp.MustCompile("(?i)0x[0-9a-f]*p").MatchString

// holds returns a test for texts that hold one of the parts.
func holds(parts ...string) func(string) bool {
	return func(text string) bool {
		for _, part := range parts {
			if strings.Contains(text, part) {
				return true
			}
		}
		return false
	}
}

// compareGopher reports a disagreement that is not known, and returns the name
// of a known one.
func compareGopher(t *testing.T, text string) string {
	t.Helper()
	chunk, _ := Parse(source.New("x.lua", text))
	err := parseGopher(text)
	if (err == nil) == (chunk.Refusal == nil) {
		return ""
	}
	for _, d := range knownDifferences {
		if d.accepts == (chunk.Refusal == nil) && (d.text == nil || d.text(text)) &&
			(d.accepts || strings.Contains(chunk.Refusal.Message, d.lua)) {
			return d.name
		}
	}
	t.Errorf("Parse says %+v, gopher-lua %v\n%q", chunk.Refusal, err, text)
	return ""
}

// parseGopher returns gopher-lua's error; a panic is one too.
func parseGopher(text string) (err error) {
	_, err = parse.Parse(strings.NewReader(text), "x.lua")
	return err
}

func TestDiffersFromGopherLuaAsKnown(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(fromEnv(t, "LUAGEN_DIFF_SEED", 1)), 2))
	seen := map[string]int{}
	for range fromEnv(t, "LUAGEN_DIFF_PROGRAMS", 9000) / 3 {
		tokens := generate(r)
		for _, text := range []string{neat(tokens), join(r, mutate(r, tokens)), damage(r, neat(tokens))} {
			if r.IntN(8) > 0 {
				text = strings.ReplaceAll(text, "goto", "gate") // or else it hides other differences
			}
			seen[compareGopher(t, text)]++
		}
	}
	t.Log(seen)
}

func FuzzAgainstGopherLua(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 8))
	for range 50 {
		f.Add(neat(generate(r)))
	}
	f.Fuzz(func(t *testing.T, text string) { compareGopher(t, text) })
}
