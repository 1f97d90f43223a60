package script

// This file implements the Go types that tags name: import/path.Name.

import (
	"fmt"
	"go/token"
	"path"
	"slices"
	"strings"
)

// SplitGo splits a Go type as tags write it, import/path.Name, into the path
// of its package and its name. A predeclared type has no path.
func SplitGo(goType string) (importPath, name string) {
	dot := strings.LastIndexByte(goType, '.')
	if dot < 0 {
		return "", goType
	}
	return goType[:dot], goType[dot+1:]
}

// CheckGo returns an error unless goType can be named in generated code: an
// exported name behind an import path, or a predeclared type. Whether there is
// such a type only the Go compiler knows.
func CheckGo(goType string) error {
	importPath, name := SplitGo(goType)
	if importPath == "" {
		if !predeclaredType(name) {
			return fmt.Errorf("%q is no Go type: import/path.Name or a predeclared type is expected", goType)
		}
		return nil
	}
	switch {
	case !token.IsIdentifier(name) || !token.IsExported(name):
		return fmt.Errorf("%q is no exported Go name: import/path.Name is expected", name)
	case !isImportPath(importPath):
		return fmt.Errorf("%q is no import path: import/path.Name is expected", importPath)
	}
	return nil
}

// isImportPath reports whether generated code may import p: a path of the
// characters that the go command allows in one, neither relative nor absolute,
// and not the pseudo-package C.
func isImportPath(p string) bool {
	if p == "C" || path.Clean(p) != p || strings.HasPrefix(p, "/") || strings.HasPrefix(p, ".") || strings.HasPrefix(p, "-") {
		return false
	}
	return !strings.ContainsFunc(p, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-._~/+", r))
	})
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

// predeclaredType reports whether name is a predeclared type that holds data.
func predeclaredType(name string) bool {
	switch name {
	case "any", "bool", "byte", "float32", "float64", "int", "int8", "int16", "int32", "int64", "rune", "string",
		"uint", "uint8", "uint16", "uint32", "uint64":
		return true
	}
	return false
}
