package main

import (
	"strings"
	"testing"
)

func TestRecipes(t *testing.T) {
	var out strings.Builder
	if err := run(&out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	if n := strings.Count(out.String(), "  => "); n != len(recipes) {
		t.Errorf("%d verdicts for %d recipes", n, len(recipes))
	}
}
