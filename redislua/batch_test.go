package redislua_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/redislua"
)

// Between any two commands of a pipeline somebody flushes the scripts, and
// somebody else loads them again: the later calls on a key never run before the
// earlier.
func TestOrderHoldsWhateverComesBetween(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	direct := server.Client()
	push, incr := push(), incr()
	for _, kind := range []string{"pipeline", "tx", "into a pipeline", "into a tx"} {
		for flushAt := range 7 {
			for loadAt := flushAt + 1; loadAt <= 8; loadAt++ { // 8 is never
				var mu sync.Mutex
				step, armed := 0, false
				client := redis.NewClient(&redis.Options{Addr: stepProxy(t, server, func(words []string) bool {
					mu.Lock()
					defer mu.Unlock()
					if !armed || !strings.HasPrefix(words[0], "eval") {
						return true
					}
					switch step {
					case flushAt:
						direct.ScriptFlush(ctx)
					case loadAt:
						direct.ScriptLoad(ctx, push.Source)
						direct.ScriptLoad(ctx, incr.Source)
					}
					step++
					return true
				}), MaxRetries: -1})
				caller := redislua.NewCaller(client)
				direct.FlushDB(ctx)
				direct.ScriptLoad(ctx, push.Source)
				direct.ScriptLoad(ctx, incr.Source)
				// The client has met the scripts.
				warm := redislua.NewPipeline(caller)
				redislua.Queue(warm, pushCall(push, "warm", 1), redislua.AsInt)
				redislua.Queue(warm, incrCall(incr, "warmer"), redislua.AsInt)
				if err := warm.Exec(ctx); err != nil {
					t.Fatal(err)
				}
				mu.Lock()
				armed = true
				mu.Unlock()

				pipe := client.Pipeline()
				if kind == "into a tx" {
					pipe = client.TxPipeline()
				}
				batch := map[string]*redislua.Batch{
					"pipeline": redislua.NewPipeline(caller), "tx": redislua.NewTx(caller),
				}[kind]
				if batch == nil {
					batch = redislua.Into(caller, pipe)
				}
				var futures []*redislua.Future[int64]
				for i := range 4 {
					futures = append(futures, redislua.Queue(batch, pushCall(push, "list", i), redislua.AsInt))
					redislua.Queue(batch, incrCall(incr, fmt.Sprint("counter", i)), redislua.AsInt)
				}
				err := batch.Exec(ctx)
				name := fmt.Sprintf("%s, flushed before %d, loaded before %d", kind, flushAt, loadAt)
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				for i, f := range futures {
					if got, err := f.Result(); got != int64(i) || err != nil {
						t.Errorf("%s: future %d is %d, %v", name, i, got, err)
					}
					if got, _ := direct.Get(ctx, fmt.Sprint("counter", i)).Int(); got != 1 {
						t.Errorf("%s: counter %d is %d", name, i, got)
					}
				}
				if got := direct.LRange(ctx, "list", 0, -1).Val(); !slices.Equal(got, []string{"0", "1", "2", "3"}) {
					t.Errorf("%s: the list is %v", name, got)
				}
				_ = client.Close()
			}
		}
	}
}

// The text goes once for each script of a transaction, and in a pipeline once
// for all where the calls share no key.
func TestTextsSent(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client()
	spy := &spy{}
	client.AddHook(spy)
	caller := redislua.NewCaller(client)
	s, other := incr(), padded(100)
	for i, c := range []struct {
		batch       *redislua.Batch
		key         func(i int) string
		texts, load int
	}{
		{redislua.NewTx(caller), func(int) string { return "k" }, 2, 0},
		{redislua.NewPipeline(caller), func(i int) string { return fmt.Sprint(i) }, 0, 0},
		{redislua.NewPipeline(caller), func(int) string { return "k" }, 20, 0},
	} {
		before := spy.of("eval")
		for n := range 20 {
			call := incrCall(s, c.key(n))
			if n >= 10 {
				call = incrCall(other, c.key(n))
			}
			redislua.Queue(c.batch, call, redislua.AsInt)
		}
		if err := c.batch.Exec(ctx); err != nil {
			t.Error(err)
		}
		if got := spy.of("eval") - before; got != c.texts {
			t.Errorf("case %d: %d texts, want %d", i, got, c.texts)
		}
	}
	// After a flush calls that share no key cost one load for each script.
	client.ScriptFlush(ctx)
	before, loads := spy.of("eval"), spy.of("script load")
	batch := redislua.NewPipeline(caller)
	for n := range 20 {
		redislua.Queue(batch, incrCall(s, fmt.Sprint("x", n)), redislua.AsInt)
	}
	if err := batch.Exec(ctx); err != nil {
		t.Error(err)
	}
	if texts, loads := spy.of("eval")-before, spy.of("script load")-loads; texts != 0 || loads != 1 {
		t.Errorf("%d texts and %d loads, want 0 and 1", texts, loads)
	}
}

// A call without keys may touch any, so nothing is put behind it.
func TestKeylessCallsKeepTheirPlace(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client()
	caller := redislua.NewCaller(client)
	s, read := incr(), script("Read", 0, "return redis.call('GET', 'k')")
	for want := 1; want <= 3; want++ {
		batch := redislua.NewPipeline(caller)
		redislua.Queue(batch, incrCall(s, "k"), redislua.AsInt)
		got := redislua.Queue(batch, read.Call(0, 0), redislua.AsInt)
		redislua.Queue(batch, incrCall(s, "other"), redislua.AsInt)
		if err := batch.Exec(ctx); err != nil {
			t.Error(err)
		}
		if n, err := got.Result(); n != int64(want) || err != nil {
			t.Error(n, err)
		}
		client.ScriptFlush(ctx)
	}
}

func TestBatchErrors(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client()
	caller := redislua.NewCaller(client)
	s := incr()
	client.LPush(ctx, "list", "x")
	for _, kind := range []func(*redislua.Caller) *redislua.Batch{redislua.NewPipeline, redislua.NewTx} {
		client.Del(ctx, "a", "b")
		batch := kind(caller)
		good := redislua.Queue(batch, incrCall(s, "a"), redislua.AsInt)
		wrong := redislua.Queue(batch, incrCall(s, "list"), redislua.AsInt)
		shape := redislua.Queue(batch, incrCall(s, "b"), redislua.List(redislua.AsInt))
		if _, err := good.Result(); err != redislua.ErrNotExecuted {
			t.Errorf("before Exec: %v", err)
		}
		err := batch.Exec(ctx)
		if !errors.Is(err, redislua.Code("WRONGTYPE")) {
			t.Errorf("Exec: %v", err)
		}
		if n, err := good.Result(); n != 1 || err != nil {
			t.Error(n, err)
		}
		if err := wrong.Err(); err == nil || err.Error() != "Incr: WRONGTYPE Operation against a key holding the wrong kind of value (lua/Incr.lua:1)" {
			t.Error(err)
		}
		if err := shape.Err(); err == nil || err.Error() != "Incr: reply: expected an array, got an integer" {
			t.Error(err)
		}
		// A Batch may be used again.
		if err := batch.Exec(ctx); err != nil {
			t.Error(err)
		}
		again := redislua.Queue(batch, incrCall(s, "a"), redislua.AsInt)
		if err := batch.Exec(ctx); err != nil {
			t.Error(err)
		}
		if n, _ := again.Result(); n != 2 {
			t.Error(n)
		}
	}
}

// A call that cannot be made keeps the whole batch from being sent.
func TestBadArgumentStopsTheBatch(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client()
	caller := redislua.NewCaller(client)
	s := script("Set", 1, "return redis.call('SET', KEYS[1], ARGV[1])")
	call := func(key string, v float64) *redislua.Call {
		c := s.Call(1, 1)
		c.Key(key)
		c.Float("score", v)
		return c
	}
	for _, kind := range []string{"pipeline", "tx", "into a pipeline", "into a tx"} {
		pipe := client.Pipeline()
		if kind == "into a tx" {
			pipe = client.TxPipeline()
		}
		batch := map[string]*redislua.Batch{"pipeline": redislua.NewPipeline(caller), "tx": redislua.NewTx(caller)}[kind]
		if batch == nil {
			batch = redislua.Into(caller, pipe)
		}
		good := redislua.QueueStatus(batch, call("good", 1))
		bad := redislua.QueueStatus(batch, call("bad", math.NaN()))
		var execErr error
		if strings.HasPrefix(kind, "into") {
			pipe.Set(ctx, "mine", 1, 0)
			_, execErr = pipe.Exec(ctx)
		} else {
			execErr = batch.Exec(ctx)
		}
		for _, err := range []error{execErr, good.Err(), bad.Err()} {
			var argument *redislua.ArgumentError
			if !errors.As(err, &argument) || argument.Argument != "score" {
				t.Errorf("%s: %v", kind, err)
			}
		}
		if n := client.Exists(ctx, "good", "bad", "mine").Val(); n != 0 {
			t.Errorf("%s: %d keys were written", kind, n)
		}
	}
}

// Scripts join a transaction under WATCH.
func TestWatch(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client()
	caller := redislua.NewCaller(client)
	s := incr()
	try := func(meddle bool) (n int64, err error) {
		err = client.Watch(ctx, func(tx *redis.Tx) error {
			if meddle {
				client.Set(ctx, "watched", "changed", 0)
			}
			pipe := tx.TxPipeline()
			pipe.Set(ctx, "mine", "x", 0)
			future := redislua.Queue(redislua.Into(caller, pipe), incrCall(s, "k"), redislua.AsInt)
			if _, err := pipe.Exec(ctx); err != nil {
				if futureErr := future.Err(); !errors.Is(futureErr, redis.TxFailedErr) {
					t.Errorf("the future of a transaction called off: %v", futureErr)
				}
				return err
			}
			n, err = future.Result()
			return err
		}, "watched")
		return n, err
	}
	if _, err := try(true); !errors.Is(err, redis.TxFailedErr) {
		t.Error(err)
	}
	if n, err := try(false); n != 1 || err != nil {
		t.Error(n, err)
	}
}

func TestNetworkErrorsOfBatches(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	for _, kind := range []func(*redislua.Caller) *redislua.Batch{redislua.NewPipeline, redislua.NewTx} {
		p := newProxy(t, server)
		p.loseReply = func(int64) bool { return true }
		caller := redislua.NewCaller(p.client(t, redis.Options{}))
		server.Client().Del(ctx, "a", "b")
		batch := kind(caller)
		redislua.Queue(batch, incrCall(incr(), "a"), redislua.AsInt)
		last := redislua.Queue(batch, incrCall(incr(), "b"), redislua.AsInt)
		if err := batch.Exec(ctx); err == nil || last.Err() == nil {
			t.Error(err, last.Err())
		}
		for _, key := range []string{"a", "b"} {
			if n, _ := server.Client().Get(ctx, key).Int(); n != 1 {
				t.Errorf("%s ran %d times", key, n)
			}
		}
	}
}
