package lease

// This file implements the errors that callers may tell apart.

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/luagen/luagen/redislua"
)

// The errors, for errors.Is.
var (
	ErrNotObtained = errors.New("the lock was not obtained")
	ErrLost        = errors.New("the lock was lost")
	ErrReleased    = errors.New("the lock was released")
)

// HeldError says that another one holds the lock. It is an [ErrNotObtained],
// and what ended the waiting is in it: a context's error, if there was waiting.
type HeldError struct {
	Key string
	// TTL is how long the other one still may hold it, as the last reply said.
	// It is free later if it is extended, and earlier if it is released.
	TTL   time.Duration
	Cause error // of the end of the context that bounded the wait, or nil
}

func (e *HeldError) Error() string {
	text := fmt.Sprintf("lock %q: %v: another one holds it for %v at most, unless it extends", e.Key, ErrNotObtained, e.TTL)
	if e.Cause != nil {
		text += ": " + e.Cause.Error()
	}
	return text
}

// Unwrap returns ErrNotObtained, and the cause if there is one.
func (e *HeldError) Unwrap() []error {
	if e.Cause == nil {
		return []error{ErrNotObtained}
	}
	return []error{ErrNotObtained, e.Cause}
}

// Reason says how a lock was lost.
type Reason int

// The reasons.
const (
	Expired    Reason = iota // its time was over, and no extension was confirmed
	MaxReached               // its time was over, and the bound of the automatic extension reached
	Vanished                 // its key was gone before its time: deleted, evicted, or the server lost its data
	Stolen                   // another one holds it
	Late                     // the reply that gave it came after its time; it was released
)

var reasons = [...]string{"expired", "max-reached", "vanished", "stolen", "late"}

// String returns a word for the reason, fit for a metric's label.
func (r Reason) String() string {
	if r < 0 || int(r) >= len(reasons) {
		return fmt.Sprintf("Reason(%d)", int(r))
	}
	return reasons[r]
}

var explained = [...]string{
	"its time was over before an extension was confirmed",
	"its time was over and AutoExtend had reached its Max",
	"its key was gone before its time",
	"another one holds it",
	"the reply came after its time, so it was released",
}

// LostError says that the lock was lost, and how. It is an [ErrLost].
type LostError struct {
	Key    string
	Reason Reason
}

func (e *LostError) Error() string {
	return fmt.Sprintf("lock %q: %v: %s", e.Key, ErrLost, explained[e.Reason])
}

// Is makes every LostError an ErrLost, and one that never was held an
// ErrNotObtained as well.
func (e *LostError) Is(target error) bool {
	return target == ErrLost || target == ErrNotObtained && e.Reason == Late
}

// notObtained is the error of a wait that a context ended.
func notObtained(ctx context.Context, key string, last error) error {
	cause := context.Cause(ctx)
	var held *HeldError
	switch {
	case errors.As(last, &held):
		return &HeldError{Key: key, TTL: held.TTL, Cause: cause}
	case last != nil:
		return fmt.Errorf("lock %q: %w: %w: %w", key, ErrNotObtained, cause, last)
	}
	return fmt.Errorf("lock %q: %w: %w", key, ErrNotObtained, cause)
}

// definite tells whether an error says that the request took nothing.
func definite(err error) bool {
	var script *redislua.Error
	var argument *redislua.ArgumentError
	return errors.As(err, &script) || errors.As(err, &argument)
}

// passing are the codes of errors that a server replies with while it starts,
// fails over or is busy.
var passing = []string{"LOADING", "READONLY", "CLUSTERDOWN", "MASTERDOWN", "TRYAGAIN", "BUSY", "NOREPLICAS", "MISCONF", "OOM"}

// lasting tells whether asking again gives the same error.
func lasting(err error) bool {
	var script *redislua.Error
	if errors.As(err, &script) && slices.Contains(passing, script.Code) {
		return false
	}
	return definite(err)
}
