// This file implements Value, a reply that was not narrowed to a Go type.

package redislua

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Kind is what a [Value] is. RESP2 knows the first five and Failure; the
// others come with RESP3.
type Kind uint8

// The kinds of a Value.
const (
	Nil       Kind = iota // nil or false
	Integer               // a Lua number, cut to an integer, or true
	String                // a string; with RESP3 a verbatim string as well
	Status                // {ok = …}
	Array                 // a table
	Failure               // {err = …} inside a table
	Double                // {double = …}
	Boolean               // true or false after redis.setresp(3)
	BigNumber             // {big_number = …}
	Set                   // {set = …}
	Mapping               // {map = …}
)

func (k Kind) String() string {
	switch k {
	case Integer:
		return "an integer"
	case String:
		return "a string"
	case Status:
		return "a status"
	case Array:
		return "an array"
	case Failure:
		return "an error"
	case Double:
		return "a double"
	case Boolean:
		return "a boolean"
	case BigNumber:
		return "a big number"
	case Set:
		return "a set"
	case Mapping:
		return "a map"
	}
	return "nil"
}

// Value is a reply, or a part of one. The zero Value is nil.
//
// Its accessors convert what a Lua script may mean by it, and are the same
// under RESP2 and RESP3; what does not fit is a [*ReplyError].
type Value struct {
	kind Kind
	num  int64   // Integer; Boolean as 1 or 0
	text string  // String, Status, Failure, Double, BigNumber
	list []Value // Array, Set; Map as key, value, key, value …
}

// Kind returns what v is.
func (v Value) Kind() Kind { return v.kind }

// IsNil reports whether v is nil, or false, which is the same to a client.
func (v Value) IsNil() bool {
	return v.kind == Nil || v.kind == Boolean && v.num == 0
}

// Int returns an integer, a string that is one, also as Lua writes large numbers
// (1e+15), or a double without a fraction.
func (v Value) Int() (int64, error) {
	switch v.kind {
	case Integer:
		return v.num, nil
	case String, BigNumber, Status, Double:
		if n, err := strconv.ParseInt(v.text, 10, 64); err == nil {
			return n, nil
		}
		// Lua writes a number from 1e15 on as 1e+15.
		if v.kind != Double && !strings.Contains(v.text, "e+") {
			break
		}
		if f, err := parseFloat(v.text); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<63 {
			return int64(f), nil
		}
	}
	return 0, v.unexpected("an integer")
}

// Uint returns an integer that is not negative, or a string that is one.
func (v Value) Uint() (uint64, error) {
	if v.kind == String || v.kind == BigNumber {
		if n, err := strconv.ParseUint(v.text, 10, 64); err == nil {
			return n, nil
		}
		return 0, v.unexpected("an integer of at least 0")
	}
	n, err := v.Int()
	if err != nil || n < 0 {
		return 0, v.unexpected("an integer of at least 0")
	}
	return uint64(n), nil
}

// Float returns a double, an integer, or a string that is a number as C or
// Redis writes it.
func (v Value) Float() (float64, error) {
	switch v.kind {
	case Integer:
		return float64(v.num), nil
	case String, Double, BigNumber:
		if f, err := parseFloat(v.text); err == nil {
			return f, nil
		}
	}
	return 0, v.unexpected("a number")
}

// parseFloat reads a number as C's printf writes it.
func parseFloat(text string) (float64, error) {
	if text == "-nan" {
		return math.NaN(), nil
	}
	return strconv.ParseFloat(text, 64)
}

// Text returns a string or a status; of a double or a big number its digits.
func (v Value) Text() (string, error) {
	switch v.kind {
	case String, Status, Double, BigNumber:
		return v.text, nil
	}
	return "", v.unexpected(wantString)
}

// Bytes returns what Text does.
func (v Value) Bytes() ([]byte, error) {
	text, err := v.Text()
	return []byte(text), err
}

// Bool returns true for 1 or "1", false for 0, "0" or nil.
func (v Value) Bool() (bool, error) {
	switch {
	case v.kind == Nil, v.kind == Integer && v.num == 0, v.kind == String && v.text == "0":
		return false, nil
	case v.kind == Integer && v.num == 1, v.kind == String && v.text == "1":
		return true, nil
	case v.kind == Boolean:
		return v.num == 1, nil
	}
	return false, v.unexpected("1, 0 or nil")
}

// List returns the elements of an array or a set; of a map its keys and
// values, alternately. They are v's own.
func (v Value) List() ([]Value, error) {
	switch v.kind {
	case Array, Set, Mapping:
		return v.list, nil
	}
	return nil, v.unexpected(wantArray)
}

// Map returns a map, or a flat array of keys and values, by the text of the
// keys.
func (v Value) Map() (map[string]Value, error) {
	list, err := v.flat()
	if err != nil {
		return nil, err
	}
	m := make(map[string]Value, len(list)/2)
	for i := 0; i < len(list); i += 2 {
		key, err := list[i].keyText()
		if err != nil {
			return nil, within(err, index(i))
		}
		m[key] = list[i+1]
	}
	return m, nil
}

func (v Value) keyText() (string, error) {
	if v.kind == Integer {
		return strconv.FormatInt(v.num, 10), nil
	}
	return v.Text()
}

// flat returns keys and values, alternately.
func (v Value) flat() ([]Value, error) {
	list, err := v.List()
	if err != nil || len(list)%2 != 0 {
		return nil, v.unexpected(wantFlat)
	}
	return list, nil
}

// Err returns an error that a script put inside a table, and nil for every
// other kind.
func (v Value) Err() error {
	if v.kind != Failure {
		return nil
	}
	return parseError(nil, redisError(v.text))
}

// Any returns v as Go's plain types: nil, int64, string, float64, bool,
// []any, map[string]any, and error for a Failure. A map whose keys are not
// strings or integers is a []any.
func (v Value) Any() any {
	switch v.kind {
	case Integer:
		return v.num
	case String, Status, BigNumber:
		return v.text
	case Double:
		if f, err := parseFloat(v.text); err == nil {
			return f
		}
		return v.text
	case Boolean:
		return v.num == 1
	case Failure:
		return v.Err()
	case Mapping:
		if m, err := v.Map(); err == nil {
			plain := make(map[string]any, len(m))
			for k, e := range m {
				plain[k] = e.Any()
			}
			return plain
		}
		fallthrough
	case Array, Set:
		plain := make([]any, len(v.list))
		for i, e := range v.list {
			plain[i] = e.Any()
		}
		return plain
	}
	return nil
}

// String returns v for people to read.
func (v Value) String() string {
	switch v.kind {
	case Integer:
		return strconv.FormatInt(v.num, 10)
	case String:
		return strconv.Quote(v.text)
	case Status, Double, BigNumber:
		return v.text
	case Failure:
		return "error(" + v.text + ")"
	case Boolean:
		return strconv.FormatBool(v.num == 1)
	case Array, Set, Mapping:
		parts := make([]string, len(v.list))
		for i, e := range v.list {
			parts[i] = e.String()
		}
		return "[" + strings.Join(parts, " ") + "]"
	}
	return "nil"
}

// What is wanted where any string, array or map will do.
const (
	wantString = "a string"
	wantArray  = "an array"
	wantFlat   = "a map, or an array of keys and values"
)

// unexpected is the error that v is not what was wanted.
func (v Value) unexpected(want string) error {
	e := &ReplyError{Want: want, Got: v.kind.String()}
	switch v.kind {
	case String, Status, Integer:
		// A kind that is accepted with another content.
		switch want {
		case wantString, wantArray, wantFlat:
		default:
			e.Got = strings.Replace(strings.Replace(e.Got, "an ", "another ", 1), "a ", "another ", 1)
		}
	case Array, Set:
		e.Got += fmt.Sprintf(" of %d", len(v.list))
	case Mapping:
		e.Got += fmt.Sprintf(" of %d", len(v.list)/2)
	case Failure:
		err := parseError(nil, redisError(v.text))
		e.Got, e.Err = "the error "+err.Code, err
	}
	return e
}

func index(i int) string { return "[" + strconv.Itoa(i) + "]" }
