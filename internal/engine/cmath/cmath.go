// Package cmath has the functions of the C library that Redis is built on, to the last bit. A script's numbers travel
// with 17 digits, so a result that is one unit in the last place away from the server's shows, as Go's are now and then.
// The C library rounds nearly always to the nearest number, and so do these: they calculate with twice the precision.
package cmath

// This file implements numbers of twice the precision, and the functions on them that the others are made of.

import "math"

// pair is an unevaluated sum of two numbers, the second less than half a unit in the last place of the first.
type pair struct{ hi, lo float64 }

// fastSum is a+b where a is the larger.
func fastSum(a, b float64) pair {
	s := a + b
	return pair{s, b - (s - a)}
}

// sum is a+b exactly.
func sum(a, b float64) pair {
	s := a + b
	bb := s - a
	return pair{s, (a - (s - bb)) + (b - bb)}
}

// product is a·b exactly.
func product(a, b float64) pair {
	p := a * b
	return pair{p, math.FMA(a, b, -p)}
}

func (a pair) add(b pair) pair {
	s, t := sum(a.hi, b.hi), sum(a.lo, b.lo)
	s = fastSum(s.hi, s.lo+t.hi)
	return fastSum(s.hi, s.lo+t.lo)
}

func (a pair) neg() pair       { return pair{-a.hi, -a.lo} }
func (a pair) sub(b pair) pair { return a.add(b.neg()) }

func (a pair) mul(b pair) pair {
	p := product(a.hi, b.hi)
	return fastSum(p.hi, p.lo+(a.hi*b.lo+a.lo*b.hi))
}

func (a pair) div(b pair) pair {
	q1 := a.hi / b.hi
	r := a.sub(b.mul(pair{q1, 0}))
	q2 := r.hi / b.hi
	r = r.sub(b.mul(pair{q2, 0}))
	return fastSum(q1, q2).add(pair{r.hi / b.hi, 0})
}

// scale is a times a power of two.
func (a pair) scale(f float64) pair { return pair{a.hi * f, a.lo * f} }

// The constants, each as the nearest number and what is missing from it.
const (
	ln2Hi = 0x1.62e42fefa39efp-1
	ln2Lo = math.Ln2 - ln2Hi

	halfPiHi  = 0x1.921fb54442d18p+0
	halfPiMid = 0x1.1a62633145c07p-54
	halfPiLo  = math.Pi/2 - halfPiHi - halfPiMid
)

// expPair is e to the power of a, as a pair to be multiplied by 2^k. The argument is within what exp can give.
func expPair(a pair) (p pair, k int) {
	n := math.Round(a.hi / math.Ln2)
	const shrink = 8 // halvings, undone by squaring
	r := a.sub(product(n, ln2Hi)).sub(product(n, ln2Lo)).scale(1.0 / (1 << shrink))
	// e^r - 1 by its series, from the last term.
	p = pair{1, 0}
	for i := 11.0; i > 1; i-- {
		p = pair{1, 0}.add(p.mul(r).div(pair{i, 0}))
	}
	p = p.mul(r)
	for range shrink {
		p = p.scale(2).add(p.mul(p))
	}
	return pair{1, 0}.add(p), int(n)
}

// logPair is the logarithm of a positive, normal number.
func logPair(x float64) pair {
	fraction, exponent := math.Frexp(x)
	if fraction < math.Sqrt2/2 {
		fraction, exponent = fraction*2, exponent-1
	}
	guess := math.Log(fraction)
	e, k := expPair(pair{-guess, 0})
	f := math.Ldexp(1, k)
	d := e.scale(f).mul(pair{fraction, 0}).sub(pair{1, 0})
	n := float64(exponent)
	log := pair{guess, 0}.add(d).sub(d.mul(d).scale(0.5))
	return product(n, ln2Hi).add(product(n, ln2Lo)).add(log)
}

// sinCosPair are sine and cosine, for an argument that is not so large that a multiple of π has to be taken off in more
// than three parts.
func sinCosPair(x float64) (sin, cos pair) {
	n := math.Round(x / (math.Pi / 2))
	r := pair{x, 0}.sub(product(n, halfPiHi)).sub(product(n, halfPiMid)).sub(product(n, halfPiLo))
	square := r.mul(r)
	sin, cos = pair{1, 0}, pair{1, 0}
	for i := 27.0; i > 1; i -= 2 {
		sin = pair{1, 0}.sub(sin.mul(square).div(product(i, i-1)))
		cos = pair{1, 0}.sub(cos.mul(square).div(product(i-1, i-2)))
	}
	sin = sin.mul(r)
	switch int64(n) & 3 {
	case 1:
		return cos, sin.neg()
	case 2:
		return sin.neg(), cos.neg()
	case 3:
		return cos.neg(), sin
	}
	return sin, cos
}
