package cli

// This file implements luagen explain.

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint/rules"
	"github.com/luagen/luagen/internal/project"
)

func (a *app) explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain RULE",
		Short: "Say what a rule of lint is about",
		Long: `Explain prints what a rule finds, why that matters on a server, and an example of
how it is wrong and right. Without a rule it lists them all.`,
		Example: `  luagen explain reply-nil-compare`,
		Args:    cobra.MaximumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return rules.Names(), cobra.ShellCompDirectiveNoFileComp
		},
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				for _, r := range rules.All {
					a.printf("%-34s %-8s %-12s %s\n", r.Name, r.Severity, r.Group, r.Doc.What)
				}
				return nil
			}
			return a.explain(args[0])
		},
	}
}

func (a *app) explain(name string) error {
	r := rules.Find(name)
	if r == nil {
		message := "there is no rule " + name
		if near := diag.Nearest(name, rules.Names()); near != "" {
			message += "; did you mean " + near + "?"
		}
		return &project.UsageError{Message: message}
	}
	a.printf("%s: %s\n%s\n\n%s\n\nbad:\n\n%s\ngood:\n\n%s\n", r.Name, r.Doc.What, r.Facts(), r.Doc.Why, indent(r.Doc.BadExample()), indent(r.Doc.Good))
	a.printf("to keep it, say why behind the line or above it:\n\n    -- luagen:allow %s REASON\n", r.Name)
	return nil
}

func indent(text string) string {
	return "    " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n    ") + "\n"
}
