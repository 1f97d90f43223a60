package gosource

import "testing"

func TestScriptName(t *testing.T) {
	for ident, want := range map[string]string{
		"enqueueCmd":         "Enqueue",
		"enqueueScript":      "Enqueue",
		"luaRefresh":         "Refresh",
		"redisLuaZremLpush":  "ZremLpush",
		"MOVE_JOB_LUA":       "MoveJob",
		"addPresenceSource":  "AddPresence",
		"scriptTTL":          "TTL",
		"lock":               "Lock",
		"evaluate":           "Evaluate",
		"describe":           "Describe",
		"execCmd":            "RunExec", // the wrappers have an Exec
		"script":             "",
		"luaScript":          "",
		"src":                "",
		"code":               "",
		"s":                  "",
		"":                   "",
		"scripted":           "Scripted",
		"luaScriptForUpdate": "ForUpdate",
	} {
		if got := ScriptName(ident); got != want {
			t.Errorf("ScriptName(%q) = %q, want %q", ident, got, want)
		}
	}
}
