package rules

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/source"
)

// lying are the rules whose errors are about scripts that run, and answer what
// nobody meant.
var lying = words(`reply-nil-compare integer-reply-as-boolean string-number-equality status-reply-compared-with-string
	keyed-table-return nil-hole-return hgetall-as-map setresp3-shape pcall-result-unchecked lua52-syntax`)

// TestServersAnswers lints the scripts whose replies a server has given: one
// that it answered, without an error caught on the way, has no rule saying that
// it fails.
func TestServersAnswers(t *testing.T) {
	data, err := os.ReadFile("../../engine/testdata/cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		ID     string
		Script string
		Reply  json.RawMessage
	}
	if err := json.Unmarshal(data, &cases); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, c := range cases {
		var reply string
		if json.Unmarshal(c.Reply, &reply) != nil || strings.HasPrefix(reply, "-") || c.Script == "" || strings.Contains(c.Script, "pcall") {
			continue
		}
		n++
		list := lint.Run(analysis.Examine(source.New("case.lua", c.Script), analysis.Options{}), All, lint.Options{})
		for _, d := range list {
			if d.Severity == diag.Error && !lying[d.Rule] {
				t.Errorf("%s: %s\nis answered with %s, and has %s: %s", c.ID, c.Script, reply, d.Rule, d.Message)
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d cases were read", n)
	}
}
