package project

// This file implements writing: each file at once and whole, so that readers
// and other runs never see half of one.

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
)

// Apply makes the changes. It writes and deletes nothing when one of them is
// Foreign, which is the caller's to report.
func (p *Project) Apply(changes []Change) error {
	for _, c := range changes {
		if c.Kind == Foreign {
			return nil
		}
	}
	name := func(i int) string { return changes[i].Name }
	return each(len(changes), name, func(i int) error {
		if changes[i].Kind == Orphan {
			return remove(changes[i])
		}
		return replace(changes[i])
	})
}

// remove deletes an orphan, and its folder when that leaves it empty.
func remove(c Change) error {
	if err := os.Remove(c.abs); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("deleting %s: %w", c.Name, cause(err))
	}
	_ = os.Remove(filepath.Dir(c.abs)) // refuses while there is something in it
	return nil
}

// replace writes a file under another name and renames it.
func replace(c Change) error {
	dir := filepath.Dir(c.abs)
	temporary, err := create(dir)
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return fmt.Errorf("making the folder of %s: %w", c.Name, cause(err))
		}
		temporary, err = create(dir)
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", c.Name, cause(err))
	}
	_, err = temporary.Write(c.new)
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(temporary.Name(), c.abs)
	}
	if err != nil {
		_ = os.Remove(temporary.Name())
		return fmt.Errorf("writing %s: %w", c.Name, cause(err))
	}
	return nil
}

// create makes a new file of an unused name that no build picks up. Unlike
// that of os.CreateTemp its mode is what the user's umask leaves.
func create(dir string) (*os.File, error) {
	for {
		name := filepath.Join(dir, ".luagen-"+strconv.FormatUint(rand.Uint64(), 36))
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			return file, err
		}
	}
}
