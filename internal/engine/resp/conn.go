package resp

// This file implements a plain client: a command, then its reply, as the server
// sent it.

import (
	"errors"
	"net"
	"strconv"
)

// Conn is a connection to a server. It is not for concurrent use.
type Conn struct {
	net.Conn
	in []byte
}

// Do runs a command. The error is the connection's; an error of the server is a
// reply.
func (c *Conn) Do(args ...string) (Reply, error) {
	out := append([]byte("*"), strconv.Itoa(len(args))...)
	out = append(out, "\r\n"...)
	for _, a := range args {
		out = Bulk(a).Append(out, false)
	}
	if _, err := c.Write(out); err != nil {
		return Reply{}, err
	}
	for {
		r, rest, err := Parse(c.in)
		if err == nil {
			c.in = append(c.in[:0], rest...)
			return r, nil
		}
		if !errors.Is(err, errShort) {
			return Reply{}, err
		}
		chunk := make([]byte, max(4096, len(c.in)))
		n, err := c.Read(chunk)
		c.in = append(c.in, chunk[:n]...)
		if err != nil && n == 0 {
			return Reply{}, err
		}
	}
}
