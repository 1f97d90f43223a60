package syntax

// This file implements the allocation of nodes: many of a type at once, as a
// parse makes thousands of small ones that live equally long.

// slab hands out pointers into blocks that it allocates as they run out. The
// first block is small, for small files.
type slab[T any] struct {
	free []T
	size int
}

const (
	slabFirst = 8
	slabLimit = 128
)

func (s *slab[T]) alloc() *T {
	if len(s.free) == 0 {
		s.size = min(max(slabFirst, 2*s.size), slabLimit)
		s.free = make([]T, s.size)
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
	size int
}

// take ends the list that began at base.
func (s *stack[T]) take(base int) []T {
	n := len(s.open) - base
	if n == 0 {
		return nil
	}
	if n > len(s.free) {
		s.size = min(max(slabFirst, 2*s.size), slabLimit)
		s.free = make([]T, max(s.size, n))
	}
	list := s.free[:n:n]
	s.free = s.free[n:]
	copy(list, s.open[base:])
	clear(s.open[base:])
	s.open = s.open[:base]
	return list
}
