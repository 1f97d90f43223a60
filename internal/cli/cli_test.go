package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// run runs luagen in the working directory.
func run(args ...string) (status int, stdout, stderr string) {
	var out, err bytes.Buffer
	status = Main(context.Background(), args, strings.NewReader(""), &out, &err, func(string) string { return "" })
	return status, out.String(), err.String()
}

// broken is a stream that panics.
type broken struct{}

func (broken) Write([]byte) (int, error) { panic("the pipe is haunted") }

func TestInternalError(t *testing.T) {
	var stderr bytes.Buffer
	status := Main(context.Background(), []string{"version"}, nil, broken{}, &stderr, os.Getenv)
	if status != statusFailure || !strings.HasPrefix(stderr.String(), "luagen: internal error: the pipe is haunted\n") {
		t.Errorf("status %d, stderr:\n%s", status, stderr.String())
	}
}

func TestStatus(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "lua/a.lua", "return 1\n")
	for _, test := range []struct {
		args string
		want int
	}{
		{"version", statusOK},
		{"generate --check", statusFindings},
		{"generate", statusOK},
		{"generate --check", statusOK},
		{"generate nowhere", statusUsage},
		{"generate --chekc", statusUsage},
		{"gnerate", statusUsage},
		{"list --format xml", statusUsage},
	} {
		if status, stdout, stderr := run(strings.Fields(test.args)...); status != test.want {
			t.Errorf("luagen %s: status %d, want %d\n%s%s", test.args, status, test.want, stdout, stderr)
		}
	}
}

// BenchmarkGenerate is a second run on 1,500 scripts of 31 lines each, when
// nothing is to be written, and a first one.
func BenchmarkGenerate(b *testing.B) {
	b.Chdir(b.TempDir())
	for i := range 1500 {
		write(b, fmt.Sprintf("lua/p%d/script%d.lua", i/100, i), strings.Replace(benchmarked, "N", fmt.Sprint(i), 1))
	}
	generate := func(b *testing.B) {
		status := Main(b.Context(), []string{"generate"}, nil, io.Discard, os.Stderr, os.Getenv)
		if status != statusOK {
			b.Fatal(status)
		}
	}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			b.StopTimer()
			if err := os.RemoveAll("generated"); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			generate(b)
		}
	})
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			generate(b)
		}
	})
}

// benchmarked is a script of usual length; N makes it one of many.
const benchmarked = `-- Take takes tokens from a bucket that fills up with time.
--
-- KEYS[1] -> the bucket
-- ARGV[1] -> how many it holds
-- ARGV[2] -> how many flow in each second
-- ARGV[3] -> how many are wanted
local bucket = KEYS[1]
local capacity = tonumber(ARGV[1])
local rate = tonumber(ARGV[2])
local wanted = tonumber(ARGV[3])
local salt = N

local now = redis.call('TIME')
local micros = now[1] * 1000000 + now[2]

local state = redis.call('HMGET', bucket, 'tokens', 'at')
local tokens = tonumber(state[1]) or capacity
local at = tonumber(state[2]) or micros

local passed = math.max(0, micros - at)
tokens = math.min(capacity, tokens + passed * rate / 1000000)

local taken = 0
if tokens >= wanted then
  tokens = tokens - wanted
  taken = 1
end

redis.call('HSET', bucket, 'tokens', string.format('%.6f', tokens), 'at', string.format('%.0f', micros))
redis.call('PEXPIRE', bucket, math.ceil(capacity / rate * 1000) + salt)
return {taken, math.floor(tokens)}
`

// write writes a file and the folders above it.
func write(tb testing.TB, name, text string) {
	tb.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		tb.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		tb.Fatal(err)
	}
}
