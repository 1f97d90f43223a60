package syntax

// This file generates programs: valid ones from the grammar, and others from
// those by changing tokens and bytes.

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// program writes random Lua. The tokens of a valid program are joined with
// random white space; it does not keep to all limits and context conditions.
type program struct {
	*rand.Rand
	tokens []string
	budget int
}

func (g *program) add(tokens ...string) { g.tokens = append(g.tokens, tokens...) }

func (g *program) pick(list ...string) string { return list[g.IntN(len(list))] }

var names = []string{"a", "b", "c", "x", "redis", "KEYS", "ARGV", "arg", "self", "goto", "_", "i9"}

func (g *program) name() string { return names[g.IntN(len(names))] }

// generate returns the tokens of one program.
func generate(r *rand.Rand) []string {
	g := &program{Rand: r, budget: 5 + r.IntN(60)}
	g.block(0)
	return g.tokens
}

func (g *program) block(loops int) {
	for n := g.IntN(4); n >= 0 && g.budget > 0; n-- {
		g.stmt(loops)
		if g.IntN(5) == 0 {
			g.add(";")
		}
	}
	switch {
	case g.IntN(8) == 0:
		g.add("return")
		if g.IntN(3) > 0 {
			g.exprs()
		}
		if g.IntN(3) == 0 {
			g.add(";")
		}
	case loops > 0 && g.IntN(4) == 0, g.IntN(60) == 0:
		g.add("break")
	}
}

func (g *program) stmt(loops int) {
	g.budget--
	switch g.IntN(14) {
	case 0, 1:
		g.add("local")
		g.names()
		if g.IntN(4) > 0 {
			g.add("=")
			g.exprs()
		}
	case 2, 3:
		g.target()
		for g.IntN(4) == 0 {
			g.add(",")
			g.target()
		}
		g.add("=")
		g.exprs()
	case 4:
		g.add("do")
		g.block(loops)
		g.add("end")
	case 5:
		g.add("while")
		g.expr()
		g.add("do")
		g.block(loops + 1)
		g.add("end")
	case 6:
		g.add("repeat")
		g.block(loops + 1)
		g.add("until")
		g.expr()
	case 7, 8:
		g.add("if")
		g.expr()
		g.add("then")
		g.block(loops)
		for g.IntN(3) == 0 {
			g.add("elseif")
			g.expr()
			g.add("then")
			g.block(loops)
		}
		if g.IntN(3) == 0 {
			g.add("else")
			g.block(loops)
		}
		g.add("end")
	case 9:
		g.add("for", g.name(), "=")
		g.expr()
		g.add(",")
		g.expr()
		if g.IntN(3) == 0 {
			g.add(",")
			g.expr()
		}
		g.add("do")
		g.block(loops + 1)
		g.add("end")
	case 10:
		g.add("for")
		g.names()
		g.add("in")
		g.exprs()
		g.add("do")
		g.block(loops + 1)
		g.add("end")
	case 11:
		if g.IntN(2) == 0 {
			g.add("local", "function", g.name())
		} else {
			g.add("function", g.name())
			for g.IntN(3) == 0 {
				g.add(".", g.name())
			}
			if g.IntN(3) == 0 {
				g.add(":", g.name())
			}
		}
		g.body()
	default:
		g.prefix()
		g.call()
	}
}

func (g *program) names() {
	g.add(g.name())
	for g.IntN(3) == 0 {
		g.add(",", g.name())
	}
}

func (g *program) body() {
	g.add("(")
	switch g.IntN(4) {
	case 0:
		g.names()
	case 1:
		g.names()
		g.add(",", "...")
	case 2:
		g.add("...")
	}
	g.add(")")
	g.block(0)
	g.add("end")
}

func (g *program) prefix() {
	if g.IntN(6) == 0 {
		g.add("(")
		g.expr()
		g.add(")")
	} else {
		g.add(g.name())
	}
	for g.IntN(3) == 0 {
		g.suffix()
	}
}

func (g *program) suffix() {
	switch g.IntN(3) {
	case 0:
		g.add(".", g.name())
	case 1:
		g.add("[")
		g.expr()
		g.add("]")
	default:
		g.call()
	}
}

func (g *program) target() {
	if g.IntN(2) == 0 {
		g.add(g.name())
		return
	}
	g.prefix()
	g.add(".", g.name())
}

func (g *program) call() {
	if g.IntN(5) == 0 {
		g.add(":", g.name())
	}
	switch g.IntN(6) {
	case 0:
		g.add(g.literal())
	case 1:
		g.table()
	case 2:
		g.add("(", ")")
	default:
		g.add("(")
		g.exprs()
		g.add(")")
	}
}

func (g *program) table() {
	g.add("{")
	for n := g.IntN(4); n > 0; n-- {
		switch g.IntN(3) {
		case 0:
			g.add(g.name(), "=")
		case 1:
			g.add("[")
			g.expr()
			g.add("]", "=")
		}
		g.expr()
		if n > 1 || g.IntN(3) == 0 {
			g.add(g.pick(",", ";"))
		}
	}
	g.add("}")
}

func (g *program) exprs() {
	g.expr()
	for g.IntN(3) == 0 {
		g.add(",")
		g.expr()
	}
}

var operatorTexts = []string{"+", "-", "*", "/", "%", "^", "..", "==", "~=", "<", "<=", ">", ">=", "and", "or"}

func (g *program) expr() {
	g.budget--
	n := g.IntN(16)
	if g.budget < 0 {
		n = g.IntN(6)
	}
	switch n {
	case 0:
		g.add(g.pick("nil", "true", "false", "..."))
	case 1, 2:
		g.add(g.number())
	case 3:
		g.add(g.literal())
	case 4, 5:
		g.add(g.name())
	case 6, 7, 8:
		g.prefix()
	case 9, 10, 11:
		g.expr()
		g.add(operatorTexts[g.IntN(len(operatorTexts))])
		g.expr()
	case 12:
		g.add(g.pick("-", "not", "#"))
		g.expr()
	case 13:
		g.table()
	case 14:
		g.add("function")
		g.body()
	default:
		g.add("(")
		g.expr()
		g.add(")")
	}
}

func (g *program) number() string {
	return g.pick("0", "1", "12", "3.5", ".5", "5.", "1e3", "1E-2", "0x1F", "0xep1", "0x1p4", "1e400", "0XA", "9007199254740993", "08", strconv.Itoa(g.IntN(1000)))
}

func (g *program) literal() string {
	return g.pick(`"a"`, `'b'`, `""`, `"a\nb"`, `"\065\10"`, `"\x41\-"`, `'it\'s'`, "\"a\\\nb\"", "\"a\\\r\nb\"", "[[x]]", "[==[ a ]] ]=] b]==]", "[[\n x\r\ny]]", `"SET"`, `'GET'`, "[=[ [[ ]=]")
}

// crowd returns the tokens of a program that comes near to Lua's limits: many
// locals, long lists, deep nesting, many constants, many upvalues.
func crowd(r *rand.Rand) []string {
	g := &program{Rand: r, budget: 1000}
	switch g.IntN(8) {
	case 0:
		g.deep()
		return g.tokens
	case 1:
		g.upvalues(50 + g.IntN(20))
		return g.tokens
	case 2:
		g.targets(190 + g.IntN(12))
		return g.tokens
	case 3: // constants that do not fit an operand
		g.add("local", "t", "=", "{", "}")
		for i := range 100 + g.IntN(200) {
			g.add("t", ".", "k"+strconv.Itoa(i), "=", "b")
		}
	}
	opened := 0
	n := 100 + g.IntN(104)
	for i := 0; i < n; {
		switch g.IntN(40) {
		case 0:
			g.add("do")
			opened++
		case 1:
			g.add("for", "i", "=", "1", ",", "2", "do")
			opened++
			i += 4
		case 2:
			g.add("for", "k", ",", "v", "in", "pairs", "(", "t", ")", "do")
			opened++
			i += 5
		case 3:
			g.add("local", "function", "l"+strconv.Itoa(i), "(", ")", "end")
			i++
		default:
			g.add("local", "l"+strconv.Itoa(i))
			i++
		}
	}
	for range 1 + g.IntN(4) {
		g.crowdedStmt()
	}
	for range opened {
		g.add("end")
	}
	return g.tokens
}

// deep nests one construct about as often as Lua allows.
func (g *program) deep() {
	n := 190 + g.IntN(20)
	kind := g.IntN(9)
	before := []string{"(", "do", "- ", "{", "function ( )", "a ..", "if a then", "f (", "1 ^"}[kind]
	after := []string{")", "end", "", "}", "end", "", "end", ")", ""}[kind]
	if kind == 4 {
		before, n = "return "+before, n/2
	} else if kind != 1 && kind != 6 {
		g.add("x", "=")
	}
	for range n {
		g.add(strings.Fields(before)...)
		if g.IntN(100) == 0 && kind != 4 {
			g.expr()
			if kind == 0 || kind == 3 || kind == 7 {
				g.add(",")
			}
		}
	}
	if kind != 1 && kind != 4 && kind != 6 {
		g.expr()
	}
	for range n {
		g.add(strings.Fields(after)...)
	}
}

// upvalues makes functions that use n locals of those around them.
func (g *program) upvalues(n int) {
	for i := range n {
		g.add("local", "u"+strconv.Itoa(i))
	}
	depth := 1 + g.IntN(3)
	for range depth {
		g.add("local", "function", "f", "(", ")")
	}
	for i := range n {
		g.add("u"+strconv.Itoa(i), "=", "u"+strconv.Itoa(g.IntN(n)))
	}
	for range depth {
		g.add("end")
	}
}

// targets makes an assignment to n variables.
func (g *program) targets(n int) {
	for range g.IntN(3) {
		g.add("do")
	}
	g.target()
	for range n {
		g.add(",")
		g.target()
	}
	g.add("=")
	g.exprs()
}

// crowdedStmt writes a statement that needs many registers.
func (g *program) crowdedStmt() {
	switch g.IntN(7) {
	case 0:
		g.add("return")
		g.long(0)
	case 1:
		g.add("local", "x")
		for range g.IntN(6) {
			g.add(",", "y")
		}
		g.add("=")
		g.long(0)
	case 2:
		for range g.IntN(30) {
			g.target()
			g.add(",")
		}
		g.add("l1", ".", "x", "=")
		g.long(0)
	case 3:
		g.add("for", "i", "=")
		g.wide(0)
		g.add(",")
		g.wide(0)
		g.add("do", "end")
	case 4:
		g.add("while")
		g.wide(0)
		g.add("do", "end")
	default:
		g.add("f", "(")
		g.long(0)
		g.add(")")
	}
}

// long writes a long list of expressions.
func (g *program) long(depth int) {
	g.wide(depth)
	for range g.IntN(60) {
		g.add(",")
		g.wide(depth)
	}
}

// wide writes an expression that may need many registers.
func (g *program) wide(depth int) {
	n := g.IntN(60)
	if depth > 3 {
		n += 8
	}
	switch n {
	case 0, 1:
		g.add("f", "(")
		g.long(depth + 1)
		g.add(")")
	case 2:
		g.add("a", ":", "m", "(")
		g.long(depth + 1)
		g.add(")")
	case 3:
		g.add("{")
		g.long(depth + 1)
		g.add(",", "k", "=")
		g.wide(depth + 1)
		g.add(",", "[")
		g.wide(depth + 1)
		g.add("]", "=")
		g.wide(depth + 1)
		g.add("}")
	case 4:
		for range g.IntN(70) {
			g.add(g.pick("l3", "a", "1", `"s"`), "..")
		}
		g.wide(depth + 1)
	case 5:
		g.wide(depth + 1)
		g.add(operatorTexts[g.IntN(len(operatorTexts))], "(")
		g.wide(depth + 1)
		g.add(operatorTexts[g.IntN(len(operatorTexts))])
		g.wide(depth + 1)
		g.add(")")
	case 6:
		g.add("not", "(")
		g.wide(depth + 1)
		g.add(g.pick("and", "or"))
		g.wide(depth + 1)
		g.add(")")
	case 7:
		g.expr()
	default:
		g.add(g.pick("1", "a", "l2", `"s"`, "nil", "true", "...", "l5", strconv.Itoa(g.IntN(500)), "-2", "#l1", "a.b", "l1[l2]", "not a", "1+2", "l1==l2", "a and b"))
	}
}

var odd = []string{
	"and", "break", "do", "else", "elseif", "end", "false", "for", "function", "if", "in", "local", "nil", "not", "or",
	"repeat", "return", "then", "true", "until", "while", "..", "...", "==", ">=", "<=", "~=", "+", "-", "*", "/", "%",
	"^", "#", "<", ">", "=", "(", ")", "{", "}", "[", "]", ";", ":", ",", ".", "a", "x", "1", `"s"`, "goto", "continue",
	"~", "!", "!=", "@", "$", "&", "&&", "|", "\\", "`", "?", "+=", "//", "<<", "::", "--", "--[[", "]]", "[[", "[=[", "]=]", "[=",
	"'", `"`, "0x", "1e", "3..2", "0b1", "1_0", "0x1p", "0x.8", "1.2.3", "\x00", "\x01", "\x7f", "\x80", "\xff", "é", "\ufeff",
	`"\400"`, `"\256"`, `"\255"`, "\"a\nb\"", "'a\r", "[[ [[ ]]", "--[==[ x ]==]", "-- c\r", "#!lua\n", ".\x00", "1\x00+5", "1e\x00",
}

// mutate changes a few tokens of a program.
func mutate(r *rand.Rand, tokens []string) []string {
	tokens = append([]string(nil), tokens...)
	for n := 1 + r.IntN(3); n > 0 && len(tokens) > 0; n-- {
		i, j := r.IntN(len(tokens)), r.IntN(len(tokens))
		switch r.IntN(6) {
		case 0:
			tokens = append(tokens[:i], tokens[i+1:]...)
		case 1:
			tokens[i] = tokens[j]
		case 2:
			tokens[i], tokens[j] = tokens[j], tokens[i]
		case 3:
			tokens[i] = odd[r.IntN(len(odd))]
		case 4:
			tokens = append(tokens[:i], append([]string{odd[r.IntN(len(odd))]}, tokens[i:]...)...)
		case 5:
			tokens = tokens[:i]
		}
	}
	return tokens
}

// neat makes a text of tokens that means what they mean: a blank between all,
// and a line break behind some.
func neat(tokens []string) string {
	var b strings.Builder
	for i, t := range tokens {
		b.WriteString(t)
		if i%7 == 6 && i+1 < len(tokens) && tokens[i+1] != "(" {
			b.WriteByte('\n')
		} else {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// join makes a text of tokens with random white space and comments between.
func join(r *rand.Rand, tokens []string) string {
	var b strings.Builder
	blank := []string{" ", " ", " ", " ", "\n", "\n", "  ", "\t", "\r\n", "\r", "\n\r", "\n\n", "\v", " -- c\n", "--[[ c ]]", "--[=[\n]]\n]=]", " --[[\r\nx]] ", "--[x\n"}
	plain := r.IntN(3)
	for i, t := range tokens {
		b.WriteString(t)
		switch {
		case plain == 0:
			b.WriteString(blank[r.IntN(len(blank))])
		case plain == 1 && r.IntN(8) == 0:
			b.WriteByte('\n')
		case i+1 < len(tokens) && r.IntN(30) == 0:
			// perhaps one token of two
		default:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// pieces cuts a text into tokens, each with the white space before it.
func pieces(text string) (list []string) {
	l := lexer{src: text, line: 1}
	var t token
	for start := 0; t.kind != tEOF || start == 0; start = l.pos {
		if l.scan(&t); l.pos == start {
			break
		}
		list = append(list, text[start:l.pos])
	}
	return list
}

const special = "\x00\n\r\"'[]=-.\\(){}0x1e,;:#!~"

// damage changes a few bytes of a text.
func damage(r *rand.Rand, text string) string {
	b := []byte(text)
	for n := 1 + r.IntN(3); n > 0 && len(b) > 0; n-- {
		i := r.IntN(len(b))
		switch r.IntN(5) {
		case 0:
			b = append(b[:i], b[i+1:]...)
		case 1:
			b[i] = byte(r.IntN(256))
		case 2:
			b = append(b[:i], append([]byte{byte(r.IntN(256))}, b[i:]...)...)
		case 3:
			b[i] = special[r.IntN(len(special))]
		case 4:
			b = b[:i]
		}
	}
	return string(b)
}
