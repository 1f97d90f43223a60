// This file implements the math library.
package lualib

import (
	"math"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/cmath"
)

// Math is the math library.
func (libs *Libraries) Math() *lua.LTable {
	tb := libs.table(module{
		{"abs", mathAbs},
		{"acos", mathDomain(cmath.Acos)},
		{"asin", mathDomain(cmath.Asin)},
		{"atan2", mathFunction2(cmath.Atan2)},
		{"atan", mathFunction(cmath.Atan)},
		{"ceil", mathFunction(math.Ceil)},
		{"cosh", mathFunction(cmath.Cosh)},
		{"cos", mathFunction(cmath.Cos)},
		{"deg", mathFunction(func(x float64) float64 { return x / (math.Pi / 180) })},
		{"exp", mathFunction(cmath.Exp)},
		{"floor", mathFunction(math.Floor)},
		{"fmod", mathFunction2(math.Mod)},
		{"frexp", mathFrexp},
		{"ldexp", mathLdexp},
		{"log10", mathDomain(cmath.Log10)},
		{"log", mathFunction(cmath.Log)},
		{"max", mathMax},
		{"min", mathMin},
		{"modf", mathModf},
		{"pow", mathFunction2(cmath.Pow)},
		{"rad", mathFunction(func(x float64) float64 { return x * (math.Pi / 180) })},
		{"random", libs.mathRandom},
		{"randomseed", libs.mathRandomSeed},
		{"sinh", mathFunction(cmath.Sinh)},
		{"sin", mathFunction(cmath.Sin)},
		{"sqrt", mathFunction(math.Sqrt)},
		{"tanh", mathFunction(cmath.Tanh)},
		{"tan", mathFunction(cmath.Tan)},
	})
	libs.Set(tb, lua.LString("pi"), lua.LNumber(math.Pi))
	libs.Set(tb, lua.LString("huge"), lua.LNumber(math.Inf(1)))
	libs.Set(tb, lua.LString("mod"), Get(tb, lua.LString("fmod")))
	return tb
}

// asC gives a result that is no number the sign that the C library gives it: negative when it is made from numbers,
// and that of the argument when there was one already.
func asC(result float64, args ...float64) float64 {
	if !math.IsNaN(result) {
		return result
	}
	for _, x := range args {
		if math.IsNaN(x) {
			return x
		}
	}
	return negativeNaN()
}

func mathFunction(f func(float64) float64) lua.LGFunction {
	return func(L *lua.LState) int {
		x := checkNumber(L, 1)
		L.Push(lua.LNumber(asC(f(x), x)))
		return 1
	}
}

func mathFunction2(f func(x, y float64) float64) lua.LGFunction {
	return func(L *lua.LState) int {
		y := checkNumber(L, 2) // read first, as the server's compiler chose
		x := checkNumber(L, 1)
		L.Push(lua.LNumber(asC(f(x, y), x, y)))
		return 1
	}
}

// mathDomain is mathFunction for those whose result outside their domain is not negative in C.
func mathDomain(f func(float64) float64) lua.LGFunction {
	return func(L *lua.LState) int {
		x := checkNumber(L, 1)
		y := f(x)
		if math.IsNaN(y) && !math.IsNaN(x) {
			y = math.Float64frombits(positiveNaN)
		}
		L.Push(lua.LNumber(y))
		return 1
	}
}

func mathAbs(L *lua.LState) int {
	L.Push(lua.LNumber(math.Abs(checkNumber(L, 1))))
	return 1
}

func mathFrexp(L *lua.LState) int {
	fraction, exponent := math.Frexp(checkNumber(L, 1))
	L.Push(lua.LNumber(fraction))
	L.Push(lua.LNumber(exponent))
	return 2
}

func mathLdexp(L *lua.LState) int {
	exponent := checkInt(L, 2) // read first, as the server's compiler chose
	L.Push(lua.LNumber(math.Ldexp(checkNumber(L, 1), exponent)))
	return 1
}

func mathMax(L *lua.LState) int {
	most := checkNumber(L, 1)
	for i := 2; i <= L.GetTop(); i++ {
		if x := checkNumber(L, i); x > most {
			most = x
		}
	}
	L.Push(lua.LNumber(most))
	return 1
}

func mathMin(L *lua.LState) int {
	least := checkNumber(L, 1)
	for i := 2; i <= L.GetTop(); i++ {
		if x := checkNumber(L, i); x < least {
			least = x
		}
	}
	L.Push(lua.LNumber(least))
	return 1
}

func mathModf(L *lua.LState) int {
	x := checkNumber(L, 1)
	whole := math.Trunc(x)
	fraction := x - whole
	if math.IsInf(x, 0) {
		fraction = 0
	}
	L.Push(lua.LNumber(whole))
	L.Push(lua.LNumber(math.Copysign(fraction, x)))
	return 2
}

func (libs *Libraries) mathRandom(L *lua.LState) int {
	r := libs.random.float()
	switch L.GetTop() {
	case 0:
		L.Push(lua.LNumber(r))
	case 1:
		most := checkInt(L, 1)
		if most < 1 {
			argError(L, 1, "interval is empty")
		}
		L.Push(lua.LNumber(math.Floor(r*float64(most)) + 1))
	case 2:
		least, most := checkInt(L, 1), checkInt(L, 2)
		if least > most {
			argError(L, 2, "interval is empty")
		}
		span := int32(most - least + 1)
		L.Push(lua.LNumber(math.Floor(r*float64(span)) + float64(least)))
	default:
		raise(L, "wrong number of arguments")
	}
	return 1
}

func (libs *Libraries) mathRandomSeed(L *lua.LState) int {
	libs.random.Seed(int32(checkInt(L, 1)))
	return 0
}
