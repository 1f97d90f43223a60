package gosource_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/project/gosource"
)

// BenchmarkLoad searches a module of 1,000 files of 230 lines, half of which
// hold a script with a part in another file.
func BenchmarkLoad(b *testing.B) {
	dir := b.TempDir()
	b.Chdir(dir)
	write(b, "go.mod", "module example.com/m\n")
	for i := range 1000 {
		var file strings.Builder
		fmt.Fprintf(&file, "package p\n\nimport \"github.com/redis/go-redis/v9\"\n\nconst part%d = \"return \"\n\n", i)
		if i%2 == 0 {
			fmt.Fprintf(&file, "// take%d takes.\nvar take%d = redis.NewScript(part%d + `\nredis.call('GET', KEYS[1])\n`)\n\n", i, i, i+1)
		}
		for j := range 44 {
			fmt.Fprintf(&file, "func f%d_%d(a int) int {\n\ta += %d\n\treturn a\n}\n\n", i, j, j)
		}
		write(b, fmt.Sprintf("p%d/f%d.go", i/10, i), file.String())
	}
	for b.Loop() {
		found, err := gosource.Load([]string{"./..."}, func(abs string) string { return filepath.Base(abs) })
		if err != nil || len(found.Scripts) != 500 || len(found.Missed) > 0 {
			b.Fatal(err, len(found.Scripts), found.Missed)
		}
	}
}
