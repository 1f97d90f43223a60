// This file implements the command that a call becomes.

package redislua

import (
	"context"
	"strconv"

	"github.com/redis/go-redis/v9"
)

// command returns the command for the next sending of the call. It is made
// anew each time, because hooks may keep what they have seen; room, unless nil,
// is memory for the first one.
//
// readOnly is whether the server knows the _RO forms.
func (c *Call) command(ctx context.Context, f form, readOnly bool, room *once) redis.Cmder {
	c.reply.reset()
	if c.args[0] != nil { // sent before
		c.args = append([]any(nil), c.args...)
	}
	readOnly = readOnly && c.script.ReadOnly
	switch {
	case f == byText && readOnly:
		c.args[0], c.args[1] = "eval_ro", c.script.Source
	case f == byText:
		c.args[0], c.args[1] = "eval", c.script.Source
	case readOnly:
		c.args[0], c.args[1] = "evalsha_ro", c.digest
	default:
		c.args[0], c.args[1] = "evalsha", c.digest
	}
	if c.script.mayRepeat() {
		c.args[2] = &keyCount{n: c.keys, reply: &c.reply}
		cmd := &repeatable{RawWriteToCmd: redis.NewRawWriteToCmd(ctx, &c.reply, c.args...)}
		cmd.SetFirstKeyPos(c.firstKey())
		return cmd
	}
	c.args[2] = c.keys
	if room == nil {
		room = new(once)
	}
	room.RawWriteToCmd = *redis.NewRawWriteToCmd(ctx, &c.reply, c.args...)
	room.SetFirstKeyPos(c.firstKey())
	return room
}

// firstKey is the position of the first key in the command, 0 without one.
func (c *Call) firstKey() int8 {
	if c.keys == 0 {
		return 0
	}
	return argsBefore
}

// once is a command that go-redis sends once: it says so of raw replies. It is a
// type of its own, because a full-duplex AutoPipeliner takes an error of a plain
// RawWriteToCmd for the end of the connection, and fails the commands behind it.
type once struct{ redis.RawWriteToCmd }

// repeatable is a command that go-redis may send again after a network error.
type repeatable struct{ *redis.RawWriteToCmd }

// NoRetry overrides what go-redis says of raw replies: keyCount clears what a
// reply that broke off left behind.
func (repeatable) NoRetry() bool { return false }

// keyCount is the number of keys of a repeatable command. Writing it to a
// connection is how one learns that the command is sent once more.
type keyCount struct {
	n     int
	reply *reply
}

func (k *keyCount) MarshalBinary() ([]byte, error) {
	k.reply.reset()
	return strconv.AppendInt(nil, int64(k.n), 10), nil
}

func (k *keyCount) String() string { return strconv.Itoa(k.n) }
