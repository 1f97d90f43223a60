package script_test

import (
	"go/token"
	"slices"
	"strings"
	"testing"

	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/types"
)

func TestNames(t *testing.T) {
	for _, tt := range []struct{ name, exported, param string }{
		{"acquire", "Acquire", "acquire"},
		{"move_to_active", "MoveToActive", "moveToActive"},
		{"moveToActive-11", "MoveToActive11", "moveToActive11"},
		{"job-id", "JobID", "jobID"},
		{"jobId", "JobID", "jobID"},
		{"JOB_ID", "JobID", "jobID"},
		{"TTL", "TTL", "ttl"},
		{"ttl_ms", "TTLMs", "ttlMs"},
		{"TTLms", "TTLMs", "ttlMs"},
		{"URLs", "URLs", "urls"},
		{"user_ids", "UserIDs", "userIDs"},
		{"userIDs", "UserIDs", "userIDs"},
		{"HTTPServer", "HTTPServer", "httpServer"},
		{"json_url", "JSONURL", "jsonURL"},
		{"utf8_text", "UTF8Text", "utf8Text"},
		{"HGETALL", "Hgetall", "hgetall"},
		{"getX", "GetX", "getX"},
		{"member1", "Member1", "member1"},
		{"identity grid", "IdentityGrid", "identityGrid"},
		{"3way", "X3way", "x3way"},
		{"top_10_20", "Top10_20", "top10_20"},
		{"id2", "ID2", "id2"},
		{"_private", "Private", "private"},
		{"type", "Type", "type"},
		{"été", "Été", "été"},
		{"日本", "X日本", "日本"},
		{"a\x00b\xffc\u202ed", "ABCD", "aBCD"},
		{"***", "", ""},
		{"", "", ""},
	} {
		if got := script.Exported(tt.name); got != tt.exported {
			t.Errorf("Exported(%q) = %q, want %q", tt.name, got, tt.exported)
		}
		if got := script.Param(tt.name); got != tt.param {
			t.Errorf("Param(%q) = %q, want %q", tt.name, got, tt.param)
		}
	}
}

func TestNameSlots(t *testing.T) {
	for _, tt := range []struct {
		name             string
		keys, args, want []string
	}{
		{"plain", []string{"lock", "fence"}, []string{"token", "ttl"}, []string{"lock", "fence", "token", "ttl"}},
		{"equal", []string{"key", "key"}, []string{"key"}, []string{"key", "key2", "key3"}},
		{"a number is taken", []string{"key", "key", "key2"}, nil, []string{"key", "key3", "key2"}},
		{"equal once they are Go", []string{"job_id", "jobId"}, []string{"v1", "v1"}, []string{"jobID", "jobID2", "v1", "v1_2"}},
		{"keywords", []string{"range", "type"}, []string{"type", "func"}, []string{"rangeKey", "typ", "typ2", "funcArg"}},
		{"predeclared", []string{"string"}, []string{"len", "nil", "max", "cap", "new"}, []string{"stringKey", "lenArg", "nilArg", "max", "cap", "new"}},
		{"the wrapper's own", []string{"ctx", "s"}, []string{"p", "call", "redislua", "Context"}, []string{"ctxKey", "sKey", "pArg", "callArg", "redisluaArg", "contextArg"}},
		{"without letters", []string{"1", "**"}, []string{"_", ""}, []string{"key1", "key2", "arg1", "arg2"}},
		{"a fallback is taken", []string{"key2", "*"}, nil, []string{"key2", "key2_2"}},
		{"no import in the way", nil, []string{"time", "json"}, []string{"time", "json"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := withSlots(tt.keys, tt.args)
			s.NameSlots()
			if got := slotNames(s); !slices.Equal(got, tt.want) {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestNameSlotsAvoidsImports(t *testing.T) {
	s := withSlots([]string{"orders"}, []string{"time", "json", "msgpack"})
	s.Args[0].Type = &types.List{Elem: &types.Time{}}
	s.Args[1].Go = "example.com/shop/orders/v2.Order"
	s.Reply.Type = &types.Encoded{Format: types.Msgpack}
	s.NameSlots()
	if got, want := slotNames(s), []string{"ordersKey", "timeArg", "json", "msgpackArg"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestNameSlotsDropsUnits(t *testing.T) {
	s := withSlots([]string{"lock"}, []string{"ttl_ms", "lockSeconds", "seconds", "wait_in_sec", "items", "now_ms"})
	for i := range s.Args[:5] {
		s.Args[i].Type = &types.Duration{}
	}
	s.NameSlots()
	if got, want := slotNames(s), []string{"lock", "ttl", "lockDuration", "seconds", "wait", "items", "nowMs"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMethod(t *testing.T) {
	for name, want := range map[string]string{"exec": "RunExec", "tx": "RunTx", "pipeline": "RunPipeline", "execute": "Execute", "write_byte": "RunWriteByte", "scan": "Scan"} {
		if got := script.Method(name); got != want {
			t.Errorf("Method(%q) = %q, want %q", name, got, want)
		}
	}
}

func TestField(t *testing.T) {
	for param, want := range map[string]string{
		"jobID": "JobID", "typ": "Type", "rangeKey": "Range", "lenArg": "Len", "timeArg": "Time", "lockKey": "LockKey", "sortArg": "SortArg",
	} {
		if got := script.Field(param); got != want {
			t.Errorf("Field(%q) = %q, want %q", param, got, want)
		}
	}
}

func TestPackageName(t *testing.T) {
	for path, want := range map[string]string{
		"time": "time", "example.com/shop/orders": "orders", "example.com/shop/v2": "shop", "gopkg.in/yaml.v3": "yaml",
		"example.com/go-money": "money", "example.com/type": "typepkg", "example.com/3": "pkg", "example.com/context": "contextpkg",
	} {
		if got := script.PackageName(path); got != want {
			t.Errorf("PackageName(%q) = %q, want %q", path, got, want)
		}
	}
}

// FuzzNames proves that whatever names slots have, parameters are distinct
// identifiers that Go accepts.
func FuzzNames(f *testing.F) {
	f.Add("a,a,a2,type,typ", "ID,id,iD,é,日本,ß,ǅ")
	f.Fuzz(func(t *testing.T, keys, args string) {
		s := withSlots(strings.Split(keys, ","), strings.Split(args, ","))
		s.NameSlots()
		names := slotNames(s)
		seen := map[string]bool{}
		for _, n := range names {
			if !token.IsIdentifier(n) || token.IsExported(n) || seen[n] || n == "_" || n == "ctx" {
				t.Fatalf("%q is no parameter name among %q", n, names)
			}
			seen[n] = true
			if e := script.Field(n); !token.IsIdentifier(e) || !token.IsExported(e) {
				t.Fatalf("Field(%q) = %q is no exported identifier", n, e)
			}
		}
	})
}

func withSlots(keys, args []string) *script.Script {
	s := &script.Script{}
	for _, n := range keys {
		s.Keys = append(s.Keys, script.Key{Name: n})
	}
	for _, n := range args {
		s.Args = append(s.Args, script.Arg{Name: n, Type: types.String})
	}
	return s
}

func slotNames(s *script.Script) []string {
	var names []string
	for _, k := range s.Keys {
		names = append(names, k.Name)
	}
	for _, a := range s.Args {
		names = append(names, a.Name)
	}
	return names
}
