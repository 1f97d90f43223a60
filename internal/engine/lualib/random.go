// This file implements Redis's own generator of random numbers, the 48-bit one of drand48.
package lualib

// Random is the sequence behind math.random. Redis has one for the whole process; it survives SCRIPT FLUSH.
type Random struct {
	state uint64
}

// NewRandom returns the generator of a server that just started: from 7.0 on its sequence is always the same.
func NewRandom() *Random {
	return &Random{state: 0x1234abcd330e}
}

// Seed starts the sequence of a seed.
func (r *Random) Seed(seed int32) {
	r.state = uint64(uint32(seed))<<16 | 0x330e
}

// next is the next number, of 31 bits.
func (r *Random) next() uint32 {
	r.state = (r.state*0x5deece66d + 0xb) & (1<<48 - 1)
	return uint32(r.state >> 17)
}

// float is the next number in [0, 1), as math.random scales it.
func (r *Random) float() float64 {
	const most = 1<<31 - 1
	return float64(r.next()%most) / most
}
