package luagen

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/luagen/luagen"

// layers are the packages under internal/ from bottom to top. A package
// imports only from above it in this list; packages on one line may not import
// each other. A folder stands for the packages in it as well.
var layers = []string{
	"internal/source",
	"internal/types",
	"internal/diag",
	"internal/command",
	"internal/script",
	"internal/syntax",
	"internal/analysis",
	"internal/lint",
	"internal/gogen",
	"internal/engine",
	"internal/project",
	"internal/cli",
}

// deny lists what a package and those below its folder must not import, with
// the reason. A prefix of an import path stands for all that begins with it.
var deny = []struct{ pkg, imports, reason string }{
	{"internal/syntax", module + "/internal/command", "the syntax knows no Redis"},
	{"internal/syntax", module + "/internal/types", "the syntax knows no Redis"},
	{"internal/syntax", module + "/internal/script", "the syntax knows no Redis"},
	{"internal/command", module + "/internal/syntax", "the command table knows no Lua"},
	{"internal/gogen", module + "/internal/syntax", "the generator sees no syntax tree"},
	{"internal/gogen", module + "/internal/analysis", "the generator sees no syntax tree"},
	{"internal/analysis", module + "/redislua", "the compiler does not depend on the runtime it generates for"},
	{"internal/lint", module + "/redislua", "the compiler does not depend on the runtime it generates for"},
	{"internal/gogen", module + "/redislua", "the compiler does not depend on the runtime it generates for"},
	{"internal/engine", module + "/redislua", "the compiler does not depend on the runtime it generates for"},
	{"internal/project", module + "/redislua", "the compiler does not depend on the runtime it generates for"},
	{"internal", module + "/generated", "the compiler does not depend on its own output"},
}

// only lists what a package may import outside the standard library, for the
// packages that end up in users' binaries.
var only = []struct {
	pkg     string
	imports []string
}{
	{"redislua", []string{"github.com/redis/go-redis/v9"}},
	{"generated", []string{"github.com/redis/go-redis/v9", module + "/redislua"}},
	{"lock", []string{"github.com/redis/go-redis/v9", module + "/redislua", module + "/generated", module + "/lock"}},
	{"cmd/luagen", []string{module + "/internal/cli"}},
}

// confined lists the libraries that one part of the tree owns.
var confined = []struct {
	library string
	owners  []string
}{
	{"github.com/yuin/gopher-lua", []string{"internal/engine", "luatest"}},
	{"github.com/yuin/gopher-lua/parse", nil}, // there is one Lua parser in the product, ours
	{"github.com/alicebob/miniredis", []string{"internal/engine", "luatest", "examples"}},
	{"github.com/dave/jennifer", []string{"internal/gogen"}},
	{"github.com/spf13/cobra", []string{"internal/cli"}},
	{"github.com/goccy/go-yaml", []string{"internal/project"}},
	{"github.com/aymanbagabas/go-udiff", []string{"internal/project"}},
}

// TestImports holds every file that is compiled into a program to the import
// policy. It reads the sources, as an answer of the go command may be cached.
func TestImports(t *testing.T) {
	for _, file := range sources(t) {
		if strings.HasSuffix(file.name, "_test.go") {
			continue
		}
		for _, imp := range file.syntax.Imports {
			imported, _ := strconv.Unquote(imp.Path.Value)
			if problem := importProblem(file.pkg, imported); problem != "" {
				t.Errorf("%s: imports %s: %s", file.position(imp), imported, problem)
			}
		}
	}
}

// importProblem tells why pkg, a folder of this module, must not import the
// path; "" when it may.
func importProblem(pkg, imported string) string {
	for _, rule := range deny {
		if within(pkg, rule.pkg) && within(imported, rule.imports) {
			return rule.reason
		}
	}
	for _, rule := range confined {
		if strings.HasPrefix(imported, rule.library) && !slices.ContainsFunc(rule.owners, func(owner string) bool { return within(pkg, owner) }) {
			return "only " + strings.Join(append(rule.owners, "tests"), ", ") + " may"
		}
	}
	for _, rule := range only {
		standard := !strings.Contains(strings.Split(imported, "/")[0], ".")
		if within(pkg, rule.pkg) && !standard && !slices.ContainsFunc(rule.imports, func(p string) bool { return within(imported, p) }) {
			return "beside the standard library it may import only " + strings.Join(rule.imports, ", ")
		}
	}
	below, isOurs := strings.CutPrefix(imported, module+"/")
	if from, to := layer(pkg), layer(below); isOurs && from >= 0 && to >= 0 {
		if to > from || to == from && !within(below, layers[from]) {
			return layers[to] + " lies above " + layers[from]
		}
	}
	return ""
}

// TestImportProblem asks that the policy bites.
func TestImportProblem(t *testing.T) {
	for _, test := range []struct {
		pkg, imports string
		allowed      bool
	}{
		{"internal/gogen", module + "/internal/script", true},
		{"internal/gogen", module + "/internal/syntax", false},
		{"internal/source", module + "/internal/diag", false},
		{"internal/diag/render", module + "/internal/diag", true},
		{"internal/diag", module + "/internal/diag/render", true},
		{"internal/project", module + "/internal/cli", false},
		{"internal/cli", module + "/internal/project", true},
		{"internal/command", module + "/internal/syntax", false},
		{"redislua", "github.com/redis/go-redis/v9", true},
		{"redislua", "github.com/yuin/gopher-lua", false},
		{"redislua", "github.com/alicebob/miniredis/v2", false},
		{"redislua", "github.com/dave/jennifer/jen", false},
		{"redislua", "golang.org/x/sync/singleflight", false},
		{"internal/engine", "github.com/yuin/gopher-lua", true},
		{"internal/engine", "github.com/yuin/gopher-lua/parse", false},
		{"internal/analysis", "github.com/yuin/gopher-lua/ast", false},
		{"internal/lint", "github.com/spf13/cobra", false},
		{"internal/cli", "github.com/spf13/cobra", true},
		{"internal/cli", module + "/redislua", true},
		{"internal/gogen", module + "/redislua", false},
		{"generated", module + "/internal/script", false},
		{"lock", module + "/generated", true},
		{"lock", module + "/internal/engine", false},
		{"lock/quorum", module + "/lock/internal/lease", true},
	} {
		if problem := importProblem(test.pkg, test.imports); (problem == "") != test.allowed {
			t.Errorf("%s imports %s: problem %q, want allowed %t", test.pkg, test.imports, problem, test.allowed)
		}
	}
}

// layer returns the index of the layer that a folder belongs to, or -1.
func layer(pkg string) int {
	return slices.IndexFunc(layers, func(l string) bool { return within(pkg, l) })
}

// within tells whether a slash-separated path is root or below it.
func within(p, root string) bool { return p == root || strings.HasPrefix(p, root+"/") }

// TestLayersAreComplete asks that a new package under internal/ takes its
// place in the order. Packages for tests alone are named …test.
func TestLayersAreComplete(t *testing.T) {
	for _, file := range sources(t) {
		if within(file.pkg, "internal") && layer(file.pkg) < 0 && !strings.HasSuffix(file.pkg, "test") {
			t.Errorf("%s is in no layer: give it a place in layers, or a name that ends in test", file.pkg)
		}
	}
}

// TestHouseRules finds what must not be anywhere in the product: an init
// function, an exit below cli, printing below cli, a package of leftovers.
func TestHouseRules(t *testing.T) {
	for _, file := range sources(t) {
		if base := path.Base(file.pkg); slices.Contains([]string{"util", "utils", "common", "helpers", "misc"}, base) {
			t.Errorf("%s: a package is named for what it holds", file.pkg)
		}
		if strings.HasSuffix(file.name, "_test.go") {
			continue
		}
		for _, decl := range file.syntax.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s: init() hides an order of events; make it a value or a call", file.position(fn))
			}
		}
		product := within(file.pkg, "internal") || within(file.pkg, "redislua") || within(file.pkg, "lock")
		program := file.syntax.Name.Name == "main" // one that go generate runs
		if !product || program || within(file.pkg, "internal/cli") {
			continue
		}
		ast.Inspect(file.syntax, func(n ast.Node) bool {
			if name := selector(file.syntax, n); slices.Contains(outward, name) {
				t.Errorf("%s: %s: only internal/cli prints or ends the program", file.position(n), name)
			}
			return true
		})
	}
}

// outward are the functions and variables that reach the user's terminal or
// end the program.
var outward = []string{
	"os.Exit", "os.Stdout", "os.Stderr", "os.Stdin",
	"fmt.Print", "fmt.Printf", "fmt.Println",
	"log.Print", "log.Printf", "log.Println", "log.Fatal", "log.Fatalf", "log.Fatalln",
}

// selector returns n as package.Name when it selects from an import of f.
func selector(f *ast.File, n ast.Node) string {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok {
		return ""
	}
	pkg, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	for _, imp := range f.Imports {
		if imported, _ := strconv.Unquote(imp.Path.Value); imported == pkg.Name && imp.Name == nil {
			return pkg.Name + "." + sel.Sel.Name
		}
	}
	return ""
}

// goFile is one Go file of this module.
type goFile struct {
	name   string // slashes, relative to the module
	pkg    string // its folder
	fset   *token.FileSet
	syntax *ast.File
}

func (f *goFile) position(n ast.Node) token.Position { return f.fset.Position(n.Pos()) }

// sources parses the module's Go files. Test data, hidden folders and files
// that no build includes (programs for go generate) are left out.
func sources(t *testing.T) []goFile {
	t.Helper()
	var files []goFile
	fset := token.NewFileSet()
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		base := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != "." && (base == "testdata" || base == "tools" || base[0] == '.' || base[0] == '_'):
			return filepath.SkipDir
		case entry.IsDir() || !strings.HasSuffix(base, ".go"):
			return nil
		}
		syntax, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if ignored(syntax) {
			return nil
		}
		name = filepath.ToSlash(name)
		files = append(files, goFile{name: name, pkg: path.Dir(name), fset: fset, syntax: syntax})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// ignored tells whether a file begins with the build constraint "ignore".
func ignored(f *ast.File) bool {
	for _, group := range f.Comments {
		if group.Pos() > f.Package {
			return false
		}
		for _, comment := range group.List {
			if comment.Text == "//go:build ignore" {
				return true
			}
		}
	}
	return false
}
