// This file implements the choice, for each call of a pipeline or transaction,
// between the digest of its script and its text.
//
// A digest may be unknown when its turn comes, because of a restart, a failover
// or a SCRIPT FLUSH just then; the calls behind it are run all the same. A text
// is always understood.

package redislua

import (
	"hash/maphash"
	"sync"

	"github.com/redis/go-redis/v9"
)

// forms returns how each call names its script; nil is all by digest.
func (b *Batch) forms(l *lists) []form {
	_, ring := b.caller.client.(*redis.Ring)
	switch recovery := b.caller.options.recovery; {
	case recovery == RecoverNever:
		return nil
	case recovery == RecoverByEval, b.tx && ring:
		return l.formsOf(func(*queued) form { return byText })
	case b.tx:
		return l.txForms()
	}
	return b.caller.pipelineForms(l)
}

func (l *lists) formsOf(of func(*queued) form) []form {
	l.forms = l.forms[:0]
	for _, p := range l.queued {
		l.forms = append(l.forms, of(p.entry()))
	}
	return l.forms
}

// scriptsKept is how many scripts that came as text a server keeps for sure
// while a transaction runs. Redis and Valkey keep 500.
const scriptsKept = 400

// txForms sends each script as text once: nothing comes between the calls of a
// transaction, so that the digest is known behind it.
func (l *lists) txForms() []form {
	sent := make(map[string]bool)
	return l.formsOf(func(q *queued) form {
		if sent[q.call.script.SHA1] {
			return byDigest
		}
		if len(sent) < scriptsKept {
			sent[q.call.script.SHA1] = true
		}
		return byText
	})
}

// pipelineForms sends by digest the calls that share no key with another one
// of the pipeline: one of them that finds its script unknown can be run after
// the others, and nobody can tell. The first call of a script that the client
// has not met goes as text, so that the others find it.
//
// Calls that share a key all go as text; a flush between two of them would have
// the later one run before the former. So does everything beside a call without
// keys, which may touch any.
func (c *Caller) pipelineForms(l *lists) []form {
	for _, p := range l.queued {
		if p.entry().call.keys == 0 {
			return l.formsOf(func(*queued) form { return byText })
		}
	}
	l.keys.fill(l.queued)
	keys := l.keys // of which the slots are used up
	var last *Script
	var known bool
	return l.formsOf(func(q *queued) form {
		shared := keys.nextShared(q.call.keys)
		if q.call.script != last {
			last, known = q.call.script, c.met.has(q.call.script)
		}
		if shared {
			return byText
		}
		if !known {
			c.met.add(q.call.script)
			known = true
			return byText
		}
		return byDigest
	})
}

// know remembers the scripts of calls that went through.
func (c *Caller) know(all []pending) {
	var last *Script
	for _, p := range all {
		if q := p.entry(); q.call.script != last {
			last = q.call.script
			c.met.add(last)
		}
	}
}

// scriptSet is the scripts that a Caller has met at a server. It is a hint, not
// knowledge.
type scriptSet struct{ m sync.Map }

func (s *scriptSet) has(script *Script) bool {
	_, ok := s.m.Load(script)
	return ok
}

func (s *scriptSet) add(script *Script) {
	if !s.has(script) {
		s.m.Store(script, nil)
	}
}

// keySet tells the keys of a pipeline that occur more than once. Keys of one
// hash count as one key, which does no harm.
type keySet struct {
	hashes []uint64 // a power of two; the lowest bit says more than once, 0 is an empty slot
	slots  []int    // where the hash of each key is, for the calls not asked for yet
}

// fill makes it the set of the keys of a pipeline.
func (s *keySet) fill(all []pending) {
	n := 0
	for _, p := range all {
		n += p.entry().call.keys
	}
	size := 8
	for size < 2*n {
		size *= 2
	}
	if cap(s.hashes) < size {
		s.hashes = make([]uint64, size)
	}
	s.hashes, s.slots = s.hashes[:size], s.slots[:0]
	clear(s.hashes)
	seed := maphash.MakeSeed()
	for _, p := range all {
		for _, k := range p.entry().call.sentKeys() {
			s.add(max(maphash.String(seed, k.(string))&^1, 2))
		}
	}
}

// add adds a hash, which is even and not 0.
func (s *keySet) add(hash uint64) {
	last := len(s.hashes) - 1
	for i := int(hash>>1) & last; ; i = (i + 1) & last {
		switch s.hashes[i] &^ 1 {
		case 0:
			s.hashes[i] = hash
		case hash:
			s.hashes[i] |= 1
		default:
			continue
		}
		s.slots = append(s.slots, i)
		return
	}
}

// nextShared reports whether one of the next n keys, those of the next call,
// occurs again in the pipeline.
func (s *keySet) nextShared(n int) bool {
	shared := false
	for _, i := range s.slots[:n] {
		shared = shared || s.hashes[i]&1 == 1
	}
	s.slots = s.slots[n:]
	return shared
}
