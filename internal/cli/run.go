package cli

// This file implements luagen run: what it is asked for, and the run of one
// script on either kind of server.

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/engine/coverage"
	"github.com/luagen/luagen/internal/engine/resp"
	"github.com/luagen/luagen/internal/engine/snapshot"
	"github.com/luagen/luagen/internal/project"
	"github.com/luagen/luagen/internal/script"
)

// runRequest is what luagen run is asked for.
type runRequest struct {
	file       string
	keys, args []string // as given: a value, or NAME=VALUE
	raw        bool
	setup      []string
	redis      string // URL; empty for the embedded server
	target     string
	readonly   bool
	json       bool
}

func (a *app) runCommand() *cobra.Command {
	var r runRequest
	cmd := &cobra.Command{
		Use:   "run FILE [-k KEY]... [-a ARG]... [--redis URL] [--json]",
		Short: "Run one script and show what it did",
		Long: `Run runs one script with its includes on an empty server inside luagen, and
shows its reply, each command it called with the line, what it logged, and which
keys differ afterwards. No Redis is needed.

Keys and arguments go to their slots in order, or by name: -a ttl=10s. A value
is converted as a wrapper would do it: 10s for a duration, 2026-01-31T12:00:00Z
for a time, true for a bool, a member's name for an enum. With --raw values are
sent as they are, however many.

With --redis the script runs on that server, and changes what is there. Only the
keys given with -k are looked at before and after, and commands are not traced:
a server tells them only to MONITOR, which would show other clients' as well.

With LUATEST_COVERPROFILE=FILE in the environment the run is counted for luagen
cover, unless it is on a server.

The exit status is 1 when the script fails or replies with an error.`,
		Example: `  luagen run lua/acquire.lua -k lock -k fence -a token=me -a ttl=10s
  luagen run lua/release.lua -k lock -k fence -a me --setup 'SET lock me PX 5000'
  luagen run lua/acquire.lua -k lock -k fence -a me -a 10s --json | jq .changes
  luagen run lua/peek.lua -k lock --readonly --redis redis://localhost:6379/0`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: completePaths,
		RunE: func(c *cobra.Command, args []string) error {
			r.file = args[0]
			return a.run(c.Context(), r)
		},
	}
	flags := cmd.Flags()
	flags.StringArrayVarP(&r.keys, "key", "k", nil, "the next key, or NAME=KEY")
	flags.StringArrayVarP(&r.args, "arg", "a", nil, "the next argument, or NAME=VALUE")
	flags.BoolVar(&r.raw, "raw", false, "send keys and arguments as they are, unchecked")
	flags.StringArrayVar(&r.setup, "setup", nil, "a command to run before, such as 'SET hits 1'")
	flags.StringVar(&r.redis, "redis", "", "the server to run it on, such as redis://localhost:6379/0")
	flags.StringVar(&r.target, "target", "", "what the server inside luagen is: redis-7.2, valkey-8.0 (default: the project's)")
	flags.BoolVar(&r.readonly, "readonly", false, "run it with EVAL_RO, which refuses writes")
	flags.BoolVar(&r.json, "json", false, "print one JSON document")
	cmd.MarkFlagsMutuallyExclusive("redis", "target")
	return cmd
}

// transcript is what a run did.
type transcript struct {
	script     *project.Script
	keys, args []string
	reply      resp.Reply
	traced     bool // calls and log are known
	calls      []tracedCall
	log        []logLine
	changes    []snapshot.Change
}

type tracedCall struct {
	line  int // of the script's bundled text; 0 when not known
	args  []string
	reply resp.Reply
}

type logLine struct{ level, message string }

// runServer is where a script runs.
type runServer interface {
	// do runs a command. The error is the connection's.
	do(args ...string) (resp.Reply, error)
	// all says that nobody else uses it: all of its keys may be looked at.
	all() bool
	// recorded returns what scripts called and logged.
	recorded() (calls []tracedCall, log []logLine)
	close() error
}

// run does what is asked for, prints it, and returns an exit when the script
// fails.
func (a *app) run(ctx context.Context, r runRequest) error {
	target, s, err := a.loadOne(r)
	if err != nil {
		return err
	}
	t := &transcript{script: s, keys: r.keys, args: r.args}
	if !r.raw {
		if t.keys, t.args, err = fill(s.Script, r.keys, r.args); err != nil {
			return &project.UsageError{Message: fmt.Sprintf("%s: %v\n%s", r.file, err, signature(r.file, s.Script))}
		}
	}
	server, err := a.runServer(ctx, r, target)
	if err != nil {
		return err
	}
	err = t.execute(server, r)
	if closing := server.close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	if r.json {
		err = a.runJSON(t)
	} else {
		a.runText(t)
	}
	if err == nil && t.reply.IsError() {
		if !r.json {
			return a.report([]diag.Diagnostic{t.failure()})
		}
		return exit(statusFindings)
	}
	return err
}

// runServer returns the server that a run is for.
func (a *app) runServer(ctx context.Context, r runRequest, target command.Target) (runServer, error) {
	if r.redis != "" {
		return dialServer(ctx, r.redis)
	}
	return newEmbedded(ctx, target, coverage.FromEnv(a.env)), nil
}

// loadOne loads the one script that a run is about.
func (a *app) loadOne(r runRequest) (command.Target, *project.Script, error) {
	var target command.Target
	projects, err := a.open([]string{r.file})
	if err != nil {
		return target, nil, err
	}
	p := projects[0]
	if r.target != "" {
		if p.Target, err = command.ParseTarget(r.target); err != nil {
			return target, nil, &project.UsageError{Message: "--" + err.Error()}
		}
	}
	set, err := p.Load()
	if err != nil {
		return target, nil, err
	}
	if diag.HasErrors(set.Diagnostics) {
		return target, nil, a.report(set.Diagnostics)
	}
	scripts := set.Scripts()
	switch len(scripts) {
	case 1:
		return p.Target, scripts[0], nil
	case 0:
		return target, nil, &project.UsageError{Message: r.file + " is no script: files below a folder lib, or with a name that begins with _, are only there to be included"}
	}
	return target, nil, &project.UsageError{Message: fmt.Sprintf("%s holds %d scripts; name the file of one", r.file, len(scripts))}
}

// execute runs the script.
func (t *transcript) execute(server runServer, r runRequest) error {
	var broken error
	do := func(args ...string) resp.Reply {
		reply, err := server.do(args...)
		if err != nil && broken == nil {
			broken = err
		}
		return reply
	}
	failure := func() error {
		switch {
		case broken == nil:
			return nil
		case errors.Is(broken, context.Canceled):
			return fmt.Errorf("running %s: interrupted", r.file)
		}
		return fmt.Errorf("talking to %s: %w", withoutPassword(r.redis), broken)
	}
	for _, line := range r.setup {
		words, err := splitCommand(line)
		if err != nil {
			return &project.UsageError{Message: fmt.Sprintf("--setup %q: %v", line, err)}
		}
		if reply := do(words...); reply.IsError() {
			return &project.UsageError{Message: fmt.Sprintf("--setup %q: %s", line, reply.Text)}
		}
	}
	picture := func() snapshot.Snapshot {
		if server.all() {
			return snapshot.All(do)
		}
		return snapshot.Keys(do, t.keys)
	}
	server.recorded()
	started := time.Now()
	before := picture()
	eval := "EVAL"
	if r.readonly {
		eval = "EVAL_RO"
	}
	cmd := append([]string{eval, t.script.Script.Source, fmt.Sprint(len(t.keys))}, t.keys...)
	t.reply = do(append(cmd, t.args...)...)
	if err := failure(); err != nil {
		return err
	}
	t.traced = server.all()
	t.calls, t.log = server.recorded()
	after := picture()
	passed := time.Duration(0)
	if !server.all() {
		passed = time.Since(started) + time.Millisecond // its clock goes on, in whole milliseconds
	}
	t.changes = snapshot.Diff(before, after, passed)
	return failure()
}

// signature shows how a script is called, for one who did it otherwise.
func signature(file string, s *script.Script) string {
	var b strings.Builder
	b.WriteString("expected: luagen run " + file)
	for _, k := range s.Keys {
		b.WriteString(" -k <" + k.Name + ">" + dots(k.Variadic))
	}
	for _, arg := range s.Args {
		text := "-a " + arg.Name + "=<" + arg.Type.String() + ">" + dots(arg.Variadic)
		if arg.Optional {
			text = "[" + text + "]"
		}
		b.WriteString(" " + text)
	}
	return b.String()
}

func dots(variadic bool) string {
	if variadic {
		return "..."
	}
	return ""
}
