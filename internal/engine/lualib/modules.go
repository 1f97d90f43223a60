// This file implements the list of libraries.
package lualib

import (
	lua "github.com/yuin/gopher-lua"
)

// Modules is every library that is a table, by the name of its global.
func (libs *Libraries) Modules() map[string]*lua.LTable {
	return map[string]*lua.LTable{
		"string":   libs.String(),
		"table":    libs.Table(),
		"math":     libs.Math(),
		"bit":      libs.Bit(),
		"struct":   libs.Struct(),
		"cjson":    libs.JSON(),
		"cmsgpack": libs.MessagePack(),
		"os":       libs.OS(),
	}
}
