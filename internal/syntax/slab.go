package syntax

// This file implements the allocation of nodes: many of a type at once, as a
// parse makes thousands of small ones that live equally long.

// slab hands out pointers into blocks that it allocates as they run out.
type slab[T any] struct {
	free []T
	next int // the length of the next block
}

// nextBlock is the least length of a block.
const nextBlock = 4

func (s *slab[T]) alloc() *T {
	if len(s.free) == 0 {
		s.free = make([]T, max(s.next, nextBlock))
		s.next /= 4 // the first is meant to do
	}
	p := &s.free[0]
	s.free = s.free[1:]
	return p
}

// stack collects the elements of lists that may nest, and hands out each list
// in a slice of its own length.
type stack[T any] struct {
	open []T // elements of the lists that are not yet complete
	free []T
	next int // the length of the next block of lists
}

// push adds an element to the innermost list.
func (s *stack[T]) push(x T) {
	if s.open == nil {
		s.open = make([]T, 0, 8)
	}
	s.open = append(s.open, x)
}

// take ends the list that began at base.
func (s *stack[T]) take(base int) []T {
	n := len(s.open) - base
	if n == 0 {
		return nil
	}
	if n > len(s.free) {
		s.free = make([]T, max(s.next, nextBlock, n))
		s.next /= 4
	}
	list := s.free[:n:n]
	s.free = s.free[n:]
	copy(list, s.open[base:])
	s.open = s.open[:base]
	return list
}

// sizeBlocks sets the first blocks to what a text of that many bytes usually
// needs, a little less than the average of scripts.
func (p *parser) sizeBlocks(bytes int) {
	p.name.next = bytes / 30
	p.index.next = bytes / 60
	p.str.next = bytes / 60
	p.number.next = bytes / 70
	p.call.next = bytes / 100
	p.comment.next = bytes / 140
	p.local.next = bytes / 140
	p.binary.next = bytes / 160
	p.block.next = bytes / 180
	p.localStmt.next = bytes / 220
	p.returnStmt.next = bytes / 250
	p.exprs.next = bytes / 24
	p.stmts.next = bytes / 65
	p.locals.next = bytes / 70
	p.ifStmt.next = bytes / 450
	p.callStmt.next = bytes / 400
}
