package lock

// This file implements telling others what happens to locks.

import (
	"context"
	"log/slog"

	"github.com/luagen/luagen/lock/internal/lease"
)

// Event is something that happened to a lock.
//
//   - Obtained: Duration is how long it took to get it.
//   - Contended: another one was found to hold it by a call that waits; Duration
//     is how long it still may. Told once for each call.
//   - Extended: an extension was confirmed; Duration is how long that took.
//   - Lost: Err is a [*LostError] and Reason a word for its reason; Duration is
//     how long it was held.
//   - Released: Duration is how long it was held.
//   - Failed: something ended with Err after Duration. Reason is "held",
//     "context", "late" or "error" for a lock that was not obtained, and
//     "extend" or "release" for a request about one that was.
type Event = lease.Event

// EventKind is what an [Event] tells of.
type EventKind = lease.Kind

// The kinds of events.
const (
	Obtained  = lease.Obtained
	Contended = lease.Contended
	Extended  = lease.Extended
	Lost      = lease.Lost
	Released  = lease.Released
	Failed    = lease.Failed
)

// Observer is told of events. It is called on the goroutine that has the event,
// by many at a time.
type Observer func(Event)

func logTo(logger *slog.Logger) Observer {
	return func(e Event) {
		level := slog.LevelDebug
		if e.Kind == Lost || e.Kind == Failed && e.Reason != "held" && e.Reason != "context" {
			level = slog.LevelWarn
		}
		ctx := context.Background()
		if !logger.Enabled(ctx, level) {
			return
		}
		attrs := []slog.Attr{slog.String("key", e.Key), slog.Duration("duration", e.Duration)}
		if e.Fence != 0 {
			attrs = append(attrs, slog.Int64("fence", e.Fence))
		}
		if e.Reason != "" {
			attrs = append(attrs, slog.String("reason", e.Reason))
		}
		if e.Err != nil {
			attrs = append(attrs, slog.Any("error", e.Err))
		}
		logger.LogAttrs(ctx, level, "lock "+e.Kind.String(), attrs...)
	}
}
