package project

// This file implements projects that are Go packages: the scripts in their
// string literals and embedded files, where they stand.

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/project/gosource"
)

// isGo tells whether a path of the command line is one of Go packages: a .go
// file, a folder with /... behind it, or a folder of Go files that holds
// neither scripts nor a project.
func isGo(name string) bool {
	if !gosource.IsPattern(name) {
		return false
	}
	if path.Ext(name) == ".go" || path.Base(filepath.ToSlash(name)) == "..." {
		return true
	}
	entries, err := filepath.Glob(filepath.Join(name, "*.lua"))
	return err == nil && len(entries) == 0 && !isFolder(filepath.Join(name, "lua")) && !exists(filepath.Join(name, ConfigName))
}

// openGo makes the project of a path of Go packages. Its settings are those of
// the configuration above it, if there is one.
func openGo(name string) (*Project, []diag.Diagnostic, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, nil, fmt.Errorf("finding the working directory: %w", err)
	}
	folder, shown := abs, name
	if filepath.Base(abs) == "..." || filepath.Ext(abs) == ".go" {
		folder = filepath.Dir(abs)
	}
	if filepath.Base(abs) == "..." {
		abs, shown = folder, filepath.Dir(filepath.FromSlash(name))
	}
	switch {
	case !exists(abs):
		return nil, nil, usagef("%s: no such file or folder", shown)
	case filepath.Ext(abs) == ".go" && isFolder(abs):
		return nil, nil, usagef("%s is not a .go file", name)
	}
	p := &Project{Config: Defaults(), root: moduleOf(folder), packages: []string{name}, given: []given{{shown, abs}}}
	for root := folder; ; root = filepath.Dir(root) {
		config, diags, found, err := readConfig(root, p.Display(filepath.Join(root, ConfigName)))
		if err != nil {
			return nil, nil, err
		}
		if found {
			p.Config = config
			return p, diags, nil
		}
		if root == p.root || filepath.Dir(root) == root {
			return p, nil, nil
		}
	}
}

// Go tells whether the project is one of Go packages, whose scripts have no
// files of their own.
func (p *Project) Go() bool { return len(p.packages) > 0 }

// loadGo is load for Go packages. They are no packages of scripts.
func (p *Project) loadGo(analyze analyzer, packages bool) (*Set, error) {
	if packages {
		return nil, usagef("%s: wrappers are made of .lua files, and this is Go source; luagen import moves its scripts into files", p.packages[0])
	}
	found, err := p.SearchGo()
	if err != nil {
		return nil, err
	}
	return p.setOf(found, analyze)
}

// SearchGo finds the scripts of a project of Go packages.
func (p *Project) SearchGo() (*gosource.Found, error) {
	return gosource.Load(p.packages, p.Display)
}

// LoadGo analyses what SearchGo found. Each folder of Go files makes a package.
func (p *Project) LoadGo(found *gosource.Found) (*Set, error) {
	return p.setOf(found, analysis.Analyze)
}

// setOf is LoadGo with any analysis.
func (p *Project) setOf(found *gosource.Found, analyze analyzer) (*Set, error) {
	set := &Set{Diagnostics: found.Broken}
	for _, missed := range found.Missed {
		set.Diagnostics = append(set.Diagnostics, missed.Diagnostic())
	}
	scripts := make([]*Script, len(found.Scripts))
	diags := make([][]diag.Diagnostic, len(found.Scripts))
	name := func(i int) string { return found.Scripts[i].Source.Name }
	err := each(len(scripts), name, func(i int) error {
		s := found.Scripts[i]
		model, more := analyze(s.Source, analysis.Options{Target: p.Target, Doc: s.Doc, Name: s.Name})
		for d := range more {
			more[d].Fixes = nil // they are Lua, and this is a Go literal
		}
		diags[i] = more
		if model != nil {
			model.File = p.relative(s.Path)
			scripts[i] = &Script{Script: model, Source: s.Source, Go: s}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for i, s := range scripts {
		set.Diagnostics = append(set.Diagnostics, diags[i]...)
		if s == nil {
			continue
		}
		dir := path.Dir(s.File)
		at := slices.IndexFunc(set.Packages, func(pkg *Package) bool { return pkg.Dir == dir })
		if at < 0 {
			at = len(set.Packages)
			set.Packages = append(set.Packages, &Package{Name: PackageName(path.Base(dir)), Dir: dir})
		}
		set.Packages[at].Scripts = append(set.Packages[at].Scripts, s)
	}
	set.Diagnostics = diag.Sort(set.Diagnostics)
	return set, nil
}
