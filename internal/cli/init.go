package cli

// This file implements luagen init.

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/spf13/cobra"

	"github.com/luagen/luagen/internal/project"
)

//go:embed templates
var templates embed.FS

func (a *app) initCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "init [dir]",
		Short: "Start a project: configuration, a script, a test",
		Long: `Init writes a luagen.yaml, a script, a Go file with a go:generate line, and a test
that calls the script, and generates its wrapper. It changes no file that is
there already; where there are scripts already, it adds neither script nor test.`,
		Example: `  luagen init
  luagen init internal/scripts`,
		Args: cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveFilterDirs
		},
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			return a.init(dir)
		},
	}
}

// starter is one file that init writes.
type starter struct {
	template, name string
	sample         bool // only where there are no scripts
}

// starters are the files that init writes.
func starters() []starter {
	return []starter{
		{"luagen.yaml", project.ConfigName, false},
		{"luagen.go.tmpl", "luagen.go", false},
		{"increment.lua", "lua/increment.lua", true},
		{"luagen_test.go.tmpl", "luagen_test.go", true},
	}
}

// init writes the files of a new project and generates.
func (a *app) init(dir string) error {
	if _, err := os.Lstat(filepath.Join(dir, project.ConfigName)); err == nil {
		return &project.UsageError{Message: filepath.Join(dir, project.ConfigName) + " is there already"}
	}
	data, err := a.surroundings(dir)
	if err != nil {
		return err
	}
	scripts, err := filepath.Glob(filepath.Join(dir, "lua", "*"))
	if err != nil {
		return err
	}
	for _, s := range starters() {
		if s.sample && len(scripts) > 0 {
			continue
		}
		if err := a.start(filepath.Join(dir, s.name), s.template, data); err != nil {
			return err
		}
	}
	if err := a.generate([]string{dir}); err != nil {
		return err
	}
	a.printf("\nnext:\n  go get -tool github.com/luagen/luagen/cmd/luagen\n  go mod tidy\n  go test ./...\n")
	return nil
}

// start writes one file, unless there is one.
func (a *app) start(name, from string, data surroundings) error {
	text, err := template.ParseFS(templates, path.Join("templates", from))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	if err := text.Execute(&out, data); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if errors.Is(err, fs.ErrExist) {
		a.printf("kept %s\n", filepath.ToSlash(name))
		return nil
	}
	if err == nil {
		_, err = file.Write(out.Bytes())
		err = errors.Join(err, file.Close())
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, err)
	}
	a.printf("wrote %s\n", filepath.ToSlash(name))
	return nil
}

// surroundings is what the new files have to fit in with.
type surroundings struct {
	Package string // of the folder's Go files
	Import  string // path of the generated package
}

// surroundings finds the module that a folder is in, and its package.
func (a *app) surroundings(dir string) (surroundings, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return surroundings{}, fmt.Errorf("finding the working directory: %w", err)
	}
	for root := abs; ; root = filepath.Dir(root) {
		text, err := os.ReadFile(filepath.Join(root, "go.mod"))
		if err == nil {
			rel, err := filepath.Rel(root, abs)
			if err != nil {
				return surroundings{}, err
			}
			module := path.Join(modulePath(string(text)), filepath.ToSlash(rel))
			return surroundings{goPackage(abs, module), path.Join(module, "generated")}, nil
		}
		if filepath.Dir(root) == root {
			return surroundings{}, &project.UsageError{Message: "there is no go.mod here or in a folder above; run go mod init first"}
		}
	}
}

// modulePath returns the path in the module line of a go.mod.
func modulePath(text string) string {
	for line := range strings.Lines(text) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "module "); ok {
			name, _, _ = strings.Cut(name, "//")
			return strings.Trim(strings.TrimSpace(name), "\"`")
		}
	}
	return ""
}

// goPackage returns the package of a folder's Go files, or a name for one.
func goPackage(abs, module string) string {
	names, err := filepath.Glob(filepath.Join(abs, "*.go"))
	if err != nil {
		names = nil
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil || strings.HasSuffix(name, "_test.go") {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if pkg, ok := strings.CutPrefix(line, "package "); ok {
				pkg, _, _ = strings.Cut(pkg, "//")
				return strings.TrimSpace(pkg)
			}
		}
	}
	return project.PackageName(path.Base(module))
}
