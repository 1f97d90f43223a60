// This file implements reading a reply: the bytes as the server sent them, and
// the Value they make.
//
// go-redis's generic command cannot be used for it: it loses what is a status,
// the digits of a double and the order of a map, and where an error such as
// OOM or NOPERM is nested in an array it stops in the middle of the reply, so
// that the next command on the connection is answered by the rest.

package redislua

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// reply collects a reply's bytes. go-redis writes them into it while it reads
// the connection.
type reply struct {
	raw []byte

	// A reply that is an integer is not kept as bytes.
	integer bool
	num     int64
}

// keptReplyCapacity is the largest buffer that is kept for the next call.
const keptReplyCapacity = 64 << 10

func (r *reply) reset() {
	if cap(r.raw) > keptReplyCapacity {
		r.raw = nil
	}
	r.raw, r.integer = r.raw[:0], false
}

// empty reports whether nothing was read yet.
func (r *reply) empty() bool { return !r.integer && len(r.raw) == 0 }

// Write takes the next line of the reply, or its line break. An error reply is
// handed back to go-redis as the error of the command, so that it follows
// redirections and hooks see it.
func (r *reply) Write(p []byte) (int, error) {
	switch {
	case r.integer: // its line break
		return len(p), nil
	case len(r.raw) > 0 || len(p) == 0:
	case p[0] == '-':
		return 0, redisError(string(p[1:]))
	case p[0] == ':':
		if r.num, r.integer = parseInteger(p[1:]); r.integer {
			return len(p), nil
		}
	}
	r.raw = append(r.raw, p...)
	return len(p), nil
}

// ReadFrom takes a string of the reply without a buffer in between.
func (r *reply) ReadFrom(from io.Reader) (int64, error) {
	limited, ok := from.(*io.LimitedReader)
	if !ok {
		return 0, errors.New("redislua: a string of a reply has no known length")
	}
	start := len(r.raw)
	n := int(limited.N)
	if cap(r.raw)-start < n {
		grown := make([]byte, start, max(start+n, 2*cap(r.raw)))
		copy(grown, r.raw)
		r.raw = grown
	}
	r.raw = r.raw[:start+n]
	read, err := io.ReadFull(limited, r.raw[start:])
	r.raw = r.raw[:start+read]
	return int64(read), err
}

// redisError returns text as the error that go-redis itself makes of an error
// reply.
func redisError(text string) error { return like(redis.Nil, text) }

func like[E ~string](_ E, text string) E { return E(text) }

// value returns the reply, which owns its memory, or the error that it is.
func (r *reply) value() (Value, error) {
	if r.integer {
		return Value{kind: Integer, num: r.num}, nil
	}
	p := respParser{rest: string(r.raw)}
	v, err := p.value()
	switch {
	case err != nil:
	case p.rest != "":
		err = errMalformed
	case v.kind == Failure: // a long error, which RESP3 may send as a string
		err = redisError(v.text)
	}
	return v, err
}

// parseInteger reads a decimal without making a string of it.
func parseInteger(digits []byte) (int64, bool) {
	if len(digits) == 0 || len(digits) > 18 {
		n, err := strconv.ParseInt(string(digits), 10, 64)
		return n, err == nil
	}
	negative := digits[0] == '-'
	if negative || digits[0] == '+' {
		digits = digits[1:]
	}
	var n int64
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0, false
		}
		n = n*10 + int64(d-'0')
	}
	if negative {
		n = -n
	}
	return n, len(digits) > 0
}

var errMalformed = errors.New("redislua: malformed reply")

// respParser makes Values of a complete reply. The strings share its text.
type respParser struct{ rest string }

func (p *respParser) line() (kind byte, text string, err error) {
	end := strings.Index(p.rest, "\r\n")
	if end < 1 {
		return 0, "", errMalformed
	}
	kind, text = p.rest[0], p.rest[1:end]
	p.rest = p.rest[end+2:]
	return kind, text, nil
}

func (p *respParser) value() (Value, error) {
	kind, text, err := p.line()
	if err != nil {
		return Value{}, err
	}
	switch kind {
	case '_':
		return Value{}, nil
	case ':':
		n, err := strconv.ParseInt(text, 10, 64)
		return Value{kind: Integer, num: n}, err
	case '+':
		return Value{kind: Status, text: text}, nil
	case '-':
		return Value{kind: Failure, text: text}, nil
	case ',':
		return Value{kind: Double, text: text}, nil
	case '(':
		return Value{kind: BigNumber, text: text}, nil
	case '#':
		v := Value{kind: Boolean}
		if text == "t" {
			v.num = 1
		}
		return v, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < -1 || n > len(p.rest) {
		return Value{}, errMalformed
	}
	if n == -1 {
		return Value{}, nil
	}
	switch kind {
	case '$', '=', '!':
		return p.bulk(kind, n)
	case '*', '>':
		return p.list(Array, n)
	case '~':
		return p.list(Set, n)
	case '%':
		return p.list(Mapping, 2*n)
	case '|':
		if _, err := p.list(Mapping, 2*n); err != nil {
			return Value{}, err
		}
		return p.value()
	}
	return Value{}, errMalformed
}

func (p *respParser) bulk(kind byte, n int) (Value, error) {
	if len(p.rest) < n+2 {
		return Value{}, errMalformed
	}
	text := p.rest[:n]
	p.rest = p.rest[n+2:]
	switch {
	case kind == '!':
		return Value{kind: Failure, text: text}, nil
	case kind == '=' && n >= 4: // "txt:…"
		text = text[4:]
	}
	return Value{kind: String, text: text}, nil
}

func (p *respParser) list(kind Kind, n int) (Value, error) {
	list := make([]Value, n)
	for i := range list {
		v, err := p.value()
		if err != nil {
			return Value{}, err
		}
		list[i] = v
	}
	return Value{kind: kind, list: list}, nil
}
