// This file implements the decoders, which make Go values of a reply.

package redislua

import (
	"encoding"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Decoder makes a Go value of a reply or of a part of one. A reply of another
// shape is a [*ReplyError]. It takes the same from RESP2 and RESP3.
type Decoder[T any] func(Value) (T, error)

// AsValue takes the reply as it is.
func AsValue(v Value) (Value, error) { return v, nil }

// AsInt takes an integer, or a string that is one.
func AsInt(v Value) (int64, error) { return v.Int() }

// AsUint takes an integer that is not negative, or a string that is one.
func AsUint(v Value) (uint64, error) { return v.Uint() }

// AsFloat takes a number as string, integer or double. A script returns
// fractions as strings; a Lua number loses them.
func AsFloat(v Value) (float64, error) { return v.Float() }

// AsString takes a string or a status.
func AsString(v Value) (string, error) { return v.Text() }

// AsBytes takes a string or a status.
func AsBytes(v Value) ([]byte, error) { return v.Bytes() }

// AsBool takes 1 and true as true; 0, false and nil as false.
func AsBool(v Value) (bool, error) { return v.Bool() }

// AsWords takes the string t as true and f as false.
func AsWords(t, f string) Decoder[bool] {
	return func(v Value) (bool, error) {
		text, err := v.Text()
		if err != nil || text != t && text != f {
			return false, v.unexpected(strconv.Quote(t) + " or " + strconv.Quote(f))
		}
		return text == t, nil
	}
}

// AsDuration takes a whole number of units.
func AsDuration(unit time.Duration) Decoder[time.Duration] {
	return func(v Value) (time.Duration, error) {
		n, err := v.Int()
		if err != nil {
			return 0, err
		}
		if unit > 0 && (n > math.MaxInt64/int64(unit) || n < math.MinInt64/int64(unit)) {
			return 0, v.unexpected("a duration of less than 292 years")
		}
		return time.Duration(n) * unit, nil
	}
}

// AsTime takes the units since the Unix epoch: seconds, milliseconds or
// microseconds. The result is in the local time zone.
func AsTime(unit time.Duration) Decoder[time.Time] {
	return func(v Value) (time.Time, error) {
		n, err := v.Int()
		if err != nil {
			return time.Time{}, err
		}
		switch unit {
		case time.Second:
			return time.Unix(n, 0), nil
		case time.Millisecond:
			return time.UnixMilli(n), nil
		default:
			return time.UnixMicro(n), nil
		}
	}
}

// AsEnum takes one of the values and refuses others.
func AsEnum[T ~int64 | ~string](values ...T) Decoder[T] {
	return func(v Value) (T, error) {
		var got T
		switch p := reflect.ValueOf(&got).Elem(); p.Kind() {
		case reflect.String:
			if text, err := v.Text(); err == nil {
				p.SetString(text)
			} else {
				return got, v.unexpected(oneOf(values))
			}
		default:
			n, err := v.Int()
			if err != nil {
				return got, v.unexpected(oneOf(values))
			}
			p.SetInt(n)
		}
		if !slices.Contains(values, got) {
			var zero T
			return zero, v.unexpected(oneOf(values))
		}
		return got, nil
	}
}

// oneOf lists what an enum accepts as the script has it.
func oneOf[T ~int64 | ~string](values []T) string {
	texts := make([]string, len(values))
	for i := range values {
		if r := reflect.ValueOf(values[i]); r.Kind() == reflect.String {
			texts[i] = strconv.Quote(r.String())
		} else {
			texts[i] = strconv.FormatInt(r.Int(), 10)
		}
	}
	return "one of " + strings.Join(texts, ", ")
}

// AsJSON takes a string of JSON. For a json.RawMessage it is checked and kept.
func AsJSON[T any]() Decoder[T] {
	return AsEncoded[T](json.Unmarshal)
}

// AsEncoded takes a string that unmarshal reads.
func AsEncoded[T any](unmarshal func([]byte, any) error) Decoder[T] {
	return func(v Value) (T, error) {
		var decoded T
		text, err := v.Text()
		if err != nil {
			return decoded, err
		}
		if err := unmarshal([]byte(text), &decoded); err != nil {
			e := &ReplyError{Want: "an encoded " + reflect.TypeFor[T]().String(), Got: "a string that is not"}
			if reason := decodingReason(err); reason != "" {
				e.Got += ", " + reason
			}
			var zero T
			return zero, e
		}
		return decoded, nil
	}
}

// decodingReason is a decoder's reason without the value that it quotes.
func decodingReason(err error) string {
	var syntax *json.SyntaxError
	var mismatch *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return "at offset " + strconv.FormatInt(syntax.Offset, 10)
	case errors.As(err, &mismatch):
		kind, _, _ := strings.Cut(mismatch.Value, " ")
		if mismatch.Field != "" {
			return "a " + kind + " at " + mismatch.Field
		}
		return "a " + kind
	}
	return ""
}

// AsUser takes a value of a user's own type: an encoding.TextUnmarshaler, or
// one whose kind is a string, an integer, an unsigned integer or a bool.
func AsUser[T any]() Decoder[T] {
	return func(v Value) (T, error) {
		var decoded T
		if u, ok := any(&decoded).(encoding.TextUnmarshaler); ok {
			text, err := v.keyText()
			if err != nil {
				return decoded, err
			}
			if err := u.UnmarshalText([]byte(text)); err != nil {
				var zero T
				return zero, &ReplyError{Want: "the text of a " + reflect.TypeFor[T]().String(), Got: "another string", Err: err}
			}
			return decoded, nil
		}
		err := setKind(reflect.ValueOf(&decoded).Elem(), v)
		return decoded, err
	}
}

func setKind(p reflect.Value, v Value) error {
	switch {
	case p.Kind() == reflect.String:
		text, err := v.keyText()
		p.SetString(text)
		return err
	case p.CanInt():
		n, err := v.Int()
		if err == nil && p.OverflowInt(n) {
			err = v.unexpected("an integer that fits " + p.Type().String())
		}
		if err == nil {
			p.SetInt(n)
		}
		return err
	case p.CanUint():
		n, err := v.Uint()
		if err == nil && p.OverflowUint(n) {
			err = v.unexpected("an integer that fits " + p.Type().String())
		}
		if err == nil {
			p.SetUint(n)
		}
		return err
	case p.Kind() == reflect.Bool:
		b, err := v.Bool()
		p.SetBool(b)
		return err
	}
	panic("redislua: AsUser of " + p.Type().String() + ", which is no string, integer, bool or encoding.TextUnmarshaler")
}

// Optional takes nil and false as nil, and else what d takes.
func Optional[T any](d Decoder[T]) Decoder[*T] {
	return func(v Value) (*T, error) {
		if v.IsNil() {
			return nil, nil
		}
		decoded, err := d(v)
		if err != nil {
			return nil, err
		}
		return &decoded, nil
	}
}

// List takes an array or a set, whose elements d takes. It is never nil.
func List[T any](d Decoder[T]) Decoder[[]T] {
	return func(v Value) ([]T, error) {
		list, err := v.List()
		if err != nil {
			return nil, err
		}
		decoded := make([]T, len(list))
		for i := range list {
			if decoded[i], err = d(list[i]); err != nil {
				return nil, within(err, index(i))
			}
		}
		return decoded, nil
	}
}

// Pair is an element of a map whose order counts.
type Pair[K, V any] struct {
	Key   K
	Value V
}

// Pairs takes a flat array of keys and values, or a map, in the order of the
// reply.
func Pairs[K, V any](k Decoder[K], e Decoder[V]) Decoder[[]Pair[K, V]] {
	return func(v Value) ([]Pair[K, V], error) {
		list, err := v.flat()
		if err != nil {
			return nil, err
		}
		pairs := make([]Pair[K, V], len(list)/2)
		for i := range pairs {
			if pairs[i].Key, err = k(list[2*i]); err != nil {
				return nil, within(err, index(2*i))
			}
			if pairs[i].Value, err = e(list[2*i+1]); err != nil {
				return nil, within(err, index(2*i+1))
			}
		}
		return pairs, nil
	}
}

// Map takes a flat array of keys and values, or a map. Of equal keys the last
// counts. It is never nil.
func Map[K comparable, V any](k Decoder[K], e Decoder[V]) Decoder[map[K]V] {
	pairs := Pairs(k, e)
	return func(v Value) (map[K]V, error) {
		list, err := pairs(v)
		if err != nil {
			return nil, err
		}
		m := make(map[K]V, len(list))
		for _, p := range list {
			m[p.Key] = p.Value
		}
		return m, nil
	}
}

// Fields is an array whose elements are read by position. Make one with
// [Tuple].
type Fields struct {
	list []Value
	err  error
}

// Tuple takes an array of at least least and at most most elements. Those that
// are missing at the end are nil.
func Tuple(v Value, least, most int) *Fields {
	list, err := v.List()
	if err == nil && (len(list) < least || len(list) > most) {
		want := strconv.Itoa(least)
		if most > least {
			want += " to " + strconv.Itoa(most)
		}
		err = v.unexpected("an array of " + want)
	}
	return &Fields{list: list, err: err}
}

// Err returns the first error of the array and its fields.
func (t *Fields) Err() error { return t.err }

// Field decodes the element at index i, which errors call name.
func Field[T any](t *Fields, i int, name string, d Decoder[T]) T {
	var decoded T
	if t.err != nil {
		return decoded
	}
	var v Value
	if i < len(t.list) {
		v = t.list[i]
	}
	var err error
	if decoded, err = d(v); err != nil {
		t.err = within(err, name)
	}
	return decoded
}
