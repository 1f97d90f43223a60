// This file implements the bit library: operations on 32-bit integers.
package lualib

import (
	"math"
	"math/bits"

	lua "github.com/yuin/gopher-lua"
)

// Bit is the bit library.
func (libs *Libraries) Bit() *lua.LTable {
	return libs.table(module{
		{"tobit", bitUnary(func(b uint32) uint32 { return b })},
		{"bnot", bitUnary(func(b uint32) uint32 { return ^b })},
		{"band", bitFold(func(a, b uint32) uint32 { return a & b })},
		{"bor", bitFold(func(a, b uint32) uint32 { return a | b })},
		{"bxor", bitFold(func(a, b uint32) uint32 { return a ^ b })},
		{"lshift", bitShift(func(b uint32, n int) uint32 { return b << n })},
		{"rshift", bitShift(func(b uint32, n int) uint32 { return b >> n })},
		{"arshift", bitShift(func(b uint32, n int) uint32 { return uint32(int32(b) >> n) })},
		{"rol", bitShift(bits.RotateLeft32)},
		{"ror", bitShift(func(b uint32, n int) uint32 { return bits.RotateLeft32(b, -n) })},
		{"bswap", bitUnary(bits.ReverseBytes32)},
		{"tohex", bitToHex},
	})
}

// checkBits reads a number modulo 2^32, rounded to the nearest integer: adding 2^52+2^51 leaves it in the low bits.
func checkBits(L *lua.LState, n int) uint32 {
	f, ok := numberOf(L.Get(n))
	if !ok {
		typeError(L, n, "number")
	}
	return uint32(math.Float64bits(f + (1<<52 + 1<<51)))
}

func pushBits(L *lua.LState, b uint32) int {
	L.Push(lua.LNumber(int32(b)))
	return 1
}

func bitUnary(f func(uint32) uint32) lua.LGFunction {
	return func(L *lua.LState) int { return pushBits(L, f(checkBits(L, 1))) }
}

func bitFold(f func(a, b uint32) uint32) lua.LGFunction {
	return func(L *lua.LState) int {
		b := checkBits(L, 1)
		for i := L.GetTop(); i > 1; i-- {
			b = f(b, checkBits(L, i))
		}
		return pushBits(L, b)
	}
}

func bitShift(f func(b uint32, n int) uint32) lua.LGFunction {
	return func(L *lua.LState) int {
		b := checkBits(L, 1)
		return pushBits(L, f(b, int(checkBits(L, 2)&31)))
	}
}

func bitToHex(L *lua.LState) int {
	b, n := checkBits(L, 1), 8
	if L.GetTop() >= 2 {
		n = int(int32(checkBits(L, 2)))
	}
	digits := "0123456789abcdef"
	if n < 0 {
		n, digits = -n, "0123456789ABCDEF"
	}
	text := make([]byte, min(n, 8))
	for i := len(text) - 1; i >= 0; i-- {
		text[i] = digits[b&15]
		b >>= 4
	}
	L.Push(lua.LString(text))
	return 1
}
