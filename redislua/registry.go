// This file implements Registry, the scripts of a program as a set.

package redislua

import "context"

// Registry is an ordered set of scripts.
type Registry struct {
	scripts  []*Script
	byName   map[string]*Script
	byDigest map[string]*Script
}

// NewRegistry returns a Registry of scripts, in that order.
func NewRegistry(scripts ...*Script) *Registry {
	r := &Registry{scripts: scripts, byName: make(map[string]*Script), byDigest: make(map[string]*Script)}
	for _, s := range scripts {
		r.byName[s.Name] = s
		r.byDigest[s.SHA1] = s
	}
	return r
}

// All returns the scripts in order.
func (r *Registry) All() []*Script { return append([]*Script(nil), r.scripts...) }

// Name returns the script with that Go name, nil when there is none.
func (r *Registry) Name(name string) *Script { return r.byName[name] }

// Digest returns the script with that SHA-1 in lower case, nil when there is
// none.
func (r *Registry) Digest(sha1 string) *Script { return r.byDigest[sha1] }

// NodeStatus is what is known of one node.
type NodeStatus struct {
	Node    string    // address
	Replica bool      // whether it is one
	Missing []*Script // scripts that it does not know
	Err     error     // why nothing is known of it
}

// Load loads every script into every node. The error is that of a master; a
// replica that cannot be reached is only reported.
func (r *Registry) Load(ctx context.Context, c Client) ([]NodeStatus, error) { panic("TODO") }

// Missing asks every node which scripts it does not know.
func (r *Registry) Missing(ctx context.Context, c Client) ([]NodeStatus, error) { panic("TODO") }

// Verify returns an error unless every master answers and every node that
// answers knows every script.
func (r *Registry) Verify(ctx context.Context, c Client) error { panic("TODO") }
