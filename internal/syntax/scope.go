package syntax

// This file implements scopes: which local a name means.

import (
	"fmt"

	"github.com/luagen/luagen/internal/source"
)

// function is a function that is being parsed.
type function struct {
	fn       *Func
	outer    *function
	line     int // where Lua says it begins; 0 for the main function
	active   []*Local
	first    [8]*Local // where active begins
	declared int       // where the function's locals begin in parser.all
	upvalues []*Local
	loops    int  // loops around the current statement
	ifs      int  // ifs around it, for recovery
	repeats  int  // repeats around it, for recovery
	full     bool // a limit was already reported
}

// hidden stands for the three locals that every for loop has beside its own.
var hidden = &Local{}

// openFunc begins a function.
func (p *parser) openFunc(start source.Pos, line int) *function {
	f := &function{fn: &Func{}, outer: p.fn, line: line, declared: len(p.all.open)}
	f.active = f.first[:0]
	f.fn.Pos.Start = start
	if p.fn != nil {
		f.fn.Parent = p.fn.fn
	}
	p.fn = f
	return f
}

// closeFunc ends the current function behind the last token.
func (p *parser) closeFunc() *Func {
	f := p.fn
	f.fn.Locals = p.all.take(f.declared)
	f.fn.Pos.End = max(f.fn.Pos.Start, p.prevEnd)
	p.fn = f.outer
	return f.fn
}

// declare makes a local that activate will bring into scope; pending is the
// number of locals that wait for the same.
func (p *parser) declare(name string, pos source.Span, kind LocalKind, pending int) *Local {
	l := p.local.alloc()
	*l = Local{Name: name, Pos: pos, Kind: kind, Func: p.fn.fn}
	p.all.push(l)
	p.checkLocals(pending + 1)
	return l
}

// checkLocals reports when n more locals are too many.
func (p *parser) checkLocals(n int) {
	if len(p.fn.active)+n > maxLocals {
		p.tooMany(p.fn, maxLocals, "local variables")
	}
}

// tooMany reports that a function has too many of something, once for each.
func (p *parser) tooMany(f *function, limit int, what string) {
	if f.full {
		return
	}
	f.full = true
	where := "main function"
	if f.line > 0 {
		where = fmt.Sprintf("function at line %d", f.line)
	}
	p.limitError(fmt.Sprintf("%s has more than %d %s", where, limit, what),
		fmt.Sprintf("found more than %d %s in a function, more than Lua allows", limit, what))
}

// activate brings locals into scope.
func (p *parser) activate(locals ...*Local) {
	p.fn.active = append(p.fn.active, locals...)
}

// deactivate ends the scope of all locals but the first n.
func (p *parser) deactivate(n int) {
	p.fn.active = p.fn.active[:n]
}

// find returns the local that a name means in the function itself.
func (f *function) find(name string) *Local {
	for i := len(f.active) - 1; i >= 0; i-- {
		if l := f.active[i]; l.Name == name {
			return l
		}
	}
	return nil
}

// resolve returns the local that a name means, nil for a global.
func (p *parser) resolve(name string) *Local {
	if l := p.fn.find(name); l != nil {
		return l
	}
	for f := p.fn.outer; f != nil; f = f.outer {
		if l := f.find(name); l != nil {
			l.Captured = true
			p.capture(p.fn, f, l)
			return l
		}
	}
	return nil
}

// capture makes a local of the function owner an upvalue of f and of all
// functions between, outermost first as Lua does.
func (p *parser) capture(f, owner *function, l *Local) {
	if f == owner {
		return
	}
	p.capture(f.outer, owner, l)
	for _, u := range f.upvalues {
		if u == l {
			return
		}
	}
	if len(f.upvalues) == maxUpvalues {
		p.tooMany(f, maxUpvalues, "upvalues")
		return
	}
	f.upvalues = append(f.upvalues, l)
}
