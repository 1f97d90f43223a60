// This file implements the cjson library: its settings. Encoding and decoding are in files of their own.
package lualib

import (
	"fmt"
	"math"

	lua "github.com/yuin/gopher-lua"
)

// What encode and decode do with numbers that JSON has no text for.
const (
	invalidRefused = iota
	invalidAccepted
	invalidNull
)

// jsonConfig is what the configuration functions set.
type jsonConfig struct {
	sparseConvert  int // whether a sparse array becomes an object rather than an error
	sparseRatio    int
	sparseSafe     int
	encodeMaxDepth int
	decodeMaxDepth int
	precision      int
	keepBuffer     int // no more than remembered
	encodeInvalid  int
	decodeInvalid  int
}

// defaultJSONConfig is how Redis starts.
func defaultJSONConfig() jsonConfig {
	return jsonConfig{
		sparseRatio: 2, sparseSafe: 10,
		encodeMaxDepth: 1000, decodeMaxDepth: 1000,
		precision: 14, keepBuffer: 1,
		encodeInvalid: invalidRefused, decodeInvalid: invalidAccepted,
	}
}

// JSON is the cjson library, with the settings that the interpreter's scripts share.
func (libs *Libraries) JSON() *lua.LTable {
	return libs.newJSON(&libs.shared.json)
}

// newJSON is the library with settings of its own, as cjson.new makes it.
func (libs *Libraries) newJSON(c *jsonConfig) *lua.LTable {
	tb := libs.table(module{
		{"encode", func(L *lua.LState) int { return libs.jsonEncode(L, c) }},
		{"decode", func(L *lua.LState) int { return libs.jsonDecode(L, c) }},
		{"encode_sparse_array", c.setSparse},
		{"encode_max_depth", integerSetting(&c.encodeMaxDepth, 1, math.MaxInt32)},
		{"decode_max_depth", integerSetting(&c.decodeMaxDepth, 1, math.MaxInt32)},
		{"encode_number_precision", integerSetting(&c.precision, 1, 14)},
		{"encode_keep_buffer", optionSetting(&c.keepBuffer, "off", "on")},
		{"encode_invalid_numbers", optionSetting(&c.encodeInvalid, "off", "on", "null")},
		{"decode_invalid_numbers", optionSetting(&c.decodeInvalid, "off", "on")},
		{"new", func(L *lua.LState) int {
			own := defaultJSONConfig()
			L.Push(libs.newJSON(&own))
			return 1
		}},
	})
	libs.Set(tb, lua.LString("null"), libs.null)
	libs.Set(tb, lua.LString("_NAME"), lua.LString("cjson"))
	libs.Set(tb, lua.LString("_VERSION"), lua.LString("2.1.0"))
	return tb
}

// atMost checks that there are no more arguments, and makes those that are missing nil.
func atMost(L *lua.LState, n int) {
	if L.GetTop() > n {
		argError(L, n+1, "found too many arguments")
	}
	for L.GetTop() < n {
		L.Push(lua.LNil)
	}
}

func integerSetting(setting *int, least, most int64) lua.LGFunction {
	return func(L *lua.LState) int {
		atMost(L, 1)
		return setInteger(L, 1, setting, least, most)
	}
}

// setInteger sets from an argument unless it is nil, and pushes the setting.
func setInteger(L *lua.LState, n int, setting *int, least, most int64) int {
	if L.Get(n) != lua.LNil {
		value := int64(checkInt(L, n))
		if value < least || value > most {
			argError(L, 1, fmt.Sprintf("expected integer between %d and %d", least, most))
		}
		*setting = int(value)
	}
	L.Push(lua.LNumber(*setting))
	return 1
}

func optionSetting(setting *int, options ...string) lua.LGFunction {
	return func(L *lua.LState) int {
		atMost(L, 1)
		return setOption(L, 1, setting, options)
	}
}

// setOption sets from a boolean or a name unless the argument is nil, and pushes the setting: the first two as booleans.
func setOption(L *lua.LState, n int, setting *int, options []string) int {
	switch v := L.Get(n).(type) {
	case *lua.LNilType:
	case lua.LBool:
		*setting = 0
		if v {
			*setting = 1
		}
	default:
		*setting = checkOption(L, n, options)
	}
	if *setting <= 1 {
		L.Push(lua.LBool(*setting == 1))
	} else {
		L.Push(lua.LString(options[*setting]))
	}
	return 1
}

// checkOption is the index of a name among the options.
func checkOption(L *lua.LState, n int, options []string) int {
	name := cString(checkString(L, n))
	for i, option := range options {
		if name == option {
			return i
		}
	}
	argError(L, n, "invalid option '"+name+"'")
	return 0
}

func (c *jsonConfig) setSparse(L *lua.LState) int {
	atMost(L, 3)
	setOption(L, 1, &c.sparseConvert, []string{"off", "on"})
	setInteger(L, 2, &c.sparseRatio, 0, math.MaxInt32)
	setInteger(L, 3, &c.sparseSafe, 0, math.MaxInt32)
	return 3
}
