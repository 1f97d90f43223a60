package lock

// This file implements what is leased: one key, or several at once, by the
// scripts of the module.

import (
	"context"
	"time"

	"github.com/luagen/luagen/generated"
	"github.com/luagen/luagen/lock/internal/lease"
	"github.com/luagen/luagen/lock/internal/scripts"
)

// one is a lock of one key.
type one struct {
	locker *Locker
	key    string
	tell   bool // of its release, by pub/sub
}

func (o *one) Keys() []string { return []string{o.key} }

func (o *one) Acquire(ctx context.Context, token string, ttl time.Duration) (lease.Grant, error) {
	reply, err := o.locker.single.Acquire(ctx, o.key, lease.Beside(o.key, fenceSuffix), token, ttl)
	return lease.Grant{Held: reply.Status == generated.AcquireStatusHeld, Fence: reply.Fence, TTL: reply.TTL}, err
}

func (o *one) Extend(ctx context.Context, token string, fence int64, ttl time.Duration) (lease.Outcome, error) {
	reply, err := o.locker.single.Extend(ctx, o.key, token, fence, ttl)
	return lease.Outcome(reply.Status), err
}

func (o *one) Release(ctx context.Context, token string, fence int64) (lease.Outcome, error) {
	if o.tell {
		return o.locker.releaseAll(ctx, o.Keys(), token, fence, true)
	}
	reply, err := o.locker.single.Release(ctx, o.key, token, fence)
	return lease.Outcome(reply), err
}

func (o *one) Abandon(ctx context.Context, token string) error {
	_, err := o.locker.several.Abandon(ctx, o.Keys(), token)
	return err
}

// all is a lock of several keys in one hash slot.
type all struct {
	locker *Locker
	keys   []string
	tell   bool
}

func (o *all) Keys() []string { return o.keys }

func (o *all) Acquire(ctx context.Context, token string, ttl time.Duration) (lease.Grant, error) {
	keys := append(make([]string, 0, 2*len(o.keys)), o.keys...)
	for _, key := range o.keys {
		keys = append(keys, lease.Beside(key, fenceSuffix))
	}
	reply, err := o.locker.several.AcquireAll(ctx, keys, token, ttl)
	return lease.Grant{Held: reply.Status == scripts.AcquireAllStatusHeld, Fence: reply.Fence, TTL: reply.TTL}, err
}

func (o *all) Extend(ctx context.Context, token string, fence int64, ttl time.Duration) (lease.Outcome, error) {
	reply, err := o.locker.several.ExtendAll(ctx, o.keys, token, fence, ttl)
	return lease.Outcome(reply), err
}

func (o *all) Release(ctx context.Context, token string, fence int64) (lease.Outcome, error) {
	return o.locker.releaseAll(ctx, o.keys, token, fence, o.tell)
}

func (o *all) Abandon(ctx context.Context, token string) error {
	_, err := o.locker.several.Abandon(ctx, o.keys, token)
	return err
}

func (lk *Locker) releaseAll(ctx context.Context, keys []string, token string, fence int64, tell bool) (lease.Outcome, error) {
	publish := scripts.ReleaseAllPublishNo
	switch {
	case tell && lk.sharded():
		publish = scripts.ReleaseAllPublishSharded
	case tell:
		publish = scripts.ReleaseAllPublishPlain
	}
	channels := make([]string, len(keys))
	for i, key := range keys {
		channels[i] = lease.Beside(key, releasedSuffix)
	}
	reply, err := lk.several.ReleaseAll(ctx, scripts.ReleaseAllParams{
		Locks: keys, Token: token, Fence: fence, Publish: publish, Channels: channels,
	})
	return lease.Outcome(reply), err
}

// The outcomes are numbered as the scripts' replies are; a copy that is not
// does not compile.
const (
	_ = -uint(lease.Gone ^ lease.Outcome(generated.ExtendStatusGone) | lease.Gone ^ lease.Outcome(generated.ReleaseReplyGone))
	_ = -uint(lease.Done ^ lease.Outcome(generated.ExtendStatusExtended) | lease.Done ^ lease.Outcome(generated.ReleaseReplyReleased))
	_ = -uint(lease.Taken ^ lease.Outcome(generated.ExtendStatusTaken) | lease.Taken ^ lease.Outcome(generated.ReleaseReplyTaken))
	_ = -uint(lease.Gone ^ lease.Outcome(scripts.ExtendAllReplyGone) | lease.Gone ^ lease.Outcome(scripts.ReleaseAllReplyGone))
	_ = -uint(lease.Done ^ lease.Outcome(scripts.ExtendAllReplyExtended) | lease.Done ^ lease.Outcome(scripts.ReleaseAllReplyReleased))
	_ = -uint(lease.Taken ^ lease.Outcome(scripts.ExtendAllReplyTaken) | lease.Taken ^ lease.Outcome(scripts.ReleaseAllReplyTaken))
)
