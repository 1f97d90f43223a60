package project

import (
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/script"
)

// TestFileName asks that a file's name gives the script the name it is for.
func TestFileName(t *testing.T) {
	for name, want := range map[string]string{
		"Enqueue":         "enqueue.lua",
		"MoveToActive":    "move_to_active.lua",
		"JobID":           "job_id.lua",
		"ListZSetEntries": "list_z_set_entries.lua",
		"Push2":           "push2.lua",
		"V9_2":            "v9_2.lua",
		"JobIDs":          "job_ids.lua",
		"RedisCAS":        "redisCAS.lua",
		"RunExec":         "run_exec.lua",
	} {
		got := fileName(name)
		if back := script.Method(strings.TrimSuffix(got, ".lua")); got != want || back != name {
			t.Errorf("fileName(%q) = %q, which gives %q; want %q", name, got, back, want)
		}
	}
}
