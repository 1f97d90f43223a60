// Package shop has the types that the golden packages take for a user's own.
package shop

import (
	"fmt"
	"strings"
)

// Order travels as a document.
type Order struct {
	SKU   string `json:"sku" msgpack:"sku"`
	Count int    `json:"count" msgpack:"count"`
}

// ID is a string of its own.
type ID string

// Level is an integer of its own.
type Level int

// Code writes and reads itself as text.
type Code struct{ Letter, Digit byte }

// MarshalText writes the code as L-D.
func (c Code) MarshalText() ([]byte, error) {
	return []byte{c.Letter, '-', c.Digit}, nil
}

// UnmarshalText reads what MarshalText writes.
func (c *Code) UnmarshalText(text []byte) error {
	letter, digit, ok := strings.Cut(string(text), "-")
	if !ok || len(letter) != 1 || len(digit) != 1 {
		return fmt.Errorf("%q is no code", text)
	}
	c.Letter, c.Digit = letter[0], digit[0]
	return nil
}
