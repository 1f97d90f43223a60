package rules

import (
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements index-gap.

var indexGap = &lint.Rule{
	Name:     "index-gap",
	Severity: diag.Warning,
	Group:    lint.Keys,
	Doc: lint.Doc{
		What: "a slot is left out, or an index is below 1",
		Why: `KEYS and ARGV count from 1, and KEYS[0] is always nil. A script that reads KEYS[1] and
KEYS[3] but never KEYS[2] makes callers send a slot that does nothing; most often one
of the numbers is wrong. A slot that is there on purpose is documented, in a comment
or by a tag.`,
		Bad: `redis.call('SET', KEYS[1], ARGV[1])
return redis.call('SADD', KEYS[3] --[[want "index-gap"]], ARGV[1])
`,
		Good: `redis.call('SET', KEYS[1], ARGV[1])
return redis.call('SADD', KEYS[2], ARGV[1])
`,
	},
	Run: func(p *lint.Pass) {
		for _, e := range p.Indexes {
			table, ok := e.X.(*syntax.NameExpr)
			if !ok || table.Local != nil || table.Name != "KEYS" && table.Name != "ARGV" {
				continue
			}
			n, ok := e.Key.(*syntax.NumberExpr)
			if ok && n.Value < 1 {
				p.Report(e, "%s counts from 1, so this is always nil", table.Name)
			}
		}
		if p.Complete && p.Script != nil {
			gap(p, false)
			gap(p, true)
		}
	},
}

// gap reports the first slot behind one that is never read.
func gap(p *lint.Pass, argv bool) {
	read := map[int]source.Pos{}
	top := 0
	for _, r := range p.Reads {
		if r.Argv != argv {
			continue
		}
		if r.Index == 0 {
			return // walked
		}
		if _, ok := read[r.Index]; !ok {
			read[r.Index] = r.Pos
		}
		top = max(top, r.Index)
	}
	name := "KEYS"
	if argv {
		name = "ARGV"
	}
	for _, n := range p.Names {
		if n.Local == nil && n.Name == name {
			if e, ok := p.Parent(n).(*syntax.IndexExpr); !ok || e.X != syntax.Expr(n) {
				return // the table is used as a whole
			}
		}
	}
	for i := 1; i < top; i++ {
		if _, ok := read[i]; ok || documented(p, argv, i) {
			continue
		}
		for j := i + 1; j <= top; j++ {
			if at, ok := read[j]; ok {
				p.ReportSpan(slotSpan(p, at), "%s[%d] is read, and %s[%d] before it never is", name, j, name, i).
					Help("count without gaps, or say in a comment what %s[%d] is for", name, i)
				return
			}
		}
	}
}

// documented tells whether a comment or a tag says what a slot is.
func documented(p *lint.Pass, argv bool, i int) bool {
	if argv {
		return i <= len(p.Script.Args) && (p.Script.Args[i-1].From == script.FromTag || p.Script.Args[i-1].From == script.FromComment || p.Script.Args[i-1].Doc != "")
	}
	return i <= len(p.Script.Keys) && (p.Script.Keys[i-1].From == script.FromTag || p.Script.Keys[i-1].From == script.FromComment || p.Script.Keys[i-1].Doc != "")
}

// slotSpan returns the span of the index expression that begins at a place.
func slotSpan(p *lint.Pass, at source.Pos) source.Span {
	for _, e := range p.Indexes {
		if e.Pos.Start == at {
			return e.Pos
		}
	}
	return source.Span{Start: at, End: at}
}
