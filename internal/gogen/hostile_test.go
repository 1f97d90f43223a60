package gogen_test

// This file implements the proof that nothing in a script reaches Go other
// than as a name, a string or a comment.

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/importer"
	"go/parser"
	"go/token"
	gotypes "go/types"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/luagen/luagen/internal/gogen"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/types"
)

// directive matches comments that direct a tool, also those that only look as
// if they should.
var directive = regexp.MustCompile(`^//(\s*(go:|\+build)|line |export |extern |lint:|nolint)`)

// FuzzText proves that the texts of a script, its documentation, its source,
// its file and the words of its types, change no declaration.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"", "plain", "*/ func init() { panic(1) } /*", "//go:build ignore", "go:embed x", "+build linux", "a\n+build linux\n", "a\r//go:build x",
		"//line x.go:1", "`+`", "` + evil() + `", "\x00", "\xff\xfe", "\ufeff", "\u2028x\u2029", "\u202etxet", "import \"C\"\n#include <x.h>",
		"- list\n  - indented\n\n\tcode\n# Heading", "[Link]: http://x", "Deprecated: no", "é日本\U0001f600\u200d", strings.Repeat("long ", 100) + strings.Repeat("x", 200),
		"package main\nfunc main() {}\n", "a\n\n\n\n b\n\t\tc\n  1. x\n", "+++", "”“\\\"",
	} {
		f.Add(seed, seed, seed)
	}
	f.Fuzz(func(t *testing.T, doc, source, words string) {
		source = "--\n" + source // one of several lines stands in the file in another way
		got := generateHostile(t, doc, source, words)
		want := generateHostile(t, "x", "--\nreturn 1\n", "word")
		for i, file := range got {
			checkFile(t, file)
			syntax := parse(t, file)
			if file.Script != nil {
				if value := sourceOf(t, syntax); value != source {
					t.Errorf("the source literal is %q, want %q", value, source)
				}
			}
			if shape, wanted := shapeOf(syntax), shapeOf(parse(t, want[i])); shape != wanted {
				t.Errorf("%s: the text changes the code:\n%s\n%s", file.Name, wanted, file.Source)
			}
		}
	})
}

func generateHostile(t *testing.T, doc, source, words string) []gogen.File {
	s := &script.Script{
		Name: "Acquire", File: "lua/" + words + "/acquire.lua", Source: source, SHA1: words, Doc: doc,
		Keys: []script.Key{{Name: "lock", Doc: doc}, {Name: "fence", Doc: words}},
		Args: []script.Arg{
			{Name: "token", Type: types.String, Doc: doc},
			{Name: "on", Type: &types.Bool{True: words, False: "x" + words}, Doc: words},
		},
		Reply: script.Reply{Doc: doc, Type: &types.Tuple{Fields: []types.Field{
			{Name: "status", Type: &types.Enum{Text: true, Members: []types.Member{{Name: "a", Word: words}, {Name: "b", Word: "x" + words}}}},
			{Name: "on", Type: &types.Bool{True: words, False: "x" + words}},
		}}},
		Flags: []string{words, doc}, Readonly: true,
		Errors:  []script.ErrorCode{{Code: "BUSY", Doc: doc, Tag: true}},
		Origins: []script.Origin{{Line: 1, File: words, At: 1}},
	}
	many := *s
	many.Name, many.File = "Many", words+"\n"+doc+"/many.lua"
	return mustGenerate(t, gogen.Package{Name: "hostile", Scripts: []*script.Script{s, &many}, ParameterLimit: 4})
}

func mustGenerate(t interface{ Fatalf(string, ...any) }, pkg gogen.Package) []gogen.File {
	files, err := gogen.Generate(pkg)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return files
}

// TestHostileModels proves that whatever a signature is made of, the package
// compiles and has the methods that it should have, and no others.
func TestHostileModels(t *testing.T) {
	imports := exports(t)
	rapid.Check(t, func(t *rapid.T) {
		pkg := hostilePackage(t)
		files := mustGenerate(t, pkg)
		fset := token.NewFileSet()
		var syntax []*ast.File
		for _, file := range files {
			checkFile(t, file)
			parsed, err := parser.ParseFile(fset, file.Name, file.Source, parser.SkipObjectResolution)
			if err != nil {
				t.Fatalf("%v\n%s", err, file.Source)
			}
			syntax = append(syntax, parsed)
		}
		config := gotypes.Config{Importer: importer.ForCompiler(fset, "gc", imports)}
		checked, err := config.Check(pkg.Name, fset, syntax, nil)
		if err != nil {
			var all bytes.Buffer
			for _, file := range files {
				fmt.Fprintf(&all, "== %s\n%s", file.Name, file.Source)
			}
			t.Fatalf("%v\n%s", err, all.Bytes())
		}
		checkMethods(t, checked, pkg.Scripts)
	})
}

// checkMethods compares the methods of Scripts, Pipeline and Interface with
// the names of the scripts.
func checkMethods(t *rapid.T, pkg *gotypes.Package, scripts []*script.Script) {
	var names []string
	for _, s := range scripts {
		names = append(names, s.Name)
	}
	for owner, more := range map[string][]string{"Scripts": {"Pipeline", "Queue", "Tx"}, "Pipeline": {"Exec"}, "Interface": nil} {
		object := pkg.Scope().Lookup(owner)
		typ := object.Type()
		if owner != "Interface" {
			typ = gotypes.NewPointer(typ)
		}
		var got []string
		methods := gotypes.NewMethodSet(typ)
		for i := range methods.Len() {
			got = append(got, methods.At(i).Obj().Name())
		}
		want := slices.Concat(names, more)
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Fatalf("the methods of %s are %q, want %q", owner, got, want)
		}
	}
}

// hostilePackage draws scripts whose names clash with each other, with Go and
// with what every package has.
func hostilePackage(t *rapid.T) gogen.Package {
	pkg := gogen.Package{Name: "hostile", ParameterLimit: rapid.IntRange(1, 5).Draw(t, "limit")}
	seen := map[string]bool{}
	for range rapid.IntRange(1, 4).Draw(t, "scripts") {
		name := rapid.SampledFrom([]string{
			"acquire", "acquire_reply", "acquire_script", "acquire_params", "acquire_item", "acquire_status", "err", "err_busy", "new", "scripts",
			"interface", "registry", "exec", "tx", "queue", "pipeline", "string", "decode", "decode_acquire", "acquire_call", "日本", "3way", "init", "main", "ID", "URLs", "urls",
		}).Draw(t, "name")
		s := &script.Script{Name: script.Method(name), File: "lua/" + name + rapid.SampledFrom([]string{"", "_test", "_linux", "_amd64"}).Draw(t, "suffix") + ".lua", Source: "return 1\n"}
		if seen[s.Name] {
			continue
		}
		seen[s.Name] = true
		hostileSlots(t, s)
		s.Reply.Type = hostileReply(t, 3)
		if rapid.Bool().Draw(t, "absent") && s.Reply.Type != types.None {
			s.Reply.Type = &types.Optional{Elem: s.Reply.Type}
		}
		for range rapid.IntRange(0, 2).Draw(t, "errors") {
			s.Errors = append(s.Errors, script.ErrorCode{Code: hostileName(t), Tag: true})
		}
		s.NameSlots()
		pkg.Scripts = append(pkg.Scripts, s)
	}
	return pkg
}

func hostileSlots(t *rapid.T, s *script.Script) {
	for range rapid.IntRange(0, 3).Draw(t, "keys") {
		s.Keys = append(s.Keys, script.Key{Name: hostileName(t)})
	}
	if n := len(s.Keys); n > 0 {
		s.Keys[n-1].Variadic = rapid.Bool().Draw(t, "variadic keys")
	}
	for range rapid.IntRange(0, 4).Draw(t, "args") {
		a := script.Arg{Name: hostileName(t), Type: hostileArg(t), Optional: rapid.Bool().Draw(t, "optional"), EmptyWhenAbsent: rapid.Bool().Draw(t, "empty")}
		if rapid.IntRange(0, 4).Draw(t, "user") == 0 {
			a.Go = hostileGo(t)
		}
		s.Args = append(s.Args, a)
	}
	if n := len(s.Args); n > 0 && rapid.Bool().Draw(t, "variadic args") {
		last := &s.Args[n-1]
		last.Variadic, last.Optional = true, false
		last.Parallel = len(s.Keys) > 0 && s.Keys[len(s.Keys)-1].Variadic
		if last.Go == "" && rapid.Bool().Draw(t, "groups") {
			last.Type = hostileTuple(t, func() types.Type { return hostileArg(t) })
		}
	}
}

func hostileName(t *rapid.T) string {
	return rapid.OneOf(
		rapid.SampledFrom([]string{
			"key", "lock", "status", "reply", "script", "params", "item", "items", "ids", "busy", "type", "range", "len", "string", "int64", "nil", "error", "any",
			"ctx", "s", "p", "t", "v", "c", "err", "ok", "call", "time", "json", "msgpack", "context", "redislua", "strconv", "shop", "Shop", "orders", "orders2",
			"times", "calls", "ttl_ms", "seconds", "data", "err2", "value", "orderData", "order", "X", "x1", "1", "_", "acquire_call", "newCall", "decode_acquire_reply", "caller", "batch", "fmt", "Err", "Key", "Value",
		}),
		rapid.String(),
	).Draw(t, "slot")
}

func hostileGo(t *rapid.T) string {
	return rapid.SampledFrom([]string{
		shop + ".ID", shop + ".Level", shop + ".Code", shop + ".Order", "time.Duration", "encoding/json.RawMessage", "net/netip.Addr",
		"text/template.Template", "html/template.Template", "math/rand/v2.Rand",
	}).Draw(t, "go type")
}

const shop = "github.com/luagen/luagen/internal/gogen/testdata/shop"

func hostileArg(t *rapid.T) types.Type {
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0:
		return &types.Duration{Unit: types.Milliseconds}
	case 1:
		return &types.Time{Unit: types.Seconds}
	case 2:
		return hostileEnum(t)
	case 3:
		enc := &types.Encoded{Format: rapid.SampledFrom([]types.Format{types.JSON, types.Msgpack}).Draw(t, "format")}
		if rapid.Bool().Draw(t, "typed") {
			enc.Go = hostileGo(t)
		}
		return enc
	case 4:
		return &types.Bool{}
	case 5:
		return &types.Bool{True: "a", False: hostileName(t)}
	}
	return rapid.SampledFrom([]types.Type{types.String, types.Bytes, types.Int, types.Uint, types.Float}).Draw(t, "basic")
}

func hostileEnum(t *rapid.T) types.Type {
	enum := &types.Enum{Text: rapid.Bool().Draw(t, "text")}
	for i := range rapid.IntRange(1, 4).Draw(t, "members") {
		m := types.Member{Name: hostileName(t), Int: int64(i - 1)}
		if enum.Text {
			m.Int, m.Word = 0, hostileName(t)
		}
		enum.Members = append(enum.Members, m)
	}
	return enum
}

func hostileTuple(t *rapid.T, field func() types.Type) types.Type {
	tuple := &types.Tuple{}
	for range rapid.IntRange(1, 4).Draw(t, "fields") {
		tuple.Fields = append(tuple.Fields, types.Field{Name: hostileName(t), Type: field()})
	}
	return tuple
}

func hostileReply(t *rapid.T, depth int) types.Type {
	if depth == 0 {
		return hostileArg(t)
	}
	switch rapid.IntRange(0, 7).Draw(t, "reply") {
	case 0:
		return &types.List{Elem: hostileReply(t, depth-1)}
	case 1:
		return &types.Map{Key: types.String, Value: hostileReply(t, depth-1)}
	case 2:
		return &types.Map{Ordered: true, Key: hostileArg(t), Value: hostileReply(t, depth-1)}
	case 3, 4:
		return hostileTuple(t, func() types.Type { return hostileReply(t, depth-1) })
	case 5:
		return &types.Optional{Elem: hostileReply(t, depth-1)}
	case 6:
		return rapid.SampledFrom([]types.Type{types.Any, types.None, types.Status, &types.Union{Members: []types.Type{types.Int, types.String}}}).Draw(t, "rare")
	}
	return hostileArg(t)
}

// checkFile fails unless a file is as gofmt has it, declares nothing for a
// tool and imports no more than it may.
func checkFile(t interface{ Fatalf(string, ...any) }, file gogen.File) {
	formatted, err := format.Source(file.Source)
	if err != nil {
		t.Fatalf("%s: %v\n%s", file.Name, err, file.Source)
	}
	if !bytes.Equal(formatted, file.Source) {
		t.Fatalf("%s is not as gofmt has it:\n%s\nwant:\n%s", file.Name, file.Source, formatted)
	}
	syntax, err := parser.ParseFile(token.NewFileSet(), file.Name, file.Source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		t.Fatalf("%v", err)
	}
	for _, group := range syntax.Comments {
		for _, c := range group.List {
			if directive.MatchString(c.Text) || strings.HasPrefix(c.Text, "/*") {
				t.Fatalf("%s: the comment %q is a directive", file.Name, c.Text)
			}
		}
	}
	for _, spec := range syntax.Imports {
		if path, err := strconv.Unquote(spec.Path.Value); err != nil || path == "C" || path == "unsafe" {
			t.Fatalf("%s imports %s", file.Name, spec.Path.Value)
		}
	}
	if name := strings.TrimSuffix(file.Name, ".go"); strings.HasSuffix(name, "_test") || strings.ContainsAny(name, "/\\\x00\n") {
		t.Fatalf("%q is no file name for a script", file.Name)
	}
}

func parse(t *testing.T, file gogen.File) *ast.File {
	t.Helper()
	syntax, err := parser.ParseFile(token.NewFileSet(), file.Name, file.Source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	return syntax
}

// shapeOf returns all of a file's syntax but its comments and the values of
// its strings.
func shapeOf(file *ast.File) string {
	var b strings.Builder
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case nil:
			b.WriteString(")")
			return true
		case *ast.Ident:
			b.WriteString(n.Name)
		case *ast.BasicLit:
			if n.Kind != token.STRING {
				b.WriteString(n.Value)
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Source" {
				return false
			}
		}
		fmt.Fprintf(&b, "(%T", n)
		return true
	})
	return b.String()
}

// sourceOf returns the value of the Source of a file's script.
func sourceOf(t *testing.T, file *ast.File) string {
	t.Helper()
	var value string
	ast.Inspect(file, func(n ast.Node) bool {
		if pair, ok := n.(*ast.KeyValueExpr); ok {
			if key, ok := pair.Key.(*ast.Ident); ok && key.Name == "Source" {
				value = concatenation(t, pair.Value)
			}
		}
		return true
	})
	return value
}

func concatenation(t *testing.T, x ast.Expr) string {
	t.Helper()
	switch x := x.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(x.Value)
		if err != nil {
			t.Fatal(err)
		}
		return text
	case *ast.BinaryExpr:
		return concatenation(t, x.X) + concatenation(t, x.Y)
	}
	t.Fatalf("a source is %T", x)
	return ""
}

// exports returns what go/types imports packages from: the compiler's export
// data of everything that generated code may import.
func exports(t *testing.T) func(path string) (io.ReadCloser, error) {
	t.Helper()
	files, err := exportFiles()
	if err != nil {
		t.Fatal(err)
	}
	return func(path string) (io.ReadCloser, error) { return os.Open(files[path]) }
}

var exportFiles = sync.OnceValues(func() (map[string]string, error) {
	out, err := exec.Command("go", "list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}",
		"github.com/luagen/luagen/redislua", "github.com/vmihailenco/msgpack/v5", shop, "net/netip", "text/template", "html/template", "math/rand/v2").Output()
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		files[path] = file
	}
	return files, nil
})
