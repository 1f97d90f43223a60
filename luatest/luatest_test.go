package luatest_test

import (
	"context"
	"errors"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/engine"
	"github.com/luagen/luagen/internal/engine/coverage"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/luatest"
)

func ExampleStart() {
	var t testing.TB // the test's own
	srv := luatest.Start(t)
	srv.Client().Set(context.Background(), "k", "v", time.Minute)
	srv.FastForward(2 * time.Minute) // k is gone
}

func TestRunAndDump(t *testing.T) {
	srv := luatest.Start(t)
	v, err := srv.Run(`redis.call('SET', KEYS[1], ARGV[1], 'PX', 5000)
redis.call('HSET', 'h', 'b', 2, 'a', 1) redis.call('RPUSH', 'l', 'x y', 1) redis.call('ZADD', 'z', 1.5, 'm')
return {1, 'two', {3, false}, redis.status_reply('OK')}`, []string{"lock 1"}, "token")
	if err != nil {
		t.Fatal(err)
	}
	list, ok := v.([]any)
	if !ok || len(list) != 4 || list[0] != int64(1) || list[1] != "two" || list[3] != "OK" {
		t.Errorf("Run gave %#v", v)
	}
	if inner, ok := list[2].([]any); !ok || inner[0] != int64(3) || inner[1] != nil {
		t.Errorf("the inner list is %#v", list[2])
	}
	srv.SetTime(time.Unix(1700000000, 0))
	want := "\"lock 1\"  string  \"token\"  ttl "
	if dump := srv.Dump(); !strings.Contains(dump, "h         hash    a=\"1\" b=\"2\"\n") || !strings.Contains(dump, want[:24]) {
		t.Errorf("Dump gave\n%s", dump)
	}
}

func TestErrorsKeepTheirCodes(t *testing.T) {
	srv := luatest.Start(t)
	_, err := srv.Run(`redis.call('LPUSH', KEYS[1], 1) return redis.call('INCR', KEYS[1])`, []string{"k"})
	var e luatest.Error
	if !errors.As(err, &e) || e.Code() != "WRONGTYPE" {
		t.Errorf("got %v, want a WRONGTYPE error", err)
	}
}

func TestClock(t *testing.T) {
	srv := luatest.Start(t)
	srv.SetTime(time.Unix(1700000000, 0))
	c, ctx := srv.Client(), context.Background()
	c.Set(ctx, "k", "v", 10*time.Second)
	if ttl := c.PTTL(ctx, "k").Val(); ttl != 10*time.Second {
		t.Errorf("PTTL is %v", ttl)
	}
	srv.FastForward(9 * time.Second)
	if now, _ := srv.Run(`return redis.call('TIME')[1]`, nil); now != "1700000009" {
		t.Errorf("TIME is %v", now)
	}
	if c.Exists(ctx, "k").Val() != 1 {
		t.Error("k is gone too early")
	}
	srv.FastForward(time.Second)
	if c.Exists(ctx, "k").Val() != 0 {
		t.Error("k is still there")
	}
}

func TestAnyClient(t *testing.T) {
	srv := luatest.Start(t)
	conn, err := net.Dial("tcp", srv.Addr())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if _, err := conn.Write([]byte("*1\r\n$4\r\nPING\r\n")); err != nil {
		t.Fatal(err)
	}
	buf := make([]byte, 7)
	if _, err := conn.Read(buf); err != nil || string(buf) != "+PONG\r\n" {
		t.Errorf("got %q, %v", buf, err)
	}
}

func TestSynctest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := luatest.Start(t)
		c, ctx := srv.Client(), context.Background()
		c.Set(ctx, "k", "v", 10*time.Second)
		time.Sleep(9 * time.Second)
		if c.Exists(ctx, "k").Val() != 1 {
			t.Error("k is gone too early")
		}
		go func() {
			time.Sleep(3 * time.Second)
			c.LPush(ctx, "l", "x")
		}()
		start := time.Now()
		if v := c.BLPop(ctx, 0, "l").Val(); len(v) != 2 || v[1] != "x" || time.Since(start) != 3*time.Second {
			t.Errorf("BLPOP gave %v after %v", v, time.Since(start))
		}
		if c.Exists(ctx, "k").Val() != 0 {
			t.Error("k is still there")
		}
	})
}

func TestCallsAndLog(t *testing.T) {
	srv := luatest.Start(t)
	if _, err := srv.Run(`redis.log(redis.LOG_WARNING, 'careful', 7) redis.call('set', 'k', 'v') return redis.call('get', 'k')`, nil); err != nil {
		t.Fatal(err)
	}
	calls := srv.Calls()
	if len(calls) != 2 || calls[0].String() != `SET "k" "v" -> OK` || calls[1].String() != `GET "k" -> "v"` {
		t.Errorf("calls are %v", calls)
	}
	if log := srv.Log(); len(log) != 1 || log[0] != (luatest.LogLine{Level: "warning", Message: "careful 7"}) {
		t.Errorf("log is %v", log)
	}
	if len(srv.Calls()) != 0 {
		t.Error("calls are told twice")
	}
}

func TestFaults(t *testing.T) {
	srv := luatest.Start(t)
	ctx := context.Background()
	c := redis.NewClient(&redis.Options{Addr: "luatest", Dialer: srv.Dial, MaxRetries: -1, DisableIdentity: true})
	defer c.Close()

	srv.LoseNextReply()
	if err := c.Incr(ctx, "n").Err(); err == nil {
		t.Error("the reply was not lost")
	}
	if n := c.Get(ctx, "n").Val(); n != "1" {
		t.Errorf("n is %q: the command did not run once", n)
	}

	sha := c.ScriptLoad(ctx, "return 1").Val()
	srv.FlushScripts()
	if err := c.EvalSha(ctx, sha, nil).Err(); err == nil || !strings.HasPrefix(err.Error(), "NOSCRIPT") {
		t.Errorf("got %v, want NOSCRIPT", err)
	}

	srv.RefuseScriptLoad(true)
	if err := c.ScriptLoad(ctx, "return 1").Err(); err == nil || !strings.HasPrefix(err.Error(), "NOPERM") {
		t.Errorf("got %v, want NOPERM", err)
	}
	srv.RefuseScriptLoad(false)

	srv.FailCall(2, "OOM command not allowed")
	if err := c.Eval(ctx, "redis.call('set','a',1) redis.call('set','b',1)", nil).Err(); err == nil || !strings.HasPrefix(err.Error(), "OOM") {
		t.Errorf("got %v, want OOM", err)
	}
	if c.Exists(ctx, "a").Val() != 1 || c.Exists(ctx, "b").Val() != 0 {
		t.Error("what ran before the error has to stay, and nothing behind it to run")
	}
}

func TestTarget(t *testing.T) {
	srv := luatest.Start(t, luatest.Target("valkey-8.0"))
	v, err := srv.Run(`return {server.SERVER_NAME, redis.call('ECHO', 100000000), type(os.clock)}`, nil)
	list, ok := v.([]any)
	if err != nil || !ok || list[0] != "valkey" || list[1] != "100000000" || list[2] != "function" {
		t.Errorf("got %v, %v", v, err)
	}
}

// TestCoverProfile asks that a server appends what its scripts ran to the file
// of LUATEST_COVERPROFILE, and that two servers add up.
func TestCoverProfile(t *testing.T) {
	profile := filepath.Join(t.TempDir(), "lua.out")
	t.Setenv("LUATEST_COVERPROFILE", profile)
	t.Setenv("LUATEST_REDIS", "")
	const text = "if ARGV[1] == 'a' then\n  return 1\nend\nreturn 2\n"
	for _, arg := range []string{"a", "b"} {
		t.Run(arg, func(t *testing.T) {
			if err := luatest.Start(t).Client().Eval(t.Context(), text, nil, arg).Err(); err != nil {
				t.Fatal(err)
			}
		})
	}
	counted, err := coverage.Read(profile)
	if err != nil {
		t.Fatal(err)
	}
	script, err := engine.Countable(source.New("if.lua", text))
	if err != nil {
		t.Fatal(err)
	}
	report := coverage.NewReport([]coverage.Script{script}, counted)
	if len(report.Files) != 1 || len(report.Unknown) > 0 {
		t.Fatalf("the profile is about %d files and %v", len(report.Files), report.Unknown)
	}
	for _, line := range report.Files[0].Lines {
		if want := map[int]uint64{1: 2, 2: 1, 4: 1}[line.Number]; line.Count != want {
			t.Errorf("line %d ran %d times, want %d", line.Number, line.Count, want)
		}
	}
}
