package redistest

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

var ctx = context.Background()

func TestSingle(t *testing.T) {
	t.Parallel()
	s := Start(t, "--maxmemory", "50mb")
	c := s.Client()
	if got := c.ConfigGet(ctx, "maxmemory").Val()["maxmemory"]; got != "52428800" {
		t.Errorf("maxmemory is %q", got)
	}
	c.Set(ctx, "k", "v", 0)
	s.Kill()
	if probe(s.Addr) != 0 {
		t.Error("a killed server answers")
	}
	s.Restart()
	if n := c.Exists(ctx, "k").Val(); n != 0 {
		t.Error("a restarted server is not empty")
	}
}

func TestReplica(t *testing.T) {
	t.Parallel()
	master := Start(t)
	replica := StartReplica(t, master)
	master.Client().Set(ctx, "k", "v", 0)
	if n, err := master.Client().Wait(ctx, 1, 10*time.Second).Result(); n != 1 {
		t.Fatal(n, err)
	}
	if got := replica.Client().Get(ctx, "k").Val(); got != "v" {
		t.Errorf("the replica has %q", got)
	}
}

func TestCluster(t *testing.T) {
	t.Parallel()
	c := StartCluster(t)
	client := c.Client()
	for _, key := range []string{"a", "b", "c", "d", "e"} {
		if err := client.Set(ctx, key, key, 0).Err(); err != nil {
			t.Error(err)
		}
	}
	nodes := c.Nodes[0].Client().ClusterNodes(ctx).Val()
	if strings.Count(nodes, " slave ")+strings.Count(nodes, "myself,slave ") != 3 {
		t.Errorf("three replicas are expected in\n%s", nodes)
	}
}

// A test binary that is killed takes its servers with it.
func TestServersDieWithTheBinary(t *testing.T) {
	if os.Getenv("REDISTEST_HANG") == "1" {
		println("server " + Start(t).Addr)
		time.Sleep(time.Hour)
	}
	t.Parallel()
	Require(t)
	cmd := exec.Command(os.Args[0], "-test.run=^TestServersDieWithTheBinary$")
	cmd.Env = append(os.Environ(), "REDISTEST_HANG=1")
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var addr string
	for lines := bufio.NewScanner(out); addr == "" && lines.Scan(); {
		addr, _ = strings.CutPrefix(lines.Text(), "server ")
	}
	if probe(addr) == 0 {
		t.Fatalf("no server at %q", addr)
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	for range 1000 {
		if probe(addr) == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Error("the server outlives the test binary")
}
