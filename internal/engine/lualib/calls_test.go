package lualib_test

import (
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/engine/lualib"
	"github.com/luagen/luagen/internal/redistest"
)

// generator writes random calls of library functions as Lua.
type generator struct {
	*rand.Rand
	wild bool // any number as a count or a position, too: only for libraries with a meter
}

func (g generator) pick(choices ...string) string { return choices[g.Intn(len(choices))] }

// literal writes any bytes as a Lua string.
func literal(s string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for i := range len(s) {
		if c := s[i]; c >= ' ' && c < 0x7f && c != '\'' && c != '\\' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, `\%03d`, c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

func (g generator) bytes(alphabet string, most int) string {
	b := make([]byte, g.Intn(most+1))
	for i := range b {
		if alphabet == "" {
			b[i] = byte(g.Intn(256))
		} else {
			b[i] = alphabet[g.Intn(len(alphabet))]
		}
	}
	return string(b)
}

func (g generator) number() string {
	switch g.Intn(12) {
	case 0:
		return g.pick("tonumber('nan')", "tonumber('-nan')", "1e300*1e300", "-1e300*1e300", "2^53", "2^63", "-2^63", "2^64", "2^31", "-2^31", "2^32", "1e300", "5e-324")
	case 1, 2:
		return strconv.FormatFloat((g.Float64()-0.5)*float64(int(1)<<g.Intn(40)), 'g', -1, 64)
	case 3:
		return strconv.FormatInt(g.Int63()>>g.Intn(63), 10)
	case 4:
		return strconv.FormatFloat(g.NormFloat64()*1e5, 'g', g.Intn(17)+1, 64)
	case 5:
		return strconv.Itoa(-g.Intn(300))
	default:
		return strconv.Itoa(g.Intn(20) - 3)
	}
}

func (g generator) numeral() string {
	s := g.pick("", "", "", " ", "\t", "-", "+", " -", "- ") + g.pick(
		strconv.Itoa(g.Intn(1000)), "0x"+strconv.FormatInt(g.Int63n(5000), 16), "1e"+strconv.Itoa(g.Intn(400)), "."+strconv.Itoa(g.Intn(100)),
		"inf", "nan", "infinity", "NAN(x)", "0x", "0x1p4", "0x.8p-3", "1e", "1e+", "5.", ".", "", "zz", "7fff", "0x1.8", "1_000", "99999999999999999999", "z")
	return s + g.pick("", "", "", "", " ", "\n ", "x", "\x00", "\x001", "e5")
}

func (g generator) text() string {
	switch g.Intn(8) {
	case 0:
		return literal(g.bytes("", 6))
	case 1:
		return literal(g.numeral())
	case 2:
		return literal(strings.Repeat(g.pick("ab", "x", "%", "\\\""), g.Intn(70)))
	case 3:
		return strconv.Itoa(g.Intn(200))
	default:
		return literal(g.bytes("aabbcABC 01.-_%()\n\x00", 12))
	}
}

func (g generator) table() string {
	switch g.Intn(7) {
	case 0:
		return "{}"
	case 1:
		return "{1,2,3,nil,5}"
	case 2:
		return "{'b','a','c','d'}"
	case 3:
		return "{a=1,b=2,[3]=4}"
	case 4:
		return "{1," + g.number() + "," + g.text() + "}"
	default:
		n := g.Intn(9)
		items := make([]string, n)
		for i := range items {
			items[i] = strconv.Itoa(g.Intn(50))
		}
		return "{" + strings.Join(items, ",") + "}"
	}
}

func (g generator) anything() string {
	switch g.Intn(8) {
	case 0:
		return "nil"
	case 1:
		return g.pick("true", "false")
	case 2, 3:
		return g.number()
	case 4:
		return g.table()
	case 5:
		return g.pick("function(a) return a end", "rawget", "tostring", "type")
	default:
		return g.text()
	}
}

// pattern writes a pattern, mostly well formed.
func (g generator) pattern() string {
	var b strings.Builder
	if g.Intn(6) == 0 {
		b.WriteByte('^')
	}
	open := 0
	for range g.Intn(6) {
		switch g.Intn(14) {
		case 0:
			b.WriteByte('(')
			open++
		case 1:
			if open > 0 || g.Intn(8) == 0 {
				b.WriteByte(')')
				open--
			}
		case 2:
			b.WriteString(g.pick("()", "%1", "%2", "%b()", "%bab", "%f[%w]", "%f[^a]", "%f[%z]", "%f", "%b", "%", "["))
		case 3:
			b.WriteString(g.pick("[abc]", "[^a]", "[a-c]", "[%a_]", "[^%s]", "[]]", "[^]]", "[]-a]", "[a-]", "[%]]", "[a", "[-a]", "[%w-z]"))
		case 4, 5, 6:
			b.WriteString("%" + string("acdlpsuwxzACDLPSUWXZ.%-g"[g.Intn(24)]))
		case 7:
			b.WriteByte('.')
		default:
			b.WriteByte("abcAB 01-_$\x00"[g.Intn(12)])
		}
		if g.Intn(3) == 0 {
			b.WriteByte("*+-?"[g.Intn(4)])
		}
	}
	if open > 0 && g.Intn(5) > 0 {
		b.WriteString(strings.Repeat(")", open))
	}
	if g.Intn(6) == 0 {
		b.WriteByte('$')
	}
	return literal(b.String())
}

func (g generator) format() string {
	var b strings.Builder
	for range g.Intn(3) + 1 {
		b.WriteString(g.pick("", "a", "%%", " "))
		b.WriteByte('%')
		b.WriteString(g.pick("", "", "", "-", "+", " ", "#", "0", "-0", "+ ", "#0", "00", "-+ #0", "-----", "------"))
		b.WriteString(g.pick("", "", "", "5", "12", "20", "99", "100"))
		b.WriteString(g.pick("", "", "", ".", ".0", ".3", ".10", ".20", ".99", ".100"))
		b.WriteString(g.pick("d", "i", "u", "c", "x", "X", "o", "e", "E", "f", "g", "G", "q", "s", "d", "g", "s", "s", "y", "F", "a", ""))
	}
	return literal(b.String())
}

func (g generator) structFormat() string {
	var b strings.Builder
	for range g.Intn(5) + 1 {
		b.WriteString(g.pick("b", "B", "h", "H", "l", "L", "T", "f", "d", "x", "i", "I", "i3", "I7", "i8", "i1", "i16", "I33", "I2", "c", "c0", "c4", "s", "s",
			"<", ">", "!", "!2", "!4", "!3", " ", "z", "i99999999999", "i0"))
	}
	return literal(b.String())
}

// value writes a value with tables in it, whose keys lie where their values say.
func (g generator) value(depth int) string {
	if depth == 0 || g.Intn(3) == 0 {
		return g.pick(g.text(), g.text(), g.number(), g.number(), "true", "false", "nil", "cjson.null", "type", literal(g.bytes("", 40)),
			literal(strings.Repeat("y", g.Intn(300))))
	}
	var b strings.Builder
	b.WriteByte('{')
	seen := map[string]bool{} // no key twice: while it is built such a table holds the first value, which nobody knows later
	for range g.Intn(5) {
		key := ""
		switch g.Intn(5) {
		case 0:
			key = fmt.Sprintf("[%s]=", g.pick(g.text(), literal(g.bytes("abc", 2)), strconv.Itoa(g.Intn(9)), strconv.Itoa(g.Intn(30)-3), "1.5", "2^31", "2^40", "true", "1e15"))
		case 1, 2:
			key = fmt.Sprintf("k%d=", g.Intn(40))
		}
		if key == "" || !seen[key] {
			seen[key] = true
			b.WriteString(key + g.value(depth-1) + ",")
		}
	}
	b.WriteByte('}')
	return b.String()
}

// json writes JSON, well formed but for a change now and then.
func (g generator) json(depth int) string {
	blank := g.pick("", "", "", " ", "\t", "\n ")
	var s string
	switch n := g.Intn(9); {
	case depth > 0 && n < 3:
		items := make([]string, g.Intn(4))
		for i := range items {
			items[i] = g.json(depth - 1)
		}
		s = "[" + strings.Join(items, ",") + "]"
	case depth > 0 && n < 6:
		items := make([]string, g.Intn(6))
		for i := range items {
			items[i] = fmt.Sprintf("\"%s\":%s", g.bytes("abcdefg", 3), g.json(depth-1))
		}
		s = "{" + strings.Join(items, ",") + "}"
	default:
		s = g.pick("1", "-5", "1.5e3", "true", "false", "null", `"text"`, `"\u00e9\u20ac"`, `"\ud83d\ude00"`, `"\ud83d"`, `"\ude00\ud83d"`, `"\u12g4"`,
			`"\n\t\b\f\r\/\\\""`, `"\x"`, "\"\xff\"", "nan", "-inf", "Infinity", "0x1F", "+5", "007", "-", "1e", "tru", "nul", "\"open", "1e400", "-0", ".5", "5.",
			g.numeral(), "\"a\x00b\"", "f", "i", "'a'")
	}
	s = blank + s + blank
	if g.Intn(12) == 0 && s != "" {
		i := g.Intn(len(s))
		s = s[:i] + g.pick("", "", ",", "}", "]", "\"", "\x00", ":", "{", "x") + s[i+g.Intn(2):]
	}
	return s
}

// packed writes MessagePack, whole or not.
func (g generator) packed() string {
	if g.Intn(3) == 0 {
		return g.bytes("", 8)
	}
	var b strings.Builder
	for range g.Intn(6) + 1 {
		b.WriteString(g.pick("\x01", "\xff", "\xc0", "\xc2", "\xc3", "\x92", "\x81", "\xa3abc", "\xa1k", "\xcc\xf0", "\xcd\x01\x02", "\xce\xff\xff\xff\xff",
			"\xcf\xff\xff\xff\xff\xff\xff\xff\xff", "\xcf\x00\x20\x00\x00\x00\x00\x00\x01", "\xd0\x80", "\xd1\xff\x00", "\xd2\x80\x00\x00\x00",
			"\xd3\x80\x00\x00\x00\x00\x00\x00\x00", "\xca\x3f\xc0\x00\x00", "\xcb\x3f\xb9\x99\x99\x99\x99\x99\x9a", "\xd9\x02hi", "\xda\x00\x01x",
			"\xdb\x00\x00\x00\x00", "\xdc\x00\x02", "\xdd\x00\x00\x00\x01", "\xde\x00\x01", "\xdf\x00\x00\x00\x01", "\xc4\x01a", "\xc1", "\xd4\x01\x02", "\x90", "\x80"))
	}
	return b.String()
}

// arguments of a function, by one letter each; what follows a | may be left out.
var signatures = map[string]string{
	"string.byte": "s|ii", "string.char": "|bbb", "string.find": "sp|ix", "string.match": "sp|i", "string.gsub": "spr|i", "string.len": "s",
	"string.lower": "s", "string.upper": "s", "string.reverse": "s", "string.rep": "si", "string.sub": "si|i", "string.format": "F|xxx",
	"table.concat": "t|sii", "table.insert": "tx", "table.insert ": "ti|xx", "table.remove": "t|i", "table.getn": "t", "table.maxn": "t", "table.sort": "t|c", "table.setn": "ti",
	"table.foreach": "tf", "table.foreachi": "tf",
	"math.abs": "n", "math.ceil": "n", "math.floor": "n", "math.fmod": "nn", "math.mod": "nn", "math.frexp": "n", "math.ldexp": "ni", "math.max": "n|nn",
	"math.min": "n|nn", "math.modf": "n", "math.sqrt": "n", "math.random": "|nn", "math.randomseed": "n", "math.deg": "n", "math.rad": "n",
	"bit.tobit": "n", "bit.bnot": "n", "bit.band": "n|nnn", "bit.bor": "n|nn", "bit.bxor": "n|nn", "bit.lshift": "nn", "bit.rshift": "nn",
	"bit.arshift": "nn", "bit.rol": "nn", "bit.ror": "nn", "bit.bswap": "n", "bit.tohex": "n|n",
	"tonumber": "N|B", "tostring": "x", "type": "x", "select": "i|xxx", "unpack": "t|ii", "rawequal": "xx", "rawget": "tx", "rawset": "tkx",
	"next": "t|x", "assert": "x|x", "ipairs": "t", "pairs": "t", "getmetatable": "x", "setmetatable": "tx", "collectgarbage": "X",
	"cjson.encode": "v", "cjson.decode": "J", "cmsgpack.pack": "v|vv", "cmsgpack.unpack": "M", "cmsgpack.unpack_one": "M|i", "cmsgpack.unpack_limit": "Mi|i",
	"struct.pack": "S|xxxx", "struct.unpack": "Ss|i", "struct.size": "S",
}

// argument writes an argument of a kind, now and then something else.
func (g generator) argument(kind byte) string {
	if kind == 'k' { // a table or function as key lies where its address says
		return g.pick(g.text(), g.number(), "true", "nil")
	}
	if g.wild && g.Intn(3) == 0 {
		return g.pick(g.anything(), g.number(), g.number(), "('a'):rep(5000)", "('a?'):rep(40) .. ('a'):rep(40)", "('(a*)'):rep(20) .. 'b'", "('.-'):rep(30) .. 'b'",
			"('['):rep(3000)", "('\\145'):rep(3000)", "2^31 - 1", "-2^31", "2^53", "{[2^26] = 1, [2^25] = 2}", "setmetatable({}, {__index = table})", "string", "'%99.99f'")
	}
	if kind == 'i' && g.Intn(10) == 0 { // not just anything: a huge count would keep both sides busy
		return g.pick("nil", "{}", "'x'", "true", "2.7", "'3'", "-1.5", "' 0x2 '")
	}
	if g.Intn(12) == 0 && kind != 'i' {
		return g.anything()
	}
	switch kind {
	case 's':
		return g.text()
	case 'p':
		return g.pattern()
	case 'i':
		return strconv.Itoa(g.Intn(24) - 6)
	case 'b':
		return strconv.Itoa(g.Intn(260))
	case 'n':
		return g.number()
	case 't':
		return g.table()
	case 'f':
		return g.pick("function(k, v) return v end", "function(k, v) end", "tostring")
	case 'c':
		return g.pick("function(a, b) return a > b end", "function(a, b) return true end", "function(a, b) return false end", "function(a, b) return a < b end")
	case 'r':
		return g.pick(g.text(), literal(g.pick("<%0>", "%1", "%2%1", "%%", "%x", "a%")), "{a=1,b='x',ab=false}", "function(a, b) return b or a end",
			"function(a) return nil end", "function(a) return {} end", "function(a) return type(a) end")
	case 'F':
		return g.format()
	case 'S':
		return g.structFormat()
	case 'N':
		return g.pick(literal(g.numeral()), literal(g.numeral()), g.anything())
	case 'v':
		return g.value(3)
	case 'J':
		return literal(g.json(4))
	case 'M':
		return g.pick(literal(g.packed()), "cmsgpack.pack("+g.value(3)+")", "cmsgpack.pack("+g.value(2)+","+g.value(1)+")")
	case 'B':
		return strconv.Itoa(g.Intn(40))
	case 'X':
		return g.pick("'setpause'", "'nonsense'", "5")
	}
	return g.anything()
}

// call writes a call of a function.
func (g generator) call(name string) string {
	required, optional, _ := strings.Cut(signatures[name], "|")
	kinds := required + optional[:g.Intn(len(optional)+1)]
	if g.Intn(15) == 0 && kinds != "" {
		kinds = kinds[:len(kinds)-1]
	}
	args := make([]string, len(kinds))
	for i := range args {
		args[i] = g.argument(kinds[i])
	}
	name = strings.TrimSpace(name)
	library, method, isField := strings.Cut(name, ".")
	switch {
	case isField && library == "string" && len(args) > 0 && strings.HasPrefix(args[0], "'") && g.Intn(4) == 0:
		return fmt.Sprintf("return (%s):%s(%s)", args[0], method, strings.Join(args[1:], ", "))
	case g.Intn(30) == 0:
		return fmt.Sprintf("return pcall(%s)", strings.Join(append([]string{name}, args...), ", "))
	}
	text := fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
	switch name {
	case "table.insert", "table.remove", "table.sort":
		if len(args) > 0 && strings.HasPrefix(args[0], "{") {
			return fmt.Sprintf("local t = %s return t, %s(%s)", args[0], name, strings.Join(append([]string{"t"}, args[1:]...), ", "))
		}
	}
	return "return " + text
}

// compare runs bodies on both sides and reports what differs.
func compare(t *testing.T, run *runner, client *redis.Client, bodies []string) {
	t.Helper()
	got, want := run.describe(t, bodies), theirs(t, client, bodies)
	for i, body := range bodies {
		if address(got[i]) != address(want[i]) {
			t.Errorf("%s\n got %s\nwant %s", body, got[i], want[i])
		}
	}
}

// address hides what no two runs have alike.
func address(s string) string {
	for _, kind := range []string{"table: 0x", "function: 0x", "userdata: 0x"} {
		for {
			i := strings.Index(s, kind)
			if i < 0 {
				break
			}
			j := i + len(kind)
			for j < len(s) && strings.IndexByte("0123456789abcdef", s[j]) >= 0 {
				j++
			}
			s = s[:i] + kind[:len(kind)-2] + s[j:]
		}
	}
	return s
}

// seed is the fuzzer's seed: fixed in normal runs, so that they repeat.
func seed() int64 {
	n, err := strconv.ParseInt(os.Getenv("LUALIB_SEED"), 10, 64)
	if err != nil {
		return 1
	}
	return n
}

func TestCallsAnswerAsRedis(t *testing.T) {
	client := redistest.Start(t).Client()
	run := newRunner(t, lualib.Options{})
	g := generator{Rand: rand.New(rand.NewSource(seed()))}
	names := sortedKeys(signatures)
	for _, name := range sortedKeys(signatures) {
		switch library, _, _ := strings.Cut(name, "."); {
		case library == "cjson" || library == "cmsgpack" || library == "struct" || len(signatures[name]) > 3 && library == "string":
			names = append(names, name, name, name, name) // more can go wrong in these
		}
	}
	for round := 0; round < 120 && !t.Failed(); round++ {
		bodies := make([]string, 100)
		for i := range bodies {
			bodies[i] = g.call(names[g.Intn(len(names))])
		}
		compare(t, run, client, bodies)
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
