// This file implements Registry, the scripts of a program as a set.

package redislua

import "slices"

// Registry is an ordered set of scripts.
type Registry struct {
	scripts  []*Script
	byName   map[string]*Script
	byDigest map[string]*Script
}

// NewRegistry returns a Registry of scripts, in that order.
func NewRegistry(scripts ...*Script) *Registry {
	r := &Registry{scripts: slices.Clone(scripts), byName: make(map[string]*Script), byDigest: make(map[string]*Script)}
	for _, s := range scripts {
		r.byName[s.Name] = s
		r.byDigest[s.SHA1] = s
	}
	return r
}

// All returns the scripts in order.
func (r *Registry) All() []*Script { return slices.Clone(r.scripts) }

// Name returns the script with that Go name, nil when there is none.
func (r *Registry) Name(name string) *Script { return r.byName[name] }

// Digest returns the script with that SHA-1 in lower case, nil when there is
// none.
func (r *Registry) Digest(sha1 string) *Script { return r.byDigest[sha1] }
