package keyspace

// This file implements HyperLogLogs as Redis keeps them, in strings; always in
// the dense form, which Redis takes for large ones.

import (
	"encoding/binary"
	"math"

	"github.com/luagen/luagen/internal/engine/resp"
)

const (
	hllRegisters = 1 << 14
	hllBits      = 6
	hllRanks     = 64 - 14 // the highest rank is one more
	hllHeader    = 16
	hllSize      = hllHeader + (hllRegisters*hllBits+7)/8
	errHLL       = "WRONGTYPE Key is not a valid HyperLogLog string value."
)

// hyperLogLog is one, unpacked.
type hyperLogLog [hllRegisters]byte

// count reads a HyperLogLog; it tells whether the key exists.
func (c *caller) hyperLogLog(key string) (h *hyperLogLog, exists bool, failure resp.Reply) {
	h = &hyperLogLog{}
	r := c.ask("GET", key)
	switch {
	case r.IsError():
		return nil, false, r
	case r.Kind == '_':
		return h, false, resp.Reply{}
	case len(r.Text) != hllSize || r.Text[:4] != "HYLL":
		return nil, false, resp.Error(errHLL)
	}
	for i := range h {
		bit := i * hllBits
		at := hllHeader + bit/8
		v := uint16(r.Text[at])
		if at+1 < len(r.Text) {
			v |= uint16(r.Text[at+1]) << 8
		}
		h[i] = byte(v>>(bit%8)) & (1<<hllBits - 1)
	}
	return h, true, resp.Reply{}
}

// save stores a HyperLogLog and keeps the key's time to live.
func (c *caller) saveHLL(key string, h *hyperLogLog) {
	data := make([]byte, hllSize)
	copy(data, "HYLL")
	data[hllHeader-1] = 1 << 7 // no cardinality is kept
	for i, rank := range h {
		bit := i * hllBits
		at := hllHeader + bit/8
		v := uint16(rank) << (bit % 8)
		data[at] |= byte(v)
		if at+1 < len(data) {
			data[at+1] |= byte(v >> 8)
		}
	}
	c.ask("SET", key, string(data), "KEEPTTL")
}

// add counts an element; it tells whether that changed something.
func (h *hyperLogLog) add(element string) bool {
	hash := murmur64(element)
	index := hash & (hllRegisters - 1)
	hash = hash>>14 | 1<<hllRanks
	rank := byte(1)
	for hash&1 == 0 {
		rank++
		hash >>= 1
	}
	if rank <= h[index] {
		return false
	}
	h[index] = rank
	return true
}

func (h *hyperLogLog) merge(o *hyperLogLog) {
	for i := range h {
		h[i] = max(h[i], o[i])
	}
}

// estimate is the number of elements (Ertl's estimator, as Redis has it).
func (h *hyperLogLog) estimate() int {
	var ranks [hllRanks + 2]int
	for _, r := range h {
		ranks[r]++
	}
	const m = float64(hllRegisters)
	z := m * tau((m-float64(ranks[hllRanks+1]))/m)
	for j := hllRanks; j >= 1; j-- {
		z = (z + float64(ranks[j])) * 0.5
	}
	z += m * sigma(float64(ranks[0])/m)
	return int(math.Round(0.721347520444481703680 * m * m / z))
}

func sigma(x float64) float64 {
	if x == 1 {
		return math.Inf(1)
	}
	y, z := 1.0, x
	for {
		x *= x
		before := z
		z += x * y
		y += y
		if z == before {
			return z
		}
	}
}

func tau(x float64) float64 {
	if x == 0 || x == 1 {
		return 0
	}
	y, z := 1.0, 1-x
	for {
		x = math.Sqrt(x)
		before := z
		y *= 0.5
		z -= (1 - x) * (1 - x) * y
		if z == before {
			return z / 3
		}
	}
}

// murmur64 is MurmurHash2 for 64 bits, with Redis's seed.
func murmur64(s string) uint64 {
	const m, r, seed = 0xc6a4a7935bd1e995, 47, 0xadc83b19
	h := uint64(seed) ^ uint64(len(s))*m
	data := []byte(s)
	for len(data) >= 8 {
		k := binary.LittleEndian.Uint64(data) * m
		k ^= k >> r
		h = (h ^ k*m) * m
		data = data[8:]
	}
	if len(data) > 0 {
		var tail [8]byte
		copy(tail[:], data)
		h = (h ^ binary.LittleEndian.Uint64(tail[:])) * m
	}
	h = (h ^ h>>r) * m
	return h ^ h>>r
}

func pfadd(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) < 2 {
		return c.ask(args...)
	}
	h, exists, failure := c.hyperLogLog(args[1])
	if failure.IsError() {
		return failure
	}
	changed := !exists
	for _, element := range args[2:] {
		changed = h.add(element) || changed
	}
	if !changed {
		return resp.Int(0)
	}
	c.saveHLL(args[1], h)
	return resp.Int(1)
}

func pfcount(k *Keyspace, c *caller, args []string) resp.Reply {
	all := &hyperLogLog{}
	for _, key := range args[1:] {
		h, _, failure := c.hyperLogLog(key)
		if failure.IsError() {
			return failure
		}
		all.merge(h)
	}
	return resp.Int(all.estimate())
}

func pfmerge(k *Keyspace, c *caller, args []string) resp.Reply {
	all := &hyperLogLog{}
	for _, key := range args[1:] {
		h, _, failure := c.hyperLogLog(key)
		if failure.IsError() {
			return failure
		}
		all.merge(h)
	}
	c.saveHLL(args[1], all)
	return resp.Status("OK")
}
