package redislua_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
	"testing"

	"github.com/luagen/luagen/internal/redistest"
)

// stepProxy hands the commands of a connection to the server one by one, each
// when the one before is answered, so that other clients can come in between
// at known points of a pipeline.
//
// before is called with the command before it is handed over. The connection is
// cut, with the reply to the command lost, when it returns false.
func stepProxy(t testing.TB, s *redistest.Server, before func(command []string) bool) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var conns []net.Conn
	wg.Go(func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			server, err := net.Dial("tcp", s.Addr)
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			conns = append(conns, client, server)
			mu.Unlock()
			wg.Go(func() {
				defer func() { _, _ = client.Close(), server.Close() }()
				commands, replies := bufio.NewReader(client), bufio.NewReader(server)
				for {
					raw, words, err := readCommand(commands)
					if err != nil {
						return
					}
					carry := before(words)
					if _, err := server.Write(raw); err != nil {
						return
					}
					var reply bytes.Buffer
					if copyReply(&reply, replies) != nil || !carry {
						return
					}
					if _, err := client.Write(reply.Bytes()); err != nil {
						return
					}
				}
			})
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		mu.Lock()
		for _, c := range conns {
			_ = c.Close()
		}
		mu.Unlock()
		wg.Wait()
	})
	return l.Addr().String()
}

// readCommand reads one command, as sent and as words.
func readCommand(r *bufio.Reader) (raw []byte, words []string, err error) {
	line, err := r.ReadBytes('\n')
	if err != nil {
		return nil, nil, err
	}
	raw = append(raw, line...)
	n, _ := strconv.Atoi(string(bytes.TrimSpace(line[1:])))
	for range n {
		if line, err = r.ReadBytes('\n'); err != nil {
			return nil, nil, err
		}
		size, _ := strconv.Atoi(string(bytes.TrimSpace(line[1:])))
		word := make([]byte, size+2)
		if _, err := io.ReadFull(r, word); err != nil {
			return nil, nil, err
		}
		raw = append(append(raw, line...), word...)
		words = append(words, string(word[:size]))
	}
	return raw, words, nil
}

// copyReply copies one reply.
func copyReply(w *bytes.Buffer, r *bufio.Reader) error {
	line, err := r.ReadBytes('\n')
	if err != nil {
		return err
	}
	w.Write(line)
	n, _ := strconv.Atoi(string(bytes.TrimSpace(line[1:])))
	switch line[0] {
	case '$', '=':
		if n >= 0 {
			_, err = io.CopyN(w, r, int64(n)+2)
		}
		return err
	case '%':
		n *= 2
	case '*', '~', '>':
	default:
		n = 0
	}
	for range n {
		if err := copyReply(w, r); err != nil {
			return fmt.Errorf("an element: %w", err)
		}
	}
	return nil
}
