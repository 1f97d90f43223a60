package cli

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// TestReadme runs the first screen of the README: its script gives the method
// that it shows, and its mistake the message.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	block := func(language, begin string) string {
		pattern := regexp.MustCompile("(?s)```" + language + "\n(" + regexp.QuoteMeta(begin) + ".*?)```")
		match := pattern.FindSubmatch(readme)
		if match == nil {
			t.Fatalf("the README has no block %q that begins with %q", language, begin)
		}
		return string(match[1])
	}
	lua, method, message := block("lua", "-- Buy"), block("go", "// Buy"), block("", "lua/buy.lua:")

	t.Chdir(t.TempDir())
	write(t, "lua/buy.lua", lua)
	if status, _, stderr := run("generate"); status != statusOK || stderr != "" {
		t.Fatalf("status %d\n%s", status, stderr)
	}
	buy, err := os.ReadFile("generated/buy.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range append(strings.Split(strings.TrimSpace(method), "\n"), "BuyReplySoldOut") {
		if !strings.Contains(string(buy), line) {
			t.Errorf("the wrapper does not have %q:\n%s", line, buy)
		}
	}

	lines := strings.SplitAfter(lua, "\n")
	wrong := strings.TrimPrefix(strings.Split(message, "\n")[1], "  2 | ")
	write(t, "lua/buy.lua", lines[0]+wrong+"\n"+strings.Join(lines[1:], ""))
	if _, _, stderr := run("generate"); stderr != message {
		t.Errorf("luagen says:\n%s\nand the README:\n%s", stderr, message)
	}
}
