package cli

// This file implements luagen list: the registry, for people and for programs.

import (
	"encoding/json"
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/project"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
)

func (a *app) listCommand() *cobra.Command {
	format := oneOf{value: "table", choices: []string{"table", "json"}}
	command := &cobra.Command{
		Use:   "list [path...] [--format table|json]",
		Short: "Show what is known of each script",
		Long: `List shows the registry: for each script its Go name, its digest, its keys and
arguments, its reply, the commands it calls, and where each name and type came
from. A name comes from a tag, the code, a comment, the command it goes to, or
its position; a type from a tag, inference, or a default.

A path is a project, a folder of scripts, one script, or Go source: a package, a
folder with /... behind it, or a .go file. A script in Go source is named after
what holds it there, and the comment above that is its documentation.`,
		Example: `  luagen list
  luagen list lua/acquire.lua
  luagen list ./...
  luagen list --format json | jq '.scripts[].sha1'`,
		ValidArgsFunction: completePaths,
		RunE: func(_ *cobra.Command, paths []string) error {
			return a.list(paths, format.value)
		},
	}
	format.register(command, "format", "how to print it")
	return command
}

// list prints the scripts of paths. Scripts with errors are left out, and told.
func (a *app) list(paths []string, format string) error {
	projects, err := a.open(paths)
	if err != nil {
		return err
	}
	var scripts []*project.Script
	var diags []diag.Diagnostic
	for _, p := range projects {
		set, err := p.Load()
		if err != nil {
			return err
		}
		diags = append(diags, set.Diagnostics...)
		scripts = append(scripts, set.Scripts()...)
	}
	told := a.report(diags)
	if format == "json" {
		err = a.listJSON(scripts)
	} else {
		a.listTable(scripts)
	}
	if err != nil {
		return err
	}
	return told
}

// The shapes of list --format json, which other programs read.
type (
	scriptJSON struct {
		Name       string        `json:"name"`
		File       string        `json:"file"`
		SHA1       string        `json:"sha1"`
		Doc        string        `json:"doc"`
		Readonly   bool          `json:"readonly"`
		Idempotent bool          `json:"idempotent"`
		Keys       []keyJSON     `json:"keys"`
		Args       []argJSON     `json:"args"`
		Reply      replyJSON     `json:"reply"`
		Commands   []string      `json:"commands"`
		Writes     bool          `json:"writes"`
		Errors     []string      `json:"errors"`
		Unknown    []unknownJSON `json:"unknown,omitempty"`
	}
	keyJSON struct {
		Name     string      `json:"name"`
		From     script.From `json:"from"`
		Variadic bool        `json:"variadic"`
	}
	argJSON struct {
		Name     string          `json:"name"`
		Type     string          `json:"type"`
		From     script.From     `json:"from"`
		TypeFrom script.TypeFrom `json:"typeFrom"`
		Optional bool            `json:"optional"`
		Variadic bool            `json:"variadic"`
	}
	replyJSON struct {
		Type string          `json:"type"`
		From script.TypeFrom `json:"from"`
	}
	unknownJSON struct {
		What   string `json:"what"`
		File   string `json:"file"`
		Line   int    `json:"line"`
		Reason string `json:"reason"`
	}
)

// listJSON prints scripts as one JSON document.
func (a *app) listJSON(scripts []*project.Script) error {
	list := make([]scriptJSON, len(scripts))
	for i, s := range scripts {
		list[i] = asJSON(s)
	}
	encoder := json.NewEncoder(a.stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(map[string]any{"scripts": list})
}

// asJSON makes the JSON shape of a script. Lists are never null in it.
func asJSON(s *project.Script) scriptJSON {
	out := scriptJSON{
		Name: s.Name, File: s.Source.Name, SHA1: s.SHA1, Doc: s.Doc,
		Readonly: s.Readonly, Idempotent: s.Idempotent,
		Keys:     make([]keyJSON, 0, len(s.Keys)),
		Args:     make([]argJSON, 0, len(s.Args)),
		Reply:    replyJSON{Type: s.Reply.Type.String(), From: s.Reply.From},
		Commands: append([]string{}, s.Commands...),
		Writes:   s.Writes,
		Errors:   make([]string, 0, len(s.Errors)),
	}
	for _, key := range s.Keys {
		out.Keys = append(out.Keys, keyJSON{key.Name, key.From, key.Variadic})
	}
	for _, arg := range s.Args {
		out.Args = append(out.Args, argJSON{arg.Name, arg.Type.String(), arg.From, arg.TypeFrom, arg.Optional, arg.Variadic})
	}
	for _, code := range s.Errors {
		out.Errors = append(out.Errors, code.Code)
	}
	for _, u := range s.Unknown {
		out.Unknown = append(out.Unknown, unknownJSON{u.What, u.Position.Filename, u.Position.Line, u.Reason})
	}
	return out
}

// listTable prints scripts for people: a heading for each, and a line for each
// slot.
func (a *app) listTable(scripts []*project.Script) {
	w := tabwriter.NewWriter(a.stdout, 0, 0, 2, ' ', 0)
	defer w.Flush()
	for i, s := range scripts {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s  %s  %s%s\n", s.Name, s.Source.Name, s.SHA1, traits(s.Script))
		for n, key := range s.Keys {
			fmt.Fprintf(w, "  %s\t%s\t\t%s\n", slot("KEYS", n+1, key.Variadic), key.Name, origin(key.From, ""))
		}
		for n, arg := range s.Args {
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", slot("ARGV", n+1, arg.Variadic), arg.Name, argType(arg), origin(arg.From, arg.TypeFrom))
		}
		fmt.Fprintf(w, "  reply\t%s  %s\n", s.Reply.Type, origin("", s.Reply.From))
		if len(s.Commands) > 0 {
			fmt.Fprintf(w, "  calls\t%s\n", strings.Join(s.Commands, " "))
		}
		for _, code := range s.Errors {
			fmt.Fprintf(w, "  error\t%s\n", code.Code)
		}
		for _, u := range s.Unknown {
			fmt.Fprintf(w, "  unknown\t%s: %s (%s)\n", u.What, u.Reason, place(u.Position))
		}
	}
}

// traits lists what a caller wants to know of a script at once.
func traits(s *script.Script) string {
	var words []string
	if s.Readonly {
		words = append(words, "readonly")
	}
	if s.Idempotent {
		words = append(words, "idempotent")
	}
	if s.Writes {
		words = append(words, "writes")
	}
	if len(words) == 0 {
		return ""
	}
	return "  " + strings.Join(words, ", ")
}

// slot is KEYS[1], or KEYS[1..] when it is the rest of KEYS.
func slot(table string, n int, variadic bool) string {
	if variadic {
		return fmt.Sprintf("%s[%d..]", table, n)
	}
	return fmt.Sprintf("%s[%d]", table, n)
}

// argType is an argument's type as a tag would have it.
func argType(arg script.Arg) string {
	text := arg.Type.String()
	if arg.Optional {
		text += "?"
	}
	if arg.Variadic {
		text += "..."
	}
	return text
}

// origin says where a name and a type came from.
func origin(name script.From, typ script.TypeFrom) string {
	switch {
	case typ == "":
		return "name: " + string(name)
	case name == "":
		return "type: " + string(typ)
	case string(name) == string(typ):
		return "name and type: " + string(name)
	}
	return fmt.Sprintf("name: %s, type: %s", name, typ)
}

// place is a file and a line.
func place(p source.Position) string { return fmt.Sprintf("%s:%d", p.Filename, p.Line) }
