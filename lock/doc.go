// Package lock is a distributed lock on Redis: at most one of all processes
// holds it at a time, as long as each stops when its lease ends.
//
//	lk := lock.New(client)
//	err := lk.Do(ctx, "room:42", func(ctx context.Context, l *lock.Lease) error {
//		return work(ctx) // ctx ends before anybody else can have the lock
//	}, lock.TTL(10*time.Second), lock.AutoExtend(lock.Max(5*time.Minute)))
//
// # What it promises
//
// While the context of a lease has not ended, no other lease of that lock has a
// context that has not ended: the context ends before the key does, by the
// process's own monotonic clock, whatever the network does. That rests on three
// things: that the server does not lose the key (a failover to a replica that
// has not yet received it does), that clocks do not differ by more than 1 % in
// speed, and that the holder stops when its context ends. Where the last cannot
// be had, or the first, the resource itself must compare [Lease.Fence].
//
// Nothing is left behind: a lock whose holder crashes is free after its TTL, one
// whose caller gave up or whose reply was lost is released, and the counter of
// its fences is forgotten a day after its last use.
//
// Nobody can free or extend what is not its own: release and extension compare
// token and fence, and take place in one script with the comparison. Extending
// never takes the lock again.
//
// # Beside it
//
// [Locker.ObtainMulti] takes several locks at once, [Semaphore] is a lock with
// several places, and package quorum one over several independent servers.
// docs/locks.md of the module tells which to use when, and how the recipes in
// circulation fail.
//
// # What there is not
//
// There is no lock without a TTL, no reentrancy (a token is a lease's, not a
// goroutine's), no order between processes, no sync.Locker (which can neither
// fail nor be told that the lock is lost), and no lease that renews for ever.
//
// # Where it runs
//
// On Redis from 6.2, and Valkey: a single server, Sentinel, a cluster. A
// lock "room:42" is the key room:42; its fences are counted in the key
// {room:42}:fence, which a cluster keeps in the same slot. Both are written by
// scripts that luagen compiled.
package lock
