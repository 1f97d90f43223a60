package gogen

// This file implements the function that builds a script's call, and the
// encoding of arguments in it.

import (
	"strings"

	"github.com/dave/jennifer/jen"

	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/types"
)

// expression returns a new copy of an expression; jennifer's statements change
// when they are used.
type expression func() *jen.Statement

func ident(name string) expression { return func() *jen.Statement { return jen.Id(name) } }

func selector(x expression, field string) expression {
	return func() *jen.Statement { return x().Dot(field) }
}

func deref(x expression) expression {
	return func() *jen.Statement { return jen.Op("*").Add(x()) }
}

// on writes a call of a method of the *redislua.Call.
func on(method string, args ...jen.Code) *jen.Statement {
	return jen.Id("call").Dot(method).Call(args...)
}

// buildCall writes the function that the receivers share.
func (u *unit) buildCall(f *jen.File) {
	f.Func().Id(u.builder).Params(u.parameters()...).Op("*").Add(redislua("Call")).BlockFunc(func(g *jen.Group) {
		start := jen.Id(u.variable).Dot("Call").Call(u.capacity(u.keys), u.capacity(u.args))
		if len(u.keys)+len(u.args) == 0 {
			g.Return(start)
			return
		}
		g.Id("call").Op(":=").Add(start)
		for _, k := range u.keys {
			if k.variadic {
				g.Add(on("Keys", u.get(k)()))
			} else {
				g.Add(on("Key", u.get(k)()))
			}
		}
		for _, a := range u.args {
			u.sendSlot(g, a)
		}
		g.Return(jen.Id("call"))
	})
	f.Line()
}

// get returns the expression by which the builder has a slot.
func (u *unit) get(s *slot) expression {
	if u.params != "" {
		return selector(ident("params"), s.field)
	}
	return ident(s.name)
}

// capacity returns how many places the slots take: 2 + len(ids).
func (u *unit) capacity(slots []*slot) *jen.Statement {
	fixed := 0
	for _, s := range slots {
		if !s.variadic {
			fixed++
		}
	}
	if fixed == len(slots) {
		return jen.Lit(fixed)
	}
	rest := slots[len(slots)-1]
	count := jen.Len(u.get(rest)())
	if n := rest.width(); n > 1 {
		count = jen.Lit(n).Op("*").Add(count)
	}
	if fixed == 0 {
		return count
	}
	return jen.Lit(fixed).Op("+").Add(count)
}

// width returns how many places one element of a variadic slot takes.
func (s *slot) width() int {
	if s.value == nil {
		return 1
	}
	if t, ok := s.value.typ.(*types.Tuple); ok {
		return len(t.Fields)
	}
	return 1
}

// sendSlot writes the encoding of an argument.
func (u *unit) sendSlot(g *jen.Group, s *slot) {
	x := u.get(s)
	if s.parallel {
		if last := u.keys[len(u.keys)-1]; last.variadic {
			g.Add(on("SameLength", jen.Lit(last.name), jen.Lit(s.name), jen.Len(u.get(last)()), jen.Len(x())))
		}
	}
	switch {
	case s.variadic:
		u.sendRest(g, s, x)
	case s.optional:
		u.sendOptional(g, s, x)
	default:
		u.send(g, s.value, s.name, x)
	}
}

// sendOptional writes the encoding of what a pointer points to, if anything.
func (u *unit) sendOptional(g *jen.Group, s *slot, x expression) {
	absent := "Absent"
	if s.empty {
		absent = "Empty"
	}
	g.If(x().Op("!=").Nil()).BlockFunc(func(g *jen.Group) {
		u.send(g, s.value, s.name, deref(x))
	}).Else().Block(on(absent))
}

// sendRest writes the encoding of the rest of ARGV.
func (u *unit) sendRest(g *jen.Group, s *slot, x expression) {
	v := s.value
	if v.isString() {
		g.Add(on("Strings", x()))
		return
	}
	each := u.elementName(s)
	g.For(jen.List(jen.Id("_"), jen.Id(each)).Op(":=").Range().Add(x())).BlockFunc(func(g *jen.Group) {
		if _, ok := v.typ.(*types.Tuple); !ok {
			u.send(g, v, s.name, ident(each))
			return
		}
		for _, fd := range v.named.fields {
			u.send(g, fd.value, s.name+"."+fd.label, selector(ident(each), fd.name))
		}
	})
}

// elementName returns a loop variable for one of the slot's elements: id for
// ids, else v.
func (u *unit) elementName(s *slot) string {
	one := singular(s.name)
	if one == s.name+"Item" || script.Reserved(one) || one == "time" || one == "msgpack" || isParameter([]*unit{u}, one) {
		return "v"
	}
	return one
}

// send writes the encoding of one value in one place of ARGV.
func (u *unit) send(g *jen.Group, v *value, name string, x expression) {
	label := jen.Lit(name)
	if enc, ok := v.typ.(*types.Encoded); ok {
		u.sendEncoded(g, enc, v, name, x)
		return
	}
	if v.user != nil {
		g.Add(on("User", label, x()))
		return
	}
	switch t := v.typ.(type) {
	case *types.Basic:
		sendBasic(g, t, label, x)
	case *types.Bool:
		if t.True == "" && t.False == "" {
			g.Add(on("Bool", x()))
		} else {
			g.Add(on("Words", x(), jen.Lit(t.True), jen.Lit(t.False)))
		}
	case *types.Duration:
		g.Add(on("Duration", label, x(), oneOf(t.Unit)))
	case *types.Time:
		g.Add(on("Time", label, x(), oneOf(t.Unit)))
	case *types.Enum:
		if t.Text {
			g.Add(on("String", jen.String().Call(x())))
		} else {
			g.Add(on("Int", jen.Int64().Call(x())))
		}
	default:
		panic("gogen: no encoding for " + v.typ.String())
	}
}

func sendBasic(g *jen.Group, t *types.Basic, label jen.Code, x expression) {
	switch t {
	case types.String:
		g.Add(on("String", x()))
	case types.Bytes:
		g.Add(on("Bytes", x()))
	case types.Int:
		g.Add(on("Int", x()))
	case types.Uint:
		g.Add(on("Uint", x()))
	case types.Float:
		g.Add(on("Float", label, x()))
	default:
		panic("gogen: no encoding for " + t.String())
	}
}

func (u *unit) sendEncoded(g *jen.Group, t *types.Encoded, v *value, name string, x expression) {
	switch {
	case t.Format == types.JSON:
		g.Add(on("JSON", jen.Lit(name), x()))
	case v.user == nil:
		g.Add(on("Bytes", x()))
	default:
		last := name[strings.LastIndexByte(name, '.')+1:]
		packed, err := u.local(script.Param(last)+"Data"), u.local("err")
		g.List(jen.Id(packed), jen.Id(err)).Op(":=").Qual(msgpackPath, "Marshal").Call(x())
		g.Add(on("Encoded", jen.Lit(name), jen.Id(packed), jen.Id(err)))
	}
}

// local returns a name that no parameter has.
func (u *unit) local(name string) string {
	free := name
	for n := 2; isParameter([]*unit{u}, free); n++ {
		free = script.Numbered(name, n)
	}
	return free
}

// oneOf returns the duration that one of a type's units is.
func oneOf(u types.Unit) *jen.Statement {
	switch u {
	case types.Seconds:
		return jen.Qual(timePath, "Second")
	case types.Milliseconds:
		return jen.Qual(timePath, "Millisecond")
	}
	return jen.Qual(timePath, "Microsecond")
}
