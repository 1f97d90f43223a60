package cli

// This file implements luagen generate.

import (
	"github.com/spf13/cobra"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/project"
)

func (a *app) generateCommand() *cobra.Command {
	var check, watch bool
	command := &cobra.Command{
		Use:   "generate [path...] [--check] [--watch]",
		Short: "Write the Go wrappers of scripts",
		Long: `Generate writes the Go wrappers of scripts: by default those of the folder lua
into the folder generated. A luagen.yaml, here or in a folder above, says
otherwise. Folders below make packages below; what is in a folder lib, or has a
name that begins with _, is only there to be included.

A path is a project, a folder of scripts, or one script, which stands for all of
its folder. Only files that change are written. Files of scripts that are gone
are deleted. A file that luagen did not write is never touched. When any script
has an error, nothing is written.`,
		Example: `  luagen generate
  luagen generate examples/flashsale lua/queue
  luagen generate --check     exit status 1 and a diff when files are not current
  luagen generate --watch     again whenever a script changes`,
		ValidArgsFunction: completePaths,
		RunE: func(c *cobra.Command, paths []string) error {
			switch {
			case watch:
				return a.watch(c.Context(), paths)
			case check:
				return a.check(paths)
			}
			return a.generate(paths)
		},
	}
	command.Flags().BoolVar(&check, "check", false, "write nothing; print what would change and exit with 1")
	command.Flags().BoolVar(&watch, "watch", false, "keep running, and generate again when files change")
	command.MarkFlagsMutuallyExclusive("check", "watch")
	return command
}

// plan is what a run of generate would do to one project.
type plan struct {
	project *project.Project
	set     *project.Set
	changes []project.Change
}

// plans works out what to do, for all projects before anything is done to one.
// It tells every diagnostic, and returns an exit when one is an error.
func (a *app) plans(paths []string) ([]plan, error) {
	projects, err := a.open(paths)
	if err != nil {
		return nil, err
	}
	var diags []diag.Diagnostic
	sets := make([]*project.Set, len(projects))
	for i, p := range projects {
		if sets[i], err = p.LoadPackages(); err != nil {
			return nil, err
		}
		diags = append(diags, sets[i].Diagnostics...)
	}
	if err := a.report(diags); err != nil {
		return nil, err
	}
	plans := make([]plan, len(projects))
	outputs := make([][]project.Output, len(projects))
	diags = nil
	for i, p := range projects {
		var more []diag.Diagnostic
		if outputs[i], more, err = p.Generate(sets[i]); err != nil {
			return nil, err
		}
		diags = append(diags, more...)
	}
	if err := a.report(diags); err != nil {
		return nil, err
	}
	foreign := false
	for i, p := range projects {
		changes, err := p.Compare(sets[i].Packages, outputs[i])
		if err != nil {
			return nil, err
		}
		plans[i] = plan{p, sets[i], changes}
		foreign = a.tellForeign(changes) || foreign
	}
	if foreign {
		return nil, exit(statusFindings)
	}
	return plans, nil
}

// tellForeign tells which changes are in the way of others' files, and whether
// any is.
func (a *app) tellForeign(changes []project.Change) bool {
	found := false
	for _, c := range changes {
		if c.Kind == project.Foreign {
			found = true
			a.tell("%s: luagen did not write what is there, so it stays, and nothing was written; move it, or set another out in %s\n", c.Name, project.ConfigName)
		}
	}
	return found
}

// generate writes what is to change.
func (a *app) generate(paths []string) error {
	plans, err := a.plans(paths)
	if err != nil {
		return err
	}
	return a.carryOut(plans)
}

// carryOut does what plans say, and tells it.
func (a *app) carryOut(plans []plan) error {
	for _, plan := range plans {
		if err := plan.project.Apply(plan.changes); err != nil {
			return err
		}
		a.summarize(plan)
	}
	return nil
}

// listed is how many files a summary names.
const listed = 20

// summarize says what generate did.
func (a *app) summarize(plan plan) {
	done := map[project.Kind]string{project.Missing: "wrote", project.Stale: "wrote", project.Orphan: "deleted"}
	for i, c := range plan.changes {
		if i == listed {
			a.printf("... and %d more files\n", len(plan.changes)-listed)
			break
		}
		a.printf("%s %s\n", done[c.Kind], c.Name)
	}
	scripts := len(plan.set.Scripts())
	if scripts == 0 {
		a.tell("luagen: found no scripts in %s\n", plan.project.Folders())
	} else if len(plan.changes) == 0 {
		a.printf("%s up to date\n", count(scripts, "script"))
	}
}

// check tells what is to change and fails when there is something.
func (a *app) check(paths []string) error {
	plans, err := a.plans(paths)
	if err != nil {
		return err
	}
	differs := 0
	for _, plan := range plans {
		for _, c := range plan.changes {
			differs++
			switch c.Kind {
			case project.Missing:
				a.tell("%s: missing\n", c.Name)
			case project.Stale:
				a.tell("%s: stale\n", c.Name)
			case project.Orphan:
				a.tell("%s: orphan, its script is gone\n", c.Name)
			}
			a.printf("%s", c.Diff())
		}
	}
	if differs == 0 {
		return nil
	}
	a.tell("luagen: %s not up to date; run luagen generate\n", count(differs, "file"))
	return exit(statusFindings)
}
