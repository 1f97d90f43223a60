// Command luagen turns folders of Redis Lua scripts into typed Go.
// `luagen help` tells how.
package main

import (
	"context"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/luagen/luagen/internal/cli"
)

func main() {
	debug.SetGCPercent(400) // a run is short and uses little memory: collecting less is faster
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // so that a second interrupt ends what does not heed the first
	os.Exit(cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
