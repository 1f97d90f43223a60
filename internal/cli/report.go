package cli

// This file implements how commands open projects and tell diagnostics.

import (
	"fmt"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/diag/render"
	"github.com/luagen/luagen/internal/project"
)

// open opens the projects of paths. Diagnostics of their configuration are
// told; errors among them end the run.
func (a *app) open(paths []string) ([]*project.Project, error) {
	projects, diags, err := project.Open(paths...)
	if a.report(diags) != nil {
		return nil, exit(statusUsage)
	}
	return projects, err
}

// report tells diagnostics on standard error. It returns an exit when one of
// them is an error: of the configuration when there is one about that.
func (a *app) report(diags []diag.Diagnostic) error {
	if len(diags) == 0 {
		return nil
	}
	if err := render.Text(a.stderr, diags, a.colour(a.stderr)); err != nil {
		return fmt.Errorf("writing diagnostics: %w", err)
	}
	status := exit(statusOK)
	for _, d := range diags {
		if d.Severity != diag.Error {
			continue
		}
		if d.Rule == project.RuleConfig {
			return exit(statusUsage)
		}
		status = exit(statusFindings)
	}
	if status == statusOK {
		return nil
	}
	return status
}

// count is a number with what it counts.
func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
