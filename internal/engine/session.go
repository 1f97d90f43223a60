package engine

// This file implements clients: what the server keeps for each, transactions,
// and the way of a client's command to what runs it.

import (
	"strconv"
	"strings"

	"github.com/alicebob/miniredis/v2/server"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/engine/keyspace"
)

// session is a connected client.
type session struct {
	peer     *server.Peer
	db       int
	inside   bool       // its command is with miniredis
	queue    [][]string // of MULTI
	multi    bool
	aborted  bool // a queued command was refused
	watching bool
}

// writeError answers with an error, byte for byte.
func (s *session) writeError(text string) { s.peer.WriteRaw("-" + singleLine(text) + "\r\n") }

const wireBusy = "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE."

// hook sees every command before miniredis does.
func (e *Engine) hook(peer *server.Peer, name string, args ...string) bool {
	if peer == e.scripts.peer || e.keyspace.Owns(peer) {
		return false
	}
	s := e.session(peer)
	if s.inside {
		return false
	}
	full := make([]string, 0, len(args)+1)
	e.handle(s, append(append(full, name), args...))
	return true
}

func (e *Engine) session(peer *server.Peer) *session {
	if s, ok := e.sessions.Load(peer); ok {
		return s.(*session)
	}
	s := &session{peer: peer}
	e.sessions.Store(peer, s)
	peer.OnDisconnect(func() { e.sessions.Delete(peer) })
	return s
}

// handle answers a command of a client.
func (e *Engine) handle(s *session, args []string) {
	if e.opts.Intercept != nil {
		fault := e.opts.Intercept(args)
		switch {
		case fault.Error != "":
			s.writeError(fault.Error)
			return
		case fault.LoseReply:
			e.loseReply(s, args)
			return
		}
	}
	if s.multi && e.enqueue(s, args) {
		return
	}
	if e.whileBusy(s, args) {
		return
	}
	e.runOrWait(s, args)
}

// loseReply runs a command and ends the connection in place of its reply.
func (e *Engine) loseReply(s *session, args []string) {
	lost := newScriptConn().peer
	lost.Ctx, lost.Resp3 = s.peer.Ctx, s.peer.Resp3
	copied := *s
	copied.peer = lost
	e.sessions.Store(lost, &copied)
	e.runOrWait(&copied, args)
	e.sessions.Delete(lost)
	s.peer.Close()
}

// whileBusy answers what may be asked while a script runs.
func (e *Engine) whileBusy(s *session, args []string) bool {
	if (args[0] == "SCRIPT" || args[0] == "FUNCTION") && len(args) == 2 && strings.EqualFold(args[1], "KILL") {
		e.kill(s, args[0] == "FUNCTION")
		return true
	}
	return false
}

func (e *Engine) kill(s *session, function bool) {
	g := e.running.Load()
	switch {
	case g == nil || !g.active.Load():
		s.writeError("NOTBUSY No scripts in execution right now.")
	case g.wrote.Load():
		s.writeError("UNKILLABLE Sorry the script already executed write commands against the dataset. " +
			"You can either wait the script termination or kill the server in a hard way using the SHUTDOWN NOSAVE command.")
	default:
		g.killed.Store(true)
		s.peer.WriteOK()
	}
}

// enqueue keeps a command of a transaction for EXEC.
func (e *Engine) enqueue(s *session, args []string) bool {
	switch args[0] {
	case "EXEC", "DISCARD", "MULTI", "WATCH", "QUIT", "RESET":
		return false
	}
	if why := e.wireError(args); why != "" {
		s.aborted = true
		s.writeError(why)
		return true
	}
	s.queue = append(s.queue, args)
	s.peer.WriteInline("QUEUED")
	return true
}

// wireError is what a client gets for a command that does not exist or has a
// wrong number of arguments.
func (e *Engine) wireError(args []string) string {
	sub := ""
	if len(args) > 1 {
		sub = args[1]
	}
	c := command.Lookup(args[0], sub)
	if c == nil || !c.On(e.dialect.target).Exists {
		if base := command.Lookup(args[0], ""); base != nil && base.On(e.dialect.target).Exists {
			return "ERR unknown subcommand '" + sub + "'. Try " + strings.ToUpper(args[0]) + " HELP."
		}
		var b strings.Builder
		b.WriteString("ERR unknown command '" + clip(args[0]) + "', with args beginning with: ")
		for _, a := range args[1:] {
			if b.Len() > 200 {
				break
			}
			b.WriteString("'" + clip(a) + "' ")
		}
		return b.String()
	}
	if n := c.Arity(); n > 0 && len(args) != n || len(args) < -n {
		return wrongNumber(c)
	}
	return ""
}

func clip(s string) string { return s[:min(len(s), 128)] }

func wrongNumber(c *command.Command) string {
	return "ERR wrong number of arguments for '" + strings.ToLower(strings.ReplaceAll(c.Name, " ", "|")) + "' command"
}

// run answers a command under the lock.
func (e *Engine) run(s *session, args []string) {
	switch args[0] {
	case "EVAL", "EVAL_RO", "EVALSHA", "EVALSHA_RO":
		e.eval(s, args)
	case "SCRIPT":
		e.script(s, args)
	case "FUNCTION":
		e.function(s, args)
	case "FCALL", "FCALL_RO":
		e.fcall(s, args)
	case "MULTI":
		if s.multi {
			s.writeError("ERR MULTI calls can not be nested")
			return
		}
		s.multi, s.aborted, s.queue = true, false, nil
		s.peer.WriteOK()
	case "EXEC":
		e.exec(s)
	case "DISCARD":
		if !s.multi {
			s.writeError("ERR DISCARD without MULTI")
			return
		}
		s.multi, s.queue = false, nil
		e.keyspace.Unwatch(s.peer)
		s.peer.WriteOK()
	case "WATCH":
		if s.multi {
			s.writeError("ERR WATCH inside MULTI is not allowed")
			return
		}
		s.watching = true
		e.pass(s, args)
	default:
		e.pass(s, args)
	}
}

// pass hands a command to the keyspace.
func (e *Engine) pass(s *session, args []string) {
	if !e.keyspace.Knows(args[0]) {
		named := append([]string{strings.ToLower(args[0])}, args[1:]...)
		if why := e.wireError(named); why != "" {
			s.writeError(why)
			return
		}
	}
	s.inside = true
	e.keyspace.Do(s.peer, args)
	s.inside = false
	if args[0] == "SELECT" && len(args) == 2 {
		if n, err := strconv.Atoi(args[1]); err == nil && n >= 0 && n < keyspace.Databases {
			s.db = n
		}
	}
}

// exec runs a transaction.
func (e *Engine) exec(s *session) {
	if !s.multi {
		s.writeError("ERR EXEC without MULTI")
		return
	}
	queue := s.queue
	s.multi, s.queue = false, nil
	if s.aborted {
		e.keyspace.Unwatch(s.peer)
		s.writeError("EXECABORT Transaction discarded because of previous errors.")
		return
	}
	if s.watching {
		s.watching = false
		if !e.keyspace.Unchanged(s.peer) {
			if s.peer.Resp3 {
				s.peer.WriteRaw("_\r\n")
			} else {
				s.peer.WriteRaw("*-1\r\n")
			}
			return
		}
	}
	s.peer.WriteLen(len(queue))
	for _, args := range queue {
		e.run(s, args)
	}
}
