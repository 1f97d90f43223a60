package rules

import (
	"strconv"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/lint"
	"github.com/luagen/luagen/internal/syntax"
)

// This file implements duplicate-table-key.

var duplicateTableKey = &lint.Rule{
	Name:     "duplicate-table-key",
	Severity: diag.Warning,
	Group:    lint.Style,
	Doc: lint.Doc{
		What: "a table has two values for one key",
		Why:  `Only one of them stays. One of the keys is misspelt, or left over.`,
		Bad: `return cjson.encode({id = ARGV[1], id --[[want "duplicate-table-key"]] = ARGV[2]})
`,
		Good: `return cjson.encode({id = ARGV[1], name = ARGV[2]})
`,
	},
	Run: func(p *lint.Pass) {
		for _, t := range p.Tables {
			seen := map[string]syntax.Node{}
			for _, f := range t.Fields {
				key := ""
				switch k := f.Key.(type) {
				case *syntax.StringExpr:
					key = "s" + k.Value
				case *syntax.NumberExpr:
					key = "n" + strconv.FormatFloat(k.Value, 'g', -1, 64)
				default:
					continue
				}
				if first := seen[key]; first != nil {
					p.Report(f.Key, "the table has two values for %s", p.Text(f.Key)).Note(first, "the other is here")
				}
				seen[key] = f.Key
			}
		}
	},
}
