// This file implements the struct library: packing values into bytes and back.
package lualib

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"

	lua "github.com/yuin/gopher-lua"
)

// Struct is the struct library.
func (libs *Libraries) Struct() *lua.LTable {
	return libs.table(module{
		{"pack", libs.structPack},
		{"unpack", structUnpack},
		{"size", structSize},
	})
}

// Bounds and defaults of a 64-bit server.
const (
	maxIntegerSize   = 32
	defaultAlignment = 8
)

// structFormat walks a format string and keeps what it says about the bytes that follow.
type structFormat struct {
	state *lua.LState
	text  string // what is left of the format
	order binary.ByteOrder
	align int
}

// newStructFormat reads the format in argument 1.
func newStructFormat(L *lua.LState) *structFormat {
	return &structFormat{state: L, text: cString(checkString(L, 1)), order: binary.LittleEndian, align: 1}
}

// next is the next option and its size; zero where it has none of its own.
func (f *structFormat) next() (option byte, size int) {
	option, f.text = f.text[0], f.text[1:]
	switch option {
	case 'b', 'B', 'x':
		return option, 1
	case 'h', 'H':
		return option, 2
	case 'f':
		return option, 4
	case 'l', 'L', 'T', 'd':
		return option, 8
	case 'c':
		return option, f.number(1)
	case 'i', 'I':
		size = f.number(4)
		if size > maxIntegerSize {
			raise(f.state, "integral size %d is larger than limit of %d", size, maxIntegerSize)
		}
	}
	return option, size
}

// number reads a decimal number, or the default when there is none.
func (f *structFormat) number(def int) int {
	if f.text == "" || !isDigit(f.text[0]) {
		return def
	}
	n := 0
	for f.text != "" && isDigit(f.text[0]) {
		d := int(f.text[0] - '0')
		if n > math.MaxInt32/10 || n*10 > math.MaxInt32-d {
			raise(f.state, "integral size overflow")
		}
		n = n*10 + d
		f.text = f.text[1:]
	}
	return n
}

// padding is how many bytes an option needs before it at an offset.
func (f *structFormat) padding(offset int, option byte, size int) int {
	if size == 0 || option == 'c' {
		return 0
	}
	size = min(size, f.align)
	return (size - offset&(size-1)) & (size - 1)
}

// control obeys an option that stands for no bytes.
func (f *structFormat) control(option byte) {
	switch option {
	case ' ':
	case '>':
		f.order = binary.BigEndian
	case '<':
		f.order = binary.LittleEndian
	case '!':
		n := f.number(defaultAlignment)
		if n <= 0 || n&(n-1) != 0 {
			raise(f.state, "alignment %d is not a power of 2", n)
		}
		f.align = n
	default:
		argError(f.state, 1, fmt.Sprintf("invalid format option '%s'", []byte{option}))
	}
}

// appendInteger appends the low bytes of an integer; there are no more than eight that are not zero.
func (f *structFormat) appendInteger(b []byte, value uint64, size int) []byte {
	at := len(b)
	for range size {
		b = append(b, byte(value))
		value >>= 8
	}
	if f.order == binary.BigEndian {
		for i, j := at, len(b)-1; i < j; i, j = i+1, j-1 {
			b[i], b[j] = b[j], b[i]
		}
	}
	return b
}

// integer reads an integer of any size; of a larger one the lowest eight bytes count.
func (f *structFormat) integer(b []byte, signed bool) float64 {
	var value uint64
	for i := range b {
		if f.order == binary.BigEndian {
			value = value<<8 | uint64(b[i])
		} else {
			value = value<<8 | uint64(b[len(b)-1-i])
		}
	}
	if !signed {
		return float64(value)
	}
	if mask := ^uint64(0) << ((len(b)*8 - 1) & 63); value&mask != 0 {
		value |= mask
	}
	return float64(int64(value))
}

func (libs *Libraries) structPack(L *lua.LState) int {
	f := newStructFormat(L)
	L.Push(lua.LNil) // Redis's library leaves this behind the arguments, where a missing one is then nil
	var b []byte
	arg, total := 2, 0
	for f.text != "" {
		option, size := f.next()
		padding := f.padding(total, option, size)
		total += padding
		libs.bytes(L, padding+size)
		b = append(b, make([]byte, padding)...)
		switch option {
		case 'b', 'B', 'h', 'H', 'l', 'L', 'T', 'i', 'I':
			n := checkNumber(L, arg)
			value := toUint64(n)
			if n < 0 {
				value = uint64(toInt64(n))
			}
			b = f.appendInteger(b, value, size)
			arg++
		case 'x':
			b = append(b, 0)
		case 'f':
			b = f.appendInteger(b, uint64(math.Float32bits(float32(checkNumber(L, arg)))), size)
			arg++
		case 'd':
			b = f.appendInteger(b, math.Float64bits(checkNumber(L, arg)), size)
			arg++
		case 'c', 's':
			s := checkString(L, arg)
			arg++
			if size == 0 {
				size = len(s)
			}
			if len(s) < size {
				argError(L, arg, "string too short")
			}
			libs.bytes(L, size)
			b = append(b, s[:size]...)
			if option == 's' {
				b = append(b, 0)
				size++
			}
		default:
			f.control(option)
		}
		total += size
	}
	L.Push(lua.LString(b))
	return 1
}

func structUnpack(L *lua.LState) int {
	f := newStructFormat(L)
	data := checkString(L, 2)
	start := uint64(optInteger(L, 3, 1)) // a negative one is far too large
	if start == 0 {
		argError(L, 3, "offset must be 1 or greater")
	}
	pos := start - 1
	fits := func(size int64) {
		if size < 0 || size > int64(len(data)) || pos > uint64(len(data))-uint64(size) {
			argError(L, 2, "data string too short")
		}
	}
	n := 0
	for f.text != "" {
		option, size := f.next()
		pos += uint64(f.padding(int(pos), option, size))
		fits(int64(size))
		if L.GetTop()+2 > maxStack {
			raise(L, "stack overflow (too many results)")
		}
		bytes := data[pos : pos+uint64(size)]
		switch option {
		case 'b', 'B', 'h', 'H', 'l', 'L', 'T', 'i', 'I':
			L.Push(lua.LNumber(f.integer([]byte(bytes), isLower(option))))
			n++
		case 'x':
		case 'f':
			L.Push(lua.LNumber(math.Float32frombits(f.order.Uint32([]byte(bytes)))))
			n++
		case 'd':
			L.Push(lua.LNumber(math.Float64frombits(f.order.Uint64([]byte(bytes)))))
			n++
		case 'c':
			if size == 0 {
				previous, ok := numberOf(L.Get(-1))
				if n == 0 || !ok {
					raise(L, "format 'c0' needs a previous size")
				}
				L.Pop(1)
				n--
				fits(int64(toUint64(previous)))
				size = int(toUint64(previous))
			}
			L.Push(lua.LString(data[pos : pos+uint64(size)]))
			n++
		case 's':
			length := strings.IndexByte(data[pos:], 0)
			if length < 0 {
				raise(L, "unfinished string in data")
			}
			L.Push(lua.LString(data[pos : pos+uint64(length)]))
			size = length + 1
			n++
		default:
			f.control(option)
		}
		pos += uint64(size)
	}
	L.Push(lua.LNumber(int64(pos + 1)))
	return n + 1
}

func structSize(L *lua.LState) int {
	f := newStructFormat(L)
	total := 0
	for f.text != "" {
		option, size := f.next()
		total += f.padding(total, option, size)
		switch {
		case option == 's':
			argError(L, 1, "option 's' has no fixed size")
		case option == 'c' && size == 0:
			argError(L, 1, "option 'c0' has no fixed size")
		case !isAlnum(option):
			f.control(option)
		}
		total += size
	}
	L.Push(lua.LNumber(total))
	return 1
}
