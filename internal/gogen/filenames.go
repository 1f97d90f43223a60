package gogen

// This file implements the names of generated files.

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/luagen/luagen/internal/script"
)

// sharedFile holds what the scripts of a package share.
const sharedFile = "scripts.go"

// platforms are the words that make the go command skip a file on other
// systems when they stand behind the last underscore of its name. It is the
// list of internal/syslist, which never loses an entry.
var platforms = strings.Fields(`
	aix android darwin dragonfly freebsd hurd illumos ios js linux nacl netbsd openbsd plan9 solaris wasip1 windows zos
	386 amd64 amd64p32 arm armbe arm64 arm64be loong64 mips mipsle mips64 mips64le mips64p32 mips64p32le
	ppc ppc64 ppc64le riscv riscv64 s390 s390x sparc sparc64 wasm`)

// devices are the names that Windows keeps for itself, whatever their
// extension. The go command refuses modules that contain them.
var devices = strings.Fields(`con prn aux nul
	com1 com2 com3 com4 com5 com6 com7 com8 com9 lpt1 lpt2 lpt3 lpt4 lpt5 lpt6 lpt7 lpt8 lpt9`)

// fileNames gives out file names that differ on systems that ignore case too.
type fileNames map[string]bool

func newFileNames() fileNames { return fileNames{sharedFile: true} }

// name returns the file for a script: that of its Lua file, with _lua behind
// it where the go command or a file system reads something else into it.
func (f fileNames) name(s *script.Script) string {
	base := fileBase(s)
	name := base
	for n := 1; f.taken(name) || special(name); n++ {
		name = base + "_lua"
		if n > 1 {
			name = script.Numbered(name, n)
		}
	}
	f[strings.ToLower(name)+".go"] = true
	return name + ".go"
}

func (f fileNames) taken(name string) bool { return f[strings.ToLower(name)+".go"] }

// fileBase returns the name of a script's file without its extension, letters,
// digits, hyphens and underscores only. The go command ignores files that
// begin with an underscore or a dot.
func fileBase(s *script.Script) string {
	base := strings.TrimSuffix(path.Base(s.File), ".lua")
	base = strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar {
			return -1
		}
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' {
			return r
		}
		return '_'
	}, base)
	base = strings.TrimLeft(base, "_-")
	if base == "" || !strings.ContainsFunc(base, isAlphanumeric) {
		return strings.ToLower(s.Name)
	}
	return base
}

func isAlphanumeric(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// special reports whether the go command or Windows gives the name a meaning.
func special(name string) bool {
	lower := strings.ToLower(name)
	if slices.Contains(devices, lower) {
		return true
	}
	under := strings.LastIndexByte(lower, '_')
	if under < 0 {
		return false
	}
	last := lower[under+1:]
	return last == "test" || slices.Contains(platforms, last)
}
