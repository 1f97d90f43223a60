package syntax

import (
	"testing"

	"github.com/luagen/luagen/internal/source"
)

func TestParseResolvesNames(t *testing.T) {
	chunk, diags := Parse(source.New("x.lua", "local a = 1\nlocal function f(b, ...) a = b; return arg end\nreturn f(a)"))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	a := chunk.Main.Locals[0]
	if a.Name != "a" || !a.Captured || !a.Assigned {
		t.Errorf("a is %+v, expected it captured and assigned", a)
	}
	f := chunk.Main.Body.Stmts[1].(*LocalFuncStmt)
	if n := len(f.Func.Func.Locals); n != 2 || len(f.Func.Func.Params) != 1 {
		t.Errorf("f has %d locals, expected b and arg", n)
	}
}
