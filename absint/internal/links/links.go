// Package links is a map from numbers to numbers that is cheap to copy: of what is known
// on a path there is a copy for each way on, with little more in it.
//
// It is one array with open addressing and linear probing (Knuth, The Art of Computer
// Programming, volume 3, section 6.4), so that a copy is one move of memory, and nothing
// is ever removed.
package links

import "slices"

// Table maps keys to values. The zero Table is empty. It is copied by Clone, and by
// nothing else.
type Table[K ~int32] struct {
	// slots have a power of two as their number, or none, and at least a quarter of them are free.
	slots []slot[K]
	used  int
}

// slot is an entry; its key is one more than it is, and 0 where there is none.
type slot[K ~int32] struct{ key, value K }

// Len is how many keys there are.
func (t *Table[K]) Len() int { return t.used }

// Get is the value of a key, and whether there is one. Keys are at least 0.
func (t *Table[K]) Get(k K) (value K, ok bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	s := &t.slots[t.find(k)]
	return s.value, s.key != 0
}

// Set gives a key a value.
func (t *Table[K]) Set(k, value K) {
	if _, there := t.Get(k); !there {
		if t.used++; 4*t.used > 3*len(t.slots) {
			t.grow()
		}
	}
	t.slots[t.find(k)] = slot[K]{k + 1, value}
}

// Clone is a table that shares nothing with t.
func (t *Table[K]) Clone() Table[K] { return Table[K]{slices.Clone(t.slots), t.used} }

// find is the slot of a key, or the free one that it would have.
func (t *Table[K]) find(k K) int {
	mask := len(t.slots) - 1
	i := int(uint32(k)*0x9E3779B1>>7) & mask // Knuth's multiplicative hashing
	for t.slots[i].key != 0 && t.slots[i].key != k+1 {
		i = (i + 1) & mask
	}
	return i
}

// smallest is how many slots there are at first.
const smallest = 16

func (t *Table[K]) grow() {
	old := t.slots
	t.slots = make([]slot[K], max(smallest, 2*len(old)))
	for _, s := range old {
		if s.key != 0 {
			t.slots[t.find(s.key-1)] = s
		}
	}
}
