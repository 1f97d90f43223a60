package project

// This file implements reading YAML with a position for everything that is
// wrong in it: unknown and repeated keys, wrong types, values out of range.

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/source"
)

// yamlReader reads one file and collects diagnostics.
type yamlReader struct {
	file  *source.File
	diags []diag.Diagnostic
}

// yamlValue is one value and where it stands. A nil node stands for a key
// without a value.
type yamlValue struct {
	node ast.Node
	span source.Span
}

// yamlPair is one key of a map, and its value.
type yamlPair struct {
	key     string
	keySpan source.Span
	value   yamlValue
}

// yamlField is a key that a map may have.
type yamlField struct {
	key  string
	read func(yamlValue)
}

// parse returns the map that the file holds, or nil when it holds nothing or
// is broken, which it then has reported.
func (r *yamlReader) parse() *yamlValue {
	tree, err := parser.ParseBytes([]byte(r.file.Text), 0, parser.AllowDuplicateMapKey())
	if err != nil {
		span, message := source.Span{}, err.Error()
		var at yaml.Error
		if errors.As(err, &at) {
			message = at.GetMessage()
			span = r.tokenSpan(at.GetToken())
		}
		r.errorf(span, "", "%s", strings.TrimSuffix(message, "."))
		return nil
	}
	for i, doc := range tree.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.CommentType {
			continue
		}
		value := r.value(doc.Body)
		if i > 0 {
			r.errorf(value.span, "keep the first and remove the others", "found a second document, expected one")
			return nil
		}
		return &value
	}
	return nil
}

// fields hands each key of a map to the field of its name, and reports keys
// that have none, and repeated ones. what says what the map is. It returns the
// keys that were there.
func (r *yamlReader) fields(v yamlValue, what string, fields []yamlField) map[string]bool {
	names := make([]string, len(fields))
	for i, field := range fields {
		names[i] = field.key
	}
	found := make(map[string]bool)
	for _, pair := range r.pairs(v, what, "a map with "+strings.Join(names, ", ")) {
		found[pair.key] = true
		known := false
		for _, field := range fields {
			if field.key == pair.key {
				field.read(pair.value)
				known = true
			}
		}
		if !known {
			r.errorf(pair.keySpan, suggest(pair.key, names), "unknown key %q, expected %s", pair.key, oneOf(names))
		}
	}
	return found
}

// pairs returns the pairs of a map. what and expected are for the message when
// it is none.
func (r *yamlReader) pairs(v yamlValue, what, expected string) []yamlPair {
	var nodes []*ast.MappingValueNode
	switch node := v.node.(type) {
	case *ast.MappingNode:
		nodes = node.Values
	case *ast.MappingValueNode:
		nodes = []*ast.MappingValueNode{node}
	default:
		r.wrongType(v, what, expected)
		return nil
	}
	var pairs []yamlPair
	seen := make(map[string]source.Span)
	for _, node := range nodes {
		tok := node.Key.GetToken()
		span := r.tokenSpan(tok)
		if first, ok := seen[tok.Value]; ok {
			r.errorf(span, "keep one of them", "key %q is there twice", tok.Value)
			last := &r.diags[len(r.diags)-1]
			last.Notes = []diag.Note{{File: r.file, Span: first, Message: "first here"}}
			continue
		}
		seen[tok.Value] = span
		value := r.value(node.Value)
		if value.node == nil {
			value.span = span
		}
		pairs = append(pairs, yamlPair{tok.Value, span, value})
	}
	return pairs
}

// list returns the items of a sequence.
func (r *yamlReader) list(v yamlValue, what, expected string) []yamlValue {
	seq, ok := v.node.(*ast.SequenceNode)
	if !ok {
		r.wrongType(v, what, expected)
		return nil
	}
	items := make([]yamlValue, len(seq.Values))
	for i, node := range seq.Values {
		items[i] = r.value(node)
	}
	return items
}

// text returns a scalar as it is written, so that a folder may be named 2024.
func (r *yamlReader) text(v yamlValue, what string) (string, bool) {
	switch node := v.node.(type) {
	case *ast.StringNode:
		return node.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return node.GetToken().Value, true
	}
	r.wrongType(v, what, "text")
	return "", false
}

// integer returns a number from least to most.
func (r *yamlReader) integer(v yamlValue, what string, least, most int) (int, bool) {
	node, ok := v.node.(*ast.IntegerNode)
	if !ok {
		r.wrongType(v, what, "a number")
		return 0, false
	}
	n, ok := node.Value.(uint64)
	if !ok || n < uint64(least) || n > uint64(most) {
		expected := fmt.Sprintf("%d to %d", least, most)
		if least == most {
			expected = fmt.Sprint(least)
		}
		r.errorf(v.span, "", "%s is %s, expected %s", what, node.GetToken().Value, expected)
		return 0, false
	}
	return int(n), true
}

// choice returns a text that is one of a few.
func (r *yamlReader) choice(v yamlValue, what string, choices []string) string {
	text, ok := r.text(v, what)
	if !ok {
		return ""
	}
	for _, choice := range choices {
		if strings.EqualFold(choice, text) {
			return choice
		}
	}
	r.errorf(v.span, suggest(text, choices), "%s is %q, expected %s", what, text, oneOf(choices))
	return ""
}

// choices returns a list of them; a text alone is a list of one.
func (r *yamlReader) choices(v yamlValue, what string, choices []string) []string {
	items := []yamlValue{v}
	if _, ok := v.node.(*ast.StringNode); !ok {
		items = r.list(v, what, "a list of "+oneOf(choices))
	}
	var chosen []string
	for _, item := range items {
		if text := r.choice(item, what, choices); text != "" {
			chosen = append(chosen, text)
		}
	}
	return chosen
}

// wrongType reports a value of another kind than expected.
func (r *yamlReader) wrongType(v yamlValue, what, expected string) {
	found := "a value of another kind"
	switch v.node.(type) {
	case nil, *ast.NullNode:
		found = "nothing"
	case *ast.StringNode, *ast.LiteralNode:
		found = "text"
	case *ast.IntegerNode, *ast.FloatNode:
		found = "a number"
	case *ast.BoolNode:
		found = "true or false"
	case *ast.SequenceNode:
		found = "a list"
	case *ast.MappingNode, *ast.MappingValueNode:
		found = "a map"
	case *ast.AliasNode:
		found = "an alias"
	}
	r.errorf(v.span, "", "%s is %s, expected %s", what, found, expected)
}

func (r *yamlReader) errorf(span source.Span, help, format string, args ...any) {
	r.diags = append(r.diags, diag.Diagnostic{
		Rule: RuleConfig, Severity: diag.Error, File: r.file, Span: span,
		Message: fmt.Sprintf(format, args...), Help: help,
	})
}

// value strips what may stand around a node, and finds its place.
func (r *yamlReader) value(node ast.Node) yamlValue {
	for {
		switch wrapped := node.(type) {
		case *ast.AnchorNode:
			node = wrapped.Value
			continue
		case *ast.TagNode:
			node = wrapped.Value
			continue
		case nil, *ast.NullNode:
			return yamlValue{}
		}
		return yamlValue{node, r.nodeSpan(node)}
	}
}

// isMap tells whether the value is a map.
func (v yamlValue) isMap() bool {
	switch v.node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return true
	}
	return false
}

// nodeSpan is the span of a scalar, and of the first token of anything else.
func (r *yamlReader) nodeSpan(node ast.Node) source.Span {
	switch node := node.(type) {
	case *ast.MappingNode:
		if !node.IsFlowStyle && len(node.Values) > 0 {
			return r.tokenSpan(node.Values[0].Key.GetToken())
		}
	case *ast.MappingValueNode:
		return r.tokenSpan(node.Key.GetToken())
	}
	return r.tokenSpan(node.GetToken())
}

// tokenSpan is the span of a token. Its column counts characters.
func (r *yamlReader) tokenSpan(tok *token.Token) source.Span {
	if tok == nil || tok.Position == nil {
		return source.Span{}
	}
	line := r.file.LineSpan(tok.Position.Line)
	start := line.Start
	for range tok.Position.Column - 1 {
		if start >= line.End {
			break
		}
		_, size := utf8.DecodeRuneInString(r.file.Text[start:line.End])
		start += source.Pos(size)
	}
	written := strings.TrimSpace(tok.Origin)
	if written == "" || !strings.HasPrefix(r.file.Text[start:], written) {
		written = tok.Value
	}
	if line, _, multi := strings.Cut(written, "\n"); multi {
		written = line
	}
	return source.Span{Start: start, End: min(start+source.Pos(len(written)), line.End)}
}

// suggest says which of the choices was probably meant.
func suggest(word string, choices []string) string {
	if near := diag.Nearest(word, choices); near != "" {
		return "did you mean " + near + "?"
	}
	return ""
}

// oneOf lists choices for a message.
func oneOf(choices []string) string {
	if len(choices) == 1 {
		return choices[0]
	}
	last := len(choices) - 1
	return strings.Join(choices[:last], ", ") + " or " + choices[last]
}
