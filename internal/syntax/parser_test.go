package syntax

import (
	"testing"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

// mustParse parses a text that must have no error.
func mustParse(t *testing.T, text string) *Chunk {
	t.Helper()
	chunk, diags := Parse(source.New("x.lua", text))
	if len(diags) > 0 {
		t.Fatalf("%s: %s", diags[0].Position().Filename, diags[0].Message)
	}
	return chunk
}

// uses returns for every use of a name the kind of its local; g for a global.
func uses(chunk *Chunk, name string) (kinds string) {
	Inspect(chunk, func(n Node) bool {
		if use, ok := n.(*NameExpr); ok && use.Name == name {
			if use.Local == nil {
				kinds += "g"
			} else {
				kinds += string("vpslfa"[use.Local.Kind])
			}
		}
		return true
	})
	return kinds
}

func TestScopes(t *testing.T) {
	for _, c := range []struct{ text, name, want string }{
		{"x = 1 local x = x x = 2", "x", "ggv"},
		{"local function x() return x end local y = function() return y end", "x", "f"},
		{"local y = function() return y end", "y", "g"},
		{"do local x end return x", "x", "g"},
		{"repeat local x = 1 until x == 2 return x", "x", "vg"},
		{"for x = x, x do x = 1 end return x", "x", "gglg"},
		{"for k, x in x do f(x) end", "x", "gl"},
		{"function t:m() return self end return self", "self", "sg"},
		{"function t.m() return self end", "self", "g"},
		{"local function f(...) return arg end return arg", "arg", "ag"},
		{"local function f(x) local x = x return x end", "x", "pv"},
		{"if local_ then local x else x() end", "x", "g"},
		{"while x do local x end x()", "x", "gg"},
		{"local x = 1 local x = x return x", "x", "vv"},
		{"function x.y() end local x function x() end function x.z() end", "x", "gvv"},
		{"return {x = x, [x] = x}, y.x, y:x()", "x", "ggg"},
	} {
		if got := uses(mustParse(t, c.text), c.name); got != c.want {
			t.Errorf("%s: %s is %s, want %s", c.text, c.name, got, c.want)
		}
	}
}

func TestLocals(t *testing.T) {
	chunk := mustParse(t, "local a, b, c = 1\nlocal function f(d, ...) a = d; return arg, b end\nfor i = 1, 2 do local e end\nfunction c() end")
	want := []struct {
		name               string
		captured, assigned bool
	}{{"a", true, true}, {"b", true, false}, {"c", false, true}, {"f", false, false}, {"i", false, false}, {"e", false, false}}
	if len(chunk.Main.Locals) != len(want) {
		t.Fatalf("%d locals of the main function, want %d", len(chunk.Main.Locals), len(want))
	}
	for i, l := range chunk.Main.Locals {
		if w := want[i]; l.Name != w.name || l.Captured != w.captured || l.Assigned != w.assigned || l.Func != chunk.Main {
			t.Errorf("local %d is %+v, want %+v", i, l, w)
		}
	}
	f := chunk.Main.Body.Stmts[1].(*LocalFuncStmt).Func.Func
	if len(f.Locals) != 2 || len(f.Params) != 1 || !f.Vararg || f.Parent != chunk.Main {
		t.Errorf("f is %+v, want d and arg as its locals", f)
	}
}

func TestLiterals(t *testing.T) {
	for text, want := range map[string]string{
		`"a\n\t\\\"\065\0\255\z\x41"`: "a\n\t\\\"A\x00\xffzx41",
		"'a\\\r\nb'":                  "a\nb",
		"[[\r\na\rb\n\rc]]":           "a\nb\nc",
		"[==[ ]] ]=] ]==]":            " ]] ]=] ",
		`'\10\1000'`:                  "\nd0",
	} {
		x := mustParse(t, "return "+text).Main.Body.Stmts[0].(*ReturnStmt).Values[0]
		if s := x.(*StringExpr); s.Value != want {
			t.Errorf("%s is %q, want %q", text, s.Value, want)
		}
	}
	for text, want := range map[string]float64{
		"0x10": 16, "0x1p4": 16, "0xA": 10, "1e2": 100, ".5": .5, "5.": 5, "08": 8, "9007199254740993": 9007199254740992,
		"0xffffffffffffffffff": 4722366482869645213695, "3.": 3,
	} {
		x := mustParse(t, "return "+text).Main.Body.Stmts[0].(*ReturnStmt).Values[0]
		if n := x.(*NumberExpr); n.Value != want || n.Text != text {
			t.Errorf("%s is %v, want %v", text, n.Value, want)
		}
	}
}

func TestSpans(t *testing.T) {
	const text = `local a = f.g:h(1, "x")["k"] .. -b
function m.n:o(p) return (p) end
f "x"`
	chunk := mustParse(t, text)
	var got []string
	Inspect(chunk.Main.Body, func(n Node) bool {
		if _, ok := n.(*Block); !ok {
			got = append(got, chunk.File.Slice(n.Span()))
		}
		return true
	})
	want := []string{
		`local a = f.g:h(1, "x")["k"] .. -b`, "a", `f.g:h(1, "x")["k"] .. -b`, `f.g:h(1, "x")["k"]`, `f.g:h(1, "x")`, "f.g", "f", "g", "h", "1", `"x"`, `"k"`, "-b", "b",
		"function m.n:o(p) return (p) end", "m.n:o", "m.n", "m", "n", "o", "function m.n:o(p) return (p) end", "function m.n:o(p) return (p) end", ":", "p", "return (p)", "(p)", "p",
		`f "x"`, `f "x"`, "f", `"x"`,
	}
	for i := range max(len(got), len(want)) {
		if i >= len(got) || i >= len(want) || got[i] != want[i] {
			t.Fatalf("node %d: got %q, want %q", i, got[min(i, len(got)-1):], want[min(i, len(want)-1):])
		}
	}
	call := chunk.Main.Body.Stmts[2].(*CallStmt).Call
	if c := text[call.Paren]; c != '"' {
		t.Errorf("the argument of the call ends with %q", c)
	}
}

func TestRules(t *testing.T) {
	for text, want := range map[string]string{"x": diag.RuleSyntax, "#!lua x\n": diag.RuleShebang} {
		_, diags := Parse(source.New("x.lua", text))
		if len(diags) != 1 || diags[0].Rule != want || diags[0].Severity != diag.Error {
			t.Errorf("%q: %+v, want one error of the rule %s", text, diags, want)
		}
	}
}
