package script

// This file implements the Go types that tags name: import/path.Name.

import (
	"go/token"
	"path"
	"slices"
	"strings"
)

// SplitGo splits a Go type as tags write it, import/path.Name, into the path
// of its package and its name. types.IsGoType says what is one.
func SplitGo(goType string) (importPath, name string) {
	dot := strings.LastIndexByte(goType, '.')
	return goType[:dot], goType[dot+1:]
}

// PackageName returns the name by which generated code imports a package of
// the user's own: the last element of its path that is no version.
func PackageName(importPath string) string {
	base := path.Base(importPath)
	if isVersion(base) {
		base = path.Base(path.Dir(importPath))
	}
	base, _, _ = strings.Cut(strings.TrimPrefix(base, "go-"), ".")
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(base))
	name = strings.TrimLeft(name, "0123456789")
	if name == "" || token.IsKeyword(name) || predeclared(name) || slices.Contains(generated, name) {
		name += "pkg"
	}
	return name
}

func isVersion(element string) bool {
	digits := strings.TrimPrefix(element, "v")
	return digits != element && digits != "" && strings.Trim(digits, "0123456789") == ""
}
