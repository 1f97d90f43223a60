package cli

// This file implements what luagen run prints for people.

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/engine/resp"
	"github.com/luagen/luagen/internal/engine/snapshot"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/types"
)

// longest is how many characters of a line about values are shown.
const longest = 400

// runText prints a transcript in sections.
func (a *app) runText(t *transcript) {
	a.printf("%s\n", strings.TrimSuffix(showReply(t.reply, t.script.Reply.Type, ""), "\n"))
	if t.traced {
		a.printf("\ncalls%s\n", noneYet(len(t.calls)))
		places := make([]string, len(t.calls))
		width := 0
		for i, c := range t.calls {
			places[i] = place(t.position(c.line))
			width = max(width, len(places[i]))
		}
		for i, c := range t.calls {
			a.printf("  %-*s  %s\n", width, places[i], clip(showCommand(c.args)+" -> "+c.reply.String()))
		}
		if len(t.log) > 0 {
			a.printf("\nlog\n")
		}
		for _, l := range t.log {
			a.printf("  %s: %s\n", l.level, printable(l.message))
		}
	}
	a.printf("\nchanges%s\n", noneYet(len(t.changes)))
	for _, c := range t.changes {
		a.printf("  %s\n", clip(c.String()))
	}
	if !t.traced {
		a.printf("\non a server only the keys given are looked at, and commands are not traced\n")
	}
}

func noneYet(n int) string {
	if n == 0 {
		return ": none"
	}
	return ""
}

// clip cuts a line that is too long to read.
func clip(text string) string {
	r := []rune(text)
	if len(r) <= longest {
		return text
	}
	return fmt.Sprintf("%s… (%d more characters)", string(r[:longest]), len(r)-longest)
}

// showCommand is a command as one would type it.
func showCommand(args []string) string {
	words := make([]string, len(args))
	for i, arg := range args {
		words[i] = snapshot.Name(arg)
	}
	words[0] = strings.ToUpper(words[0])
	return strings.Join(words, " ")
}

// printable is a text whose control characters a terminal does not obey.
func printable(text string) string {
	quoted := strconv.Quote(text)
	return strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
}

// position is where the author wrote a line of the bundled script.
func (t *transcript) position(line int) source.Position {
	file := t.script.Source
	if line == 0 {
		return source.Position{Filename: file.Name}
	}
	return file.Position(file.LineSpan(line).Start)
}

// showReply prints a reply as redis-cli does, with the names that its type
// gives its fields and values. Lines after the first begin with indent.
func showReply(r resp.Reply, t types.Type, indent string) string {
	if optional, ok := t.(*types.Optional); ok {
		t = optional.Elem
	}
	switch r.Kind {
	case '*', '~', '>', '%':
		if len(r.List) == 0 {
			return "(empty array)\n"
		}
		return showList(r, t, indent)
	case ':':
		return fmt.Sprintf("(integer) %d%s\n", r.Int, valueName(t, r.Int))
	case '_':
		return "(nil)\n"
	case '-':
		return "(error) " + printable(r.Text) + "\n"
	case '#':
		return fmt.Sprintf("(boolean) %t\n", r.Int == 1)
	case ',':
		return "(double) " + r.Text + "\n"
	case '+', '(':
		return printable(r.Text) + "\n"
	}
	return strconv.Quote(r.Text) + "\n"
}

func showList(r resp.Reply, t types.Type, indent string) string {
	var b strings.Builder
	width := len(strconv.Itoa(len(r.List)))
	for i, item := range r.List {
		if i > 0 {
			b.WriteString(indent)
		}
		head := fmt.Sprintf("%*d) ", width, i+1)
		var itemType types.Type
		switch t := t.(type) {
		case *types.Tuple:
			if i < len(t.Fields) {
				itemType = t.Fields[i].Type
				if name := t.Fields[i].Name; name != "" && name != "v"+strconv.Itoa(i+1) { // which is what no name settles to
					head += name + ": "
				}
			}
		case *types.List:
			itemType = t.Elem
		}
		b.WriteString(head + showReply(item, itemType, indent+strings.Repeat(" ", len([]rune(head)))))
	}
	return b.String()
}

// valueName is the name of an enum's value, with a blank in front.
func valueName(t types.Type, n int64) string {
	if enum, ok := t.(*types.Enum); ok && !enum.Text {
		for _, m := range enum.Members {
			if m.Int == n && m.Name != "" {
				return " " + m.Name
			}
		}
	}
	return ""
}

// The forms that errors of scripts have: where they end, from Redis 7.0 on;
// where they begin, before; and what Lua itself puts in front.
var (
	errorPlace = regexp.MustCompile(` script: [0-9a-f]{40}, on @user_script:(\d+)\.?$`)
	oldPlace   = regexp.MustCompile(`^ERR Error running script \(call to f_[0-9a-f]{40}\): (?:@user_script: ?(\d+): )?`)
	luaPlace   = regexp.MustCompile(`@?user_script: ?(\d+): `)
)

// failed takes an error reply apart: its text, and the line of the bundled
// script where it was raised, 0 when the reply does not tell.
func failed(text string) (message string, line int) {
	if at := errorPlace.FindStringSubmatch(text); at != nil {
		line, _ = strconv.Atoi(at[1])
		text = strings.TrimSuffix(text, at[0])
	} else if at := oldPlace.FindStringSubmatch(text); at != nil {
		line, _ = strconv.Atoi(at[1])
		text = "ERR " + strings.TrimPrefix(text, at[0])
	}
	return text, line
}

// ruleScript is the rule of errors that a script ends with.
const ruleScript = "script-error"

// failure is the error that the script ended with, where its author wrote it.
func (t *transcript) failure() diag.Diagnostic {
	file := t.script.Source
	message, line := failed(t.reply.Text)
	message = luaPlace.ReplaceAllStringFunc(message, func(at string) string {
		n, _ := strconv.Atoi(luaPlace.FindStringSubmatch(at)[1])
		if line == 0 {
			line = n
		}
		if n == line {
			return ""
		}
		return place(t.position(n)) + ": "
	})
	d := diag.Diagnostic{Rule: ruleScript, Severity: diag.Error, File: file, Message: message}
	if line > 0 {
		d.Span = file.LineSpan(line)
		text := file.Slice(d.Span)
		d.Span.Start += source.Pos(len(text) - len(strings.TrimLeft(text, " \t")))
	} else {
		d.Help = "the script returned this error as its reply"
	}
	return d
}
