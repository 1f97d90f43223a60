// This file implements a Redis Cluster of three masters with a replica each.

package redistest

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/redis/go-redis/v9"
)

// Cluster is a running Redis Cluster.
type Cluster struct {
	Nodes []*Server // three masters, then the replica of each, as started
	IDs   []string  // their node IDs

	t testing.TB
}

const (
	clusterMasters = 3
	clusterNodes   = 2 * clusterMasters
	clusterSlots   = 16384
)

// StartCluster starts a cluster and waits until it serves. A master that does
// not answer is replaced after about a second.
//
// The nodes are given their picture of each other as files; making friends by
// CLUSTER MEET takes longer.
func StartCluster(t testing.TB, args ...string) *Cluster {
	t.Helper()
	Require(t)
	var errs [clusterNodes]error
	for attempt := 1; ; attempt++ {
		c := newCluster(t, args)
		var wg sync.WaitGroup
		for i := range c.Nodes {
			wg.Go(func() { errs[i] = c.Nodes[i].start() })
		}
		wg.Wait()
		failed := -1
		for i, err := range errs {
			if err != nil {
				failed = i
			}
		}
		if failed < 0 {
			c.await()
			return c
		}
		if attempt == 3 {
			t.Fatal(errs[failed])
		}
	}
}

// Addrs returns the addresses of all nodes.
func (c *Cluster) Addrs() []string {
	addrs := make([]string, len(c.Nodes))
	for i, n := range c.Nodes {
		addrs[i] = n.Addr
	}
	return addrs
}

// Client returns a client for the cluster, closed with the test.
func (c *Cluster) Client() *redis.ClusterClient {
	client := redis.NewClusterClient(&redis.ClusterOptions{Addrs: c.Addrs()})
	c.t.Cleanup(func() { _ = client.Close() })
	return client
}

// Replica returns the index of the node that was started as the replica of the
// master with index i.
func (c *Cluster) Replica(i int) int { return i + clusterMasters }

func newCluster(t testing.TB, args []string) *Cluster {
	c := &Cluster{t: t}
	addrs := freeAddrs(t, 2*clusterNodes)
	for i := range clusterNodes {
		_, bus, _ := net.SplitHostPort(addrs[clusterNodes+i])
		c.IDs = append(c.IDs, fmt.Sprintf("%040x", i+1))
		c.Nodes = append(c.Nodes, &Server{t: t, dir: t.TempDir(), Addr: addrs[i], args: append([]string{
			"--cluster-enabled", "yes", "--cluster-port", bus, "--cluster-config-file", "nodes.conf",
			"--cluster-node-timeout", "1000", "--cluster-replica-validity-factor", "0",
			"--repl-ping-replica-period", "1",
		}, args...)})
	}
	for i, n := range c.Nodes {
		var b strings.Builder
		for j := range c.Nodes {
			_, bus, _ := net.SplitHostPort(addrs[clusterNodes+j])
			me := ""
			if i == j {
				me = "myself,"
			}
			if j < clusterMasters {
				fmt.Fprintf(&b, "%s %s@%s %smaster - 0 0 %d connected %d-%d\n", c.IDs[j], c.Nodes[j].Addr, bus, me,
					j+1, j*clusterSlots/clusterMasters, (j+1)*clusterSlots/clusterMasters-1)
			} else {
				fmt.Fprintf(&b, "%s %s@%s %sslave %s 0 0 %d connected\n", c.IDs[j], c.Nodes[j].Addr, bus, me,
					c.IDs[j-clusterMasters], j-clusterMasters+1)
			}
		}
		fmt.Fprintf(&b, "vars currentEpoch %d lastVoteEpoch 0\n", clusterMasters)
		if err := os.WriteFile(filepath.Join(n.dir, "nodes.conf"), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

// await waits until every node serves and tells clients of every replica, and
// every replica has caught up.
func (c *Cluster) await() {
	c.t.Helper()
	for i, n := range c.Nodes {
		n.await("the cluster to be complete", func(ctx context.Context, r *redis.Client) bool {
			told := 0
			slots, _ := r.Do(ctx, "CLUSTER", "SLOTS").Slice() // what go-redis asks
			for _, entry := range slots {
				if entry, ok := entry.([]any); ok {
					told += len(entry) - 2 // first and last slot, then nodes
				}
			}
			return told == clusterNodes && strings.Contains(r.ClusterInfo(ctx).Val(), "cluster_state:ok")
		})
		if i >= clusterMasters {
			n.await("the replica to catch up", func(ctx context.Context, r *redis.Client) bool {
				return strings.Contains(r.Info(ctx, "replication").Val(), "master_link_status:up")
			})
		}
	}
}
