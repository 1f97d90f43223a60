package project

// This file implements the walk over the folders of scripts.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luagen/luagen/internal/diag"
)

// group is one folder of scripts: one Go package to be.
type group struct {
	dir, out string // slashes, relative to the root
	name     string // of the package
	files    []string
}

// scan finds the scripts of the configuration, folder by folder in sorted
// order, together with the diagnostics about the configuration itself.
// A folder that holds no scripts gives no group, but for the configured ones.
func (p *Project) scan() ([]*group, []diag.Diagnostic, error) {
	var groups []*group
	var diags []diag.Diagnostic
	for _, folder := range p.Scripts {
		top := p.path(folder.Dir)
		if !isFolder(top) && p.File != nil {
			diags = append(diags, diag.Diagnostic{
				Rule: RuleConfig, Severity: diag.Error, File: p.File, Span: folder.span,
				Message: fmt.Sprintf("there is no folder %s", p.Display(top)),
				Help:    "make it, or name the folder that holds the scripts",
			})
			continue
		}
		w := walk{project: p, folder: folder, top: top}
		if err := w.visit(top, nil); err != nil {
			return nil, nil, err
		}
		groups = append(groups, w.groups...)
	}
	return groups, diags, nil
}

// walk is the walk over one configured folder.
type walk struct {
	project *Project
	folder  Folder
	top     string
	groups  []*group
}

// visit adds the scripts of a folder and those below it. above are the real
// paths of the folders that lead here, so that a link to one of them ends.
func (w *walk) visit(dir string, above []string) error {
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return fmt.Errorf("reading %s: %w", w.project.Display(dir), cause(err))
	}
	if slices.Contains(above, real) {
		return nil
	}
	above = append(above, real)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("reading %s: %w", w.project.Display(dir), cause(err))
	}
	g := w.group(dir)
	w.groups = append(w.groups, g)
	at := len(w.groups)
	for _, entry := range entries {
		name := entry.Name()
		if name[0] == '.' || name[0] == '_' {
			continue
		}
		abs := filepath.Join(dir, name)
		isDir, err := leadsToFolder(entry, abs)
		switch {
		case isDir && strings.HasSuffix(name, ".lua"):
			return fmt.Errorf("reading %s: it is a folder", w.project.Display(abs))
		case isDir && name != "lib" && !w.elsewhere(abs):
			if err := w.visit(abs, above); err != nil {
				return err
			}
		case isDir || !strings.HasSuffix(name, ".lua"):
		case err != nil:
			return fmt.Errorf("reading %s: %w", w.project.Display(abs), cause(err))
		default:
			g.files = append(g.files, abs)
		}
	}
	if len(g.files) == 0 && dir != w.top {
		w.groups = slices.Delete(w.groups, at-1, at)
	}
	return nil
}

// group makes the empty group of a folder.
func (w *walk) group(dir string) *group {
	sub, _ := rest(dir, w.top)
	sub = filepath.ToSlash(sub)
	g := &group{dir: path.Join(w.folder.Dir, sub), out: path.Join(w.folder.Out, mirror(sub)), name: w.folder.Package}
	if sub != "" || g.name == "" {
		g.name = PackageName(path.Base(g.out))
	}
	return g
}

// elsewhere tells whether a folder below this one has an entry of its own in
// the configuration.
func (w *walk) elsewhere(abs string) bool {
	return slices.ContainsFunc(w.project.Scripts, func(f Folder) bool {
		return abs == w.project.path(f.Dir)
	})
}

// leadsToFolder tells whether an entry is a folder or a link to one. What is
// neither a folder nor a file is an error, and so is a link that leads nowhere.
func leadsToFolder(entry fs.DirEntry, abs string) (bool, error) {
	mode := entry.Type()
	if mode&fs.ModeSymlink != 0 {
		info, err := os.Stat(abs)
		if errors.Is(err, fs.ErrNotExist) {
			return false, errors.New("the link leads nowhere")
		}
		if err != nil {
			return false, err
		}
		mode = info.Mode()
	}
	if !mode.IsDir() && !mode.IsRegular() {
		return false, errors.New("it is not a regular file")
	}
	return mode.IsDir(), nil
}

// WatchFolders returns the folders, absolute, whose changes can change what
// the project's scripts are: that of the configuration, and all below those of
// the scripts, hidden ones aside.
func (p *Project) WatchFolders() []string {
	folders := []string{p.root}
	for _, folder := range p.Scripts {
		_ = filepath.WalkDir(p.path(folder.Dir), func(abs string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.IsDir() {
				return nil // what is gone or closed cannot be watched
			}
			if entry.Name()[0] == '.' && abs != p.path(folder.Dir) {
				return filepath.SkipDir
			}
			folders = append(folders, abs)
			return nil
		})
	}
	return folders
}
