package redislua_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/redislua"
)

// times is n, and more when LUAGEN_STRESS=1.
func times(n int) int {
	if os.Getenv("LUAGEN_STRESS") == "1" {
		return 20 * n
	}
	return n
}

// A script that writes is sent once however the network behaves: go-redis's
// Script runs it again.
func TestLostRepliesNeverRunAWriteTwice(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	calls := int64(times(500))
	oneInTen := func(n int64) bool { return n%10 == 0 }

	p := newProxy(t, server)
	p.loseReply = oneInTen
	caller := redislua.NewCaller(p.client(t, redis.Options{}))
	s := incr()
	if err := server.Client().ScriptLoad(ctx, s.Source).Err(); err != nil {
		t.Fatal(err)
	}
	var failed atomic.Int64
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range calls / 8 {
				if _, err := redislua.Run(ctx, caller, incrCall(s, "ours"), redislua.AsInt); err != nil {
					if !errors.Is(err, io.EOF) {
						t.Errorf("a lost reply is %v, want io.EOF untouched", err)
					}
					failed.Add(1)
				}
			}
		})
	}
	wg.Wait()
	ran, _ := server.Client().Get(ctx, "ours").Int64()
	if sent := p.forwarded.Load(); ran != sent || sent != calls/8*8 || failed.Load() == 0 {
		t.Errorf("%d calls, %d sent, %d run, %d failed", calls, sent, ran, failed.Load())
	}

	p = newProxy(t, server)
	p.loseReply = oneInTen
	goRedis, client := redis.NewScript(s.Source), p.client(t, redis.Options{})
	for range 50 {
		_ = goRedis.Run(ctx, client, []string{"theirs"}).Err()
	}
	if ran, _ := server.Client().Get(ctx, "theirs").Int64(); ran <= 50 {
		t.Errorf("go-redis ran 50 calls %d times: if it runs them once now, say so in the documentation", ran)
	}
}

// The same where many calls share a connection, and a lost reply takes those
// behind it along.
func TestLostRepliesOnSharedConnections(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	for _, duplex := range []bool{false, true} {
		var n atomic.Int64
		client := redis.NewClient(&redis.Options{Addr: stepProxy(t, server, func(command []string) bool {
			return command[0] != "evalsha" || n.Add(1)%50 != 0
		})})
		t.Cleanup(func() { _ = client.Close() })
		auto, err := client.AutoPipelineWithOptions(&redis.AutoPipelineOptions{FullDuplex: duplex})
		if err != nil {
			t.Fatal(err)
		}
		caller := redislua.NewCaller(auto)
		s, list := push(), fmt.Sprint("list ", duplex)
		server.Client().ScriptLoad(ctx, s.Source)
		var answered sync.Map
		var wg sync.WaitGroup
		calls := times(50)
		for g := range 32 {
			wg.Go(func() {
				for i := range calls {
					id := g*calls + i
					if got, err := redislua.Run(ctx, caller, pushCall(s, list, id), redislua.AsInt); err == nil {
						answered.Store(strconv.Itoa(id), true)
						if got != int64(id) {
							t.Errorf("call %d got the reply of %d", id, got)
						}
					}
				}
			})
		}
		wg.Wait()
		ran := make(map[string]int)
		for _, id := range server.Client().LRange(ctx, list, 0, -1).Val() {
			if ran[id]++; ran[id] > 1 {
				t.Errorf("full duplex %t: call %s ran %d times", duplex, id, ran[id])
			}
		}
		some := false
		answered.Range(func(id, _ any) bool {
			some = true
			if ran[id.(string)] == 0 {
				t.Errorf("full duplex %t: call %s was answered and did not run", duplex, id)
			}
			return true
		})
		if !some {
			t.Errorf("full duplex %t: no call was answered", duplex)
		}
	}
}

func TestIdempotentScriptsAreSentAgain(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	for _, kind := range []string{"idempotent", "read-only"} {
		p := newProxy(t, server)
		p.loseReply = func(n int64) bool { return n%10 == 0 }
		s := script("Array", 1, "return {redis.call('EXISTS', KEYS[1]), 'some text', {1, 2}}")
		s.Idempotent, s.ReadOnly = kind == "idempotent", kind == "read-only"
		caller := redislua.NewCaller(p.client(t, redis.Options{}))
		for range times(200) {
			v, err := redislua.Run(ctx, caller, incrCall(s, kind), redislua.AsValue)
			if err != nil || v.String() != `[0 "some text" [1 2]]` {
				t.Fatalf("%s: %v, %v", kind, v, err)
			}
		}
	}
}

// A reply that breaks off in the middle leaves nothing behind for the next
// attempt.
func TestHalfAReplyIsForgotten(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s := script("Long", 1, "return {1, string.rep('x', 1000), {2, 3}}")
	s.Idempotent = true
	p := newProxy(t, server)
	p.halveReply = func(n int64) bool { return n%4 != 0 }
	caller := redislua.NewCaller(p.client(t, redis.Options{}))
	for range 20 {
		v, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsValue)
		if list, _ := v.List(); err != nil || len(list) != 3 || list[2].String() != "[2 3]" {
			t.Fatal(v, err)
		}
	}
}

// What never reached the server is sent again.
func TestServerThatIsNotThereYet(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr, MaxRetries: 20, MaxRetryBackoff: 100 * time.Millisecond, DialerRetries: 1})
	t.Cleanup(func() { _ = client.Close() })
	server.Kill()
	done := make(chan error)
	go func() {
		_, err := redislua.Run(ctx, redislua.NewCaller(client), incrCall(incr(), "k"), redislua.AsInt)
		done <- err
	}()
	server.Restart()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// A server without the _RO forms, as Redis 6.2 is, runs read-only scripts too.
func TestServerWithoutReadOnlyForms(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t, "--rename-command", "EVALSHA_RO", "", "--rename-command", "EVAL_RO", "")
	client := server.Client()
	client.Set(ctx, "k", "v", 0)
	s := script("Get", 1, "return redis.call('GET', KEYS[1])")
	s.ReadOnly = true
	for range 2 {
		caller := redislua.NewCaller(client)
		for range 3 {
			if got, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsString); got != "v" || err != nil {
				t.Error(got, err)
			}
		}
		for _, kind := range []func(*redislua.Caller) *redislua.Batch{redislua.NewPipeline, redislua.NewTx} {
			batch := kind(redislua.NewCaller(client))
			one := redislua.Queue(batch, incrCall(s, "k"), redislua.AsString)
			two := redislua.Queue(batch, incrCall(s, "k"), redislua.AsString)
			if err := batch.Exec(ctx); err != nil {
				t.Error(err)
			}
			for _, f := range []*redislua.Future[string]{one, two} {
				if got, err := f.Result(); got != "v" || err != nil {
					t.Error(got, err)
				}
			}
		}
		client.ScriptFlush(ctx)
	}
}

func TestContextEndsEveryWait(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	s := incr()

	t.Run("the reply", func(t *testing.T) {
		p := newProxy(t, server)
		p.swallow = func(int64) bool { return true }
		caller := redislua.NewCaller(p.client(t, redis.Options{ContextTimeoutEnabled: true}))
		ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		if _, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsInt); !errors.Is(err, context.DeadlineExceeded) && !os.IsTimeout(err) {
			t.Error(err)
		}
	})
	t.Run("the next attempt", func(t *testing.T) {
		client := redis.NewClient(&redis.Options{Addr: "127.0.0.1:1", DialerRetries: 1, MaxRetries: 3,
			MinRetryBackoff: time.Hour, MaxRetryBackoff: time.Hour})
		defer client.Close()
		ctx, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
		defer cancel()
		if _, err := redislua.Run(ctx, redislua.NewCaller(client), incrCall(s, "k"), redislua.AsInt); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
	})
}
