// Package quorum is a lock over several independent Redis servers, by the
// algorithm called Redlock: who holds it at more than half of them holds it.
//
//	lk, err := quorum.New([]redislua.Client{a, b, c})
//	err = lk.Do(ctx, "room:42", func(ctx context.Context, l *quorum.Lease) error { … })
//
// # When to use it
//
// A lock at one server is lost with that server: while it is down nobody gets
// the lock, and a failover to a replica that has not received the key gives it
// to two. This one goes on, and holds, while more than half of the servers do.
// It costs a request to each server instead of one, and it has no fence: nothing
// orders the holders across servers. Where a second holder does harm that a
// fence would prevent, use package lock with a resource that compares fences.
// Where the harm is wasted work only, package lock at one server does as well.
//
// # What it promises, and on what
//
// While the context of a lease has not ended, no other lease of that lock has
// one that has not ended, if
//
//   - the servers are independent masters: not nodes of one cluster, not a
//     master and its replicas;
//   - none forgets a key before its time. A server that restarts empty does, so
//     after a crash it must stay away for the longest TTL in use, or write every
//     command to disk before it replies (appendfsync always). This is not
//     checked, and cannot be from here;
//   - clocks do not differ by more than 1 % in speed, and do not jump: servers
//     expire keys by their wall clock;
//   - the holder stops when its context ends.
//
// A lease counts from before the first request and is shortened by 1 % and 2 ms,
// as in package lock; the time that asking took is gone from it. Each server is
// asked at the same time, and waited for a twentieth of the TTL at most, between
// 10 ms and 500 ms, so one that hangs costs little. What was obtained at too few
// is released again, also where the reply comes late.
package quorum
