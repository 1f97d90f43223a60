package project

// This file implements doing many things at once.

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// each calls do for 0 to n-1, on all processors, and returns the error of the
// least. A panic in do reaches the caller of each; name says what i is.
func each(n int, name func(i int) string, do func(i int) error) error {
	errs := make([]error, n)
	faults := make([]any, n)
	try := func(i int) {
		defer func() {
			if fault := recover(); fault != nil {
				faults[i] = fmt.Sprintf("%s: %v\n\n%s", name(i), fault, debug.Stack())
			}
		}()
		errs[i] = do(i)
	}
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				try(i)
			}
		})
	}
	workers.Wait()
	for i := range n {
		if faults[i] != nil {
			panic(faults[i])
		}
		if errs[i] != nil {
			return errs[i]
		}
	}
	return nil
}
