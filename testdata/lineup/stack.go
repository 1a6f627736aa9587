package lineup

import "sync/atomic"

// Stack is Treiber's stack with ranges: several items are pushed and popped
// by one compare-and-swap. Each node knows how many are below it.
type Stack struct {
	head atomic.Pointer[node]
}

type node struct {
	value int
	depth int // nodes from here to the bottom
	next  *node
}

func (n *node) size() int {
	if n == nil {
		return 0
	}
	return n.depth
}

// on gives v on top of a stack.
func (n *node) on(v int) *node { return &node{value: v, depth: n.size() + 1, next: n} }

func (s *Stack) Push(v int) { s.PushRange(v) }

// PushRange pushes all values at once, the last on top.
func (s *Stack) PushRange(values ...int) {
	for {
		old := s.head.Load()
		top := old
		for _, v := range values {
			top = top.on(v)
		}
		if s.head.CompareAndSwap(old, top) {
			return
		}
	}
}

// PushRangeTen pushes ten items.
func (s *Stack) PushRangeTen() { s.PushRange(1, 2, 3, 4, 5, 6, 7, 8, 9, 10) }

func (s *Stack) TryPop() (v int, ok bool) {
	popped := s.popRange(1)
	if len(popped) == 0 {
		return 0, false
	}
	return popped[0], true
}

func (s *Stack) TryPopRangeOne() []int  { return s.popRange(1) }
func (s *Stack) TryPopRangeTwo() []int  { return s.popRange(2) }
func (s *Stack) TryPopRangeFour() []int { return s.popRange(4) }

// popRange pops up to n items, the top one first.
func (s *Stack) popRange(n int) []int {
	for {
		old := s.head.Load()
		rest, popped := old, []int(nil)
		for ; rest != nil && len(popped) < n; rest = rest.next {
			popped = append(popped, rest.value)
		}
		if s.head.CompareAndSwap(old, rest) {
			return popped
		}
	}
}

func (s *Stack) TryPeek() (v int, ok bool) {
	if top := s.head.Load(); top != nil {
		return top.value, true
	}
	return 0, false
}

func (s *Stack) Count() int { return s.head.Load().size() }
func (s *Stack) Clear()     { s.head.Store(nil) }

func (s *Stack) ToArray() []int {
	var all []int
	for n := s.head.Load(); n != nil; n = n.next {
		all = append(all, n.value)
	}
	return all
}
