package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
)

// inProject runs luagen in a folder with two scripts, one of them longer than
// what a slow log keeps.
func inProject(t *testing.T) func(args ...string) (status int, stdout, stderr string) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":         "module example.com/servers\n",
		"lua/bump.lua":   "return redis.call('INCR', KEYS[1])\n",
		"lua/remove.lua": "-- " + strings.Repeat("removes what is there ", 10) + "\nlocal item = KEYS[1]\nreturn redis.call('DEL', item)\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	return func(args ...string) (int, string, string) {
		var stdout, stderr bytes.Buffer
		status := Main(t.Context(), args, strings.NewReader(""), &stdout, &stderr, func(string) string { return "" })
		return status, stdout.String(), stderr.String()
	}
}

func TestLoadAndStatus(t *testing.T) {
	srv := redistest.Start(t)
	luagen := inProject(t)
	address := "redis://" + srv.Addr

	status, out, _ := luagen("status", "--redis", address)
	if status != statusFindings || !strings.Contains(out, "0 of 2") || !strings.Contains(out, "Bump, Remove") {
		t.Errorf("before loading: status %d\n%s", status, out)
	}
	if status, out, err := luagen("load", "--redis", address); status != statusOK || !strings.Contains(out, "2 of 2") {
		t.Errorf("load: status %d\n%s%s", status, out, err)
	}
	status, out, _ = luagen("status", "--redis", address, "--format", "json")
	var answer struct {
		Scripts int
		Nodes   []struct {
			Node, Role string
			Missing    []string
		}
	}
	if err := json.Unmarshal([]byte(out), &answer); err != nil || status != statusOK {
		t.Fatalf("status %d, %v in %s", status, err, out)
	}
	if answer.Scripts != 2 || len(answer.Nodes) != 1 || answer.Nodes[0].Node != srv.Addr || answer.Nodes[0].Missing == nil || len(answer.Nodes[0].Missing) > 0 {
		t.Errorf("after loading: %s", out)
	}
}

func TestLoadReachesEveryNodeOfACluster(t *testing.T) {
	cluster := redistest.StartCluster(t)
	luagen := inProject(t)
	address := "redis://" + cluster.Addrs()[0]
	if status, out, err := luagen("load", "--redis", address); status != statusOK || strings.Count(out, "2 of 2") != len(cluster.Addrs()) {
		t.Fatalf("load: status %d\n%s%s", status, out, err)
	}
	for _, addr := range cluster.Addrs() {
		c := redis.NewClient(&redis.Options{Addr: addr})
		defer c.Close()
		known, err := c.ScriptExists(t.Context(), "7a2a9ae5d3e6d9ea4aafe9e6ff2cd0f6aefdb3d3").Result()
		if err != nil || known[0] {
			t.Fatalf("%s knows a script that nobody loaded: %v", addr, err)
		}
	}
	if status, out, _ := luagen("status", "--redis", address); status != statusOK || strings.Count(out, "replica") != 3 {
		t.Errorf("status %d\n%s", status, out)
	}
}

func TestSlowlogNamesScripts(t *testing.T) {
	srv := redistest.Start(t, "--slowlog-log-slower-than", "0")
	luagen := inProject(t)
	address := "redis://" + srv.Addr
	if status, _, err := luagen("load", "--redis", address); status != statusOK {
		t.Fatal(err)
	}
	c := srv.Client()
	registry := readScripts(t)
	if err := c.EvalSha(t.Context(), registry["bump.lua"], []string{"counter"}, "secret").Err(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("lua/remove.lua")
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Eval(t.Context(), string(text), []string{"item"}).Err(); err != nil {
		t.Fatal(err)
	}
	if err := c.Eval(t.Context(), "return 1", nil).Err(); err != nil {
		t.Fatal(err)
	}
	status, out, stderr := luagen("slowlog", "--redis", address)
	if status != statusOK {
		t.Fatal(stderr)
	}
	for _, want := range []string{"Bump", "counter", "Remove", "item", "a text that is no script here"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if strings.Contains(out, "secret") || strings.Contains(out, "script|load") {
		t.Errorf("an argument or another command is shown:\n%s", out)
	}
	_, out, _ = luagen("slowlog", "--redis", address, "--format", "json")
	for line := range strings.Lines(out) {
		var call slowCall
		if err := json.Unmarshal([]byte(line), &call); err != nil || call.Node != srv.Addr {
			t.Errorf("%v in %s", err, line)
		}
	}
}

// readScripts returns the digests of the project's scripts by file name, as
// luagen list tells them.
func readScripts(t *testing.T) map[string]string {
	t.Helper()
	var out bytes.Buffer
	Main(t.Context(), []string{"list", "--format", "json"}, strings.NewReader(""), &out, &out, func(string) string { return "" })
	var list struct {
		Scripts []struct{ File, SHA1 string }
	}
	if err := json.Unmarshal(out.Bytes(), &list); err != nil {
		t.Fatal(err)
	}
	digests := map[string]string{}
	for _, s := range list.Scripts {
		digests[filepath.Base(s.File)] = s.SHA1
	}
	return digests
}

func TestServerMistakes(t *testing.T) {
	luagen := inProject(t)
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{[]string{"status"}, statusUsage, "no server is given"},
		{[]string{"load", "--redis", "http://user:hidden@localhost"}, statusUsage, "expected redis://host:port"},
		{[]string{"status", "--redis", "redis://127.0.0.1:1"}, statusFailure, "connecting to 127.0.0.1:1"},
	} {
		status, _, stderr := luagen(c.args...)
		if status != c.status || !strings.Contains(stderr, c.want) {
			t.Errorf("%v: status %d, %s", c.args, status, stderr)
		}
		if strings.Contains(stderr, "hidden") {
			t.Errorf("%v shows the password: %s", c.args, stderr)
		}
	}
}
