// Gen writes internal/command/table.go: it starts a redis-server 7.0, asks it
// for COMMAND and COMMAND DOCS, and joins what it says with facts.txt.
//
// What is written depends on facts.txt and on the commands of Redis 7.0 only,
// so another version of the server is refused.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	dir := flag.String("dir", ".", "the folder of package command")
	flag.Parse()
	table, err := source(*dir)
	if err == nil {
		err = os.WriteFile(filepath.Join(*dir, "table.go"), table, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// source returns what table.go has to be.
func source(dir string) ([]byte, error) {
	text, err := os.ReadFile(filepath.Join(dir, "facts.txt"))
	if err != nil {
		return nil, fmt.Errorf("reading the facts: %w", err)
	}
	facts, err := parseFacts(string(text))
	if err != nil {
		return nil, err
	}
	server, err := ask()
	if err != nil {
		return nil, fmt.Errorf("asking redis-server: %w", err)
	}
	commands, err := join(server, facts)
	if err != nil {
		return nil, err
	}
	return emit(commands)
}
