package analysis

// This file implements what is told of a reply that could not be typed: where
// it was lost sight of and why, so that one tag mends it.

import (
	"strings"

	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/types"
)

// reason is a place where a value was lost sight of, and how.
type reason struct {
	pos  source.Pos
	text string
}

// because returns v with a reason for what is not known of it.
func (in *interp) because(v *value, text string) *value {
	r := *v
	r.why = &reason{in.callAt, text}
	return &r
}

// lost is a value of which nothing is known but why.
func lost(why *reason) *value {
	if why == nil {
		return vAny
	}
	return &value{kinds: kAll, why: why}
}

// result is what one return statement of the script replies.
type result struct {
	pos   source.Pos
	shape *shape
}

// explainReply says why the reply is any or a union.
func (a *analyzer) explainReply(s *script.Script, r *shape, t *typer) {
	u := script.Unknown{Position: a.file.Position(0), What: "the reply", Reason: a.in.gaveUp}
	switch {
	case a.in.gaveUp != "":
	case r.any:
		u.Reason = "a value that cannot be followed is returned"
		if r.anyPlace != nil {
			u.Position = a.file.Position(r.anyPlace.Span().Start)
		}
		if r.why != nil && r.why.pos > 0 {
			u.Position, u.Reason = a.file.Position(r.why.pos), r.why.text
		}
	default:
		u.Reason = "the script returns values of several types: " + s.Reply.Type.String()
		var seen, list []string
		for _, res := range a.in.results {
			text := types.Settle(t.reply(res.shape)).String()
			if strings.Contains("\n"+strings.Join(seen, "\n")+"\n", "\n"+text+"\n") {
				continue
			}
			seen = append(seen, text)
			pos := a.file.Position(res.pos)
			list = append(list, text+" in line "+itoa(pos.Line))
			u.Position = pos
		}
		if len(list) > 1 {
			u.Reason = "the script returns values of several types: " + strings.Join(list, ", ")
		}
	}
	s.Unknown = append(s.Unknown, u)
}
