package redislua_test

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/redislua"
)

func push() *redislua.Script {
	s := script("Push", 1, "redis.call('RPUSH', KEYS[1], ARGV[1]) return tonumber(ARGV[1])")
	return s
}

func pushCall(s *redislua.Script, key string, n int) *redislua.Call {
	c := s.Call(1, 1)
	c.Key(key)
	c.Int(int64(n))
	return c
}

// flushing flushes the script cache of the servers at random until the test
// calls the function it returns.
func flushing(clients ...*redis.Client) (stop func()) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	for _, c := range clients {
		wg.Go(func() {
			for {
				select {
				case <-done:
					return
				default:
					_ = c.ScriptFlush(ctx).Err()
				}
			}
		})
	}
	return func() { close(done); wg.Wait() }
}

// Calls, pipelines and transactions from 64 goroutines while the script cache
// is flushed all the time: nothing is lost, doubled or out of order, and nobody
// sees NOSCRIPT.
func TestFlushStorm(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	for _, protocol := range []int{2, 3} {
		client := redis.NewClient(&redis.Options{Addr: server.Addr, Protocol: protocol})
		t.Cleanup(func() { _ = client.Close() })
		storm(t, fmt.Sprint("resp", protocol), client, server.Client())
	}
	auto, err := server.Client().AutoPipeline()
	if err != nil {
		t.Fatal(err)
	}
	storm(t, "auto", auto, server.Client())
	deferred, err := server.Client().AsyncAutoPipeline()
	if err != nil {
		t.Fatal(err)
	}
	storm(t, "deferred", deferred, server.Client())
	duplex, err := server.Client().AutoPipelineWithOptions(&redis.AutoPipelineOptions{FullDuplex: true})
	if err != nil {
		t.Fatal(err)
	}
	storm(t, "full duplex", duplex, server.Client())
}

func storm(t *testing.T, name string, client redis.UniversalClient, flushed ...*redis.Client) {
	stop := flushing(flushed...)
	defer stop()
	caller := redislua.NewCaller(client)
	push, incr := push(), incr()
	rounds := times(12)
	var wg sync.WaitGroup
	for g := range 64 {
		wg.Go(func() {
			list, counter := fmt.Sprintf("{%s:%d}list", name, g), fmt.Sprintf("{%s:%d}counter", name, g)
			n := 0
			for round := range rounds {
				n++
				if got, err := redislua.Run(ctx, caller, pushCall(push, list, n), redislua.AsInt); err != nil || got != int64(n) {
					t.Errorf("call: %d, %v", got, err)
				}
				batch := redislua.NewPipeline(caller)
				if round%2 == 1 {
					batch = redislua.NewTx(caller)
				}
				var futures []*redislua.Future[int64]
				first := n + 1
				for i := range 10 {
					n++
					futures = append(futures, redislua.Queue(batch, pushCall(push, list, n), redislua.AsInt))
					key := counter
					if i > 0 {
						key += strconv.Itoa(i)
					}
					redislua.Queue(batch, incrCall(incr, key), redislua.AsInt)
				}
				if err := batch.Exec(ctx); err != nil {
					t.Errorf("batch: %v", err)
				}
				for i, f := range futures {
					if got, err := f.Result(); err != nil || got != int64(first+i) {
						t.Errorf("future: %d, %v", got, err)
					}
				}
			}
			for i, got := range client.LRange(ctx, list, 0, -1).Val() {
				if got != strconv.Itoa(i+1) {
					t.Fatalf("%s: element %d is %s", list, i, got)
				}
			}
			if got := client.LLen(ctx, list).Val(); got != int64(n) {
				t.Errorf("%s has %d elements, want %d", list, got, n)
			}
			for i := range 10 {
				key := counter
				if i > 0 {
					key += strconv.Itoa(i)
				}
				if got, _ := client.Get(ctx, key).Int(); got != rounds {
					t.Errorf("%s is %d, want %d", key, got, rounds)
				}
			}
		})
	}
	wg.Wait()
}

// spy counts commands by name.
type spy struct {
	mu     sync.Mutex
	counts map[string]int
	gate   func(name string) // called before a command is sent
}

func (s *spy) DialHook(next redis.DialHook) redis.DialHook { return next }

func (s *spy) ProcessHook(next redis.ProcessHook) redis.ProcessHook {
	return func(ctx context.Context, cmd redis.Cmder) error {
		s.count(cmd)
		if s.gate != nil {
			s.gate(name(cmd))
		}
		return next(ctx, cmd)
	}
}

func (s *spy) ProcessPipelineHook(next redis.ProcessPipelineHook) redis.ProcessPipelineHook {
	return func(ctx context.Context, cmds []redis.Cmder) error {
		for _, cmd := range cmds {
			s.count(cmd)
		}
		return next(ctx, cmds)
	}
}

func name(cmd redis.Cmder) string {
	if cmd.Name() == "script" {
		return "script " + strings.ToLower(cmd.Args()[1].(string))
	}
	return cmd.Name()
}

func (s *spy) count(cmd redis.Cmder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.counts == nil {
		s.counts = make(map[string]int)
	}
	s.counts[name(cmd)]++
}

func (s *spy) of(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts[name]
}

// After a flush all who wait share one SCRIPT LOAD.
func TestOneLoadForAllWhoWait(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	client := redis.NewClient(&redis.Options{Addr: server.Addr, PoolSize: 50, PoolTimeout: time.Minute})
	t.Cleanup(func() { _ = client.Close() })
	spy := &spy{}
	client.AddHook(spy)
	caller := redislua.NewCaller(client)
	s := incr()
	goroutines := times(2000)
	for round := 1; round <= 3; round++ {
		if err := client.ScriptFlush(ctx).Err(); err != nil {
			t.Fatal(err)
		}
		var wg sync.WaitGroup
		for range goroutines {
			wg.Go(func() {
				if _, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsInt); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := spy.of("script load"); got != round {
			t.Errorf("%d loads after %d flushes", got, round)
		}
	}
	if got := spy.of("eval"); got != 0 {
		t.Errorf("%d times the text was sent with the call", got)
	}
	if got, _ := client.Get(ctx, "k").Int(); got != 3*goroutines {
		t.Errorf("%d calls, %d run", 3*goroutines, got)
	}
}

// One of those who wait for a load may give up, the first included; the others
// get their script.
func TestWaitersOutliveTheFirst(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client()
	loading, proceed := make(chan struct{}), make(chan struct{})
	client.AddHook(&spy{gate: func(name string) {
		if name == "script load" {
			close(loading)
			<-proceed
		}
	}})
	caller := redislua.NewCaller(client)
	s := incr()
	impatient, giveUp := context.WithCancel(ctx)
	first := make(chan error)
	go func() {
		_, err := redislua.Run(impatient, caller, incrCall(s, "k"), redislua.AsInt)
		first <- err
	}()
	<-loading
	second := make(chan error)
	go func() {
		_, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsInt)
		second <- err
	}()
	giveUp()
	if err := <-first; err != context.Canceled {
		t.Errorf("the first: %v", err)
	}
	close(proceed)
	if err := <-second; err != nil {
		t.Errorf("the second: %v", err)
	}
}

// A load that fails fails those who wait for it, with its reason, and the next
// call tries again.
func TestFailedLoadSaysWhy(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client()
	caller := redislua.NewCaller(client)
	bad := script("Bad", 1, "local x =\nreturn 1")
	for range 2 {
		_, err := redislua.Run(ctx, caller, incrCall(bad, "k"), redislua.AsInt)
		if err == nil || err.Error() != "Bad: ERR compiling: unexpected symbol near 'return' (lua/Bad.lua:2)" {
			t.Error(err)
		}
	}
}

// Where SCRIPT LOAD is refused the text goes with the call, and the server is
// not asked again for a while.
func TestRefusedLoadIsRemembered(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	if err := server.Client().Do(ctx, "ACL", "SETUSER", "app", "on", ">pw", "~*", "+@all", "-script").Err(); err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(&redis.Options{Addr: server.Addr, Username: "app", Password: "pw"})
	t.Cleanup(func() { _ = client.Close() })
	spy := &spy{}
	client.AddHook(spy)
	caller := redislua.NewCaller(client)
	var asked atomic.Int64
	for _, s := range []*redislua.Script{incr(), padded(100), padded(200)} {
		for range 3 {
			if _, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsInt); err != nil {
				t.Error(err)
			}
			asked.Add(1)
		}
	}
	if got, _ := server.Client().Get(ctx, "k").Int64(); got != asked.Load() {
		t.Errorf("%d calls, %d run", asked.Load(), got)
	}
	if loads, evals := spy.of("script load"), spy.of("eval"); loads != 1 || evals != 3 {
		t.Errorf("%d loads and %d texts, want 1 and 3", loads, evals)
	}
}

func TestRecoveryOptions(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client()
	spy := &spy{}
	client.AddHook(spy)
	s := incr()
	caller := redislua.NewCaller(client, redislua.WithRecovery(redislua.RecoverByEval))
	if n, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsInt); n != 1 || err != nil || spy.of("script load") != 0 {
		t.Error(n, err)
	}
	client.ScriptFlush(ctx)
	caller = redislua.NewCaller(client, redislua.WithRecovery(redislua.RecoverNever))
	_, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsInt)
	if err == nil || err.Error() != "Incr: NOSCRIPT No matching script. Please use EVAL." {
		t.Error(err)
	}
}
