package cmath

import (
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// TestAgainstC compares with lua5.1, whose functions are the C library's.
func TestAgainstC(t *testing.T) {
	lua51, err := exec.LookPath("lua5.1")
	if err != nil {
		t.Skip("lua5.1 is not installed")
	}
	const script = `math.randomseed(7) for i=1,3000 do local x,y=math.random()*10^math.random(-5,5),math.random()*20-10
 print(string.format('%.17g %.17g %.17g %.17g %.17g %.17g',x,y,x^y,math.exp(y),math.log(x),math.log10(x))) end`
	out, err := exec.Command(lua51, "-e", script).Output()
	if err != nil {
		t.Fatal(err)
	}
	wrong := [4]int{}
	for _, line := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		var f [6]float64
		for i, w := range strings.Fields(line) {
			f[i], _ = strconv.ParseFloat(w, 64)
		}
		for i, got := range []float64{Pow(f[0], f[1]), Exp(f[1]), Log(f[0]), Log10(f[0])} {
			if got != f[2+i] {
				wrong[i]++
			}
		}
	}
	t.Log("pow, exp, log, log10 that differ of 3000:", wrong)
	for i, limit := range []int{12, 6, 6, 6} {
		if wrong[i] > limit {
			t.Errorf("function %d differs %d times", i, wrong[i])
		}
	}
}
