// Command luagen turns folders of Redis Lua scripts into typed Go.
// `luagen help` tells how.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/luagen/luagen/internal/cli"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(cli.Main(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
}
