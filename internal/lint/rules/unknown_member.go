package rules

import (
	"slices"
	"strings"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements unknown-member.

var unknownMember = &lint.Rule{
	Name:  "unknown-member",
	Group: lint.Failure,
	Doc: lint.Doc{
		What: "a library has no such function",
		Why: `A field that a library does not have is nil, and calling it raises "attempt to call
field '…' (a nil value)". Redis has Lua 5.1: there is no table.unpack, table.pack,
math.tointeger or string.split.`,
		Bad: `return redis.call('DEL', table.unpack --[[want "unknown-member"]](KEYS))
`,
		Good: `return redis.call('DEL', unpack(KEYS))
`,
	},
	Run: func(p *lint.Pass) {
		for _, m := range libraryMembers(p) {
			if members[m.lib][m.name] || m.lib == "cjson" && newerJSON[m.name] != "" || m.lib == "redis" && (valkeyMembers[m.name] || m.name == "register_function") || probed(p, m.at) {
				continue
			}
			f := p.Report(m.at, "%s has no field %s", m.lib, m.name)
			if instead := replacements[m.lib+"."+m.name]; instead != "" {
				f.Help("use %s", instead)
			} else if near := nearMember(m.lib, m.name); near != "" {
				f.Help("did you mean %s.%s?", m.lib, near)
			}
		}
	},
}

// replacements say what Lua 5.1 and Redis have instead.
var replacements = map[string]string{
	"table.unpack": "unpack", "table.pack": "{...}", "math.tointeger": "math.floor", "string.split": "string.gmatch",
	"os.time": "redis.call('TIME')", "os.date": "redis.call('TIME')", "redis.sha1": "redis.sha1hex",
	"redis.error": "redis.error_reply", "redis.status": "redis.status_reply", "math.log2": "math.log(x) / math.log(2)",
	"table.move": "a loop", "string.pack": "struct.pack", "string.unpack": "struct.unpack", "table.len": "#",
}

// member is a place where a field of a library is read.
type member struct {
	at        syntax.Expr
	lib, name string
}

// libraryMembers returns where the script reads a field of a library, or calls
// a method of a string.
func libraryMembers(p *lint.Pass) []member {
	var list []member
	for _, e := range p.Indexes {
		key, ok := e.Key.(*syntax.StringExpr)
		if !ok {
			continue
		}
		if x, isName := e.X.(*syntax.NameExpr); isName && x.Local == nil {
			if members[x.Name] != nil && (x.Name != "os" || hasOS(p.Target)) {
				list = append(list, member{e, x.Name, key.Value})
			}
			continue
		}
		if lib, name, ok := strings.Cut(p.Value(e).Builtin(), "."); ok && name == key.Value && members[lib] != nil {
			list = append(list, member{e, lib, name})
		}
	}
	for _, call := range p.CallExprs {
		if call.Method != nil && p.Value(call.Fun).Is(analysis.String|analysis.Absent) {
			list = append(list, member{call.Method, "string", call.Method.Value})
		}
	}
	return list
}

func nearMember(lib, name string) string {
	var names []string
	for m := range members[lib] {
		names = append(names, m)
	}
	slices.Sort(names)
	return diag.Nearest(name, names)
}

// probed tells whether a field is only asked for: tested, or compared with nil.
func probed(p *lint.Pass, e syntax.Expr) bool {
	for _, c := range p.Conditions {
		if c == e {
			return true
		}
		if b, ok := c.(*syntax.BinaryExpr); ok && (b.X == e || b.Y == e) && (b.Op == syntax.OpEq || b.Op == syntax.OpNe) {
			return true
		}
	}
	// What is asked for once may be used under the answer.
	text := p.Source(e)
	for _, c := range p.Conditions {
		if c != e && p.Source(c) == text {
			return true
		}
	}
	return false
}

// newerJSON are fields of cjson that other builds of it have, or later
// releases.
var newerJSON = map[string]string{
	"empty_array": "OpenResty's cjson", "array_mt": "OpenResty's cjson", "empty_array_mt": "OpenResty's cjson",
	"encode_empty_table_as_object": "OpenResty's cjson", "encode_escape_forward_slash": "OpenResty's cjson",
	"decode_array_with_array_mt": "Redis 8.4", "safe": "another build of cjson", "encode_skip_unsupported_value_types": "OpenResty's cjson",
}

// hasArrayMT tells whether a target's cjson can keep arrays apart.
func hasArrayMT(t command.Target) bool { return t.Server == command.Redis && t.AtLeast(8, 4) }
