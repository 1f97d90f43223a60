package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/types"
)

func TestSplitCommand(t *testing.T) {
	for line, want := range map[string][]string{
		`SET a 1`:                           {"SET", "a", "1"},
		"  SET\ta  'x y' ":                  {"SET", "a", "x y"},
		`SET "a\"\x41\n\\" 'it\'s\n' b\n""`: {"SET", "a\"A\n\\", `it's\n`, `b\n""`},
		`SET "" ''`:                         {"SET", "", ""},
		`SET "\xff\x"`:                      {"SET", "\xffx"},
	} {
		got, err := splitCommand(line)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", line, err, d)
		}
	}
	for line, want := range map[string]string{
		"":        "expected a command",
		`SET "a`:  `the quote " is not closed`,
		`SET 'a\`: "the quote ' is not closed",
		`"a"b`:    `expected a blank behind the closing quote, found "b"`,
	} {
		if _, err := splitCommand(line); err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", line, err, want)
		}
	}
}

// Optional arguments are left out at the end, and empty before others.
func TestFillOptional(t *testing.T) {
	s := &script.Script{Args: []script.Arg{
		{Name: "a", Type: types.String},
		{Name: "b", Type: types.String, Optional: true},
		{Name: "c", Type: types.String, Optional: true, EmptyWhenAbsent: true},
		{Name: "d", Type: types.String, Optional: true},
		{Name: "rest", Type: types.String, Variadic: true},
	}}
	for given, want := range map[string]string{
		"1":                 "1||",
		"1 d=4":             "1|||4",
		"1 2 3 4 5 6":       "1|2|3|4|5|6",
		"1 rest=5 rest=6":   "1||||5|6",
		"c=3 1":             "1||3",
		"b=x=y c=3 d=4 1 5": "1|x=y|3|4|5",
	} {
		_, got, err := fill(s, nil, strings.Fields(given))
		if err != nil || strings.Join(got, "|") != want {
			t.Errorf("%s: got %q, %v, want %s", given, got, err, want)
		}
	}
}

// On a real server the script runs there, and only the keys given are looked
// at.
func TestRunOnServer(t *testing.T) {
	server := redistest.Start(t)
	setup, err := dialServer(t.Context(), "redis://"+server.Addr)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = setup.close() }()
	if reply, err := setup.do("CONFIG", "SET", "requirepass", "secret"); err != nil || reply.IsError() {
		t.Fatal(reply, err)
	}
	url := "redis://:secret@" + server.Addr + "/3"
	t.Chdir(t.TempDir())
	write(t, "lua/a.lua", "redis.call('SET', KEYS[1], ARGV[1]) redis.call('SET', 'other', 1)\nreturn {redis.status_reply('OK'), 1, redis.call('GET', KEYS[1])}\n")
	status, stdout, stderr := run("run", "lua/a.lua", "--redis", url, "-k", "k", "-a", "two words", "--setup", "SET k 1 PX 100000")
	want := `1) OK
2) (integer) 1
3) "two words"

changes
  ~ k string "1" -> "two words" ttl `
	if status != statusOK || !strings.HasPrefix(stdout, want) || strings.Contains(stdout, "other") || !strings.Contains(stdout, "not traced") {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}

	// It stays there, in the database of the URL; its time to live runs down
	// without that being a change.
	status, stdout, stderr = run("run", "lua/a.lua", "--redis", url, "-k", "other", "-a", "\xff", "--json", "--setup", "EXPIRE other 1000")
	var got struct {
		Calls, Log []any
		Reply      struct{ Value []any }
		Changes    []struct{ Before, After map[string]any }
	}
	if err := json.Unmarshal([]byte(stdout), &got); err != nil || status != statusOK {
		t.Fatalf("%v, status %d\n%s%s", err, status, stdout, stderr)
	}
	if got.Calls != nil || got.Log != nil || len(got.Changes) != 1 || len(got.Reply.Value) != 3 || got.Changes[0].Before["value"] != "1" {
		t.Errorf("got %s", stdout)
	}

	status, _, stderr = run("run", "lua/a.lua", "--redis", "redis://:wrong@"+server.Addr, "-k", "k", "-a", "1")
	if status != statusFailure || !strings.Contains(stderr, "connecting to "+server.Addr+": WRONGPASS") {
		t.Errorf("status %d\n%s", status, stderr)
	}
	write(t, "lua/b.lua", "local x = 1\nreturn x .. nil\n")
	status, _, stderr = run("run", "lua/b.lua", "--redis", url)
	if status != statusFindings || !strings.HasPrefix(stderr, "lua/b.lua:2:1: error: ERR attempt to concatenate a nil value [script-error]") {
		t.Errorf("status %d\n%s", status, stderr)
	}
}

// An interrupt ends a script that would run on.
func TestRunInterrupted(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "lua/loop.lua", "redis.log(redis.LOG_NOTICE, 'looping') while true do pcall(function() while true do end end) end\n")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := newEmbedded(ctx, command.Default, nil)
	status := make(chan error, 1)
	go func() {
		_, err := s.do("EVAL", "redis.call('SET', 'a', 1) while true do end", "0")
		status <- err
	}()
	cancel()
	if err := <-status; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := s.do("PING"); !errors.Is(err, context.Canceled) {
		t.Errorf("then got %v", err)
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
	var stderr bytes.Buffer
	if got := Main(ctx, []string{"run", "lua/loop.lua"}, nil, io.Discard, &stderr, func(string) string { return "" }); got != statusFailure || stderr.String() != "luagen: running lua/loop.lua: interrupted\n" {
		t.Errorf("status %d, %s", got, stderr.String())
	}
}

// The forms of errors that servers of several versions give.
func TestFailed(t *testing.T) {
	sha := strings.Repeat("0", 40)
	for text, want := range map[string]struct {
		message string
		line    int
	}{
		"WRONGTYPE Operation script: " + sha + ", on @user_script:7.":               {"WRONGTYPE Operation", 7},
		"ERR Error running script (call to f_" + sha + "): @user_script:3: WRONG x": {"ERR WRONG x", 3},
		"ERR Error running script (call to f_" + sha + "): x":                       {"ERR x", 0},
		"BUSY come back": {"BUSY come back", 0},
	} {
		if message, line := failed(text); message != want.message || line != want.line {
			t.Errorf("%s: got %q, %d", text, message, line)
		}
	}
}
