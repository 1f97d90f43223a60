// Package lease holds what the locks of this module have in common, whatever
// they lock and wherever: a lease with a deadline, its extension, its release,
// and the line of those who wait for it.
package lease

// This file implements what leases are made of: the object that is leased.

import (
	"context"
	"time"
)

// Object is something that a token may hold for a time, at a server or at many.
//
// Each method may be called again with the same arguments: a request whose
// reply was lost does no harm. None of them is given a context that ends with
// the caller's.
type Object interface {
	// Keys are what the object is called, one name or more; never empty.
	Keys() []string
	// Acquire takes the object for token, or takes its time anew if token has it.
	Acquire(ctx context.Context, token string, ttl time.Duration) (Grant, error)
	// Extend gives the holder a new time, and takes nothing that is gone.
	Extend(ctx context.Context, token string, fence int64, ttl time.Duration) (Outcome, error)
	// Release frees the object if token and fence hold it.
	Release(ctx context.Context, token string, fence int64) (Outcome, error)
	// Abandon frees the object if token holds it, whatever the fence. It follows
	// an Acquire whose reply was lost.
	Abandon(ctx context.Context, token string) error
}

// Grant is the reply of Acquire.
type Grant struct {
	Held  bool          // by another; nothing was taken
	Fence int64         // of the new holder
	TTL   time.Duration // how long the other one still may hold it, if Held
	// Shared says that others may get the object at the same time.
	Shared bool
}

// Outcome is the reply of Extend and Release.
type Outcome int

// The outcomes.
const (
	Gone  Outcome = iota // there was nothing to extend or release
	Done                 // it was extended or released
	Taken                // another one holds it
)

// margin is what a holder gives away of its time: 1 % for clocks that run at
// different speeds, 2 ms for how coarse a server expires keys.
func margin(ttl time.Duration) time.Duration { return ttl/100 + 2*time.Millisecond }

// deadline is when a holder stops that asked at start for ttl. The server
// counts from when the request arrives, which is later, so the key outlives it.
func deadline(start time.Time, ttl time.Duration) time.Time { return start.Add(ttl - margin(ttl)) }
