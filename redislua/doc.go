// Package redislua is the runtime that generated wrappers call: it sends Redis
// Lua scripts through go-redis and decodes their replies.
//
// Users meet [Client], [Option], [Caller], [Error], [Future] and [Registry]; the
// rest is for generated code, which is ordinary code and may be written by hand
// as well.
//
// # A call
//
// A call names its script by the digest that was computed when the code was
// generated (nothing here computes SHA-1, so it runs where only FIPS 140
// algorithms are allowed). Where the server does not know it, the script is
// loaded by SCRIPT LOAD into the node that owns the first key, or into the
// replica that a read-only script is sent to, and called by digest again. All
// calls that wait for the same script on the same node share one load; each of
// them heeds its own context. Where loading is refused, which is remembered for
// a minute, where a call has no keys and so goes to any node, and where the
// digest is gone again, the text goes with the call, by EVAL, which cannot
// meet an unknown script.
//
// # What is sent again
//
// A script that writes is sent to a server once. After a network error nobody
// knows whether it was run, so the caller gets that error, untouched. It is
// sent again only when it certainly was not run: no connection came about, the
// server said NOSCRIPT, or said that it runs nothing at present (LOADING,
// CLUSTERDOWN, MASTERDOWN, TRYAGAIN, READONLY), or redirected it. Scripts that
// are read-only, or idempotent as their author says, are sent again after
// network errors too, by go-redis and under its options. Read-only scripts are
// sent by EVALSHA_RO and EVAL_RO, except to servers that do not know these.
//
// # Transactions
//
// Nothing comes between the commands of a transaction. The first call of each
// script in it carries the text, which makes the digest known to those behind
// it, whatever was flushed before; so a transaction meets no unknown script, and
// carries each text once.
//
// # Pipelines
//
// Between two commands of a pipeline other clients may do anything, a SCRIPT
// FLUSH included, and then load scripts again. Of two calls by digest the first
// may be refused and the second run; and once it has run, nothing puts them
// back into order. So two kinds are told apart:
//
//   - Calls that share a key with another one of the pipeline carry their text,
//     each of them. None is ever refused and the server runs them in the order
//     queued. The same goes for all calls where one of them has no keys.
//   - Calls that share no key with another one go by digest. Should one be
//     refused, it is sent again behind the pipeline, its script loaded. Nothing
//     that it declares to touch was touched meanwhile by a call queued behind
//     it, so the outcome is that of the order queued.
//
// The second kind rests on scripts touching only the keys that they declare, as
// a cluster demands. Where they publish messages or touch other keys, and order
// among them matters, [RecoverByEval] sends texts alone. A long script called
// many times on one key is better called in a transaction, which carries its
// text once, or deployed by [Registry.Load] and called with [RecoverNever].
//
// Calls queued [Into] a user's own pipeline always carry their text: what else
// is in it is not known.
//
// In a cluster a pipeline is split by node, as go-redis does it, and what is said
// above holds for each node. A call that was not run because the node runs
// nothing at present is sent again behind the pipeline too, unless a call queued
// behind it that shares a key has run; then it fails. A transaction is sent
// again as a whole or not at all.
//
// # Replies
//
// Replies are read as the server sent them, not through go-redis's generic
// command, and mean the same under RESP2 and RESP3. nil and false are absent
// values where the signature allows for that and a [*ReplyError] elsewhere;
// redis.Nil does not occur.
package redislua

// SupportsGen1 is referred to by generated code of the first generation, so
// that generated code and a runtime that do not fit do not compile together.
// If this name is undefined, update github.com/luagen/luagen in go.mod; if a
// later one is, run luagen generate again.
const SupportsGen1 = true
