package cli

// This file implements the values that luagen run puts into a script's slots.

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/types"
)

// fill puts the keys and arguments given into a script's slots: what is
// NAME=VALUE with the name of a slot goes there, the rest in order to the slots
// that are left. Values are converted by the slots' types.
func fill(s *script.Script, keys, args []string) (filledKeys, filledArgs []string, err error) {
	slots := make([]runSlot, len(s.Keys))
	for i, k := range s.Keys {
		slots[i] = runSlot{name: k.Name, variadic: k.Variadic, convert: asGiven}
	}
	if filledKeys, err = fillSlots("key", slots, keys); err != nil {
		return nil, nil, err
	}
	slots = make([]runSlot, len(s.Args))
	for i, a := range s.Args {
		slots[i] = runSlot{name: a.Name, variadic: a.Variadic, optional: a.Optional, blank: a.EmptyWhenAbsent,
			convert: func(text string) (string, error) { return convert(a.Type, text) }}
		if group, ok := a.Type.(*types.Tuple); ok && a.Variadic {
			slots[i].group = group.Fields
		}
	}
	filledArgs, err = fillSlots("argument", slots, args)
	return filledKeys, filledArgs, err
}

// runSlot is a place in KEYS or ARGV, or the rest of it.
type runSlot struct {
	name               string
	variadic, optional bool
	blank              bool // when absent it is an empty string, even at the end
	convert            func(string) (string, error)
	group              []types.Field // of a variadic slot whose values come in groups
	values             []string
	filled             bool
}

func asGiven(text string) (string, error) { return text, nil }

// add puts a value into the slot.
func (s *runSlot) add(what, text string) error {
	convertValue := s.convert
	if len(s.group) > 0 {
		field := s.group[len(s.values)%len(s.group)]
		convertValue = func(text string) (string, error) { return convert(field.Type, text) }
	}
	value, err := convertValue(text)
	if err != nil {
		return fmt.Errorf("%s %s: %w", what, s.name, err)
	}
	s.values, s.filled = append(s.values, value), true
	return nil
}

// fillSlots fills slots and returns their values in order.
func fillSlots(what string, slots []runSlot, given []string) ([]string, error) {
	var inOrder []string
	for _, text := range given {
		name, value, named := strings.Cut(text, "=")
		i := slices.IndexFunc(slots, func(s runSlot) bool { return named && (s.name == name || s.name == script.Param(name)) })
		if i < 0 {
			inOrder = append(inOrder, text)
			continue
		}
		if slots[i].filled && !slots[i].variadic {
			return nil, fmt.Errorf("%s %s is given twice", what, name)
		}
		if err := slots[i].add(what, value); err != nil {
			return nil, err
		}
	}
	for i := range slots {
		s := &slots[i]
		for len(inOrder) > 0 && (!s.filled || s.variadic) {
			if err := s.add(what, inOrder[0]); err != nil {
				return nil, err
			}
			inOrder = inOrder[1:]
		}
	}
	if len(inOrder) > 0 {
		return nil, fmt.Errorf("%q is one %s too many%s", inOrder[0], what, meant(inOrder[0], slots))
	}
	return values(what, slots)
}

// meant suggests the slot whose name was misspelt.
func meant(text string, slots []runSlot) string {
	name, _, named := strings.Cut(text, "=")
	var names []string
	for _, s := range slots {
		names = append(names, s.name)
	}
	if near := diag.Nearest(name, names); named && near != "" {
		return fmt.Sprintf("; did you mean %s=?", near)
	}
	return ""
}

// values returns the values of slots. An absent one is left out when only
// absent ones follow, else it is an empty string.
func values(what string, slots []runSlot) ([]string, error) {
	var out []string
	blanks := 0
	for _, s := range slots {
		switch {
		case s.filled && len(s.group) > 0 && len(s.values)%len(s.group) != 0:
			return nil, fmt.Errorf("%s %s has %s, which come in groups of %d", what, s.name, count(len(s.values), "value"), len(s.group))
		case s.filled:
			out = append(append(out, make([]string, blanks)...), s.values...)
			blanks = 0
		case s.optional && s.blank:
			out = append(out, make([]string, blanks+1)...)
			blanks = 0
		case s.optional:
			blanks++
		case !s.variadic:
			return nil, fmt.Errorf("%s %s is missing", what, s.name)
		}
	}
	return out, nil
}

// convert turns what a person writes into what a wrapper would send.
func convert(t types.Type, text string) (string, error) {
	switch t := t.(type) {
	case *types.Duration:
		return convertDuration(t.Unit, text)
	case *types.Time:
		return convertTime(t.Unit, text)
	case *types.Bool:
		return convertBool(t, text)
	case *types.Enum:
		return convertEnum(t, text)
	case *types.Encoded:
		if t.Format == types.JSON && !json.Valid([]byte(text)) {
			return "", fmt.Errorf("expected JSON, found %q", text)
		}
	case *types.Basic:
		return convertNumber(t, text)
	}
	return text, nil
}

func convertNumber(t *types.Basic, text string) (string, error) {
	var err error
	switch t {
	case types.Int:
		_, err = strconv.ParseInt(text, 10, 64)
	case types.Uint:
		_, err = strconv.ParseUint(text, 10, 64)
	case types.Float:
		_, err = strconv.ParseFloat(text, 64)
	}
	if err != nil {
		return "", fmt.Errorf("expected %s, found %q", t, text)
	}
	return text, nil
}

// length is how long a unit is.
func length(u types.Unit) time.Duration {
	switch u {
	case types.Milliseconds:
		return time.Millisecond
	case types.Microseconds:
		return time.Microsecond
	}
	return time.Second
}

func convertDuration(u types.Unit, text string) (string, error) {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return text, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return "", fmt.Errorf("expected a duration such as 10s or 1m30s, or a number of %s, found %q", unitName(u), text)
	}
	if d%length(u) != 0 {
		return "", fmt.Errorf("%s is no whole number of %s", text, unitName(u))
	}
	return strconv.FormatInt(int64(d/length(u)), 10), nil
}

func convertTime(u types.Unit, text string) (string, error) {
	if _, err := strconv.ParseInt(text, 10, 64); err == nil {
		return text, nil
	}
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return "", fmt.Errorf("expected a time such as 2026-01-31T12:00:00Z, or a number of %s, found %q", unitName(u), text)
	}
	return strconv.FormatInt(at.UnixMicro()/int64(length(u)/time.Microsecond), 10), nil
}

func unitName(u types.Unit) string {
	return map[types.Unit]string{types.Seconds: "seconds", types.Milliseconds: "milliseconds", types.Microseconds: "microseconds"}[u]
}

func convertBool(t *types.Bool, text string) (string, error) {
	yes, no := t.True, t.False
	if yes == "" && no == "" {
		yes, no = "1", "0"
	}
	switch text {
	case "true", yes:
		return yes, nil
	case "false", no:
		return no, nil
	}
	return "", fmt.Errorf("expected true or false, found %q", text)
}

func convertEnum(t *types.Enum, text string) (string, error) {
	var names []string
	for _, m := range t.Members {
		value := m.Word
		if !t.Text {
			value = strconv.FormatInt(m.Int, 10)
		}
		if text == value || m.Name != "" && text == m.Name {
			return value, nil
		}
		names = append(names, memberName(m, value))
	}
	return "", fmt.Errorf("expected one of %s, found %q", strings.Join(names, ", "), text)
}

func memberName(m types.Member, value string) string {
	if m.Name != "" {
		return m.Name
	}
	return value
}
