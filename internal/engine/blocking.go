package engine

// This file implements commands that wait: each try is a command of its own, so
// that no script is ever seen half done.

import "time"

// runOrWait answers a command, when there is something for it.
func (e *Engine) runOrWait(s *session, args []string) {
	if !e.acquire() {
		s.writeError(wireBusy)
		return
	}
	e.tick()
	wait, ok := e.keyspace.Waits(s.peer, args)
	if !ok || s.multi {
		e.run(s, args)
		e.release()
		return
	}
	var over <-chan time.Time
	if wait.Timeout > 0 {
		timer := time.NewTimer(wait.Timeout)
		defer timer.Stop()
		over = timer.C
	}
	for {
		if s.peer.Closed() {
			e.release()
			return
		}
		reply, done := wait.Try()
		changed := e.changed
		if done {
			e.release()
			s.peer.WriteRaw(string(reply.Append(nil, s.peer.Resp3)))
			return
		}
		<-e.lock // nothing changed: nobody else has to look
		select {
		case <-changed:
		case <-e.done:
			return
		case <-over:
			s.peer.WriteRaw(string(wait.None.Append(nil, s.peer.Resp3)))
			return
		}
		e.lock <- struct{}{}
		e.tick()
	}
}
