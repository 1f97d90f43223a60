package project

// This file implements what linting needs of a project: its scripts, read with
// their includes.

import (
	"path"
	"path/filepath"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
)

// Lint calls check with the source of each script that the run is about, and
// with what its analysis is to know, but for those that luagen.yaml excludes
// from linting, several at a time. It returns what check and reading found,
// sorted. Findings in Go source have no fixes.
func (p *Project) Lint(check func(*source.File, analysis.Options) []diag.Diagnostic) ([]diag.Diagnostic, error) {
	set, err := p.load(func(file *source.File, o analysis.Options) (*script.Script, []diag.Diagnostic) {
		if p.excluded(file.Name) {
			return nil, nil
		}
		return nil, check(file, o)
	}, false)
	if err != nil {
		return nil, err
	}
	return set.Diagnostics, nil
}

// excluded tells whether a pattern of lint: exclude matches a file, or a folder
// that it is in.
func (p *Project) excluded(display string) bool {
	if len(p.Config.Lint.Exclude) == 0 {
		return false
	}
	abs, err := filepath.Abs(filepath.FromSlash(display))
	if err != nil {
		return false
	}
	for _, pattern := range p.Config.Lint.Exclude {
		for name := p.relative(abs); name != "." && name != "/"; name = path.Dir(name) {
			if ok, err := path.Match(pattern, name); ok && err == nil {
				return true
			}
		}
	}
	return false
}
