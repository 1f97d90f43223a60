package project

// This file implements loading: from the files of a project to the models of
// its scripts.

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/project/gosource"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
)

// analyzer makes the model of a script from its text, or none when it has
// errors.
type analyzer func(*source.File, analysis.Options) (*script.Script, []diag.Diagnostic)

// Set is what a project's scripts say.
type Set struct {
	Packages    []*Package // sorted by folder
	Diagnostics []diag.Diagnostic
	Folders     []string // absolute: all that files were read from, includes too
}

// Package is one folder of scripts, and the Go package made of it.
type Package struct {
	Name    string    // of the Go package
	Dir     string    // the scripts' folder; slashes, relative to the project
	Out     string    // the Go package's folder; slashes, relative to the project
	Scripts []*Script // without those that have errors
}

// Script is one script of a project. Its File is relative to the project, as
// generated code names it.
type Script struct {
	*script.Script
	Source *source.File     // what was analysed, named as messages name it
	Go     *gosource.Script // where it stands in Go source; nil for a file
}

// Load reads and analyses the scripts that the run is about. The diagnostics
// are those of all their files, sorted. An error is one of the environment: a
// file that cannot be read.
func (p *Project) Load() (*Set, error) { return p.load(analysis.Analyze, false) }

// LoadPackages is Load, with all other scripts of the packages that have one
// that the run is about.
func (p *Project) LoadPackages() (*Set, error) { return p.load(analysis.Analyze, true) }

// load is Load or LoadPackages with any analysis.
func (p *Project) load(analyze analyzer, packages bool) (*Set, error) {
	if p.Go() {
		return p.loadGo(analyze, packages)
	}
	groups, diags, err := p.scan()
	if err != nil {
		return nil, err
	}
	groups = slices.DeleteFunc(groups, func(g *group) bool { return !p.touches(g) })
	l := &loader{project: p, analyze: analyze, bundler: newBundler(p)}
	set := &Set{Diagnostics: diags}
	for _, g := range groups {
		if !packages {
			g.files = slices.DeleteFunc(g.files, func(file string) bool { return !p.isSelected(file) })
		}
		pkg := &Package{Name: g.name, Dir: g.dir, Out: g.out, Scripts: make([]*Script, len(g.files))}
		for i, file := range g.files {
			l.jobs = append(l.jobs, job{file: file, into: &pkg.Scripts[i]})
		}
		set.Packages = append(set.Packages, pkg)
	}
	if err := l.run(); err != nil {
		return nil, err
	}
	set.Folders = l.bundler.folders()
	for _, pkg := range set.Packages {
		pkg.Scripts = slices.DeleteFunc(pkg.Scripts, func(s *Script) bool { return s == nil })
	}
	set.Diagnostics = append(set.Diagnostics, l.diagnostics()...)
	set.Diagnostics = append(set.Diagnostics, sameOut(set.Packages)...)
	for _, pkg := range set.Packages {
		set.Diagnostics = append(set.Diagnostics, sameNames(pkg)...)
	}
	slices.SortFunc(set.Packages, func(a, b *Package) int { return cmp.Compare(a.Dir, b.Dir) })
	set.Diagnostics = diag.Sort(set.Diagnostics)
	return set, nil
}

// touches tells whether the run is about a folder's package: it is selected,
// or one of its files is.
func (p *Project) touches(g *group) bool {
	dir := p.path(g.dir)
	return len(p.selected) == 0 || slices.ContainsFunc(p.selected, func(s string) bool {
		return below(dir, s) || filepath.Dir(s) == dir && !isFolder(s)
	})
}

// loader reads and analyses many files at once.
type loader struct {
	project *Project
	analyze analyzer
	bundler *bundler
	jobs    []job
}

// job is one file on its way to a script.
type job struct {
	file  string // absolute
	into  **Script
	diags []diag.Diagnostic
	text  *textFile
}

// run does all jobs.
func (l *loader) run() error {
	name := func(i int) string { return l.project.Display(l.jobs[i].file) }
	return each(len(l.jobs), name, func(i int) error { return l.load(&l.jobs[i]) })
}

// load does one job.
func (l *loader) load(j *job) (err error) {
	if j.text, _, err = l.bundler.read(j.file); err != nil {
		return err
	}
	bundle, diags, err := l.bundler.bundle(j.file)
	if err != nil {
		return err
	}
	model, more := l.analyze(bundle.file, analysis.Options{Target: l.project.Target})
	j.diags = append(diags, more...)
	if model == nil {
		return nil
	}
	model.File = l.project.relative(j.file)
	model.Origins = bundle.origins
	*j.into = &Script{Script: model, Source: bundle.file}
	return nil
}

// diagnostics returns those of all jobs, and what reading changed in the
// files.
func (l *loader) diagnostics() []diag.Diagnostic {
	var all []diag.Diagnostic
	var bom, crlf, binary []*source.File
	for i := range l.jobs {
		all = append(all, l.jobs[i].diags...)
		text := l.jobs[i].text
		if text.bom {
			bom = append(bom, text.file)
		}
		if text.crlf {
			crlf = append(crlf, text.file)
		}
		if !utf8.ValidString(text.file.Text) {
			binary = append(binary, text.file)
		}
	}
	all = append(all, aboutFiles(bom, "the byte order mark is left out, as Redis would refuse the script")...)
	all = append(all, aboutFiles(crlf, "line ends are read as LF and not as CR LF, so that a checkout cannot change the digest")...)
	return append(all, aboutFiles(binary, "the text is not UTF-8; its bytes are sent as they are")...)
}

// RuleEncoding is the rule of what reading changed in a file.
const RuleEncoding = "encoding"

// aboutFiles says once, at the first of some files, what holds for all.
func aboutFiles(files []*source.File, message string) []diag.Diagnostic {
	if len(files) == 0 {
		return nil
	}
	if more := len(files) - 1; more == 1 {
		message += fmt.Sprintf(" (so it is in %s)", files[1].Name)
	} else if more > 1 {
		message += fmt.Sprintf(" (so it is in %d more files)", more)
	}
	return []diag.Diagnostic{{Rule: RuleEncoding, Severity: diag.Info, File: files[0], Message: message}}
}

// sameNames reports the scripts of a package that want one Go name.
func sameNames(pkg *Package) []diag.Diagnostic {
	var diags []diag.Diagnostic
	first := make(map[string]*Script)
	for _, s := range pkg.Scripts {
		if other, taken := first[s.Name]; taken {
			diags = append(diags, sameName(other, s, s.Name)...)
		} else {
			first[s.Name] = s
		}
	}
	return diags
}

// sameName reports at two scripts that the other has its name.
func sameName(a, b *Script, name string) []diag.Diagnostic {
	var diags []diag.Diagnostic
	for _, pair := range [][2]*Script{{a, b}, {b, a}} {
		diags = append(diags, diag.Diagnostic{
			Rule: diag.RuleName, Severity: diag.Error, File: pair[0].Source,
			Message: fmt.Sprintf("the Go name %s is that of %s too", name, pair[1].Source.Name),
			Help:    "rename one of the files, or give one a tag: -- @name NAME",
		})
	}
	return diags
}

// sameOut reports folders whose wrappers would go to one folder.
func sameOut(packages []*Package) []diag.Diagnostic {
	var diags []diag.Diagnostic
	first := make(map[string]*Package)
	for _, pkg := range packages {
		other, taken := first[pkg.Out]
		if !taken {
			first[pkg.Out] = pkg
		} else if len(pkg.Scripts) > 0 {
			diags = append(diags, diag.Diagnostic{
				Rule: diag.RuleName, Severity: diag.Error, File: pkg.Scripts[0].Source,
				Message: fmt.Sprintf("the wrappers of %s and of %s would both go to %s", other.Dir, pkg.Dir, pkg.Out),
				Help:    "rename one of the folders",
			})
		}
	}
	return diags
}

// readFile reads a file and names it as messages do.
func (p *Project) readFile(abs string) (*textFile, error) {
	name := p.Display(abs)
	data, err := os.ReadFile(abs)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, cause(err))
	}
	text, bom, crlf := source.Normalize(string(data))
	return &textFile{abs: abs, file: source.New(name, text), bom: bom, crlf: crlf}, nil
}

// textFile is one file as it was read.
type textFile struct {
	abs       string
	file      *source.File
	bom, crlf bool // reading took these out
}
