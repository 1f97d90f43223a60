package syntax

// This file holds what must be true of Parse for any text.

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/luagen/luagen/internal/source"
)

// checkTree looks at what Parse promises of every tree.
func checkTree(t *testing.T, text string) *Chunk {
	t.Helper()
	chunk, diags := Parse(source.New("x.lua", text))
	size := source.Pos(len(text))
	for _, d := range diags {
		if d.Span.Start < 0 || d.Span.End < d.Span.Start || d.Span.End > size || d.Message == "" {
			t.Fatalf("a diagnostic %+v of a text of %d bytes\n%q", d, size, text)
		}
	}
	if (len(diags) == 0) != (chunk.Refusal == nil) {
		t.Fatalf("%d diagnostics with the refusal %+v\n%q", len(diags), chunk.Refusal, text)
	}
	last := source.Pos(0)
	for _, c := range chunk.Comments {
		if c.Pos.Start < last || c.Pos.End > size {
			t.Fatalf("comments are out of order: %+v\n%q", c, text)
		}
		last = c.Pos.End
	}
	Inspect(chunk, func(n Node) bool {
		if n == nil || reflect.ValueOf(n).IsNil() {
			t.Fatalf("a nil node\n%q", text)
		}
		s := n.Span()
		if s.Start < 0 || s.End < s.Start || s.End > size {
			t.Fatalf("%T spans %v of %d bytes\n%q", n, s, size, text)
		}
		if len(diags) == 0 {
			checkInside(t, text, n)
			switch n.(type) {
			case *BadExpr, *BadStmt:
				t.Fatalf("%T without an error\n%q", n, text)
			}
		}
		return true
	})
	return chunk
}

// checkInside looks whether all nodes below n lie in its span.
func checkInside(t *testing.T, text string, n Node) {
	outer := n.Span()
	Inspect(n, func(inner Node) bool {
		if inner == n {
			return true
		}
		if s := inner.Span(); s.Start < outer.Start || s.End > outer.End {
			t.Fatalf("%T %v is not inside its %T %v\n%q", inner, s, n, outer, text)
		}
		return false
	})
}

// checkPrint looks whether printing is stable.
func checkPrint(t *testing.T, chunk *Chunk) {
	t.Helper()
	once := Print(chunk)
	again, diags := Parse(source.New("x.lua", once))
	if len(diags) > 0 {
		t.Fatalf("the printed text has an error: %s\n%s\nof\n%q", diags[0].Message, once, chunk.File.Text)
	}
	if twice := Print(again); twice != once {
		t.Fatalf("printed once\n%s\nand twice\n%s\nof\n%q", once, twice, chunk.File.Text)
	}
	if a, b := outline(chunk), outline(again); a != b {
		t.Fatalf("the tree of the printed text differs\n%s\n%s", a, b)
	}
}

// outline describes a tree without its places.
func outline(chunk *Chunk) string {
	var b []byte
	Inspect(chunk, func(n Node) bool {
		b = append(b, reflect.TypeOf(n).Elem().Name()...)
		switch n := n.(type) {
		case *NameExpr:
			b = append(b, n.Name...)
			if n.Local != nil {
				b = append(b, '.', byte('0'+n.Local.Kind))
			}
		case *StringExpr:
			b = append(b, n.Value...)
		case *BinaryExpr:
			b = append(b, n.Op.String()...)
		}
		b = append(b, '\n')
		return true
	})
	return string(b)
}

func FuzzParse(f *testing.F) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 50 {
		tokens := generate(r)
		f.Add(neat(tokens))
		f.Add(damage(r, join(r, mutate(r, tokens))))
	}
	f.Add("#!lua flags=no-writes\nreturn 1")
	f.Fuzz(func(t *testing.T, text string) {
		if chunk := checkTree(t, text); chunk.Refusal == nil {
			checkPrint(t, chunk)
		}
	})
}

// TestTreesOfGeneratedPrograms is FuzzParse for texts that look like programs.
func TestTreesOfGeneratedPrograms(t *testing.T) {
	r := rand.New(rand.NewPCG(uint64(fromEnv(t, "LUAGEN_DIFF_SEED", 1)), 1))
	for range fromEnv(t, "LUAGEN_DIFF_PROGRAMS", 3000) {
		tokens := generate(r)
		for _, text := range []string{neat(tokens), join(r, tokens), join(r, mutate(r, tokens)), damage(r, join(r, tokens))} {
			if chunk := checkTree(t, text); chunk.Refusal == nil {
				checkPrint(t, chunk)
			}
		}
	}
}
