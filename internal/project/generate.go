package project

// This file implements what a set of scripts is turned into.

import (
	"errors"
	"path"
	"strings"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/gogen"
	"github.com/luagen/luagen/internal/script"
)

// Generate makes the files of a set's packages. The set is one of LoadPackages
// and has no errors; the diagnostics are about signatures that Go cannot have.
func (p *Project) Generate(set *Set) ([]Output, []diag.Diagnostic, error) {
	var outputs []Output
	var diags []diag.Diagnostic
	for _, pkg := range set.Packages {
		if len(pkg.Scripts) == 0 {
			continue
		}
		models := make([]*script.Script, len(pkg.Scripts))
		for i, s := range pkg.Scripts {
			models[i] = s.Script
		}
		files, err := gogen.Generate(gogen.Package{Name: pkg.Name, Scripts: models, ParameterLimit: p.ParameterLimit})
		if err != nil {
			more, rest := pkg.diagnostics(err)
			if rest != nil {
				return nil, nil, rest
			}
			diags = append(diags, more...)
			continue
		}
		for _, file := range files {
			outputs = append(outputs, Output{path.Join(pkg.Out, file.Name), file.Source})
		}
	}
	return outputs, diag.Sort(diags), nil
}

// diagnostics turns the errors of the generator, which may be joined, into
// diagnostics. An error that is none about a script is returned as it is.
func (pkg *Package) diagnostics(err error) ([]diag.Diagnostic, error) {
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		var diags []diag.Diagnostic
		for _, err := range joined.Unwrap() {
			more, rest := pkg.diagnostics(err)
			if rest != nil {
				return nil, rest
			}
			diags = append(diags, more...)
		}
		return diags, nil
	}
	var clash *gogen.ClashError
	var unusable *gogen.ScriptError
	switch {
	case errors.As(err, &clash):
		return sameName(pkg.find(clash.First), pkg.find(clash.Second), clash.Name), nil
	case errors.As(err, &unusable):
		message := unusable.Reason
		if unusable.Slot != "" {
			message = unusable.Slot + ": " + message
		}
		return []diag.Diagnostic{{
			Rule: diag.RuleName, Severity: diag.Error, File: pkg.find(unusable.Script).Source, Message: message,
		}}, nil
	}
	return nil, err
}

// find returns the script of a model.
func (pkg *Package) find(model *script.Script) *Script {
	for _, s := range pkg.Scripts {
		if s.Script == model {
			return s
		}
	}
	panic("project: a model of no script of the package")
}

// Scripts returns all scripts, by folder and file.
func (s *Set) Scripts() []*Script {
	var all []*Script
	for _, pkg := range s.Packages {
		all = append(all, pkg.Scripts...)
	}
	return all
}

// Folders names the folders of scripts, for messages.
func (p *Project) Folders() string {
	var names []string
	for _, folder := range p.Scripts {
		names = append(names, p.Display(p.path(folder.Dir)))
	}
	return strings.Join(names, ", ")
}
