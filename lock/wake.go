package lock

// This file implements hearing of releases by pub/sub.

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/lock/internal/lease"
)

// subscriber is a client that can subscribe.
type subscriber interface {
	Subscribe(ctx context.Context, channels ...string) *redis.PubSub
	SSubscribe(ctx context.Context, channels ...string) *redis.PubSub
}

// sharded tells whether the client's channels are those of a cluster, which
// does not carry the others to every node for nothing.
func (lk *Locker) sharded() bool {
	_, ok := lk.client.(*redis.ClusterClient)
	return ok
}

// confirmTimeout is how long a server may take to confirm a subscription; the
// waiter polls otherwise.
const confirmTimeout = time.Second

// subscribe returns when the server has confirmed the subscription.
func (lk *Locker) subscribe(ctx context.Context, key string) (lease.Subscription, error) {
	client, ok := lk.client.(subscriber)
	if !ok {
		return nil, errors.New("the client has no pub/sub")
	}
	channel := lease.Beside(key, releasedSuffix)
	var pubsub *redis.PubSub
	if lk.sharded() {
		pubsub = client.SSubscribe(ctx, channel)
	} else {
		pubsub = client.Subscribe(ctx, channel)
	}
	if _, err := pubsub.ReceiveTimeout(ctx, confirmTimeout); err != nil {
		return nil, errors.Join(err, pubsub.Close())
	}
	s := &subscription{pubsub: pubsub, released: make(chan struct{}, 1)}
	s.done.Go(s.listen)
	return s, nil
}

type subscription struct {
	pubsub   *redis.PubSub
	released chan struct{}
	done     sync.WaitGroup
}

// listen passes messages on until the subscription is closed or breaks.
func (s *subscription) listen() {
	defer close(s.released)
	for {
		msg, err := s.pubsub.Receive(context.Background())
		if err != nil {
			return
		}
		if _, ok := msg.(*redis.Message); !ok {
			continue
		}
		select {
		case s.released <- struct{}{}:
		default:
		}
	}
}

func (s *subscription) Released() <-chan struct{} { return s.released }

func (s *subscription) Close() {
	_ = s.pubsub.Close()
	s.done.Wait()
}
