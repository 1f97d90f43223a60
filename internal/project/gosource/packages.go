package gosource

// This file implements finding and reading Go packages: the folders that
// patterns name, their files, and the packages of the same module that these
// import. Nothing is built, downloaded or type-checked.

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

// pkg is one folder of Go files.
type pkg struct {
	dir   string // absolute
	files []*goFile
}

// goFile is one Go file. Its syntax is there only when something in it is
// asked for.
type goFile struct {
	abs     string
	pkg     *pkg
	source  *source.File
	test    bool // a _test.go file
	builds  bool // the build for this system includes it
	wanted  bool // a pattern names it
	syntax  *ast.File
	tok     *token.File
	aliases map[string]string // import paths, by the name they have in the file
	broken  error             // the first mistake of its syntax
}

// offset returns the place of a node in the file's text.
func (f *goFile) offset(pos token.Pos) source.Pos { return source.Pos(f.tok.Offset(pos)) }

// span returns the span of a node in the file's text.
func (f *goFile) span(n ast.Node) source.Span {
	return source.Span{Start: f.offset(n.Pos()), End: f.offset(n.End())}
}

// IsPattern tells whether a path of the command line is one of Go source: a
// .go file, a folder with ... behind it, or a folder with Go files in it.
func IsPattern(name string) bool {
	if strings.HasSuffix(name, ".go") || path.Base(filepath.ToSlash(name)) == "..." {
		return true
	}
	found, _ := filepath.Glob(filepath.Join(escapeGlob(name), "*.go"))
	return len(found) > 0
}

// escapeGlob makes a path a pattern that only it matches.
func escapeGlob(name string) string {
	if filepath.Separator == '\\' {
		return name
	}
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(name)
}

// open reads the packages of patterns.
func (l *loader) open(patterns []string) error {
	dirs := make(map[string]func(name string) bool) // what is wanted of a folder
	var order []string
	want := func(dir string, file func(string) bool) {
		before, known := dirs[dir]
		if !known {
			order = append(order, dir)
			dirs[dir] = file
			return
		}
		dirs[dir] = func(name string) bool { return before(name) || file(name) }
	}
	noTests := func(name string) bool { return !strings.HasSuffix(name, "_test.go") }
	for _, pattern := range patterns {
		abs, err := filepath.Abs(pattern)
		if err != nil {
			return fmt.Errorf("finding the working directory: %w", err)
		}
		switch {
		case strings.HasSuffix(pattern, ".go"):
			want(filepath.Dir(abs), func(name string) bool { return name == filepath.Base(abs) })
		case filepath.Base(abs) == "...":
			below, err := folders(filepath.Dir(abs))
			if err != nil {
				return fmt.Errorf("reading %s: %w", l.display(filepath.Dir(abs)), cause(err))
			}
			for _, dir := range below {
				want(dir, noTests)
			}
		default:
			want(abs, noTests)
		}
	}
	found := make([]*pkg, len(order))
	var group errgroup.Group
	group.SetLimit(8)
	for i, dir := range order {
		group.Go(func() (err error) {
			found[i], err = l.read(dir, dirs[dir])
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, p := range found {
		l.packages[p.dir] = p
		l.order = append(l.order, p)
	}
	return nil
}

// folders returns a folder and those below it that the go command sees in a
// pattern with "...".
func folders(top string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(top, func(abs string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if !entry.IsDir() {
			return nil
		}
		if abs != top {
			name := entry.Name()
			if name[0] == '.' || name[0] == '_' || name == "testdata" || name == "vendor" || isModule(abs) {
				return filepath.SkipDir
			}
		}
		found = append(found, abs)
		return nil
	})
	return found, err
}

// isModule tells whether a folder is the root of a module.
func isModule(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "go.mod"))
	return err == nil
}

// read reads the Go files of a folder. Those that wanted tells are looked
// through; the others are there for what they define.
func (l *loader) read(dir string, wanted func(name string) bool) (*pkg, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", l.display(dir), cause(err))
	}
	p := &pkg{dir: dir}
	for _, entry := range entries {
		name := entry.Name()
		if entry.IsDir() || !strings.HasSuffix(name, ".go") || name[0] == '.' || name[0] == '_' {
			continue
		}
		f := &goFile{abs: filepath.Join(dir, name), pkg: p, wanted: wanted(name), test: strings.HasSuffix(name, "_test.go")}
		if f.test && !f.wanted {
			continue
		}
		data, err := os.ReadFile(f.abs)
		if err != nil {
			return nil, fmt.Errorf("reading %s: %w", l.display(f.abs), cause(err))
		}
		if ignored(data) && !strings.HasSuffix(name, "_test.go") {
			continue
		}
		f.wanted = f.wanted && !generated(data)
		f.source = source.New(l.display(f.abs), string(data))
		f.builds, _ = build.Default.MatchFile(dir, name)
		p.files = append(p.files, f)
	}
	// What this system builds comes first, where two files define one name.
	slices.SortStableFunc(p.files, func(a, b *goFile) int {
		switch {
		case a.builds == b.builds:
			return 0
		case a.builds:
			return -1
		}
		return 1
	})
	return p, nil
}

// header returns the lines of a Go file before its package clause.
func header(data []byte) []byte {
	if i := bytes.Index(data, []byte("\npackage ")); i >= 0 {
		return data[:i+1]
	}
	return nil
}

// ignored tells whether no build includes a file: it is a program of its own
// that its constraint keeps out with the tag ignore.
func ignored(data []byte) bool {
	for line := range bytes.Lines(header(data)) {
		text := strings.TrimSpace(string(line))
		if !constraint.IsGoBuild(text) || !strings.Contains(text, "ignore") {
			continue
		}
		expr, err := constraint.Parse(text)
		return err == nil && !expr.Eval(func(tag string) bool { return tag != "ignore" })
	}
	return false
}

// generated tells whether luagen wrote a file: its scripts are .lua files.
func generated(data []byte) bool {
	return bytes.Contains(header(data), []byte("// Code generated by luagen. DO NOT EDIT."))
}

// hints are what a file has in it that may hold a script.
var hints = []string{
	"redis.call", "redis.pcall", "NewScript", "NewLuaScript", "Eval(", "EvalRO(", "EvalRo(", "EvalReadonly(",
	"ScriptLoad(", "EVAL", "go:embed",
}

// hasHint tells whether the file may hold a script.
func (f *goFile) hasHint() bool {
	return slices.ContainsFunc(hints, func(hint string) bool { return strings.Contains(f.source.Text, hint) })
}

// parse parses the file, once. What is broken in it is left out of the tree.
func (f *goFile) parse(fset *token.FileSet) {
	mode := parser.ParseComments | parser.SkipObjectResolution
	f.syntax, f.broken = parser.ParseFile(fset, f.abs, f.source.Text, mode)
	f.tok = fset.File(f.syntax.FileStart)
}

// parse parses a file and reads its imports, once.
func (l *loader) parse(f *goFile) {
	if f.aliases != nil {
		return
	}
	if f.syntax == nil {
		f.parse(l.fset)
	}
	f.aliases = make(map[string]string)
	for _, spec := range f.syntax.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := l.packageName(f, imported)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		f.aliases[name] = imported
	}
}

// brokenAt is the diagnostic of the first mistake of the file's syntax.
func (f *goFile) brokenAt() diag.Diagnostic {
	d := diag.Diagnostic{
		Rule: diag.RuleSyntax, Severity: diag.Warning, File: f.source, Message: f.broken.Error(),
		Help: "scripts behind this place may not be found",
	}
	var list scanner.ErrorList
	if errors.As(f.broken, &list) {
		at := source.Pos(min(list[0].Pos.Offset, len(f.source.Text)))
		d.Span, d.Message = source.Span{Start: at, End: at}, "this is no Go: "+list[0].Msg
	}
	return d
}

// packageName returns the name of an imported package: that of its clause when
// it is of the same module, else what its path promises.
func (l *loader) packageName(f *goFile, imported string) string {
	if dir := l.importDir(f, imported); dir != "" {
		if p := l.packages[dir]; p != nil && len(p.files) > 0 && p.files[0].syntax != nil {
			return p.files[0].syntax.Name.Name
		}
		entries, _ := os.ReadDir(dir)
		for _, entry := range entries {
			if name := entry.Name(); strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") {
				parsed, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.PackageClauseOnly)
				if err == nil && parsed.Name.Name != "documentation" {
					return parsed.Name.Name
				}
			}
		}
	}
	base := path.Base(imported)
	if digits := strings.TrimPrefix(base, "v"); digits != base && strings.Trim(digits, "0123456789") == "" && path.Dir(imported) != "." {
		base = path.Base(path.Dir(imported))
	}
	base, _, _ = strings.Cut(base, ".")
	base = strings.TrimPrefix(base, "go-")
	return strings.TrimSuffix(base, "-go")
}

// module is the root of a module and its path.
type module struct{ root, path string }

// moduleOf returns the module that a folder is in; its path is empty when
// there is none.
func (l *loader) moduleOf(dir string) module {
	if m, known := l.modules[dir]; known {
		return m
	}
	var m module
	data, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	switch {
	case err == nil:
		m = module{dir, modulePath(string(data))}
	case filepath.Dir(dir) != dir:
		m = l.moduleOf(filepath.Dir(dir))
	}
	l.modules[dir] = m
	return m
}

// modulePath returns the path that the text of a go.mod gives its module.
func modulePath(text string) string {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(line, "//")
		if fields := strings.Fields(line); len(fields) == 2 && fields[0] == "module" {
			if unquoted, err := strconv.Unquote(fields[1]); err == nil {
				return unquoted
			}
			return fields[1]
		}
	}
	return ""
}

// importDir returns the folder of an imported package of the same module, or
// "".
func (l *loader) importDir(f *goFile, imported string) string {
	m := l.moduleOf(f.pkg.dir)
	rest, ok := strings.CutPrefix(imported, m.path)
	if m.path == "" || !ok || rest != "" && rest[0] != '/' {
		return ""
	}
	return filepath.Join(m.root, filepath.FromSlash(rest))
}

// imported returns an imported package of the same module, or nil.
func (l *loader) imported(f *goFile, importPath string) *pkg {
	dir := l.importDir(f, importPath)
	if dir == "" {
		return nil
	}
	if p, known := l.packages[dir]; known {
		return p
	}
	p, err := l.read(dir, func(string) bool { return false })
	if err != nil {
		p = nil // the compiler will tell
	}
	l.packages[dir] = p
	return p
}

// cause returns what an error of package os says beside the operation and the
// path, which our messages name themselves.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}
