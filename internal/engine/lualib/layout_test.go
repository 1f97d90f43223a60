package lualib_test

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/engine/lualib"
	"github.com/luagen/luagen/internal/redistest"
)

// tableKey is some key, from a small range, so that keys meet again.
func tableKey(r *rand.Rand) string {
	switch r.Intn(9) {
	case 0, 1, 2:
		return fmt.Sprint(r.Intn(20) + 1)
	case 3:
		return fmt.Sprint(r.Intn(2000) - 3)
	case 4:
		return []string{"0.5", "2^53", "-1", "1e15", "0", "true", "false", "67108864", "67108865", "1e300"}[r.Intn(10)]
	case 5:
		return fmt.Sprintf("('%s'):rep(%d)", string(rune('a'+r.Intn(4))), r.Intn(90))
	default:
		return fmt.Sprintf("'k%d'", r.Intn(30))
	}
}

// tableProgram builds a table by random steps; the last one returns what shows of its layout.
func tableProgram(r *rand.Rand) []string {
	var b strings.Builder
	var steps []string
	value := func() string {
		if r.Intn(4) == 0 {
			return "nil"
		}
		return fmt.Sprint(r.Intn(100))
	}
	b.WriteString("local function many(n) if n > 0 then return n, many(n-1) end end local t = {")
	for range r.Intn(8) {
		switch r.Intn(3) {
		case 0:
			fmt.Fprintf(&b, "%s, ", value())
		case 1:
			fmt.Fprintf(&b, "k%d = %d, ", r.Intn(30), r.Intn(100))
		case 2:
			fmt.Fprintf(&b, "[%s] = %d, ", tableKey(r), r.Intn(100))
		}
	}
	if r.Intn(3) == 0 {
		fmt.Fprintf(&b, "many(%d)", r.Intn(20))
	}
	b.WriteString("} local o = {} ")
	steps = append(steps, b.String())
	if r.Intn(6) == 0 {
		steps = append(steps, "setmetatable(t, {}) ")
	}
	for range r.Intn(40) {
		b.Reset()
		switch r.Intn(12) {
		case 8:
			fmt.Fprintf(&b, "table.insert(t, %d) ", r.Intn(100))
		case 9:
			fmt.Fprintf(&b, "table.insert(t, %d, %s) ", r.Intn(12)+1, value())
		case 10:
			fmt.Fprintf(&b, "o[#o+1] = table.remove(t%s) ", []string{"", ", 1", ", 3"}[r.Intn(3)])
		case 11:
			b.WriteString([]string{
				"for k, v in pairs(t) do if v == 7 or v == 47 then t[k] = nil end end ",
				"for k in pairs(t) do t[k] = 8 end ",
				"t = cmsgpack.unpack(cmsgpack.pack(t)) ",
				"t = {unpack(t, 1, 9)} ",
				"t = {many(3), #t, k1 = #t, many(#t % 20)} ",
				"pcall(table.sort, t, function(a, b) return a < b end) ",
				"setmetatable(t, {__index = function() return nil end}) ",
				"setmetatable(t, nil) ",
			}[r.Intn(8)])
		case 0:
			fmt.Fprintf(&b, "for i = %d, %d do t[i] = %s end ", r.Intn(10)+1, r.Intn(40), value())
		case 1:
			b.WriteString("t[#t+1] = 7 ")
		case 2:
			b.WriteString("t[#t] = nil ")
		case 3:
			fmt.Fprintf(&b, "rawset(t, %s, %s) ", tableKey(r), value())
		case 4:
			b.WriteString("o[#o+1] = #t ")
		default:
			fmt.Fprintf(&b, "t[%s] = %s ", tableKey(r), value())
		}
		steps = append(steps, b.String())
	}
	return append(steps, "return #t, t, o")
}

// shrink drops steps, but for the first and the last, as long as the programs still differ.
func shrink(steps []string, differ func(program string) bool) string {
	for i := 1; i < len(steps)-1; {
		fewer := append(append([]string{}, steps[:i]...), steps[i+1:]...)
		if differ(strings.Join(fewer, "")) {
			steps, i = fewer, 1
			continue
		}
		i++
	}
	return strings.Join(steps, "")
}

func TestLayoutIsLuas(t *testing.T) {
	client := redistest.Start(t).Client()
	r := rand.New(rand.NewSource(seed()))
	run := newRunner(t, lualib.Options{})
	for range 15 {
		programs := make([][]string, 100)
		bodies := make([]string, len(programs))
		for i := range programs {
			programs[i] = tableProgram(r)
			bodies[i] = strings.Join(programs[i], "")
		}
		got, want := run.describe(t, bodies), theirs(t, client, bodies)
		for i := range bodies {
			if got[i] == want[i] {
				continue
			}
			one := []string{shrink(programs[i], func(program string) bool {
				return run.describe(t, []string{program})[0] != theirs(t, client, []string{program})[0]
			})}
			t.Fatalf("%s\n got %s\nwant %s", one[0], run.describe(t, one)[0], theirs(t, client, one)[0])
		}
	}
}
