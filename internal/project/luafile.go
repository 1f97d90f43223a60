package project

// This file implements the text of a .lua file for a script that comes out of
// Go source.

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/luagen/luagen/internal/analysis"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/project/gosource"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
	"github.com/luagen/luagen/internal/types"
)

// luaFile makes the text of a script's file: its documentation with tags for
// what is certain, and its code. What the tags say is what would be inferred
// of the code in the file; where that cannot be, there are none.
func (p *Project) luaFile(s *Script, name string) string {
	prose := p.prose(s)
	tags := append(slotTags(s.Script), replyTags(s.Script)...)
	if !s.Writes && len(s.Go.Uses) > 0 && !slices.ContainsFunc(s.Go.Uses, func(u gosource.Use) bool { return !isReadonlyCall(u.Call) }) {
		tags = append(tags, "@readonly")
	}
	if script.Method(strings.TrimSuffix(path.Base(name), ".lua")) != s.Name {
		tags = append(tags, "@name "+s.Name)
	}
	code := dedented(trimmed(s.Source.Text))
	if !sameCode(s.Source.Text, code) {
		code = trimmed(s.Source.Text) // what looked like indentation is in a string
	}
	shebang := ""
	if s.Shebang {
		shebang, code, _ = strings.Cut(code, "\n")
		shebang += "\n"
	}
	for _, lines := range [][]string{joinParagraphs(prose, tags), joinParagraphs(prose, slotLines(s.Script)), prose} {
		header := comment(lines)
		if header != "" && strings.HasPrefix(strings.TrimSpace(code), "--") {
			header += "\n" // what the code begins with is no part of the last tag
		}
		text := shebang + header + code
		if p.sameSignature(s, name, text) {
			return text
		}
	}
	return shebang + code
}

// trimmed takes the blank lines from both ends of a text.
func trimmed(text string) string {
	text = strings.TrimRight(text, " \t\r\n") + "\n"
	for {
		line, rest, more := strings.Cut(text, "\n")
		if !more || strings.TrimSpace(line) != "" {
			return text
		}
		text = rest
	}
}

// dedented takes what the first line begins with from all lines, if they all
// have it.
func dedented(text string) string {
	first := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	var b strings.Builder
	for line := range strings.Lines(text) {
		short, ok := strings.CutPrefix(line, first)
		blank := strings.TrimSpace(line) == ""
		if !ok && !blank {
			return text
		}
		if blank {
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
	return types.Equal(model.Reply.Type, s.Reply.Type) && slices.Equal(model.Commands, s.Commands)
}

// sameCode tells whether two texts are one program.
func sameCode(a, b string) bool {
	first, diags := syntax.Parse(source.New("", a))
	second, more := syntax.Parse(source.New("", b))
	return !diag.HasErrors(diags) && !diag.HasErrors(more) && syntax.Print(first) == syntax.Print(second)
}
