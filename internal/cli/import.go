package cli

// This file implements luagen import.

import (
	"github.com/spf13/cobra"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/project"
)

func (a *app) importCommand() *cobra.Command {
	var out string
	var dryRun bool
	command := &cobra.Command{
		Use:   "import [go packages] [--out DIR] [--dry-run]",
		Short: "Move scripts out of Go source into .lua files",
		Long: `Import writes a .lua file for each script that it finds in the Go packages: in
string literals, constants and variables that are given to go-redis, redigo,
rueidis or valkey-go, and in other literals that are Lua and call Redis. The Go
comment above a script becomes its documentation, with tags for the keys, the
arguments and the reply where these are certain.

Import changes no Go file. It prints what is left to do there, place by place:
the wrapper's call that replaces each use. It never overwrites a file. A script
that is put together at run time, with fmt.Sprintf say, is reported and stays;
one that go:embed reads is in a file already and stays there. The digest of a
script changes with its comments, so old and new versions of a program each
load their own.

Packages are folders, folders with /... behind them, and .go files; without
any it is ./.... Test files are looked at when they are named themselves.`,
		Example: `  luagen import ./... --dry-run
  luagen import ./internal/queue --out internal/queue/lua`,
		RunE: func(_ *cobra.Command, paths []string) error {
			if len(paths) == 0 {
				paths = []string{"./..."}
			}
			return a.moveScripts(paths, out, dryRun)
		},
	}
	command.Flags().StringVar(&out, "out", "lua", "the folder for the .lua files")
	command.Flags().BoolVar(&dryRun, "dry-run", false, "write nothing; print what would be done")
	return command
}

// moveScripts writes the scripts of Go packages to files and tells what is
// left to do.
func (a *app) moveScripts(paths []string, out string, dryRun bool) error {
	projects, err := a.open(paths)
	if err != nil {
		return err
	}
	var diags []diag.Diagnostic
	var moves []*project.Move
	for _, p := range projects {
		if !p.Go() {
			return &project.UsageError{Message: "found a folder of scripts or a project, expected Go packages, as in ./internal/..."}
		}
		found, err := p.SearchGo()
		if err != nil {
			return err
		}
		set, err := p.LoadGo(found)
		if err != nil {
			return err
		}
		diags = append(diags, set.Diagnostics...)
		more, err := p.Moves(found, set, out)
		if err != nil {
			return err
		}
		moves = append(moves, more...)
	}
	told := a.report(diag.Sort(diags))
	wrote := "wrote"
	if dryRun {
		wrote = "would write"
	}
	taken := false
	for _, m := range moves {
		switch m.State {
		case project.MoveTaken:
			taken = true
			a.tell("%s: another text is there, so it stays, and %s of %s was not moved; rename one of them or set another --out\n", m.Name, m.Script.Go.Ident, m.Script.Source.Name)
			continue
		case project.MoveEmbedded:
			a.printf("kept %s, which is a file already; for a wrapper, move it to %s\n", m.Name, out)
		case project.MoveDone:
			a.printf("kept %s\n", m.Name)
		case project.MoveNew:
			if !dryRun {
				if err := m.Write(); err != nil {
					return err
				}
			}
			a.printf("%s %s\n", wrote, m.Name)
		}
		for _, step := range m.Steps {
			a.printf("  %s:%d: %s: %s\n", step.Place.Filename, step.Place.Line, step.What, step.Do)
		}
	}
	if len(moves) == 0 && told == nil {
		a.tell("luagen: found no scripts that can be moved\n")
	} else if told == nil {
		a.printf("\nnext: luagen generate, then the steps above; s is generated.New(client)\n")
	}
	if taken && told == nil {
		return exit(statusFindings)
	}
	return told
}
