package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/lint"
)

// TestSuppressions holds what suppressions reach, and what is said of those
// that reach nothing.
func TestSuppressions(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"-- @allow hardcoded-key the counter is one for all\nreturn redis.call('INCR', 'all')", ""},
		{"-- @allow hardcoded-key\nreturn redis.call('INCR', 'all')", "1 suppression, 2 hardcoded-key"},
		{"-- luagen:allow hardcoded-key one for all\nreturn redis.call('INCR', 'all')", ""},
		{"-- luagen:allow hardcoded-key one for all\n-- and more of it\n\nreturn redis.call('INCR', 'all')", ""},
		{"return redis.call('INCR', 'all') -- luagen:allow hardcoded-key one for all", ""},
		{"return redis.call('INCR', 'all') --- luagen:allow hardcoded-key one for all", ""},
		{"return redis.call('INCR', 'all') --[[luagen:allow hardcoded-key one for all]]", ""},
		{"redis.call('INCR', 'all') -- luagen:allow hardcoded-key one for all\nreturn redis.call('INCR', 'all')", "2 hardcoded-key"},
		{"return redis.call('INCR', 'all') -- luagen:allow hardcoded-key", "1 hardcoded-key, 1 suppression"},
		{"return redis.call('INCR', 'all') -- luagen:allow", "1 hardcoded-key, 1 suppression"},
		{"return redis.call('INCR', 'all') -- luagen:allow hardcoded-keys one for all", "1 hardcoded-key, 1 suppression"},
		{"return redis.call('INCR', KEYS[1]) -- luagen:allow hardcoded-key one for all", "1 suppression"},
		{"return redis.call('INCR', KEYS[1]) -- luagen:allow large-range it is off, so who knows", ""},
		{"return redis.call('INCR', KEYS[1]) -- luagen:allowed is nothing of ours", ""},
	} {
		if got := strings.Join(check(t, c.text+"\n", &lint.Rule{}), ", "); got != c.want {
			t.Errorf("%s\nhas %q, want %q", c.text, got, c.want)
		}
	}
}

// TestSet holds which rules run.
func TestSet(t *testing.T) {
	names := func(s lint.Set, profile ...string) (list []string) {
		for _, r := range All {
			if _, on := s.Severity(r, profile); on {
				list = append(list, r.Name)
			}
		}
		return list
	}
	var plain, only, strict, off lint.Set
	only.Only("wrong-arity")
	strict.Enable("strict")
	off.Disable("failure")
	off.Enable("wrong-arity")
	has := func(list []string, name string) bool { return slices.Contains(list, name) }
	if l := names(plain); !has(l, "wrong-arity") || has(l, "computed-key") || has(l, "large-range") {
		t.Errorf("by default run %q", l)
	}
	if l := names(only); len(l) != 1 || l[0] != "wrong-arity" {
		t.Errorf("alone runs %q", l)
	}
	if l := names(strict); !has(l, "unused-parameter") || !has(l, "wrong-arity") || has(l, "large-range") {
		t.Errorf("with strict run %q", l)
	}
	if l := names(off); !has(l, "wrong-arity") || has(l, "reply-nil-compare") || !has(l, "unused-local") {
		t.Errorf("without failure but for one run %q", l)
	}
	if l := names(plain, "cluster"); !has(l, "computed-key") || has(l, "key-expression") {
		t.Errorf("for a cluster run %q", l)
	}
	if l := names(plain, "proxy"); !has(l, "key-expression") {
		t.Errorf("for a proxy run %q", l)
	}
}
