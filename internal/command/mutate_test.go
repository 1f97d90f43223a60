package command

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/redistest"
)

// mutate changes a call a little: an argument less, one more, two swapped, a
// word of the grammar or another value in some place.
func mutate(rng *rand.Rand, c *Command, args []string, fixed int) []string {
	args = slices.Clone(args)
	var words []string
	collectWords(c.args, &words)
	words = append(words, "1", "2", "0", "-1", "a", "none", "5.5", "(1", "*", "")
	for range 1 + rng.IntN(2) {
		at := fixed + rng.IntN(len(args)-fixed+1)
		word := words[rng.IntN(len(words))]
		switch rng.IntN(4) {
		case 0:
			if at < len(args) {
				args = slices.Delete(args, at, at+1)
			}
		case 1:
			args = slices.Insert(args, at, word)
		case 2:
			if at < len(args) {
				args[at] = word
			}
		case 3:
			if at+1 < len(args) {
				args[at], args[at+1] = args[at+1], args[at]
			}
		}
	}
	return args
}

func collectWords(nodes []node, into *[]string) {
	for i := range nodes {
		if nodes[i].kind == Token && nodes[i].from.on(Default) {
			*into = append(*into, nodes[i].name)
		}
		collectWords(nodes[i].sub, into)
	}
}

// sloppy tells of the commands that do not look at all of their arguments, some
// of them only where the key is missing.
func sloppy(name string) bool {
	return slices.Contains([]string{"BITCOUNT", "BITPOS", "HSCAN", "SSCAN", "ZSCAN", "GEORADIUSBYMEMBER", "GEORADIUSBYMEMBER_RO", "LOLWUT", "XPENDING"}, name)
}

var mutations = flag.Int("mutations", 6, "how often TestMutations changes each call")

// TestMutations changes the calls of testdata/replies.txt at random. What the
// server takes, the table must not call wrong, and the reply must fit; what the
// server finds too short, the table must too.
func TestMutations(t *testing.T) {
	client := redistest.Start(t).Client()
	rng := rand.New(rand.NewPCG(1, 2))
	scenes, _ := readScenes(t)
	taken := 0
	for _, sc := range scenes {
		for _, st := range sc.steps {
			c, used := Find(literals(st.args))
			for range *mutations {
				args := mutate(rng, c, st.args, used)
				if slices.Contains(args, "BLOCK") || len(c.args) == 0 {
					continue
				}
				at := fmt.Sprintf("testdata/replies.txt:%d, changed to %q", st.line, args)
				resp := 2 + rng.IntN(2)
				v := sc.run(t, client, args, resp)
				call := literals(args[used:])
				m := c.Match(call, Default)
				short := v.kind == '-' && strings.Contains(v.text, "Wrong number of args")
				switch {
				case short && m.Problem == nil && len(m.Newer) == 0:
					t.Errorf("%s: the server says %q, and the table sees no problem", at, v.text)
				case v.kind == '-', sloppy(c.Name):
				case m.Problem != nil:
					t.Errorf("%s: the server takes it, and the table sees a problem: %+v", at, *m.Problem)
				default:
					taken++
					checkReply(t, at, c, call, resp, v, map[string]bool{})
				}
			}
		}
	}
	t.Logf("%d changed calls were taken", taken)
}
