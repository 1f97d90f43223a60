// Command flashsale sells a limited stock to many buyers at once, and proves at
// the end that nothing was oversold.
//
// Each room has pieces to sell, and each user may have a few of them in all.
// While buyers order, send orders twice and take some back, clerks move pieces
// between rooms under a lock for each room. What must not happen twice happens
// in Redis scripts: those of lua/, and the lock's of the module itself.
//
// It needs no server, as one is embedded. With --redis URL it runs on a real
// one, in keys of its own that it removes at the end.
package main

//go:generate go run github.com/luagen/luagen/cmd/luagen generate

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/redis/go-redis/v9/logging"
)

func main() {
	logging.Disable() // of the client, whose errors come back as errors
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

// The exit statuses.
const (
	fine   = 0
	broken = 1 // the sale sold what it did not have, or lost something
	usage  = 2
	failed = 3 // the server did not answer
)

// run is the program, with its streams and exit status in hands that can look at them.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	opts := options{rooms: []string{"red", "green", "blue"}}
	flags := flag.NewFlagSet("flashsale", flag.ContinueOnError)
	flags.SetOutput(stderr)
	url := flags.String("redis", "", "`URL` of a server, as redis://localhost:6379; one is embedded without")
	flags.IntVar(&opts.buyers, "buyers", 200, "how many buy at once")
	flags.IntVar(&opts.clerks, "clerks", 6, "how many move pieces between rooms meanwhile")
	flags.Int64Var(&opts.pieces, "pieces", 150, "pieces in each room")
	flags.Int64Var(&opts.limit, "limit", 4, "pieces that one user may have")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return fine
	} else if err != nil {
		return usage
	}
	if err := opts.check(flags.Args()); err != nil {
		fmt.Fprintln(stderr, "flashsale:", err)
		return usage
	}

	srv, err := connect(ctx, *url)
	if err != nil {
		fmt.Fprintln(stderr, "flashsale:", err)
		if errors.Is(err, errURL) {
			return usage
		}
		return failed
	}
	defer srv.close()
	fmt.Fprintf(stdout, "A flash sale on %s: %d rooms of %d pieces, %d buyers, at most %d pieces each.\n\n",
		srv.name, len(opts.rooms), opts.pieces, opts.buyers, opts.limit)

	s := newSale(srv.client, opts)
	defer s.cleanUp()
	if err := s.run(ctx); err != nil {
		fmt.Fprintln(stderr, "flashsale:", err)
		return failed
	}
	if err := s.tell(ctx, stdout); err != nil {
		fmt.Fprintln(stderr, "flashsale:", err)
		return failed
	}
	checks, err := s.audit(ctx)
	if err != nil {
		fmt.Fprintln(stderr, "flashsale:", err)
		return failed
	}
	if !printChecks(stdout, checks) {
		return broken
	}
	return fine
}

// printChecks writes the checks and tells whether all of them hold.
func printChecks(w io.Writer, checks []check) bool {
	fmt.Fprintln(w, "\nThe books, read with plain commands:")
	sound := true
	for _, c := range checks {
		mark := "ok    "
		if !c.holds {
			mark, sound = "BROKEN", false
		}
		fmt.Fprintf(w, "  %s  %s: %s\n", mark, c.what, c.detail)
	}
	if sound {
		fmt.Fprintln(w, "\nNothing was oversold.")
	} else {
		fmt.Fprintln(w, "\nThe books do not balance.")
	}
	return sound
}
