// Package analysis reads what a script says of itself, in tags, comments and
// code, into a script.Script. It runs the script on abstract values: what a
// careful reader would write down about names, types and effects, and never
// more than that.
package analysis

import (
	"crypto/sha1"
	"encoding/hex"
	"path"
	"sort"
	"strings"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
	"github.com/luagen/luagen/internal/types"
)

// Options say what a script is read for.
type Options struct {
	Target command.Target // the zero value is command.Default
	Doc    string         // documentation that stands elsewhere: the Go comment above a literal
	Name   string         // the Go name; without it, the file's name gives it
}

// Analyze parses one script and fills its model. The script is nil when there
// are errors; warnings come with a script. The names of keys and arguments are
// final.
func Analyze(file *source.File, o Options) (*script.Script, []diag.Diagnostic) {
	chunk, diags := syntax.Parse(file)
	if diag.HasErrors(diags) {
		return nil, diags
	}
	if o.Target == (command.Target{}) {
		o.Target = command.Default
	}
	a := &analyzer{file: file, chunk: chunk, options: o, diags: diags}
	s := a.script()
	if diag.HasErrors(a.diags) {
		return nil, a.diags
	}
	return s, a.diags
}

type analyzer struct {
	file    *source.File
	chunk   *syntax.Chunk
	options Options
	diags   []diag.Diagnostic

	in   *interp
	view *view // nil when no rules ask
	tags *tags
	doc  *doc
}

func (a *analyzer) script() *script.Script {
	lines := headerLines(a.chunk)
	if a.options.Doc != "" {
		lines = append(textLines(a.options.Doc), lines...)
	}
	var prose []docLine
	a.tags, prose = readTags(a.file, lines)
	a.diags = append(a.diags, a.tags.diags...)
	a.doc = readDoc(prose)

	a.in = newInterp(a.chunk, a.options.Target)
	a.in.view = a.view
	a.in.run()

	digest := sha1.Sum([]byte(a.file.Text))
	s := &script.Script{
		Name:       a.name(),
		File:       a.file.Name,
		Source:     a.file.Text,
		SHA1:       hex.EncodeToString(digest[:]),
		Doc:        a.doc.docText(),
		Readonly:   a.tags.readonly != nil,
		Idempotent: a.tags.idempotent,
		Commands:   a.in.did.sorted(),
		Writes:     a.in.did.writes,
	}
	if a.chunk.Shebang != nil {
		s.Shebang, s.Flags = true, a.chunk.Shebang.Flags
	}
	a.slots(s)
	a.reply(s)
	a.errors(s)
	a.goTypes(s)
	a.checkReadonly()
	s.NameSlots()
	return s
}

// textLines makes lines of a text that stands in no Lua comment.
func textLines(text string) []docLine {
	var lines []docLine
	for _, l := range strings.Split(text, "\n") {
		lines = append(lines, docLine{text: l, block: -1})
	}
	return lines
}

func (a *analyzer) name() string {
	switch {
	case a.tags.name != "":
		return script.Exported(a.tags.name)
	case a.options.Name != "":
		return a.options.Name
	}
	base := path.Base(strings.ReplaceAll(a.file.Name, "\\", "/"))
	name := script.Method(strings.TrimSuffix(base, ".lua"))
	if name == "" {
		a.report(diag.Error, diag.RuleName, source.Span{}, "the file name "+base+" gives no Go name, expected a letter or digit in it",
			"rename the file, or name the script with @name")
	}
	return name
}

func (a *analyzer) report(sev diag.Severity, rule string, span source.Span, message, help string) {
	a.diags = append(a.diags, diag.Diagnostic{Rule: rule, Severity: sev, File: a.file, Span: span, Message: message, Help: help})
}

// slots fills keys and arguments, from tags where there are some.
func (a *analyzer) slots(s *script.Script) {
	keys := collect(a.in.facts, false)
	args := collect(a.in.facts, true)
	keySlots := keys.slots(a.doc.keys, a.doc.keysRest, a.doc.more[0])
	argSlots := args.slots(a.doc.args, a.doc.argsRest, a.doc.more[1])
	if a.in.gaveUp != "" {
		for i := range argSlots {
			argSlots[i].typ, argSlots[i].inferred = types.String, false
		}
	}
	keySlots = a.withTags(keySlots, a.tags.keys, "KEYS", "@key")
	a.checkTypes(argSlots)
	argSlots = a.withTags(argSlots, a.tags.args, "ARGV", "@arg")
	for _, k := range keySlots {
		s.Keys = append(s.Keys, script.Key{Name: k.name, Doc: k.doc, From: k.from, Variadic: k.variadic})
	}
	tagged := len(a.tags.args)
	for i, g := range argSlots {
		from := script.TypeDefault
		switch {
		case i < tagged:
			from = script.TypeTag
		case g.inferred:
			from = script.TypeInferred
		}
		parallel := g.parallel && g.variadic && len(s.Keys) > 0 && s.Keys[len(s.Keys)-1].Variadic && len(s.Keys) == 1
		s.Args = append(s.Args, script.Arg{
			Name: g.name, Doc: g.doc, From: g.from, Type: g.typ, TypeFrom: from,
			Optional: g.optional, Variadic: g.variadic, EmptyWhenAbsent: g.empty && g.optional, Parallel: parallel,
		})
	}
}

// withTags lets tags overrule what was inferred, and compares the two.
func (a *analyzer) withTags(inferred []slot, list []slotTag, table, tag string) []slot {
	if len(list) == 0 {
		return inferred
	}
	r := make([]slot, len(list))
	for i, t := range list {
		r[i] = slot{name: t.name, from: script.FromTag, typ: t.typ, optional: t.optional, variadic: t.variadic, doc: t.doc, inferred: true}
		if t.typ == nil {
			r[i].typ = types.String
		}
		if i < len(inferred) {
			r[i].empty = inferred[i].empty
			r[i].parallel = inferred[i].parallel && t.variadic
			if r[i].doc == "" {
				r[i].doc = inferred[i].doc
			}
		}
	}
	last := list[len(list)-1]
	if last.variadic {
		a.checkVariadic(inferred, list, table)
		return r
	}
	if n := len(list); n == len(inferred) && inferred[n-1].variadic {
		help := "write ... behind the type"
		if table == "KEYS" {
			help = "write " + last.name + "..."
		}
		a.report(diag.Warning, diag.RuleDrift, last.span, last.name+" is one slot, but the script walks the rest of "+table, help)
	}
	for i := len(list); i < len(inferred); i++ {
		s := inferred[i]
		if s.firstRead == 0 {
			continue
		}
		span := source.Span{Start: s.firstRead, End: s.firstRead}
		if n := a.indexSpan(s.firstRead); n != (source.Span{}) {
			span = n
		}
		what := table + " has " + count(len(list), tag+" tag") + ", but " + table + "[" + itoa(i+1) + "] is read here"
		if s.variadic {
			what = table + " has " + count(len(list), tag+" tag") + " without ..., but the rest of " + table + " is read here"
		}
		a.report(diag.Error, diag.RuleDrift, span, what, "declare the slot with "+tag)
		break
	}
	return r
}

// checkVariadic warns about a ... that the code never walks.
func (a *analyzer) checkVariadic(inferred []slot, list []slotTag, table string) {
	for _, s := range inferred {
		if s.variadic {
			return
		}
	}
	n := len(inferred)
	if n > len(list) || n == len(list) && a.in.gaveUp == "" && inferred[n-1].firstRead != 0 {
		t := list[len(list)-1]
		a.report(diag.Warning, diag.RuleDrift, t.span, t.name+"... is the rest of "+table+", but the script reads "+table+" by fixed places only",
			"take the ... away, or declare one slot for each place")
	}
}

// indexSpan returns the span of the index expression that begins at p.
func (a *analyzer) indexSpan(p source.Pos) source.Span {
	var found source.Span
	syntax.Inspect(a.chunk.Main.Body, func(n syntax.Node) bool {
		if e, ok := n.(*syntax.IndexExpr); ok && e.Pos.Start == p {
			found = e.Pos
		}
		return found == source.Span{}
	})
	return found
}

func (a *analyzer) reply(s *script.Script) {
	t := &typer{fieldNames: a.doc.fields, slotNames: map[string]string{}}
	for i, k := range s.Keys {
		t.slotNames[slotField(ref{index: i + 1})] = k.Name
	}
	for i, g := range s.Args {
		t.optionalSlots = t.optionalSlots || g.Optional
		t.slotNames[slotField(ref{argv: true, index: i + 1})] = g.Name
	}
	r := a.in.reply
	if a.in.gaveUp != "" {
		r = &shape{any: true}
		s.Unknown = append(s.Unknown, script.Unknown{Position: a.file.Position(0), What: "the script", Reason: a.in.gaveUp})
	}
	s.Reply.Doc = a.doc.reply
	s.Reply.Type = types.Settle(t.reply(r))
	s.Reply.From = script.TypeInferred
	if vague(s.Reply.Type) {
		s.Reply.From = script.TypeDefault
		if a.tags.reply == nil {
			a.explainReply(s, r, t)
		}
	}
	if a.tags.reply != nil {
		a.checkReply(s.Reply.Type, r)
		s.Reply.Type, s.Reply.Doc, s.Reply.From = a.tags.reply, a.tags.replyDoc, script.TypeTag
	}
}

// vague tells whether a type is any or a union at its top.
func vague(t types.Type) bool {
	if o, ok := t.(*types.Optional); ok {
		t = o.Elem
	}
	_, union := t.(*types.Union)
	return union || t == types.Any
}

func (a *analyzer) errors(s *script.Script) {
	declared := map[string]bool{}
	for _, e := range a.tags.errors {
		declared[e.code] = true
		s.Errors = append(s.Errors, script.ErrorCode{Code: e.code, Doc: e.doc, Tag: true})
	}
	for code := range a.in.codes {
		if !declared[code] {
			s.Errors = append(s.Errors, script.ErrorCode{Code: code})
		}
	}
	sort.SliceStable(s.Errors, func(i, j int) bool { return s.Errors[i].Code < s.Errors[j].Code })
}

// goTypes applies @go tags.
func (a *analyzer) goTypes(s *script.Script) {
	for _, g := range a.tags.goTypes {
		if g.slot == "reply" || g.slot == "return" {
			s.Reply.Go = g.typ
			continue
		}
		found := false
		for i := range s.Args {
			if s.Args[i].Name == g.slot {
				s.Args[i].Go, found = g.typ, true
			}
		}
		if !found {
			var names []string
			for _, x := range s.Args {
				names = append(names, x.Name)
			}
			help := ""
			if near := diag.Nearest(g.slot, names); near != "" {
				help = "did you mean " + near + "?"
			}
			a.report(diag.Error, diag.RuleTag, g.slotSpan, "no argument is called "+g.slot+", expected one of "+strings.Join(names, ", "), help)
		}
	}
}

// checkReadonly reports a @readonly script that writes.
func (a *analyzer) checkReadonly() {
	if a.tags.readonly == nil {
		return
	}
	for _, name := range a.in.did.sorted() {
		c := command.Lookup(name, "")
		if c != nil && (c.Writes() || c.MayReplicate()) {
			a.report(diag.Error, diag.RuleDrift, *a.tags.readonly, "@readonly, but the script calls "+name+", which a read-only script may not",
				"take @readonly away, or the call")
			return
		}
	}
}
