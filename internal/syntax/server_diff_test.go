package syntax

// This file compares Parse with redis-server: what is refused, at which line,
// in which words.

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"github.com/luagen/luagen/internal/source"
)

// fromEnv returns the number in an environment variable.
func fromEnv(t testing.TB, name string, otherwise int) int {
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s is %q, expected a number", name, text)
	}
	return n
}

// TestAgreesWithRedis compares LUAGEN_DIFF_PROGRAMS programs (default 24000),
// made from the seed LUAGEN_DIFF_SEED.
func TestAgreesWithRedis(t *testing.T) {
	programs := fromEnv(t, "LUAGEN_DIFF_PROGRAMS", 24000)
	seed := fromEnv(t, "LUAGEN_DIFF_SEED", 1)
	srv := startServer(t)
	r := rand.New(rand.NewPCG(uint64(seed), 0))
	different, accepted := 0, 0
	for done := 0; done < programs; {
		texts := make([]string, 0, 500)
		for len(texts) < 500 {
			tokens := generate(r)
			if r.IntN(25) == 0 {
				tokens = crowd(r)
			}
			texts = append(texts, neat(tokens), join(r, tokens), join(r, mutate(r, tokens)), join(r, mutate(r, tokens)), damage(r, join(r, tokens)))
		}
		done += len(texts)
		for i, want := range srv.verdicts(t, texts) {
			if want == "" {
				accepted++
			}
			if d := difference(texts[i], want); d != "" {
				if different++; different <= 10 {
					t.Errorf("%s\n%q", d, texts[i])
				}
			}
		}
	}
	t.Logf("%d programs, of which Redis compiles %d; %d differ", programs, accepted, different)
}

// difference says how Parse differs from what the server said of a text.
func difference(text, want string) string {
	chunk, diags := Parse(source.New("x.lua", text))
	got := chunk.Refusal.wording()
	if (len(diags) > 0) != (chunk.Refusal != nil) {
		return fmt.Sprintf("%d diagnostics with the refusal %q", len(diags), got)
	}
	if got != want {
		return fmt.Sprintf("got  %q\nwant %q", got, want)
	}
	return ""
}
