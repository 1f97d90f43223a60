package main

// This file implements the proof that the sale was right. It trusts no script:
// it reads what is in Redis with plain commands, and compares it with what the
// buyers and clerks of this process were told.

import (
	"context"
	"fmt"
	"strings"
)

// check is something that must hold.
type check struct {
	what   string
	detail string
	holds  bool
}

// audit returns what must hold after the sale; its error is the server's.
func (s *sale) audit(ctx context.Context) ([]check, error) {
	var left int64
	negative := []string{}
	for _, room := range s.rooms {
		n, err := s.client.Get(ctx, s.stock(room)).Int64()
		if err != nil {
			return nil, fmt.Errorf("reading the stock of %s: %w", room, err)
		}
		left += n
		if n < 0 {
			negative = append(negative, fmt.Sprintf("%s at %d", room, n))
		}
	}
	orders, err := s.client.HGetAll(ctx, s.allOrders()).Result()
	if err != nil {
		return nil, fmt.Errorf("reading the orders: %w", err)
	}
	bought, err := s.client.ZRangeWithScores(ctx, s.bought(), 0, -1).Result()
	if err != nil {
		return nil, fmt.Errorf("reading what users bought: %w", err)
	}

	var inOrders, inBought, most int64
	byUser := map[string]int64{}
	for _, order := range s.orders {
		byUser[order.user] += order.pieces
	}
	strangers := differences(orders, s.orders)
	for _, order := range orders {
		inOrders += piecesOf(order)
	}
	wrong := 0
	for _, user := range bought {
		n := int64(user.Score)
		inBought += n
		most = max(most, n)
		if name, _ := user.Member.(string); byUser[name] != n {
			wrong++
		}
	}

	total := s.pieces * int64(len(s.rooms))
	c := &s.count
	refused := c.stale.Load() == 1
	return []check{
		{"sold and left make what was on sale", fmt.Sprintf("%d + %d = %d", inOrders, left, total), inOrders+left == total},
		{"no stock is below zero", nobody(strings.Join(negative, ", ")), len(negative) == 0},
		{"every order stands that a buyer was told of, and no other", fmt.Sprintf("%d orders, %d differ", len(orders), strangers), strangers == 0},
		{"every user has the pieces of the orders", fmt.Sprintf("%d pieces of %d users, %d differ", inBought, len(bought), wrong), inBought == inOrders && wrong == 0 && len(bought) == len(byUser)},
		{"nobody has more than the limit", fmt.Sprintf("%d at most, of %d", most, s.limit), most <= s.limit},
		{"no room was opened twice, no order sold twice", nobody(count(c.reopened.Load() + c.soldTwice.Load())), c.reopened.Load()+c.soldTwice.Load() == 0},
		{"never two clerks in one room", nobody(count(c.overlaps.Load())), c.overlaps.Load() == 0},
		{"fences only grow", nobody(count(c.oldFences.Load())), c.oldFences.Load() == 0},
		{"the clerk that outlived its lease was refused", map[bool]string{true: "its fence was old", false: "it moved pieces"}[refused], refused},
	}, nil
}

// differences counts the orders that are in one of the books and not in the
// other, or not the same.
func differences(stored map[string]string, told map[string]sold) int {
	n := 0
	for id, order := range told {
		if stored[id] != fmt.Sprintf("%s %d %s", order.room, order.pieces, order.user) {
			n++
		}
	}
	for id := range stored {
		if _, ok := told[id]; !ok {
			n++
		}
	}
	return n
}

// piecesOf returns the pieces of a stored order, "room pieces user".
func piecesOf(order string) int64 {
	var room string
	var pieces int64
	_, _ = fmt.Sscan(order, &room, &pieces) // an order that cannot be read is no piece, and unbalances the books
	return pieces
}

func count(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d times", n)
}

func nobody(text string) string {
	if text == "" {
		return "none found"
	}
	return text
}
