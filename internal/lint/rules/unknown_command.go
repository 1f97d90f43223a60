package rules

import (
	"slices"
	"strings"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/lint"
)

// This file implements unknown-command.

var unknownCommand = &lint.Rule{
	Name:  "unknown-command",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "a command, subcommand or option that no server has",
		Why: `Redis looks a command up when the call runs, and raises "Unknown Redis command
called from script" then. Whatever the script wrote before stays. Commands of
modules are known once luagen.yaml names the module, as in modules: [JSON].`,
		Bad: `return redis.call('GETT' --[[want "unknown-command"]], KEYS[1])
`,
		Good: `return redis.call('GET', KEYS[1])
`,
	},
	Run: func(p *lint.Pass) {
		for _, c := range p.Calls {
			switch {
			case c.Name == "":
			case c.Command == nil:
				reportUnknown(p, c)
			case c.Command.Container() && c.Used == 1 && len(c.Args) > 1:
				reportSubcommand(p, c)
			case c.Match.Problem != nil && c.Match.Problem.Kind == command.Unexpected:
				reportOption(p, c)
			}
		}
	},
}

func reportUnknown(p *lint.Pass, c *analysis.Call) {
	at := lint.Place(c, 0)
	if at == nil || c.Node == nil {
		return
	}
	if module := command.Module(c.Name); module != "" {
		if !slices.Contains(p.Options.Modules, module) && !c.Protected {
			p.Report(at, "%s is a command of the module %s, which the servers of this project are not known to have", c.Name, module).
				Help("add it to luagen.yaml: modules: [%s]", module)
		}
		return
	}
	if strings.ContainsAny(c.Name, " \t") {
		p.Report(at, "there is no command '%s'", c.Name).Help("give each word as an argument of its own")
		return
	}
	f := p.Report(at, "there is no command %s", c.Name)
	if near := command.Nearest(c.Name); near != "" {
		f.Help("did you mean %s?", near)
	}
}

func reportSubcommand(p *lint.Pass, c *analysis.Call) {
	sub, ok := c.Args[1].Text()
	at := lint.Place(c, 1)
	if !ok || at == nil {
		return
	}
	f := p.Report(at, "%s has no subcommand %s", c.Name, strings.ToUpper(sub))
	if near := command.Nearest(c.Name + " " + sub); strings.HasPrefix(near, c.Name+" ") {
		f.Help("did you mean %s?", near)
	}
}

func reportOption(p *lint.Pass, c *analysis.Call) {
	problem := c.Match.Problem
	i := problem.Index + c.Used
	if i >= len(c.Args) {
		return
	}
	at := lint.Place(c, i)
	text, ok := c.Args[i].Text()
	if at == nil || !ok {
		return
	}
	p.Report(at, "%s does not take '%s' here, expected %s", c.Command.Name, text, oneOf(problem.Want)).
		Help("%s %s", c.Command.Name, c.Command.Use)
}

// oneOf lists choices.
func oneOf(words []string) string {
	switch n := len(words); n {
	case 0:
		return "nothing more"
	case 1:
		return words[0]
	default:
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
}
