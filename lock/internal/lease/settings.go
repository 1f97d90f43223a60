package lease

// This file implements how a lease is to be obtained and kept, and the events
// that tell what became of it.

import (
	"context"
	"fmt"
	"time"
)

// Settings say how a lease is obtained and kept.
type Settings struct {
	TTL time.Duration
	// Max bounds the automatic extension, counted from when the lease was asked
	// for; 0: it is not extended.
	Max time.Duration
	// A waiter polls after MinPause, and doubles the pause up to MaxPause.
	MinPause, MaxPause time.Duration
	Observe            func(Event) // nil: nobody is told
	// Subscribe listens for releases, so that waiters need not poll; nil: they poll.
	Subscribe func(ctx context.Context, key string) (Subscription, error)
	Wake      bool  // releases are told, and waiters listen
	Err       error // of an option that makes no sense
}

// The defaults.
const (
	defaultTTL      = 10 * time.Second
	defaultMinPause = 20 * time.Millisecond
	defaultMaxPause = 500 * time.Millisecond
)

// Defaults returns the settings without any option.
func Defaults() Settings {
	return Settings{TTL: defaultTTL, MinPause: defaultMinPause, MaxPause: defaultMaxPause}
}

// Checked returns the settings for a call, or the error that they make.
func (s Settings) Checked() (Settings, error) {
	if s.Err == nil && s.Max > 0 {
		s.TTL = min(s.TTL, s.Max)
		if err := CheckTTL(s.TTL); err != nil {
			return s, fmt.Errorf("lock.Max: %w", err)
		}
	}
	return s, s.Err
}

// Subscription is a subscription to the releases of a key, in force.
type Subscription interface {
	// Released gets something after each release, and is closed when the
	// subscription ends.
	Released() <-chan struct{}
	Close()
}

// Kind is what happened.
type Kind int

// The kinds of events.
const (
	Obtained  Kind = iota // after Duration of waiting
	Contended             // another one was found to hold it, once for each Obtain
	Extended              // an extension was confirmed, after Duration
	Lost                  // after Duration of holding it
	Released              // after Duration of holding it
	Failed                // obtaining, extending or releasing ended with Err after Duration
)

var kinds = [...]string{"obtained", "contended", "extended", "lost", "released", "failed"}

// String returns a word for the kind.
func (k Kind) String() string { return kinds[k] }

// Event is something that happened to a lock.
type Event struct {
	Kind     Kind
	Key      string
	Fence    int64 // 0 while it is not held
	Duration time.Duration
	Err      error  // of Lost, a *LostError; of Failed
	Reason   string // of Lost and Failed, one of few words, fit for a metric's label
}

func (s *Settings) tell(e Event) {
	if s.Observe != nil {
		s.Observe(e)
	}
}
