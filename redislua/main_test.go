package redislua_test

import (
	"fmt"
	"os"
	"runtime/pprof"
	"strings"
	"testing"
	"time"
)

// TestMain fails when a goroutine of the package is left over: one that waits
// for a load nobody finishes.
func TestMain(m *testing.M) {
	status := m.Run()
	var left string
	for range 200 {
		if left = ours(); left == "" {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	if left != "" && status == 0 {
		fmt.Fprintf(os.Stderr, "goroutines are left over:\n%s\n", left)
		status = 1
	}
	os.Exit(status)
}

// ours returns the stacks of goroutines that run code of the package.
func ours() string {
	var all strings.Builder
	_ = pprof.Lookup("goroutine").WriteTo(&all, 2)
	var left []string
	for _, stack := range strings.Split(all.String(), "\n\n") {
		if strings.Contains(stack, "/redislua.(*") || strings.Contains(stack, "redislua_test.") && !strings.Contains(stack, "TestMain") {
			left = append(left, stack)
		}
	}
	return strings.Join(left, "\n\n")
}
