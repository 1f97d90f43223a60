package gogen

// This file implements the decoding of replies.

import (
	"github.com/dave/jennifer/jen"

	"github.com/luagen/luagen/internal/types"
)

// decoder returns the redislua.Decoder of a value.
func (v *value) decoder() *jen.Statement {
	if enc, ok := v.typ.(*types.Encoded); ok {
		return v.encodedDecoder(enc)
	}
	switch {
	case v.user != nil:
		return redislua("AsUser").Types(v.goType()).Call()
	case v.named != nil:
		return jen.Id(v.named.decoder)
	}
	switch t := v.typ.(type) {
	case *types.Basic:
		return basicDecoder(t)
	case *types.Bool:
		if t.True == "" && t.False == "" {
			return redislua("AsBool")
		}
		return redislua("AsWords").Call(jen.Lit(t.True), jen.Lit(t.False))
	case *types.Duration:
		return redislua("AsDuration").Call(oneOf(t.Unit))
	case *types.Time:
		return redislua("AsTime").Call(oneOf(t.Unit))
	case *types.Optional:
		return redislua("Optional").Call(v.elem.decoder())
	case *types.List:
		return redislua("List").Call(v.elem.decoder())
	case *types.Map:
		name := "Map"
		if t.Ordered {
			name = "Pairs"
		}
		return redislua(name).Call(v.key.decoder(), v.elem.decoder())
	}
	panic("gogen: no decoder for " + v.typ.String())
}

func basicDecoder(t *types.Basic) *jen.Statement {
	switch t {
	case types.String:
		return redislua("AsString")
	case types.Bytes:
		return redislua("AsBytes")
	case types.Int:
		return redislua("AsInt")
	case types.Uint:
		return redislua("AsUint")
	case types.Float:
		return redislua("AsFloat")
	case types.Any:
		return redislua("AsValue")
	}
	panic("gogen: no decoder for " + t.String())
}

func (v *value) encodedDecoder(t *types.Encoded) *jen.Statement {
	switch {
	case t.Format == types.JSON:
		return redislua("AsJSON").Types(v.goType()).Call()
	case v.user == nil:
		return redislua("AsBytes")
	}
	return redislua("AsEncoded").Types(v.goType()).Call(jen.Qual(msgpackPath, "Unmarshal"))
}

// declareDecoder writes the decoder of a named type.
func (n *named) declareDecoder(f *jen.File) {
	if !n.decoded {
		return
	}
	if _, ok := n.typ.(*types.Enum); ok {
		f.Var().Id(n.decoder).Op("=").Add(redislua("AsEnum")).CallFunc(func(g *jen.Group) {
			for _, m := range n.members {
				g.Id(m.name)
			}
		})
		f.Line()
		return
	}
	f.Func().Id(n.decoder).Params(jen.Id("v").Add(redislua("Value"))).Params(jen.Id(n.name), jen.Error()).Block(
		jen.Id("t").Op(":=").Add(redislua("Tuple")).Call(jen.Id("v"), jen.Lit(n.least()), jen.Lit(len(n.fields))),
		jen.Id("reply").Op(":=").Id(n.name).Add(block(n.decodeFields())),
		jen.Return(jen.Id("reply"), jen.Id("t").Dot("Err").Call()),
	)
	f.Line()
}

func (n *named) decodeFields() []jen.Code {
	fields := make([]jen.Code, len(n.fields))
	for i, fd := range n.fields {
		fields[i] = jen.Id(fd.name).Op(":").Add(redislua("Field")).Call(jen.Id("t"), jen.Lit(i), jen.Lit(fd.label), fd.value.decoder())
	}
	return fields
}

// least returns how many elements a tuple has at least: those up to the last
// that cannot be absent.
func (n *named) least() int {
	for i := len(n.fields) - 1; i >= 0; i-- {
		if _, ok := n.fields[i].value.typ.(*types.Optional); !ok {
			return i + 1
		}
	}
	return 0
}

// block writes a composite literal's elements, one a line.
func block(elements []jen.Code) *jen.Statement {
	return jen.Custom(jen.Options{Open: "{", Close: "}", Separator: ",", Multi: true}, elements...)
}
