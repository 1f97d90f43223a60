// Package redistest starts real Redis servers for tests: one, one with a
// replica, or a cluster of six, on free loopback ports.
//
// Servers are stopped with the test. Each runs below a shell that reads a pipe
// of the test binary, so that they die with it, however it ends. Without a
// redis-server in PATH tests are skipped, and fail when LUAGEN_REQUIRE_REDIS=1.
package redistest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// startTimeout is how long a server may take to answer. It is generous, as the
// machine may be busy; nothing waits for it unless something is wrong.
const startTimeout = 30 * time.Second

// Server is a running redis-server.
type Server struct {
	Addr string // 127.0.0.1:port

	t    testing.TB
	dir  string
	args []string
	pid  int
	hold io.Closer     // closing it ends the server
	done chan struct{} // closed when it has ended
}

// Require returns the path of redis-server. Without one the test is skipped, or
// fails when LUAGEN_REQUIRE_REDIS=1.
func Require(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("redis-server")
	if err == nil {
		return path
	}
	if os.Getenv("LUAGEN_REQUIRE_REDIS") == "1" {
		t.Fatal("redis-server is required by LUAGEN_REQUIRE_REDIS=1 and is not in PATH")
	}
	t.Skip("redis-server is not in PATH")
	return ""
}

// Start starts a server. args are further arguments of redis-server, as
// "--maxmemory", "10mb". It is stopped when the test ends.
func Start(t testing.TB, args ...string) *Server {
	t.Helper()
	Require(t)
	for attempt := 1; ; attempt++ {
		s := &Server{t: t, dir: t.TempDir(), args: args}
		s.Addr = freeAddrs(t, 1)[0]
		err := s.start()
		if err == nil {
			return s
		}
		if attempt == 3 { // the port may have been taken by somebody else meanwhile
			t.Fatal(err)
		}
	}
}

// StartReplica starts a server that replicates of, and waits until it has
// caught up.
func StartReplica(t testing.TB, of *Server, args ...string) *Server {
	t.Helper()
	host, port, _ := net.SplitHostPort(of.Addr)
	s := Start(t, append([]string{"--replicaof", host + " " + port}, args...)...)
	s.await("the replica to catch up", func(ctx context.Context, c *redis.Client) bool {
		return strings.Contains(c.Info(ctx, "replication").Val(), "master_link_status:up")
	})
	return s
}

// Client returns a client for s, closed with the test.
func (s *Server) Client() *redis.Client {
	c := redis.NewClient(&redis.Options{Addr: s.Addr})
	s.t.Cleanup(func() { _ = c.Close() })
	return c
}

// Kill ends the server as a power cut would. What it held is gone.
func (s *Server) Kill() {
	_ = s.hold.Close()
	<-s.done
}

// Restart starts the server again after Kill, on the same port and empty.
func (s *Server) Restart() {
	s.t.Helper()
	if err := s.start(); err != nil {
		s.t.Fatal(err)
	}
}

// Freeze stops the server's process: it accepts connections and answers
// nothing, until Thaw.
func (s *Server) Freeze() { s.signal(syscall.SIGSTOP) }

// Thaw undoes Freeze.
func (s *Server) Thaw() { s.signal(syscall.SIGCONT) }

func (s *Server) signal(sig syscall.Signal) {
	s.t.Helper()
	if err := syscall.Kill(s.pid, sig); err != nil {
		s.t.Fatalf("signalling redis-server: %v", err)
	}
}

// babysitter runs redis-server until standard input ends.
const babysitter = `redis-server "$@" >log 2>&1 & echo $!; cat >/dev/null; kill -9 $!; wait`

func (s *Server) start() error {
	_, port, _ := net.SplitHostPort(s.Addr)
	args := append([]string{
		"--port", port, "--bind", "127.0.0.1", "--dir", s.dir, "--save", "", "--appendonly", "no",
		"--protected-mode", "no", "--enable-debug-command", "yes", "--repl-diskless-sync-delay", "0",
	}, s.args...)
	cmd := exec.Command("sh", append([]string{"-c", babysitter, "redistest"}, args...)...)
	cmd.Dir = s.dir
	hold, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting redis-server: %w", err)
	}
	s.hold, s.done = hold, make(chan struct{})
	var line [16]byte
	n, _ := out.Read(line[:])
	s.pid, _ = strconv.Atoi(strings.TrimSpace(string(line[:n])))
	done := s.done
	go func() {
		_ = cmd.Wait()
		close(done)
	}()
	s.t.Cleanup(s.Kill)
	if !s.answers() {
		s.Kill()
		log, _ := os.ReadFile(filepath.Join(s.dir, "log"))
		return fmt.Errorf("redis-server at %s does not answer; its log:\n%s", s.Addr, log)
	}
	return nil
}

// answers waits until this server, and not somebody else's on the same port,
// answers.
func (s *Server) answers() bool {
	for end := time.Now().Add(startTimeout); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if probe(s.Addr) == s.pid {
			return true
		}
		if syscall.Kill(s.pid, 0) != nil {
			return false
		}
	}
	return false
}

// probe returns the process that answers at addr, 0 when none does. It does
// without go-redis, which logs every refused connection.
func probe(addr string) int {
	conn, err := net.DialTimeout("tcp", addr, startTimeout)
	if err != nil {
		return 0
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(startTimeout))
	if _, err := io.WriteString(conn, "INFO server\r\n"); err != nil {
		return 0
	}
	for lines := bufio.NewScanner(conn); lines.Scan(); {
		if pid, ok := strings.CutPrefix(lines.Text(), "process_id:"); ok {
			n, _ := strconv.Atoi(pid)
			return n
		}
	}
	return 0
}

// await waits until ready says so of the server.
func (s *Server) await(what string, ready func(context.Context, *redis.Client) bool) {
	s.t.Helper()
	c := redis.NewClient(&redis.Options{Addr: s.Addr})
	defer func() { _ = c.Close() }()
	for end := time.Now().Add(startTimeout); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if ready(context.Background(), c) {
			return
		}
	}
	s.t.Fatalf("waiting at %s for %s takes too long", s.Addr, what)
}

// freeAddrs returns n loopback addresses with ports that nobody listens on.
func freeAddrs(t testing.TB, n int) []string {
	t.Helper()
	addrs := make([]string, n)
	for i := range addrs {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = l.Close() }()
		addrs[i] = l.Addr().String()
	}
	return addrs
}
