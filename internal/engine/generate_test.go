package engine

// This file makes random scripts for the differential test.

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
)

// prelude collects what each step of a generated script gives, errors too.
const prelude = `local out={}
local function S(v,d)
 local t=type(v)
 if t=='table' then
  if d>4 then return '...' end
  local p={}
  for k,x in pairs(v) do p[#p+1]=S(k,d+1)..'='..S(x,d+1) end
  return '{'..table.concat(p,',')..'}'
 end
 if t=='number' then return string.format('%.17g',v) end
 if t=='string' then return string.format('%q',v) end
 if t=='boolean' or t=='nil' then return tostring(v) end
 return t
end
local function R(f,...)
 local n,r=0,{}
 local function take(...) n=select('#',...) r={...} end
 take(pcall(f,...))
 local p={}
 for i=1,n do p[i]=S(r[i],0) end
 out[#out+1]=table.concat(p,' ')
end
`

type generator struct {
	*rand.Rand
	vars []string
}

func (g *generator) pick(list ...string) string { return list[g.Intn(len(list))] }

func (g *generator) number() string {
	return g.pick("0", "1", "-1", "2", "3", "7", "10", "0.5", "0.1", "-2.5", "1e15", "1e14", "123456789012", "2^53", "2^31", "2^32", "-2^31",
		"1e100", "1e-5", "1/3", "255", "1700000000123456", "1e300*10", "100", "64", "3.0", "5.999999")
}

func (g *generator) text() string {
	return g.pick(`""`, `"a"`, `"abc"`, `"10"`, `"0x10"`, `"1e3"`, `" 5 "`, `"-3"`, `"hello world"`, `"a,b,,c"`, `"%d"`, `"\0x"`, `"\200\255"`,
		`"nan"`, `"inf"`, `"0.1"`, `"key=value"`, `"(a)[b]"`, `"AbC dEf"`, `"x\ny"`, `"{\"a\":[1,2,{\"b\":null}],\"c\":1.5}"`, `"[1,2,3]"`, `"\1\2\3\4\5\6\7\8"`)
}

func (g *generator) value(depth int) string {
	switch n := g.Intn(12); {
	case n < 4:
		return g.number()
	case n < 7:
		return g.text()
	case n == 7:
		return g.pick("true", "false", "nil")
	case n == 8 && len(g.vars) > 0:
		return g.pick(g.vars...)
	case n == 9 && depth > 0:
		return g.table(depth - 1)
	case n == 10 && depth > 0:
		return g.expr(depth - 1)
	}
	return g.number()
}

func (g *generator) table(depth int) string {
	var parts []string
	for range g.Intn(6) {
		switch g.Intn(4) {
		case 0:
			parts = append(parts, g.pick("a", "b", "c", "name", "id", "x1", "x2", "n", "err", "ok")+"="+g.value(depth))
		case 1:
			parts = append(parts, "["+g.pick("1", "2", "3", "5", `"k"`, "true", "1.5", "-1", "100")+"]="+g.value(depth))
		default:
			parts = append(parts, g.value(depth))
		}
	}
	return "{" + strings.Join(parts, ",") + "}"
}

func (g *generator) expr(depth int) string {
	if depth <= 0 {
		return g.value(0)
	}
	v := func() string { return g.value(depth - 1) }
	switch g.Intn(9) {
	case 0, 1:
		return "(" + v() + ")" + g.pick("+", "-", "*", "/", "%", "^") + "(" + v() + ")"
	case 2:
		return "(" + v() + ")..(" + v() + ")" + g.pick("", "..("+v()+")")
	case 3:
		return "(" + v() + ")" + g.pick("==", "~=", "<", ">", "<=", ">=") + "(" + v() + ")"
	case 4:
		return "(" + v() + " " + g.pick("and", "or") + " " + v() + ")"
	case 5:
		return g.pick("-", "#", "not ") + "(" + v() + ")"
	case 6:
		return "(" + v() + ")[" + g.pick("1", "2", `"a"`, `"name"`, v()) + "]"
	case 7:
		return g.libCall(depth - 1)
	}
	return g.table(depth - 1)
}

// signatures say what library functions take: s text, n number, i small
// integer, t table, v anything, p pattern, f format, j JSON, . end of list.
var signatures = map[string]string{
	"string.byte": "sii", "string.char": "ii", "string.find": "spiv", "string.format": "fvvv", "string.gsub": "sprI", "string.len": "s",
	"string.lower": "s", "string.match": "spi", "string.rep": "si", "string.reverse": "s", "string.sub": "sii", "string.upper": "s",
	"table.concat": "tsii", "table.getn": "t", "table.maxn": "t",
	"math.abs": "n", "math.ceil": "n", "math.floor": "n", "math.fmod": "nn", "math.max": "nnn", "math.min": "nnn", "math.modf": "n",
	"math.sqrt": "n", "math.frexp": "n", "math.ldexp": "ni", "math.pow": "ni",
	"tonumber": "vI", "tostring": "v", "type": "v", "select": "ivvv", "unpack": "tii", "rawget": "tv", "rawequal": "vv", "next": "t",
	"bit.band": "nnn", "bit.bor": "nn", "bit.bxor": "nn", "bit.bnot": "n", "bit.lshift": "ni", "bit.rshift": "ni", "bit.arshift": "ni",
	"bit.rol": "ni", "bit.ror": "ni", "bit.tobit": "n", "bit.tohex": "ni", "bit.bswap": "n",
	"struct.pack": "Fvvv", "struct.size": "F", "struct.unpack": "Fs",
	"cjson.encode": "v", "cjson.decode": "j", "cmsgpack.pack": "vv", "cmsgpack.unpack": "m", "assert": "vs", "error": "vI",
	"redis.sha1hex": "v", "redis.error_reply": "v", "redis.status_reply": "v", "setmetatable": "tt", "getmetatable": "v", "ipairs": "v",
	"loadstring": "L", "collectgarbage": "C", "pcall": "v", "math.log": "n", "math.exp": "i", "math.log10": "n",
}

func (g *generator) libCall(depth int) string {
	return g.callOf(g.pick(slices.Sorted(maps.Keys(signatures))...), depth)
}

func (g *generator) callOf(name string, depth int) string {
	var args []string
	sig := signatures[name]
	n := len(sig)
	if g.Intn(4) == 0 {
		n = g.Intn(n + 1)
	}
	for _, kind := range sig[:n] {
		if g.Intn(15) == 0 {
			args = append(args, g.value(depth))
			continue
		}
		args = append(args, g.argument(kind, depth))
	}
	return name + "(" + strings.Join(args, ",") + ")"
}

func (g *generator) argument(kind rune, depth int) string {
	switch kind {
	case 's':
		return g.text()
	case 'n':
		return g.number()
	case 'i', 'I':
		return g.pick("0", "1", "2", "3", "-1", "-2", "5", "10", "16", "31", "32", "64", "1.5", `"2"`)
	case 't':
		return g.table(depth)
	case 'p':
		return g.pick(`"a"`, `"%a+"`, `"(%w+)=(%w+)"`, `"%d*"`, `"^h"`, `"o$"`, `"."`, `".-,"`, `"[a-c]+"`, `"[^,]*"`, `"%s"`, `"()"`, `"%b()"`,
			`"%f[%w]%w+"`, `"(.)(.)"`, `"%1"`, `"[a"`, `"%"`, `"x*"`, `"(a"`, `"%z"`, `"[%d%-]"`)
	case 'r':
		return g.pick(`"x"`, `"%1"`, `"%0%0"`, `"<%1>"`, `{a="A",b=false}`, `function(a) return a.."!" end`, `function() end`, `"%2"`, `"%"`)
	case 'f':
		return g.pick(`"%d"`, `"%5.2f"`, `"%s"`, `"%q"`, `"%x"`, `"%g"`, `"%-5s|"`, `"%05d"`, `"%c%c"`, `"%e"`, `"%i %u"`, `"%%"`, `"%.3s"`, `"%+d"`,
			`"%.14g"`, `"%X"`, `"%o"`, `"%#x"`, `"% d"`, `"%10.4f|"`, `"%y"`, `"%"`, `"%.20f"`, `"%123d"`)
	case 'F':
		return g.pick(`">I2"`, `"<i4"`, `"bBhH"`, `"s"`, `"c3"`, `"d"`, `"f"`, `">I8"`, `"c0"`, `"i3"`, `"x"`, `"!4 b i"`, `"I1c0"`, `"=L"`, `"z"`)
	case 'j':
		return g.pick(`'{"a":1,"b":[1,2,{"c":null}]}'`, `'[]'`, `'{}'`, `'[1,2.5,-3e2,true,false,null]'`, `'"\\u00e9\\n"'`, `'nul'`, `'[1,'`, `'{"a"}'`,
			`'1e400'`, `' [ 1 , 2 ] '`, `'{"z":1,"y":2,"x":3,"w":4,"v":5}'`, `'0x10'`, `'[1] x'`, `'"abc'`, `'12345678901234567890'`, `''`, `'{"1":1,"2":2}'`)
	case 'm':
		return "cmsgpack.pack(" + g.value(depth) + ")"
	case 'L':
		return g.pick(`"return 1"`, `"return +"`, `"x="`, `"local a = 1 return a + nil"`, `"return ..."`, `"error('z')"`, `"if"`, `"return 1,2"`, `"for"`)
	case 'C':
		return g.pick(`"collect"`, `"step"`, `"zzz"`)
	}
	return g.value(depth)
}

// statements are pieces that exercise the machine; each V is a value, each N a
// number, each X an expression.
var statements = []string{
	`R(function() local a,b=V,V a,b=b,a return a,b end)`,
	`R(function() local t={V,V,V} t[1],t[2],t[3]=t[3],t[1],t[2] return t end)`,
	`R(function() local t=T local n=0 for k,v in pairs(t) do n=n+1 end return n,#t end)`,
	`R(function() local s=0 for i=N,N,N do s=s+1 if s>20 then break end end return s end)`,
	`R(function() local s={} for i=V,V do s[#s+1]=i if #s>20 then break end end return s end)`,
	`R(function(...) return select('#',...),... end,V,V,V)`,
	`R(function(a,...) local t={...} return a,#t,t end,V,V)`,
	`R(function() local f={} for i=1,3 do local j=i f[i]=function() j=j+1 return j end end return f[1](),f[1](),f[2](),f[3]() end)`,
	`R(function() local x=V local function g() x=V return 1 end local y=g() return x,y end)`,
	`R(function() local t=setmetatable({},{__index=function(_,k) return k end,__newindex=function(t,k,v) rawset(t,k,V) end,__call=function(_,a) return a,V end}) t.z=1 return t.a,t[V],t(V),t.z end)`,
	`R(function() local m={__add=function(a,b) return V end,__concat=function(a,b) return V end,__eq=function() return true end,__lt=function() return V end,__le=function() return V end,__unm=function() return V end,__len=function() return 7 end} local p,q=setmetatable({},m),setmetatable({},m) return p+1,1+p,p..'x',2 ..p,p==q,p<q,p<=q,-p,#p end)`,
	`R(function() local i,t=1,{} i,t[i]=i+1,V return i,t end)`,
	`R(function() local n=0 while n<N do n=n+1 if n>5 then break end end return n end)`,
	`R(function() local n=0 repeat local z=n n=n+1 until z>=3 or V return n end)`,
	`R(function() local co=coroutine.wrap(function(a) local b=coroutine.yield(a,V) local c=coroutine.yield(b) error(V) end) return co(V),co(V),co(V),co(V) end)`,
	`R(function() local co=coroutine.create(function(a) coroutine.yield(a) return V end) local r={coroutine.resume(co,V)} r[#r+1]=coroutine.status(co) r[#r+1]=coroutine.resume(co) r[#r+1]=coroutine.status(co) r[#r+1]=select(2,coroutine.resume(co)) return r end)`,
	`R(function() local t={5,3,N,9,1} table.sort(t,function(a,b) return a>b end) return t end)`,
	`R(function() local t={V,V,V} table.sort(t) return t end)`,
	`R(function() local t={1,2,3} table.insert(t,V) table.insert(t,2,V) local r=table.remove(t,1) return t,r,table.remove(t) end)`,
	`R(function() local t={} for i=1,10 do t[i]=i end for i=10,6,-1 do t[i]=nil end return #t,t end)`,
	`R(function() local t={} t.a=1 t.b=2 t[1]=3 t.c=4 t.a=nil t.d=5 t[2]=1 return t end)`,
	`R(function() local t=T t[#t+1]=V t.q=V t.r=V return t,#t end)`,
	`R(xpcall,function() return X end,function(e) return type(e)..tostring(e) end)`,
	`R(function() return (X) end)`, `R(function() return X,X end)`, `R(function() return X end)`, `R(function() return X end)`, `R(function() return X end)`,
	`R(function() return Y end)`, `R(function() return Y end)`, `R(function() return Y end)`, `R(function() return Y end)`, `R(function() return Y end)`,
	`R(function() local v=X return v.a.b end)`, `R(function() local v=V v.x=1 end)`, `R(function() nosuch=V end)`, `R(function() return nosuch end)`,
	`R(function() local s='' for i=1,3 do s=s..V end return s end)`,
	`R(function() local r={} for w in string.gmatch(V,P) do r[#r+1]=w if #r>20 then break end end return r end)`,
	`R(function() local a={} for i=1,N do a[i]=i if i>40 then break end end return unpack(a) end)`,
	`R(function() return cjson.encode(T) end)`, `R(function() return cjson.decode(cjson.encode(T)) end)`, `R(function() return cmsgpack.pack(T) end)`,
	`R(function() return cmsgpack.unpack(cmsgpack.pack(V,V)) end)`, `R(function() local f=loadstring(V) return type(f) end)`,
	`R(function() local f,e=loadstring(L) if not f then return e end return f() end)`,
	`R(error,V)`, `R(error,V,0)`, `R(error,V,2)`, `R(function() error(V) end)`, `R(function() error({err=V}) end)`, `R(function() error(T,1) end)`,
	`R(function() return V:len() end)`, `R(function() local s=V return s:sub(1,2),s:upper() end)`, `R(V)`, `R(function() return pcall(V,V) end)`,
	`R(function() return next(T) end)`, `R(function() local t=T for k in pairs(t) do t[k]=nil end return next(t) end)`,
}

func (g *generator) statement() string {
	s := statements[g.Intn(len(statements))]
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		alone := (i == 0 || !isWord(s[i-1])) && (i+1 == len(s) || !isWord(s[i+1]))
		if !alone {
			b.WriteByte(s[i])
			continue
		}
		switch s[i] {
		case 'V':
			b.WriteString("(" + g.value(1) + ")")
		case 'N':
			b.WriteString("(" + g.number() + ")")
		case 'X':
			b.WriteString(g.expr(3))
		case 'Y':
			b.WriteString(g.libCall(2))
		case 'T':
			b.WriteString("(" + g.table(2) + ")")
		case 'P':
			b.WriteString(g.argument('p', 0))
		case 'L':
			b.WriteString(g.argument('L', 0))
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// luaScript is a script about the language and its libraries.
func (g *generator) luaScript() string {
	var b strings.Builder
	b.WriteString(prelude)
	for range 1 + g.Intn(8) {
		b.WriteString(g.statement() + "\n")
	}
	b.WriteString("return out")
	return b.String()
}

// resultScript returns a value that has to be converted.
func (g *generator) resultScript() string {
	switch g.Intn(6) {
	case 0:
		return "return " + g.expr(3)
	case 1:
		return "return {" + g.pick("err", "ok", "double", "big_number", "map", "set") + "=" + g.value(2) + "}"
	case 2:
		return "redis.setresp(3) return " + g.table(3)
	case 3:
		return "return {double=" + g.number() + "}"
	}
	return "return " + g.table(3)
}

// commands are calls: K is a key, V a value, N an integer, F a float, M a
// member of a set or field of a hash, and the rest stands as it is.
var commands = strings.Split(strings.TrimSpace(`
set s V|set s V nx|set s V xx|set s V get|set s V nx xx|set s V ex N|set s V keepttl|get K|get s|getset s V|append s V|strlen K|incr n|incrby n N|decr n
incrbyfloat n F|getrange s N N|setrange s N V|mset s V n N|msetnx s V q V|mget s n K|setbit b N 1|getbit b N|bitcount b|bitpos b 1|getdel s|setnx s V
bitfield b set u8 0 N get i4 2|bitfield b incrby u4 #1 N|bitfield b overflow fail incrby u2 0 N|bitfield_ro b get u8 0|substr s 0 N|lcs s n|lcs s n idx
hset h M V|hset h M V M V|hget h M|hgetall h|hkeys h|hvals h|hlen h|hdel h M|hmget h M M|hincrby h i N|hincrbyfloat h f F|hexists h M|hsetnx h M V|hstrlen h M
lpush l V V|rpush l V|lpop l|rpop l|lrange l 0 -1|llen l|lindex l N|lset l N V|linsert l before V V|lrem l N V|ltrim l N N|rpoplpush l l2|lmove l l2 left right|lpos l V
lpop l 2|lmpop 2 l l2 left|sort l|sort l alpha desc|sort l limit 0 2|sort_ro n|sort l by nosort get #
sadd t M M|srem t M|scard t|sismember t M|smismember t M M|sadd ti N N|smembers ti|sinter ti ti2|sunion ti ti2|sdiff ti ti2|sadd ti2 N|sintercard 2 ti ti2|smove ti ti2 N|sinterstore ti3 ti ti2
zadd z F M|zadd z N M N M|zadd z nx N M|zadd z incr F M|zadd z gt ch N M|zscore z M|zrange z 0 -1|zrange z 0 -1 withscores|zrevrange z 0 -1|zrangebyscore z -inf +inf withscores limit 0 2
zincrby z F M|zcard z|zcount z N N|zrank z M|zrem z M|zpopmin z|zpopmax z 2|zmscore z M M|zrange z N N byscore|zremrangebyrank z 0 0|zadd z2 N M|zunion 2 z z2 withscores|zinter 2 z z2
zdiff 2 z z2 withscores|zdiffstore z3 2 z z2|zinterstore z3 2 z z2|zintercard 2 z z2|zrangestore z4 z 0 1|zlexcount z - +|zunionstore z3 2 z z2 weights N N|zadd z N
xadd x N-1 a V|xlen x|xrange x - +|xadd x * |xread count 1 streams x 0|xrevrange x + - count 1
del K|exists K K|type K|expire K 100|persist K|ttl q|rename K q|renamenx K q2|copy K q3|expire K N|pexpire K 100000 nx|touch K K|unlink q|dbsize|randomkey2
pfcount p|geoadd g 13.361389 38.115556 M|geodist g a b|geohash g a b|geopos g a zz|geosearch g frommember a byradius 200 km asc|geosearchstore g2 g frommember a byradius 200 km
publish c V|spublish c V|echo V|ping|select 3|select 99|time x|get|nosuch a|set s|hset h M|object|object zz K|xgroup|subscribe a|eval V 0|config get x|auth x|bitop and b2 b s|bitop not b3 b|incr s|lpush s V|hset l a b|zadd h 1 a|expire s zz|set s V ex 0|set s V px zz|getex s ex 10|getex s persist|setex s N V|psetex s 0 V
`), "\n")

func (g *generator) key() string {
	return g.pick("s", "n", "h", "l", "t", "z", "x", "b", "q", "nokey", "ti", "g")
}

func (g *generator) call() string {
	lines := strings.Split(strings.Join(commands, "|"), "|")
	words := strings.Fields(lines[g.Intn(len(lines))])
	args := make([]string, len(words))
	for i, w := range words {
		switch w {
		case "K":
			args[i] = fmt.Sprintf("%q", g.key())
		case "V":
			args[i] = g.pick(g.number(), g.number(), g.text(), g.text(), g.text(), "nil", "true")
			if g.Intn(12) > 0 && (args[i] == "nil" || args[i] == "true") {
				args[i] = `"v"`
			}
		case "N":
			args[i] = g.pick("0", "1", "2", "3", "-1", "5", "10", "100", `"7"`)
			if g.Intn(20) == 0 {
				args[i] = g.pick(g.number(), g.text())
				if args[i] == `"0x10"` { // miniredis reads no hexadecimal numerals
					args[i] = `"x"`
				}
			}
		case "F":
			args[i] = g.pick("0.1", "1.5", "3", "1e3", "-2.25", "1/3", "0.30000000000000004", `"2.5"`, `"inf"`, "1e17", "100", "1e-7")
			if g.Intn(20) == 0 {
				args[i] = g.pick(g.number(), g.text())
				if args[i] == `"0x10"` { // miniredis reads no hexadecimal numerals
					args[i] = `"x"`
				}
			}
		case "M":
			args[i] = g.pick(`"a"`, `"b"`, `"c"`, `"zz"`, `"m1"`, "1", `"9"`)
		default:
			args[i] = fmt.Sprintf("%q", strings.ReplaceAll(w, "N-", g.pick("1", "2", "3", "5")+"-"))
		}
	}
	return strings.Join(args, ",")
}

// redisScript is a script of calls.
func (g *generator) redisScript() string {
	var b strings.Builder
	b.WriteString(prelude)
	if g.Intn(6) == 0 {
		b.WriteString("redis.setresp(3)\n")
	}
	for range 1 + g.Intn(10) {
		call := g.call()
		fmt.Fprintf(&b, "R(redis.%s,%s)\n", g.pick("call", "pcall", "pcall"), call)
	}
	switch g.Intn(5) {
	case 0:
		return strings.TrimPrefix(b.String(), prelude+"zz") + "return redis." + g.pick("call", "pcall") + "(" + g.call() + ")"
	case 1:
		return "return redis." + g.pick("call", "pcall") + "(" + g.call() + ")"
	}
	b.WriteString("return out")
	return b.String()
}
