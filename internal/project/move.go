package project

// This file implements moving scripts out of Go source: the .lua files that
// they become, and what is then left to do in the Go code.

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/luagen/luagen/internal/project/gosource"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
)

// Move is one script on its way out of Go source.
type Move struct {
	Script *Script
	Name   string // the file that it is to be in, as messages name it
	Text   string // of that file
	State  MoveState
	Call   string // of the wrapper that its file will have
	Steps  []Step // what is left to do in Go code, by place
}

// MoveState says what is at the place that a script is to be moved to.
type MoveState uint8

// The states of moves.
const (
	MoveNew      MoveState = iota // nothing: the file is to be written
	MoveDone                      // the same text
	MoveTaken                     // another text, which stays
	MoveEmbedded                  // go:embed reads the script from its own file, which stays
)

// Step is something to do by hand in Go code.
type Step struct {
	Place source.Position
	What  string // the code that is there
	Do    string // what to do with it
}

// Moves plans the moves of a set's scripts into the folder out, which is
// relative to the working directory. It writes nothing.
func (p *Project) Moves(found *gosource.Found, set *Set, out string) ([]*Move, error) {
	var moves []*Move
	for _, pkg := range set.Packages {
		for _, s := range pkg.Scripts {
			moves = append(moves, &Move{Script: s})
		}
	}
	slices.SortStableFunc(moves, func(a, b *Move) int { return cmp.Compare(a.Script.File, b.Script.File) })
	named := make(map[string]*Move)
	var planned []*Move
	for _, m := range moves {
		var same *Move
		if m.Script.Go.Embedded {
			m.Name, m.State = m.Script.Source.Name, MoveEmbedded
		} else {
			var err error
			if same, err = m.plan(p, out, named); err != nil {
				return nil, err
			}
		}
		m.Call = p.wrapperCall(m.Script.Script)
		m.Steps = m.steps(found)
		if same != nil {
			same.Steps = append(same.Steps, m.Steps...)
		} else {
			planned = append(planned, m)
		}
	}
	return planned, nil
}

// plan finds the name and the text of a script's file, or the move before it
// whose file is the same.
func (m *Move) plan(p *Project, out string, named map[string]*Move) (same *Move, err error) {
	name := m.Script.Name
	for n := 1; ; n++ {
		file := fileName(name)
		first, taken := named[file]
		if !taken {
			m.Script.Name, m.Name = name, path.Join(filepath.ToSlash(out), file)
			named[file] = m
			break
		}
		if first.Script.SHA1 == m.Script.SHA1 && first.Script.Go.Doc == m.Script.Go.Doc {
			m.Script.Name = name
			return first, nil
		}
		// The folder tells two of one name apart; a number does if it cannot.
		name = script.Exported(path.Base(path.Dir(m.Script.File)) + "_" + m.Script.Name)
		if n > 1 {
			name = script.Numbered(name, n)
		}
	}
	m.Text = p.luaFile(m.Script, m.Name)
	data, err := os.ReadFile(filepath.FromSlash(m.Name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("reading %s: %w", m.Name, cause(err))
	case string(data) == m.Text:
		m.State = MoveDone
	default:
		m.State = MoveTaken
	}
	return nil, nil
}

// Write writes the file of a new move. It never replaces one.
func (m *Move) Write() error {
	name := filepath.FromSlash(m.Name)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return fmt.Errorf("making the folder of %s: %w", m.Name, cause(err))
	}
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err == nil {
		_, err = file.WriteString(m.Text)
		if closed := file.Close(); err == nil {
			err = closed
		}
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", m.Name, cause(err))
	}
	return nil
}

// fileName returns the name of a file that gives a script its Go name:
// move_to_active.lua for MoveToActive.
func fileName(name string) string {
	runes := []rune(name)
	upper := func(i int) bool { return i < len(runes) && unicode.IsUpper(runes[i]) }
	lower := func(i int) bool { return i < len(runes) && unicode.IsLower(runes[i]) }
	var b strings.Builder
	for i, r := range runes {
		plural := i+1 < len(runes) && runes[i+1] == 's' && !lower(i+2) // the one of IDs
		if i > 0 && upper(i) && runes[i-1] != '_' && (!upper(i-1) || lower(i+1) && !plural) {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	if snake := b.String(); script.Method(snake) == name {
		return snake + ".lua"
	}
	return script.Param(name) + ".lua"
}

// wrapperCall returns the call that Go code will make.
func (p *Project) wrapperCall(s *script.Script) string {
	var names []string
	for _, k := range s.Keys {
		names = append(names, k.Name)
	}
	for _, a := range s.Args {
		names = append(names, a.Name)
	}
	if len(names) > p.ParameterLimit {
		for i, name := range names {
			names[i] = script.Field(name) + ": …"
		}
		return fmt.Sprintf("s.%s(ctx, %s.%sParams{%s})", s.Name, defaultOut, s.Name, strings.Join(names, ", "))
	}
	last := len(names) - 1
	if last >= 0 && (len(s.Args) > 0 && s.Args[len(s.Args)-1].Variadic || len(s.Args) == 0 && s.Keys[last].Variadic) {
		names[last] += "..."
	}
	return fmt.Sprintf("s.%s(%s)", s.Name, strings.Join(append([]string{"ctx"}, names...), ", "))
}

// steps lists what is left to do with a script in Go code.
func (m *Move) steps(found *gosource.Found) []Step {
	var steps []Step
	s := m.Script.Go
	for _, use := range found.References(s) {
		step := Step{Place: use.File.Position(use.Span.Start), What: use.Call, Do: "replace it with " + m.Call}
		switch method := use.Call[strings.LastIndexByte(use.Call, '.')+1:]; {
		case method == "Load", method == "Exists", method == "Hash", method == "ScriptLoad", method == "ScriptExists":
			step.Do = "drop it, as the wrapper loads its script"
		}
		steps = append(steps, step)
	}
	if file, span, ok := s.Definition(); ok {
		steps = append(steps, Step{file.Position(span.Start), file.Slice(span), "delete it when nothing uses it any more"})
	} else if len(steps) == 0 {
		steps = append(steps, Step{m.Script.Source.Position(0), "the text", "call " + m.Call + " where it is used"})
	}
	return steps
}
