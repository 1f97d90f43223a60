package cmath

// This file implements the functions; beyond the range where more precision tells, they are those of package math.

import "math"

// maxAngle is up to where sinCosPair is precise; tiny is below where sine and its like are their argument.
const (
	maxAngle = 1 << 20
	tiny     = 1.0 / (1 << 27)
)

// ordinary reports whether a number lies between two bounds in magnitude; what does not is left to package math.
func ordinary(x, least, most float64) bool {
	x = math.Abs(x)
	return x >= least && x <= most
}

// Exp is e to the power of x.
func Exp(x float64) float64 {
	if !ordinary(x, tiny, 708) {
		return math.Exp(x)
	}
	p, k := expPair(pair{x, 0})
	return math.Ldexp(p.hi, k)
}

// Log is the natural logarithm.
func Log(x float64) float64 {
	if !(x >= 0x1p-1022 && x <= math.MaxFloat64) || x == 1 {
		return math.Log(x)
	}
	return logPair(x).hi
}

// Log10 is the decimal logarithm. It is less precise in the C library, which multiplies a rounded logarithm.
func Log10(x float64) float64 {
	if !(x >= 0x1p-1022 && x <= math.MaxFloat64) {
		return math.Log10(x)
	}
	const (
		log10of2Hi = 0x1.34413509f6p-2 // few enough bits for an exact product with an exponent
		log10of2Lo = math.Ln2/math.Ln10 - log10of2Hi
	)
	k := math.Logb(x)
	if k < 0 {
		k++
	}
	z := float64(k*log10of2Lo) + float64((1/math.Ln10)*Log(math.Ldexp(x, -int(k)))) // each step rounded
	return z + float64(k*log10of2Hi)
}

// Pow is x to the power of y.
func Pow(x, y float64) float64 {
	base := math.Abs(x)
	if !(base >= 0x1p-1022 && base <= math.MaxFloat64) || math.IsNaN(y) || math.IsInf(y, 0) || y == 0 || base == 1 ||
		x < 0 && y != math.Trunc(y) {
		return math.Pow(x, y)
	}
	e := logPair(base).mul(pair{y, 0})
	if !ordinary(e.hi, 0, 708) {
		return math.Pow(x, y)
	}
	p, k := expPair(e)
	result := math.Ldexp(p.hi, k)
	if x < 0 && math.Mod(y, 2) != 0 {
		return -result
	}
	return result
}

// Sin is the sine of an angle.
func Sin(x float64) float64 {
	if !ordinary(x, tiny, maxAngle) {
		return math.Sin(x)
	}
	s, _ := sinCosPair(x)
	return s.hi
}

// Cos is the cosine of an angle.
func Cos(x float64) float64 {
	if !ordinary(x, 0, maxAngle) {
		return math.Cos(x)
	}
	_, c := sinCosPair(x)
	return c.hi
}

// Tan is the tangent of an angle.
func Tan(x float64) float64 {
	if !ordinary(x, tiny, maxAngle) {
		return math.Tan(x)
	}
	s, c := sinCosPair(x)
	return s.div(c).hi
}

// Asin is the angle whose sine is x.
func Asin(x float64) float64 {
	if !ordinary(x, tiny, 0.9999) {
		return math.Asin(x)
	}
	guess := math.Asin(x)
	s, c := sinCosPair(guess)
	return pair{guess, 0}.add(pair{x, 0}.sub(s).div(c)).hi
}

// Acos is the angle whose cosine is x.
func Acos(x float64) float64 {
	if !ordinary(x, 0, 0.9999) {
		return math.Acos(x)
	}
	guess := math.Acos(x)
	s, c := sinCosPair(guess)
	return pair{guess, 0}.add(c.sub(pair{x, 0}).div(s)).hi
}

// Atan is the angle whose tangent is x.
func Atan(x float64) float64 {
	if !ordinary(x, tiny, 1<<60) {
		return math.Atan(x)
	}
	return Atan2(x, 1)
}

// Atan2 is the angle of the point x, y.
func Atan2(y, x float64) float64 {
	guess := math.Atan2(y, x)
	if !ordinary(x, 0x1p-500, 0x1p500) || !ordinary(y, 0x1p-500, 0x1p500) || !ordinary(guess, tiny, 4) {
		return guess
	}
	s, c := sinCosPair(guess)
	py, px := pair{y, 0}, pair{x, 0}
	d := py.mul(c).sub(px.mul(s)).div(px.mul(c).add(py.mul(s)))
	return pair{guess, 0}.add(d).hi
}

// expMinus1 is e to the power of x, less one.
func expMinus1(x float64) float64 {
	if !ordinary(x, tiny, 708) {
		return math.Expm1(x)
	}
	p, k := expPair(pair{x, 0})
	return p.scale(math.Ldexp(1, k)).sub(pair{1, 0}).hi
}

// The hyperbolic functions of the C library are formulas in e^x - 1, each step of which is rounded.

// Sinh is the hyperbolic sine.
func Sinh(x float64) float64 {
	a := math.Abs(x)
	half := math.Copysign(0.5, x)
	switch {
	case !(a < 22):
		return math.Sinh(x)
	case a < tiny:
		return x
	}
	t := expMinus1(a)
	if a < 1 {
		return half * (2*t - t*t/(t+1))
	}
	return half * (t + t/(t+1))
}

// Cosh is the hyperbolic cosine.
func Cosh(x float64) float64 {
	a := math.Abs(x)
	if a < math.Ln2/2 {
		t := expMinus1(a)
		w := 1 + t
		return 1 + t*t/(w+w)
	}
	if !(a < 22) {
		return math.Cosh(x)
	}
	t := Exp(a)
	return 0.5*t + 0.5/t
}

// Tanh is the hyperbolic tangent.
func Tanh(x float64) float64 {
	a := math.Abs(x)
	switch {
	case !(a < 22):
		return math.Tanh(x)
	case a < tiny:
		return x
	case a >= 1:
		return math.Copysign(1-2/(expMinus1(2*a)+2), x)
	}
	t := expMinus1(-2 * a)
	return math.Copysign(-t/(t+2), x)
}
