package redislua_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/luagen/luagen/internal/redistest"
	"github.com/luagen/luagen/redislua"
)

// decoded runs a script and returns its decoded reply, or the error, as text.
func decoded[T any](d redislua.Decoder[T]) func(*redislua.Caller, string) string {
	return func(c *redislua.Caller, source string) string {
		v, err := redislua.Run(ctx, c, script("S", 0, source).Call(0, 0), d)
		if err != nil {
			return "error: " + err.Error()
		}
		return fmt.Sprintf("%v", v)
	}
}

type (
	word  string
	small int8
	state int64
)

type lease struct {
	Held  state
	Owner *string
	TTL   time.Duration
}

func decodeLease(v redislua.Value) (lease, error) {
	t := redislua.Tuple(v, 2, 3)
	l := lease{
		Held:  redislua.Field(t, 0, "held", redislua.AsEnum[state](0, 1)),
		TTL:   redislua.Field(t, 1, "ttl", redislua.AsDuration(time.Millisecond)),
		Owner: redislua.Field(t, 2, "owner", redislua.Optional(redislua.AsString)),
	}
	return l, t.Err()
}

func TestDecoders(t *testing.T) {
	t.Parallel()
	server := redistest.Start(t)
	type point struct{ X, Y int }
	cases := []struct {
		source string
		decode func(*redislua.Caller, string) string
		want   string
	}{
		{"return 7", decoded(redislua.AsInt), "7"},
		{"return -3.9", decoded(redislua.AsInt), "-3"},
		{"return '9007199254740993'", decoded(redislua.AsInt), "9007199254740993"},
		{"return tostring(2^60)", decoded(redislua.AsInt), "1152921504606800000"},
		{"return '1e3'", decoded(redislua.AsInt), "error: S: reply: expected an integer, got another string"},
		{"return {}", decoded(redislua.AsInt), "error: S: reply: expected an integer, got an array of 0"},
		{"return false", decoded(redislua.AsInt), "error: S: reply: expected an integer, got nil"},
		{"return true", decoded(redislua.AsInt), "1"},
		{"return {double=3}", decoded(redislua.AsInt), "3"},
		{"return {big_number='123'}", decoded(redislua.AsInt), "123"},
		{"return '18446744073709551615'", decoded(redislua.AsUint), "18446744073709551615"},
		{"return -1", decoded(redislua.AsUint), "error: S: reply: expected an integer of at least 0, got another integer"},
		{"return '0.10000000000000001'", decoded(redislua.AsFloat), "0.1"},
		{"return {double=0.5}", decoded(redislua.AsFloat), "0.5"},
		{"return {double=-1/0}", decoded(redislua.AsFloat), "-Inf"},
		{"return 3", decoded(redislua.AsFloat), "3"},
		{"return tostring(0/0)", decoded(redislua.AsFloat), "NaN"},
		{"return 'secret'", decoded(redislua.AsFloat), "error: S: reply: expected a number, got another string"},
		{"return 'a\\0b'", decoded(redislua.AsString), "a\x00b"},
		{"return ''", decoded(redislua.AsString), ""},
		{"return {ok='FINE'}", decoded(redislua.AsString), "FINE"},
		{"return {verbatim_string={format='txt',string='text'}}", decoded(redislua.AsString), "text"},
		{"return 5", decoded(redislua.AsString), "error: S: reply: expected a string, got an integer"},
		{"return 'ab'", decoded(redislua.AsBytes), "[97 98]"},
		{"return 1", decoded(redislua.AsBool), "true"},
		{"return false", decoded(redislua.AsBool), "false"},
		{"redis.setresp(3) return true", decoded(redislua.AsBool), "true"},
		{"redis.setresp(3) return false", decoded(redislua.AsBool), "false"},
		{"return '0'", decoded(redislua.AsBool), "false"},
		{"return 2", decoded(redislua.AsBool), "error: S: reply: expected 1, 0 or nil, got another integer"},
		{"return 'on'", decoded(redislua.AsWords("on", "off")), "true"},
		{"return 'no'", decoded(redislua.AsWords("on", "off")), `error: S: reply: expected "on" or "off", got another string`},
		{"return 1500", decoded(redislua.AsDuration(time.Millisecond)), "1.5s"},
		{"return '9223372036854775807'", decoded(redislua.AsDuration(time.Second)), "error: S: reply: expected a duration of less than 292 years, got another string"},
		{"return 1", decoded(redislua.AsEnum[state](0, 1)), "1"},
		{"return 2", decoded(redislua.AsEnum[state](0, 1)), "error: S: reply: expected one of 0, 1, got another integer"},
		{"return {ok='OK'}", decoded(redislua.AsEnum[word]("OK", "BUSY")), "OK"},
		{"return 'secret'", decoded(redislua.AsEnum[word]("OK", "BUSY")), `error: S: reply: expected one of "OK", "BUSY", got another string`},
		{`return '{"X":1,"Y":2}'`, decoded(redislua.AsJSON[point]()), "{1 2}"},
		{`return '{"X":"secret"}'`, decoded(redislua.AsJSON[point]()), "error: S: reply: expected an encoded redislua_test.point, got a string that is not, a string at X"},
		{`return '{"X"'`, decoded(redislua.AsJSON[json.RawMessage]()), "error: S: reply: expected an encoded json.RawMessage, got a string that is not, at offset 4"},
		{"return '10.0.0.1'", decoded(redislua.AsUser[netip.Addr]()), "10.0.0.1"},
		{"return 'w'", decoded(redislua.AsUser[word]()), "w"},
		{"return 100", decoded(redislua.AsUser[small]()), "100"},
		{"return 300", decoded(redislua.AsUser[small]()), "error: S: reply: expected an integer that fits redislua_test.small, got another integer"},
		{"return {1, '2', 3}", decoded(redislua.List(redislua.AsInt)), "[1 2 3]"},
		{"return {set={x=true}}", decoded(redislua.List(redislua.AsString)), "[x]"},
		{"return {1, {}, 3}", decoded(redislua.List(redislua.AsInt)), "error: S: reply [1]: expected an integer, got an array of 0"},
		{"return {1, {err='OOM full'}, 3}", decoded(redislua.List(redislua.AsInt)), "error: S: reply [1]: expected an integer, got the error OOM"},
		{"return {'a', 1, 'b', 2}", decoded(redislua.Map(redislua.AsString, redislua.AsInt)), "map[a:1 b:2]"},
		{"return {map={a=1}}", decoded(redislua.Map(redislua.AsString, redislua.AsInt)), "map[a:1]"},
		{"return {'b', 1, 'a', 2}", decoded(redislua.Pairs(redislua.AsString, redislua.AsInt)), "[{b 1} {a 2}]"},
		{"return {'b', 1, 'a'}", decoded(redislua.Pairs(redislua.AsString, redislua.AsInt)), "error: S: reply: expected a map, or an array of keys and values, got an array of 3"},
		{"return {1, 250}", decoded(decodeLease), "{1 <nil> 250ms}"},
		{"return {1}", decoded(decodeLease), "error: S: reply: expected an array of 2 to 3, got an array of 1"},
		{"return {1, 'x'}", decoded(decodeLease), "error: S: reply ttl: expected an integer, got another string"},
		{"return {{1, 250}, {3, 250}}", decoded(redislua.List(decodeLease)), "error: S: reply [1].held: expected one of 0, 1, got another integer"},
		{"return {1, {2, {3, false, {ok='S'}}}, 'x', {double=0.5}, {map={k={1}}}}", decoded(func(v redislua.Value) (string, error) {
			list, err := v.List()
			if err != nil {
				return "", err
			}
			m, err := list[4].Map()
			return fmt.Sprint(list[:3], m["k"]), err
		}), `[1 [2 [3 nil S]] "x"] [1]`},
	}
	for _, protocol := range []int{2, 3} {
		client := redis.NewClient(&redis.Options{Addr: server.Addr, Protocol: protocol})
		t.Cleanup(func() { _ = client.Close() })
		caller := redislua.NewCaller(client)
		for _, c := range cases {
			if got := c.decode(caller, c.source); got != c.want {
				t.Errorf("RESP%d: %s\n got %s\nwant %s", protocol, c.source, got, c.want)
			}
		}
		// Absent replies are not errors, and never redis.Nil.
		for _, source := range []string{"return false", "return nil", "return", "return cjson.null"} {
			s := script("S", 0, source)
			if v, ok, err := redislua.RunOptional(ctx, caller, s.Call(0, 0), redislua.AsString); v != "" || ok || err != nil {
				t.Errorf("%s: %q %t %v", source, v, ok, err)
			}
			if ok, err := redislua.RunOptionalStatus(ctx, caller, s.Call(0, 0)); ok || err != nil {
				t.Errorf("%s: %t %v", source, ok, err)
			}
			if err := redislua.RunStatus(ctx, caller, s.Call(0, 0)); err != nil {
				t.Errorf("%s: %v", source, err)
			}
		}
		if ok, err := redislua.RunOptionalStatus(ctx, caller, script("S", 0, "return {ok='OK'}").Call(0, 0)); !ok || err != nil {
			t.Error(ok, err)
		}
		at, err := redislua.Run(ctx, caller, script("S", 0, "return 1700000000123").Call(0, 0), redislua.AsTime(time.Millisecond))
		if err != nil || !at.Equal(time.UnixMilli(1700000000123)) {
			t.Error(at, err)
		}
	}
}

// An error nested in a reply is the caller's to see, and the connection stays in
// step; go-redis stops reading at some of them, and answers the next command of
// a pipeline with the rest.
func TestErrorsInsideAReply(t *testing.T) {
	t.Parallel()
	client := redistest.Start(t).Client()
	caller := redislua.NewCaller(client)
	s := script("Mixed", 0, "return {1, {err='OOM full'}, 'rest', {err='MY own'}}")
	batch := redislua.NewPipeline(caller)
	mixed := redislua.Queue(batch, s.Call(0, 0), redislua.AsValue)
	next := redislua.Queue(batch, script("Next", 0, "return 'next'").Call(0, 0), redislua.AsString)
	if err := batch.Exec(ctx); err != nil {
		t.Fatal(err)
	}
	v, _ := mixed.Result()
	list, _ := v.List()
	if len(list) != 4 || !errors.Is(list[1].Err(), redislua.Code("OOM")) || !errors.Is(list[3].Err(), redislua.Code("MY")) {
		t.Error(v)
	}
	if got, err := next.Result(); got != "next" || err != nil {
		t.Error(got, err)
	}
	_, err := redislua.Run(ctx, caller, s.Call(0, 0), redislua.List(redislua.AsString))
	if err == nil || !strings.Contains(err.Error(), "reply [0]: expected a string, got an integer") {
		t.Error(err)
	}
	_, err = redislua.Run(ctx, caller, script("S", 0, "return {{err='OOM full'}}").Call(0, 0), redislua.List(redislua.AsInt))
	if !errors.Is(err, redislua.Code("OOM")) {
		t.Errorf("the error inside is not found in %v", err)
	}

	pipe := client.Pipeline()
	_ = pipe.Eval(ctx, s.Source, nil)
	theirs := pipe.Eval(ctx, "return 'next'", nil)
	_, _ = pipe.Exec(ctx)
	if theirs.Val() == "next" {
		t.Error("go-redis stays in step now: say so in the documentation")
	}
}

func TestArguments(t *testing.T) {
	t.Parallel()
	caller := redislua.NewCaller(redistest.Start(t).Client())
	echo := script("Echo", 0, "return ARGV")
	var nowhere *netip.Addr
	for _, c := range []struct {
		name string
		add  func(*redislua.Call)
		want string
	}{
		{"text", func(c *redislua.Call) { c.String("a b"); c.Bytes([]byte{0, 1}); c.Strings([]string{"x", ""}) }, `["a b" "\x00\x01" "x" ""]`},
		{"integers", func(c *redislua.Call) { c.Int(math.MinInt64); c.Uint(math.MaxUint64) }, `["-9223372036854775808" "18446744073709551615"]`},
		{"bools", func(c *redislua.Call) { c.Bool(true); c.Bool(false); c.Words(true, "yes", "no") }, `["1" "0" "yes"]`},
		{"floats", func(c *redislua.Call) { c.Float("f", 0.1); c.Float("f", 1e21); c.Float("f", -2) }, `["0.1" "1e+21" "-2"]`},
		{"NaN", func(c *redislua.Call) { c.Float("f", math.NaN()) }, "calling Echo: argument f: a finite number is expected, got NaN"},
		{"the first refusal counts", func(c *redislua.Call) { c.Float("f", math.Inf(1)); c.Float("g", math.NaN()) }, "calling Echo: argument f: a finite number is expected, got +Inf"},
		{"durations", func(c *redislua.Call) {
			for _, d := range []time.Duration{0, 1, 1499 * time.Microsecond, 1500 * time.Microsecond, -1, -1500 * time.Microsecond, math.MaxInt64} {
				c.Duration("d", d, time.Millisecond)
			}
			c.Duration("d", 400*time.Millisecond, time.Second)
		}, `["0" "1" "1" "2" "-1" "-2" "9223372036855" "1"]`},
		{"times", func(c *redislua.Call) {
			c.Time("t", time.Unix(5, 999999999), time.Second)
			c.Time("t", time.UnixMilli(-1), time.Millisecond)
		}, `["5" "-1"]`},
		{"no time", func(c *redislua.Call) { c.Time("t", time.Time{}, time.Second) }, "calling Echo: argument t: a time is expected, got the zero time.Time"},
		{"JSON", func(c *redislua.Call) { c.JSON("j", map[string]int{"a": 1}); c.JSON("j", json.RawMessage(` [1]`)) }, `["{\"a\":1}" " [1]"]`},
		{"no JSON", func(c *redislua.Call) { c.JSON("j", json.RawMessage("secret")) }, "calling Echo: argument j: valid JSON is expected"},
		{"JSON of a channel", func(c *redislua.Call) { c.JSON("j", make(chan int)) }, "calling Echo: argument j: encoding it: json: unsupported type: chan int"},
		{"users' types", func(c *redislua.Call) {
			c.User("u", netip.MustParseAddr("10.0.0.1"))
			c.User("u", word("w"))
			c.User("u", small(-3))
		}, `["10.0.0.1" "w" "-3"]`},
		{"a struct", func(c *redislua.Call) { c.User("u", struct{}{}) }, "calling Echo: argument u: a string, an integer or an encoding.TextMarshaler is expected, got struct {}"},
		{"a nil pointer", func(c *redislua.Call) { c.User("u", nowhere) }, "calling Echo: argument u: a value is expected, got a nil pointer"},
		{"absent at the end", func(c *redislua.Call) { c.Int(1); c.Absent(); c.Absent() }, `["1"]`},
		{"absent in between", func(c *redislua.Call) { c.Absent(); c.Int(1); c.Absent(); c.Empty(); c.Absent() }, `["" "1" "" ""]`},
		{"different lengths", func(c *redislua.Call) { c.SameLength("ids", "scores", 2, 3) }, "calling Echo: argument scores: as many as ids are expected, 2, got 3"},
		{"too many keys", func(c *redislua.Call) { c.Key("k") }, "calling Echo: argument keys: 0 keys are expected, got 1"},
	} {
		call := echo.Call(0, 1)
		c.add(call)
		v, err := redislua.Run(ctx, caller, call, redislua.AsValue)
		got := v.String()
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}
