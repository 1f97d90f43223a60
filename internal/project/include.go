package project

// This file implements finding the directives that include files:
//
//	--- @include "lib/queue"     each file once
//	-- $include(lib/queue.lua)   its text in place
//
// A directive is a comment of its own.

import (
	"regexp"
	"strings"

	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// include is one directive.
type include struct {
	span     source.Span // the comment, which its file's text takes the place of
	path     string      // slashes, as written; a pattern when it has *, ? or [
	pathSpan source.Span
	once     bool // the file comes once in a script, however often it is asked for
}

// The directives behind the -- of a comment. The path is in the first group
// that matched.
var (
	atInclude     = regexp.MustCompile(`^-*\s*@include\s+(?:"([^"]*)"|'([^']*)'|(\S+))\s*$`)
	dollarInclude = regexp.MustCompile(`^-*\s*\$include\(\s*(?:"([^"]*)"|'([^']*)'|([^)]*?))\s*\)\s*$`)
)

// includes returns the directives of a file, in order. Only files with the
// words in them are parsed.
func includes(file *source.File) []include {
	if !strings.Contains(file.Text, "@include") && !strings.Contains(file.Text, "$include") {
		return nil
	}
	chunk, _ := syntax.Parse(file)
	var found []include
	for _, comment := range chunk.Comments {
		if comment.Long {
			continue
		}
		for _, directive := range []*regexp.Regexp{atInclude, dollarInclude} {
			match := directive.FindStringSubmatchIndex(comment.Text)
			for group := 1; 2*group < len(match); group++ {
				start, end := match[2*group], match[2*group+1]
				if start < 0 {
					continue
				}
				base := comment.Pos.Start + source.Pos(len("--"))
				found = append(found, include{
					span:     comment.Pos,
					path:     strings.ReplaceAll(comment.Text[start:end], `\`, "/"),
					pathSpan: source.Span{Start: base + source.Pos(start), End: base + source.Pos(end)},
					once:     directive == atInclude,
				})
			}
		}
	}
	return found
}
