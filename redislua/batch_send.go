// This file implements sending a Batch, and sending again what certainly was
// not run.

package redislua

import (
	"context"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"
)

// send sends the calls. Those that were not run are sent again behind it, as
// long as that keeps their order.
func (b *Batch) send(ctx context.Context, l *lists) error {
	if b.into != nil {
		_, err := b.into.Exec(ctx)
		return err
	}
	c := b.caller
	sent := c.loads.Load()
	calls, forms := l.queued, b.forms(l)
	recovered := false
	for n := 0; ; n++ {
		err := b.sendOnce(ctx, l, calls, forms)
		if err == nil {
			c.know(calls)
			return nil
		}
		if calls = b.notRun(calls); len(calls) == 0 || n > c.retries+2 {
			c.mayHaveMoved(ctx, !isReply(err))
			return err
		}
		unknown := slices.DeleteFunc(slices.Clone(calls), func(p pending) bool { return !p.entry().unknown() })
		if len(unknown) < len(calls) { // others were told that nothing is run at present
			c.mayHaveMoved(ctx, true)
			if n >= c.retries {
				calls = unknown
			} else if c.pause(ctx, n) != nil {
				return err
			}
		}
		if len(calls) == 0 {
			return err
		}
		forms = b.formsAgain(l, calls)
		if len(unknown) == 0 {
			continue
		}
		// Loading is tried once; behind it the text goes with every call.
		loaded := false
		if !recovered {
			if loaded, err = c.loadAll(ctx, unknown, sent); err != nil {
				return failAll(unknown, err)
			}
		}
		recovered = true
		if !loaded {
			for i := range forms {
				forms[i] = byText
			}
		}
	}
}

// formsAgain chooses the forms for some of the calls.
func (b *Batch) formsAgain(l *lists, calls []pending) []form {
	again := &lists{queued: calls, forms: l.forms, keys: l.keys}
	return b.forms(again)
}

// mayHaveMoved has the client look for its nodes again.
func (c *Caller) mayHaveMoved(ctx context.Context, may bool) {
	if may && c.moved != nil {
		c.moved(ctx)
	}
}

// sendOnce sends some of the calls, each in its form, or all by digest when
// forms is nil.
func (b *Batch) sendOnce(ctx context.Context, l *lists, all []pending, forms []form) error {
	var pipe redis.Pipeliner
	if b.tx {
		pipe = b.caller.client.TxPipeline()
	} else {
		pipe = b.caller.client.Pipeline()
	}
	l.cmds = l.cmds[:0]
	for i, p := range all {
		f := byDigest
		if forms != nil {
			f = forms[i]
		}
		q := p.entry()
		q.makeCommand(ctx, b.caller, f)
		l.cmds = append(l.cmds, q.cmd)
	}
	if err := pipe.BatchProcess(ctx, l.cmds...); err != nil {
		return err
	}
	_, err := pipe.Exec(ctx)
	return err
}

// unknown reports whether the call was not run because its script was unknown.
func (q *queued) unknown() bool { return isUnknownScript(q.cmd.Err()) }

// notRun returns the calls that certainly were not run and that can be run now
// in the order queued: no call behind one of them that shares a key with it may
// have been run. Of a transaction that is all of it or nothing.
func (b *Batch) notRun(calls []pending) []pending {
	if b.tx {
		if b.caller.noneRan(calls) {
			return calls
		}
		return nil
	}
	var left []pending // in reverse
	passed := make(map[string]bool)
	anyRan, keylessRan := false, false
	for _, p := range slices.Backward(calls) {
		q := p.entry()
		err := q.cmd.Err()
		unknown := isUnknownScript(err) && b.caller.options.recovery != RecoverNever
		refused := neverRan(err) || b.caller.lacksReadOnly(q.call.script, err)
		keys := q.call.sentKeys()
		late := keylessRan || len(keys) == 0 && anyRan
		for _, k := range keys {
			late = late || passed[k.(string)]
		}
		if (unknown || refused) && !late {
			q.recovered = q.recovered || unknown
			left = append(left, p)
			continue
		}
		anyRan, keylessRan = true, keylessRan || len(keys) == 0
		for _, k := range keys {
			passed[k.(string)] = true
		}
	}
	slices.Reverse(left)
	return left
}

// noneRan reports whether certainly no call was run: each failed because
// nothing is run at present, or because the transaction was aborted by one that
// failed so.
func (c *Caller) noneRan(calls []pending) bool {
	some := false
	for _, p := range calls {
		q := p.entry()
		if err := q.cmd.Err(); neverRan(err) || c.lacksReadOnly(q.call.script, err) {
			some = true
		} else if err == nil || !isAborted(err) {
			return false
		}
	}
	return some
}

func isAborted(err error) bool {
	text, ok := replyText(err)
	return ok && strings.HasPrefix(text, "EXECABORT ")
}

func failAll(all []pending, err error) error {
	for _, p := range all {
		p.entry().cmd.SetErr(err)
	}
	return err
}

// loadAll loads the scripts of the calls into their nodes. It returns false
// when one of them must go as text.
func (c *Caller) loadAll(ctx context.Context, all []pending, sent uint64) (bool, error) {
	if c.options.recovery != RecoverByLoad {
		return false, nil
	}
	tried := make(map[placement]bool)
	for _, p := range all {
		q := p.entry()
		node, err := c.node(ctx, q.call)
		if err != nil {
			return false, err
		}
		at := placement{digest: q.call.script.SHA1}
		if node != nil {
			at.node = node.Options().Addr
		}
		if tried[at] {
			continue
		}
		tried[at] = true
		if loaded, err := c.load(ctx, node, q.call.script, sent); !loaded || err != nil {
			return false, err
		}
	}
	return true, nil
}
