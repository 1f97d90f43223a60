package main

// This file implements the sale: its rooms, and what happens in which order.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"github.com/luagen/luagen/examples/flashsale/generated"
	lock "github.com/luagen/luagen/generated"
)

type options struct {
	rooms          []string
	buyers, clerks int
	pieces, limit  int64
}

func (o options) check(rest []string) error {
	switch {
	case len(rest) > 0:
		return fmt.Errorf("found %q, expected flags only", rest[0])
	case o.buyers < 1 || o.clerks < 1 || o.pieces < 1 || o.limit < 1:
		return errors.New("--buyers, --clerks, --pieces and --limit are at least 1")
	}
	return nil
}

// sale is one flash sale. Its keys are in one hash slot, as most scripts touch
// several of them.
type sale struct {
	options
	client  *redis.Client
	scripts *generated.Scripts
	locks   *lock.Scripts
	prefix  string // of all keys

	took time.Duration // from the first order to the last

	// What the process itself saw, which audit compares with the server.
	mu     sync.Mutex
	orders map[string]sold // that stand, by order id
	fences map[string]int64
	inside map[string]*atomic.Int32 // clerks in a room at this moment

	count counters
}

// sold is what a buyer was told.
type sold struct {
	room, user string
	pieces     int64
}

// counters count what happened.
type counters struct {
	calls, orders, twice, refunds, soldOut, overLimit, tooOften, served atomic.Int64

	turns, waits, moved atomic.Int64 // of clerks

	reopened, soldTwice, overlaps, oldFences, stale atomic.Int64 // none of the first four may happen
}

func newSale(client *redis.Client, opts options) *sale {
	s := &sale{
		options: opts,
		client:  client,
		scripts: generated.New(client),
		locks:   lock.New(client),
		prefix:  "{flashsale:" + newID() + "}:",
		orders:  map[string]sold{},
		fences:  map[string]int64{},
		inside:  map[string]*atomic.Int32{},
	}
	for _, room := range opts.rooms {
		s.inside[room] = new(atomic.Int32)
	}
	return s
}

func (s *sale) stock(room string) string   { return s.prefix + "stock:" + room }
func (s *sale) queue(room string) string   { return s.prefix + "queue:" + room }
func (s *sale) lock(room string) string    { return s.prefix + "lock:" + room }
func (s *sale) counter(room string) string { return s.prefix + "fence:" + room }
func (s *sale) guard(room string) string   { return s.prefix + "guard:" + room }
func (s *sale) admitted(user string) string {
	return s.prefix + "admitted:" + user
}
func (s *sale) bought() string    { return s.prefix + "bought" }
func (s *sale) allOrders() string { return s.prefix + "orders" }

func (s *sale) stocks() []string {
	keys := make([]string, len(s.rooms))
	for i, room := range s.rooms {
		keys[i] = s.stock(room)
	}
	return keys
}

// run opens the rooms, lets everybody in at once, and serves at the end those
// who still wait.
func (s *sale) run(ctx context.Context) error {
	if err := s.open(ctx); err != nil {
		return err
	}
	start := time.Now()
	group, rush := errgroup.WithContext(ctx)
	for i := range s.buyers {
		group.Go(func() error { return s.buyer(rush, "user-"+strconv.Itoa(i)) })
	}
	for range s.clerks {
		group.Go(func() error { return s.clerk(rush) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	for _, room := range s.rooms {
		if err := s.serveWaiting(ctx, room); err != nil {
			return err
		}
	}
	s.took = time.Since(start)
	return s.slowClerk(ctx)
}

// open puts every room on sale, from two places at once: only one of them may
// fill the shelves.
func (s *sale) open(ctx context.Context) error {
	for _, room := range s.rooms {
		var opened atomic.Int64
		group, ctx := errgroup.WithContext(ctx)
		for range 2 {
			group.Go(func() error {
				reply, err := s.scripts.OpenRoom(ctx, s.stock(room), s.pieces)
				if reply == generated.OpenRoomReplyOpened && err == nil {
					opened.Add(1)
				}
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return fmt.Errorf("opening the room %s: %w", room, err)
		}
		s.count.reopened.Add(opened.Load() - 1)
	}
	return nil
}

// tell writes what happened.
func (s *sale) tell(ctx context.Context, w io.Writer) error {
	report, err := s.scripts.Report(ctx, s.bought(), s.allOrders(), s.stocks()...)
	if err != nil {
		return fmt.Errorf("asking for the report: %w", err)
	}
	c := &s.count
	var best []string
	for _, b := range report.Best {
		best = append(best, fmt.Sprintf("%s with %d", b.Key, b.Value))
	}
	for _, line := range []struct {
		what string
		text string
	}{
		{"orders", fmt.Sprintf("%d sent in %v, %d of them for the second time", c.calls.Load(), s.took.Round(time.Millisecond), c.twice.Load())},
		{"sold", fmt.Sprintf("%d pieces in %d orders, %d pieces left", report.Sold, report.Orders, report.Left)},
		{"refused", fmt.Sprintf("%d sold out, %d over the limit, %d not admitted for ordering too often", c.soldOut.Load(), c.overLimit.Load(), c.tooOften.Load())},
		{"taken back", fmt.Sprintf("%d orders; %d were served from the queue", c.refunds.Load(), c.served.Load())},
		{"clerks", fmt.Sprintf("moved %d pieces in %d turns under a lock, for which they waited %d times", c.moved.Load(), c.turns.Load(), c.waits.Load())},
		{"best buyers", strings.Join(best, ", ")},
	} {
		fmt.Fprintf(w, "  %-12s %s\n", line.what, line.text)
	}
	return nil
}

// cleanUp removes every key of the sale, also after a cancelled one.
func (s *sale) cleanUp() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	keys := s.client.Scan(ctx, 0, s.prefix+"*", 1000).Iterator()
	for keys.Next(ctx) {
		s.client.Unlink(ctx, keys.Val())
	}
}
