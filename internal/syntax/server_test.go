package syntax

// This file compares Parse with redis-server: what is refused, at which line,
// in which words.

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/internal/source"
)

// verdicts loads texts into a server and returns for each the error that it
// replies with, empty for a text that it compiles.
func verdicts(t testing.TB, c *redis.Client, texts []string) []string {
	pipe := c.Pipeline()
	for _, text := range texts {
		pipe.ScriptLoad(context.Background(), text)
	}
	pipe.ScriptFlush(context.Background())
	replies, err := pipe.Exec(context.Background())
	if last := replies[len(texts)].Err(); last != nil {
		t.Fatalf("SCRIPT FLUSH: %v; %v", last, err)
	}
	list := make([]string, len(texts))
	for i := range list {
		if err := replies[i].Err(); err != nil {
			list[i] = err.Error()
		}
	}
	return list
}

// wording returns what the server says of a file that Parse refused so; empty
// for nil.
func (r *Refusal) wording() string {
	if r == nil {
		return ""
	}
	if r.Shebang {
		return "ERR " + r.Message
	}
	place := ""
	if r.Line > 0 {
		place = "user_script:" + strconv.Itoa(r.Line) + ": "
	}
	return "ERR Error compiling script (new function): " + place + strings.NewReplacer("\r", " ", "\n", " ").Replace(r.Message)
}

// difference says how Parse differs from what the server said of a text.
func difference(text, want string) string {
	chunk, diags := Parse(source.New("x.lua", text))
	got := chunk.Refusal.wording()
	if (len(diags) > 0) != (chunk.Refusal != nil) {
		return fmt.Sprintf("%d diagnostics with the refusal %q", len(diags), got)
	}
	if got != want {
		return fmt.Sprintf("got  %q\nwant %q", got, want)
	}
	return ""
}

// fromEnv returns the number in an environment variable.
func fromEnv(t testing.TB, name string, otherwise int) int {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s is %q, expected a number", name, text)
	}
	return n
}

// TestAgreesWithRedis compares LUAGEN_DIFF_PROGRAMS programs (default 30000),
// made from the seed LUAGEN_DIFF_SEED.
func TestAgreesWithRedis(t *testing.T) {
	programs := fromEnv(t, "LUAGEN_DIFF_PROGRAMS", 30000)
	seed := fromEnv(t, "LUAGEN_DIFF_SEED", 1)
	client := redistest.Start(t).Client()
	files := scripts(t)
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	different, accepted, done := 0, 0, 0
	for done < programs {
		var texts []string
		for len(texts) < 600 {
			texts = append(texts, variants(r, files)...)
		}
		done += len(texts)
		for i, want := range verdicts(t, client, texts) {
			if want == "" {
				accepted++
			}
			if d := difference(texts[i], want); d != "" {
				if different++; different <= 10 {
					t.Errorf("%s\n%q", d, texts[i])
				}
			}
		}
	}
	t.Logf("%d programs, of which Redis compiles %d; %d differ", done, accepted, different)
}

// variants returns a generated program and damaged forms of it, and of one of
// the files.
func variants(r *rand.Rand, files []*source.File) []string {
	tokens := generate(r)
	if r.IntN(25) == 0 {
		tokens = crowd(r)
	}
	file := files[r.IntN(len(files))].Text
	return []string{
		neat(tokens), join(r, tokens), join(r, mutate(r, tokens)), join(r, mutate(r, tokens)), damage(r, join(r, tokens)),
		damage(r, file), strings.Join(mutate(r, pieces(file)), ""),
	}
}

// TestRefusesAsRedisDoes looks at single cases that the generator cannot meet,
// or only rarely.
func TestRefusesAsRedisDoes(t *testing.T) {
	texts := []string{
		"", "\n", ";", "return;", "return;;", "#", "#!lua", "#!lua\n", "#!lua\r\nreturn 1", "#!lua\nx", "#!Lua\n", "#!\n", "#! lua\n",
		"#!lua flags=\n", "#!lua flags=no-writes,allow-oom\nx x", "#!lua flags=no-writes,\n", "#!lua flags=a\n", "#!lua a=b\n", "#!lua 'flags=no-writes'\n",
		"#!lua \"flags=\\x6eo-writes\" \n", "#!lua 'a\n", "#!lua \"a\"b\n", "#!lua\x00\n", " #!lua\n", "#!lua flags=no-writes flags=allow-oom\nx",
		"#!lua FLAGS=no-writes\n", "#!lua\tflags=no-cluster\nreturn", "\"#!lua\"\n", "#!lua ''\n", "#!'lua'\n", "#!lua flags=no-writes,no-writes\n",
		"\ufeffreturn 1", "return 1 -- x", "--[[", "--[==[ ]]", "--[", "--[=", "-", "--", "---[[ x\nx", "[", "[[", "[[x", "[=[", "[=", "x = [==", "return '\\", "return '\\\n", "return \"\\0\"",
		"return 0x", "return 0xg", "return 0x1.8", "return 0x.8p1", "return 0x1p", "return 0x1p+1", "return 0x1p-1", "return 0X1P4", "return 1e", "return 1e+", "return 1e+5", "return 3..2", "return 3...2", "return 3 ..2",
		"return .5.", "return 1.e2", "return 0x1e+2", "return 1e400", "return 1e-400", "return 0xffffffffffffffffffffffff", "return 08", "return 1_0", "return 1__", "return 0x_", "return 1\x00", "return 1\x00+2", "return 1e\x00", "return 1\x002", "return a.\x00b", "return a\x00", "x=.\x00.",
		"return 1.", "return .e1", "return ..", "return 1ee", "return inf", "return 0b1", "return 1f", "return 0x1g", "return 0x1P", "return 0xep", "return 0xp1",
		"x\n(y)", "x\n\n(y)()", "local f = g\n(h)()", "{f\n(g)}", "return {f\n(g)}", "return {f\n=1}", "return {f\n\"a\"}", "return f\n\"a\"", "return f\n{}", "f:g\n()", "f(\n)\n()",
		"break", "while 1 do break break end", "while 1 do break; end", "while 1 do break;; end", "while 1 do break x() end", "for i=1,2 do function f() break end end", "repeat local function f() return x end if x then break end local x until x", "repeat local x; local f = function() return x end; break until x",
		"return ...", "function f() return ... end", "function f(...) return function() return ... end end", "function f(..., a) end", "function f(a,) end", "function f(a b) end", "function f(...) return arg end", "local arg = arg; return arg",
		"goto = 1 return goto", "goto x", "::x::", "local function f.x() end", "function f:x.y() end", "function f:x:y() end", "function (a) end", "local function() end", "local a.b = 1", "local a, = 1", "local a <const> = 1",
		"(a) = 1", "(a).b = 1", "a() = 1", "a, b() = 1", "a, (b) = 1", "a", "a.b", "a[1]", "a:b", "a:b = 1", "(a)", "(a())", "a()()", "a'x'.y = 1", "'x':y()", "('x'):y()", "a{}.b = 1", "1 = 2", "nil = 1", "...", "a.1 = 2", "a.end = 1", "a.'x' = 1",
		"for i do end", "for i, do end", "for i = 1 do end", "for i = 1, 2, 3, 4 do end", "for a.b = 1, 2 do end", "for 1 = 1, 2 do end", "for i in do end", "for i, j = 1, 2 do end", "for in x do end",
		"if x then else else end", "if x then else elseif y then end", "if x then end end", "else", "end", "until x", "repeat end", "repeat until", "do", "do end end", "while x do", "while do end", "if then end", "if x do end", "return return", "return 1,", "return 1 2",
		"x = {,}", "x = {;}", "x = {1,,2}", "x = {1;2,}", "x = {[1]}", "x = {[1] 2}", "x = {a = }", "x = {a.b = 1}", "x = {1 2}", "x = {", "x = {[", "x = {a", "x = {a =", "x = { [[x]] = 1 }", "x = { [ [[x]] ] = 1 }",
		"x = a and", "x = not", "x = - - 1", "x = --1", "x = #", "x = a ~ b", "x = a ! b", "x = a != b", "x = a // b", "x += 1", "x ++", "x = a ? b : c", "x = a && b", "x = \u201ca\u201d", "x = a\u00a0b", "x = `a`", "@", "$x = 1", "\\", "x = \x80", "x\x7f= 1", "\x01", "\x00",
		"x = 'a\nb'", "x = 'a\\\nb'", "x = \"a\rb\"", "x = '\\256'", "x = '\\2556'", "x = '\\400'", "x = '\\999", "x = '\\x41\\u{1}\\z\\q'", "x = [[\n\r\na]]", "x = [[a\r\n\rb]] y", "x = 'a\x00b' y", "x = [[a\x00b]] y", "x = '\\0' y", "x = 'a' 'b'", "f'a''b'[[c]]{}", "x = [[ [[ ]]", "x = [[ [[ ]] ]]", "--[[ [[ ]]\nx", "x = [=[ [=[ ]=] y",
		"x = function", "x = function(", "x = function()", "x = function() end y", "x = function(a,a) end", "local a, a = 1", "f(", "f(a", "f(a,", "f(\na\n", "f(\na b)", "(\na\nb)", "a[", "a[1", "a[\n1\n", "{", "x = (", "x = ()", "f((a, b))", "x = {...}", "x = a.b:c'x'.d{}[e]",
		"do local x end\rx\ry\r\nz\n\rw", "a = 1 b = 2 c", "a = 1; ; b = 2", "x = 1 =", "x == 1", "if x = 1 then end", "a, b, c", "a, b = ", "a b c", "local", "local function", "return function", "function", "function f", "function f.", "function f:", "function f()", "not x", "x = 1 return", "return\n\n\n", "f()\n\n\n)",
	}
	texts = append(texts, limitCases()...)
	client := redistest.Start(t).Client()
	for i, want := range verdicts(t, client, texts) {
		if d := difference(texts[i], want); d != "" {
			text := texts[i]
			if len(text) > 300 {
				text = text[:100] + " … " + text[len(text)-100:]
			}
			t.Errorf("%s\n%q", d, text)
		}
	}
}

// limitCases returns programs on both sides of Lua's limits.
func limitCases() (texts []string) {
	around := func(n int, text func(n int) string) {
		for i := n - 2; i <= n+2; i++ {
			texts = append(texts, text(i))
		}
	}
	rep := strings.Repeat
	for _, pair := range [][2]string{{"(", ")"}, {"{", "}"}, {"f(", ")"}, {"a[", "]"}, {"-", ""}, {"not ", ""}, {"1 ..", ""}, {"2^", ""}, {"{a=", "}"}, {"{[", "]=1}"}, {"\n(\n", "\n)\n"}, {"f{", "}"}, {"{a\n,", "}"}} {
		around(200, func(n int) string { return "return " + rep(pair[0], n) + "1" + rep(pair[1], n) })
	}
	for _, pair := range [][2]string{{"do ", "end "}, {"if x then ", "end "}, {"while x do ", "end "}, {"repeat ", "until x "}, {"for i=1,2 do ", "end "}, {"for i in x do ", "end "}, {"local function f() ", "end "}, {"if x then else ", "end "}} {
		around(200, func(n int) string { return rep(pair[0], n) + rep(pair[1], n) })
	}
	around(100, func(n int) string { return rep("x = function() ", n) + rep("end ", n) })
	around(200, func(n int) string { return rep("local a\n", n) })
	around(200, func(n int) string { return "local a" + rep(",a", n-1) + " = 1" })
	around(200, func(n int) string { return "local function f(a" + rep(",a", n-1) + ") end" })
	around(199, func(n int) string { return "local function f(a" + rep(",a", n-1) + ", ...) end" })
	around(199, func(n int) string { return "function x:f(a" + rep(",a", n-1) + ") end" })
	around(197, func(n int) string { return rep("local a\n", n) + "for i = 1, 2 do end" })
	around(196, func(n int) string { return rep("local a\n", n) + "for i, j in x do local k end" })
	around(199, func(n int) string { return rep("local a\n", n) + "local function f() end" })
	around(199, func(n int) string { return "a" + rep(", a", n) + " = 1" })
	around(100, func(n int) string { return rep("do ", 100) + "a" + rep(", a", n) + " = 1" + rep(" end", 100) })
	for _, form := range [][2]string{{"f(a", ")"}, {"return a", ""}, {"x = {a", "}"}, {"a, b = a", ""}, {"local x = a", ""}, {"for i in a", " do end"}, {"f(\na", "\n)"}, {"f{f(a", ")}"}, {"a.b:c(a", ")"}} {
		around(249, func(n int) string { return form[0] + rep(",\na", n) + form[1] })
	}
	around(60, func(n int) string {
		declare, use := "", "function f()\n"
		for i := range n {
			declare += fmt.Sprintf("local a%d\n", i)
			use += fmt.Sprintf("a%d = 1\n", i)
		}
		return declare + use + "end"
	})
	around(maxDeclared, func(n int) string { return rep("do local a end\n", n) })
	for n := maxConstants; n <= maxConstants+1; n++ {
		var b strings.Builder
		b.WriteString("local x\n")
		for i := range n {
			fmt.Fprintf(&b, "x=%d\n", i)
		}
		texts = append(texts, b.String())
	}
	return texts
}
