package syntax

import (
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/source"
)

const commented = `#!lua flags=no-writes
-- Acquire takes a lock.
-- @key lock

--[[ Licence
of two lines ]]
-- about a
local a = KEYS[1] -- the lock
local b = ARGV[1]; --[==[ the token ]==] local c = 2 -- and c

-- alone

-- about if
if a then --[[ inside ]] return b end
-- at the end`

func texts(list []*Comment) string {
	var out []string
	for _, c := range list {
		out = append(out, strings.TrimSpace(c.Text))
	}
	return strings.Join(out, "|")
}

func TestComments(t *testing.T) {
	chunk, diags := Parse(source.New("x.lua", commented))
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	check := func(what, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: got %q, want %q", what, got, want)
		}
	}
	if n := len(chunk.Comments); n != 11 {
		t.Errorf("%d comments, want 11", n)
	}
	for _, c := range chunk.Comments {
		if text := chunk.File.Slice(c.Pos); !strings.HasPrefix(text, "--") || !strings.Contains(text, c.Text) || c.Long != strings.HasPrefix(text, "--[") {
			t.Errorf("the comment %q stands at %q", c.Text, text)
		}
	}
	header := chunk.Header()
	if len(header) != 2 {
		t.Fatalf("%d blocks in the header, want 2", len(header))
	}
	check("first block", texts(header[0]), "Acquire takes a lock.|@key lock")
	check("second block", texts(header[1]), "Licence\nof two lines|about a")
	stmts := chunk.Main.Body.Stmts
	for i, want := range []struct{ leading, trailing string }{
		{"Licence\nof two lines|about a", "the lock"},
		{"", "the token"},
		{"", "and c"},
		{"about if", ""},
	} {
		check("leading", texts(chunk.Leading(stmts[i])), want.leading)
		trailing := ""
		if c := chunk.Trailing(stmts[i]); c != nil {
			trailing = strings.TrimSpace(c.Text)
		}
		check("trailing", trailing, want.trailing)
	}
	check("flags", strings.Join(chunk.Shebang.Flags, ","), "no-writes")
}

func TestHeaderWithoutCode(t *testing.T) {
	chunk, _ := Parse(source.New("x.lua", "-- only\n-- comments"))
	if h := chunk.Header(); len(h) != 1 || texts(h[0]) != "only|comments" {
		t.Errorf("header %v", h)
	}
}
