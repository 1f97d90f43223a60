package called

// This file implements the arguments of a wrapper, made of the strings that
// its script is known to take.

import (
	"encoding"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// arguments returns what to call a wrapper with; the first is left for the
// context.
func arguments(method reflect.Type, s signature, keys, args []any) ([]reflect.Value, error) {
	in := make([]reflect.Value, 1, method.NumIn())
	var params reflect.Value
	if method.NumIn() == 2 && strings.HasSuffix(method.In(1).Name(), s.Name+"Params") {
		params = reflect.New(method.In(1)).Elem()
	}
	for i, sl := range append(append([]slot(nil), s.Keys...), s.Args...) {
		from := &args
		if i < len(s.Keys) {
			from = &keys
		}
		var t reflect.Type
		if params.IsValid() {
			t = params.Field(i).Type()
		} else {
			t = method.In(i + 1)
		}
		v, err := argument(t, sl, from)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", sl.Name, err)
		}
		if params.IsValid() {
			params.Field(i).Set(v)
		} else {
			in = append(in, v)
		}
	}
	if params.IsValid() {
		in = append(in, params)
	}
	if len(keys)+len(args) > 0 {
		return nil, fmt.Errorf("%v and %v are left", keys, args)
	}
	return in, nil
}

// argument takes the strings of one slot from a list.
func argument(t reflect.Type, s slot, from *[]any) (reflect.Value, error) {
	next := func() string {
		first := text((*from)[0])
		*from = (*from)[1:]
		return first
	}
	switch {
	case s.Variadic:
		return rest(t, s.Type, from, next)
	case len(*from) == 0 && !s.Optional:
		return reflect.Value{}, errors.New("it is missing")
	case len(*from) == 0:
		return reflect.Zero(t), nil
	}
	word := next()
	if s.Optional && word == "" {
		return reflect.Zero(t), nil
	}
	return convert(t, s.Type, word)
}

// rest takes all strings, one or a group at a time.
func rest(t reflect.Type, typ string, from *[]any, next func() string) (reflect.Value, error) {
	list := reflect.MakeSlice(t, 0, len(*from))
	for len(*from) > 0 {
		if !strings.HasPrefix(typ, "{") {
			v, err := convert(t.Elem(), typ, next())
			if err != nil {
				return list, err
			}
			list = reflect.Append(list, v)
			continue
		}
		group := reflect.New(t.Elem()).Elem()
		parts := strings.Split(strings.Trim(typ, "{}"), ", ")
		for i := range group.NumField() {
			if len(*from) == 0 {
				return list, errors.New("the last group is not complete")
			}
			v, err := convert(group.Field(i).Type(), parts[i], next())
			if err != nil {
				return list, err
			}
			group.Field(i).Set(v)
		}
		list = reflect.Append(list, group)
	}
	return list, nil
}

// convert makes a value of a Go type, which is luagen's type typ, of a string.
func convert(t reflect.Type, typ, s string) (reflect.Value, error) {
	p := reflect.New(t)
	if u, ok := p.Interface().(encoding.TextUnmarshaler); ok && t != reflect.TypeFor[time.Time]() {
		return p.Elem(), u.UnmarshalText([]byte(s))
	}
	var err error
	switch v := p.Elem(); {
	case t.Kind() == reflect.Pointer:
		var elem reflect.Value
		if elem, err = convert(t.Elem(), typ, s); err == nil {
			v.Set(reflect.New(t.Elem()))
			v.Elem().Set(elem)
		}
	case t == reflect.TypeFor[time.Duration](), t == reflect.TypeFor[time.Time]():
		var n int64
		n, err = strconv.ParseInt(s, 10, 64)
		length := time.Duration(n) * unit(typ)
		if t == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(0, 0).Add(length)))
		} else {
			v.Set(reflect.ValueOf(length))
		}
	case t.Kind() == reflect.String:
		v.SetString(s)
	case t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8:
		v.SetBytes([]byte(s))
	case t.Kind() == reflect.Int64:
		var n int64
		n, err = strconv.ParseInt(s, 10, 64)
		v.SetInt(n)
	case t.Kind() == reflect.Uint64:
		var n uint64
		n, err = strconv.ParseUint(s, 10, 64)
		v.SetUint(n)
	case t.Kind() == reflect.Float64:
		var n float64
		n, err = strconv.ParseFloat(s, 64)
		v.SetFloat(n)
	case t.Kind() == reflect.Bool:
		v.SetBool(s == "1" || strings.HasPrefix(typ, fmt.Sprintf("bool(%q", s)))
	default:
		err = fmt.Errorf("no string becomes a %v", t)
	}
	return p.Elem(), err
}

func unit(typ string) time.Duration {
	switch {
	case strings.HasSuffix(typ, "(s)"):
		return time.Second
	case strings.HasSuffix(typ, "(ms)"):
		return time.Millisecond
	}
	return time.Microsecond
}
