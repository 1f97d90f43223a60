package syntax

import (
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/yuin/gopher-lua/parse"

	"github.com/luagen/luagen/internal/source"
)

// scripts returns whole scripts of testdata.
func scripts(t testing.TB) []*source.File {
	archive, err := txtar.ParseFile("testdata/scripts.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var files []*source.File
	for _, f := range archive.Files {
		files = append(files, source.New(f.Name, string(f.Data)))
	}
	return files
}

func TestScripts(t *testing.T) {
	for _, f := range scripts(t) {
		chunk, diags := Parse(f)
		for _, d := range diags {
			t.Errorf("%s:%d: %s", f.Name, d.Position().Line, d.Message)
		}
		checkPrint(t, chunk)
	}
}

// The two benchmarks read the same scripts, one by one.

func BenchmarkParse(b *testing.B) {
	files := scripts(b)
	b.SetBytes(size(files))
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			Parse(f)
		}
	}
}

func BenchmarkParseGopherLua(b *testing.B) {
	files := scripts(b)
	b.SetBytes(size(files))
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			parse.Parse(strings.NewReader(f.Text), f.Name)
		}
	}
}

func size(files []*source.File) (n int64) {
	for _, f := range files {
		n += int64(len(f.Text))
	}
	return n
}
