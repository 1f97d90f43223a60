package lock_test

// This file tests the lock on real servers, and measures it there.

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/pprof"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/lock"
)

// TestMain fails when a goroutine of the package is left over.
func TestMain(m *testing.M) {
	status := m.Run()
	left := leftOver()
	for range 300 {
		if left == "" {
			break
		}
		time.Sleep(10 * time.Millisecond)
		left = leftOver()
	}
	if left != "" && status == 0 {
		fmt.Fprintf(os.Stderr, "goroutines are left over:\n%s\n", left)
		status = 1
	}
	os.Exit(status)
}

func leftOver() string {
	var all strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&all, 2)
	for _, stack := range strings.Split(all.String(), "\n\n") {
		if strings.Contains(stack, "luagen/lock") && !strings.Contains(stack, "TestMain") {
			return stack
		}
	}
	return ""
}

func TestOnServers(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(t *testing.T) redis.UniversalClient{
		"single":  func(t *testing.T) redis.UniversalClient { return redistest.Start(t).Client() },
		"cluster": func(t *testing.T) redis.UniversalClient { return redistest.StartCluster(t).Client() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			client := start(t)
			for option, opts := range map[string][]lock.Option{"polling": nil, "listening": {lock.Wake(), lock.Pause(time.Minute, time.Minute)}} {
				t.Run(option, func(t *testing.T) { takeTurns(t, client, opts) })
			}
			t.Run("several", func(t *testing.T) { takeSeveral(t, client) })
		})
	}
}

// takeTurns has goroutines of several Lockers count without a mutex.
func takeTurns(t *testing.T, client redis.UniversalClient, opts []lock.Option) {
	for _, key := range []string{"room:1", "{a}room", "odd}{"} {
		count, last := 0, int64(0)
		var all sync.WaitGroup
		for range 3 {
			lk := lock.New(client, opts...)
			for range 4 {
				all.Go(func() {
					for range 5 {
						err := lk.Do(context.Background(), key, func(_ context.Context, l *lock.Lease) error {
							count++
							if l.Fence() <= last {
								t.Errorf("fence %d after %d", l.Fence(), last)
							}
							last = l.Fence()
							return nil
						}, lock.TTL(time.Minute), lock.AutoExtend(lock.Max(time.Hour)))
						if err != nil {
							t.Error(err)
						}
					}
				})
			}
		}
		all.Wait()
		if count != 60 {
			t.Errorf("%q: counted %d, want 60", key, count)
		}
	}
}

func takeSeveral(t *testing.T, client redis.UniversalClient) {
	lk := lock.New(client, lock.Wake())
	keys := []string{"{o}a", "{o}b"}
	l, err := lk.ObtainMulti(context.Background(), keys)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := lk.TryObtain(context.Background(), "{o}b"); !errors.Is(err, lock.ErrNotObtained) {
		t.Error(err)
	}
	if err := l.Extend(context.Background(), time.Hour); err != nil {
		t.Error(err)
	}
	if err := l.Release(context.Background()); err != nil || client.Exists(context.Background(), keys...).Val() != 0 {
		t.Error(err)
	}
}

// A server that is killed and comes back empty has forgotten the lock: its
// holder learns of that by the next extension.
func TestServerThatForgets(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	l := obtain(t, lock.New(server.Client()), key, lock.TTL(time.Minute))
	server.Kill()
	server.Restart()
	wantLost(t, "extend", l.Extend(context.Background(), time.Minute), lock.Vanished)
	again := obtain(t, lock.New(server.Client()), key)
	if again.Fence() <= l.Fence() {
		t.Errorf("fence %d after %d", again.Fence(), l.Fence())
	}
	_ = again.Release(context.Background())
}

// BenchmarkObtainRelease is an uncontended obtain and release: two round trips.
func BenchmarkObtainRelease(b *testing.B) {
	server := redistest.Start(b)
	client := server.Client()
	lk := lock.New(client)
	for _, name := range []string{"background", "cancellable"} {
		b.Run(name, func(b *testing.B) {
			ctx := context.Background()
			if name == "cancellable" {
				var cancel context.CancelFunc
				ctx, cancel = context.WithCancel(ctx)
				defer cancel()
			}
			before := commands(b, client)
			b.ReportAllocs()
			for b.Loop() {
				l, err := lk.TryObtain(ctx, key)
				if err != nil {
					b.Fatal(err)
				}
				if err := l.Release(ctx); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(commands(b, client)-before)/float64(b.N), "trips/op")
		})
	}
}

// commands returns how many script calls the server has run.
func commands(b *testing.B, client *redis.Client) int64 {
	var calls int64
	for line := range strings.Lines(client.Info(context.Background(), "commandstats").Val()) {
		if stats, ok := strings.CutPrefix(line, "cmdstat_evalsha:calls="); ok {
			_, _ = fmt.Sscanf(stats, "%d", &calls)
		}
	}
	return calls
}
