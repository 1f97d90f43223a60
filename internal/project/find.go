package project

// This file implements finding projects: which configuration the paths of a
// command line belong to, and how their files are called in messages.

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/luagen/luagen/internal/diag"
)

// Project is one configuration, and the part of its scripts that a run is
// about.
type Project struct {
	Config

	root     string   // absolute
	selected []string // absolute files and folders; none stands for all
	given    []given  // the paths that led here
	packages []string // patterns of Go packages, in whose source the scripts stand; see Go
}

// given is a path as the user wrote it.
type given struct{ path, abs string }

// UsageError is a request that cannot be met as it was made.
type UsageError struct{ Message string }

func (e *UsageError) Error() string { return e.Message }

func usagef(format string, args ...any) error {
	return &UsageError{fmt.Sprintf(format, args...)}
}

// Open returns the projects that paths belong to, in the order of the paths.
// Without paths it is the one of the working directory, found upwards.
//
// A path may be a folder with a luagen.yaml or with a folder lua, or a file or
// a folder below such a one, or any other folder of scripts, whose wrappers
// then go to a folder generated beside it. A path of Go source (a .go file, a
// folder with /... behind it, a folder of Go files that is nothing of the
// above) leads to a project of Go packages. A *UsageError says that a path
// leads to no scripts; diagnostics are about the configuration.
func Open(paths ...string) ([]*Project, []diag.Diagnostic, error) {
	var projects []*Project
	var diags []diag.Diagnostic
	for _, name := range paths {
		finder := func(name string) (*Project, []diag.Diagnostic, error) { return open(name, false) }
		if isGo(name) {
			finder = openGo
		}
		p, more, err := finder(name)
		diags = append(diags, more...)
		if err != nil {
			return nil, diags, err
		}
		projects = join(projects, p)
	}
	if len(paths) == 0 {
		p, more, err := open(".", true)
		if err != nil {
			return nil, more, err
		}
		return []*Project{p}, more, nil
	}
	return projects, diag.Sort(diags), nil
}

// join adds a project to a list, or its selection to the same project there.
func join(projects []*Project, p *Project) []*Project {
	for _, q := range projects {
		if q.Go() && p.Go() && q.root == p.root {
			q.given, q.packages = append(q.given, p.given...), append(q.packages, p.packages...)
			return projects
		}
		if q.Go() || p.Go() || q.root != p.root || len(q.Scripts) == 0 || len(p.Scripts) == 0 || q.Scripts[0].Dir != p.Scripts[0].Dir {
			continue
		}
		q.given = append(q.given, p.given...)
		if len(q.selected) == 0 || len(p.selected) == 0 {
			q.selected = nil
		} else {
			q.selected = append(q.selected, p.selected...)
		}
		return projects
	}
	return append(projects, p)
}

// open finds the project of one path; upwards says that it is the working
// directory and stands for its whole project.
func open(name string, upwards bool) (*Project, []diag.Diagnostic, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, nil, fmt.Errorf("finding the working directory: %w", err)
	}
	info, err := os.Lstat(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, usagef("%s: no such file or folder", name)
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		// A link that leads nowhere is still a file of its folder.
		if target, err := os.Stat(abs); err == nil {
			info = target
		}
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading %s: %w", name, cause(err))
	}
	p := &Project{given: []given{{name, abs}}}
	folder := abs
	if !info.IsDir() {
		if filepath.Base(abs) != ConfigName && filepath.Ext(abs) != ".lua" {
			return nil, nil, usagef("%s is not a .lua file", name)
		}
		folder = filepath.Dir(abs)
	}
	diags, err := p.locate(abs, folder, upwards)
	return p, diags, err
}

// locate fills in the configuration and the root.
func (p *Project) locate(abs, folder string, upwards bool) ([]diag.Diagnostic, error) {
	for root := folder; ; root = filepath.Dir(root) {
		config, diags, found, err := readConfig(root, p.Display(filepath.Join(root, ConfigName)))
		if err != nil {
			return nil, err
		}
		whole := upwards || root == folder && (abs == folder || filepath.Base(abs) == ConfigName)
		if found && (whole || diag.HasErrors(diags) || config.covers(root, abs)) {
			p.Config, p.root = config, root
			if !whole {
				p.selected = []string{abs}
			}
			return diags, nil
		}
		if !found && root == folder && abs == folder && isFolder(filepath.Join(root, "lua")) {
			p.Config, p.root = Defaults(), root
			return nil, nil
		}
		if filepath.Dir(root) == root {
			break
		}
	}
	p.Config = Defaults()
	if upwards {
		return nil, usagef("found neither %s nor a folder lua here; luagen init makes both", ConfigName)
	}
	for dir := folder; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "lua" {
			p.root, p.selected = filepath.Dir(dir), []string{abs}
			return nil, nil
		}
	}
	p.root = filepath.Dir(folder)
	p.Scripts[0].Dir = filepath.Base(folder)
	if p.given[0].abs == folder && filepath.Clean(p.given[0].path) == "." || p.root == folder {
		p.root, p.Scripts[0].Dir = folder, "."
	}
	p.selected = []string{abs}
	return nil, nil
}

// covers tells whether a path is in one of the configured folders, or has one
// below it.
func (c *Config) covers(root, abs string) bool {
	for _, folder := range c.Scripts {
		dir := filepath.Join(root, filepath.FromSlash(folder.Dir))
		if below(abs, dir) || below(dir, abs) {
			return true
		}
	}
	return false
}

// Display returns how messages call an absolute path: as it was given, or as
// found below what was given, else relative to the working directory when
// what was given was.
func (p *Project) Display(abs string) string {
	for _, g := range p.given {
		if rest, ok := rest(abs, g.abs); ok {
			return filepath.ToSlash(filepath.Join(g.path, rest))
		}
	}
	if len(p.given) > 0 && !filepath.IsAbs(p.given[0].path) {
		if here, err := filepath.Abs("."); err == nil {
			if rel, err := filepath.Rel(here, abs); err == nil {
				return filepath.ToSlash(rel)
			}
		}
	}
	return filepath.ToSlash(abs)
}

// isSelected tells whether the run is about a file.
func (p *Project) isSelected(abs string) bool {
	if len(p.selected) == 0 {
		return true
	}
	for _, s := range p.selected {
		if below(abs, s) {
			return true
		}
	}
	return false
}

// below tells whether an absolute path is folder or below it.
func below(abs, folder string) bool {
	_, ok := rest(abs, folder)
	return ok
}

// rest returns what follows folder in an absolute path that is at or below it.
func rest(abs, folder string) (string, bool) {
	tail, ok := strings.CutPrefix(abs, strings.TrimSuffix(folder, string(filepath.Separator)))
	if !ok || tail != "" && tail[0] != filepath.Separator {
		return "", false
	}
	return strings.TrimPrefix(tail, string(filepath.Separator)), true
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// cause returns what an error of package os says beside the operation and the
// path, which our messages name themselves.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}

// path returns the absolute path of one relative to the project, with slashes.
func (p *Project) path(rel string) string { return filepath.Join(p.root, filepath.FromSlash(rel)) }
