package analysis

// This file implements what the interpreter knows of Lua's library and of the
// libraries that Redis adds.

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/luagen/luagen/internal/syntax"
)

func isLibrary(name string) bool {
	switch name {
	case "redis", "server", "string", "table", "math", "cjson", "cmsgpack", "bit", "struct", "os", "coroutine":
		return true
	}
	return false
}

func isBaseFunction(name string) bool {
	switch name {
	case "tonumber", "tostring", "type", "pairs", "ipairs", "next", "unpack", "select", "error", "assert", "pcall",
		"xpcall", "rawget", "rawset", "rawequal", "setmetatable", "getmetatable", "loadstring", "load", "collectgarbage":
		return true
	}
	return false
}

func isStringFunction(name string) bool {
	switch name {
	case "byte", "char", "dump", "find", "format", "gfind", "gmatch", "gsub", "len", "lower", "match", "rep", "reverse", "sub", "upper":
		return true
	}
	return false
}

// libraryField is lib.name: a function, or a constant.
func libraryField(lib, name string) *value {
	if lib == "server" {
		lib = "redis"
	}
	switch lib + "." + name {
	case "cjson.null":
		return vOther
	case "math.huge", "math.pi":
		return vNumber
	case "redis.LOG_DEBUG", "redis.LOG_VERBOSE", "redis.LOG_NOTICE", "redis.LOG_WARNING",
		"redis.REPL_ALL", "redis.REPL_NONE", "redis.REPL_AOF", "redis.REPL_SLAVE", "redis.REPL_REPLICA", "redis.REDIS_VERSION_NUM":
		return vInt
	case "redis.REDIS_VERSION":
		return vString
	}
	return builtinValue(lib + "." + name)
}

// builtin evaluates a call of a library function.
func (in *interp) builtin(name string, args multi, call *syntax.CallExpr, node any) multi {
	if lib, fn, ok := strings.Cut(name, "."); ok {
		switch lib {
		case "redis":
			return in.redis(fn, args, call, node)
		case "string":
			return in.stringFunc(fn, args)
		case "table":
			return in.tableFunc(fn, args, node)
		case "math":
			return in.mathFunc(fn, args)
		case "cjson", "cmsgpack", "struct", "bit":
			return in.codec(lib, fn, args, call, node)
		}
		if name == "os.clock" {
			return single(vNumber)
		}
		return in.unknownCall(args, name+" is not known")
	}
	return in.base(name, args, call, node)
}

func (in *interp) base(name string, args multi, call *syntax.CallExpr, node any) multi {
	x := args.first()
	switch name {
	case "tonumber":
		return single(in.tonumber(args))
	case "tostring":
		return single(in.tostring(x))
	case "type":
		return single(typeName(x))
	case "pairs":
		return multi{vals: []*value{builtinValue("next"), x, vNil}}
	case "next":
		r := in.nextField(x)
		return r
	case "ipairs":
		return multi{vals: []*value{builtinValue("ipairs iterator"), x, numberLit(0)}}
	case "unpack":
		return in.unpack(args)
	case "select":
		return in.selectFunc(args)
	case "error":
		in.raise(x)
		in.st = nil
		return multi{}
	case "assert":
		if call != nil && len(call.Args) > 0 {
			in.refine(in.st, call.Args[0], x.only(kTruthy))
		}
		if x.kinds&kTruthy == 0 {
			in.st = nil
			return multi{}
		}
		r := args
		if len(r.vals) > 0 {
			r.vals = append([]*value{x.only(kTruthy)}, args.vals[1:]...)
		}
		return r
	case "pcall":
		rest := args
		if len(rest.vals) > 0 {
			rest.vals = rest.vals[1:]
		}
		return in.protected(x, rest, nil, node)
	case "xpcall":
		return in.protected(x, multi{}, nil, node)
	case "rawget":
		return single(in.load(x, args.at(1)))
	case "rawset":
		in.storeIndex(x, args.at(1), args.at(2))
		return single(x)
	case "rawequal":
		return single(vBool)
	case "setmetatable":
		in.metatables = true
		for _, s := range x.sites {
			if in.st.object(s).slots == nil {
				in.st.setObject(s, anyObject)
			}
		}
		return single(x)
	case "collectgarbage":
		return single(vNumber)
	}
	return in.unknownCall(args, name+" may do anything")
}

func typeName(v *value) *value {
	var lits []string
	for _, t := range []struct {
		k    kinds
		name string
	}{{kMissing, "nil"}, {kFalse | kTrue, "boolean"}, {kNumber, "number"}, {kString, "string"}, {kTable, "table"}, {kFunc, "function"}, {kOther, "userdata"}} {
		if v.may(t.k) {
			lits = append(lits, t.name)
		}
	}
	if v.may(kOther) {
		lits = append(lits, "thread")
	}
	return &value{kinds: kString, str: text{lits: unionLits(lits, nil)}}
}

func (in *interp) tonumber(args multi) *value {
	x := args.first()
	hasBase := len(args.vals) > 1
	if hasBase {
		if base, ok := args.vals[1].literalInt(); !ok || base != 10 {
			in.useString(x)
			return &value{kinds: kNumber | kNil, num: number{integral: true}}
		}
	}
	if !hasBase {
		in.noteAll(x, factNumber)
	}
	if s, ok := x.literalString(); ok && !hasBase {
		if n, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil {
			return numberLit(n)
		}
	}
	r := &value{}
	if x.may(kNumber) {
		r.kinds |= kNumber
		r.num = x.num
	}
	if x.may(kString) {
		kind := x.str.kindOf()
		n := number{integral: kind == textInt}
		if r.kinds&kNumber != 0 {
			n.integral = n.integral && r.num.integral
		}
		r.num = n
		r.kinds |= kNumber
		if kind != textInt && kind != textFloat {
			if slices.ContainsFunc(x.refs(), func(s ref) bool { return s.argv }) {
				r.kinds |= kAbsent // the wrapper sends a number
			} else {
				r.kinds |= kNil
			}
		}
	}
	if x.may(kAbsent) {
		r.kinds |= kAbsent
	}
	if x.may(kAll &^ (kNumber | kString | kAbsent)) {
		r.kinds |= kNil
	}
	if x.from != nil && !hasBase {
		o := *x.from
		o.number, o.prefix = true, ""
		r.from = &o
	}
	if x.may(kFalse) || r.is(kNumber) {
		r.reply = x.reply // it is nil for a reply that is missing
	}
	return r
}

func (in *interp) tostring(x *value) *value {
	if x.kinds == kString {
		return x
	}
	r := &value{kinds: kString}
	if x.is(kString | kNumber | kAbsent) {
		r.from = x.from
	}
	if s, ok := x.constantText(); ok {
		r.str.lits = []string{s}
		return r
	}
	switch {
	case x.kinds == kTrue:
		r.str.lits = []string{"true"}
	case x.kinds == kFalse:
		r.str.lits = []string{"false"}
	case x.is(kTrue | kFalse):
		r.str.lits = []string{"false", "true"}
	case x.is(kNumber) && x.num.integral:
		r.str.kind = textInt
	case x.is(kNumber):
		r.str.kind = textFloat
	case x.is(kString | kNumber):
		r.str.kind = joinTextKind(x.str, text{kind: textFloat})
	}
	return r
}

// unpack opens a table. The slots of KEYS and ARGV stay known by place.
func (in *interp) unpack(args multi) multi {
	x := args.first()
	first, firstKnown := 1, true
	if len(args.vals) > 1 && !args.vals[1].is(kNil) {
		first, firstKnown = args.vals[1].literalInt()
	}
	if !x.may(kTable) {
		if x.may(kOther) {
			return multi{open: vAny}
		}
		in.st = nil
		return multi{}
	}
	if x.unknownTable() {
		return multi{open: lost(x.why)}
	}
	if len(x.sites) == 1 && x.is(kTable) {
		o := in.st.object(x.sites[0])
		switch {
		case o.slots != nil && !o.any:
			return in.unpackSlots(o.slots, first, firstKnown, args)
		case firstKnown && first == 1 && len(args.vals) == 1 && o.flat == nil && !o.any && o.lib == "" && o.dyn == nil && !x.sites[0].many:
			return multi{vals: o.seq, open: o.rest}
		}
	}
	open := vNever
	for _, s := range x.sites {
		if o := in.st.object(s); o.slots != nil {
			open = join(open, vString)
		} else {
			open = join(open, o.element())
		}
	}
	return multi{open: open}
}

func (in *interp) unpackSlots(t *slotTable, first int, known bool, args multi) multi {
	if len(args.vals) > 2 {
		if last, ok := args.vals[2].literalInt(); ok && known && !t.unknown && last-first < maxUnroll {
			var r multi
			for i := first; i <= last; i++ {
				r.vals = append(r.vals, in.readSlot(ref{argv: t.argv, index: i + t.shift}))
			}
			return r
		}
	}
	r := ref{argv: t.argv, first: first + t.shift, stride: 1, known: known && !t.unknown}
	if t.unknown {
		r.first = t.from
		r.known = t.from > 0 && first == 1
	}
	v := slotValue(r).only(kString)
	return multi{open: v, walk: &r}
}

func (in *interp) selectFunc(args multi) multi {
	n, ok := args.first().literalInt()
	if s, isString := args.first().literalString(); isString && s == "#" {
		if args.open == nil {
			return single(numberLit(float64(len(args.vals) - 1)))
		}
		return single(vInt)
	}
	if ok && n >= 1 {
		rest := args
		if n < len(args.vals) {
			rest.vals = args.vals[n:]
			return rest
		}
		if args.open == nil {
			return multi{}
		}
		return multi{open: args.open}
	}
	return multi{open: vAny}
}

func (in *interp) nextField(x *value) multi {
	saved := in.st
	r := in.eachField(x)
	in.st = saved
	if len(r.vals) < 2 {
		return multi{vals: []*value{vNil, vNil}}
	}
	return multi{vals: []*value{join(r.vals[0], vNil), join(r.vals[1], vNil)}}
}

func (in *interp) stringFunc(name string, args multi) multi {
	for i, v := range args.vals {
		if i == 0 {
			in.useString(v)
		}
	}
	switch name {
	case "len":
		return single(vInt)
	case "byte":
		return multi{vals: []*value{join(vInt, vNil)}, open: join(vInt, vNil)}
	case "format":
		return single(in.format(args))
	case "find":
		return multi{vals: []*value{join(vInt, vNil), join(vInt, vNil)}, open: join(captured(args.at(1)), vNil)}
	case "match":
		c := join(captured(args.at(1)), vNil)
		return multi{vals: []*value{c}, open: c}
	case "gsub":
		return multi{vals: []*value{vString, vInt}}
	case "gmatch", "gfind":
		if captured(args.at(1)) != vString {
			return single(builtinValue("gmatch iterator of places"))
		}
		return single(builtinValue("gmatch iterator"))
	case "sub", "rep", "reverse", "char":
		return single(vString)
	case "lower", "upper":
		r := vString
		if x := args.first(); x.from != nil && len(x.from.refs) > 0 {
			r = r.with(&origin{refs: x.from.refs, exact: x.from.exact})
		}
		return single(r)
	}
	return in.unknownCall(args, name+" may do anything")
}

// captured is what a pattern captures: text, or its place for ().
func captured(pattern *value) *value {
	for _, p := range pattern.str.lits {
		if strings.Contains(p, "()") {
			return join(vString, vInt)
		}
	}
	return vString
}

// format evaluates string.format; a format of one number gives a number's text.
func (in *interp) format(args multi) *value {
	f, ok := args.first().literalString()
	for _, v := range args.vals[min(1, len(args.vals)):] {
		if ok && strings.Contains(f, "%d") {
			continue
		}
		in.useString(v)
	}
	if !ok {
		return vString
	}
	if i := strings.IndexByte(f, '%'); i > 0 {
		return &value{kinds: kString, from: &origin{prefix: f[:i]}}
	} else if i < 0 {
		return stringLit(f)
	}
	verb := f[len(f)-1]
	if strings.Count(f, "%") != 1 || strings.ContainsAny(f[1:len(f)-1], " '") {
		return vString
	}
	x := args.at(1)
	switch {
	case f == "%d" || f == "%i":
		return textOf(textInt).with(numericOrigin(x))
	case verb == 'g' || verb == 'f' && f != "%.0f":
		if strings.Trim(f[1:len(f)-1], ".0123456789") == "" {
			return textOf(textFloat).with(numericOrigin(x))
		}
	case f == "%s":
		return in.tostring(x)
	}
	return vString.with(numericOrigin(x))
}

func numericOrigin(x *value) *origin {
	if x.from == nil {
		return nil
	}
	o := *x.from
	o.exact, o.number = false, true
	return &o
}

func (in *interp) tableFunc(name string, args multi, node any) multi {
	x := args.first()
	switch name {
	case "insert":
		if len(args.vals) >= 3 {
			in.insertAt(x, args.at(2))
		} else {
			in.append(x, args.at(1))
		}
		return multi{}
	case "remove":
		return single(in.remove(x, args))
	case "concat":
		in.useElements(x)
		return single(vString)
	case "sort":
		for _, s := range x.sites {
			if o := in.st.object(s); o.slots == nil && !o.any && o.lib == "" {
				in.st.setObject(s, o.list())
			}
		}
		return multi{}
	case "getn", "maxn":
		return single(in.length(x))
	case "foreach", "foreachi":
		return in.unknownCall(args, name+" may do anything")
	}
	return in.unknownCall(args, name+" may do anything")
}

// useElements notes that all slots of a table are used as text.
func (in *interp) useElements(x *value) {
	for _, s := range x.sites {
		if t := in.st.object(s).slots; t != nil {
			in.note(fact{kind: factRead, ref: ref{argv: t.argv, first: t.first(), stride: 1, known: !t.unknown}})
		}
	}
}

func (in *interp) insertAt(x, v *value) {
	for _, s := range x.sites {
		o := in.st.object(s)
		if o.any || o.lib != "" {
			continue
		}
		if o.slots != nil {
			in.st.setObject(s, anyObject)
			continue
		}
		in.st.setObject(s, addElement(o, v))
	}
}

// remove evaluates table.remove: the first slot of KEYS or ARGV, or the last
// or some element of any table.
func (in *interp) remove(x *value, args multi) *value {
	if !x.may(kTable) || x.unknownTable() {
		return vAny
	}
	at, known := 0, false
	if len(args.vals) > 1 {
		at, known = args.vals[1].literalInt()
	}
	r := vNever
	for _, s := range x.sites {
		o := in.st.object(s)
		switch {
		case o.any || o.lib != "":
			r = join(r, vAny)
		case o.slots != nil:
			r = join(r, in.removeSlot(s, o, known && at == 1))
		default:
			r = join(r, join(o.element(), vNil))
			if len(o.seq) > 0 || o.flat != nil {
				in.st.setObject(s, o.list())
			}
		}
	}
	return r
}

func (in *interp) removeSlot(s *site, o *object, front bool) *value {
	t := o.slots
	if !front {
		return in.readSlot(ref{argv: t.argv, stride: 1})
	}
	r := ref{argv: t.argv, index: t.shift + 1}
	next := *t
	if t.unknown {
		// A loop removes them: every step-th slot from the one it began at.
		r = ref{argv: t.argv, first: t.from, stride: max(t.step, 1), known: t.from > 0}
		next.from++
	} else {
		next.shift++
	}
	c := *o
	c.slots = &next
	in.st.setObject(s, &c)
	return in.readSlot(r)
}

func (in *interp) mathFunc(name string, args multi) multi {
	for _, v := range args.vals {
		in.useNumber(v)
	}
	x := args.first()
	switch name {
	case "floor", "ceil":
		r := &value{kinds: kNumber, num: number{integral: true, prog: x.num.prog, length: x.num.length}, from: x.from}
		if len(x.num.lits) == 1 && x.kinds == kNumber {
			return single(numberLit(math.Floor(x.num.lits[0])))
		}
		if x.from != nil {
			o := *x.from
			o.number = true
			r.from = &o
		}
		return single(r)
	case "max", "min":
		r := &value{kinds: kNumber, num: number{integral: true}}
		var o *origin
		slots := 0
		for _, v := range args.vals {
			r.num.integral = r.num.integral && asNumber(v).integral
			if v.from != nil {
				slots++
				c := *v.from
				c.number = true
				o = &c
			}
		}
		if slots == 1 {
			r.from = o
		}
		if args.open != nil {
			r.num.integral = false
		}
		return single(r)
	case "random":
		if len(args.vals) == 0 {
			return single(vNumber)
		}
		return single(vInt)
	case "randomseed":
		return multi{}
	case "abs", "fmod", "mod":
		return single(&value{kinds: kNumber, num: number{integral: asNumber(x).integral && name == "abs"}, from: x.from})
	case "modf", "frexp":
		return multi{vals: []*value{vNumber, vNumber}}
	}
	return single(vNumber)
}

// decoded is what cjson.decode and cmsgpack.unpack may give.
var decoded = vAny.only(kAll &^ kAbsent)

func (in *interp) codec(lib, name string, args multi, call *syntax.CallExpr, node any) multi {
	x := args.first()
	switch lib + "." + name {
	case "cjson.decode":
		in.noteAll(x, factJSON)
		if call != nil && len(call.Args) > 0 {
			in.survives(call.Args[0], x, kPassed)
		}
		return single(in.because(decoded, "what "+lib+"."+name+" gives depends on the data").with(plainOrigin(x)))
	case "cjson.encode":
		return single(textOf(textJSON))
	case "cmsgpack.pack":
		return single(textOf(textMsgpack))
	case "cmsgpack.unpack":
		in.noteAll(x, factMsgpack)
		return multi{vals: []*value{in.because(decoded, "what "+lib+"."+name+" gives depends on the data").with(plainOrigin(x))}, open: in.because(decoded, "what "+lib+"."+name+" gives depends on the data")}
	case "struct.pack":
		return single(vString)
	case "struct.size":
		return single(vInt)
	case "cjson.new":
		return single(in.alloc(node, &object{lib: "cjson"}))
	}
	if lib == "bit" {
		for _, v := range args.vals {
			in.useNumber(v)
		}
		if name == "tohex" {
			return single(vString)
		}
		return single(vInt)
	}
	in.useString(x)
	return multi{open: in.because(vAny, lib+"."+name+" may give anything")}
}

// plainOrigin keeps the slot's name through a conversion, without its use as a number.
func plainOrigin(x *value) *origin {
	if x.from == nil || len(x.from.refs) == 0 {
		return nil
	}
	return &origin{refs: x.from.refs, exact: x.from.exact, number: true}
}
