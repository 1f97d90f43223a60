//go:build !race

package redislua_test

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/redislua"
)

// A call allocates no more than the cheapest command of go-redis that carries
// the same arguments. (Under the race detector pools forget on purpose.)
func TestAllocations(t *testing.T) {
	client := redistest.Start(t).Client()
	caller := redislua.NewCaller(client)
	s := script("Incr", 2, "return redis.call('INCRBY', KEYS[1], ARGV[1])")
	if err := client.ScriptLoad(ctx, s.Source).Err(); err != nil {
		t.Fatal(err)
	}
	keys, argument := []string{"{k}1", "{k}2"}, "1"
	bare := testing.AllocsPerRun(500, func() {
		cmd := onceInt{redis.NewIntCmd(ctx, "evalsha", s.SHA1, 2, keys[0], keys[1], argument)}
		cmd.SetFirstKeyPos(3)
		if err := client.Process(ctx, cmd); err != nil {
			t.Error(err)
		}
	})
	ours := testing.AllocsPerRun(500, func() {
		call := s.Call(2, 1)
		call.Key(keys[0])
		call.Key(keys[1])
		call.String(argument)
		if _, err := redislua.Run(ctx, caller, call, redislua.AsInt); err != nil {
			t.Error(err)
		}
	})
	if ours > bare {
		t.Errorf("%v allocations, the bare command makes %v", ours, bare)
	}
}
