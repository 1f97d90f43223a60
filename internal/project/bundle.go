package project

// This file implements includes: it composes the text of a script from its
// file and those that it asks for.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
)

// maxBundle bounds a script with its includes, as text that is put in place
// twice by files that are put in place twice grows without end.
const maxBundle = 4 << 20

// bundler reads files, each once, and composes scripts from them. It is safe
// for concurrent use.
type bundler struct {
	project *Project
	module  string   // absolute: the folder that includes must not leave
	files   sync.Map // of *cached, by absolute path
}

// cached is a file that is read when it is first wanted.
type cached struct {
	once     sync.Once
	text     *textFile
	includes []include
	err      error
}

// bundled is a script with its includes in place.
type bundled struct {
	file    *source.File
	origins []script.Origin // nil without includes
}

func newBundler(p *Project) *bundler {
	return &bundler{project: p, module: moduleOf(p.root)}
}

// moduleOf returns the nearest folder at or above root with a go.mod, or root.
func moduleOf(root string) string {
	for dir := root; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			return root
		}
	}
}

// read returns a file and its includes.
func (b *bundler) read(abs string) (*textFile, []include, error) {
	entry, _ := b.files.LoadOrStore(abs, new(cached))
	c := entry.(*cached)
	c.once.Do(func() {
		if c.text, c.err = b.project.readFile(abs); c.err == nil {
			c.includes = includes(c.text.file)
		}
	})
	return c.text, c.includes, c.err
}

// folders returns those that files were read from.
func (b *bundler) folders() []string {
	var folders []string
	b.files.Range(func(abs, _ any) bool {
		folders = append(folders, filepath.Dir(abs.(string)))
		return true
	})
	slices.Sort(folders)
	return slices.Compact(folders)
}

// bundle composes the script of a file.
func (b *bundler) bundle(abs string) (bundled, []diag.Diagnostic, error) {
	text, includes, err := b.read(abs)
	if err != nil {
		return bundled{}, nil, err
	}
	if len(includes) == 0 {
		return bundled{file: text.file}, nil, nil
	}
	w := weaver{bundler: b, once: map[string]bool{abs: true}, names: make(map[*source.File]string)}
	if err := w.weave(abs); err != nil {
		return bundled{}, nil, err
	}
	file := source.Compose(text.file.Name, w.text.String(), w.segments)
	return bundled{file, w.origins(file)}, w.diags, nil
}

// weaver composes one script.
type weaver struct {
	*bundler
	text     strings.Builder
	segments []source.Segment
	once     map[string]bool         // files that @include has put in
	open     []string                // files that are being put in, outermost first
	names    map[*source.File]string // of the files in it, relative to the project
	diags    []diag.Diagnostic
	full     bool
}

// weave appends a file with its includes. Its last line break is left to the
// line of the directive that asked for it.
func (w *weaver) weave(abs string) error {
	text, includes, err := w.read(abs)
	if err != nil {
		return err
	}
	w.names[text.file] = w.project.relative(abs)
	w.open = append(w.open, abs)
	end := source.Pos(len(text.file.Text))
	if len(w.open) > 1 && strings.HasSuffix(text.file.Text, "\n") {
		end--
	}
	at := source.Pos(0)
	for _, inc := range includes {
		w.append(text.file, at, inc.span.Start)
		if err := w.include(text, inc); err != nil {
			return err
		}
		at = inc.span.End
	}
	w.append(text.file, at, end)
	w.open = w.open[:len(w.open)-1]
	return nil
}

// append appends a part of a file.
func (w *weaver) append(file *source.File, from, to source.Pos) {
	if from >= to {
		return
	}
	start := source.Pos(w.text.Len())
	w.text.WriteString(file.Text[from:to])
	w.segments = append(w.segments, source.Segment{
		Start: start, End: start + to - from, Origin: file, At: from,
	})
}

// include puts in what one directive asks for.
func (w *weaver) include(from *textFile, inc include) error {
	targets, err := w.resolve(from, inc)
	if err != nil {
		return err
	}
	first := true
	for _, target := range targets {
		if i := slices.Index(w.open, target); i >= 0 {
			w.cycle(from, inc, w.open[i:])
			continue
		}
		if inc.once && w.once[target] {
			continue
		}
		if w.text.Len() > maxBundle {
			if !w.full {
				w.full = true
				w.errorf(from, inc, "use @include, which takes each file once", "with this file the script is larger than %d MiB", maxBundle>>20)
			}
			return nil
		}
		if inc.once {
			w.once[target] = true
		}
		if !first {
			w.separate(from, inc)
		}
		first = false
		if err := w.weave(target); err != nil {
			return err
		}
	}
	return nil
}

// separate ends the line between two files of one directive.
func (w *weaver) separate(from *textFile, inc include) {
	start := source.Pos(w.text.Len())
	w.text.WriteByte('\n')
	w.segments = append(w.segments, source.Segment{
		Start: start, End: start + 1, Origin: from.file, At: inc.span.Start, Fixed: true,
	})
}

// cycle reports a file that includes itself.
func (w *weaver) cycle(from *textFile, inc include, chain []string) {
	names := make([]string, 0, len(chain)+1)
	for _, abs := range append(slices.Clone(chain), chain[0]) {
		names = append(names, w.project.Display(abs))
	}
	w.errorf(from, inc, "move what both need to a third file", "files include each other: %s", strings.Join(names, " -> "))
}

// resolve returns the files that a directive names, in sorted order. What is
// wrong with the path is reported.
func (w *weaver) resolve(from *textFile, inc include) ([]string, error) {
	if path.IsAbs(inc.path) || filepath.IsAbs(inc.path) {
		w.errorf(from, inc, "write it relative to the file it stands in", "the path %s is absolute", inc.path)
		return nil, nil
	}
	name := filepath.Join(filepath.Dir(from.abs), filepath.FromSlash(inc.path))
	if !below(name, w.module) {
		w.errorf(from, inc, "", "the path %s leaves the module in %s", inc.path, w.project.Display(w.module))
		return nil, nil
	}
	targets, err := w.match(from, inc, name)
	for _, target := range targets {
		if real, err := filepath.EvalSymlinks(target); err == nil && !below(real, realPath(w.module)) {
			w.errorf(from, inc, "", "the path %s leads out of the module in %s through a link", inc.path, w.project.Display(w.module))
			return nil, nil
		}
	}
	return targets, err
}

// match returns the files of a path, which may be a pattern. A pattern leaves
// out the files that are asking.
func (w *weaver) match(from *textFile, inc include, name string) ([]string, error) {
	withSuffix := name
	if !strings.HasSuffix(name, ".lua") {
		withSuffix += ".lua"
	}
	if strings.ContainsAny(inc.path, "*?[") {
		targets, err := filepath.Glob(withSuffix)
		targets = slices.DeleteFunc(targets, func(t string) bool { return slices.Contains(w.open, t) })
		if err != nil {
			w.errorf(from, inc, "close the bracket, or escape it with a backslash", "%s is not a file pattern", inc.path)
		} else if len(targets) == 0 {
			w.errorf(from, inc, "", "no file matches %s", inc.path)
		}
		return targets, nil
	}
	for _, target := range []string{withSuffix, name} {
		info, err := os.Stat(target)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			return nil, fmt.Errorf("reading %s: %w", w.project.Display(target), cause(err))
		case info.IsDir():
			w.errorf(from, inc, fmt.Sprintf("name a file, or all of them: %s", path.Join(inc.path, "*")), "%s is a folder", w.project.Display(target))
			return nil, nil
		}
		return []string{target}, nil
	}
	w.errorf(from, inc, "paths are relative to the file they stand in", "there is no file %s", w.project.Display(withSuffix))
	return nil, nil
}

// realPath resolves the links of a path that exists.
func realPath(abs string) string {
	if real, err := filepath.EvalSymlinks(abs); err == nil {
		return real
	}
	return abs
}

func (w *weaver) errorf(from *textFile, inc include, help, format string, args ...any) {
	w.diags = append(w.diags, diag.Diagnostic{
		Rule: diag.RuleInclude, Severity: diag.Error, File: from.file, Span: inc.pathSpan,
		Message: fmt.Sprintf(format, args...), Help: help,
	})
}

// origins lists where the lines of a composed file were written: those whose
// origin does not follow from the line before.
func (w *weaver) origins(file *source.File) []script.Origin {
	var origins []script.Origin
	var lastFile *source.File
	lastLine := 0
	for line := 1; line <= file.Lines(); line++ {
		span := file.LineSpan(line)
		blank := len(file.Slice(span)) - len(strings.TrimLeft(file.Slice(span), " \t"))
		origin, at := file.Origin(span.Start + source.Pos(blank))
		originLine := origin.Line(at)
		if origin != lastFile || originLine != lastLine+1 {
			origins = append(origins, script.Origin{Line: line, File: w.names[origin], At: originLine})
		}
		lastFile, lastLine = origin, originLine
	}
	return origins
}

// relative returns a path as generated code names it.
func (p *Project) relative(abs string) string {
	rel, err := filepath.Rel(p.root, abs)
	if err != nil {
		return filepath.ToSlash(abs)
	}
	return filepath.ToSlash(rel)
}
