// Package resp holds replies of Redis as values, and their form on the wire.
package resp

// This file implements replies as values: reading, writing, printing.

import (
	"bytes"
	"errors"
	"strconv"
	"strings"
)

// Reply is a reply of Redis.
type Reply struct {
	// Kind is the first byte of the reply's form in RESP3: '+' status, '-'
	// error, ':' integer, '$' bulk string, '*' array, '_' nil, '#' boolean,
	// ',' double, '(' big number, '=' verbatim string, '%' map, '~' set,
	// '>' push. The nils of RESP2 are '_' too.
	Kind byte
	Text string // all but integers, booleans and lists; an error with its code
	Int  int64  // an integer; a boolean's 0 or 1; 1 for RESP2's array that is not there
	// List holds the elements of an array, set or push; of a map key and value
	// in turn.
	List []Reply
}

var errShort = errors.New("the reply ends too early")

// Parse reads the first reply of in, of either protocol, and returns what
// follows it.
func Parse(in []byte) (r Reply, rest []byte, err error) {
	end := bytes.Index(in, []byte("\r\n"))
	if end < 1 {
		return Reply{}, nil, errShort
	}
	line := string(in[:end])
	in = in[end+2:]
	r = Reply{Kind: line[0], Text: line[1:]}
	switch r.Kind {
	case ':':
		r.Int, err = strconv.ParseInt(r.Text, 10, 64)
		r.Text = ""
	case '#':
		if r.Text == "t" {
			r.Int = 1
		}
		r.Text = ""
	case '$', '=':
		n, err := strconv.Atoi(r.Text)
		if err != nil {
			return r, nil, err
		}
		if n < 0 {
			return Reply{Kind: '_'}, in, nil
		}
		if len(in) < n+2 {
			return r, nil, errShort
		}
		r.Text, in = string(in[:n]), in[n+2:]
	case '*', '~', '>', '%':
		n, err := strconv.Atoi(r.Text)
		if err != nil {
			return r, nil, err
		}
		if n < 0 {
			return NilArray(), in, nil
		}
		if r.Kind == '%' {
			n *= 2
		}
		r.Text, r.List = "", make([]Reply, n)
		for i := range r.List {
			if r.List[i], in, err = Parse(in); err != nil {
				return r, nil, err
			}
		}
	case '_':
		r.Text = ""
	}
	return r, in, err
}

// Append appends the reply's form on the wire. Under RESP2 maps and sets are
// arrays, and doubles, big numbers and verbatim strings bulk strings.
func (r Reply) Append(out []byte, resp3 bool) []byte {
	kind := r.Kind
	if !resp3 {
		switch kind {
		case '%', '~', '>':
			kind = '*'
		case ',', '(', '=':
			kind = '$'
		case '_':
			if r.Int == 1 {
				return append(out, "*-1\r\n"...)
			}
			return append(out, "$-1\r\n"...)
		case '#':
			kind = ':'
		}
	}
	out = append(out, kind)
	switch kind {
	case ':':
		out = strconv.AppendInt(out, r.Int, 10)
	case '#':
		out = append(out, "ft"[r.Int&1])
	case '$', '=':
		out = strconv.AppendInt(out, int64(len(r.Text)), 10)
		out = append(out, "\r\n"...)
		out = append(out, r.Text...)
	case '*', '~', '>', '%':
		n := len(r.List)
		if kind == '%' {
			n /= 2
		}
		out = strconv.AppendInt(out, int64(n), 10)
		out = append(out, "\r\n"...)
		for _, item := range r.List {
			out = item.Append(out, resp3)
		}
		return out
	default:
		out = append(out, r.Text...)
	}
	return append(out, "\r\n"...)
}

// The replies that are often made.

// Bulk is a bulk string.
func Bulk(s string) Reply { return Reply{Kind: '$', Text: s} }

// Status is a status reply.
func Status(s string) Reply { return Reply{Kind: '+', Text: s} }

// Error is an error reply; the text begins with its code.
func Error(s string) Reply { return Reply{Kind: '-', Text: s} }

// Int is an integer reply.
func Int(n int) Reply { return Reply{Kind: ':', Int: int64(n)} }

// Nil is the reply that there is nothing.
func Nil() Reply { return Reply{Kind: '_'} }

// NilArray is Nil in the form that RESP2 has for arrays.
func NilArray() Reply { return Reply{Kind: '_', Int: 1} }

// Array is an array.
func Array(items ...Reply) Reply { return Reply{Kind: '*', List: items} }

// Bulks is an array of bulk strings.
func Bulks(items ...string) Reply {
	r := Reply{Kind: '*', List: make([]Reply, len(items))}
	for i, s := range items {
		r.List[i] = Bulk(s)
	}
	return r
}

// Texts returns the texts of a list.
func (r Reply) Texts() []string {
	out := make([]string, len(r.List))
	for i, item := range r.List {
		out[i] = item.Text
	}
	return out
}

// IsError tells whether the reply is an error.
func (r Reply) IsError() bool { return r.Kind == '-' }

// String writes the reply on one line, with strings quoted as Go does.
func (r Reply) String() string {
	switch r.Kind {
	case ':':
		return strconv.FormatInt(r.Int, 10)
	case '#':
		return strconv.FormatBool(r.Int == 1)
	case '_':
		return "nil"
	case '+', ',', '(':
		return r.Text
	case '-':
		return "error " + strconv.Quote(r.Text)
	case '*', '>', '~', '%':
		var b strings.Builder
		b.WriteByte('[')
		for i, item := range r.List {
			switch {
			case i > 0 && r.Kind == '%' && i%2 == 1:
				b.WriteString(": ")
			case i > 0:
				b.WriteString(", ")
			}
			b.WriteString(item.String())
		}
		b.WriteByte(']')
		return b.String()
	}
	return strconv.Quote(r.Text)
}
