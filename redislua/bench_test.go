package redislua_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/redislua"
)

// onceInt is the cheapest command of go-redis for the job: typed, and sent
// once, as a script that writes must be.
type onceInt struct{ *redis.IntCmd }

func (onceInt) NoRetry() bool { return true }

// way is one way to call an integer script.
type way struct {
	name string
	call func(ctx context.Context, key string) error
}

func ways(b *testing.B, client redis.UniversalClient, s *redislua.Script) []way {
	goRedis := redis.NewScript(s.Source)
	if err := goRedis.Load(ctx, client).Err(); err != nil {
		b.Fatal(err)
	}
	caller := redislua.NewCaller(client)
	return []way{
		{"Script.Run", func(ctx context.Context, key string) error {
			_, err := goRedis.Run(ctx, client, []string{key}).Int64()
			return err
		}},
		{"EvalSha", func(ctx context.Context, key string) error {
			_, err := client.EvalSha(ctx, s.SHA1, []string{key}).Int64()
			return err
		}},
		{"IntCmd", func(ctx context.Context, key string) error {
			cmd := onceInt{redis.NewIntCmd(ctx, "evalsha", s.SHA1, 1, key)}
			cmd.SetFirstKeyPos(3)
			return client.Process(ctx, cmd)
		}},
		{"redislua", func(ctx context.Context, key string) error {
			_, err := redislua.Run(ctx, caller, incrCall(s, key), redislua.AsInt)
			return err
		}},
	}
}

// BenchmarkAllocs counts what one call allocates, way by way.
func BenchmarkAllocs(b *testing.B) {
	client := redistest.Start(b).Client()
	auto, err := client.AutoPipeline()
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		client redis.UniversalClient
	}{{"client", client}, {"auto", auto}} {
		for _, w := range ways(b, c.client, incr()) {
			b.Run(c.name+"/"+w.name, func(b *testing.B) {
				b.ReportAllocs()
				key := strings.Repeat("k", b.N%2+5)
				for b.Loop() {
					if err := w.call(ctx, key); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// sideBySide runs the blocks in turn, so that a busy machine is the same for
// all, and reports the median time of each per call, and the last one's share
// of EvalSha's, the call by hand.
func sideBySide(b *testing.B, calls int, names []string, blocks []func()) {
	times := make([][]time.Duration, len(blocks))
	for b.Loop() {
		for i, block := range blocks {
			start := time.Now()
			block()
			times[i] = append(times[i], time.Since(start))
		}
	}
	medians := make([]float64, len(blocks))
	for i, t := range times {
		slices.Sort(t)
		medians[i] = float64(t[len(t)/2]) / float64(calls)
		b.ReportMetric(medians[i], names[i]+"-ns")
	}
	b.ReportMetric(medians[len(medians)-1]/medians[slices.Index(names, "EvalSha")], "of-EvalSha")
	b.ReportMetric(0, "ns/op")
}

func benchCalls(b *testing.B, client redis.UniversalClient, goroutines int) {
	const calls = 2048
	var names []string
	var blocks []func()
	for _, w := range ways(b, client, incr()) {
		names = append(names, w.name)
		blocks = append(blocks, func() {
			var wg sync.WaitGroup
			for g := range goroutines {
				wg.Go(func() {
					key := fmt.Sprint("bench", g)
					for range calls / goroutines {
						if err := w.call(ctx, key); err != nil {
							b.Error(err)
							return
						}
					}
				})
			}
			wg.Wait()
		})
	}
	sideBySide(b, calls, names, blocks)
}

func BenchmarkCall(b *testing.B)     { benchCalls(b, redistest.Start(b).Client(), 1) }
func BenchmarkParallel(b *testing.B) { benchCalls(b, redistest.Start(b).Client(), 64) }

func BenchmarkAutoPipeline(b *testing.B) {
	auto, err := redistest.Start(b).Client().AutoPipeline()
	if err != nil {
		b.Fatal(err)
	}
	benchCalls(b, auto, 64)
}

// padded is a script of about n bytes.
func padded(n int) *redislua.Script {
	s := incr()
	return script("Incr", 1, s.Source+"\n--"+strings.Repeat("x", n-len(s.Source)-3))
}

// BenchmarkPipeline is a pipeline of a hundred calls, and a transaction.
func BenchmarkPipeline(b *testing.B) {
	const calls = 100
	client := redistest.Start(b).Client()
	keys := make([]string, calls)
	for i := range keys {
		keys[i] = fmt.Sprint("bench", i)
	}
	byHand := func(s *redislua.Script, pipe redis.Pipeliner) func() {
		return func() {
			var cmds [calls]*redis.Cmd
			for i := range cmds {
				cmds[i] = pipe.EvalSha(ctx, s.SHA1, keys[i:i+1])
			}
			if _, err := pipe.Exec(ctx); err != nil {
				b.Fatal(err)
			}
			for _, cmd := range cmds {
				if _, err := cmd.Int64(); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	ours := func(s *redislua.Script, batch *redislua.Batch, keys []string) func() {
		return func() {
			var futures [calls]*redislua.Future[int64]
			for i := range futures {
				futures[i] = redislua.Queue(batch, incrCall(s, keys[i]), redislua.AsInt)
			}
			if err := batch.Exec(ctx); err != nil {
				b.Fatal(err)
			}
			for _, f := range futures {
				if _, err := f.Result(); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	caller := redislua.NewCaller(client)
	same := slices.Repeat([]string{"same"}, calls)
	for _, size := range []int{40, 1000} {
		s := padded(size)
		if err := client.ScriptLoad(ctx, s.Source).Err(); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%dB", size), func(b *testing.B) {
			sideBySide(b, calls, []string{"EvalSha", "redislua"},
				[]func(){byHand(s, client.Pipeline()), ours(s, redislua.NewPipeline(caller), keys)})
		})
		b.Run(fmt.Sprintf("%dB one key", size), func(b *testing.B) {
			sideBySide(b, calls, []string{"EvalSha", "redislua"},
				[]func(){byHand(s, client.Pipeline()), ours(s, redislua.NewPipeline(caller), same)})
		})
		b.Run(fmt.Sprintf("%dB tx", size), func(b *testing.B) {
			sideBySide(b, calls, []string{"EvalSha", "redislua"},
				[]func(){byHand(s, client.TxPipeline()), ours(s, redislua.NewTx(caller), keys)})
		})
	}
}
