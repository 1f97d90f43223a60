package rules

import "github.com/luagen/luagen/internal/lint"

// This file implements cjson-missing-api.

var cjsonMissingAPI = &lint.Rule{
	Name:    "cjson-missing-api",
	Group:   lint.Failure,
	Targets: "decode_array_with_array_mt: before redis-8.4, and all of Valkey",
	Doc: lint.Doc{
		What: "a part of cjson that Redis does not have",
		Why: `OpenResty's cjson has empty_array, array_mt and encode_empty_table_as_object; the one
in Redis has not, and calling what is nil raises an error. There an empty table always
encodes as {}: write '[]' where the table is empty.`,
		Bad: `local list = {}
cjson.encode_empty_table_as_object --[[want "cjson-missing-api"]](false)
return cjson.encode(list)
`,
		Good: `local list = {}
if #list == 0 then
  return '[]'
end
return cjson.encode(list)
`,
	},
	Run: func(p *lint.Pass) {
		for _, m := range libraryMembers(p) {
			where := newerJSON[m.name]
			if m.lib != "cjson" || where == "" || m.name == "decode_array_with_array_mt" && hasArrayMT(p.Target) || probed(p, m.at) {
				continue
			}
			p.Report(m.at, "cjson.%s is in %s, but not in %s", m.name, where, p.Target).Help("write '[]' yourself where an array is empty")
		}
	},
}
