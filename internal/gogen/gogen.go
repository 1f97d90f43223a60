// Package gogen writes the Go package that calls a folder's scripts: one file
// for each script and scripts.go for what they share. It sees the model of a
// script and nothing of its Lua.
//
// The same scripts give the same bytes, in whatever order they come. Files are
// shown as the scripts have them.
//
// Where names clash: slots of one script are numbered by package script, before
// anybody sees them, and a script that would take the name of a method such as
// Exec gets another one there (script.Method). Types, constants, error codes,
// fields and files that clash are numbered here; the names of scripts win over
// those of error codes, and these over those of parts of a signature. Two
// scripts with one Go name are an error: only their author can say what the
// other one should be called.
package gogen

import (
	"errors"
	"fmt"
	"go/token"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/luagen/luagen/internal/script"
)

// DefaultParameterLimit is how many keys and arguments a wrapper takes one by
// one; more become the fields of one struct.
const DefaultParameterLimit = 4

// Package is what one folder of scripts becomes.
type Package struct {
	Name    string // of the Go package
	Scripts []*script.Script

	// ParameterLimit is how many keys and arguments a wrapper takes one by one;
	// zero means DefaultParameterLimit.
	ParameterLimit int
}

// File is one file of the generated package.
type File struct {
	Name   string         // without a folder
	Script *script.Script // nil for scripts.go
	Source []byte         // formatted Go
}

// Generate returns the files of a package: scripts.go, then those of the
// scripts, sorted by Go name. The slots of the scripts have their final names
// (script.Script.NameSlots).
//
// The errors, all of them joined, are mistakes in scripts that only their
// author can mend: a *ClashError for two scripts with one Go name, a
// *ScriptError for a signature that Go cannot have.
func Generate(pkg Package) ([]File, error) {
	if !token.IsIdentifier(pkg.Name) || pkg.Name == "_" {
		return nil, fmt.Errorf("a Go package cannot be called %q: a name of lower-case letters is expected", pkg.Name)
	}
	p, err := planPackage(pkg)
	if err != nil {
		return nil, err
	}
	files := make([]File, 1+len(p.units))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	group.Go(func() (err error) {
		files[0] = File{Name: sharedFile}
		files[0].Source, err = p.shared()
		return err
	})
	for i, u := range p.units {
		group.Go(func() (err error) {
			files[1+i] = File{Name: u.file, Script: u.script}
			files[1+i].Source, err = u.source()
			return err
		})
	}
	if err := group.Wait(); err != nil {
		panic("gogen: " + err.Error()) // jennifer or go/format refused what we wrote
	}
	return files, nil
}

// ClashError says that two scripts have one Go name.
type ClashError struct {
	Name          string
	First, Second *script.Script
}

func (e *ClashError) Error() string {
	return fmt.Sprintf("%s: the script is called %s in Go, as %s is: rename one of the files, or give it a name with @name",
		e.Second.File, e.Name, e.First.File)
}

// ScriptError says why a script cannot have a wrapper.
type ScriptError struct {
	Script *script.Script
	Slot   string // the key, argument or "reply" it is about; empty for the script itself
	Reason string
}

func (e *ScriptError) Error() string {
	if e.Slot == "" {
		return e.Script.File + ": " + e.Reason
	}
	return e.Script.File + ": " + e.Slot + ": " + e.Reason
}

// joined returns errs as one error, nil if there is none.
func joined(errs []error) error { return errors.Join(errs...) }
