package gogen_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/luagen/luagen/internal/gogen"
	"github.com/luagen/luagen/internal/script"
)

// BenchmarkGenerate writes a package of 1,500 scripts: copies of the golden
// ones, the simple ones three times as often as those with nested replies.
func BenchmarkGenerate(b *testing.B) {
	var models []*script.Script
	for _, folder := range []string{"lock", "echo", "echo", "echo", "shapes"} {
		models = append(models, readScripts(b, filepath.Join(goldenFolder, folder))...)
	}
	var scripts []*script.Script
	for i := range 1500 {
		s := *models[i%len(models)]
		s.Name = fmt.Sprintf("%s%d", s.Name, i)
		s.File = fmt.Sprintf("lua/script%d.lua", i)
		scripts = append(scripts, &s)
	}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := gogen.Generate(gogen.Package{Name: "bench", Scripts: scripts}); err != nil {
			b.Fatal(err)
		}
	}
}
