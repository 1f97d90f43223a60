package syntax

// This file asks redis-server what it thinks of a text.

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// server is a connection to a redis-server of our own.
type server struct {
	conn net.Conn
	r    *bufio.Reader
}

// startServer starts redis-server on a socket in a temporary folder.
func startServer(t testing.TB) *server {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		if os.Getenv("LUAGEN_REQUIRE_REDIS") == "1" {
			t.Fatal("redis-server is not installed, and LUAGEN_REQUIRE_REDIS=1 demands it")
		}
		t.Skip("redis-server is not installed: the parser is not compared with it")
	}
	dir, err := os.MkdirTemp("", "luagen") // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(dir, "s")
	cmd := exec.Command(path, "--port", "0", "--unixsocket", socket, "--save", "", "--appendonly", "no", "--dir", dir)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
		os.RemoveAll(dir)
	})
	for range 500 {
		if conn, err := net.Dial("unix", socket); err == nil {
			t.Cleanup(func() { conn.Close() })
			return &server{conn, bufio.NewReaderSize(conn, 1<<16)}
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("redis-server does not answer on its socket")
	return nil
}

// verdicts loads the texts and returns for each the error that the server
// replies with, empty for a text that it compiles.
func (s *server) verdicts(t testing.TB, texts []string) []string {
	go func() {
		w := bufio.NewWriterSize(s.conn, 1<<16)
		for _, text := range texts {
			fmt.Fprintf(w, "*3\r\n$6\r\nSCRIPT\r\n$4\r\nLOAD\r\n$%d\r\n%s\r\n", len(text), text)
		}
		io.WriteString(w, "*2\r\n$6\r\nSCRIPT\r\n$5\r\nFLUSH\r\n")
		w.Flush()
	}()
	list := make([]string, len(texts))
	for i := range list {
		list[i] = s.reply(t)
	}
	if got := s.reply(t); got != "" {
		t.Fatalf("SCRIPT FLUSH replied %q", got)
	}
	return list
}

// reply reads one reply; only that of an error is returned.
func (s *server) reply(t testing.TB) string {
	line, err := s.r.ReadString('\n')
	if err != nil {
		t.Fatal("reading a reply: ", err)
	}
	text := strings.TrimSuffix(line[1:], "\r\n")
	switch line[0] {
	case '-':
		return text
	case '$':
		n, _ := strconv.Atoi(text)
		if _, err := s.r.Discard(n + 2); err != nil {
			t.Fatal("reading a reply: ", err)
		}
	}
	return ""
}

// wording returns what the server says of a file that Parse refused so; empty
// for nil.
func (r *Refusal) wording() string {
	if r == nil {
		return ""
	}
	if r.Shebang {
		return "ERR " + r.Message
	}
	place := ""
	if r.Line > 0 {
		place = "user_script:" + strconv.Itoa(r.Line) + ": "
	}
	return "ERR Error compiling script (new function): " + place + strings.NewReplacer("\r", " ", "\n", " ").Replace(r.Message)
}
