package script

// This file implements the names that generated Go gives to scripts, keys,
// arguments and fields. list prints them as gogen emits them.

import (
	"go/token"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/luagen/luagen/internal/types"
)

// initialisms are the words that Go writes in one case, by their lower-case form.
var initialisms = map[string]string{
	"acl": "ACL", "amqp": "AMQP", "api": "API", "ascii": "ASCII", "cpu": "CPU", "css": "CSS", "db": "DB",
	"dns": "DNS", "eof": "EOF", "gid": "GID", "guid": "GUID", "html": "HTML", "http": "HTTP", "https": "HTTPS",
	"id": "ID", "ip": "IP", "json": "JSON", "ok": "OK", "qps": "QPS", "ram": "RAM", "rpc": "RPC", "rtp": "RTP",
	"sip": "SIP", "sla": "SLA", "smtp": "SMTP", "sql": "SQL", "ssh": "SSH", "tcp": "TCP", "tls": "TLS", "ts": "TS",
	"ttl": "TTL", "udp": "UDP", "ui": "UI", "uid": "UID", "uri": "URI", "url": "URL", "utf8": "UTF8", "uuid": "UUID",
	"vm": "VM", "xml": "XML", "xmpp": "XMPP", "xsrf": "XSRF", "xss": "XSS",
}

// plurals are the initialisms that people put in the plural, as in jobIDs.
var plurals = map[string]string{
	"acls": "ACLs", "apis": "APIs", "dbs": "DBs", "gids": "GIDs", "guids": "GUIDs", "ids": "IDs", "ips": "IPs",
	"ttls": "TTLs", "uids": "UIDs", "uris": "URIs", "urls": "URLs", "uuids": "UUIDs", "vms": "VMs",
}

// Exported returns name as an exported Go identifier with Go's initialisms:
// move_to_active and moveToActive are MoveToActive, job-id is JobID. A name
// that begins with a digit or a letter without case gets an X in front. It is
// empty if name has neither letter nor digit.
func Exported(name string) string {
	var b strings.Builder
	for _, w := range words(name) {
		b.WriteString(titled(w))
	}
	id := b.String()
	if id != "" && !token.IsExported(id) {
		id = "X" + id
	}
	return id
}

// Method returns the Go name of a script that is called name. It is Exported,
// with Run in front of the names that wrappers have for methods of their own
// (exec.lua is RunExec), and of those that go vet wants another signature for.
func Method(name string) string {
	id := Exported(name)
	switch id {
	case "Pipeline", "Tx", "Queue", "Exec",
		"GobDecode", "GobEncode", "MarshalJSON", "MarshalXML", "ReadByte", "ReadRune", "Seek",
		"UnmarshalJSON", "UnmarshalXML", "UnreadByte", "UnreadRune", "WriteByte":
		id = "Run" + id
	}
	return id
}

// WithoutUnit returns the name of a duration without the unit at its end, since
// a time.Duration has none: ttl_ms and ttlInSeconds are ttl. It is empty if
// nothing else is there.
func WithoutUnit(name string) string {
	parts := words(name)
	n := len(parts)
	if n == 0 {
		return ""
	}
	switch strings.ToLower(parts[n-1]) {
	case "s", "sec", "secs", "seconds", "ms", "msec", "msecs", "milli", "millis", "milliseconds",
		"us", "usec", "usecs", "micro", "micros", "microseconds":
		n--
	default:
		return name
	}
	if n > 1 && strings.EqualFold(parts[n-1], "in") {
		n--
	}
	return strings.Join(parts[:n], "_")
}

// Param returns name as an unexported Go identifier with Go's initialisms:
// job_id is jobID, TTL is ttl, URLs is urls. A name that begins with a digit
// gets an x in front. The result may be a keyword; it is empty if name has
// neither letter nor digit.
func Param(name string) string {
	var b strings.Builder
	for i, w := range words(name) {
		if i == 0 {
			b.WriteString(strings.ToLower(w))
		} else {
			b.WriteString(titled(w))
		}
	}
	id := b.String()
	if id != "" && (!token.IsIdentifier(id) && !token.IsKeyword(id) || token.IsExported(id)) {
		id = "x" + id
	}
	return id
}

// Field returns the exported struct field for a parameter that NameSlots named.
func Field(param string) string {
	if param == "typ" {
		return "Type"
	}
	for _, suffix := range []string{keySuffix, argSuffix} {
		if word, ok := strings.CutSuffix(param, suffix); ok && (Reserved(word) || word == "time" || word == "json") {
			param = word
		}
	}
	return Exported(param)
}

const (
	keySuffix = "Key" // behind a key's name that Go or the wrapper needs
	argSuffix = "Arg" // behind such an argument's name
)

// generated are the names that the wrapper of every script uses itself.
var generated = []string{"ctx", "s", "p", "call", "params", "context", "redislua"}

// NameSlots makes the names of keys and arguments the final names of Go
// parameters: identifiers that are no keywords and hide nothing that the
// wrapper uses, each once. Among equal names the first keeps it and the others
// are numbered from 2; a name without a letter becomes key1, arg1 by its
// position. It wants the types of the signature, and is called once.
func (s *Script) NameSlots() {
	imports := s.imported()
	names := make([]string, 0, len(s.Keys)+len(s.Args))
	for i, k := range s.Keys {
		names = append(names, slotName(k.Name, "key", keySuffix, i, imports))
	}
	for i, a := range s.Args {
		name := a.Name
		if _, ok := a.Type.(*types.Duration); ok && a.Go == "" {
			name = s.durationName(name)
		}
		names = append(names, slotName(name, "arg", argSuffix, i, imports))
	}
	number(names)
	for i := range s.Keys {
		s.Keys[i].Name = names[i]
	}
	for i := range s.Args {
		s.Args[i].Name = names[len(s.Keys)+i]
	}
}

// durationName returns the name of an argument without its unit, or with the
// word duration in its place if another slot has the name.
func (s *Script) durationName(name string) string {
	short := WithoutUnit(name)
	if short == "" || short == name {
		return name
	}
	same := func(other string) bool { return Param(other) == Param(short) }
	if slices.ContainsFunc(s.Keys, func(k Key) bool { return same(k.Name) }) ||
		slices.ContainsFunc(s.Args, func(a Arg) bool { return same(a.Name) }) {
		return short + "_duration"
	}
	return short
}

func slotName(name, kind, suffix string, i int, imports []string) string {
	if !strings.ContainsFunc(name, unicode.IsLetter) {
		return kind + strconv.Itoa(i+1)
	}
	name = Param(name)
	switch {
	case name == "type":
		return "typ"
	case Reserved(name) || slices.Contains(imports, name):
		return name + suffix
	}
	return name
}

// Reserved reports whether no parameter or variable in a wrapper may have the
// name. The builtin
// functions that wrappers do not call are left: max, cap and new are what
// people call their arguments.
func Reserved(name string) bool {
	return token.IsKeyword(name) || predeclared(name) || slices.Contains(generated, name)
}

// predeclared reports whether name is a predeclared type or value, or a
// builtin function that wrappers call.
func predeclared(name string) bool {
	switch name {
	case "any", "bool", "byte", "comparable", "complex64", "complex128", "error", "float32", "float64",
		"int", "int8", "int16", "int32", "int64", "rune", "string",
		"uint", "uint8", "uint16", "uint32", "uint64", "uintptr",
		"true", "false", "iota", "nil", "append", "len", "make":
		return true
	}
	return false
}

// number makes names distinct in place. No number takes a name that another
// slot has of its own.
func number(names []string) {
	own := make(map[string]bool, len(names))
	for _, n := range names {
		own[n] = true
	}
	used := make(map[string]bool, len(names))
	for i, n := range names {
		name := n
		for next := 2; used[name] || name != n && own[name]; next++ {
			name = Numbered(n, next)
		}
		used[name] = true
		names[i] = name
	}
}

// Numbered returns name with n behind it, and an underscore between two digits.
func Numbered(name string, n int) string {
	if endsInDigit(name) {
		name += "_"
	}
	return name + strconv.Itoa(n)
}

// imported returns the packages, beyond those of every wrapper, that the
// wrapper of s refers to.
func (s *Script) imported() []string {
	var names []string
	user := func(goType string) {
		if types.IsGoType(goType) {
			path, _ := SplitGo(goType)
			names = append(names, PackageName(path))
		}
	}
	visit := func(t types.Type) {
		switch t := t.(type) {
		case *types.Duration, *types.Time:
			names = append(names, "time")
		case *types.Encoded:
			if t.Format == types.Msgpack {
				names = append(names, "msgpack")
			} else {
				names = append(names, "json")
			}
			user(t.Go)
		}
	}
	for _, a := range s.Args {
		types.Walk(a.Type, visit)
		user(a.Go)
	}
	types.Walk(s.Reply.Type, visit)
	user(s.Reply.Go)
	return names
}

// titled returns a word as it stands inside a Go name: a capital first, the
// rest as its author has it, unless it is an initialism.
func titled(word string) string {
	if w, ok := initialism(strings.ToLower(word)); ok && hasLower(word) {
		return w
	}
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + word[size:]
}

// initialism returns the Go form of a lower-case word that is an initialism,
// perhaps with a number behind it.
func initialism(lower string) (string, bool) {
	if w, ok := initialisms[lower]; ok {
		return w, true
	}
	if w, ok := plurals[lower]; ok {
		return w, true
	}
	letters := strings.TrimRight(lower, "0123456789_")
	w, ok := initialisms[letters]
	return w + lower[len(letters):], ok
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

func hasLower(s string) bool { return strings.ContainsFunc(s, unicode.IsLower) }

// words splits a name at everything that is neither letter nor digit and where
// its case changes. Digits belong to the word before them; an underscore is
// left between two numbers. A name in capitals only is one of lower case.
func words(name string) []string {
	if i := strings.IndexFunc(name, unicode.IsLetter); i >= 0 && !hasLower(name) && unicode.IsUpper(firstRune(name[i:])) {
		name = strings.ToLower(name)
	}
	name = strings.Map(func(r rune) rune {
		if unicode.IsTitle(r) { // a pair of letters such as ǅ: neither case
			return unicode.ToLower(r)
		}
		return r
	}, name)
	var found []string
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		runes := []rune(part)
		for len(runes) > 0 {
			n := wordLength(runes)
			word := string(runes[:n])
			if last := len(found) - 1; last >= 0 && endsInDigit(found[last]) && unicode.IsDigit(runes[0]) {
				found[last] += "_" + word
			} else {
				found = append(found, word)
			}
			runes = runes[n:]
		}
	}
	return found
}

// wordLength returns the length of the first word: one of lower case and
// digits, perhaps behind one capital, or a run of capitals up to the one that
// begins the next word. A run that is an initialism keeps its last capital, and
// the s of a plural: TTL|ms, URLs.
func wordLength(r []rune) int {
	capitals := span(r, unicode.IsUpper)
	rest := capitals + span(r[capitals:], func(c rune) bool { return !unicode.IsUpper(c) })
	if capitals < 2 || rest == capitals || unicode.IsDigit(r[capitals]) {
		return rest
	}
	if _, ok := plurals[strings.ToLower(string(r[:rest]))]; ok {
		return rest
	}
	_, short := initialisms[strings.ToLower(string(r[:capitals-1]))]
	_, long := initialisms[strings.ToLower(string(r[:capitals]))]
	if long && !short {
		return capitals
	}
	return capitals - 1
}

func endsInDigit(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsDigit(last)
}

func span(r []rune, in func(rune) bool) int {
	n := slices.IndexFunc(r, func(c rune) bool { return !in(c) })
	if n < 0 {
		return len(r)
	}
	return n
}
