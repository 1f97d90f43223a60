package luatest

// This file implements faults: what goes wrong between a caller and a server.

import (
	"errors"
	"strings"

	"github.com/luagen/luagen/internal/engine"
)

// faults are what is going to go wrong.
type faults struct {
	loseReplies int
	refuseLoad  bool
	failCall    int
	failWith    string
}

// LoseNextReply lets the next command of a client run, and ends its connection
// in place of the reply: the client cannot know whether it ran. Commands by
// which clients open a connection do not count.
func (s *Server) LoseNextReply() {
	s.t.Helper()
	s.embeddedOnly("LoseNextReply")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.loseReplies++
}

// FlushScripts empties the script cache, as a restart or a failover does: the
// next EVALSHA gets NOSCRIPT.
func (s *Server) FlushScripts() {
	s.t.Helper()
	if r := s.do("SCRIPT", "FLUSH"); r.IsError() {
		s.t.Fatalf("luatest: SCRIPT FLUSH: %s", r.Text)
	}
}

// RefuseScriptLoad makes SCRIPT LOAD fail with NOPERM, as behind an ACL or a
// proxy, or work again.
func (s *Server) RefuseScriptLoad(refuse bool) {
	s.t.Helper()
	s.embeddedOnly("RefuseScriptLoad")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.refuseLoad = refuse
}

// FailCall makes the nth redis.call or redis.pcall from now on fail, n counting
// from 1, with an error such as "OOM command not allowed when used memory >
// 'maxmemory'.". What the script did before stays done.
func (s *Server) FailCall(n int, err string) {
	s.t.Helper()
	s.embeddedOnly("FailCall")
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults.failCall, s.faults.failWith = n, err
}

// intercept decides what becomes of a client's command.
func (s *Server) intercept(args []string) engine.Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := &s.faults
	if f.refuseLoad && args[0] == "SCRIPT" && len(args) > 1 && strings.EqualFold(args[1], "LOAD") {
		return engine.Fault{Error: "NOPERM this user has no permissions to run the 'script|load' command"}
	}
	switch args[0] {
	case "HELLO", "AUTH", "CLIENT", "SELECT":
		return engine.Fault{}
	}
	if f.loseReplies > 0 {
		f.loseReplies--
		return engine.Fault{LoseReply: true}
	}
	return engine.Fault{}
}

// beforeCall decides what becomes of a script's command.
func (s *Server) beforeCall([]string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.faults.failCall == 0 {
		return nil
	}
	if s.faults.failCall--; s.faults.failCall > 0 {
		return nil
	}
	return errors.New(s.faults.failWith)
}
