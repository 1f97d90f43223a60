package rules

import (
	"strings"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements version-gated-api.

var versionGatedAPI = &lint.Rule{
	Name:    "version-gated-api",
	Group:   lint.Versions,
	Targets: "those before the release that has it",
	Doc: lint.Doc{
		What: "a command, option or function that the target does not have yet",
		Why: `The target in luagen.yaml is the oldest server that the scripts must run on. What a
later release brought raises an error there.`,
		Bad: `return redis.call('HEXPIRE' --[[want "version-gated-api"]], KEYS[1], 10, 'FIELDS', 1, ARGV[1])
`,
		Good: `return redis.call('EXPIRE', KEYS[1], 10)
`,
	},
	Run: func(p *lint.Pass) {
		for _, n := range p.Indexes {
			if text := p.Source(n); strings.HasSuffix(text, "_VERSION_NUM") || strings.HasSuffix(text, "_VERSION") {
				return // the script looks at the version itself
			}
		}
		for _, c := range p.Calls {
			if c.Command != nil && c.Node != nil && !c.Protected && !c.Caught {
				gated(p, c)
			}
		}
		for _, m := range libraryMembers(p) {
			name := m.lib + "." + m.name
			if name == "redis.acl_check_cmd" && !p.Target.AtLeast(7, 0) && !probed(p, m.at) {
				p.Report(m.at, "%s is there from redis-7.0, and the target is %s", name, p.Target)
			}
			if m.lib == "redis" && valkeyMembers[m.name] && !hasServer(p.Target) && !probed(p, m.at) {
				p.Report(m.at, "%s is there from valkey-8.0, and the target is %s", name, p.Target)
			}
		}
	},
}

func gated(p *lint.Pass, c *analysis.Call) {
	on := c.Command.On(p.Target)
	if !on.Exists {
		if on.Since == (command.Target{}) {
			p.Report(lint.Place(c, 0), "%s has no %s, in no version", p.Target.Server, c.Command.Name)
		} else {
			p.Report(lint.Place(c, 0), "%s is there from %s, and the target is %s", c.Command.Name, on.Since, p.Target).
				Help("set the target in luagen.yaml, if no older server matters")
		}
		return
	}
	for _, o := range c.Match.Newer {
		at := lint.Place(c, o.Index+c.Used)
		if at == nil || o.Maybe {
			continue
		}
		if o.Target == (command.Target{}) {
			p.Report(at, "%s does not take %s on %s, in no version", c.Command.Name, o.Name, p.Target.Server)
		} else {
			p.Report(at, "%s takes %s from %s, and the target is %s", c.Command.Name, o.Name, o.Target, p.Target)
		}
	}
}
