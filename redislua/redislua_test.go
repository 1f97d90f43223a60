package redislua_test

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/redislua"
)

var ctx = context.Background()

// script makes a script as the generator does.
func script(name string, keys int, source string) *redislua.Script {
	sum := sha1.Sum([]byte(source))
	return &redislua.Script{Name: name, File: "lua/" + name + ".lua", Source: source, SHA1: hex.EncodeToString(sum[:]), Keys: keys}
}

func incr() *redislua.Script {
	return script("Incr", 1, "return redis.call('INCR', KEYS[1])")
}

func incrCall(s *redislua.Script, key string) *redislua.Call {
	c := s.Call(1, 0)
	c.Key(key)
	return c
}

func TestUnknownScriptIsLoadedAndRunOnce(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client()
	caller := redislua.NewCaller(client)
	s := incr()
	for want := int64(1); want <= 3; want++ {
		got, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsInt)
		if err != nil || got != want {
			t.Fatalf("got %d, %v, want %d", got, err, want)
		}
	}
	if known := client.ScriptExists(ctx, s.SHA1).Val(); !known[0] {
		t.Error("the script is not loaded")
	}
	_, err := redislua.Run(ctx, caller, incrCall(script("Bad", 1, "return redis.call('INCR', KEYS[1], 1)"), "k"), redislua.AsInt)
	t.Log(err)
	_, err = redislua.Run(ctx, caller, incrCall(script("Bad", 1, "local\nx = = 1"), "k"), redislua.AsInt)
	t.Log(err)
	client.LPush(ctx, "l", 1)
	_, err = redislua.Run(ctx, caller, incrCall(s, "l"), redislua.AsInt)
	t.Log(err)
	if !errors.Is(err, redislua.Code("WRONGTYPE")) || !redis.HasErrorPrefix(err, "WRONGTYPE") {
		t.Error(err)
	}
	s = script("Nested", 0, "return {1, {err='OOM no'}, {2, 'x'}, false, 'abc'}")
	v, err := redislua.Run(ctx, caller, s.Call(0, 0), redislua.AsValue)
	t.Log(v, err)
	_, err = client.Eval(ctx, s.Source, nil).Result()
	t.Log(err)
	_, err = client.Get(ctx, "k").Result()
	t.Log(err)
}
