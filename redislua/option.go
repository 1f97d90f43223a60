// This file implements the options of a Caller.

package redislua

// Option changes how a [Caller] works.
type Option func(*options)

type options struct {
	recovery Recovery
	observer Observer
}

// Recovery says what happens when a server does not know a script.
type Recovery uint8

const (
	// RecoverByLoad sends SCRIPT LOAD to the node and calls by digest again.
	// Where loading is refused, by an ACL or a proxy, it is RecoverByEval.
	RecoverByLoad Recovery = iota
	// RecoverByEval sends the text with the call, by EVAL. From Redis 7.4 on a
	// server forgets the oldest of more than 500 scripts that came this way.
	RecoverByEval
	// RecoverNever never sends the text: the scripts are deployed beforehand,
	// by [Registry.Load]. Calls of one that is missing fail with NOSCRIPT, in
	// pipelines as well, which then go by digest alone.
	RecoverNever
)

// WithRecovery chooses what happens when a server does not know a script. The
// default is RecoverByLoad.
func WithRecovery(r Recovery) Option { return func(o *options) { o.recovery = r } }

// WithObserver has f told of every call. Without one nothing is measured.
func WithObserver(f Observer) Option { return func(o *options) { o.observer = f } }
