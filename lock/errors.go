package lock

// This file implements the errors, which are those of package lease.

import "github.com/luagen/luagen/lock/internal/lease"

// The errors, for errors.Is.
var (
	// ErrNotObtained says that the lock was not obtained because another one
	// holds it, or the context ended while waiting. A [*HeldError] has more.
	ErrNotObtained = lease.ErrNotObtained
	// ErrLost says that the lock is not held any more although it was not
	// released. A [*LostError] says how it was lost.
	ErrLost = lease.ErrLost
	// ErrReleased says that the lease was given up here, by [Lease.Release] or
	// [Lease.Detach].
	ErrReleased = lease.ErrReleased
)

// HeldError says that another one holds the lock, and how long it still may.
type HeldError = lease.HeldError

// LostError says which lock was lost, and how.
type LostError = lease.LostError

// LossReason says how a lock was lost.
type LossReason = lease.Reason

// The ways to lose a lock.
const (
	Expired    = lease.Expired    // its time was over before an extension was confirmed
	MaxReached = lease.MaxReached // its time was over, and AutoExtend had reached its Max
	Vanished   = lease.Vanished   // its key was gone before its time: deleted, evicted, or lost with the server's data
	Stolen     = lease.Stolen     // another one holds it
	Late       = lease.Late       // the reply that gave it came after its time, so it was released
)
