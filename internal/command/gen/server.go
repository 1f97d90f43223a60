// This file implements what is asked of the server: its commands, their flags,
// key specifications and documentation.

package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// serverCommand is what the server tells of one command or subcommand.
type serverCommand struct {
	name      string // upper case, a subcommand's with its container
	arity     int
	flags     map[string]bool
	tips      map[string]bool
	keys      [][]string // the flags of each key specification
	since     string
	obsolete  string
	instead   string
	arguments []argument
	container bool
}

// argument is a node of the server's own grammar.
type argument struct {
	name, kind, token, since string
	hasToken                 bool
	spec                     int // the index of a key's specification
	flags                    map[string]bool
	arguments                []argument
}

// ask starts a server and returns its commands.
func ask() ([]serverCommand, error) {
	dir, err := os.MkdirTemp("", "commands")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "redis.sock")
	server := exec.Command("redis-server", "--port", "0", "--unixsocket", socket, "--save", "", "--dir", dir)
	if err := server.Start(); err != nil {
		return nil, err
	}
	defer func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	}()
	conn, err := dial(socket)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	r := bufio.NewReader(conn)
	call := func(line string) (any, error) {
		if _, err := io.WriteString(conn, line+"\r\n"); err != nil {
			return nil, err
		}
		return readReply(r)
	}
	info, err := call("INFO server")
	if err != nil {
		return nil, err
	}
	if !strings.Contains(info.(string), "redis_version:7.0.") {
		return nil, errors.New("the table is made with Redis 7.0, and redis-server is another version")
	}
	list, err := call("COMMAND")
	if err != nil {
		return nil, err
	}
	docs, err := call("COMMAND DOCS")
	if err != nil {
		return nil, err
	}
	return readCommands(list.([]any), docs.([]any)), nil
}

func dial(socket string) (net.Conn, error) {
	for range 500 {
		if conn, err := net.Dial("unix", socket); err == nil {
			return conn, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	return nil, errors.New("it does not listen")
}

// readReply reads one RESP2 reply: a string, an int, a []any or nil.
func readReply(r *bufio.Reader) (any, error) {
	line, err := r.ReadString('\n')
	if err != nil {
		return nil, err
	}
	kind, text := line[0], strings.TrimRight(line[1:], "\r\n")
	switch kind {
	case '+':
		return text, nil
	case '-':
		return nil, errors.New(text)
	}
	n, err := strconv.Atoi(text)
	switch {
	case err != nil || kind == ':':
		return n, err
	case n < 0:
		return nil, nil
	case kind == '$':
		b := make([]byte, n+2)
		_, err := io.ReadFull(r, b)
		return string(b[:n]), err
	case kind == '*':
		list := make([]any, n)
		for i := range list {
			if list[i], err = readReply(r); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	return nil, fmt.Errorf("unexpected reply %q", line)
}

// fields reads a flat list of names and values.
func fields(v any) map[string]any {
	list, _ := v.([]any)
	m := make(map[string]any, len(list)/2)
	for i := 0; i+1 < len(list); i += 2 {
		m[list[i].(string)] = list[i+1]
	}
	return m
}

func set(v any) map[string]bool {
	m := map[string]bool{}
	list, _ := v.([]any)
	for _, name := range list {
		m[name.(string)] = true
	}
	return m
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

func readCommands(list, docs []any) []serverCommand {
	described := fields(docs)
	var out []serverCommand
	for _, v := range list {
		row := v.([]any)
		name := text(row[0])
		doc := fields(described[name])
		c := serverCommand{
			name:      strings.ToUpper(strings.ReplaceAll(name, "|", " ")),
			arity:     row[1].(int),
			flags:     set(row[2]),
			tips:      set(row[7]),
			since:     text(doc["since"]),
			obsolete:  text(doc["deprecated_since"]),
			instead:   strings.ReplaceAll(text(doc["replaced_by"]), "`", ""),
			arguments: readArguments(doc["arguments"]),
		}
		for _, spec := range row[8].([]any) {
			var flags []string
			for _, f := range fields(spec)["flags"].([]any) {
				flags = append(flags, f.(string))
			}
			c.keys = append(c.keys, flags)
		}
		subcommands, _ := row[9].([]any)
		c.container = len(subcommands) > 0
		out = append(out, c)
		subdocs, _ := doc["subcommands"].([]any)
		out = append(out, readCommands(subcommands, subdocs)...)
	}
	return out
}

func readArguments(v any) []argument {
	list, _ := v.([]any)
	var out []argument
	for _, item := range list {
		f := fields(item)
		a := argument{
			name:      text(f["name"]),
			kind:      text(f["type"]),
			token:     text(f["token"]),
			since:     text(f["since"]),
			flags:     set(f["flags"]),
			arguments: readArguments(f["arguments"]),
		}
		_, a.hasToken = f["token"]
		a.spec, _ = f["key_spec_index"].(int)
		out = append(out, a)
	}
	return out
}
