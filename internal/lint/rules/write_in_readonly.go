package rules

import (
	"slices"

	"github.com/luagen/luagen/internal/lint"
)

// This file implements write-in-readonly.

var writeInReadonly = &lint.Rule{
	Name:    "write-in-readonly",
	Group:   lint.Failure,
	Targets: "flags: from redis-7.0",
	Doc: lint.Doc{
		What: "a script that promises not to write calls a command that does",
		Why: `A script with the flag no-writes, or one that is tagged @readonly and sent with
EVALSHA_RO, may call no command that writes: Redis raises "Write commands are not
allowed from read-only scripts". That goes for PFCOUNT, PUBLISH and GETEX too.`,
		Bad: `#!lua flags=no-writes
return redis.call('INCR', KEYS[1]) --[[want "write-in-readonly"]]
`,
		Good: `#!lua flags=no-writes
return redis.call('GET', KEYS[1])
`,
	},
	Run: func(p *lint.Pass) {
		flag := p.Chunk.Shebang != nil && slices.Contains(p.Chunk.Shebang.Flags, "no-writes")
		if !flag && p.Readonly == nil {
			return
		}
		why := "tagged @readonly"
		if flag {
			why = "flagged no-writes"
		}
		for _, c := range p.Calls {
			if c.Command != nil && c.Node != nil && (c.Command.Writes() || c.Command.MayReplicate()) {
				p.Report(c.Node, "the script is %s, and Redis does not let it call %s", why, c.Command.Name)
			}
		}
	},
}
