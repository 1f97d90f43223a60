// Package called makes the calls of the scripts with known answers through
// their wrappers. goldentest lays those over this folder, runs it, and says by
// the environment where the answers, the signatures and the server are.
package called

import (
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/redislua"
)

// known is a script with its calls, as truth.json has it.
type known struct {
	File  string
	Calls []struct {
		Setup      [][]any
		Keys, Args []any
		Reply      any
		After      []struct {
			Cmd   []any
			Reply any
		}
	}
}

// signature is a script's, as luagen list prints it.
type signature struct {
	Name, File string
	Keys       []slot
	Args       []slot
}

type slot struct {
	Name, Type         string
	Optional, Variadic bool
}

// TestCalls makes every call under both protocols. The wrapper must take its
// arguments and decode its reply, or return the error that is known, and leave
// the database as it is known to be.
func TestCalls(t *testing.T) {
	var truth struct{ Scripts []known }
	var list struct{ Scripts []signature }
	read(t, "CALLED_TRUTH", &truth)
	read(t, "CALLED_LIST", &list)
	signatures := map[string]signature{}
	for _, s := range list.Scripts {
		signatures[strings.TrimPrefix(s.File, "lua/")] = s
	}
	for _, protocol := range []int{2, 3} {
		client := redis.NewClient(&redis.Options{Addr: os.Getenv("CALLED_REDIS"), Protocol: protocol})
		defer func() { _ = client.Close() }()
		for _, script := range truth.Scripts {
			t.Run(fmt.Sprintf("%s/RESP%d", script.File, protocol), func(t *testing.T) {
				s, ok := signatures[script.File]
				if !ok {
					t.Fatal("luagen list does not have it")
				}
				method := reflect.ValueOf(packages[path.Dir(script.File)](client)).MethodByName(s.Name)
				for i := range script.Calls {
					call(t, client, method, s, script, i)
				}
			})
		}
	}
}

func read(t *testing.T, variable string, into any) {
	text, err := os.ReadFile(os.Getenv(variable))
	if err != nil {
		t.Skip("it is run by goldentest")
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatal(err)
	}
}

// call makes the i-th call of a script.
func call(t *testing.T, client *redis.Client, method reflect.Value, s signature, script known, i int) {
	c := script.Calls[i]
	client.FlushAll(t.Context())
	for _, command := range c.Setup {
		if err := client.Do(t.Context(), words(command)...).Err(); err != nil && !errors.Is(err, redis.Nil) {
			t.Fatal(err)
		}
	}
	in, err := arguments(method.Type(), s, c.Keys, c.Args)
	if err != nil {
		t.Errorf("call %d: the wrapper does not take %v %v: %v", i, c.Keys, c.Args, err)
		return
	}
	in[0] = reflect.ValueOf(t.Context())
	run := method.Call
	if method.Type().IsVariadic() {
		run = method.CallSlice
	}
	out := run(in)
	err, _ = out[len(out)-1].Interface().(error)
	reply, _ := c.Reply.(map[string]any)
	want, fails := reply["error"]
	var shape *redislua.ReplyError
	var refused *redislua.ArgumentError
	switch {
	case fails && errors.As(err, &refused): // the wrapper knew before the script
	case errors.As(err, &shape), (err != nil) != fails:
		t.Errorf("call %d with %v %v: got the error %v, want the reply %v, error %v", i, c.Keys, c.Args, err, c.Reply, want)
		return
	}
	for _, after := range c.After {
		got, err := client.Do(t.Context(), words(after.Cmd)...).Result()
		if err != nil && !errors.Is(err, redis.Nil) {
			t.Fatal(err)
		}
		if g, w := show(got), show(after.Reply); !strings.Contains(w, "?") && g != w && client.Options().Protocol == 2 {
			t.Errorf("call %d, then %v: got %s, want %s", i, after.Cmd, g, w)
		}
	}
}

// words returns a command's words as text.
func words(command []any) []any {
	list := make([]any, len(command))
	for i, w := range command {
		list[i] = text(w)
	}
	return list
}

func text(v any) string {
	if m, ok := v.(map[string]any); ok {
		b, err := base64.StdEncoding.DecodeString(m["b64"].(string))
		if err != nil {
			panic(err)
		}
		return string(b)
	}
	return fmt.Sprint(v)
}

// show returns a reply as text to compare; what may differ is a question mark.
func show(v any) string {
	switch v := v.(type) {
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, show(e))
		}
		return "[" + strings.Join(parts, " ") + "]"
	case map[string]any:
		if status, ok := v["status"]; ok {
			return fmt.Sprint(status)
		}
		if _, ok := v["b64"]; ok {
			return text(v)
		}
		return "?"
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return fmt.Sprint(v)
}
