package main

// This file implements the server that the sale runs on: an embedded one, or
// one that is there.

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/redis/go-redis/v9"
)

type server struct {
	name   string
	client *redis.Client
	close  func()
}

// errURL is what connect returns for a URL that is none.
var errURL = errors.New("expected a URL such as redis://localhost:6379")

// connect returns the server of a URL; an embedded one if it is empty.
func connect(ctx context.Context, url string) (*server, error) {
	if url == "" {
		return embed()
	}
	opts, err := redis.ParseURL(url)
	if err != nil {
		return nil, fmt.Errorf("--redis %s: %w, %w", url, err, errURL)
	}
	opts.DialerRetries = 1 // who runs a demo sees at once that there is no server
	client := redis.NewClient(opts)
	if err := client.Ping(ctx).Err(); err != nil {
		_ = client.Close()
		return nil, fmt.Errorf("asking the server at %s: %w", opts.Addr, err)
	}
	return &server{opts.Addr, client, func() { _ = client.Close() }}, nil
}

// tick is how often the time of the embedded server goes on.
const tick = 5 * time.Millisecond

// embed starts a server in this process. Its keys expire only when it is told
// that time went by, which a goroutine does.
func embed() (*server, error) {
	embedded := miniredis.NewMiniRedis()
	if err := embedded.Start(); err != nil {
		return nil, fmt.Errorf("starting the embedded server: %w", err)
	}
	client := redis.NewClient(&redis.Options{Addr: embedded.Addr(), Protocol: 2})
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		ticker := time.NewTicker(tick)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				embedded.FastForward(tick)
			case <-done:
				return
			}
		}
	}()
	return &server{"an embedded server", client, func() {
		close(done)
		<-stopped
		_ = client.Close()
		embedded.Close()
	}}, nil
}
