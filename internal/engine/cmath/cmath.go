// Package cmath computes what Go's math rounds otherwise than the C library
// that Redis is built on: there, results are as good as always the double
// nearest to the true value.
package cmath

// This file implements pow, exp and logarithms in twice the usual precision.

import "math"

// double is a number as the sum of two, the second far below the first.
type double struct{ hi, lo float64 }

func sum(a, b float64) double {
	s := a + b
	v := s - a
	return double{s, (a - (s - v)) + (b - v)}
}

func quickSum(a, b float64) double {
	s := a + b
	return double{s, b - (s - a)}
}

func (a double) plus(b double) double {
	s, t := sum(a.hi, b.hi), sum(a.lo, b.lo)
	s = quickSum(s.hi, s.lo+t.hi)
	return quickSum(s.hi, s.lo+t.lo)
}

func (a double) times(b double) double {
	p := a.hi * b.hi
	low := math.FMA(a.hi, b.hi, -p) + (a.hi*b.lo + a.lo*b.hi)
	return quickSum(p, low)
}

func (a double) over(b double) double {
	q := a.hi / b.hi
	r := a.plus(b.times(double{-q, 0}))
	q2 := r.hi / b.hi
	r = r.plus(b.times(double{-q2, 0}))
	return quickSum(q, q2).plus(double{r.hi / b.hi, 0})
}

var ln2 = double{0.6931471805599453, 2.3190468138462996e-17}

// exp returns e to the power of x as m times two to the power of k.
func exp(x double) (m double, k int) {
	k = int(math.Round(x.hi / ln2.hi))
	r := x.plus(ln2.times(double{-float64(k), 0}))
	const halvings = 9
	r = double{math.Ldexp(r.hi, -halvings), math.Ldexp(r.lo, -halvings)}
	// e^r-1 by Horner's scheme, then doubled back
	p := double{1, 0}
	for n := 10; n >= 2; n-- {
		p = double{1, 0}.plus(r.times(p).over(double{float64(n), 0}))
	}
	p = p.times(r)
	for range halvings {
		p = p.times(p).plus(double{2 * p.hi, 2 * p.lo})
	}
	return p.plus(double{1, 0}), k
}

// log returns the natural logarithm of x, which is finite and above zero.
func log(x float64) double {
	f, e := math.Frexp(x)
	if f < math.Sqrt2/2 {
		f, e = 2*f, e-1
	}
	y := math.Log(f)
	m, k := exp(double{-y, 0})
	t := m.times(double{math.Ldexp(f, k), 0}).plus(double{-1, 0})
	t = t.plus(t.times(t).times(double{-0.5, 0}))
	return ln2.times(double{float64(e), 0}).plus(double{y, 0}.plus(t))
}

// Exp returns e to the power of x.
func Exp(x float64) float64 {
	if math.IsNaN(x) || math.Abs(x) > 700 || x == 0 {
		return math.Exp(x)
	}
	m, k := exp(double{x, 0})
	return math.Ldexp(m.hi, k)
}

// Log returns the natural logarithm of x.
func Log(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 0) || x == 1 {
		return math.Log(x)
	}
	return log(x).hi
}

// Log10 returns the decimal logarithm of x.
func Log10(x float64) float64 {
	switch {
	case x < 0:
		return math.NaN()
	case !(x > 0) || math.IsInf(x, 0) || x == 1:
		return math.Log10(x)
	}
	// the C library takes this way, and its rounding errors with it
	f, e := math.Frexp(x)
	f, e = 2*f, e-1
	if e < 0 {
		f, e = f/2, e+1
	}
	y := float64(e)
	z := float64(y*3.69423907715893078616e-13) + float64(4.34294481903251816668e-01*Log(f))
	return z + float64(y*3.01029995663611771306e-01)
}

// Pow returns x to the power of y.
func Pow(x, y float64) float64 {
	rough := math.Pow(x, y)
	size := math.Abs(rough)
	if x == 0 || y == 0 || !(size < 1e300) || size < 1e-290 || math.IsInf(x, 0) || math.Abs(x) == 1 || y == 1 {
		return rough
	}
	m, k := exp(log(math.Abs(x)).times(double{y, 0}))
	return math.Copysign(math.Ldexp(m.hi, k), rough)
}
