package main

import (
	"bytes"
	"os"
	"os/exec"
	"testing"
)

// TestTableIsCurrent makes the table anew and compares it with the one that is
// checked in.
func TestTableIsCurrent(t *testing.T) {
	if _, err := exec.LookPath("redis-server"); err != nil {
		if os.Getenv("LUAGEN_REQUIRE_REDIS") == "1" {
			t.Fatal("redis-server is not installed, and LUAGEN_REQUIRE_REDIS=1")
		}
		t.Skip("redis-server is not installed")
	}
	got, err := source("..")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../table.go")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("table.go is not what facts.txt and the server make of it: run go generate ./internal/command")
	}
}
