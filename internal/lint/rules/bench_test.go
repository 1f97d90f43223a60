package rules

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/source"
)

// BenchmarkLint examines and lints the sample scripts; examine is the part that
// is not the rules'.
func BenchmarkLint(b *testing.B) {
	var files []*source.File
	lines := 0
	err := filepath.WalkDir("../../analysis/testdata/scripts", func(name string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(name) != ".lua" {
			return err
		}
		data, err := os.ReadFile(name)
		file := source.New(name, string(data))
		files, lines = append(files, file), lines+file.Lines()
		return err
	})
	if err != nil {
		b.Fatal(err)
	}
	b.Run("examine", func(b *testing.B) {
		for b.Loop() {
			for _, f := range files {
				analysis.Examine(f, analysis.Options{})
			}
		}
		b.ReportMetric(float64(lines*b.N)/b.Elapsed().Seconds(), "lines/s")
	})
	b.Run("lint", func(b *testing.B) {
		for b.Loop() {
			for _, f := range files {
				lint.Run(analysis.Examine(f, analysis.Options{}), All, lint.Options{})
			}
		}
		b.ReportMetric(float64(lines*b.N)/b.Elapsed().Seconds(), "lines/s")
	})
}
