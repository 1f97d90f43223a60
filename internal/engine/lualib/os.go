// This file implements the os library, of which scripts have the clock alone.
package lualib

import (
	"time"

	lua "github.com/yuin/gopher-lua"
)

// OS is the os library of the versions that have one: clock, the seconds of processor time that the server took. Here
// they are those since the state was made, or what Options.Clock says.
func (libs *Libraries) OS() *lua.LTable {
	clock := libs.clock
	if clock == nil {
		start := time.Now()
		clock = func() time.Duration { return time.Since(start) }
	}
	return libs.table(module{
		{"clock", func(L *lua.LState) int {
			L.Push(lua.LNumber(clock().Seconds()))
			return 1
		}},
	})
}
