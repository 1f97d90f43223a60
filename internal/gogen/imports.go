package gogen

// This file implements the imports of generated files: what packages are
// called, and their two groups.

import (
	"bytes"
	"slices"
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/luagen/luagen/internal/script"
)

const (
	contextPath  = "context"
	goRedisPath  = "github.com/redis/go-redis/v9"
	jsonPath     = "encoding/json"
	msgpackPath  = "github.com/vmihailenco/msgpack/v5"
	redisluaPath = "github.com/luagen/luagen/redislua"
	strconvPath  = "strconv"
	timePath     = "time"
)

// ours are the packages that every generated file may import, by their own
// names.
var ours = map[string]string{
	contextPath: "context", goRedisPath: "redis", jsonPath: "json", msgpackPath: "msgpack",
	redisluaPath: "redislua", strconvPath: "strconv", timePath: "time",
}

// planImports names the packages of the users' types, one name for the whole
// package, so that a type reads the same in every file.
func (p *plan) planImports() {
	users := map[string][]*unit{} // who imports a path
	for _, u := range p.units {
		slices.Sort(u.imports)
		u.imports = slices.Compact(u.imports)
		for _, path := range u.imports {
			users[path] = append(users[path], u)
		}
	}
	paths := make([]string, 0, len(users))
	for path := range users {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	p.aliases = map[string]string{}
	given := map[string]bool{}
	for _, name := range ours {
		given[name] = true
	}
	for _, path := range paths {
		if _, ok := ours[path]; ok {
			continue
		}
		name := script.PackageName(path)
		for n := 2; given[name] || jen.IsReservedWord(name) || isParameter(users[path], name); n++ {
			name = script.Numbered(script.PackageName(path), n)
		}
		given[name] = true
		p.aliases[path] = name
	}
}

// isParameter reports whether a wrapper has a parameter of that name.
func isParameter(units []*unit, name string) bool {
	return slices.ContainsFunc(units, func(u *unit) bool {
		return slices.ContainsFunc(u.slots(), func(s *slot) bool { return s.name == name })
	})
}

// newFile begins a generated file that may import the users' packages at paths.
func (p *plan) newFile(paths []string) *jen.File {
	f := jen.NewFile(p.Name)
	f.NoFormat = true // once, at the end
	f.ImportNames(ours)
	for _, path := range paths {
		name, ok := p.aliases[path]
		switch {
		case !ok: // one of ours
		case inStandardLibrary(path) && strings.HasSuffix(path, name):
			f.ImportName(path, name)
		default:
			f.ImportAlias(path, name)
		}
	}
	return f
}

// inStandardLibrary reports whether an import path is one of Go's own. Modules
// have a dot in the first element of theirs, with rare exceptions, so those
// elements that Go has are listed.
func inStandardLibrary(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	switch first {
	case "archive", "bufio", "bytes", "cmp", "compress", "container", "context", "crypto", "database", "debug",
		"embed", "encoding", "errors", "expvar", "flag", "fmt", "go", "hash", "html", "image", "index", "io", "iter",
		"log", "maps", "math", "mime", "net", "os", "path", "plugin", "reflect", "regexp", "runtime", "slices", "sort",
		"strconv", "strings", "structs", "sync", "syscall", "testing", "text", "time", "unicode", "unique", "unsafe", "weak":
		return true
	}
	return false
}

// groupImports puts the standard library's packages before the others, with an
// empty line between. jennifer writes them sorted by path, one a line.
func groupImports(source []byte) []byte {
	const begin, end = "\nimport (\n", ")\n"
	from := bytes.Index(source, []byte(begin))
	if from < 0 {
		return source
	}
	from += len(begin)
	to := from + bytes.Index(source[from:], []byte(end))
	var standard, others []byte
	for line := range bytes.Lines(source[from:to]) {
		_, path, _ := strings.Cut(string(line), `"`)
		if inStandardLibrary(strings.TrimSuffix(path, "\"\n")) {
			standard = append(standard, line...)
		} else {
			others = append(others, line...)
		}
	}
	if len(standard) == 0 || len(others) == 0 {
		return source
	}
	return slices.Concat(source[:from], standard, []byte("\n"), others, source[to:])
}
