package keyspace

// This file implements commands on strings: SUBSTR, LCS and BITFIELD.

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/engine/resp"
)

func substr(k *Keyspace, c *caller, args []string) resp.Reply {
	return c.ask(append([]string{"GETRANGE"}, args[1:]...)...)
}

// incrByFloat is INCRBYFLOAT, in the precision of an 80-bit processor register.
func incrByFloat(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) != 3 {
		return c.ask(args...)
	}
	old := c.ask("GET", args[1])
	if old.IsError() {
		return old
	}
	text, failure := addFloats(old.Text, args[2], errNotFloat, "ERR increment would produce NaN or Infinity")
	if failure != "" {
		return resp.Error(failure)
	}
	c.ask("SET", args[1], text, "KEEPTTL")
	return resp.Bulk(text)
}

// addFloats adds an increment to a number's text; an empty one is 0.
func addFloats(old, increment, notFloat, notFinite string) (text, failure string) {
	if old == "" {
		old = "0"
	}
	sum := new(big.Float).SetPrec(64)
	for i, s := range []string{old, increment} {
		if infinite(s) {
			return "", notFinite
		}
		f, _, err := new(big.Float).SetPrec(64).Parse(s, 10)
		if err != nil || s != strings.TrimSpace(s) {
			if i == 1 {
				return "", errNotFloat
			}
			return "", notFloat
		}
		sum.Add(sum, f)
	}
	text = strings.TrimSuffix(strings.TrimRight(sum.Text('f', 17), "0"), ".")
	if text == "-0" {
		text = "0"
	}
	return text, ""
}

func setrange(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) == 4 {
		n, err := strconv.Atoi(args[2])
		switch kind := c.kind(args[1]); {
		case err != nil || n < 0 || kind != "none" && kind != "string":
		case args[3] == "":
			return c.ask("STRLEN", args[1])
		case n+len(args[3]) > maxString:
			return resp.Error("ERR string exceeds maximum allowed size (proto-max-bulk-len)")
		}
	}
	return c.ask(args...)
}

// maxString is the size of the longest string.
const maxString = 512 << 20

func getbit(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) > 2 {
		if n, err := strconv.ParseInt(args[2], 10, 64); err == nil && n >= 8*maxString {
			return resp.Error(errBitOffset)
		}
	}
	return c.ask(args...)
}

// bitcount counts bits of a range that is given in bits.
func bitcount(k *Keyspace, c *caller, args []string) resp.Reply {
	if len(args) != 5 {
		return c.ask(args...)
	}
	if strings.EqualFold(args[4], "BYTE") {
		return c.ask(args[:4]...)
	}
	from, err1 := strconv.Atoi(args[2])
	to, err2 := strconv.Atoi(args[3])
	if !strings.EqualFold(args[4], "BIT") || err1 != nil || err2 != nil {
		return c.ask(args...)
	}
	r := c.ask("GET", args[1])
	if r.IsError() {
		return r
	}
	size := 8 * len(r.Text)
	if from < 0 {
		from = max(from+size, 0)
	}
	if to < 0 {
		to = max(to+size, 0)
	}
	n := 0
	for i := from; i <= min(to, size-1); i++ {
		n += int(r.Text[i/8]>>(7-i%8)) & 1
	}
	return resp.Int(n)
}

func infinite(text string) bool {
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && (math.IsInf(f, 0) || math.IsNaN(f))
}

// lcs is LCS key1 key2 [LEN] [IDX] [MINMATCHLEN n] [WITHMATCHLEN].
func lcs(k *Keyspace, c *caller, args []string) resp.Reply {
	var length, index, withLen bool
	minLen := 0
	for i := 3; i < len(args); i++ {
		switch strings.ToUpper(args[i]) {
		case "LEN":
			length = true
		case "IDX":
			index = true
		case "WITHMATCHLEN":
			withLen = true
		case "MINMATCHLEN":
			i++
			if i == len(args) {
				return resp.Error(errSyntax)
			}
			n, err := strconv.Atoi(args[i])
			if err != nil {
				return resp.Error(errNotInteger)
			}
			minLen = max(n, 0)
		default:
			return resp.Error(errSyntax)
		}
	}
	if length && index {
		return resp.Error("ERR If you want both the length and indexes, please just use IDX.")
	}
	var text [2]string
	for i := range text {
		if t := c.kind(args[i+1]); t != "string" && t != "none" {
			return resp.Error("ERR The specified keys must contain string values")
		}
		text[i] = c.ask("GET", args[i+1]).Text
	}
	return lcsReply(text[0], text[1], length, index, withLen, minLen)
}

func lcsReply(a, b string, length, index, withLen bool, minLen int) resp.Reply {
	width := len(b) + 1
	table := make([]uint32, (len(a)+1)*width)
	at := func(i, j int) uint32 { return table[i*width+j] }
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			if a[i-1] == b[j-1] {
				table[i*width+j] = at(i-1, j-1) + 1
			} else {
				table[i*width+j] = max(at(i-1, j), at(i, j-1))
			}
		}
	}
	total := int(at(len(a), len(b)))
	if length {
		return resp.Int(total)
	}
	result := make([]byte, total)
	matches := resp.Array()
	rest, i, j := total, len(a), len(b)
	startA, endA, startB, endB := len(a), 0, 0, 0
	for emit := false; i > 0 && j > 0; {
		if a[i-1] == b[j-1] {
			result[rest-1] = a[i-1]
			switch {
			case startA == len(a):
				startA, endA, startB, endB = i-1, i-1, j-1, j-1
			case startA == i && startB == j:
				startA--
				startB--
			default:
				emit = true
			}
			if startA == 0 || startB == 0 {
				emit = true
			}
			rest--
			i--
			j--
		} else {
			if at(i-1, j) > at(i, j-1) {
				i--
			} else {
				j--
			}
			emit = startA != len(a)
		}
		if emit {
			if n := endA - startA + 1; minLen == 0 || n >= minLen {
				match := resp.Array(resp.Array(resp.Int(startA), resp.Int(endA)), resp.Array(resp.Int(startB), resp.Int(endB)))
				if withLen {
					match.List = append(match.List, resp.Int(n))
				}
				matches.List = append(matches.List, match)
			}
			startA, emit = len(a), false
		}
	}
	if !index {
		return resp.Bulk(string(result))
	}
	return resp.Reply{Kind: '%', List: []resp.Reply{resp.Bulk("matches"), matches, resp.Bulk("len"), resp.Int(total)}}
}

// bitField is one operation of BITFIELD.
type bitField struct {
	op       string
	signed   bool
	bits     uint
	offset   uint64
	value    int64
	overflow string
}

const (
	errBitType   = "ERR Invalid bitfield type. Use something like i16 u8. Note that u64 is not supported but i64 is."
	errBitOffset = "ERR bit offset is not an integer or out of range"
)

func parseBitFields(args []string, readOnly bool) ([]bitField, resp.Reply) {
	var ops []bitField
	overflow := "WRAP"
	for i := 2; i < len(args); {
		op := strings.ToUpper(args[i])
		switch {
		case op == "OVERFLOW" && i+1 < len(args):
			overflow = strings.ToUpper(args[i+1])
			if overflow != "WRAP" && overflow != "SAT" && overflow != "FAIL" {
				return nil, resp.Error("ERR Invalid OVERFLOW type specified")
			}
			i += 2
			continue
		case op == "GET" && i+2 < len(args), (op == "SET" || op == "INCRBY") && i+3 < len(args):
		default:
			return nil, resp.Error(errSyntax)
		}
		if readOnly && op != "GET" {
			return nil, resp.Error("ERR BITFIELD_RO only supports the GET subcommand")
		}
		f := bitField{op: op, overflow: overflow}
		typ := args[i+1]
		n, err := strconv.ParseUint(strings.TrimLeft(typ, "iu"), 10, 8)
		f.bits = uint(n)
		f.signed = strings.HasPrefix(typ, "i")
		if err != nil || len(typ) < 2 || !strings.ContainsAny(typ[:1], "iu") || n < 1 || f.signed && n > 64 || !f.signed && n > 63 {
			return nil, resp.Error(errBitType)
		}
		text, scaled := strings.CutPrefix(args[i+2], "#")
		f.offset, err = strconv.ParseUint(text, 10, 63)
		if scaled {
			f.offset *= n
		}
		if err != nil || f.offset+n > 4<<30 {
			return nil, resp.Error(errBitOffset)
		}
		i += 3
		if op != "GET" {
			if f.value, err = strconv.ParseInt(args[i], 10, 64); err != nil {
				return nil, resp.Error(errNotInteger)
			}
			i++
		}
		ops = append(ops, f)
	}
	return ops, resp.Reply{}
}

func bitfield(k *Keyspace, c *caller, args []string) resp.Reply {
	ops, failure := parseBitFields(args, strings.EqualFold(args[0], "BITFIELD_RO"))
	if failure.IsError() {
		return failure
	}
	r := c.ask("GET", args[1])
	if r.IsError() {
		return r
	}
	data := []byte(r.Text)
	changed := false
	out := resp.Array()
	for _, f := range ops {
		old := f.read(data)
		if f.op == "GET" {
			out.List = append(out.List, resp.Reply{Kind: ':', Int: old})
			continue
		}
		target := big.NewInt(f.value)
		if f.op == "INCRBY" {
			target.Add(target, big.NewInt(old))
		} else if !f.signed {
			target.SetUint64(uint64(f.value))
		}
		value, ok := f.fit(target)
		changed = true
		data = f.grow(data)
		if !ok {
			out.List = append(out.List, resp.Nil())
			continue
		}
		f.write(data, uint64(value))
		if f.op == "SET" {
			value = old
		}
		out.List = append(out.List, resp.Reply{Kind: ':', Int: value})
	}
	if changed {
		c.ask("SET", args[1], string(data), "KEEPTTL")
	}
	return out
}

func (f *bitField) grow(data []byte) []byte {
	if need := int((f.offset + uint64(f.bits) + 7) / 8); need > len(data) {
		return append(data, make([]byte, need-len(data))...)
	}
	return data
}

func (f *bitField) read(data []byte) int64 {
	var v uint64
	for i := range uint64(f.bits) {
		bit := f.offset + i
		v <<= 1
		if b := bit / 8; b < uint64(len(data)) {
			v |= uint64(data[b]>>(7-bit%8)) & 1
		}
	}
	if f.signed && f.bits < 64 && v>>(f.bits-1)&1 == 1 {
		v |= ^uint64(0) << f.bits
	}
	return int64(v)
}

func (f *bitField) write(data []byte, v uint64) {
	for i := range uint64(f.bits) {
		bit := f.offset + i
		mask := byte(1) << (7 - bit%8)
		if v>>(uint64(f.bits)-1-i)&1 == 1 {
			data[bit/8] |= mask
		} else {
			data[bit/8] &^= mask
		}
	}
}

// fit brings a value into the field's range; it tells false when OVERFLOW FAIL
// forbids that.
func (f *bitField) fit(v *big.Int) (int64, bool) {
	low, high := big.NewInt(0), new(big.Int).SetUint64(math.MaxUint64>>(64-f.bits))
	if f.signed {
		high.SetInt64(math.MaxInt64 >> (64 - f.bits))
		low.SetInt64(math.MinInt64 >> (64 - f.bits))
	}
	if v.Cmp(low) >= 0 && v.Cmp(high) <= 0 {
		return v.Int64(), true
	}
	switch f.overflow {
	case "FAIL":
		return 0, false
	case "SAT":
		if v.Cmp(low) < 0 {
			return low.Int64(), true
		}
		return high.Int64(), true
	}
	size := new(big.Int).Lsh(big.NewInt(1), f.bits)
	m := new(big.Int).Mod(v, size)
	if m.Cmp(high) > 0 {
		m.Sub(m, size)
	}
	return m.Int64(), true
}
