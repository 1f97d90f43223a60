package rules

// This file implements what servers have as globals, and in their libraries.

import (
	"strings"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/syntax"
)

// globals are the names that every server has.
var globals = words(`ARGV KEYS _G _VERSION __redis__err__handler assert bit cjson cmsgpack collectgarbage
	coroutine error gcinfo getmetatable ipairs load loadstring math next pairs pcall rawequal rawget rawset
	redis select setmetatable string struct table tonumber tostring type unpack xpcall`)

// removedGlobals were taken away by the security fixes of October 2025.
var removedGlobals = words("getfenv setfenv newproxy")

// foreignGlobals are those of other hosts of Lua, with whose they are.
var foreignGlobals = map[string]string{
	"ngx": "OpenResty", "ndk": "OpenResty", "ffi": "LuaJIT", "jit": "LuaJIT", "box": "Tarantool", "fiber": "Tarantool",
	"bit32": "Lua 5.2", "utf8": "Lua 5.3", "vim": "Neovim", "love": "LÖVE", "core": "another host", "tarantool": "Tarantool",
}

// members are the fields of the libraries.
var members = map[string]map[string]bool{
	"string":    words("byte char dump find format gfind gmatch gsub len lower match rep reverse sub upper"),
	"table":     words("concat foreach foreachi getn insert maxn remove setn sort"),
	"math":      words("abs acos asin atan atan2 ceil cos cosh deg exp floor fmod frexp huge ldexp log log10 max min mod modf pi pow rad random randomseed sin sinh sqrt tan tanh"),
	"bit":       words("arshift band bnot bor bswap bxor lshift rol ror rshift tobit tohex"),
	"struct":    words("pack size unpack"),
	"cmsgpack":  words("pack unpack unpack_one unpack_limit _NAME _VERSION _COPYRIGHT _DESCRIPTION"),
	"coroutine": words("create resume running status wrap yield"),
	"os":        words("clock"),
	"cjson": words(`decode encode new null encode_max_depth decode_max_depth encode_number_precision encode_sparse_array
		encode_invalid_numbers decode_invalid_numbers encode_keep_buffer _NAME _VERSION`),
	"redis": words(`call pcall error_reply status_reply sha1hex log LOG_DEBUG LOG_VERBOSE LOG_NOTICE LOG_WARNING setresp set_repl
		REPL_NONE REPL_AOF REPL_SLAVE REPL_REPLICA REPL_ALL replicate_commands breakpoint debug acl_check_cmd REDIS_VERSION REDIS_VERSION_NUM`),
}

// valkeyMembers are what Valkey 8 adds to the table redis.
var valkeyMembers = words("SERVER_NAME SERVER_VERSION SERVER_VERSION_NUM VALKEY_VERSION VALKEY_VERSION_NUM")

func words(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

// hasOS tells whether a target has os.clock.
func hasOS(t command.Target) bool {
	if t.Server == command.Valkey {
		return t.AtLeast(8, 0)
	}
	return t.AtLeast(7, 4)
}

// hasServer tells whether a target has the alias server of redis.
func hasServer(t command.Target) bool { return t.Server == command.Valkey && t.AtLeast(8, 0) }

// writtenGlobals returns the globals that a script assigns to.
func writtenGlobals(assigns []*syntax.AssignStmt, funcs []*syntax.FuncStmt) map[string]bool {
	set := map[string]bool{}
	note := func(e syntax.Expr) {
		if n, ok := e.(*syntax.NameExpr); ok && n.Local == nil {
			set[n.Name] = true
		}
	}
	for _, s := range assigns {
		for _, t := range s.Targets {
			note(t)
		}
	}
	for _, s := range funcs {
		note(s.Target)
	}
	return set
}
