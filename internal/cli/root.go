package cli

// This file implements the root command: the list of commands and the help.

import (
	"github.com/spf13/cobra"
)

// commands are the subcommands.
func (a *app) commands() []*cobra.Command {
	return []*cobra.Command{
		a.initCommand(),
		a.generateCommand(),
		a.lintCommand(),
		a.explainCommand(),
		a.listCommand(),
		a.runCommand(),
		a.coverCommand(),
		a.importCommand(),
		a.loadCommand(),
		a.statusCommand(),
		a.slowlogCommand(),
		a.versionCommand(),
	}
}

// root makes the command tree.
func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:   "luagen",
		Short: "typed Go for Redis Lua scripts",
		Long: `luagen turns a folder of Redis Lua scripts into typed Go.

Write a script, run luagen generate, call a function. Names and types come from
tags in the script's comments, and from its code where there are none.`,
		Example: `  luagen generate              lua/*.lua -> generated/*.go
  luagen generate --check      fail when that is not up to date, for CI
  luagen list                  what luagen understood of each script
  luagen run lua/x.lua -k key  run one script, and see what it does`,
		SilenceErrors:     true,
		SilenceUsage:      true,
		RunE:              func(c *cobra.Command, _ []string) error { return c.Help() },
		CompletionOptions: cobra.CompletionOptions{HiddenDefaultCmd: false},
	}
	root.SetIn(a.stdin)
	root.SetOut(a.stdout)
	root.SetErr(a.stderr)
	for _, command := range a.commands() {
		command.DisableFlagsInUseLine = true
		a.markStart(command)
		root.AddCommand(command)
	}
	return root
}

// markStart notes when a command begins: what fails before is wrong usage.
func (a *app) markStart(command *cobra.Command) {
	if run := command.RunE; run != nil {
		command.RunE = func(c *cobra.Command, args []string) error {
			a.started = true
			return run(c, args)
		}
	}
	for _, sub := range command.Commands() {
		a.markStart(sub)
	}
}

// completePaths makes a shell complete folders and scripts.
func completePaths(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return []string{"lua"}, cobra.ShellCompDirectiveFilterFileExt
}
