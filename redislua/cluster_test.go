package redislua_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/redislua"
)

func TestClusterFlushStorm(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	var flushed []*redis.Client
	for _, n := range cluster.Nodes[:3] {
		flushed = append(flushed, n.Client())
	}
	storm(t, "cluster", cluster.Client(), flushed...)
	auto, err := cluster.Client().AutoPipeline()
	if err != nil {
		t.Fatal(err)
	}
	storm(t, "auto", auto, flushed...)
}

// A script is loaded into the node that owns the key, and nowhere else.
func TestClusterLoadsWhereTheKeyIs(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	client := cluster.Client()
	caller := redislua.NewCaller(client)
	s := incr()
	owner, err := client.MasterForKey(ctx, "k")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsInt); err != nil {
		t.Fatal(err)
	}
	for _, n := range cluster.Nodes {
		if known := n.Client().ScriptExists(ctx, s.SHA1).Val()[0]; known != (n.Addr == owner.Options().Addr) {
			t.Errorf("node %s knows the script: %t; the owner is %s", n.Addr, known, owner.Options().Addr)
		}
	}

	// One without keys goes to any node, and as text where it is unknown.
	keyless := script("Ping", 0, "return redis.call('PING')")
	for range 20 {
		if got, err := redislua.Run(ctx, caller, keyless.Call(0, 0), redislua.AsString); got != "PONG" || err != nil {
			t.Error(got, err)
		}
	}

	// A dead replica, which makes go-redis's ScriptLoad fail, does not matter.
	cluster.Nodes[cluster.Replica(0)].Kill()
	other := padded(100)
	for i := range 20 {
		if _, err := redislua.Run(ctx, caller, incrCall(other, fmt.Sprint("key", i)), redislua.AsInt); err != nil {
			t.Error(err)
		}
	}
	statuses, err := redislua.NewRegistry(s, other).Load(ctx, client)
	if err != nil {
		t.Error(err)
	}
	down := 0
	for _, status := range statuses {
		if status.Err != nil {
			down++
		} else if len(status.Missing) > 0 {
			t.Errorf("node %s lacks %d scripts", status.Node, len(status.Missing))
		}
	}
	if down > 1 {
		t.Errorf("%d of %d nodes are reported", down, len(statuses))
	}
}

// Read-only scripts run on replicas, and are loaded into the one that is asked.
func TestClusterReadsFromReplicas(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: cluster.Addrs(), RouteRandomly: true})
	t.Cleanup(func() { _ = client.Close() })
	caller := redislua.NewCaller(client)
	s := script("Get", 1, "return redis.call('GET', KEYS[1])")
	s.ReadOnly = true
	if err := client.Set(ctx, "k", "v", 0).Err(); err != nil {
		t.Fatal(err)
	}
	for _, n := range cluster.Nodes[:3] {
		_ = n.Client().Wait(ctx, 1, 5*time.Second)
	}
	for range 50 {
		if got, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsString); got != "v" || err != nil {
			t.Fatal(got, err)
		}
	}
	ran := 0
	for _, n := range cluster.Nodes {
		if strings.Contains(n.Client().Info(ctx, "commandstats").Val(), "cmdstat_evalsha_ro") &&
			n.Client().ScriptExists(ctx, s.SHA1).Val()[0] {
			ran++
		}
	}
	if ran != 2 {
		t.Errorf("%d nodes know and ran the script, want a master and its replica", ran)
	}
}

// counted is a goroutine's own account of its key.
type counted struct {
	sure   int // calls that succeeded
	unsure int // calls of which it is not known
}

func pairCall(s *redislua.Script, key string) *redislua.Call {
	c := s.Call(2, 0)
	c.Key(key)
	c.Key(key + "other")
	return c
}

// load calls scripts on many keys of a cluster until stop is closed, and checks
// then that nothing was lost or doubled. tolerate says which errors may be.
func load(t *testing.T, client *redis.ClusterClient, stop chan struct{}, tolerate func(started time.Time, err error) bool) (started *sync.WaitGroup, wait func()) {
	caller := redislua.NewCaller(client)
	s := incr()
	pair := script("Pair", 2, "redis.call('INCR', KEYS[2]) return redis.call('INCR', KEYS[1])")
	started = new(sync.WaitGroup)
	var wg sync.WaitGroup
	for g := range 16 {
		started.Add(1)
		wg.Go(func() {
			var account counted
			key := fmt.Sprintf("{load:%d}", g)
			for round := 0; ; round++ {
				if round == 20 {
					started.Done()
				}
				select {
				case <-stop:
					if round < 20 {
						started.Done()
					}
					check(t, client, key, account)
					return
				default:
				}
				before := time.Now()
				var n int64
				var err error
				switch g % 6 {
				default:
					n, err = redislua.Run(ctx, caller, incrCall(s, key), redislua.AsInt)
				case 1: // two keys, which migrate one after the other
					n, err = redislua.Run(ctx, caller, pairCall(pair, key), redislua.AsInt)
				case 3, 5:
					batch := redislua.NewPipeline(caller)
					if g%6 == 5 {
						batch = redislua.NewTx(caller)
					}
					first := redislua.Queue(batch, pairCall(pair, key), redislua.AsInt)
					redislua.Queue(batch, incrCall(s, key+"third"), redislua.AsInt)
					execErr := batch.Exec(ctx)
					if n, err = first.Result(); err == nil {
						err = execErr
					}
				}
				switch {
				case err == nil:
					account.sure++
					if n < int64(account.sure) || n > int64(account.sure+account.unsure) {
						t.Errorf("%s: reply %d after %d calls, %d of them unsure", key, n, account.sure, account.unsure)
					}
				case tolerate(before, err):
					account.unsure++
				default:
					t.Errorf("%s: %v", key, err)
					account.unsure++
				}
			}
		})
	}
	return started, wg.Wait
}

func check(t *testing.T, client *redis.ClusterClient, key string, account counted) {
	n, err := client.Get(ctx, key).Int()
	if err != nil || n < account.sure || n > account.sure+account.unsure {
		t.Errorf("%s is %d (%v), %d calls succeeded and %d are unsure", key, n, err, account.sure, account.unsure)
	}
}

// A master dies under load: errors while there is none, and no wrong answer.
func TestClusterFailover(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	client := cluster.Client()
	var electedAt atomic.Pointer[time.Time]
	stop := make(chan struct{})
	started, wait := load(t, client, stop, func(started time.Time, err error) bool {
		elected := electedAt.Load()
		return elected == nil || started.Before(*elected)
	})
	started.Wait()
	replica := cluster.Nodes[cluster.Replica(0)].Client()
	// Nothing that was acknowledged may be lost with the master.
	pause := cluster.Nodes[0].Client()
	if err := pause.Do(ctx, "CLIENT", "PAUSE", 60000, "WRITE").Err(); err != nil {
		t.Fatal(err)
	}
	offset := field(pause, "master_repl_offset")
	await(t, "the replica", func() bool { return field(replica, "slave_repl_offset") >= offset })
	cluster.Nodes[0].Kill()
	await(t, "a new master", func() bool {
		for _, n := range []int{1, 2, 3, 4, 5} {
			if !masterKnown(cluster.Nodes[n].Client(), cluster.IDs[3]) {
				return false
			}
		}
		return true
	})
	now := time.Now()
	electedAt.Store(&now)
	for range 200 { // and go on under the new one
		if _, err := redislua.Run(ctx, redislua.NewCaller(client), incrCall(incr(), "{load:x}"), redislua.AsInt); err != nil {
			t.Error(err)
			break
		}
	}
	time.Sleep(300 * time.Millisecond)
	close(stop)
	wait()
}

// masterKnown reports whether a node sees id as a master that serves slots.
func masterKnown(c *redis.Client, id string) bool {
	for _, line := range strings.Split(c.ClusterNodes(ctx).Val(), "\n") {
		if strings.HasPrefix(line, id) {
			return strings.Contains(line, "master") && strings.Contains(line, "0-5460") &&
				strings.Contains(c.ClusterInfo(ctx).Val(), "cluster_state:ok")
		}
	}
	return false
}

func field(c *redis.Client, name string) int {
	_, rest, _ := strings.Cut(c.Info(ctx, "replication").Val(), name+":")
	digits, _, _ := strings.Cut(rest, "\r\n")
	n, _ := strconv.Atoi(digits)
	return n
}

func await(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 3000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("waiting for %s takes too long", what)
}

// Slots move from one master to another, key by key, under load: nobody
// notices, although the new master has no script.
func TestClusterSlotMigration(t *testing.T) {
	t.Parallel()
	cluster := redistest.StartCluster(t)
	client := cluster.Client()
	stop := make(chan struct{})
	started, wait := load(t, client, stop, func(time.Time, error) bool { return false })
	started.Wait()
	moved := 0
	for g := range 16 {
		slot := int(client.ClusterKeySlot(ctx, fmt.Sprintf("{load:%d}", g)).Val())
		if slot*3/16384 == 0 {
			moveSlot(t, cluster, slot, 0, 1)
			moved++
		}
	}
	if moved == 0 {
		t.Error("no slot was moved")
	}
	close(stop)
	wait()
}

// moveSlot moves a slot from one master to another.
func moveSlot(t *testing.T, cluster *redistest.Cluster, slot, from, to int) {
	t.Helper()
	source, target := cluster.Nodes[from].Client(), cluster.Nodes[to].Client()
	do := func(c *redis.Client, args ...any) {
		if err := c.Do(ctx, args...).Err(); err != nil {
			t.Fatalf("%v: %v", args, err)
		}
	}
	do(target, "CLUSTER", "SETSLOT", slot, "IMPORTING", cluster.IDs[from])
	do(source, "CLUSTER", "SETSLOT", slot, "MIGRATING", cluster.IDs[to])
	host, port, _ := net.SplitHostPort(cluster.Nodes[to].Addr)
	for {
		keys := source.ClusterGetKeysInSlot(ctx, slot, 1).Val()
		if len(keys) == 0 {
			break
		}
		do(source, "MIGRATE", host, port, keys[0], 0, 5000)
		time.Sleep(20 * time.Millisecond) // calls on a slot that is half here and half there
	}
	do(target, "CLUSTER", "SETSLOT", slot, "NODE", cluster.IDs[to])
	do(source, "CLUSTER", "SETSLOT", slot, "NODE", cluster.IDs[to])
}

// The server of a sentinel client becomes a replica: calls go on at the new
// master, which has no script, without an error.
func TestFailoverOfASentinelClient(t *testing.T) {
	t.Parallel()
	master := redistest.Start(t)
	replica := redistest.StartReplica(t, master)
	var addr atomic.Pointer[string]
	addr.Store(&master.Addr)
	client := redis.NewClient(&redis.Options{Addr: "sentinel", MaxRetries: 5, Dialer: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return net.Dial(network, *addr.Load()) // what a sentinel client's dialer does
	}})
	t.Cleanup(func() { _ = client.Close() })
	caller := redislua.NewCaller(client)
	s := incr()
	for range 3 {
		if _, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsInt); err != nil {
			t.Fatal(err)
		}
	}
	offset := field(master.Client(), "master_repl_offset")
	await(t, "the replica", func() bool { return field(replica.Client(), "slave_repl_offset") >= offset })
	if err := replica.Client().Do(ctx, "REPLICAOF", "NO", "ONE").Err(); err != nil {
		t.Fatal(err)
	}
	host, port, _ := net.SplitHostPort(replica.Addr)
	if err := master.Client().Do(ctx, "REPLICAOF", host, port).Err(); err != nil {
		t.Fatal(err)
	}
	addr.Store(&replica.Addr)
	for want := int64(4); want <= 6; want++ {
		got, err := redislua.Run(ctx, caller, incrCall(s, "k"), redislua.AsInt)
		if errors.Is(err, io.EOF) { // Redis drops its clients when its role changes
			want--
			continue
		}
		if err != nil || got != want {
			t.Fatal(got, err)
		}
	}
}

func TestRing(t *testing.T) {
	t.Parallel()
	a, b := redistest.Start(t), redistest.Start(t)
	ring := redis.NewRing(&redis.RingOptions{Addrs: map[string]string{"a": a.Addr, "b": b.Addr}})
	t.Cleanup(func() { _ = ring.Close() })
	storm(t, "ring", ring, a.Client(), b.Client())
	caller := redislua.NewCaller(ring)
	keyless := script("Ping", 0, "return redis.call('PING')")
	for range 20 {
		if got, err := redislua.Run(ctx, caller, keyless.Call(0, 0), redislua.AsString); got != "PONG" || err != nil {
			t.Error(got, err)
		}
	}
}
