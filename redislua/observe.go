// This file implements the hook for observation.

package redislua

import (
	"context"
	"time"
)

// Event is one call of a script, as an [Observer] sees it when it is over. For
// a pipeline or transaction there is one for each script call in it, with the
// duration of the whole.
type Event struct {
	Script    *Script
	Node      string // address of the node that the client would ask; empty when it cannot tell
	Duration  time.Duration
	Recovered bool  // the script was unknown to the node and was loaded or sent as text
	Err       error // what the caller gets
}

// Observer is told of every call that is made, except those [Into] a user's own
// pipeline. It runs on the goroutine of the caller, after the reply and before
// the call returns.
type Observer func(ctx context.Context, e Event)
