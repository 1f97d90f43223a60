// This file implements what a Registry asks of every node of a client.

package redislua

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/redis/go-redis/v9"
)

// NodeStatus is what is known of one node.
type NodeStatus struct {
	Node    string    // address; empty for the servers behind an AutoPipeliner, which answer as one
	Replica bool      // of a cluster
	Missing []*Script // scripts that it does not know
	Err     error     // why nothing is known of it
}

// Load loads every script that a node does not know into it, on all nodes at
// once: the server, every master and replica of a cluster, every shard of a
// Ring. A script is loaded under its digest or not at all. The statuses are in
// the order of the addresses; the error is that of a master. A replica or a
// shard that is down is only reported.
func (r *Registry) Load(ctx context.Context, c Client) ([]NodeStatus, error) {
	return r.each(ctx, c, func(ctx context.Context, n redis.Scripter, status *NodeStatus) {
		r.missing(ctx, n, status)
		for len(status.Missing) > 0 && status.Err == nil {
			s := status.Missing[0]
			digest, err := n.ScriptLoad(ctx, s.Source).Result()
			switch {
			case err != nil:
				status.Err = scriptError(s, err)
			case digest != s.SHA1:
				status.Err = fmt.Errorf("loading %s: the server's digest is %s, expected %s; run luagen generate", s.Name, digest, s.SHA1)
			default:
				status.Missing = status.Missing[1:]
			}
		}
	})
}

// Missing asks every node which scripts it does not know. The error is that of
// a master.
func (r *Registry) Missing(ctx context.Context, c Client) ([]NodeStatus, error) {
	return r.each(ctx, c, r.missing)
}

// Verify is for health checks: it returns an error unless every master answers
// and every node that answers knows every script. Calls recover from a script
// that is missing, unless [RecoverNever] is chosen.
func (r *Registry) Verify(ctx context.Context, c Client) error {
	statuses, err := r.Missing(ctx, c)
	errs := []error{err}
	for _, status := range statuses {
		if len(status.Missing) > 0 && status.Err == nil {
			names := make([]string, len(status.Missing))
			for i, s := range status.Missing {
				names[i] = s.Name
			}
			errs = append(errs, fmt.Errorf("node %s lacks %s", status.Node, strings.Join(names, ", ")))
		}
	}
	return errors.Join(errs...)
}

// missing fills the status of one node.
func (r *Registry) missing(ctx context.Context, n redis.Scripter, status *NodeStatus) {
	if len(r.scripts) == 0 {
		return
	}
	digests := make([]string, len(r.scripts))
	for i, s := range r.scripts {
		digests[i] = s.SHA1
	}
	known, err := n.ScriptExists(ctx, digests...).Result()
	if err == nil && len(known) != len(digests) {
		err = fmt.Errorf("SCRIPT EXISTS answered %d of %d", len(known), len(digests))
	}
	if err != nil {
		status.Err = err
		return
	}
	for i, s := range r.scripts {
		if !known[i] {
			status.Missing = append(status.Missing, s)
		}
	}
}

// each visits all nodes of c at once and returns their statuses.
func (r *Registry) each(ctx context.Context, c Client, visit func(context.Context, redis.Scripter, *NodeStatus)) ([]NodeStatus, error) {
	var mu sync.Mutex
	var statuses []NodeStatus
	var fatal []error
	on := func(replica, optional bool) func(context.Context, *redis.Client) error {
		return func(ctx context.Context, n *redis.Client) error {
			status := NodeStatus{Node: n.Options().Addr, Replica: replica}
			visit(ctx, n, &status)
			mu.Lock()
			defer mu.Unlock()
			statuses = append(statuses, status)
			if status.Err != nil && !replica && !optional {
				fatal = append(fatal, fmt.Errorf("node %s: %w", status.Node, status.Err))
			}
			return nil
		}
	}
	var err error
	switch c := c.(type) {
	case *redis.Client:
		err = on(false, false)(ctx, c)
	case *redis.ClusterClient:
		err = errors.Join(c.ForEachMaster(ctx, on(false, false)), c.ForEachSlave(ctx, on(true, true)))
	case *redis.Ring:
		err = c.ForEachShard(ctx, on(false, false))
		statuses = append(statuses, shardsDown(c)...)
	default:
		n, ok := c.(redis.Scripter)
		if !ok {
			return nil, fmt.Errorf("loading scripts through a %T: it cannot send SCRIPT LOAD", c)
		}
		var status NodeStatus
		visit(ctx, n, &status)
		statuses, err = append(statuses, status), status.Err
	}
	slices.SortFunc(statuses, func(a, b NodeStatus) int { return strings.Compare(a.Node, b.Node) })
	return statuses, errors.Join(append(fatal, err)...)
}

// errShardDown is the status of a shard that a Ring does without.
var errShardDown = errors.New("the shard is down")

func shardsDown(c *redis.Ring) []NodeStatus {
	up := make(map[string]bool)
	for _, shard := range c.GetShardClients() {
		up[shard.Options().Addr] = true
	}
	var down []NodeStatus
	for _, addr := range c.Options().Addrs {
		if !up[addr] {
			down = append(down, NodeStatus{Node: addr, Err: errShardDown})
		}
	}
	return down
}
