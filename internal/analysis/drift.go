package analysis

// This file implements the comparison of tags with code.

import (
	"strconv"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/types"
)

func itoa(n int) string { return strconv.Itoa(n) }

// count writes a number of things.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return itoa(n) + " " + what + "s"
}

// checkReply reports a @return that no reply of the script can be.
func (a *analyzer) checkReply(inferred types.Type, r *shape) {
	if r.any || a.in.gaveUp != "" {
		return
	}
	if !fits(a.tags.reply, r) {
		a.report(diag.Error, diag.RuleDrift, a.tags.replySpan,
			"@return says "+a.tags.reply.String()+", but the script replies "+inferred.String(),
			"take the tag away, or correct it")
	}
}

// fits tells whether any reply of the shape can be of the type.
func fits(t types.Type, s *shape) bool {
	if o, ok := t.(*types.Optional); ok {
		return s.absent || s.none || s.no || s.left || fits(o.Elem, s)
	}
	if s.any {
		return true
	}
	scalar := s.ints || s.yes || s.strs || s.status || s.float
	missing := s.absent || s.none || s.no || s.left
	if !scalar && s.array == nil {
		return missing || !scalar // errors alone fit anything
	}
	switch t := t.(type) {
	case *types.Basic:
		switch t {
		case types.Any, types.None:
			return true
		case types.Int, types.Uint:
			return s.ints || s.yes || s.strs || s.float
		case types.Float:
			return s.strs || s.float || s.ints || s.yes
		}
		return scalar
	case *types.Bool:
		return scalar || missing
	case *types.List:
		return s.array != nil
	case *types.Map:
		return s.array != nil
	case *types.Tuple:
		return s.array != nil && fitsTuple(t, s.array)
	case *types.Union:
		for _, m := range t.Members {
			if fits(m, s) {
				return true
			}
		}
		return false
	}
	return scalar
}

func fitsTuple(t *types.Tuple, a *array) bool {
	if a.elem != nil || len(a.fields) == 0 {
		return true
	}
	least := len(t.Fields)
	for least > 0 {
		if _, ok := t.Fields[least-1].Type.(*types.Optional); !ok {
			break
		}
		least--
	}
	return a.least <= len(t.Fields) && len(a.fields) >= least
}
