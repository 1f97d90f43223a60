package types_test

// This file implements the generators of types for property tests.

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/luagen/luagen/internal/types"
)

var scalars = []types.Type{
	types.String, types.Bytes, types.Int, types.Uint, types.Float,
	&types.Bool{}, &types.Bool{True: "true", False: "false"}, &types.Bool{True: "1"},
	&types.Duration{Unit: types.Seconds}, &types.Duration{Unit: types.Milliseconds}, &types.Time{Unit: types.Microseconds},
	&types.Encoded{}, &types.Encoded{Go: "time.Time"}, &types.Encoded{Format: types.Msgpack}, &types.Encoded{Format: types.Msgpack, Go: "a/b.C"},
}

// anyType draws every type that the text form can say.
func anyType() *rapid.Generator[types.Type] {
	return rapid.Custom(func(t *rapid.T) types.Type {
		switch rapid.IntRange(0, 9).Draw(t, "top") {
		case 0:
			return rapid.SampledFrom([]types.Type{types.None, types.Status, &types.Optional{Elem: types.Status}}).Draw(t, "alone")
		default:
			return drawType(t, 3, false)
		}
	})
}

// inferredType draws what inference joins: literals without names, nil and
// status inside others, empty arrays, fields without names.
func inferredType() *rapid.Generator[types.Type] {
	return rapid.Custom(func(t *rapid.T) types.Type { return drawType(t, 2, true) })
}

func drawType(t *rapid.T, depth int, inferred bool) types.Type {
	kinds := 4
	if depth > 0 {
		kinds = 10
	}
	below := func() types.Type { return drawType(t, depth-1, inferred) }
	switch kind := rapid.IntRange(0, kinds).Draw(t, "kind"); kind {
	case 0:
		return drawEnum(t, inferred)
	case 1:
		if inferred {
			return rapid.SampledFrom([]types.Type{types.None, types.Status, &types.Bool{}, types.Int}).Draw(t, "alone")
		}
		return types.Any
	case 5, 6:
		if elem := below(); elem != types.None {
			return optional(elem)
		}
		return types.None
	case 7:
		return &types.List{Elem: below()}
	case 8:
		keys := scalars[5:11]
		if rapid.Bool().Draw(t, "ordered") {
			return &types.Map{Ordered: true, Key: rapid.SampledFrom(scalars[:11]).Draw(t, "key"), Value: below()}
		}
		return &types.Map{Key: rapid.SampledFrom(append(keys[:len(keys):len(keys)], types.String, types.Int)).Draw(t, "key"), Value: below()}
	case 9:
		tuple := &types.Tuple{}
		for i := range rapid.IntRange(1, 3).Draw(t, "fields") {
			name := fmt.Sprintf("f%d", i)
			if inferred {
				name = rapid.SampledFrom([]string{"", "a", "b", "left"}).Draw(t, "name")
			}
			tuple.Fields = append(tuple.Fields, types.Field{Name: name, Type: below()})
		}
		if inferred && rapid.IntRange(0, 3).Draw(t, "empty") == 0 {
			tuple.Fields = nil
		}
		return tuple
	case 10:
		return drawUnion(t, below)
	}
	return rapid.SampledFrom(scalars).Draw(t, "scalar")
}

func optional(elem types.Type) types.Type {
	if _, ok := elem.(*types.Optional); ok {
		return elem
	}
	return &types.Optional{Elem: elem}
}

func drawEnum(t *rapid.T, inferred bool) types.Type {
	e := &types.Enum{Text: rapid.Bool().Draw(t, "text")}
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(-1, 2), 1, 3, rapid.ID[int]).Draw(t, "members") {
		m := types.Member{Name: fmt.Sprintf("m%d", i+1)}
		if inferred {
			m.Name = rapid.SampledFrom([]string{"", fmt.Sprintf("m%d", i+1), fmt.Sprintf("n%d", i+1)}).Draw(t, "name")
		} else if e.Text && rapid.Bool().Draw(t, "nameless") {
			m.Name = ""
		}
		if e.Text {
			m.Word = []string{"", "OK", "a\n\"\\\x7fé", "BUSY"}[i+1]
		} else {
			m.Int = int64(i)
		}
		e.Members = append(e.Members, m)
	}
	return e
}

// drawUnion draws at least two alternatives that no other one holds.
func drawUnion(t *rapid.T, below func() types.Type) types.Type {
	var members []types.Type
	for range rapid.IntRange(2, 3).Draw(t, "members") {
		m := below()
		if o, ok := m.(*types.Optional); ok {
			m = o.Elem
		}
		if _, ok := m.(*types.Union); ok || m == types.Any || m == types.None || m == types.Status {
			continue
		}
		fresh := true
		for _, old := range members {
			fresh = fresh && !types.Equal(old, m)
		}
		if fresh {
			members = append(members, m)
		}
	}
	switch len(members) {
	case 0:
		return types.Int
	case 1:
		return members[0]
	}
	return &types.Union{Members: members}
}
