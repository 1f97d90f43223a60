// Command recipes runs recipes for locks on Redis through the schedules that
// break them, step by step, and the lock of this module through the same ones.
//
// It needs no server, as one is embedded whose time moves only when a schedule
// says so.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
)

func main() {
	logging.Disable() // of the client, whose errors come back as errors
	if err := run(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "recipes:", err)
		os.Exit(1)
	}
}

// run runs all schedules, each on an empty server.
func run(out io.Writer) error {
	for _, r := range recipes {
		embedded := miniredis.NewMiniRedis()
		if err := embedded.Start(); err != nil {
			return fmt.Errorf("starting the embedded server: %w", err)
		}
		client := redis.NewClient(&redis.Options{Addr: embedded.Addr(), Protocol: 2})
		s := &schedule{Client: client, server: embedded, out: out}
		fmt.Fprintf(out, "\n%s: %s\n", r.name, r.how)
		verdict := r.run(s)
		fmt.Fprintf(out, "  => %s\n", verdict)
		_ = client.Close()
		embedded.Close()
		if s.err != nil {
			return fmt.Errorf("%s: %w", r.name, s.err)
		}
		if verdict != r.verdict {
			return fmt.Errorf("%s: the schedule ends in %q, expected %q", r.name, verdict, r.verdict)
		}
	}
	return nil
}

// schedule is a run of a recipe by two holders, A and B.
type schedule struct {
	*redis.Client
	server *miniredis.Miniredis
	out    io.Writer
	err    error // of the server, which ends the program
}

const (
	key = "room:42"
	ttl = 10 * time.Second
)

var ctx = context.Background()

// step tells what somebody did and what came of it.
func (s *schedule) step(who, did string, came any) {
	fmt.Fprintf(s.out, "  %-5s %-52s %v\n", who, did, came)
}

// expire lets the time of the lock go by, while A is not looking.
func (s *schedule) expire() {
	s.server.FastForward(ttl)
	s.step("", "A pauses, and the key's time goes by", "")
}

// command runs a command and tells of it.
func (s *schedule) command(who string, args ...any) any {
	v, err := s.Do(ctx, args...).Result()
	if err != nil && err != redis.Nil {
		s.err = err
	}
	if err == redis.Nil {
		v = "nil"
	}
	text := fmt.Sprintln(args...)
	s.step(who, text[:len(text)-1], v)
	return v
}

// script runs a script and tells of it in short.
func (s *schedule) script(who, did, source string, args ...any) any {
	v, err := s.Eval(ctx, source, []string{key}, args...).Result()
	if err == redis.Nil {
		v = "nil"
	} else if err != nil {
		s.err = err
	}
	s.step(who, did, v)
	return v
}
