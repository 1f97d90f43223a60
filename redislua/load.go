// This file implements loading a script into a node, shared by all calls that
// wait for it.

package redislua

import "context"

type loader struct{}

func (l *loader) now() uint64 { return 0 }

func (c *Caller) load(ctx context.Context, call *Call, sent uint64) (bool, error) {
	return false, nil
}

func (c *Caller) again(ctx context.Context, call *Call) error { return c.attempt(ctx, call, byDigest) }

func (c *Caller) attempt(ctx context.Context, call *Call, f form) error {
	return c.send(ctx, c.client, call, f)
}
