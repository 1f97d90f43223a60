package gosource

// This file implements recognising the calls of Redis clients that take a
// script.

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// site is a call that takes a script.
type site struct {
	name    string     // as messages call it: redis.NewScript, Eval
	args    []ast.Expr // where the script may stand, the likeliest first
	makes   bool       // it returns the script, and not what Redis replies
	certain bool       // nothing but Redis has such a call
}

// client is a Go client of Redis.
type client struct {
	paths []string // beginnings of its import paths
	makes []string // its functions that make a script; a final * stands for any end
	arg   int      // which argument of them the script is
}

// clients are those whose functions are known.
var clients = []client{
	{[]string{"github.com/redis/go-redis/", "github.com/go-redis/redis", "gopkg.in/redis."}, []string{"NewScript", "NewScriptServerSHA"}, 0},
	{[]string{"github.com/gomodule/redigo/redis", "github.com/garyburd/redigo/redis"}, []string{"NewScript"}, 1},
	{[]string{"github.com/redis/rueidis", "github.com/rueian/rueidis", "github.com/valkey-io/valkey-go"}, []string{"NewLuaScript*"}, 0},
}

// clientOf returns the client that an import path belongs to, or nil.
func clientOf(importPath string) *client {
	for i := range clients {
		if slices.ContainsFunc(clients[i].paths, func(p string) bool { return strings.HasPrefix(importPath, p) }) {
			return &clients[i]
		}
	}
	return nil
}

// usesClient tells whether the file imports a client.
func (f *goFile) usesClient() bool {
	for _, imported := range f.aliases {
		if clientOf(imported) != nil {
			return true
		}
	}
	return false
}

// evals are the methods that take a script: behind a context, or first in
// older clients.
var evals = []string{"Eval", "EvalRO", "ScriptLoad"}

// builders are the methods of rueidis and valkey-go behind which Script takes
// one.
var builders = []string{"Eval", "EvalRo", "ScriptLoad"}

// scriptSite returns the site that a call is, or nil.
func (f *goFile) scriptSite(call *ast.CallExpr) *site {
	if arg := commandScript(call.Args); arg != nil {
		return &site{name: calledName(call), args: []ast.Expr{arg}, certain: true}
	}
	fun := call.Fun
	if index, ok := fun.(*ast.IndexExpr); ok {
		fun = index.X
	}
	sel, ok := fun.(*ast.SelectorExpr)
	if !ok {
		return nil
	}
	if ident, ok := sel.X.(*ast.Ident); ok {
		if c := clientOf(f.aliases[ident.Name]); c != nil && c.makesScript(sel.Sel.Name) && len(call.Args) > c.arg {
			return &site{name: calledName(call), args: call.Args[c.arg : c.arg+1], makes: true, certain: true}
		}
	}
	if inner, ok := sel.X.(*ast.CallExpr); ok && sel.Sel.Name == "Script" && len(inner.Args) == 0 && len(call.Args) == 1 {
		if builder, ok := inner.Fun.(*ast.SelectorExpr); ok && slices.Contains(builders, builder.Sel.Name) {
			return &site{name: builder.Sel.Name + "().Script", args: call.Args, certain: true}
		}
	}
	if slices.Contains(evals, sel.Sel.Name) {
		s := &site{name: sel.Sel.Name, certain: f.usesClient()}
		least := 1 // arguments from the script on
		if sel.Sel.Name != "ScriptLoad" {
			least = 2
		}
		for i := min(1, len(call.Args)-least); i >= 0; i-- {
			s.args = append(s.args, call.Args[i])
		}
		return s
	}
	return nil
}

// makesScript tells whether a function of the client makes a script.
func (c *client) makesScript(name string) bool {
	return slices.ContainsFunc(c.makes, func(known string) bool {
		begin, open := strings.CutSuffix(known, "*")
		return name == known || open && strings.HasPrefix(name, begin)
	})
}

// commandScript returns the argument behind the command that takes a script,
// EVAL or SCRIPT LOAD, written out as arguments of a call such as Do; or nil.
func commandScript(args []ast.Expr) ast.Expr {
	for i, arg := range args[:max(0, min(len(args)-1, 3))] {
		switch strings.ToUpper(literalWord(arg)) {
		case "EVAL", "EVAL_RO":
			return args[i+1]
		case "SCRIPT":
			if i+2 < len(args) && strings.EqualFold(literalWord(args[i+1]), "LOAD") {
				return args[i+2]
			}
		}
	}
	return nil
}

// literalWord returns the value of a short string literal, or "".
func literalWord(e ast.Expr) string {
	lit, ok := e.(*ast.BasicLit)
	if !ok || lit.Kind != token.STRING || len(lit.Value) > 64 {
		return ""
	}
	word, _ := strconv.Unquote(lit.Value)
	return word
}

// calledName returns how messages call the function of a call.
func calledName(call *ast.CallExpr) string {
	if name := dotted(call.Fun); name != "" {
		return name
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		return sel.Sel.Name
	}
	return "a call"
}
