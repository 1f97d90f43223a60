// This file implements the errors that a script's reply becomes.

package redislua

import (
	"strconv"
	"strings"
)

// Error is an error that a script replied with or that the server replied with
// in its place. errors.As finds it; errors.Is compares it to a [Code]; the
// redis.Error it came from is wrapped, so go-redis's own tests work on it too.
type Error struct {
	Script  string // Go name of the script
	Code    string // first word in capitals, "WRONGTYPE"; "ERR" where there is none
	Message string // the rest, without what Redis adds to say where
	File    string // file that the author wrote; empty when the server does not say where
	Line    int    // line in File, 0 when the server does not say

	cause error
}

func (e *Error) Error() string {
	text := e.Script + ": " + e.Code
	if e.Message != "" {
		text += " " + e.Message
	}
	if e.Line > 0 {
		text += " (" + e.File + ":" + strconv.Itoa(e.Line) + ")"
	}
	return text
}

// Unwrap returns the redis.Error as go-redis had it.
func (e *Error) Unwrap() error { return e.cause }

// Is reports whether target is the Code of e.
func (e *Error) Is(target error) bool {
	code, ok := target.(codeError)
	return ok && string(code) == e.Code
}

type codeError string

func (c codeError) Error() string { return "script error " + string(c) }

// Code returns the error that errors.Is finds in an [Error] with that code:
//
//	var ErrBusy = redislua.Code("BUSY")
func Code(code string) error { return codeError(code) }

// ReplyError says that a script's reply has not the shape that its signature
// says. Its text names types, never a value.
type ReplyError struct {
	Script string // Go name of the script
	Path   string // the part of the reply: "status", "items[3].id"; empty for the whole
	Want   string
	Got    string
	Err    error // an *Error inside the reply, or what a decoder of a user's type said; or nil
}

// Unwrap returns Err.
func (e *ReplyError) Unwrap() error { return e.Err }

// within adds the step by which a part of a reply was reached to its error.
func within(err error, step string) error {
	if e, ok := err.(*ReplyError); ok {
		if e.Path != "" && e.Path[0] != '[' {
			step += "."
		}
		e.Path = step + e.Path
	}
	return err
}

func (e *ReplyError) Error() string {
	var b strings.Builder
	b.WriteString(e.Script)
	b.WriteString(": reply")
	if e.Path != "" {
		b.WriteString(" " + e.Path)
	}
	b.WriteString(": expected " + e.Want + ", got " + e.Got)
	return b.String()
}
