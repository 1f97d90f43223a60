// This file implements the parsing of the error texts of Redis and Valkey.
//
//	WRONGTYPE Operation against … script: 4e6d…, on @user_script:3.       uncaught redis.call, 7.0 and later
//	ERR user_script:3: attempt to … script: 4e6d…, on @user_script:3.     a Lua error, 7.0 and later
//	ERR Error compiling script (new function): user_script:3: …           a syntax error
//	ERR Error running script (call to f_4e6d…): @user_script:3: WRONGTYPE …   6.2 and earlier
//	BUSY the lock is taken                                                a script's own reply

package redislua

import (
	"errors"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// replyText returns what a server said, when err is that. It costs nothing
// where there is no error.
func replyText(err error) (string, bool) {
	if err == nil {
		return "", false
	}
	var reply redis.Error
	if !errors.As(err, &reply) {
		return err.Error(), false
	}
	return reply.Error(), true
}

// isReply reports whether err is an error reply of a server.
func isReply(err error) bool {
	_, ok := replyText(err)
	return ok
}

// scriptError returns what a caller gets for an error of go-redis: an [*Error]
// where a server replied with one, and everything else untouched.
func scriptError(s *Script, err error) error {
	text, ok := replyText(err)
	if !ok {
		return err
	}
	if strings.HasPrefix(text, "redis: ") {
		return err // go-redis's own, as redis.TxFailedErr
	}
	return parseError(s, err)
}

// parseError makes an Error of the redis.Error in err. s may be nil.
func parseError(s *Script, err error) *Error {
	text, _ := replyText(err)
	e := &Error{Code: "ERR", cause: err}
	if s != nil {
		e.Script = s.Name
	}
	text, line := cutSuffix(text)
	if code, rest, ok := cutCode(text); ok {
		e.Code, text = code, rest
	}
	if rest, ok := strings.CutPrefix(text, "Error running script (call to f_"); ok && e.Code == "ERR" {
		text, line = cutRunning(rest)
		if code, rest, ok := cutCode(strings.TrimPrefix(text, "-")); ok {
			e.Code, text = code, rest
		}
	}
	if rest, ok := strings.CutPrefix(text, "Error compiling script (new function): "); ok {
		rest, line = cutPosition(rest, line)
		text = "compiling: " + rest
	} else {
		text, line = cutPosition(text, line)
	}
	if rest, _, ok := strings.Cut(text, ", with args beginning with:"); ok && strings.HasPrefix(text, "unknown command") {
		text = rest // the arguments are not for messages
	}
	e.Message = text
	if line > 0 && s != nil {
		e.File, e.Line = s.origin(line)
	}
	return e
}

// cutCode splits an error code off: a first word of capitals, digits, - and _.
func cutCode(text string) (code, rest string, ok bool) {
	code, rest, _ = strings.Cut(text, " ")
	if code == "" || code[0] < 'A' || code[0] > 'Z' {
		return "", text, false
	}
	for i := range len(code) {
		switch c := code[i]; {
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '-':
		default:
			return "", text, false
		}
	}
	return code, rest, true
}

// cutSuffix splits " script: <digest>, on @user_script:3." off.
func cutSuffix(text string) (rest string, line int) {
	const before, between = " script: ", ", on "
	at := strings.LastIndex(text, before)
	if at < 0 {
		return text, 0
	}
	_, where, ok := strings.Cut(text[at+len(before):], between)
	if !ok {
		return text, 0
	}
	return text[:at], positionLine(strings.TrimSuffix(where, "."))
}

// positionLine returns the line of "@user_script:3", and 0 for a line of
// another chunk, such as Redis's own.
func positionLine(where string) int {
	n, ok := strings.CutPrefix(strings.TrimPrefix(where, "@"), "user_script:")
	if !ok {
		return 0
	}
	line, err := strconv.Atoi(strings.TrimSpace(n))
	if err != nil || line < 0 {
		return 0
	}
	return line
}

// cutRunning splits off what stands behind "Error running script (call to f_"
// in the errors of Redis 6.2: the digest and "@user_script:3: ".
func cutRunning(text string) (rest string, line int) {
	_, rest, ok := strings.Cut(text, "): ")
	if !ok {
		return text, 0
	}
	rest = strings.Replace(rest, "@user_script: ", "@user_script:", 1) // before 6.2
	if where, message, ok := strings.Cut(rest, ": "); ok && strings.HasPrefix(where, "@") {
		return message, positionLine(where)
	}
	return rest, 0
}

// cutPosition splits a leading "user_script:3: " off. It says where the error
// was raised when line is not known from elsewhere.
func cutPosition(text string, line int) (string, int) {
	where, message, ok := strings.Cut(text, ": ")
	if !ok {
		return text, line
	}
	at := positionLine(where)
	if at == 0 {
		return text, line
	}
	if line == 0 {
		line = at
	}
	return message, line
}

// isUnknownScript reports whether the server did not run a script because it
// does not know its digest. The text is compared, not the code alone: a script
// may reply with a NOSCRIPT of its own, and it has run then.
func isUnknownScript(err error) bool {
	text, ok := replyText(err)
	if !ok {
		return false
	}
	text = strings.TrimPrefix(text, "ERR ")
	return strings.HasPrefix(text, "NOSCRIPT No matching script") && !strings.Contains(text, " script: ")
}
