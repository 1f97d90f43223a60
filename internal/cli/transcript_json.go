package cli

// This file implements luagen run --json.

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/luagen/luagen/internal/engine/resp"
	"github.com/luagen/luagen/internal/engine/snapshot"
)

// The shapes of run --json, which other programs read; docs/run.md describes
// them.
type (
	runJSON struct {
		Script  runScriptJSON `json:"script"`
		Keys    []textJSON    `json:"keys"`
		Args    []textJSON    `json:"args"`
		Reply   runReplyJSON  `json:"reply"`
		Error   *errorJSON    `json:"error"`
		Calls   []callJSON    `json:"calls"`
		Log     []logJSON     `json:"log"`
		Changes []changeJSON  `json:"changes"`
	}
	runScriptJSON struct {
		Name string `json:"name"`
		File string `json:"file"`
		SHA1 string `json:"sha1"`
	}
	runReplyJSON struct {
		Type  string `json:"type"`
		Value any    `json:"value"`
	}
	errorJSON struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		File    string `json:"file,omitempty"`
		Line    int    `json:"line,omitempty"`
	}
	callJSON struct {
		File  string       `json:"file"`
		Line  int          `json:"line"`
		Args  []textJSON   `json:"args"`
		Reply runReplyJSON `json:"reply"`
	}
	logJSON struct {
		Level   string   `json:"level"`
		Message textJSON `json:"message"`
	}
	changeJSON struct {
		Key    textJSON   `json:"key"`
		Before *entryJSON `json:"before"`
		After  *entryJSON `json:"after"`
	}
	entryJSON struct {
		Type  string `json:"type"`
		TTL   *int64 `json:"ttlMs"`
		Value any    `json:"value"`
	}
	// textJSON is a string, or {"base64": "…"} when it is not UTF-8.
	textJSON string
)

// MarshalJSON implements json.Marshaler.
func (t textJSON) MarshalJSON() ([]byte, error) {
	if utf8.ValidString(string(t)) {
		return json.Marshal(string(t))
	}
	return json.Marshal(map[string]string{"base64": base64.StdEncoding.EncodeToString([]byte(t))})
}

func texts(list []string) []textJSON {
	out := make([]textJSON, len(list))
	for i, s := range list {
		out[i] = textJSON(s)
	}
	return out
}

// runJSON prints a transcript as one JSON document.
func (a *app) runJSON(t *transcript) error {
	out := runJSON{
		Script: runScriptJSON{t.script.Name, t.script.Source.Name, t.script.SHA1},
		Keys:   texts(t.keys), Args: texts(t.args), Reply: replyAsJSON(t.reply),
		Changes: make([]changeJSON, len(t.changes)),
	}
	if t.reply.IsError() {
		out.Error = t.errorAsJSON()
	}
	if t.traced {
		out.Calls, out.Log = make([]callJSON, len(t.calls)), make([]logJSON, len(t.log))
	}
	for i, c := range t.calls {
		at := t.position(c.line)
		out.Calls[i] = callJSON{at.Filename, at.Line, texts(c.args), replyAsJSON(c.reply)}
	}
	for i, l := range t.log {
		out.Log[i] = logJSON{l.level, textJSON(l.message)}
	}
	for i, c := range t.changes {
		out.Changes[i] = changeJSON{textJSON(c.Key), entryAsJSON(c.Before), entryAsJSON(c.After)}
	}
	encoder := json.NewEncoder(a.stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(out)
}

func (t *transcript) errorAsJSON() *errorJSON {
	d := t.failure()
	out := &errorJSON{}
	out.Code, out.Message, _ = strings.Cut(d.Message, " ")
	if d.Help == "" {
		at := d.Position()
		out.File, out.Line = at.Filename, at.Line
	}
	return out
}

// replyAsJSON names the kind of a reply and gives its value.
func replyAsJSON(r resp.Reply) runReplyJSON {
	switch r.Kind {
	case ':':
		return runReplyJSON{"integer", r.Int}
	case '#':
		return runReplyJSON{"boolean", r.Int == 1}
	case '_':
		return runReplyJSON{"nil", nil}
	case '+':
		return runReplyJSON{"status", textJSON(r.Text)}
	case '-':
		return runReplyJSON{"error", textJSON(r.Text)}
	case ',':
		return runReplyJSON{"double", r.Text}
	case '(':
		return runReplyJSON{"big number", r.Text}
	case '$', '=':
		return runReplyJSON{"string", textJSON(r.Text)}
	}
	list := make([]runReplyJSON, len(r.List))
	for i, item := range r.List {
		list[i] = replyAsJSON(item)
	}
	kind := "array"
	switch r.Kind {
	case '%':
		kind = "map" // keys and values in turn
	case '~':
		kind = "set"
	}
	return runReplyJSON{kind, list}
}

// entryAsJSON gives a key's value: a string, or arrays as snapshot.Entry has
// them.
func entryAsJSON(e *snapshot.Entry) *entryJSON {
	if e == nil {
		return nil
	}
	out := &entryJSON{Type: e.Type, Value: plain(e.Value)}
	if e.TTL >= 0 {
		ms := e.TTL.Milliseconds()
		out.TTL = &ms
	}
	return out
}

// plain is a value of strings and arrays.
func plain(r resp.Reply) any {
	switch r.Kind {
	case '*', '~':
		list := make([]any, len(r.List))
		for i, item := range r.List {
			list[i] = plain(item)
		}
		return list
	case '_':
		return nil
	}
	return textJSON(r.Text)
}
