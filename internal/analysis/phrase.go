package analysis

// This file implements the way from a phrase in a comment to an identifier:
// "the job's id" is a name as good as job_id.

import (
	"regexp"
	"strings"
)

var (
	quoted     = regexp.MustCompile("^['\"`]([^'\"`]+)['\"`]")
	keyPattern = regexp.MustCompile(`^[^\s,;()]*[:{<][^\s,;()]*`)
	prefixed   = regexp.MustCompile(`^\S*:\s+\(([^()]+)\)`)
	ordinal    = regexp.MustCompile(`^\d+(?:st|nd|rd|th)$`)
	wordRun    = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_]*`)
	unitWords  = regexp.MustCompile(`(?i)\b(?:in|as|of)?\s*\(?(ms|msecs?|millis|milliseconds?|seconds?|secs?|microseconds?|usecs?)\)?\s*$`)
)

// stops are words where the name of a thing ends and its description begins.
var stops = map[string]bool{
	"for": true, "that": true, "which": true, "when": true, "where": true, "who": true, "with": true, "from": true, "if": true,
	"to": true, "is": true, "are": true, "as": true, "in": true, "on": true, "at": true, "or": true, "and": true, "used": true,
	"containing": true, "contains": true, "holding": true, "holds": true, "until": true, "after": true, "before": true,
	"will": true, "should": true, "must": true, "can": true, "may": true, "where's": true, "whose": true, "per": true, "we": true,
}

var articles = map[string]bool{"the": true, "a": true, "an": true, "this": true, "our": true, "its": true, "their": true, "optional": true}

// maxNameWords is how long a name may be before it is a sentence.
const maxNameWords = 5

// phraseName returns an identifier for a phrase, or nothing when there is no
// short one. argv says what the phrase is about: "lock key" is a lock among
// keys, and a key's name among arguments.
func phraseName(phrase string, argv bool) string {
	phrase = strings.TrimSpace(phrase)
	if m := quoted.FindStringSubmatch(phrase); m != nil {
		if n := patternName(m[1]); n != "" {
			return n
		}
	}
	if m := keyPattern.FindString(phrase); m != "" && !strings.HasSuffix(m, ":") && !strings.HasPrefix(m, "(") {
		if n := patternName(m); n != "" {
			return n
		}
	}
	if m := prefixed.FindStringSubmatch(phrase); m != nil {
		phrase = m[1] // app:{id}:t: (task key prefix)
	}
	if i := strings.IndexAny(phrase, "，。：；（、"); i >= 0 {
		phrase = phrase[:i]
	}
	if i := strings.IndexAny(phrase, ",;(.?!=[{<|/"); i >= 0 {
		phrase = phrase[:i]
	}
	for _, s := range []string{" - ", " -- ", " – ", " — ", ": "} {
		if i := strings.Index(phrase, s); i >= 0 {
			phrase = phrase[:i]
		}
	}
	phrase = strings.TrimSuffix(strings.TrimSpace(phrase), ":")
	if s := unitWords.ReplaceAllString(phrase, ""); strings.TrimSpace(s) != "" {
		phrase = s
	}
	phrase = strings.ReplaceAll(phrase, "'s ", " ")
	return joinWords(nameWords(strings.Fields(phrase), argv))
}

// nameWords picks the words that make the name.
func nameWords(fields []string, argv bool) []string {
	var words []string
	for i, f := range fields {
		low := strings.ToLower(strings.Trim(f, "'\"`*"))
		if strings.ContainsFunc(f, ideographic) {
			words = nil // what the phrase is about stands at its end
			continue
		}
		if articles[low] || ordinal.MatchString(low) {
			continue
		}
		if low == "of" && len(words) > 0 {
			return ofName(words, fields[i+1:], argv)
		}
		if stops[low] && len(words) > 0 {
			break
		}
		runs := wordRun.FindAllString(strings.Trim(f, "'\"`*"), -1)
		if len(runs) == 0 {
			if len(words) > 0 {
				break
			}
			continue
		}
		words = append(words, runs...)
		if len(words) > maxNameWords {
			return nil
		}
	}
	if n := len(words); n > 1 && (!argv && strings.EqualFold(words[n-1], "key") || strings.EqualFold(words[n-1], "keys") && !argv) {
		words = words[:n-1]
	}
	return words
}

// ideographic tells whether a letter is one of a script that has no blanks
// between words: a Latin word in it is a fragment.
func ideographic(r rune) bool { return r >= 0x2E80 && r < 0xAC00 }

// ofName turns "id of the job" into job id, and "list of ids" into ids.
func ofName(head, tail []string, argv bool) []string {
	rest := nameWords(tail, argv)
	if len(rest) == 0 {
		return head
	}
	if last := strings.ToLower(head[len(head)-1]); !argv && (last == "name" || last == "key") {
		return rest // the name of a list, among keys, is that list
	}
	switch strings.ToLower(head[len(head)-1]) {
	case "id", "name", "key", "ttl", "size", "length", "type", "value", "score":
		return append(rest, head...)
	case "list", "set", "array", "hash", "key's":
		return rest
	}
	if len(head)+len(rest)+1 > maxNameWords {
		return head
	}
	return append(append(head, "of"), rest...)
}

func joinWords(words []string) string {
	var b strings.Builder
	for i, w := range words {
		if i > 0 {
			b.WriteByte('_')
		}
		b.WriteString(w)
	}
	return b.String()
}

// patternName returns the name of a key pattern: its last fixed part, or what
// the placeholder at its end stands for.
func patternName(pattern string) string {
	if isWord(pattern) {
		return pattern
	}
	depth := 0
	parts := strings.FieldsFunc(pattern, func(r rune) bool {
		switch r {
		case '{', '<':
			depth++
		case '}', '>':
			depth--
		}
		return depth <= 0 && (r == ':' || r == '/' || r == '.')
	})
	for i := len(parts) - 1; i >= 0; i-- {
		p := parts[i]
		if placeholder := strings.ContainsAny(p, "<>{}%*$"); placeholder {
			word := strings.Join(wordRun.FindAllString(p, -1), "_")
			if fixed := i > 0 && !strings.ContainsAny(parts[i-1], "<>{}%*$") && len(parts[i-1]) > 1; fixed || word == "" {
				continue
			}
			for _, suffix := range []string{"_id", "ID", "Id", "_name", "name", "_key", "Key"} {
				if cut, ok := strings.CutSuffix(word, suffix); ok && cut != "" && !(suffix == "name" && len(cut) < 3) {
					word = cut
					break
				}
			}
			return word
		}
		if words := wordRun.FindAllString(p, -1); len(words) > 0 {
			return strings.Join(words, "_")
		}
	}
	return ""
}

// plural returns the plural of a name's last word.
func plural(name string) string {
	low := strings.ToLower(name)
	switch {
	case name == "" || strings.HasSuffix(low, "s") && !strings.HasSuffix(low, "ss"):
		return name
	case strings.HasSuffix(low, "y") && len(name) > 1 && !strings.ContainsRune("aeiou", rune(low[len(low)-2])):
		return name[:len(name)-1] + "ies"
	case strings.HasSuffix(low, "ch"), strings.HasSuffix(low, "sh"), strings.HasSuffix(low, "x"), strings.HasSuffix(low, "ss"):
		return name + "es"
	}
	if last := name[len(name)-1]; last >= '0' && last <= '9' {
		return name
	}
	return name + "s"
}
