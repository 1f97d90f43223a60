// Package coverage counts how often a script's statements and branches run,
// keeps the counts of many processes in one file, and says what they mean for
// the files that the author wrote.
package coverage

// This file implements points and the counting of them.

import (
	"cmp"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/luagen/luagen/internal/source"
)

// Kind says what it means that a run passes a point. Its value is the letter
// that stands for it in a profile.
type Kind byte

// The kinds. A statement's point is passed before it runs; the condition of an
// elseif or until counts as a statement. The other kinds come in pairs, the two
// outcomes of one branch: of the condition of an if, elseif, while or until, or
// of an operator "and" or "or". A condition or operand that is a literal is no
// branch.
const (
	Statement Kind = 's'
	True      Kind = 't' // the condition held
	False     Kind = 'f' // the condition did not hold
	Right     Kind = 'r' // the operator's right side was evaluated
	Left      Kind = 'l' // the operator's left side decided alone
)

// Point is a place in the text of a script.
type Point struct {
	Kind Kind
	Span source.Span // of the statement, the condition, or the operator with both sides
}

// compare orders points by where they begin, the outer ones first.
func compare(a, b Point) int {
	return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(b.Span.End, a.Span.End), cmp.Compare(a.Kind, b.Kind))
}

// Sort orders points by where they begin, the outer ones first, and drops
// repeats.
func Sort(points []Point) []Point {
	slices.SortFunc(points, compare)
	return slices.Compact(points)
}

// Recorder counts for all scripts of any number of engines. It is safe for
// concurrent use.
type Recorder struct {
	file    string // where Save appends
	mu      sync.Mutex
	scripts map[string]map[Point]*atomic.Uint64
}

// NewRecorder returns a recorder whose Save appends to a file.
func NewRecorder(file string) *Recorder {
	return &Recorder{file: file, scripts: map[string]map[Point]*atomic.Uint64{}}
}

// Variable is the environment variable that names the profile to write.
const Variable = "LUATEST_COVERPROFILE"

// FromEnv returns a recorder for the file that LUATEST_COVERPROFILE names, and
// nil when it names none. env looks up variables, as os.Getenv does.
func FromEnv(env func(string) string) *Recorder {
	if file := env(Variable); file != "" {
		return NewRecorder(file)
	}
	return nil
}

// Counter returns the counter of a point of the script with the given digest.
func (r *Recorder) Counter(sha1 string, p Point) *atomic.Uint64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	points := r.scripts[sha1]
	if points == nil {
		points = map[Point]*atomic.Uint64{}
		r.scripts[sha1] = points
	}
	if points[p] == nil {
		points[p] = new(atomic.Uint64)
	}
	return points[p]
}

// take returns what was counted since the last time.
func (r *Recorder) take() Profile {
	r.mu.Lock()
	defer r.mu.Unlock()
	profile := Profile{}
	for sha1, points := range r.scripts {
		for p, c := range points {
			if n := c.Swap(0); n > 0 {
				profile.add(sha1, p, n)
			}
		}
	}
	return profile
}
