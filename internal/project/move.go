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

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/project/gosource"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
	"github.com/luagen/luagen/internal/types"
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
	var b strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) && (!unicode.IsUpper(rune(name[i-1])) || i+1 < len(name) && unicode.IsLower(rune(name[i+1]))) && name[i-1] != '_' {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	if snake := b.String(); script.Method(snake) == name {
		return snake + ".lua"
	}
	return script.Param(name) + ".lua"
}

// luaFile makes the text of a script's file: its documentation with tags for
// what is certain, and its code. What the tags say is what would be inferred
// of the code in the file; where that cannot be, there are none.
func (p *Project) luaFile(s *Script, name string) string {
	code := luaCode(s.Source.Text)
	shebang := ""
	if s.Shebang {
		shebang, code, _ = strings.Cut(code, "\n")
		shebang += "\n"
	}
	prose := p.prose(s)
	tags := append(slotTags(s.Script), replyTags(s.Script)...)
	if !s.Writes && len(s.Go.Uses) > 0 && !slices.ContainsFunc(s.Go.Uses, func(u gosource.Use) bool { return !isReadonlyCall(u.Call) }) {
		tags = append(tags, "@readonly")
	}
	if script.Method(strings.TrimSuffix(path.Base(name), ".lua")) != s.Name {
		tags = append(tags, "@name "+s.Name)
	}
	for _, lines := range [][]string{joinParagraphs(prose, tags), joinParagraphs(prose, slotLines(s.Script)), prose} {
		header := comment(lines)
		if header != "" && strings.HasPrefix(strings.TrimLeft(code, " \t"), "--") {
			header += "\n" // what the code begins with is no part of the last tag
		}
		text := shebang + header + code
		if p.sameSignature(s, name, text) {
			return text
		}
	}
	return shebang + code
}

// luaCode takes the blank lines from both ends of a text, and what indents all
// lines of it, unless that could be part of a string.
func luaCode(text string) string {
	text = strings.TrimRight(text, " \t\r\n") + "\n"
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || strings.TrimSpace(line) != "" {
			break
		}
		text = rest
	}
	if strings.Contains(text, "[[") || strings.Contains(text, "[=") || strings.Contains(text, "\\\n") {
		return text
	}
	first := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	var b strings.Builder
	for line := range strings.Lines(text) {
		short, ok := strings.CutPrefix(line, first)
		if !ok && strings.TrimSpace(line) != "" {
			return text
		}
		if strings.TrimSpace(line) == "" {
			short = "\n"
		}
		b.WriteString(short)
	}
	return b.String()
}

// prose returns the lines of a script's Go documentation that are about none
// of its slots, with its new name for the old one.
func (p *Project) prose(s *Script) []string {
	if s.Go.Doc == "" {
		return nil
	}
	model, _ := analysis.Analyze(source.New("doc.lua", ""), analysis.Options{Target: p.Target, Doc: s.Go.Doc})
	if model == nil || model.Doc == "" {
		return nil
	}
	text := model.Doc
	if rest, ok := strings.CutPrefix(text, s.Go.Ident+" "); ok {
		text = s.Name + " " + rest
	}
	var lines []string
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, " \t\n")
		if strings.Trim(line, "-= ") == "" {
			line = "" // a rule between parts
		}
		if line != "" || len(lines) > 0 && lines[len(lines)-1] != "" {
			lines = append(lines, line)
		}
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// slotTags returns the tags of keys and arguments: of all keys or of none, and
// so of arguments, as tags count from the first.
func slotTags(s *script.Script) []string {
	var keys, args []string
	sureKeys, sureArgs := true, true
	for _, k := range s.Keys {
		sureKeys = sureKeys && k.From != script.FromPosition
		keys = append(keys, tagLine("@key", k.Name+more(k.Variadic), k.Doc))
	}
	for _, a := range s.Args {
		sureArgs = sureArgs && a.From != script.FromPosition && a.TypeFrom != script.TypeDefault
		typ := a.Type.String()
		if a.Optional {
			typ += "?"
		}
		args = append(args, tagLine("@arg", a.Name, typ+more(a.Variadic), a.Doc))
	}
	lines := slotLines(s)
	if sureKeys {
		lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "KEYS") })
	} else {
		keys = nil
	}
	if sureArgs {
		lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, "ARGV") })
	} else {
		args = nil
	}
	return slices.Concat(lines, keys, args)
}

// slotLines returns lines for the slots that are documented.
func slotLines(s *script.Script) []string {
	var lines []string
	for i, k := range s.Keys {
		if k.Doc != "" && !k.Variadic {
			lines = append(lines, fmt.Sprintf("KEYS[%d] -> %s", i+1, oneLine(k.Doc)))
		}
	}
	for i, a := range s.Args {
		if a.Doc != "" && !a.Variadic {
			lines = append(lines, fmt.Sprintf("ARGV[%d] -> %s", i+1, oneLine(a.Doc)))
		}
	}
	return lines
}

// replyTags returns the tag of a reply that is certain, and those of errors
// that Go code asked for.
func replyTags(s *script.Script) []string {
	var lines []string
	vague := false
	types.Walk(s.Reply.Type, func(t types.Type) {
		_, union := t.(*types.Union)
		vague = vague || union || t == types.Any
	})
	if s.Reply.From != script.TypeDefault && !vague {
		lines = append(lines, tagLine("@return", s.Reply.Type.String(), s.Reply.Doc))
	}
	for _, e := range s.Errors {
		if e.Tag {
			lines = append(lines, tagLine("@error", e.Code, e.Doc))
		}
	}
	if s.Readonly {
		lines = append(lines, "@readonly")
	}
	if s.Idempotent {
		lines = append(lines, "@idempotent")
	}
	return lines
}

func more(variadic bool) string {
	if variadic {
		return "..."
	}
	return ""
}

func tagLine(parts ...string) string {
	return strings.TrimSpace(oneLine(strings.Join(parts, " ")))
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

// joinParagraphs puts a blank line between two lists that are not empty.
func joinParagraphs(a, b []string) []string {
	if len(a) == 0 || len(b) == 0 {
		return append(slices.Clone(a), b...)
	}
	return slices.Concat(a, []string{""}, b)
}

// comment makes a Lua comment of lines.
func comment(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight("-- "+line, " ") + "\n")
	}
	return b.String()
}

// isReadonlyCall tells whether a client's call runs a script as read-only.
func isReadonlyCall(name string) bool {
	return strings.HasSuffix(name, "EvalRO") || strings.HasPrefix(name, "EvalRo") || strings.Contains(name, "LuaScriptReadOnly")
}

// sameSignature tells whether a text says of a script what is known of it, and
// is quiet where that was.
func (p *Project) sameSignature(s *Script, name, text string) bool {
	model, diags := analysis.Analyze(source.New(name, text), analysis.Options{Target: p.Target})
	_, before := analysis.Analyze(s.Source, analysis.Options{Target: p.Target, Doc: s.Go.Doc, Name: s.Name})
	if model == nil || len(diags) > len(before) || len(model.Keys) != len(s.Keys) || len(model.Args) != len(s.Args) {
		return false
	}
	for i, k := range s.Keys {
		if model.Keys[i].Name != k.Name || model.Keys[i].Variadic != k.Variadic {
			return false
		}
	}
	for i, a := range s.Args {
		b := model.Args[i]
		if b.Name != a.Name || !types.Equal(b.Type, a.Type) || b.Optional != a.Optional || b.Variadic != a.Variadic || b.Parallel != a.Parallel {
			return false
		}
	}
	return types.Equal(model.Reply.Type, s.Reply.Type) && slices.Equal(model.Commands, s.Commands) && sameCode(s.Source.Text, text)
}

// sameCode tells whether two texts are one program.
func sameCode(a, b string) bool {
	first, diags := syntax.Parse(source.New("", a))
	second, more := syntax.Parse(source.New("", b))
	return !diag.HasErrors(diags) && !diag.HasErrors(more) && syntax.Print(first) == syntax.Print(second)
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
