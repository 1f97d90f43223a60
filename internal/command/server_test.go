package command

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// startServer starts a redis-server for one test and returns a client with one
// connection. Without the binary the test is skipped, or fails when
// LUAGEN_REQUIRE_REDIS is 1.
func startServer(t *testing.T) *redis.Client {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("LUAGEN_REQUIRE_REDIS") == "1" {
			t.Fatal("redis-server is not installed, and LUAGEN_REQUIRE_REDIS=1")
		}
		t.Skip("redis-server is not installed")
	}
	dir, err := os.MkdirTemp("", "command") // t.TempDir is too long a name for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	socket := filepath.Join(dir, "redis.sock")
	server := exec.Command(path, "--port", "0", "--unixsocket", socket, "--save", "", "--dir", dir)
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	client := redis.NewClient(&redis.Options{Network: "unix", Addr: socket, PoolSize: 1, Protocol: 2, MaxRetries: -1, DisableIdentity: true})
	t.Cleanup(func() { client.Close() })
	for range 1000 {
		if client.Ping(context.Background()).Err() == nil {
			return client
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("redis-server does not answer")
	return nil
}
