package analysis

// This file implements what comments say of slots and of the reply, in the
// ways that people write it: KEYS[1] -> the queue, ARGV[2]: ttl in seconds,
// ARGV[3..n] = ids, key 1 -> id, keys: a, b, Returns: ….

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// docLine is one line of a comment.
type docLine struct {
	text  string     // without the comment's marks, blanks at the end cut
	pos   source.Pos // of text in the file
	block int        // comments that stand together have one number
}

// slotDoc is what comments say of one slot.
type slotDoc struct {
	text string
	name string
	pos  source.Pos
	item bool // an item of a list without numbers: a name, no proof that there is such a slot
}

// doc is what the comments of a script say.
type doc struct {
	prose      []string
	keys, args map[int]slotDoc
	keysRest   *restDoc
	argsRest   *restDoc
	more       [2]bool // KEYS[N], ARGV[N]: the numbered ones are only the first
	items      [2]int  // how many items lists without numbers had so far
	reply      string
	fields     []string // names for the reply's fields, from "Returns {a, b}"
}

// restDoc is what comments say of all slots from first on.
type restDoc struct {
	slotDoc
	first int
}

// headerLines returns the lines of the comments before the first statement,
// without those of included files, which are about something else.
func headerLines(chunk *syntax.Chunk) []docLine {
	var lines []docLine
	for i, block := range chunk.Header() {
		for _, c := range block {
			origin, _ := chunk.File.Origin(c.Pos.Start)
			if included := origin.Name != chunk.File.Name && path.Ext(origin.Name) == ".lua"; !included {
				lines = appendComment(lines, chunk.File, c, i)
			}
		}
	}
	return lines
}

// appendComment splits a comment into lines.
func appendComment(lines []docLine, file *source.File, c *syntax.Comment, block int) []docLine {
	start := c.Pos.End - source.Pos(len(c.Text))
	if c.Long {
		start = c.Pos.Start + source.Pos(strings.Index(file.Slice(c.Pos), c.Text))
	}
	rest := c.Text
	for {
		line, tail, more := cutLine(rest)
		at := start
		text := line
		if !c.Long {
			trimmed := strings.TrimLeft(text, "-")
			at += source.Pos(len(text) - len(trimmed))
			text = trimmed
		}
		lines = append(lines, docLine{strings.TrimRight(text, " \t\r"), at, block})
		if !more {
			return lines
		}
		start += source.Pos(len(rest) - len(tail))
		rest = tail
	}
}

func cutLine(s string) (line, rest string, more bool) {
	i := strings.IndexAny(s, "\r\n")
	if i < 0 {
		return s, "", false
	}
	n := 1
	if i+1 < len(s) && (s[i+1] == '\n' || s[i+1] == '\r') && s[i+1] != s[i] {
		n = 2
	}
	return s[:i], s[i+n:], true
}

var (
	// KEYS[1], ARGV[3..n], ARGV[2+n..], then a separator and what it is.
	slotLine = regexp.MustCompile(`(?i)^[-*•\s]*(?:@param\s+)?(KEYS|ARGV)\s*\[\s*(\d+)\s*([^\]]*)\]\s*(\.\.\.)?\s*(.*)$`)
	// key 1 -> id, arg 2: ttl, ARGV1 = x
	wordLine = regexp.MustCompile(`(?i)^[-*•]?\s*(keys?|args?|argv)\s*#?\s*(\d+)\s*(?:->|=>|[:=-])\s*(.+)$`)
	// keys: a, b
	listLine = regexp.MustCompile(`(?i)^(keys|args|argv|arguments)\s*[:=]\s*(\S.*)$`)
	// 1. queue, below "Keys:"
	itemLine = regexp.MustCompile(`^[-*•]?\s*\[?(\d+)\]?\s*[.):=-]+>?\s*(.+)$`)
	// * queue: the queue, below "Keys:"
	nameLine = regexp.MustCompile(`^[-*•]?\s*([A-Za-z_][A-Za-z0-9_]*)(?:\s*[:=]\s+|\s{2,}|\t\s*|\s+-+\s+|\s*$)(.*)$`)
	// KEYS[N] = the last one
	moreLine = regexp.MustCompile(`(?i)^[-*•\s]*(KEYS|ARGV)\s*\[\s*n\b`)
	// a slot and what it is, anywhere in a line: KEYS[1]=lock, ARGV[1]=ttl
	slotPart = regexp.MustCompile(`(?i)\b(?:KEYS|ARGV)\s*\[\s*\d+[^\]]*\]\s*(?:->|=>|→|:|=(?:[^=]|$))`)
	section  = regexp.MustCompile(`(?i)^(input|inputs|keys|args|argv|arguments|parameters|params|output|outputs|returns?)\s*:?\s*$`)
	returns  = regexp.MustCompile(`(?i)^(?:@)?(?:returns?|output)\b\s*(?:value)?\s*[:=-]?\s*(.*)$`)
	fieldSet = regexp.MustCompile(`^\{([^{}]*)\}`)
	sep      = regexp.MustCompile(`^(?:->|=>|→|[:=]|[-–—]{1,2}(?:\s|$))\s*`)
)

// readDoc reads all comment lines of a header; lines under tags are not given.
func readDoc(lines []docLine) *doc {
	d := &doc{keys: map[int]slotDoc{}, args: map[int]slotDoc{}}
	skip := licenses(lines)
	under := ""
	inReply := false
	for _, l := range lines {
		text := strings.TrimSpace(l.text)
		pos := l.pos + source.Pos(len(l.text)-len(strings.TrimLeft(l.text, " \t")))
		if skip[l.block] {
			continue
		}
		if strings.Trim(text, "-=*#~_+/\\|") == "" {
			inReply = inReply && under == "returns"
			if !inReply && under == "returns" {
				under = ""
			}
			d.prose = append(d.prose, "")
			continue
		}
		if parts := slotParts(text); parts != nil {
			for _, p := range parts[1:] {
				d.slotLine(strings.TrimRight(p, " ,;."), pos, under)
			}
			if inReply = false; parts[0] != "" {
				d.prose = append(d.prose, parts[0])
			}
			continue
		}
		if d.slotLine(text, pos, under) {
			inReply = false
			continue
		}
		if m := moreLine.FindStringSubmatch(text); m != nil {
			d.more[side(strings.EqualFold(m[1], "ARGV"))] = true
			continue
		}
		if m := section.FindStringSubmatch(text); m != nil {
			under = sectionName(m[1])
			inReply = under == "returns"
			continue
		}
		if m := returns.FindStringSubmatch(text); m != nil && d.reply == "" {
			d.reply = m[1]
			d.readFields(m[1])
			inReply, under = true, "returns"
			continue
		}
		if inReply {
			if d.reply == "" {
				d.readFields(text)
			}
			d.reply = strings.TrimSpace(d.reply + "\n" + text)
			continue
		}
		if under == "" || under == "returns" {
			d.prose = append(d.prose, text)
		}
	}
	return d
}

// slotParts cuts a line that tells of several slots: what comes before them,
// then one part for each. Nil for any other line.
func slotParts(text string) []string {
	at := slotPart.FindAllStringIndex(text, -1)
	if len(at) < 2 {
		return nil
	}
	parts := []string{strings.TrimSpace(text[:at[0][0]])}
	for i, m := range at {
		end := len(text)
		if i+1 < len(at) {
			end = at[i+1][0]
		}
		parts = append(parts, strings.TrimSpace(text[m[0]:end]))
	}
	return parts
}

// side is 0 for KEYS and 1 for ARGV.
func side(argv bool) int {
	if argv {
		return 1
	}
	return 0
}

func sectionName(word string) string {
	switch w := strings.ToLower(word); w {
	case "keys":
		return "keys"
	case "args", "argv", "arguments":
		return "args"
	case "output", "outputs", "return", "returns":
		return "returns"
	default:
		return "input"
	}
}

// licenses tells which blocks are licences, not documentation.
func licenses(lines []docLine) map[int]bool {
	skip := map[int]bool{}
	for _, l := range lines {
		low := strings.ToLower(l.text)
		if strings.Contains(low, "copyright") || strings.Contains(low, "spdx-license") || strings.Contains(low, "licensed under") {
			skip[l.block] = true
		}
	}
	return skip
}

// slotLine reads a line about a slot, and tells whether it was one.
func (d *doc) slotLine(text string, pos source.Pos, under string) bool {
	if m := slotLine.FindStringSubmatch(text); m != nil {
		n, err := strconv.Atoi(m[2])
		if err != nil || n == 0 || n > 1000 {
			return false
		}
		argv := strings.EqualFold(m[1], "ARGV")
		range_ := strings.TrimSpace(m[3] + m[4])
		what := sep.ReplaceAllString(strings.TrimSpace(m[5]), "")
		if range_ == "" {
			d.add(argv, n, what, pos)
			return true
		}
		if strings.HasPrefix(range_, "+") || !strings.Contains(range_, "..") && !strings.Contains(range_, "-") {
			return what != "" // ARGV[2+n..]: where it begins is not known
		}
		if last := strings.TrimLeft(range_, ".- "); isInt(last) {
			return d.addRange(argv, n, last, what, pos)
		}
		d.addRest(argv, n, what, pos)
		return true
	}
	if m := wordLine.FindStringSubmatch(text); m != nil {
		n, err := strconv.Atoi(m[2])
		if err == nil && n > 0 && n < 1000 {
			d.add(strings.HasPrefix(strings.ToLower(m[1]), "a"), n, m[3], pos)
			return true
		}
	}
	if under == "keys" || under == "args" {
		if m := itemLine.FindStringSubmatch(text); m != nil {
			if n, err := strconv.Atoi(m[1]); err == nil && n > 0 && n < 1000 {
				d.add(under == "args", n, m[2], pos)
				return true
			}
		}
		if m := nameLine.FindStringSubmatch(text); m != nil && !section.MatchString(text) && returns.FindString(text) == "" {
			argv := under == "args"
			d.items[side(argv)]++
			if _, dup := d.slots(argv)[d.items[side(argv)]]; !dup {
				d.slots(argv)[d.items[side(argv)]] = slotDoc{text: m[2], name: phraseName(m[1], argv), pos: pos, item: true}
			}
			return true
		}
	}
	if m := listLine.FindStringSubmatch(text); m != nil {
		return d.list(!strings.EqualFold(m[1], "keys"), m[2], pos)
	}
	return false
}

func (d *doc) addRange(argv bool, first int, last, what string, pos source.Pos) bool {
	n, _ := strconv.Atoi(last)
	if n < first || n > first+32 {
		return false
	}
	for i := first; i <= n; i++ {
		d.add(argv, i, "", pos)
	}
	return true
}

func (d *doc) slots(argv bool) map[int]slotDoc {
	if argv {
		return d.args
	}
	return d.keys
}

func (d *doc) add(argv bool, n int, what string, pos source.Pos) {
	if _, dup := d.slots(argv)[n]; dup {
		return
	}
	d.slots(argv)[n] = slotDoc{text: what, name: phraseName(what, argv), pos: pos}
}

func (d *doc) addRest(argv bool, first int, what string, pos source.Pos) {
	r := &restDoc{slotDoc{text: what, name: phraseName(what, argv), pos: pos}, first}
	if argv {
		if d.argsRest == nil {
			d.argsRest = r
		}
	} else if d.keysRest == nil {
		d.keysRest = r
	}
}

// listMarks may stand around the words of a list: {lock, [owner]}.
const listMarks = "'\"`[]{}() "

// list reads keys: a, b. A list of words only; anything else is prose.
func (d *doc) list(argv bool, text string, pos source.Pos) bool {
	parts := strings.Split(strings.Trim(text, "[]{}() ."), ",")
	for _, p := range parts {
		if !isWord(strings.Trim(p, listMarks)) {
			return false
		}
	}
	for i, p := range parts {
		d.add(argv, i+1, strings.Trim(p, listMarks), pos)
	}
	return true
}

// readFields takes names for a tuple from "{count, ttl}".
func (d *doc) readFields(text string) {
	m := fieldSet.FindStringSubmatch(text)
	if m == nil || d.fields != nil {
		return
	}
	for _, p := range strings.Split(m[1], ",") {
		d.fields = append(d.fields, phraseName(strings.TrimSpace(p), true))
	}
}

// text returns the prose as one text, without blank lines at its ends.
func (d *doc) docText() string {
	lines := d.prose
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	var out []string
	for i, l := range lines {
		if l == "" && i > 0 && lines[i-1] == "" {
			continue
		}
		out = append(out, l)
	}
	return strings.Join(out, "\n")
}
