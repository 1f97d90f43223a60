package luavm

// This file implements the store of instructions: their encoding, jumps,
// constants and the positions that error texts are made of.

import (
	"fmt"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"

	"github.com/luagen/luagen/internal/engine/coverage"
	"github.com/luagen/luagen/internal/syntax"
)

const (
	maxRegisters = 250    // MAXSTACK of Lua 5.1
	maxRK        = 255    // constants that an operand can name
	rkBit        = 1 << 8 // an operand that is a constant
	maxJump      = 1<<17 - 1
	fieldsFlush  = 50 // lua.FieldsPerFlush
)

// position is what an instruction's number in DbgSourcePositions stands for.
type position struct {
	line int
	// names describe the operands of the instruction for error texts, as
	// getobjname of Lua 5.1 does: "local 'x'", "field 'y'", or "".
	names [2]string
	// list describes the operands of a concatenation.
	list []string
}

// function is a function being compiled.
type function struct {
	unit   *unitBuilder
	parent *function
	tree   *syntax.Func
	block  *block

	code     []uint32
	where    []int // position ids, one per instruction
	calls    []lua.DbgCall
	protos   []*lua.FunctionProto
	kStrings []string // what newProto needs to number the constants
	kValues  []lua.LValue
	kIndex   map[lua.LValue]int

	free   int // the first free register
	max    int // the most registers in use at once
	locals map[*syntax.Local]int
	upvals []*syntax.Local
	upIdx  map[*syntax.Local]int

	usesDots bool // ... stands in it: then Lua makes no table arg
}

// unitBuilder is what the functions of one chunk share.
type unitBuilder struct {
	file      func(p int) int // byte offset to line
	source    string
	positions []position
	plain     map[int]int // line to the id of its position without names
	counter   func(coverage.Point) *atomic.Uint64
}

// tooComplex ends the compilation of a function that needs more registers or
// constants than the VM has.
type tooComplex struct{ line int }

func (u *unitBuilder) at(line int) int {
	if id, ok := u.plain[line]; ok {
		return id
	}
	id := u.named(position{line: line})
	u.plain[line] = id
	return id
}

func (u *unitBuilder) named(p position) int {
	u.positions = append(u.positions, p)
	return len(u.positions) - 1
}

func (f *function) emit(inst uint32, where int) int {
	f.code = append(f.code, inst)
	f.where = append(f.where, where)
	return len(f.code) - 1
}

func (f *function) abc(op, a, b, c, where int) int {
	return f.emit(uint32(op)<<26|uint32(a)<<18|uint32(c)<<9|uint32(b), where)
}

func (f *function) abx(op, a, bx, where int) int {
	if bx > 1<<18-1 {
		panic(tooComplex{f.lineOf(where)})
	}
	return f.emit(uint32(op)<<26|uint32(a)<<18|uint32(bx), where)
}

func (f *function) lineOf(where int) int { return f.unit.positions[where].line }

// jump emits a jump that a patch fills in later.
func (f *function) jump(where int) int { return f.abx(lua.OP_JMP, 0, maxJump, where) }

// jumpBack emits a jump to the instruction to.
func (f *function) jumpBack(to, where int) { f.patch(f.jump(where), to) }

// patch makes the jump (or for-instruction) at pc go to the instruction to.
func (f *function) patch(pc, to int) {
	offset := to - pc - 1
	if offset > maxJump || offset < -maxJump {
		panic(tooComplex{f.lineOf(f.where[pc])})
	}
	f.code[pc] = f.code[pc]&^(1<<18-1) | uint32(offset+maxJump)
}

func (f *function) patchHere(pcs []int) {
	for _, pc := range pcs {
		f.patch(pc, len(f.code))
	}
}

// reserve takes n registers and returns the first.
func (f *function) reserve(n int) int {
	r := f.free
	f.free += n
	if f.free > f.max {
		f.max = f.free
	}
	if f.free > maxRegisters {
		line := 0
		if len(f.where) > 0 {
			line = f.lineOf(f.where[len(f.where)-1])
		}
		panic(tooComplex{line})
	}
	return r
}

// constant returns the index of a constant.
func (f *function) constant(v lua.LValue) int {
	if i, ok := f.kIndex[v]; ok {
		return i
	}
	i := len(f.kValues)
	f.kValues = append(f.kValues, v)
	if s, ok := v.(lua.LString); ok {
		f.kStrings = append(f.kStrings, string(s))
	} else {
		f.kStrings = append(f.kStrings, fmt.Sprintf("\x00constant %d", i))
	}
	f.kIndex[v] = i
	return i
}

// newProto builds the VM's form of the function. The VM keeps the text of
// string constants in a field that only its own compiler fills: a chunk that
// does nothing but mention the constants, in order, gives a proto that has it.
func (f *function) newProto() *lua.FunctionProto {
	chunk := make([]ast.Stmt, 0, len(f.kStrings))
	for _, s := range f.kStrings {
		value := &ast.StringExpr{Value: s}
		chunk = append(chunk, &ast.DoBlockStmt{Stmts: []ast.Stmt{
			&ast.LocalAssignStmt{Names: []string{"_"}, Exprs: []ast.Expr{value}}}})
	}
	p, err := lua.Compile(chunk, f.unit.source)
	if err != nil {
		panic("numbering constants: " + err.Error())
	}
	if len(p.Constants) != len(f.kValues) {
		panic("numbering constants: their count differs")
	}
	tree := f.tree
	p.LineDefined, p.LastLineDefined = f.unit.line(tree.Pos.Start), f.unit.endLine(tree)
	p.NumParameters = uint8(len(tree.Params))
	p.IsVarArg = 0
	if tree.Vararg {
		p.IsVarArg = lua.VarArgIsVarArg
	}
	for _, l := range tree.Locals {
		if l.Kind == syntax.LocalArg && !f.usesDots {
			p.IsVarArg |= lua.VarArgHasArg | lua.VarArgNeedsArg
		}
	}
	p.Constants = f.kValues
	p.Code = f.code
	p.DbgSourcePositions = f.where
	p.DbgCalls = f.calls
	p.DbgLocals = nil
	p.FunctionPrototypes = f.protos
	p.NumUsedRegisters = uint8(max(f.max+1, 2))
	p.NumUpvalues = uint8(len(f.upvals))
	for _, l := range f.upvals {
		p.DbgUpvalues = append(p.DbgUpvalues, l.Name)
	}
	return p
}
