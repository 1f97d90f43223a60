package redislua

import (
	"context"
	"errors"
	"io"
	"testing"

	"github.com/redis/go-redis/v9"
)

// The texts of Redis 6.2, 7 and 8 and of Valkey 8 and 9.
func TestErrorTexts(t *testing.T) {
	t.Parallel()
	s := &Script{Name: "Move", File: "lua/move.lua", Lines: []LineOrigin{
		{Line: 1, File: "lua/move.lua", At: 1}, {Line: 3, File: "lua/lib/queue.lua", At: 1}, {Line: 10, File: "lua/move.lua", At: 4},
	}}
	const sha = "61636018f4e6b5817b89791bbed242f93fa089e3"
	for _, c := range []struct{ text, want string }{
		{"WRONGTYPE Operation against a key holding the wrong kind of value script: " + sha + ", on @user_script:2.",
			"Move: WRONGTYPE Operation against a key holding the wrong kind of value (lua/move.lua:2)"},
		{"ERR user_script:4: attempt to index local 'x' (a nil value) script: " + sha + ", on @user_script:4.",
			"Move: ERR attempt to index local 'x' (a nil value) (lua/lib/queue.lua:2)"},
		{"ERR user_script:12: boom script: no script: " + sha + ", on @user_script:12.",
			"Move: ERR boom script: no (lua/move.lua:6)"},
		{"ERR Error compiling script (new function): user_script:10: unexpected symbol near '='",
			"Move: ERR compiling: unexpected symbol near '=' (lua/move.lua:4)"},
		{"ERR Error running script (call to f_" + sha + "): @user_script:3: WRONGTYPE Operation against a key",
			"Move: WRONGTYPE Operation against a key (lua/lib/queue.lua:1)"},
		{"ERR Error running script (call to f_" + sha + "): @user_script:2: user_script:2: attempt to call a nil value",
			"Move: ERR attempt to call a nil value (lua/move.lua:2)"},
		{"ERR Error running script (call to f_" + sha + "): @enable_strict_lua:15: user_script:2: Script attempted to access nonexistent global variable 'x'",
			"Move: ERR Script attempted to access nonexistent global variable 'x' (lua/move.lua:2)"},
		{"ERR Error running script (call to f_" + sha + "): @user_script: 2: -READONLY You can't write against a read only replica.",
			"Move: READONLY You can't write against a read only replica. (lua/move.lua:2)"},
		{"ERR Script attempted to access nonexistent global variable 'x' script: " + sha + ", on @enable_strict_lua:8.",
			"Move: ERR Script attempted to access nonexistent global variable 'x'"},
		{"ERR unknown command 'evalsha_ro', with args beginning with: '" + sha + "' '1' 'key' 'secret' ",
			"Move: ERR unknown command 'evalsha_ro'"},
		{"BUSY the lock is taken", "Move: BUSY the lock is taken"},
		{"NOT_FOUND", "Move: NOT_FOUND"},
		{"not found", "Move: ERR not found"},
		{"ERR", "Move: ERR"},
		{"", "Move: ERR"},
	} {
		err := scriptError(s, redisError(c.text))
		if err.Error() != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, err, c.want)
		}
		var reply redis.Error
		if !errors.As(err, &reply) || reply.Error() != c.text {
			t.Errorf("%s: go-redis does not know it again", c.text)
		}
	}
}

func TestErrorsThatAreNotReplies(t *testing.T) {
	t.Parallel()
	for _, err := range []error{nil, io.EOF, context.Canceled, redis.TxFailedErr, redis.ErrClosed} {
		if got := scriptError(&Script{}, err); got != err {
			t.Errorf("%v became %v", err, got)
		}
	}
}

// A script that replies with a NOSCRIPT of its own has run.
func TestOnlyTheServersNOSCRIPTIsRecoveredFrom(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"NOSCRIPT No matching script. Please use EVAL.":     true,
		"NOSCRIPT No matching script.":                      true,
		"ERR NOSCRIPT No matching script. Please use EVAL.": true, // Kvrocks
		"NOSCRIPT I say so":                                 false,
		"NOSCRIPT No matching script. script: 61636018f4e6b5817b89791bbed242f93fa089e3, on @user_script:2.": false,
		"WRONGTYPE x": false,
	} {
		if got := isUnknownScript(redisError(text)); got != want {
			t.Errorf("%s: %t", text, got)
		}
	}
	if isUnknownScript(nil) || isUnknownScript(io.EOF) {
		t.Error("no reply is a NOSCRIPT")
	}
}

// An error may come as a string under RESP3.
func TestErrorAsAString(t *testing.T) {
	t.Parallel()
	r := reply{raw: []byte("!11\r\nBUSY longer\r\n")}
	if _, err := r.value(); !errors.Is(scriptError(&Script{}, err), Code("BUSY")) {
		t.Error(err)
	}
}

// Whatever a script replies with, its error can be read.
func FuzzErrorText(f *testing.F) {
	f.Add("WRONGTYPE x script: 61636018f4e6b5817b89791bbed242f93fa089e3, on @user_script:2.")
	f.Add("ERR Error running script (call to f_6163): @user_script: 2: -READONLY x")
	f.Add("ERR user_script:1: x script: ")
	s := &Script{Name: "S", File: "s.lua"}
	f.Fuzz(func(t *testing.T, text string) {
		e := parseError(s, redisError(text))
		if e.Error() == "" || e.Code == "" || e.Line < 0 || e.Unwrap().Error() != text {
			t.Errorf("%q became %#v", text, e)
		}
	})
}

// Whatever bytes come, the parser ends, without a panic.
func FuzzReply(f *testing.F) {
	for _, seed := range []string{":1\r\n", "+OK\r\n", "$3\r\nabc\r\n", "$-1\r\n", "*2\r\n:1\r\n-ERR x\r\n", "%1\r\n+a\r\n,0.5\r\n",
		"~1\r\n#t\r\n", "_\r\n", "(12\r\n", "=5\r\ntxt:a\r\n", "!3\r\nERR\r\n", "|1\r\n+a\r\n:1\r\n:2\r\n", "*-1\r\n", "*9999999999\r\n", "$9223372036854775807\r\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		r := reply{raw: raw}
		v, err := r.value()
		if err == nil {
			_, _ = v.String(), v.Any()
		}
	})
}
