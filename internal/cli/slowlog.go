package cli

// This file implements luagen slowlog: SLOWLOG with the names of scripts in
// place of their digests.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/spf13/cobra"

	"github.com/luagen/luagen/redislua"
)

// watchEvery is how often slowlog --watch asks.
const watchEvery = 2 * time.Second

func (a *app) slowlogCommand() *cobra.Command {
	var address string
	var watch bool
	count := int64(128)
	format := oneOf{value: "table", choices: []string{"table", "json"}}
	command := &cobra.Command{
		Use:   "slowlog [path...] --redis URL [--count N] [--watch]",
		Short: "Show slow calls of scripts by name",
		Long: `Slowlog reads SLOWLOG on every node and shows the calls of scripts, newest
first, with the script's name in place of its digest. A script that is none of
the project's is shown by its digest. Of the arguments only the keys are shown.

With --watch it goes on and shows new calls as they come.`,
		Example: `  luagen slowlog --redis redis://localhost:6379
  luagen slowlog --redis redis://localhost:6379 --watch`,
		ValidArgsFunction: completePaths,
		RunE: func(c *cobra.Command, paths []string) error {
			return a.slowlog(c.Context(), paths, address, slowlogOptions{count, watch, format.value})
		},
	}
	a.serverFlag(command, &address)
	command.Flags().Int64Var(&count, "count", count, "how many entries to read of each node")
	command.Flags().BoolVar(&watch, "watch", false, "go on and show new entries")
	format.register(command, "format", "how to print it")
	return command
}

type slowlogOptions struct {
	count  int64
	watch  bool
	format string
}

// slowCall is one call of a script in a node's slow log.
type slowCall struct {
	Node   string    `json:"node"`
	ID     int64     `json:"id"`
	Time   time.Time `json:"time"`
	Micros int64     `json:"microseconds"`
	Script string    `json:"script"` // its name; empty when it is none of the project's
	SHA1   string    `json:"sha1"`   // empty for the text of a script that is none of the project's
	Keys   []string  `json:"keys"`
}

func (a *app) slowlog(ctx context.Context, paths []string, address string, o slowlogOptions) error {
	return a.onServer(ctx, paths, address, func(registry *redislua.Registry, c server) error {
		return a.showSlow(ctx, registry, c, o)
	})
}

// showSlow prints the slow calls of all nodes, with --watch until ctx ends.
func (a *app) showSlow(ctx context.Context, registry *redislua.Registry, c server, o slowlogOptions) error {
	seen := map[string]int64{} // by node: the newest entry shown
	for first := true; ; first = false {
		calls, err := slowCalls(ctx, c, registry, o.count, seen)
		if err != nil {
			return err
		}
		if err := a.printSlow(calls, o.format, first); err != nil {
			return err
		}
		if !o.watch {
			return nil
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(watchEvery):
		}
	}
}

// slowCalls reads the logs of all nodes, without what was seen before, newest
// first.
func slowCalls(ctx context.Context, c server, registry *redislua.Registry, count int64, seen map[string]int64) ([]slowCall, error) {
	var mu sync.Mutex
	calls := []slowCall{}
	err := eachNode(ctx, c, func(ctx context.Context, n *redis.Client) error {
		log, err := n.SlowLogGet(ctx, count).Result()
		if err != nil {
			return fmt.Errorf("reading the slow log of %s: %w", n.Options().Addr, err)
		}
		mu.Lock()
		defer mu.Unlock()
		node := n.Options().Addr
		last, known := seen[node]
		for _, entry := range log {
			if known && entry.ID <= last {
				continue
			}
			seen[node] = max(seen[node], entry.ID)
			if call, ok := slowCallOf(registry, entry); ok {
				call.Node = node
				calls = append(calls, call)
			}
		}
		return nil
	})
	slices.SortFunc(calls, func(a, b slowCall) int {
		return cmp.Or(b.Time.Compare(a.Time), cmp.Compare(a.Node, b.Node), cmp.Compare(b.ID, a.ID))
	})
	return calls, err
}

// slowCallOf reads an entry; false when it is no call of a script.
func slowCallOf(registry *redislua.Registry, entry redis.SlowLog) (slowCall, bool) {
	call := slowCall{ID: entry.ID, Time: entry.Time.UTC(), Micros: entry.Duration.Microseconds(), Keys: []string{}}
	if len(entry.Args) < 3 {
		return call, false
	}
	switch strings.ToLower(entry.Args[0]) {
	case "evalsha", "evalsha_ro":
		call.SHA1 = strings.ToLower(entry.Args[1])
		if s := registry.Digest(call.SHA1); s != nil {
			call.Script = s.Name
		}
	case "eval", "eval_ro":
		if s := scriptOfText(registry, entry.Args[1]); s != nil {
			call.Script, call.SHA1 = s.Name, s.SHA1
		}
	default:
		return call, false
	}
	if n, err := strconv.Atoi(entry.Args[2]); err == nil && n >= 0 {
		call.Keys = append(call.Keys, entry.Args[3:min(3+n, len(entry.Args))]...)
	}
	return call, true
}

// slowlogText is how much of an argument the slow log keeps; "... (N more
// bytes)" follows (SLOWLOG_ENTRY_MAX_STRING in Redis).
const slowlogText = 128

// scriptOfText finds the script that a text in the slow log is, or begins.
func scriptOfText(registry *redislua.Registry, text string) *redislua.Script {
	for _, s := range registry.All() {
		if s.Source == text {
			return s
		}
		more := fmt.Sprintf("... (%d more bytes)", len(s.Source)-slowlogText)
		if len(s.Source) > slowlogText && text == s.Source[:slowlogText]+more {
			return s
		}
	}
	return nil
}

// printSlow prints calls; header tells whether the table begins.
func (a *app) printSlow(calls []slowCall, format string, header bool) error {
	if format == "json" {
		encoder := json.NewEncoder(a.stdout)
		encoder.SetEscapeHTML(false)
		for _, call := range calls {
			if err := encoder.Encode(call); err != nil {
				return err
			}
		}
		return nil
	}
	t := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	if header {
		fmt.Fprintf(t, "TIME\tNODE\tTOOK\tSCRIPT\tKEYS\n")
	}
	for _, call := range calls {
		name := call.Script
		switch {
		case name == "" && call.SHA1 == "":
			name = "a text that is no script here"
		case name == "":
			name = call.SHA1
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\n", call.Time.Format(time.RFC3339), call.Node,
			time.Duration(call.Micros)*time.Microsecond, name, strings.Join(call.Keys, " "))
	}
	return t.Flush()
}
