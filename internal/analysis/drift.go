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

// checkTypes warns about an @arg whose type is none that the command takes
// which the argument goes to.
func (a *analyzer) checkTypes(inferred []slot) {
	if a.in.gaveUp != "" {
		return
	}
	for i, t := range a.tags.args {
		if i == len(inferred) {
			return
		}
		s := inferred[i]
		takes, by := "", s.unitBy
		switch {
		case t.typ == nil || t.variadic || s.variadic:
		case s.unitBy != "" && unitClash(t.typ, s.typ):
			takes = s.typ.String()
		case s.unitBy+s.integerBy != "" && (t.typ == types.Float || isEncoded(t.typ)):
			takes, by = "an integer", s.unitBy+s.integerBy
		}
		if takes != "" {
			a.report(diag.Warning, diag.RuleDrift, t.typeSpan, "@arg "+t.name+" says "+t.typ.String()+", but "+by+" takes "+takes,
				"correct the tag, or convert the argument in the script")
		}
	}
}

// unitClash tells whether a tag counts time in another unit than the code.
func unitClash(tag, code types.Type) bool {
	want, ok := unitOf(tag)
	have, known := unitOf(code)
	return ok && known && want != have
}

func unitOf(t types.Type) (types.Unit, bool) {
	switch t := t.(type) {
	case *types.Duration:
		return t.Unit, true
	case *types.Time:
		return t.Unit, true
	}
	return 0, false
}

func isEncoded(t types.Type) bool {
	_, ok := t.(*types.Encoded)
	return ok
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
