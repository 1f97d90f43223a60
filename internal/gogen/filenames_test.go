package gogen

import (
	"testing"

	"github.com/luagen/luagen/internal/script"
)

func TestFileNames(t *testing.T) {
	files := newFileNames()
	for _, tt := range []struct{ file, want string }{
		{"lua/acquire.lua", "acquire.go"},
		{"lua/Acquire.lua", "Acquire_lua.go"}, // one file where case is ignored
		{"lua/moveToActive-11.lua", "moveToActive-11.go"},
		{"lua/move_test.lua", "move_test_lua.go"},
		{"lua/move_TEST.lua", "move_TEST_lua2.go"},
		{"lua/boot_linux.lua", "boot_linux_lua.go"},
		{"lua/boot_linux_amd64.lua", "boot_linux_amd64_lua.go"},
		{"lua/linux.lua", "linux.go"},
		{"lua/scripts.lua", "scripts_lua.go"},
		{"lua/aux.lua", "aux_lua.go"},
		{"lua/3way.lua", "3way.go"},
		{"lua/_hidden.lua", "hidden.go"},
		{"lua/a.b c.lua", "a_b_c.go"},
		{"lua/***.lua", "script.go"},
		{"lua/\xff\n.lua", "script_lua.go"},
		{"lua/..lua", "script_lua2.go"},
		{"lua/ключ.lua", "ключ.go"},
	} {
		if got := files.name(&script.Script{Name: "Script", File: tt.file}); got != tt.want {
			t.Errorf("the file for %q is %s, want %s", tt.file, got, tt.want)
		}
	}
}
