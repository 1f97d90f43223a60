package project

// This file implements the names that folders of scripts get in Go.

import (
	"go/token"
	"path"
	"strings"
)

// PackageName makes a Go package name from a folder's: letters and digits, in
// lower case, and no keyword.
func PackageName(folder string) string {
	name := strings.Map(func(c rune) rune {
		switch {
		case 'A' <= c && c <= 'Z':
			return c + 'a' - 'A'
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			return c
		}
		return -1
	}, folder)
	switch {
	case name == "":
		return "scripts"
	case '0' <= name[0] && name[0] <= '9':
		return "p" + name
	case !validPackage(name):
		return name + "scripts"
	}
	return name
}

// validPackage tells whether a package of that name can be imported.
func validPackage(name string) bool {
	return token.IsIdentifier(name) && name != "_" && name != "main"
}

// mirror makes the folder of a Go package from a folder of scripts, both
// relative with slashes. Names that the go command refuses or treats as
// special are changed.
func mirror(folder string) string {
	if folder == "" {
		return ""
	}
	elements := strings.Split(folder, "/")
	for i, element := range elements {
		if element == "." {
			continue
		}
		element = strings.Map(func(c rune) rune {
			switch {
			case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9',
				c == '-', c == '_', c == '.', c == '+':
				return c
			}
			return -1
		}, element)
		element = strings.TrimRight(strings.TrimLeft(element, "._"), ".")
		switch element {
		case "", "internal", "vendor", "testdata":
			element += "scripts"
		}
		elements[i] = element
	}
	return path.Join(elements...)
}
