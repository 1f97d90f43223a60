package redislua_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/redislua"
)

// What fails with go-redis's own Script, side by side. A case whose first half
// fails is good news from go-redis, and the documentation is to be changed.
func TestWhatGoRedisDoesNotDo(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client()
	caller := redislua.NewCaller(client)
	s := incr()
	theirs := redis.NewScript(s.Source)
	cold := func() {
		client.FlushDB(ctx)
		client.ScriptFlush(ctx)
	}

	t.Run("a cold script in a pipeline", func(t *testing.T) {
		cold()
		pipe := client.Pipeline()
		cmd := theirs.Run(ctx, pipe, []string{"k"})
		_, _ = pipe.Exec(ctx)
		if !redis.HasErrorPrefix(cmd.Err(), "NOSCRIPT") {
			t.Errorf("go-redis: %v", cmd.Err())
		}
		batch := redislua.NewPipeline(caller)
		future := redislua.Queue(batch, incrCall(s, "k"), redislua.AsInt)
		if err := batch.Exec(ctx); err != nil {
			t.Error(err)
		}
		if n, err := future.Result(); n != 1 || err != nil {
			t.Error(n, err)
		}
	})

	t.Run("a cold script in a transaction", func(t *testing.T) {
		cold()
		pipe := client.TxPipeline()
		cmd := theirs.Run(ctx, pipe, []string{"k"})
		pipe.Set(ctx, "rest", "committed", 0)
		_, _ = pipe.Exec(ctx)
		if cmd.Err() == nil || client.Get(ctx, "rest").Val() != "committed" {
			t.Errorf("go-redis: %v", cmd.Err())
		}
		cold()
		pipe = client.TxPipeline()
		future := redislua.Queue(redislua.Into(caller, pipe), incrCall(s, "k"), redislua.AsInt)
		pipe.Set(ctx, "rest", "committed", 0)
		if _, err := pipe.Exec(ctx); err != nil {
			t.Error(err)
		}
		if n, err := future.Result(); n != 1 || err != nil {
			t.Error(n, err)
		}
	})

	t.Run("false is redis.Nil", func(t *testing.T) {
		no := script("No", 0, "return false")
		if err := redis.NewScript(no.Source).Run(ctx, client, nil).Err(); !errors.Is(err, redis.Nil) {
			t.Errorf("go-redis: %v", err)
		}
		if _, ok, err := redislua.RunOptional(ctx, caller, no.Call(0, 0), redislua.AsInt); ok || err != nil {
			t.Error(ok, err)
		}
		if _, err := redislua.Run(ctx, caller, no.Call(0, 0), redislua.AsInt); err == nil || errors.Is(err, redis.Nil) {
			t.Error(err)
		}
	})

	t.Run("a duration goes as nanoseconds", func(t *testing.T) {
		echo := script("Echo", 0, "return ARGV[1]")
		if got := redis.NewScript(echo.Source).Run(ctx, client, nil, 2*time.Second).Val(); got != "2000000000" {
			t.Errorf("go-redis: %v", got)
		}
		call := echo.Call(0, 1)
		call.Duration("ttl", 2*time.Second, time.Millisecond)
		if got, err := redislua.Run(ctx, caller, call, redislua.AsString); got != "2000" || err != nil {
			t.Error(got, err)
		}
	})

	t.Run("a script whose digest the server made is lost by a flush", func(t *testing.T) {
		server := redis.NewScriptServerSHA(s.Source)
		if err := server.Run(ctx, client, []string{"k"}).Err(); err != nil {
			t.Fatal(err)
		}
		cold()
		if cmd := server.EvalSha(ctx, client, []string{"k"}); !redis.HasErrorPrefix(cmd.Err(), "NOSCRIPT") {
			t.Errorf("go-redis: %v", cmd.Err())
		}
		if n, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsInt); n != 1 || err != nil {
			t.Error(n, err)
		}
	})
}

// Where only FIPS 140 algorithms are allowed, redis.NewScript panics.
func TestFIPS(t *testing.T) {
	if os.Getenv("REDISLUA_FIPS_ADDR") != "" {
		underFIPS(t)
		return
	}
	t.Parallel()
	server := redistest.Start(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestFIPS$", "-test.v")
	cmd.Env = append(os.Environ(), "GODEBUG=fips140=only", "REDISLUA_FIPS_ADDR="+server.Addr)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestFIPS") {
		t.Errorf("%v\n%s", err, out)
	}
}

func underFIPS(t *testing.T) {
	client := redis.NewClient(&redis.Options{Addr: os.Getenv("REDISLUA_FIPS_ADDR")})
	defer func() { _ = client.Close() }()
	s := &redislua.Script{Name: "Incr", Source: "return redis.call('INCR', KEYS[1])", SHA1: "61636018f4e6b5817b89791bbed242f93fa089e3", Keys: 1}
	caller := redislua.NewCaller(client)
	if n, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsInt); n != 1 || err != nil {
		t.Error(n, err)
	}
	for _, batch := range []*redislua.Batch{redislua.NewPipeline(caller), redislua.NewTx(caller)} {
		redislua.Queue(batch, incrCall(s, "k"), redislua.AsInt)
		redislua.Queue(batch, incrCall(s, "other"), redislua.AsInt)
		if err := batch.Exec(ctx); err != nil {
			t.Error(err)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("redis.NewScript works under FIPS now: say so in the documentation")
		}
	}()
	redis.NewScript(s.Source)
}

// A Pipeliner, a Tx and a Conn are refused where a Client is wanted, by the
// compiler, and vet refuses a copy of a Caller.
func TestWhatDoesNotCompile(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("runs the compiler")
	}
	for _, c := range []struct{ body, want string }{
		{"redislua.NewCaller(redis.NewClient(nil).Pipeline())", "does not implement redislua.Client"},
		{"redislua.NewCaller(redis.NewClient(nil).Conn())", "does not implement redislua.Client"},
		{"var tx *redis.Tx; redislua.NewCaller(tx)", "does not implement redislua.Client"},
		{"a := redislua.NewCaller(redis.NewClient(nil)); b := *a; _ = b", "assignment copies lock value"},
		{"redislua.NewCaller(redis.NewClient(nil))", ""},
	} {
		file := filepath.Join(t.TempDir(), "main.go")
		source := "package main\n\nimport (\n\t\"github.com/luagen/luagen/redislua\"\n\t\"github.com/redis/go-redis/v9\"\n)\n\nfunc main() { " + c.body + " }\n"
		if err := os.WriteFile(file, []byte(source), 0o600); err != nil {
			t.Fatal(err)
		}
		out, err := exec.Command("go", "vet", file).CombinedOutput()
		if (err == nil) != (c.want == "") || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: %v\n%s", c.body, err, out)
		}
	}
}
