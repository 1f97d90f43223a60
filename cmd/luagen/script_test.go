package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write what commands print into the test data")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"luagen": main})
}

// TestScript runs the command lines in testdata/script, one theme a file.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"crlf":  crlf,
			"bom":   bom,
			"many":  many,
			"await": await,

			"await-text":      awaitText,
			"requires-luagen": requiresLuagen,
		},
		Setup: func(env *testscript.Env) error {
			out, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE").Output()
			if dirs := strings.Fields(string(out)); err == nil && len(dirs) == 2 {
				env.Setenv("GOMODCACHE", dirs[0])
				env.Setenv("GOCACHE", dirs[1])
				env.Setenv("GOFLAGS", "-mod=mod")
				env.Setenv("GOPROXY", "off")
			}
			return err
		},
	})
}

// crlf gives files the line ends of Windows.
func crlf(ts *testscript.TestScript, _ bool, names []string) {
	for _, name := range names {
		text := bytes.ReplaceAll([]byte(ts.ReadFile(name)), []byte("\n"), []byte("\r\n"))
		ts.Check(os.WriteFile(ts.MkAbs(name), text, 0o666))
	}
}

// bom puts a byte order mark in front of files.
func bom(ts *testscript.TestScript, _ bool, names []string) {
	for _, name := range names {
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte("\uFEFF"+ts.ReadFile(name)), 0o666))
	}
}

// many DIR N writes N short scripts, a hundred to a folder.
func many(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	for i := range n {
		dir := filepath.Join(ts.MkAbs(args[0]), fmt.Sprintf("p%d", i/100))
		if i%100 == 0 {
			ts.Check(os.MkdirAll(dir, 0o777))
		}
		text := fmt.Sprintf("local counter = KEYS[1]\nreturn redis.call('INCRBY', counter, %d)\n", i)
		ts.Check(os.WriteFile(filepath.Join(dir, fmt.Sprintf("script%d.lua", i)), []byte(text), 0o666))
	}
}

// requires-luagen makes the module in the working directory require this one,
// with the same dependencies, so that the go command needs no network.
func requiresLuagen(ts *testscript.TestScript, _ bool, _ []string) {
	root, err := filepath.Abs("../..")
	ts.Check(err)
	ours, err := os.ReadFile(filepath.Join(root, "go.mod"))
	ts.Check(err)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	ts.Check(err)
	_, requires, _ := strings.Cut(string(ours), "\nrequire")
	text := fmt.Sprintf("%s\nrequire github.com/luagen/luagen v0.0.0\nreplace github.com/luagen/luagen => %s\nrequire%s",
		ts.ReadFile("go.mod"), root, requires)
	ts.Check(os.WriteFile(ts.MkAbs("go.mod"), []byte(text), 0o666))
	ts.Check(os.WriteFile(ts.MkAbs("go.sum"), sums, 0o666))
}

// await FILE waits until there is a file; ! await FILE until there is none.
func await(ts *testscript.TestScript, neg bool, args []string) {
	until(ts, args[0], func() bool {
		_, err := os.Stat(ts.MkAbs(args[0]))
		return (err == nil) != neg
	})
}

// await-text FILE TEXT waits until a text is in a file.
func awaitText(ts *testscript.TestScript, _ bool, args []string) {
	until(ts, args[0], func() bool {
		text, err := os.ReadFile(ts.MkAbs(args[0]))
		return err == nil && bytes.Contains(text, []byte(args[1]))
	})
}

// until waits for what happens to a file; it gives up when that takes so long
// that it will not happen.
func until(ts *testscript.TestScript, file string, happened func() bool) {
	for range 6000 {
		if happened() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("nothing happened to %s", file)
}
