package engine

// This file implements what differs between the servers and versions that a
// script may be written for.

import (
	"fmt"

	"github.com/luagen/luagen/internal/command"
)

// dialect is a target's part in how scripts run.
type dialect struct {
	target         command.Target
	version        string // redis.REDIS_VERSION
	versionNum     int
	exactArguments bool // numbers become arguments by %.17g
	clock          bool // os.clock exists
	frozenTime     bool // TIME does not move in a script
	server         bool // the global server is an alias of redis
	brand          string
	shebang        bool // #! lines are understood, and functions exist
	evict          int  // how many scripts that came by EVAL are kept; 0 for all
	tableErrors    bool // errors are tables with codes
}

func dialectOf(t command.Target) dialect {
	major, minor := t.Version()
	d := dialect{target: t, brand: "Redis ", shebang: true, tableErrors: true}
	if t.Server == command.Valkey {
		d.version, d.versionNum = "7.2.4", 7<<16|2<<8|4
		d.frozenTime = true
		if t.AtLeast(8, 0) {
			d.brand, d.server, d.clock, d.evict = "", true, true, 500
		}
		return d
	}
	patch := 0
	if major == 7 && minor == 0 {
		patch = 15
	}
	d.version = fmt.Sprintf("%d.%d.%d", major, minor, patch)
	d.versionNum = major<<16 | minor<<8 | patch
	d.exactArguments = !t.AtLeast(7, 2)
	d.frozenTime = t.AtLeast(7, 2)
	d.shebang = t.AtLeast(7, 0)
	d.tableErrors = t.AtLeast(7, 0)
	if t.AtLeast(7, 4) {
		d.clock, d.evict = true, 500
	}
	return d
}

// The texts of errors that scripts meet.
func (d dialect) unknownCommand() string {
	return "Unknown " + d.brand + "command called from script"
}
func (d dialect) wrongArity() string {
	return "Wrong number of args calling " + d.brand + "command from script"
}
func (d dialect) notAllowed() string {
	return "This " + d.brand + "command is not allowed from script"
}

const (
	readOnlyScript = "Write commands are not allowed from read-only scripts."
	nonLocalKey    = "Script attempted to access a non local key in a cluster node"
	crossSlot      = "Script attempted to access keys that do not hash to the same slot"
)
