package redislua_test

import (
	"context"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/redislua"
)

// onceInt is the cheapest command of go-redis for the job: typed, and sent
// once, as a script that writes must be.
type onceInt struct{ *redis.IntCmd }

func (onceInt) NoRetry() bool { return true }

// rows are the ways to call an integer script, side by side.
func rows(b *testing.B, client redis.UniversalClient, s *redislua.Script, run func(b *testing.B, call func(context.Context) error)) {
	goRedis := redis.NewScript(s.Source)
	if err := goRedis.Load(ctx, client).Err(); err != nil {
		b.Fatal(err)
	}
	caller := redislua.NewCaller(client)
	for _, row := range []struct {
		name string
		call func(context.Context) error
	}{
		{"Script.Run", func(ctx context.Context) error {
			_, err := goRedis.Run(ctx, client, []string{"bench"}).Int64()
			return err
		}},
		{"EvalSha", func(ctx context.Context) error {
			_, err := client.EvalSha(ctx, s.SHA1, []string{"bench"}).Int64()
			return err
		}},
		{"IntCmd", func(ctx context.Context) error {
			cmd := redis.NewIntCmd(ctx, "evalsha", s.SHA1, 1, "bench")
			cmd.SetFirstKeyPos(3)
			return client.Process(ctx, cmd)
		}},
		{"IntCmd once", func(ctx context.Context) error {
			cmd := onceInt{redis.NewIntCmd(ctx, "evalsha", s.SHA1, 1, "bench")}
			cmd.SetFirstKeyPos(3)
			return client.Process(ctx, cmd)
		}},
		{"redislua", func(ctx context.Context) error {
			_, err := redislua.Run(ctx, caller, incrCall(s, "bench"), redislua.AsInt)
			return err
		}},
	} {
		b.Run(row.name, func(b *testing.B) {
			b.ReportAllocs()
			run(b, row.call)
		})
	}
}

func one(b *testing.B, call func(context.Context) error) {
	for b.Loop() {
		if err := call(ctx); err != nil {
			b.Fatal(err)
		}
	}
}

// many calls from 64 goroutines.
func many(b *testing.B, call func(context.Context) error) {
	b.SetParallelism(32)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := call(ctx); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkCall(b *testing.B)     { rows(b, redistest.Start(b).Client(), incr(), one) }
func BenchmarkParallel(b *testing.B) { rows(b, redistest.Start(b).Client(), incr(), many) }

func BenchmarkAutoPipeline(b *testing.B) {
	auto, err := redistest.Start(b).Client().AutoPipeline()
	if err != nil {
		b.Fatal(err)
	}
	rows(b, auto, incr(), many)
}

// padded is a script of about n bytes.
func padded(n int) *redislua.Script {
	s := incr()
	return script("Incr", 1, s.Source+"\n--"+strings.Repeat("x", n-len(s.Source)-3))
}

func BenchmarkPipeline100(b *testing.B) {
	client := redistest.Start(b).Client()
	for _, size := range []struct {
		name   string
		script *redislua.Script
	}{{"40B", incr()}, {"500B", padded(500)}, {"2kB", padded(2000)}} {
		s := size.script
		if err := client.ScriptLoad(ctx, s.Source).Err(); err != nil {
			b.Fatal(err)
		}
		b.Run(size.name+"/EvalSha", func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				pipe := client.Pipeline()
				cmds := make([]*redis.Cmd, 100)
				for i := range cmds {
					cmds[i] = pipe.EvalSha(ctx, s.SHA1, []string{"bench"})
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
		})
		caller := redislua.NewCaller(client)
		never := redislua.NewCaller(client, redislua.WithRecovery(redislua.RecoverNever))
		for _, kind := range []struct {
			name  string
			batch func(*redislua.Caller) *redislua.Batch
		}{{"pipeline", redislua.NewPipeline}, {"tx", redislua.NewTx}, {"never", func(*redislua.Caller) *redislua.Batch { return redislua.NewPipeline(never) }}} {
			b.Run(size.name+"/redislua "+kind.name, func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					batch := kind.batch(caller)
					var futures [100]*redislua.Future[int64]
					for i := range futures {
						futures[i] = redislua.Queue(batch, incrCall(s, "bench"), redislua.AsInt)
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
			})
		}
	}
}
