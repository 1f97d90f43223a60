// Package goldentest runs the golden packages of gogen: what they send and
// what they make of the replies, on miniredis and on redis-server, under both
// protocols.
package goldentest

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/redislua"
)

// onServers runs a test against each server and protocol.
func onServers(t *testing.T, test func(t *testing.T, client *redis.Client)) {
	t.Run("miniredis", func(t *testing.T) {
		server := miniredis.RunT(t)
		test(t, connect(t, server.Addr(), 2))
	})
	t.Run("redis", func(t *testing.T) {
		addr := redistest.Start(t).Addr
		for name, protocol := range map[string]int{"RESP2": 2, "RESP3": 3} {
			t.Run(name, func(t *testing.T) {
				client := connect(t, addr, protocol)
				if err := client.FlushAll(t.Context()).Err(); err != nil {
					t.Fatal(err)
				}
				test(t, client)
			})
		}
	})
}

func connect(t *testing.T, addr string, protocol int) *redis.Client {
	client := redis.NewClient(&redis.Options{Addr: addr, Protocol: protocol})
	t.Cleanup(func() { _ = client.Close() })
	return client
}

// isMiniredis reports whether the server knows nothing of RESP3 within scripts.
func isMiniredis(t *testing.T) bool { return strings.HasSuffix(t.Name(), "/miniredis") }

// expect compares a wrapper's results with what is wanted.
func expect[T any](t *testing.T, want T) func(got T, err error) {
	return func(got T, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("got the error %v, want %v", err, want)
			return
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("want -, got +:\n%s", diff)
		}
	}
}

// expectOptional is expect for a reply that may be absent.
func expectOptional[T any](t *testing.T, want T, there bool) func(got T, ok bool, err error) {
	return func(got T, ok bool, err error) {
		t.Helper()
		if err != nil || ok != there {
			t.Errorf("got %v, %t, %v, want %v, %t", got, ok, err, want, there)
			return
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("want -, got +:\n%s", diff)
		}
	}
}

// refused fails unless a call was not sent because of one argument.
func refused(t *testing.T, err error, argument string) {
	t.Helper()
	var bad *redislua.ArgumentError
	if !errors.As(err, &bad) || bad.Argument != argument {
		t.Errorf("got %v, want an ArgumentError about %s", err, argument)
	}
}

var ctx = context.Background()
