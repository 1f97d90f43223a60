package rules

import (
	"slices"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements undefined-global.

var undefinedGlobal = &lint.Rule{
	Name:  "undefined-global",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "a global variable that no script has",
		Why: `Redis gives scripts no print, no require and no os.time, and no variable that was
not declared with local. Reading one raises "Script attempted to access nonexistent
global variable". Most often the name is misspelt, or its local is out of scope.`,
		Bad: `local limit = tonumber(ARGV[1])
redis.call('LTRIM', KEYS[1], 0, limit)
return redis.call('LTRIM', KEYS[2], 0, limt --[[want "undefined-global"]])
`,
		Good: `local limit = tonumber(ARGV[1])
redis.call('LTRIM', KEYS[1], 0, limit)
return redis.call('LTRIM', KEYS[2], 0, limit)
`,
		Links: []string{"https://redis.io/docs/latest/develop/interact/programmability/lua-api/#global-variables"},
	},
	Run: func(p *lint.Pass) {
		if p.Fragment() {
			return // what it is included into has the rest
		}
		written := writtenGlobals(p.Assigns, p.FuncStmts)
		for _, n := range p.Names {
			if n.Local != nil || globals[n.Name] || written[n.Name] || removedGlobals[n.Name] || foreignGlobals[n.Name] != "" ||
				n.Name == "server" || n.Name == "os" && hasOS(p.Target) || foreignRequire(p, n) {
				continue
			}
			f := p.Report(n, "there is no global variable %s in a script", n.Name)
			switch near := nearLocal(p, n.Name); {
			case n.Name == "os":
				f.Help("for the time use redis.call('TIME')")
			case n.Name == "print":
				f.Help("to write to the server's log use redis.log(redis.LOG_NOTICE, ...)")
			case n.Name == "require" || n.Name == "dofile" || n.Name == "loadfile":
				f.Help("scripts load no files; luagen puts one in with --- @include \"path\"")
			case n.Name == "json":
				f.Help("the library is called cjson")
			case near != "":
				f.Help("did you mean %s?", near)
			default:
				f.Help("declare it with local, before it is used")
			}
		}
	},
}

// nearLocal returns the name of a local or global that a misspelt one may mean.
func nearLocal(p *lint.Pass, name string) string {
	var names []string
	for _, s := range p.Locals {
		for _, l := range s.Names {
			names = append(names, l.Name)
		}
	}
	for _, f := range p.Functions {
		for _, l := range f.Locals {
			names = append(names, l.Name)
		}
	}
	for g := range globals {
		names = append(names, g)
	}
	slices.Sort(names)
	if near := diag.Nearest(name, names); near != name {
		return near
	}
	return ""
}

// foreignRequire tells whether a name is the require of another host's library.
func foreignRequire(p *lint.Pass, n *syntax.NameExpr) bool {
	if n.Name != "require" {
		return false
	}
	call, ok := p.Parent(n).(*syntax.CallExpr)
	if !ok || len(call.Args) != 1 {
		return false
	}
	lib, ok := call.Args[0].(*syntax.StringExpr)
	return ok && foreignLibraries[lib.Value]
}
