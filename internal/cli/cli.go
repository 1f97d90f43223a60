// Package cli holds the commands of luagen. It is the only package that prints
// or decides an exit status; streams, arguments and environment are handed in.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/luagen/luagen/internal/project"
)

// The exit statuses.
const (
	statusOK       = 0
	statusFindings = 1 // the user's scripts or the generated code need work
	statusUsage    = 2 // wrong usage or configuration
	statusFailure  = 3 // the environment or luagen itself failed
)

// app is one run of the program.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	env            func(string) string
	started        bool // a command has begun, so an error is not one of usage
}

// exit is an error that has been told already.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// Main runs luagen with the arguments behind the program's name and returns
// its exit status: 0 fine, 1 findings or stale output, 2 wrong usage or
// configuration, 3 a failure of the environment or of luagen itself. env
// looks up variables of the environment. The run ends early when ctx does.
func Main(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, env func(string) string) (status int) {
	a := &app{stdin: stdin, stdout: stdout, stderr: stderr, env: env}
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintf(stderr, "luagen: internal error: %v\nthis is a fault of luagen and not of your files; please report it with the lines below\n\n%s", cause, debug.Stack())
			status = statusFailure
		}
	}()
	root := a.root()
	root.SetArgs(args)
	command, err := root.ExecuteContextC(ctx)
	return a.status(command, err)
}

// status tells an error, unless that is done, and returns its exit status.
func (a *app) status(command *cobra.Command, err error) int {
	var told exit
	var usage *project.UsageError
	switch {
	case err == nil:
		return statusOK
	case errors.As(err, &told):
		return int(told)
	case errors.As(err, &usage):
		fmt.Fprintf(a.stderr, "luagen: %v\n", err)
		return statusUsage
	case !a.started:
		fmt.Fprintf(a.stderr, "luagen: %v\nrun %s --help for how to use it\n", err, command.CommandPath())
		return statusUsage
	}
	fmt.Fprintf(a.stderr, "luagen: %v\n", err)
	return statusFailure
}

// printf prints what a command answers. An answer that cannot be delivered
// (its reader is gone) is nobody's loss.
func (a *app) printf(format string, args ...any) { fmt.Fprintf(a.stdout, format, args...) }

// tell prints what is not part of a command's answer.
func (a *app) tell(format string, args ...any) { fmt.Fprintf(a.stderr, format, args...) }

// colour tells whether a stream takes it: it is a terminal, and NO_COLOR is
// not set.
func (a *app) colour(stream io.Writer) bool {
	file, ok := stream.(*os.File)
	if !ok || a.env("NO_COLOR") != "" || a.env("TERM") == "dumb" {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
