package syntax

// This file attaches comments to the code that they are about. A comment
// belongs to the statement whose line it ends, or to the one that follows it
// without a blank line between.

import (
	"sort"
	"strings"

	"github.com/luagen/luagen/internal/source"
)

// Header returns the comments before the first token of the file, in blocks
// that blank lines separate; the #! line is none of them. The last block may
// as well be about the first statement, see Leading.
func (c *Chunk) Header() [][]*Comment {
	end := source.Pos(len(c.File.Text))
	if stmts := c.Main.Body.Stmts; len(stmts) > 0 {
		end = stmts[0].Span().Start
	}
	n := c.commentsBefore(end)
	var blocks [][]*Comment
	for i, start := 0, 0; i < n; i++ {
		if i+1 == n || !c.adjoins(c.Comments[i].Pos.End, c.Comments[i+1].Pos.Start) {
			blocks = append(blocks, c.Comments[start:i+1:i+1])
			start = i + 1
		}
	}
	return blocks
}

// Leading returns the comments directly above a node: those that stand on
// lines of their own, without a blank line between them or before the node.
// They are nil when other code stands before the node on its line.
func (c *Chunk) Leading(n Node) []*Comment {
	next := n.Span().Start
	end := c.commentsBefore(next)
	start := end
	for start > 0 && c.adjoins(c.Comments[start-1].Pos.End, next) && c.alone(c.Comments[start-1]) {
		start--
		next = c.Comments[start].Pos.Start
	}
	return c.Comments[start:end:end]
}

// Trailing returns the comment that stands behind a node on the line where the
// node ends, with nothing but blanks, commas and semicolons between; nil
// without.
func (c *Chunk) Trailing(n Node) *Comment {
	end := n.Span().End
	i := c.commentsBefore(end)
	if i == len(c.Comments) {
		return nil
	}
	between := c.File.Text[end:c.Comments[i].Pos.Start]
	if strings.Trim(between, " \t,;") != "" {
		return nil
	}
	return c.Comments[i]
}

// commentsBefore returns how many comments begin before a place.
func (c *Chunk) commentsBefore(pos source.Pos) int {
	return sort.Search(len(c.Comments), func(i int) bool { return c.Comments[i].Pos.Start >= pos })
}

// adjoins tells whether only white space with at most one line break stands
// between two places.
func (c *Chunk) adjoins(end, start source.Pos) bool {
	between := c.File.Text[end:start]
	return strings.Trim(between, " \t\v\f\r\n") == "" && countLines(between) <= 1
}

// alone tells whether nothing stands before a comment on its line, or only
// another comment.
func (c *Chunk) alone(comment *Comment) bool {
	line := c.File.LineSpan(c.File.Line(comment.Pos.Start)).Start
	before := c.File.Text[line:comment.Pos.Start]
	return strings.Trim(before, " \t\v\f") == "" || strings.HasPrefix(strings.TrimLeft(before, " \t"), "--[")
}
