// This file implements targets: which server, in which version, a script is
// written for, and what a command is there.

package command

import (
	"fmt"
	"strconv"
	"strings"
)

// Server is a line of servers whose versions count on their own.
type Server uint8

// The servers.
const (
	Redis Server = iota
	Valkey
)

// String returns the name that configuration uses: redis or valkey.
func (s Server) String() string {
	if s == Valkey {
		return "valkey"
	}
	return "redis"
}

// version is major*100 + minor; 0 is "always" and never is "in no version".
type version uint16

const never version = 9999

// since is the first version of each server that has something.
type since struct {
	redis, valkey version
}

func (s since) on(t Target) bool { return t.version >= s.at(t.Server) }

func (s since) at(server Server) version {
	if server == Valkey {
		return s.valkey
	}
	return s.redis
}

func (s since) target(server Server) Target { return Target{server, s.at(server)} }

// Target is a server and the version that a script has to run on. The zero
// value is no target; use Default.
type Target struct {
	Server  Server
	version version
}

// Default is the target of a project that names none.
var Default = Target{Redis, 700}

// Targets are the releases the table speaks of, oldest first, Redis before
// Valkey.
func Targets() []Target {
	return []Target{
		{Redis, 602}, {Redis, 700}, {Redis, 702}, {Redis, 704}, {Redis, 800}, {Redis, 802}, {Redis, 804}, {Redis, 806}, {Redis, 808}, {Redis, 810},
		{Valkey, 702}, {Valkey, 800}, {Valkey, 801}, {Valkey, 900}, {Valkey, 901}, {Valkey, 902},
	}
}

// ParseTarget reads "redis-7.0" or "valkey-8.1"; "redis-8" is redis-8.0. A
// patch number is ignored. A release newer than those of Targets is taken as
// having all that the newest has; one older than the oldest is an error.
func ParseTarget(text string) (Target, error) {
	name, number, ok := strings.Cut(text, "-")
	var server Server
	switch {
	case ok && name == "redis":
		server = Redis
	case ok && name == "valkey":
		server = Valkey
	default:
		return Target{}, fmt.Errorf("target %q: expected redis-VERSION or valkey-VERSION, such as redis-7.0", text)
	}
	parts := strings.Split(number, ".")
	var major, minor uint64
	var err, err2 error
	major, err = strconv.ParseUint(parts[0], 10, 6)
	if len(parts) > 1 {
		minor, err2 = strconv.ParseUint(parts[1], 10, 6)
	}
	if err != nil || err2 != nil || len(parts) > 3 {
		return Target{}, fmt.Errorf("target %q: expected a version such as %s-7.2 behind the name", text, name)
	}
	t := Target{server, version(major*100 + minor)}
	for _, known := range Targets() {
		if known.Server == server {
			if t.version < known.version {
				return Target{}, fmt.Errorf("target %q: the oldest that is known is %s", text, known)
			}
			break
		}
	}
	return t, nil
}

// String returns what ParseTarget reads: redis-7.0.
func (t Target) String() string {
	return fmt.Sprintf("%s-%d.%d", t.Server, t.version/100, t.version%100)
}

// Major and minor numbers of the version.
func (t Target) Version() (major, minor int) {
	return int(t.version / 100), int(t.version % 100)
}

// AtLeast tells whether t is the version major.minor of its own server, or a
// later one.
func (t Target) AtLeast(major, minor int) bool {
	return int(t.version) >= major*100+minor
}

// Availability is what a command is on one target.
type Availability struct {
	Exists     bool   // the server has it
	Allowed    bool   // the server has it, and lets a script call it
	Deprecated bool   // the server's documentation calls it deprecated
	Instead    string // what to use then: "SET with the GET argument"; may be empty
	Since      Target // the first release of the same server that has it; the zero Target when none has
}

// On tells what the command is on a target.
func (c *Command) On(t Target) Availability {
	a := Availability{Exists: c.since.on(t)}
	if first := c.since.target(t.Server); first.version != never {
		a.Since = first
		if first.version == 0 {
			a.Since = oldest(t.Server)
		}
	}
	a.Allowed = a.Exists && c.flags&noscript == 0 && c.scripts.on(t)
	if a.Exists && c.obsolete != (since{}) && c.obsolete.on(t) {
		a.Deprecated, a.Instead = true, c.instead
	}
	return a
}

func oldest(server Server) Target {
	for _, t := range Targets() {
		if t.Server == server {
			return t
		}
	}
	panic("no such server")
}
