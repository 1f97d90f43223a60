// Package luavm runs Lua 5.1 on gopher-lua's virtual machine as Lua 5.1 runs
// it. It compiles the project's own syntax tree to the machine's code, so that
// nothing of gopher-lua's parser and compiler decides what a script means, and
// repairs what the machine does otherwise: text of numbers, coercions, texts
// of errors with the names of variables, closures after an error.
package luavm

// This file implements the compilation of chunks, functions and blocks.

import (
	"fmt"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"github.com/luagen/luagen/internal/engine/coverage"
	"github.com/luagen/luagen/internal/source"
	"github.com/luagen/luagen/internal/syntax"
)

// Unit is a compiled chunk. It is immutable and may be used by many states.
type Unit struct {
	Proto     *lua.FunctionProto
	Name      string // how errors name the chunk: user_script
	source    string // the proto's SourceName
	positions []position
}

// Compile compiles a chunk that parsed without errors. The name stands in
// errors before the line. The id tells the unit from all others that a state
// may ever run. The error is in Lua's words, without a position prefix only
// where Lua gives none.
func Compile(chunk *syntax.Chunk, name string, id uint64) (*Unit, error) {
	return CompileCounting(chunk, name, id, nil)
}

// CompileCounting compiles as Compile does, so that each run counts the points
// it passes. counter gives a point's counter; it may be nil.
func CompileCounting(chunk *syntax.Chunk, name string, id uint64, counter func(coverage.Point) *atomic.Uint64) (unit *Unit, err error) {
	defer func() {
		if r := recover(); r != nil {
			complex, ok := r.(tooComplex)
			if !ok {
				panic(r)
			}
			err = fmt.Errorf("%s:%d: function or expression too complex", name, complex.line)
		}
	}()
	u := &unitBuilder{
		file:      func(p int) int { return chunk.File.Line(source.Pos(p)) },
		source:    sourceName(id),
		plain:     map[int]int{},
		positions: make([]position, 1), // an id of 0 would pass for no line
		counter:   counter,
	}
	main := u.function(nil, chunk.Main)
	return &Unit{Proto: main.newProto(), Name: name, source: u.source, positions: u.positions}, nil
}

func (u *unitBuilder) line(p source.Pos) int { return u.file(int(p)) }

// start and end are the ids of the lines where a node begins and ends.
func (u *unitBuilder) start(n syntax.Node) int { return u.at(u.line(n.Span().Start)) }
func (u *unitBuilder) end(n syntax.Node) int   { return u.at(u.endLine(n)) }

func (u *unitBuilder) endLine(n syntax.Node) int {
	s := n.Span()
	if s.End > s.Start {
		return u.line(s.End - 1)
	}
	return u.line(s.End)
}

// block is a scope.
type block struct {
	parent  *block
	loop    bool
	base    int // the first register of its locals
	capture bool
	breaks  []int
}

func (f *function) enter(loop bool) *block {
	f.block = &block{parent: f.block, loop: loop, base: f.free}
	return f.block
}

// leave ends the innermost scope; closures keep the values that they captured.
func (f *function) leave(where int) {
	b := f.block
	f.close(b, where)
	f.block = b.parent
	f.free = b.base
}

func (f *function) close(b *block, where int) {
	if b.capture {
		f.abc(lua.OP_CLOSE, b.base, 0, 0, where)
	}
}

// declare makes a local out of a register that holds its value. A local that
// closures share and something assigns to lives in a box, a table with one
// field, because the VM cuts every open upvalue loose when an error is raised.
func (f *function) declare(l *syntax.Local, reg, where int) {
	f.locals[l] = reg
	if l.Captured {
		f.block.capture = true
	}
	if boxed(l) {
		tmp := f.reserve(1)
		f.abc(lua.OP_NEWTABLE, tmp, 1, 0, where)
		f.abc(lua.OP_SETTABLE, tmp, f.rkConstant(lua.LNumber(1), where), reg, where)
		f.abc(lua.OP_MOVE, reg, tmp, 0, where)
		f.free = tmp
	}
}

func boxed(l *syntax.Local) bool { return l.Captured && l.Assigned }

// function compiles a function and returns it before its proto is built.
func (u *unitBuilder) function(parent *function, tree *syntax.Func) *function {
	f := &function{unit: u, parent: parent, tree: tree,
		locals: map[*syntax.Local]int{}, upIdx: map[*syntax.Local]int{}, kIndex: map[lua.LValue]int{}}
	begin := u.start(tree)
	f.enter(false)
	first := f.reserve(len(tree.Params))
	if tree.Vararg && parent != nil {
		argReg := f.reserve(1)
		for _, l := range tree.Locals {
			if l.Kind == syntax.LocalArg {
				f.declare(l, argReg, begin)
			}
		}
	}
	for i, l := range tree.Params {
		f.declare(l, first+i, begin)
	}
	f.statements(tree.Body)
	f.abc(lua.OP_RETURN, 0, 1, 0, u.end(tree))
	return f
}

// closure compiles an inner function and emits the instruction that makes it.
func (f *function) closure(tree *syntax.Func, target, where int) {
	u := f.unit
	inner := u.function(f, tree)
	p := inner.newProto()
	f.protos = append(f.protos, p)
	f.abx(lua.OP_CLOSURE, target, len(f.protos)-1, where)
	for _, l := range inner.upvals {
		if l.Func == f.tree {
			f.abc(lua.OP_MOVE, 0, f.locals[l], 0, where)
		} else {
			f.abc(lua.OP_GETUPVAL, 0, f.upvalue(l), 0, where)
		}
	}
}

// upvalue returns the index of an outer function's local.
func (f *function) upvalue(l *syntax.Local) int {
	if i, ok := f.upIdx[l]; ok {
		return i
	}
	if f.parent != nil && l.Func != f.parent.tree {
		f.parent.upvalue(l)
	}
	i := len(f.upvals)
	f.upvals = append(f.upvals, l)
	f.upIdx[l] = i
	return i
}
