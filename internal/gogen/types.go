package gogen

// This file implements the Go types of values and the declarations of those
// that have names.

import (
	"strconv"

	"github.com/dave/jennifer/jen"

	"github.com/luagen/luagen/internal/types"
)

func redislua(name string) *jen.Statement { return jen.Qual(redisluaPath, name) }

// goType returns the type by which Go has v.
func (v *value) goType() *jen.Statement {
	switch {
	case v.user != nil:
		return jen.Qual(v.user.path, v.user.name)
	case v.named != nil:
		return jen.Id(v.named.name)
	}
	switch t := v.typ.(type) {
	case *types.Basic:
		return basicType(t)
	case *types.Bool:
		return jen.Bool()
	case *types.Duration:
		return jen.Qual(timePath, "Duration")
	case *types.Time:
		return jen.Qual(timePath, "Time")
	case *types.Encoded:
		if t.Format == types.Msgpack {
			return jen.Index().Byte()
		}
		return jen.Qual(jsonPath, "RawMessage")
	case *types.Optional:
		return jen.Op("*").Add(v.elem.goType())
	case *types.List:
		return jen.Index().Add(v.elem.goType())
	case *types.Map:
		if t.Ordered {
			return jen.Index().Add(redislua("Pair").Types(v.key.goType(), v.elem.goType()))
		}
		return jen.Map(v.key.goType()).Add(v.elem.goType())
	}
	panic("gogen: no Go type for " + v.typ.String())
}

func basicType(t *types.Basic) *jen.Statement {
	switch t {
	case types.String:
		return jen.String()
	case types.Bytes:
		return jen.Index().Byte()
	case types.Int:
		return jen.Int64()
	case types.Uint:
		return jen.Uint64()
	case types.Float:
		return jen.Float64()
	case types.Any:
		return redislua("Value")
	}
	panic("gogen: no Go type for " + t.String())
}

// sameType reports whether two parameters of these values can share the type
// behind them. It may say no of types that are equal.
func sameType(a, b *value) bool {
	switch {
	case a == nil || b == nil:
		return a == nil && (b == nil || b.isString()) || b == nil && a.isString()
	case a.user != nil || b.user != nil:
		return a.user != nil && b.user != nil && *a.user == *b.user
	case a.named != nil || b.named != nil:
		return a.named == b.named
	}
	switch t := a.typ.(type) {
	case *types.Basic:
		return a.typ == b.typ
	case *types.Bool:
		_, ok := b.typ.(*types.Bool)
		return ok
	case *types.Duration:
		_, ok := b.typ.(*types.Duration)
		return ok
	case *types.Time:
		_, ok := b.typ.(*types.Time)
		return ok
	case *types.Encoded:
		o, ok := b.typ.(*types.Encoded)
		return ok && o.Format == t.Format
	}
	return false
}

func (v *value) isString() bool { return v.user == nil && v.typ == types.String }

// declare writes the declaration of a named type.
func (n *named) declare(f *jen.File) {
	var c comment
	if doc := colon(n.doc); doc != "" {
		c.line(n.name + " is " + n.what + doc)
	} else {
		c.line(n.name + " is " + n.what + ".")
	}
	f.Add(c.code())
	if enum, ok := n.typ.(*types.Enum); ok {
		n.declareEnum(f, enum)
		return
	}
	f.Type().Id(n.name).StructFunc(func(g *jen.Group) {
		for _, fd := range n.fields {
			g.Id(fd.name).Add(fd.value.goType())
		}
	})
	f.Line()
}

func (n *named) declareEnum(f *jen.File, enum *types.Enum) {
	if enum.Text {
		f.Type().Id(n.name).String()
	} else {
		f.Type().Id(n.name).Int64()
	}
	f.Line()
	if len(n.members) > 0 {
		f.Comment("// The values of " + n.name + ".")
		f.Const().DefsFunc(func(g *jen.Group) {
			for _, m := range n.members {
				g.Id(m.name).Id(n.name).Op("=").Add(m.literal(enum))
			}
		})
		f.Line()
	}
	if enum.Text {
		f.Comment("// String returns the word as the script has it.")
		f.Func().Params(jen.Id("v").Id(n.name)).Id("String").Params().String().Block(
			jen.Return(jen.String().Call(jen.Id("v"))),
		)
		f.Line()
		return
	}
	f.Comment("// String returns the name that the script's signature has for the value.")
	f.Func().Params(jen.Id("v").Id(n.name)).Id("String").Params().String().Block(
		jen.Switch(jen.Id("v")).BlockFunc(func(g *jen.Group) {
			for _, m := range n.members {
				g.Case(jen.Id(m.name)).Block(jen.Return(jen.Lit(m.label)))
			}
		}),
		jen.Return(jen.Lit(n.name+"(").Op("+").Qual(strconvPath, "FormatInt").Call(jen.Int64().Call(jen.Id("v")), jen.Lit(10)).Op("+").Lit(")")),
	)
	f.Line()
}

func (c *constant) literal(enum *types.Enum) *jen.Statement {
	if enum.Text {
		return jen.Lit(c.member.Word)
	}
	return jen.Op(strconv.FormatInt(c.member.Int, 10))
}
