package analysis_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// samples reads all sample scripts, library files left out.
func samples(tb testing.TB) []*source.File {
	tb.Helper()
	var files []*source.File
	err := filepath.WalkDir("testdata/scripts", func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".lua" || strings.Contains(path, "/lib/") {
			return err
		}
		data, err := os.ReadFile(path)
		text, _, _ := source.Normalize(string(data))
		files = append(files, source.New(path, text))
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return files
}

func BenchmarkParse(b *testing.B) {
	files := samples(b)
	size := 0
	for _, f := range files {
		size += len(f.Text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			syntax.Parse(f)
		}
	}
}

func BenchmarkAnalyze(b *testing.B) {
	files := samples(b)
	size := 0
	for _, f := range files {
		size += len(f.Text)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		for _, f := range files {
			analysis.Analyze(f, analysis.Options{})
		}
	}
}
