package cli

// This file implements luagen load and luagen status: scripts on their way to
// every node, and which node lacks what.

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/luagen/luagen/redislua"
)

func (a *app) loadCommand() *cobra.Command {
	var address string
	command := &cobra.Command{
		Use:   "load [path...] --redis URL",
		Short: "Load the scripts into every node",
		Long: `Load brings every script that a node does not know to it with SCRIPT LOAD: to
the server, or to every master and replica of a cluster. Calls work without it,
because they load what is missing; loaded ahead, no call pays for that. A
replica that is down is told and left out.

The exit status is 1 when a node lacks a script afterwards.`,
		Example: `  luagen load --redis redis://localhost:6379
  luagen load lua/queue --redis rediss://user:password@node:6380`,
		ValidArgsFunction: completePaths,
		RunE: func(c *cobra.Command, paths []string) error {
			return a.nodes(c.Context(), paths, address, "table", (*redislua.Registry).Load)
		},
	}
	a.serverFlag(command, &address)
	return command
}

func (a *app) statusCommand() *cobra.Command {
	var address string
	format := oneOf{value: "table", choices: []string{"table", "json"}}
	command := &cobra.Command{
		Use:   "status [path...] --redis URL [--format table|json]",
		Short: "Show which node lacks which script",
		Long: `Status asks every node which of the scripts it knows, with SCRIPT EXISTS. It
changes nothing.

The exit status is 1 when a node lacks a script.`,
		Example: `  luagen status --redis redis://localhost:6379
  luagen status --redis redis://localhost:6379 --format json | jq '.nodes[] | select(.missing != [])'`,
		ValidArgsFunction: completePaths,
		RunE: func(c *cobra.Command, paths []string) error {
			return a.nodes(c.Context(), paths, address, format.value, (*redislua.Registry).Missing)
		},
	}
	a.serverFlag(command, &address)
	format.register(command, "format", "how to print it")
	return command
}

// nodes asks every node, and prints what each lacks then.
func (a *app) nodes(ctx context.Context, paths []string, address, format string,
	ask func(*redislua.Registry, context.Context, redislua.Client) ([]redislua.NodeStatus, error)) error {
	return a.onServer(ctx, paths, address, func(registry *redislua.Registry, c server) error {
		statuses, err := ask(registry, ctx, c)
		return a.tellNodes(registry, statuses, err, format)
	})
}

// tellNodes prints what nodes said; err is a master's.
func (a *app) tellNodes(registry *redislua.Registry, statuses []redislua.NodeStatus, err error, format string) error {
	if len(statuses) == 0 && err != nil {
		return err
	}
	if format == "json" {
		if err := a.nodesJSON(registry, statuses); err != nil {
			return err
		}
	} else {
		a.nodesTable(registry, statuses)
	}
	if err != nil {
		return err
	}
	for _, s := range statuses {
		if len(s.Missing) > 0 {
			return exit(statusFindings)
		}
	}
	return nil
}

// nodesTable prints a line for each node, and one for each script that some
// node lacks.
func (a *app) nodesTable(registry *redislua.Registry, statuses []redislua.NodeStatus) {
	all := len(registry.All())
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "NODE\tROLE\tSCRIPTS\tLACKS\n")
	for _, s := range statuses {
		known, lacks := fmt.Sprintf("%d of %d", all-len(s.Missing), all), strings.Join(names(s.Missing), ", ")
		switch {
		case s.Err != nil:
			known, lacks = "?", "not known: "+s.Err.Error()
		case lacks == "":
			lacks = "nothing"
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", s.Node, nodeRole(s), known, lacks)
	}
	_ = t.Flush() // an answer that cannot be delivered is nobody's loss
}

func nodeRole(s redislua.NodeStatus) string {
	if s.Replica {
		return "replica"
	}
	return "master"
}

func names(scripts []*redislua.Script) []string {
	list := make([]string, len(scripts))
	for i, s := range scripts {
		list[i] = s.Name
	}
	return list
}

// nodeJSON is a node in status --format json, which other programs read.
type nodeJSON struct {
	Node    string   `json:"node"`
	Role    string   `json:"role"`
	Missing []string `json:"missing"`
	Error   string   `json:"error,omitempty"`
}

func (a *app) nodesJSON(registry *redislua.Registry, statuses []redislua.NodeStatus) error {
	list := make([]nodeJSON, len(statuses))
	for i, s := range statuses {
		list[i] = nodeJSON{Node: s.Node, Role: nodeRole(s), Missing: names(s.Missing)}
		if s.Err != nil {
			list[i].Error = s.Err.Error()
		}
	}
	encoder := json.NewEncoder(a.stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{"scripts": len(registry.All()), "nodes": list})
}
