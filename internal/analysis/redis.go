package analysis

// This file implements the redis library: commands, their replies as Lua sees
// them, and errors.

import (
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/command"
	"github.com/luagen/luagen/internal/syntax"
)

func (in *interp) redis(name string, args multi, call *syntax.CallExpr, node any) multi {
	x := args.first()
	switch name {
	case "call":
		r := in.command(args, node, false)
		if call != nil && call.Method == nil && len(call.Args) <= len(args.vals) {
			for i, e := range call.Args {
				if v := args.vals[i]; !v.unknownTable() { // a union of scalars says no more than any
					in.survives(e, v, kPassed)
				}
			}
		}
		return r
	case "pcall":
		r := in.command(args, node, true)
		if in.st == nil {
			return r
		}
		r.vals[0] = join(r.vals[0], in.errorTable(siteOf{node, "error"}, vString))
		return r
	case "error_reply":
		return single(in.errorTable(node, errorText(x)))
	case "status_reply":
		return single(in.alloc(node, (&object{}).withField("ok", x)))
	case "sha1hex":
		in.useString(x)
		return single(vString)
	case "setresp":
		switch n, ok := x.literalInt(); {
		case ok && n == 3:
			in.st.resp = resp3
		case ok && n == 2:
			in.st.resp = resp2
		default:
			in.st.resp = resp2 | resp3
		}
		return multi{}
	case "log":
		for _, v := range args.vals[min(1, len(args.vals)):] {
			in.useString(v)
		}
		return multi{}
	case "acl_check_cmd", "breakpoint", "replicate_commands":
		return single(vBool)
	case "set_repl", "debug":
		return multi{}
	}
	return in.unknownCall(args, "redis."+name+" is not known")
}

// siteOf names one of several tables that a node makes.
type siteOf struct {
	node any
	path string
}

func (in *interp) errorTable(node any, message *value) *value {
	return in.alloc(node, (&object{}).withField("err", message))
}

// errorText is what redis.error_reply makes of its argument: a text of one
// word gets the code ERR (REDIS.md section 5: observed on 7.0.15).
func errorText(x *value) *value {
	s, ok := x.literalString()
	if !ok {
		if x.from != nil && x.from.prefix != "" {
			return vString.with(&origin{prefix: strings.TrimPrefix(x.from.prefix, "-")})
		}
		if len(x.str.lits) > 0 {
			r := &value{kinds: kString}
			for _, l := range x.str.lits {
				r.str.lits = append(r.str.lits, withCode(l))
			}
			return r
		}
		return vString
	}
	return stringLit(withCode(s))
}

func withCode(s string) string {
	s = strings.TrimPrefix(s, "-")
	if !strings.Contains(s, " ") {
		return "ERR " + s
	}
	return s
}

// raise notes the codes of an error that ends the script or a pcall.
func (in *interp) raise(v *value) {
	for _, s := range v.sites {
		if err, ok := in.st.object(s).fields["err"]; ok {
			in.noteCodes(err)
		}
	}
}

// noteCodes notes the code of an error reply.
func (in *interp) noteCodes(message *value) {
	if message.from != nil && message.from.prefix != "" {
		if word, _, ok := strings.Cut(message.from.prefix, " "); ok && isCode(word) {
			in.codes[word] = true
		}
	}
	for _, s := range message.str.lits {
		if word, _, _ := strings.Cut(s, " "); isCode(word) {
			in.codes[word] = true
		}
	}
}

func isCode(word string) bool {
	if word == "" || word == "ERR" {
		return false
	}
	for i := 0; i < len(word); i++ {
		c := word[i]
		if !(c == '_' || c >= 'A' && c <= 'Z' || i > 0 && c >= '0' && c <= '9') {
			return false
		}
	}
	return true
}

// command evaluates redis.call(args).
func (in *interp) command(args multi, node any, protected bool) multi {
	name := args.first()
	if len(args.vals) == 0 {
		in.did.dynamic = in.did.dynamic || args.open != nil
		return single(in.anyReply("the name of the command is not known before the call"))
	}
	if !name.is(kString) || len(name.str.lits) == 0 {
		in.did.dynamic = true
		in.noteAll(name, factString)
		in.seeCall(&Call{Protected: protected}, args, node)
		for _, v := range args.vals[1:] {
			in.useString(v)
		}
		return single(in.anyReply("the name of the command is not known before the call"))
	}
	r := vNever
	for _, n := range name.str.lits {
		r = join(r, in.oneCommand(n, args, node, protected))
	}
	if r.kinds == 0 {
		in.st = nil
		return multi{}
	}
	return single(r)
}

// anyReply is the reply of a command that is not known: no Lua function, never
// a slot's nil.
func (in *interp) anyReply(why string) *value {
	return in.because(vAny.only(kAll&^(kAbsent|kFunc|kOther)), why)
}

func (in *interp) oneCommand(name string, args multi, node any, protected bool) *value {
	call := make([]command.Arg, 0, len(args.vals)+1)
	call = append(call, command.Arg{Kind: command.Literal, Text: name})
	for _, v := range args.vals[1:] {
		call = append(call, argumentOf(v))
	}
	if args.open != nil {
		call = append(call, command.Arg{Kind: command.Rest})
	}
	upper := strings.ToUpper(name)
	in.did.names[upper] = true
	c, used := command.Find(call)
	seen := &Call{Name: upper, Protected: protected, Command: c, Used: used}
	if c == nil {
		for _, v := range args.vals[1:] {
			in.useString(v)
		}
		in.seeCall(seen, args, node)
		return in.anyReply("the command " + upper + " is not known")
	}
	in.did.writes = in.did.writes || c.Writes()
	m := c.Match(call[used:], in.target)
	seen.Match = &m
	in.seeCall(seen, args, node)
	for i := used; i < len(args.vals); i++ {
		r := m.Args[i-used]
		if i > used && r.Name == "value" && m.Args[i-used-1].Name == "field" {
			// HSET key owner ARGV[1]: the field says what the value is.
			if s, ok := args.vals[i-1].literalString(); ok && fieldWord(s) != "" {
				r.Name = s
			}
		}
		in.takes(args.vals[i], r, c, 0, 0)
	}
	if args.open != nil {
		in.takesRest(args, &m, c)
	}
	if in.view != nil {
		in.view.replying = in.view.reply(node, c)
		defer func() { in.view.replying = nil }()
	}
	return in.replyValue(c, &m, node)
}

// argumentOf says what is known of an argument's text.
func argumentOf(v *value) command.Arg {
	if s, ok := v.literalString(); ok {
		return command.Arg{Kind: command.Literal, Text: s}
	}
	if v.kinds == kNumber {
		if n, ok := v.literalInt(); ok {
			return command.Arg{Kind: command.Literal, Text: strconv.Itoa(n)}
		}
		return command.Arg{Kind: command.Number}
	}
	return command.Arg{Kind: command.Value}
}

// takes notes that a command takes v in a role.
func (in *interp) takes(v *value, r command.Role, c *command.Command, count, place int) {
	if v.from == nil {
		return
	}
	ro := role{command: c.Name, Role: r, count: count, place: place}
	for _, s := range v.from.refs {
		ro.direct = true
		in.note(fact{kind: factRole, ref: s, role: ro})
	}
	if r.Unit == command.NoUnit || len(v.from.refs) > 0 {
		return
	}
	ro.direct = false
	ro.sum = len(v.from.terms) > 1
	for _, t := range v.from.terms {
		ro.scale = t.scale
		in.note(fact{kind: factUnit, ref: t.ref, role: ro})
	}
}

// takesRest notes what a command takes the slots of an unpack for.
func (in *interp) takesRest(args multi, m *command.Match, c *command.Command) {
	period := max(m.Period(), 1)
	if args.walk == nil {
		return
	}
	for i := range period {
		w := *args.walk
		w.first += i
		w.stride = period
		if !w.known {
			w.stride = 1
		}
		count := 0
		if period > 1 {
			count = period
		}
		in.note(fact{kind: factRead, ref: w})
		in.note(fact{kind: factRole, ref: w, role: role{command: c.Name, Role: m.Tail(i), count: count, place: i, direct: true}})
	}
}

// replyValue is what redis.call gives for a reply.
func (in *interp) replyValue(c *command.Command, m *command.Match, node any) *value {
	r := vNever
	if in.st.resp&resp2 != 0 {
		r = in.shapesValue(m.Reply, 2, node)
	}
	if in.st.resp&resp3 != 0 {
		r = join(r, in.shapesValue(m.Reply, 3, node))
	}
	return r
}

func (in *interp) shapesValue(reply command.Reply, resp int, node any) *value {
	shapes := reply.Shapes(resp)
	if len(shapes) == 0 {
		return in.anyReply("the reply of this command is not known")
	}
	ordered := true
	for _, s := range reply.Shapes(3) {
		ordered = ordered && s.Kind != command.MapShape
	}
	r := vNever
	for i, s := range shapes {
		b := replyBuilder{in, node, resp, ordered}
		r = join(r, b.value(s, strconv.Itoa(resp)+"/"+strconv.Itoa(i)))
	}
	return r
}

// replyBuilder turns a reply's shape into the value that Redis makes of it
// (REDIS.md section 2).
type replyBuilder struct {
	in      *interp
	node    any
	resp    int
	ordered bool
}

func (b replyBuilder) value(s *command.Shape, path string) *value {
	v := b.present(s, path)
	if s.Nil || s.Kind == command.NullShape {
		if b.resp == 3 {
			v = join(v, vNil)
		} else {
			v = join(v, vFalse)
		}
	}
	return b.in.view.marked(v)
}

func (b replyBuilder) present(s *command.Shape, path string) *value {
	in := b.in
	switch s.Kind {
	case command.NullShape:
		return vNever
	case command.IntegerShape:
		v := &value{kinds: kNumber, num: number{integral: true}}
		if s.Min == 0 && s.Max == 1 {
			v.num.lits = []float64{0, 1}
		}
		return v
	case command.BulkShape:
		v := &value{kinds: kString}
		switch {
		case len(s.Words) > 0:
			v.str.lits = unionLits(s.Words, nil)
		case s.Holds == command.Integer:
			v.str.kind = textInt
		case s.Holds == command.Double:
			v.str.kind = textFloat
		}
		return v
	case command.StatusShape:
		v := &value{kinds: kString}
		if len(s.Words) > 0 {
			v.str.lits = unionLits(s.Words, nil)
		}
		return b.table(path, (&object{}).withField("ok", v))
	case command.ArrayShape:
		return b.table(path, &object{rest: b.value(s.Elems[0].Shape, path+"e")})
	case command.PairsShape:
		return b.table(path, &object{flat: &flat{
			key: b.value(s.Elems[0].Shape, path+"k"), val: b.value(s.Elems[1].Shape, path+"v"), ordered: b.ordered,
		}})
	case command.TupleShape:
		o := &object{}
		for i, e := range s.Elems {
			v := b.value(e.Shape, path+strconv.Itoa(i)+",")
			if e.Optional {
				v = join(v, vNil)
			}
			o.seq = append(o.seq, v)
			o.names = append(o.names, e.Name)
		}
		return b.table(path, o)
	case command.MapShape:
		m := &object{keys: b.value(s.Elems[0].Shape, path+"k"), dyn: b.value(s.Elems[1].Shape, path+"v")}
		return b.table(path+"m", (&object{}).withField("map", b.table(path, m)))
	case command.SetShape:
		m := &object{keys: b.value(s.Elems[0].Shape, path+"k"), dyn: vTrue}
		return b.table(path+"m", (&object{}).withField("set", b.table(path, m)))
	case command.DoubleShape:
		return b.table(path, (&object{}).withField("double", vNumber))
	case command.BoolShape:
		return vBool
	case command.VerbatimShape:
		return b.table(path, (&object{}).withField("verbatim_string", vTable))
	}
	return in.anyReply("the reply of this command is not known")
}

func (b replyBuilder) table(path string, o *object) *value {
	return b.in.alloc(siteOf{b.node, path}, o)
}
