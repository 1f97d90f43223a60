package analysis

// This file implements the view that rules have of a script: what the
// interpreter saw of each expression, statement and call. It is recorded only
// when Examine asks for it.

import (
	"slices"
	"strings"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/diag"
	"github.com/luagen/luagen/internal/script"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// Kinds is a set of Lua types.
type Kinds = kinds

// The members of Kinds. Nil is split in two: Absent is that of a slot that the
// caller left out.
const (
	Nil      = kNil
	Absent   = kAbsent
	False    = kFalse
	True     = kTrue
	Number   = kNumber
	String   = kString
	Table    = kTable
	Function = kFunc
	Other    = kOther // userdata, as cjson.null, and threads
)

// Contents is a set of properties that tables may have where an expression
// gives them.
type Contents uint16

// The members of Contents.
const (
	ContentsUnknown Contents = 1 << iota // nothing is known of it, or it is a library, KEYS or ARGV
	HasElements                          // it may have elements
	HasPairs                             // it is an array of keys and values in turn, as HGETALL replies
	HasFields                            // it has fields under other known names than ok and err
	HasOther                             // it has entries under other keys
	HasOk                                // it has the field ok
	HasErr                               // it has the field err
	HasTyped                             // it has a field that makes a reply of another type: map, set, double, ...
	HasHole                              // an element before its last may be nil
	IsEmpty                              // it may be empty
)

// Value is all that an expression may give, in any round and call. The zero
// Value is of an expression that is never evaluated.
type Value struct {
	v        *value
	contents Contents
	sites    []*site
}

// Reply stands for the replies of one call.
type Reply struct {
	Command *command.Command
	Node    *syntax.CallExpr // may be nil
}

// Call is one call of redis.call or redis.pcall, as it was made from one place.
// A helper that is called from several places gives several.
type Call struct {
	Node      *syntax.CallExpr // the call, or what calls the function that makes it with its own arguments; nil when that is not known
	Inner     *syntax.CallExpr // the call of redis.call itself
	Protected bool             // redis.pcall
	Name      string           // upper case, as far as it is one word; empty when it is not literal
	Command   *command.Command // nil when the name is not known
	Match     *command.Match   // nil without Command
	Used      int              // how many arguments name the command
	Args      []Value          // all arguments, the name too
	Exprs     []syntax.Expr    // of Args, where they are written in Inner; nil elsewhere
	Open      bool             // any number of further arguments follow
	Loop      bool             // it is in a loop
	Caught    bool             // it is made inside pcall
	Resp3     bool             // redis.setresp(3) may be in force
}

// Slot is one place of KEYS or ARGV.
type Slot struct {
	Argv  bool
	Index int // from 1; 0 for those that a loop walks
}

// SlotRead is a read of a slot.
type SlotRead struct {
	Slot
	Pos source.Pos
}

// Allow is an @allow tag.
type Allow struct {
	Rule, Reason string
	Span         source.Span // of the rule's name
}

// Result is what Examine finds.
type Result struct {
	File        *source.File
	Chunk       *syntax.Chunk
	Target      command.Target
	Script      *script.Script // nil when there are errors
	Diagnostics []diag.Diagnostic
	Complete    bool    // the whole script was followed; otherwise there are no values and no calls
	Calls       []*Call // in the order they are made
	Reads       []SlotRead
	Allows      []Allow
	KeyTags     int          // how many @key tags there are
	ArgTags     int          // how many @arg tags there are
	KeysRest    bool         // the last @key has ...
	ArgsRest    bool         // the last @arg has ...
	Readonly    *source.Span // the tag @readonly; nil without

	view *view
}

// Examine is Analyze for rules: it also tells what the script does at each
// place. The chunk has everything that could be parsed; without a script there
// are no values.
func Examine(file *source.File, o Options) *Result {
	chunk, diags := syntax.Parse(file)
	if o.Target == (command.Target{}) {
		o.Target = command.Default
	}
	r := &Result{File: file, Chunk: chunk, Target: o.Target, Diagnostics: diags, view: newView(len(file.Text))}
	if diag.HasErrors(diags) {
		return r
	}
	a := &analyzer{file: file, chunk: chunk, options: o, diags: diags, view: r.view}
	s := a.script()
	r.Diagnostics = a.diags
	if !diag.HasErrors(a.diags) {
		r.Script = s
	}
	for _, t := range a.tags.allows {
		r.Allows = append(r.Allows, Allow{t.rule, t.reason, t.span})
	}
	r.KeyTags, r.KeysRest = countTags(a.tags.keys)
	r.ArgTags, r.ArgsRest = countTags(a.tags.args)
	r.Readonly = a.tags.readonly
	for _, f := range a.in.facts {
		if f.kind == factRead {
			r.Reads = append(r.Reads, SlotRead{Slot{f.ref.argv, f.ref.index}, f.pos})
		}
	}
	a.in.runUncalled()
	r.Complete = a.in.gaveUp == ""
	if r.Complete {
		r.Calls = r.view.calls
	} else {
		r.view = newView(0)
	}
	return r
}

func countTags(list []slotTag) (n int, rest bool) {
	return len(list), len(list) > 0 && list[len(list)-1].variadic
}

// Value returns what an expression may give.
func (r *Result) Value(e syntax.Expr) Value { return r.view.values[e] }

// Broken tells whether the text itself could not be read.
func (r *Result) Broken() bool { return r.Chunk.Refusal != nil }

// Reached tells whether a statement may run. All may, when the script could not
// be followed.
func (r *Result) Reached(s syntax.Stmt) bool { return !r.Complete || r.view.reached[s] }

// Builtin returns the library function that a call calls, as string.format or
// tonumber; empty when it is none or not sure.
func (r *Result) Builtin(call *syntax.CallExpr) string {
	if call.Method != nil {
		return ""
	}
	return r.Value(call.Fun).Builtin()
}

// Evaluated tells whether the expression is ever evaluated.
func (v Value) Evaluated() bool { return v.v != nil && v.v.kinds != 0 }

// Is tells whether it can be of no other kinds than k.
func (v Value) Is(k Kinds) bool { return v.v != nil && v.v.is(k) }

// May tells whether it may be of kinds k.
func (v Value) May(k Kinds) bool { return v.v != nil && v.v.may(k) }

// Reply returns whose reply it is, or is a part of, or was converted to a
// number from; nil when it may be something else, but for nil.
func (v Value) Reply() *Reply {
	if v.v == nil {
		return nil
	}
	return v.v.reply
}

// Texts returns the only strings that it may be, where they are known.
func (v Value) Texts() []string {
	if !v.May(String) {
		return nil
	}
	return v.v.str.lits
}

// Text returns the one string that it is.
func (v Value) Text() (string, bool) {
	if v.v == nil {
		return "", false
	}
	return v.v.literalString()
}

// Numbers returns the only numbers that it may be, where they are known.
func (v Value) Numbers() []float64 {
	if !v.May(Number) {
		return nil
	}
	return v.v.num.lits
}

// Integral tells whether the numbers that it may be have no fraction.
func (v Value) Integral() bool {
	if !v.May(Number) {
		return false
	}
	for _, n := range v.v.num.lits {
		if n != float64(int64(n)) {
			return false
		}
	}
	return v.v.num.integral || v.v.num.lits != nil
}

// Numeric tells whether the strings that it may be hold numbers.
func (v Value) Numeric() bool {
	if !v.May(String) {
		return false
	}
	k := v.v.str.kindOf()
	return k == textInt || k == textFloat
}

// Slots returns the slots that it stands for, and whether it is nothing but one
// of them, perhaps converted to a number.
func (v Value) Slots() (slots []Slot, exact bool) {
	if v.v == nil {
		return nil, false
	}
	for _, r := range v.v.refs() {
		slots = append(slots, Slot{r.argv, r.index})
	}
	return slots, v.v.from != nil && v.v.from.exact
}

// Prefix returns the text that a concatenation begins with.
func (v Value) Prefix() string {
	if v.v == nil || v.v.from == nil {
		return ""
	}
	return v.v.from.prefix
}

// Builtin returns the one library function that it is.
func (v Value) Builtin() string {
	if v.v == nil || !v.v.is(kFunc) || len(v.v.funcs) != 1 {
		return ""
	}
	return v.v.funcs[0].builtin
}

// Functions returns the Lua functions that it may be, and whether it is sure to
// be one of them.
func (v Value) Functions() (list []*syntax.Func, sure bool) {
	if v.v == nil {
		return nil, false
	}
	for _, f := range v.v.funcs {
		if f.code != nil {
			list = append(list, f.code)
		}
	}
	return list, v.v.is(kFunc) && len(list) > 0 && len(list) == len(v.v.funcs)
}

// Contents returns what is in the tables that it may be.
func (v Value) Contents() Contents { return v.contents }

// SameTable tells whether two values may be one table that the script made.
func (v Value) SameTable(w Value) bool {
	return slices.ContainsFunc(v.sites, func(s *site) bool { return slices.Contains(w.sites, s) })
}

// Equal tells whether v == w has only one outcome, and which.
func Equal(v, w Value) (equal, sure bool) {
	if !v.Evaluated() || !w.Evaluated() {
		return false, false
	}
	return definite(v.v, w.v)
}

// String writes the kinds for people, as "a string or nil".
func (v Value) String() string {
	if !v.Evaluated() {
		return "nothing"
	}
	var words []string
	for _, k := range []struct {
		kinds kinds
		word  string
	}{{kTable, "a table"}, {kString, "a string"}, {kNumber, "a number"}, {kFunc, "a function"}, {kOther, "userdata"}} {
		if v.v.may(k.kinds) {
			words = append(words, k.word)
		}
	}
	switch {
	case v.v.may(kTrue) && v.v.may(kFalse):
		words = append(words, "a boolean")
	case v.v.may(kTrue):
		words = append(words, "true")
	case v.v.may(kFalse):
		words = append(words, "false")
	}
	if v.v.may(kMissing) {
		words = append(words, "nil")
	}
	if n := len(words); n > 1 {
		return strings.Join(words[:n-1], ", ") + " or " + words[n-1]
	}
	return words[0]
}

// view is what the interpreter records.
type view struct {
	values   map[syntax.Expr]Value
	reached  map[syntax.Stmt]bool
	calls    []*Call
	replies  map[replyKey]*Reply
	replying *Reply // what the values of a reply that is being built are part of
}

type replyKey struct {
	node    any
	command *command.Command
}

// newView makes the view of a script of so many bytes.
func newView(size int) *view {
	return &view{values: make(map[syntax.Expr]Value, size/12), reached: make(map[syntax.Stmt]bool, size/60), replies: map[replyKey]*Reply{}}
}

// mark returns how many calls there are, for rewind.
func (w *view) mark() int {
	if w == nil {
		return 0
	}
	return len(w.calls)
}

// rewind forgets the calls of a loop's unfinished round, which saw only a part
// of the values. What is known of expressions only grows, so it stays.
func (w *view) rewind(mark int) {
	if w != nil {
		w.calls = w.calls[:mark]
	}
}

func (w *view) reply(node any, c *command.Command) *Reply {
	key := replyKey{node, c}
	r, ok := w.replies[key]
	if !ok {
		call, _ := node.(*syntax.CallExpr)
		r = &Reply{c, call}
		w.replies[key] = r
	}
	return r
}

// marked returns v as a part of the reply that is being built.
func (w *view) marked(v *value) *value {
	if w == nil || w.replying == nil || v.reply == w.replying {
		return v
	}
	r := *v
	r.reply = w.replying
	return &r
}

func joinReply(a, b *value) *Reply {
	switch {
	case a.reply == b.reply:
		return a.reply
	case a.reply == nil && a.is(kMissing):
		return b.reply
	case b.reply == nil && b.is(kMissing):
		return a.reply
	}
	return nil
}

// see records that an expression gave v.
func (in *interp) see(e syntax.Expr, v *value) {
	if v.kinds == 0 || in.st == nil {
		return
	}
	old, ok := in.view.values[e]
	if !ok {
		in.view.values[e] = in.viewed(v)
		return
	}
	if old.v == v && !v.may(kTable) {
		return
	}
	now := in.viewed(v)
	now.v = join(old.v, v)
	now.contents |= old.contents
	now.sites = joinSites(old.sites, now.sites)
	in.view.values[e] = now
}

// viewed is v as rules see it in the current state.
func (in *interp) viewed(v *value) Value {
	r := Value{v: v}
	if !v.may(kTable) {
		return r
	}
	if v.unknownTable() {
		r.contents = ContentsUnknown
	}
	r.sites = v.sites
	for _, s := range v.sites {
		r.contents |= in.st.object(s).contents()
	}
	return r
}

func (o *object) contents() Contents {
	if o.any || o.slots != nil || o.lib != "" {
		return ContentsUnknown
	}
	var c Contents
	if len(o.seq) > 0 || o.rest != nil {
		c |= HasElements
	}
	for i, v := range o.seq {
		if v.may(kNil) && (i < len(o.seq)-1 || o.rest != nil) {
			c |= HasHole
		}
	}
	if o.flat != nil {
		c |= HasPairs
	}
	if o.dyn != nil {
		c |= HasOther
	}
	for name, v := range o.fields {
		switch {
		case v.is(kMissing):
		case name == "ok":
			c |= HasOk
		case name == "err":
			c |= HasErr
		case name == "map", name == "set", name == "double", name == "big_number", name == "verbatim_string":
			c |= HasTyped
		default:
			c |= HasFields
		}
	}
	if len(o.seq) == 0 {
		c |= IsEmpty
	}
	return c
}

// seeCall records a call of redis.call.
func (in *interp) seeCall(c *Call, args multi, node any) {
	if in.view == nil {
		return
	}
	c.Inner, _ = node.(*syntax.CallExpr)
	c.Node = c.Inner
	c.Open = args.open != nil
	c.Loop = in.frame.loops > 0
	c.Caught = in.weak > 0
	c.Resp3 = in.st.resp&resp3 != 0
	for _, v := range args.vals {
		c.Args = append(c.Args, in.viewed(v))
	}
	if c.Inner != nil {
		c.Exprs = in.written(c.Inner, len(args.vals))
		if len(c.Inner.Args) > 0 {
			if _, passed := c.Inner.Args[0].(*syntax.VarargExpr); passed && in.frame.call != nil {
				c.Node = in.frame.call
			}
		}
	}
	in.view.calls = append(in.view.calls, c)
}

// written returns the expressions of a call's arguments, as far as each gives
// one; pcall's own function is none of them.
func (in *interp) written(call *syntax.CallExpr, n int) []syntax.Expr {
	list := call.Args
	if f := in.view.values[call.Fun]; f.Builtin() == "pcall" && len(list) > 0 {
		list = list[1:]
	}
	exprs := make([]syntax.Expr, n)
	for i := range min(n, len(list)) {
		if i == len(list)-1 && n > len(list) {
			break
		}
		exprs[i] = list[i]
	}
	return exprs
}

// runUncalled runs the functions that nothing called, as callbacks of the
// library are, with arguments and a surrounding of which nothing is known.
func (in *interp) runUncalled() {
	if in.gaveUp != "" {
		return
	}
	defer in.giveUp()
	for list := in.uncalled(); len(list) > 0; list = in.uncalled() {
		for _, f := range list {
			in.runAlone(f)
		}
	}
}

// uncalled returns the functions whose bodies were never reached, without those
// inside of them.
func (in *interp) uncalled() []*syntax.Func {
	var list []*syntax.Func
	syntax.Inspect(in.chunk.Main.Body, func(n syntax.Node) bool {
		f, ok := n.(*syntax.Func)
		if ok && len(f.Body.Stmts) > 0 && !in.view.reached[f.Body.Stmts[0]] {
			list = append(list, f)
			return false
		}
		return true
	})
	return list
}

func (in *interp) runAlone(f *syntax.Func) {
	in.indexLocals(f)
	in.st = &state{resp: resp2 | resp3}
	for _, c := range in.globals {
		in.st.setCell(c, vAny)
	}
	in.breaks = nil
	in.frame = &frame{fn: f, base: in.nextCell, caller: &frame{}, loops: 1, args: multi{open: vAny}}
	in.nextCell += len(f.Locals)
	in.parameters(in.frame, in.frame.args)
	in.block(f.Body)
}
