package engine

import (
	"os"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/redistest"
)

// TestCommands runs commands on the engine and on redis-server, under both
// protocols.
func TestCommands(t *testing.T) {
	text, err := os.ReadFile("testdata/commands.txt")
	if err != nil {
		t.Fatal(err)
	}
	srv := redistest.Start(t)
	e := New(Options{})
	defer e.Close()
	for _, protocol := range []string{"2", "3"} {
		real, mine := dialWire(t, srv.Addr), e.Connect()
		do := func(args ...string) (got, want string) {
			raw, err := real.do(args...)
			if err != nil {
				t.Fatalf("%v: %v", args, err)
			}
			return string(mine.DoRaw(args...)), string(raw)
		}
		do("HELLO", protocol)
		for _, line := range strings.Split(string(text), "\n") {
			if line == "" || line[0] == '#' {
				continue
			}
			do("SELECT", "0")
			do("FLUSHALL")
			for _, command := range strings.Split(line, ";") {
				args := strings.Fields(command)
				for i := range args {
					if args[i] == `""` {
						args[i] = ""
					}
				}
				got, want := do(args...)
				if got != want {
					t.Errorf("RESP%s: %s\n in   %.100s\n got  %q\n want %q", protocol, command, line, got, want)
				}
			}
		}
	}
}
