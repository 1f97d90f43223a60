// This file implements Script, what the generator knows of a script when it
// writes the wrapper.

package redislua

// Script is a script as luagen read it at build time. Generated code declares
// one variable for each script; nobody writes to it.
type Script struct {
	Name   string // Go name: "Acquire"
	File   string // path of the file as the generator was given it: "lua/acquire.lua"
	Source string // exactly the bytes that SHA1 is the digest of
	SHA1   string // 40 lower-case hexadecimal digits, computed at build time

	Keys         int  // number of KEYS, the least number when VariadicKeys
	VariadicKeys bool // the last key may repeat

	Flags      []string // flags of the script's own #!lua line
	ReadOnly   bool     // calls no command that writes: EVALSHA_RO, may run on a replica, may be sent again
	Idempotent bool     // running it twice is as good as once: may be sent again

	// Lines maps lines of Source to the files that the author wrote. It is
	// empty when Source is one file, and then line n of Source is line n of
	// File.
	Lines []LineOrigin
}

// LineOrigin says that Source from Line on comes from File, beginning with
// its line At, up to the next LineOrigin. Lines count from 1 and a Script's
// LineOrigins are in ascending order of Line.
type LineOrigin struct {
	Line int
	File string
	At   int
}

// origin returns the file and line that the author wrote for a line of Source.
func (s *Script) origin(line int) (file string, at int) {
	file, at = s.File, line
	for _, o := range s.Lines {
		if o.Line > line {
			break
		}
		file, at = o.File, o.At+line-o.Line
	}
	return file, at
}

// mayRepeat reports whether the script may be sent again when it is not known
// whether the first one was run.
func (s *Script) mayRepeat() bool { return s.ReadOnly || s.Idempotent }
