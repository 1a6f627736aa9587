package search

import "github.com/mapatom/mapatom/checker/history"

// A pile is a multiset of values as a treap whose shape depends on nothing
// but the values: ordered by value, and as a heap by the values' numbers as
// mix gives them. Piles share what they have in common, and the same values
// make the same tree, so that comparing them stops where they share.
type pile struct {
	value       int64
	count       int32
	least       int64 // value of the whole pile
	most        int64
	left, right *pile
	hash        uint64
}

// heapSpec makes the specification of a priority queue. Its states share all but
// a path, so that one more costs as many nodes as the treap is deep, and equal
// values are counted: which of them comes out cannot be told.
func heapSpec(l *history.Log) *spec[*pile] {
	next := func(s *pile) (int64, bool) {
		switch {
		case s == nil:
			return 0, false
		case l.MinFirst:
			return s.least, true
		}
		return s.most, true
	}
	return containerSpec(l, container[*pile]{
		push: (*pile).with,
		next: next,
		pop: func(s *pile) *pile {
			v, _ := next(s)
			return s.without(v)
		},
		equal: samePiles,
		hash:  (*pile).sum,
		size:  func(*pile) int64 { return 256 },
	})
}

func (p *pile) sum() uint64 {
	if p == nil {
		return 0
	}
	return p.hash
}

// made completes a node.
func made(p pile) *pile {
	p.least, p.most = p.value, p.value
	if p.left != nil {
		p.least = p.left.least
	}
	if p.right != nil {
		p.most = p.right.most
	}
	// A sum, so that it does not depend on the shape.
	p.hash = p.left.sum() + p.right.sum() + mix(uint64(p.value))*uint64(p.count)
	return &p
}

// with gives the pile with one more v.
func (p *pile) with(v int64) *pile {
	switch {
	case p == nil:
		return made(pile{value: v, count: 1})
	case v == p.value:
		return made(pile{value: v, count: p.count + 1, left: p.left, right: p.right})
	case v < p.value:
		left := p.left.with(v)
		if mix(uint64(left.value)) <= mix(uint64(p.value)) {
			return made(pile{value: p.value, count: p.count, left: left, right: p.right})
		}
		below := made(pile{value: p.value, count: p.count, left: left.right, right: p.right})
		return made(pile{value: left.value, count: left.count, left: left.left, right: below})
	}
	right := p.right.with(v)
	if mix(uint64(right.value)) <= mix(uint64(p.value)) {
		return made(pile{value: p.value, count: p.count, left: p.left, right: right})
	}
	below := made(pile{value: p.value, count: p.count, left: p.left, right: right.left})
	return made(pile{value: right.value, count: right.count, left: below, right: right.right})
}

// without gives the pile with one v less, which must be there.
func (p *pile) without(v int64) *pile {
	switch {
	case v < p.value:
		return made(pile{value: p.value, count: p.count, left: p.left.without(v), right: p.right})
	case v > p.value:
		return made(pile{value: p.value, count: p.count, left: p.left, right: p.right.without(v)})
	case p.count > 1:
		return made(pile{value: v, count: p.count - 1, left: p.left, right: p.right})
	}
	return joined(p.left, p.right)
}

// joined puts together two piles, all values of the one being less than all
// of the other.
func joined(a, b *pile) *pile {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	case mix(uint64(a.value)) > mix(uint64(b.value)):
		return made(pile{value: a.value, count: a.count, left: a.left, right: joined(a.right, b)})
	}
	return made(pile{value: b.value, count: b.count, left: joined(a, b.left), right: b.right})
}

// samePiles compares down to what is shared. The same values have the same shape,
// whatever the order they came in, so that nodes can be compared one by one.
func samePiles(a, b *pile) bool {
	switch {
	case a == b:
		return true
	case a == nil || b == nil:
		return false
	}
	return a.hash == b.hash && a.value == b.value && a.count == b.count &&
		samePiles(a.left, b.left) && samePiles(a.right, b.right)
}
