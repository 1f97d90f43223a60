package redislua_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/redislua"
)

func TestRegistry(t *testing.T) {
	t.Parallel()
	a, b := incr(), padded(100)
	b.Name = "Padded"
	r := redislua.NewRegistry(a, b)
	if r.Name("Padded") != b || r.Digest(a.SHA1) != a || r.Name("x") != nil || r.Digest("x") != nil || len(r.All()) != 2 {
		t.Error("look-ups")
	}
	server := redistest.Start(t)
	client := server.Client()
	auto, err := server.Client().AutoPipeline()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []redislua.Client{client, auto} {
		client.ScriptFlush(ctx)
		client.ScriptLoad(ctx, a.Source)
		statuses, err := r.Missing(ctx, c)
		if err != nil || len(statuses) != 1 || len(statuses[0].Missing) != 1 || statuses[0].Missing[0] != b {
			t.Error(statuses, err)
		}
		if err := r.Verify(ctx, c); err == nil || !strings.HasSuffix(err.Error(), " lacks Padded") {
			t.Error(err)
		}
		if statuses, err := r.Load(ctx, c); err != nil || len(statuses[0].Missing) != 0 {
			t.Error(statuses, err)
		}
		if err := r.Verify(ctx, c); err != nil {
			t.Error(err)
		}
	}

	// A digest that is not that of the source, and a script that is wrong.
	stale := incr()
	stale.SHA1 = b.SHA1[:39] + "0"
	if _, err := redislua.NewRegistry(stale).Load(ctx, client); err == nil || !strings.Contains(err.Error(), "run luagen generate") {
		t.Error(err)
	}
	var wrong *redislua.Error
	if _, err := redislua.NewRegistry(script("Bad", 0, "x = = 1")).Load(ctx, client); !errors.As(err, &wrong) || wrong.Line != 1 {
		t.Error(err)
	}
	server.Kill()
	if err := r.Verify(ctx, client); err == nil {
		t.Error("a dead server is fine")
	}
}

func TestObserver(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client()
	var events []redislua.Event
	caller := redislua.NewCaller(client, redislua.WithObserver(func(_ context.Context, e redislua.Event) {
		if e.Duration <= 0 || e.Duration > time.Minute || e.Node != client.Options().Addr {
			t.Errorf("%+v", e)
		}
		events = append(events, e)
	}))
	s := incr()
	client.LPush(ctx, "list", "x")
	_, _ = redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsInt)
	_, _ = redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsInt)
	_, _ = redislua.Run(ctx, caller, incrCall(s, "list"), redislua.AsInt)
	batch := redislua.NewPipeline(caller)
	redislua.Queue(batch, incrCall(s, "k"), redislua.AsInt)
	redislua.Queue(batch, incrCall(s, "list"), redislua.AsInt)
	_ = batch.Exec(ctx)
	var got []string
	for _, e := range events {
		word := e.Script.Name
		if e.Recovered {
			word += " recovered"
		}
		if errors.Is(e.Err, redislua.Code("WRONGTYPE")) {
			word += " WRONGTYPE"
		}
		got = append(got, word)
	}
	if want := "Incr recovered, Incr, Incr WRONGTYPE, Incr, Incr WRONGTYPE"; strings.Join(got, ", ") != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// go-redis's own options do not come in the way.
func TestClientOptions(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	for name, o := range map[string]*redis.Options{
		"one connection":      {PoolSize: 1},
		"context timeouts":    {ContextTimeoutEnabled: true},
		"no retries":          {MaxRetries: -1},
		"a pipeline pool":     {PipelinePoolSize: 2},
		"database 3":          {DB: 3},
		"a small read buffer": {ReadBufferSize: 512},
		"client-side caching": {ClientSideCacheConfig: &redis.ClientSideCacheConfig{}},
	} {
		o.Addr = server.Addr
		client := redis.NewClient(o)
		t.Cleanup(func() { _ = client.Close() })
		client.FlushAll(ctx)
		client.ScriptFlush(ctx)
		caller := redislua.NewCaller(client)
		for want := int64(1); want < 4; want++ {
			if n, err := redislua.Run(ctx, caller, incrCall(incr(), "k"), redislua.AsInt); n != want || err != nil {
				t.Errorf("%s: %d %v", name, n, err)
			}
		}
		long := script("Long", 0, "return {string.rep('x', 3000), 1}")
		if v, err := redislua.Run(ctx, caller, long.Call(0, 0), redislua.AsValue); err != nil || len(v.String()) != 3006 {
			t.Errorf("%s: %d %v", name, len(v.String()), err)
		}
	}
}
