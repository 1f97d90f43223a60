package types_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/luagen/luagen/internal/types"
)

// literal is the type of an integer that a script returns as it stands.
func literal(values ...int64) types.Type {
	e := &types.Enum{}
	for _, v := range values {
		e.Members = append(e.Members, types.Member{Int: v})
	}
	return e
}

func parse(t *testing.T, text string) types.Type {
	t.Helper()
	switch text {
	case "{}":
		return &types.Tuple{}
	case "0":
		return literal(0)
	case "1":
		return literal(1)
	case "-1":
		return literal(-1)
	case "[none]":
		return &types.List{Elem: types.None}
	}
	typ, err := types.Parse(text)
	if err != nil {
		t.Fatalf("Parse(%q): %v", text, err)
	}
	return typ
}

func TestJoin(t *testing.T) {
	tests := []struct{ a, b, want string }{
		{"none", "int", "int?"},
		{"none", "none", "none"},
		{"none", "status", "status?"},
		{"none", "int | string", "(int | string)?"},
		{"int?", "string", "(int | string)?"},

		{"int", "int", "int"},
		{"int", "uint", "int"},
		{"int", "enum(no=0, yes=1)", "int"},
		{"int", "0", "int"},
		{"int", "float", "float"},
		{"int", "bool", "int?"},
		{"bool", "1", "bool"},
		{"bool", "-1", "int?"},
		{"bool", "none", "bool?"},
		{"bool", "enum(no=0, yes=1)", "int?"},
		{"duration(ms)", "duration(ms)", "duration(ms)"},
		{"duration(ms)", "duration(s)", "int"},
		{"duration(ms)", "0", "duration(ms)"},
		{"duration(ms)", "-1", "int"},
		{"time(s)", "duration(s)", "int"},
		{"enum(a=0)", "enum(b=1)", "enum(a=0, b=1)"},
		{"enum(b=1)", "enum(a=0, b=1)", "enum(a=0, b=1)"},
		{"enum(a=0)", "0", "enum(a=0)"},
		{"enum(a=0)", "enum(b=0)", "int"},
		{"enum(a=0)", "enum(a=1)", "int"},

		{`enum("OK")`, `enum("BUSY")`, `enum("OK", "BUSY")`},
		{`enum("OK")`, `enum(ok="OK")`, `enum(ok="OK")`},
		{`enum(a="OK")`, `enum(b="OK")`, "string"},
		{`enum("OK")`, "string", "string"},
		{`enum("OK")`, "status", "string"},
		{"string", "bytes", "bytes"},
		{"string", "json", "string"},
		{"string", "msgpack", "bytes"},
		{"json(a.B)", "json(a.C)", "json"},
		{"json", "msgpack", "bytes"},
		{"status", "int", "int | string"},
		{"float", "string", "float | string"},

		{"int[]", "string[]", "(int | string)[]"},
		{"int[]", "{}", "int[]"},
		{"map(string, int)", "{}", "map(string, int)"},
		{"[none]", "int[]", "int?[]"},
		{"{a: int, b: string}", "{a: int, b: int}", "{a: int, b: int | string}"},
		{"{ok: int}", "{ok: int, value: string}", "{ok: int, value: string?}"},
		{"{}", "{a: int}", "{a: int?}"},
		{"{a: int}", "{left: int}", "{left: int}"},
		{"{n: int}", "{a: int}", "{a: int}"},
		{"{a: int}", "int[]", "int?[]"},
		{"map(string, int)", "map(string, float)", "map(string, float)"},
		{"map(string, int)", "pairs(string, int)", "pairs(string, int)"},
		{"map(string, int)", "map(int, int)", "(int | string)[]"},
		{"map(string, int)", "string[]", "(int | string)[]"},

		{"int", "string", "int | string"},
		{"int", "{a: int}", "int | {a: int}"},
		{"int | string", "float | json", "float | string"},
		{"any", "int", "any"},
		{"any", "none", "any?"},
	}
	for _, test := range tests {
		if got := types.Join(parse(t, test.a), parse(t, test.b)); got.String() != test.want {
			t.Errorf("Join(%s, %s) = %s, want %s", test.a, test.b, got, test.want)
		}
	}
}

func TestJoinIsASemilattice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := inferredType().Draw(t, "a"), inferredType().Draw(t, "b"), inferredType().Draw(t, "c")
		if got := types.Join(a, a); !types.Equal(got, a) {
			t.Errorf("%s with itself is %s", a, got)
		}
		ab, ba := types.Join(a, b), types.Join(b, a)
		if !types.Equal(ab, ba) {
			t.Errorf("a: %s\nb: %s\na b: %s\nb a: %s", a, b, ab, ba)
		}
		if got := types.Join(ab, a); !types.Equal(got, ab) {
			t.Errorf("a: %s\nb: %s\na b: %s\na b a: %s", a, b, ab, got)
		}
		left, right := types.Join(ab, c), types.Join(a, types.Join(b, c))
		if !types.Equal(left, right) {
			t.Errorf("a: %s\nb: %s\nc: %s\n(a b) c: %s\na (b c): %s", a, b, c, left, right)
		}
	})
}

func TestSettle(t *testing.T) {
	field := func(name string, typ types.Type) types.Field { return types.Field{Name: name, Type: typ} }
	tests := []struct {
		typ  types.Type
		want string
	}{
		{types.None, "none"},
		{types.Status, "status"},
		{&types.Optional{Elem: types.Status}, "status?"},
		{literal(0, 1), "bool"},
		{literal(1), "int"},
		{literal(-1, 0, 1), "int"},
		{types.Join(literal(0, 2), parse(t, "enum(a=0, b=2)")), "enum(a=0, b=2)"},
		{types.Join(literal(1), parse(t, "enum(a=0)")), "int"},
		{&types.Union{Members: []types.Type{literal(0), types.String, types.Int}}, "int | string"},
		{&types.Optional{Elem: &types.Union{Members: []types.Type{&types.Bool{}, literal(2)}}}, "int?"},
		{&types.Tuple{}, "any[]"},
		{&types.List{Elem: types.None}, "any?[]"},
		{&types.List{Elem: types.Status}, "string[]"},
		{&types.Tuple{Fields: []types.Field{field("", types.Int), field("n", types.None), field("", literal(0, 1))}}, "{v1: int, n: any?, v3: bool}"},
		{&types.Tuple{Fields: []types.Field{field("n", types.Int), field("n", types.Int), field("n2", types.Int)}}, "{n: int, n3: int, n2: int}"},
		{&types.Tuple{Fields: []types.Field{field("v2", types.Int), field("", types.Int)}}, "{v2: int, v3: int}"},
	}
	for _, test := range tests {
		if got := types.Settle(test.typ); got.String() != test.want {
			t.Errorf("Settle(%s) = %s, want %s", test.typ, got, test.want)
		}
	}
}

func TestSettledTypesCanBeReadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		joined := types.Join(inferredType().Draw(t, "a"), inferredType().Draw(t, "b"))
		settled := types.Settle(joined)
		again, err := types.Parse(settled.String())
		if err != nil {
			t.Fatalf("%s settles to %s: %v", joined, settled, err)
		}
		if !types.Equal(again, settled) {
			t.Fatalf("%s settles to %s, which is read as %s", joined, settled, again)
		}
	})
}
