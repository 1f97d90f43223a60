package main

// This file implements the buyers.

import (
	"context"
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"time"

	"github.com/luagen/luagen/examples/flashsale/generated"
)

const (
	arrival    = 100 * time.Millisecond // within which all buyers come
	tries      = 8                      // orders that one buyer makes
	burst      = 3                      // orders that a user may make in a window
	window     = 30 * time.Millisecond
	mostPieces = 3 // in one order
)

// buyer orders in rooms at random until the tries are used up or a room is sold
// out, and then queues for it. One in four takes the last order back.
func (s *sale) buyer(ctx context.Context, user string) error {
	if err := sleep(ctx, mathrand.N(arrival)); err != nil {
		return err
	}
	var lastRoom, lastOrder string
	for range tries {
		admitted, err := s.scripts.Admit(ctx, s.admitted(user), burst, window)
		if err != nil {
			return fmt.Errorf("admitting %s: %w", user, err)
		}
		if !admitted {
			s.count.tooOften.Add(1)
			if err := sleep(ctx, window); err != nil {
				return err
			}
			continue
		}
		room := s.rooms[mathrand.IntN(len(s.rooms))]
		order, outcome, err := s.buy(ctx, room, user, 1+mathrand.Int64N(mostPieces))
		if err != nil {
			return err
		}
		if outcome == generated.BuyOutcomeSoldOut {
			now := float64(time.Now().UnixMilli())
			if _, err := s.scripts.WaitFor(ctx, s.queue(room), user, now); err != nil {
				return fmt.Errorf("queueing %s for %s: %w", user, room, err)
			}
			break
		}
		if outcome == generated.BuyOutcomeSold {
			lastRoom, lastOrder = room, order
		}
	}
	if lastOrder == "" || mathrand.IntN(4) > 0 {
		return nil
	}
	return s.refund(ctx, lastRoom, lastOrder)
}

// buy sends one order, one in four of them twice.
func (s *sale) buy(ctx context.Context, room, user string, pieces int64) (order string, outcome generated.BuyOutcome, err error) {
	params := generated.BuyParams{
		Stock: s.stock(room), Bought: s.bought(), Orders: s.allOrders(),
		Order: newID(), Room: room, User: user, Quantity: pieces, Limit: s.limit,
	}
	times := 1
	if mathrand.IntN(4) == 0 {
		times = 2
		s.count.twice.Add(1)
	}
	for i := range times {
		s.count.calls.Add(1)
		reply, err := s.scripts.Buy(ctx, params)
		if err != nil {
			return "", 0, fmt.Errorf("selling %d pieces of %s to %s: %w", pieces, room, user, err)
		}
		again := i > 0 && outcome == generated.BuyOutcomeSold
		outcome = reply.Outcome
		switch {
		case again && outcome != generated.BuyOutcomeSold:
			s.count.soldTwice.Add(1) // it was not taken for the same order
		case outcome == generated.BuyOutcomeSold && !again:
			s.count.orders.Add(1)
			s.remember(params.Order, sold{room, user, pieces})
		case outcome == generated.BuyOutcomeSoldOut:
			s.count.soldOut.Add(1)
		case outcome == generated.BuyOutcomeOverLimit:
			s.count.overLimit.Add(1)
		}
	}
	return params.Order, outcome, nil
}

func (s *sale) remember(order string, what sold) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orders[order] = what
}

// refund takes an order back, which only its buyer does.
func (s *sale) refund(ctx context.Context, room, order string) error {
	pieces, err := s.scripts.Refund(ctx, s.stock(room), s.bought(), s.allOrders(), order)
	if err != nil {
		return fmt.Errorf("taking the order %s back: %w", order, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if pieces == s.orders[order].pieces {
		delete(s.orders, order)
	}
	s.count.refunds.Add(1)
	return nil
}

// serveWaiting sells what is left in a room to those who wait for it, in their
// order.
func (s *sale) serveWaiting(ctx context.Context, room string) error {
	for {
		users, err := s.scripts.NextWaiting(ctx, s.queue(room), 10)
		if err != nil {
			return fmt.Errorf("asking who waits for %s: %w", room, err)
		}
		if len(users) == 0 {
			return nil
		}
		for _, user := range users {
			_, outcome, err := s.buy(ctx, room, user, 1)
			if err != nil {
				return err
			}
			if outcome == generated.BuyOutcomeSold {
				s.count.served.Add(1)
			}
		}
	}
}

// newID returns a name that nobody else has.
func newID() string { return rand.Text() }

// sleep waits, or returns why the context ended.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
