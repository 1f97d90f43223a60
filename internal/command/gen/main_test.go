package main

import (
	"bytes"
	"os"
	"testing"

	"github.com/luagen/luagen/internal/redistest"
)

// TestTableIsCurrent makes the table anew and compares it with the one that is
// checked in.
func TestTableIsCurrent(t *testing.T) {
	redistest.Require(t)
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
