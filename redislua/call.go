// This file implements Call, the arguments of one call of a script on their
// way to the server.

package redislua

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"sync"
	"time"
)

// Call collects the keys, then the arguments, of one call of a script, in the
// order of KEYS and ARGV. The first argument that cannot be sent is kept and
// returned by [Run] as an [*ArgumentError]; nothing is sent then.
//
// A Call is used once: [Run], [Queue] and their like take it over.
type Call struct {
	script *Script
	args   []any // command, digest, number of keys, keys, arguments
	keys   int
	absent int // absent arguments that nothing follows so far
	err    error
	reply  reply
	digest any // the script's, or that of the last one
}

// calls keeps Calls for the next call. It holds memory, not state: what a Call
// says is written anew each time, and what go-redis and its hooks see of a
// command is never taken back.
var calls = sync.Pool{New: func() any { return new(Call) }}

// argsBefore is the number of words before the first key: command, digest,
// number of keys.
const argsBefore = 3

// Call starts a call of the script. keys and args are how many of each are
// expected; more are accepted.
func (s *Script) Call(keys, args int) *Call {
	c := calls.Get().(*Call)
	if digest, ok := c.digest.(string); !ok || digest != s.SHA1 {
		c.digest = s.SHA1
	}
	c.script = s
	c.args = append(make([]any, 0, argsBefore+keys+args), nil, c.digest, nil)
	return c
}

// release gives the Call back, after a call that ended with err. Its arguments
// stay with go-redis. Where a connection failed nobody knows who may still
// write to the reply, and the Call is left alone.
func (c *Call) release(err error) {
	if err != nil && !isReply(err) {
		return
	}
	c.script, c.args, c.keys, c.absent, c.err = nil, nil, 0, 0, nil
	c.reply.reset()
	calls.Put(c)
}

// add appends an argument behind those that were absent before it.
func (c *Call) add(v any) {
	for ; c.absent > 0; c.absent-- {
		c.args = append(c.args, "")
	}
	c.args = append(c.args, v)
}

// refuse keeps the first reason why the call cannot be made. The argument's
// place is kept as well, so that later ones are not shifted.
func (c *Call) refuse(name, reason string, err error) {
	if c.err == nil {
		c.err = &ArgumentError{Script: c.script.Name, Argument: name, Reason: reason, Err: err}
	}
	c.add("")
}

// Key adds the next key.
func (c *Call) Key(k string) {
	c.args = append(c.args, k)
	c.keys++
}

// Keys adds the next keys.
func (c *Call) Keys(ks []string) {
	for _, k := range ks {
		c.Key(k)
	}
}

// String adds an argument as it is.
func (c *Call) String(v string) { c.add(v) }

// Strings adds an argument for each element.
func (c *Call) Strings(vs []string) {
	for _, v := range vs {
		c.add(v)
	}
}

// Bytes adds an argument as it is. v must not change until the call returns.
func (c *Call) Bytes(v []byte) { c.add(v) }

// Int adds an argument in decimal.
func (c *Call) Int(v int64) { c.add(v) }

// Uint adds an argument in decimal.
func (c *Call) Uint(v uint64) { c.add(v) }

// Bool adds 1 or 0.
func (c *Call) Bool(v bool) { c.Words(v, "1", "0") }

// Words adds t for true and f for false.
func (c *Call) Words(v bool, t, f string) {
	if v {
		c.add(t)
	} else {
		c.add(f)
	}
}

// Float adds the shortest decimal that reads back as v. NaN and the infinities
// are refused: a script that compares or adds them goes wrong silently.
func (c *Call) Float(name string, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		c.refuse(name, "a finite number is expected, got "+strconv.FormatFloat(v, 'g', -1, 64), nil)
		return
	}
	c.add(strconv.FormatFloat(v, 'g', -1, 64))
}

// Duration adds a whole number of units. A part of a unit is rounded to the
// nearest, half away from zero, except that a duration other than zero never
// becomes zero: a lease of 300 µs is 1 ms, not none.
func (c *Call) Duration(name string, v time.Duration, unit time.Duration) {
	if unit <= 0 {
		c.refuse(name, "a unit of more than zero is expected", nil)
		return
	}
	n := int64(v / unit)
	switch rest := v % unit; {
	case rest >= unit-rest && rest > 0, n == 0 && rest > 0:
		n++
	case -rest >= unit+rest && rest < 0, n == 0 && rest < 0:
		n--
	}
	c.add(n)
}

// Time adds the units since the Unix epoch, rounded down. The zero time.Time
// is refused: it is a field that was never set.
func (c *Call) Time(name string, v time.Time, unit time.Duration) {
	if v.IsZero() {
		c.refuse(name, "a time is expected, got the zero time.Time", nil)
		return
	}
	switch unit {
	case time.Second:
		c.add(v.Unix())
	case time.Millisecond:
		c.add(v.UnixMilli())
	case time.Microsecond:
		c.add(v.UnixMicro())
	default:
		c.refuse(name, "a unit of a second, a millisecond or a microsecond is expected", nil)
	}
}

// JSON adds v as encoding/json writes it. An empty json.RawMessage is refused.
func (c *Call) JSON(name string, v any) {
	if raw, ok := v.(json.RawMessage); ok {
		if !json.Valid(raw) {
			c.refuse(name, "valid JSON is expected", nil)
			return
		}
		c.add([]byte(raw))
		return
	}
	b, err := json.Marshal(v)
	c.Encoded(name, b, err)
}

// Encoded adds the result of an encoder.
func (c *Call) Encoded(name string, b []byte, err error) {
	if err != nil {
		c.refuse(name, "encoding it", err)
		return
	}
	c.add(b)
}

// User adds a value of a user's own type: an encoding.TextMarshaler, or one
// whose kind is a string, an integer, an unsigned integer or a bool.
func (c *Call) User(name string, v any) {
	if m, ok := v.(encoding.TextMarshaler); ok {
		if r := reflect.ValueOf(v); r.Kind() == reflect.Pointer && r.IsNil() {
			c.refuse(name, "a value is expected, got a nil pointer", nil)
			return
		}
		b, err := m.MarshalText()
		c.Encoded(name, b, err)
		return
	}
	r := reflect.ValueOf(v)
	switch {
	case !r.IsValid():
		c.refuse(name, "a value is expected, got nil", nil)
	case r.Kind() == reflect.String:
		c.add(r.String())
	case r.CanInt():
		c.add(r.Int())
	case r.CanUint():
		c.add(r.Uint())
	case r.Kind() == reflect.Bool:
		c.Bool(r.Bool())
	default:
		c.refuse(name, fmt.Sprintf("a string, an integer or an encoding.TextMarshaler is expected, got %T", v), nil)
	}
}

// Absent adds an optional argument that is not there: it is left out when only
// absent ones follow, and is an empty string otherwise.
func (c *Call) Absent() { c.absent++ }

// Empty adds an empty string.
func (c *Call) Empty() { c.add("") }

// SameLength refuses the call when a script that walks keys and arguments side
// by side was given nkeys of the one and nargs of the other.
func (c *Call) SameLength(keys, args string, nkeys, nargs int) {
	if nkeys != nargs && c.err == nil {
		c.err = &ArgumentError{Script: c.script.Name, Argument: args,
			Reason: fmt.Sprintf("as many as %s are expected, %d, got %d", keys, nkeys, nargs)}
	}
}

// check returns why the call cannot be made.
func (c *Call) check() error {
	if c.err != nil {
		return c.err
	}
	if c.keys < c.script.Keys || c.keys > c.script.Keys && !c.script.VariadicKeys {
		return &ArgumentError{Script: c.script.Name, Argument: "keys",
			Reason: fmt.Sprintf("%d keys are expected, got %d", c.script.Keys, c.keys)}
	}
	return nil
}

// ArgumentError says that a call was not made because of an argument. Its text
// names the argument and never shows its value.
type ArgumentError struct {
	Script   string // Go name of the script
	Argument string // name of the argument
	Reason   string
	Err      error // what the encoder said, or nil
}

func (e *ArgumentError) Error() string {
	text := "calling " + e.Script + ": argument " + e.Argument + ": " + e.Reason
	if e.Err != nil {
		text += ": " + encodingReason(e.Err)
	}
	return text
}

func (e *ArgumentError) Unwrap() error { return e.Err }

// encodingReason is an encoder's reason without the value that it may quote.
func encodingReason(err error) string {
	var unsupported *json.UnsupportedValueError
	var unsupportedType *json.UnsupportedTypeError
	switch {
	case errors.As(err, &unsupported):
		return "json: unsupported value of type " + unsupported.Value.Type().String()
	case errors.As(err, &unsupportedType):
		return unsupportedType.Error()
	}
	return err.Error()
}
