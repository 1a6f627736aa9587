package verify

import (
	"errors"
	"math"
)

// A store is a set of states, each a vector of words of the same length, that
// gives each a number in order of arrival. Nothing is lost or hashed away: it
// is a binary tree over the words (A. Laarman, J. van de Pol and M. Weber,
// "Parallel recursive state compression for free", SPIN 2011). Each node has a
// table of the pairs that its two sons have had, and a pair's place in the table
// stands for it one level up. Most states differ from another one in few words
// and share all but a few pairs, so that a state takes little more than the 12
// bytes of its entry in the table of the root.
type store struct {
	words  int
	leaves []leafTable
	levels [][]pairTable // from the lowest; the last has the root alone
}

var errFull = errors.New("more than 4,294,967,295 states")

func newStore(words int) *store {
	s := &store{words: words, leaves: make([]leafTable, (words+1)/2)}
	for n := len(s.leaves); n > 1; n = (n + 1) / 2 {
		s.levels = append(s.levels, make([]pairTable, n/2))
	}
	return s
}

// root is the table that has an entry for each state. If there is only one
// leaf, it is that.
func (s *store) len() int {
	if len(s.levels) == 0 {
		return len(s.leaves[0].pairs)
	}
	return len(s.levels[len(s.levels)-1][0].pairs)
}

// A path is what the store knows of the vector that was looked up last: the
// words, and the number of every node. Looking up a vector that differs in few
// words from it takes few steps.
type path struct {
	words []uint64
	ids   [][]uint32 // of leaves, and of each level; a node without a brother is handed up
}

func (s *store) newPath() *path {
	p := &path{words: make([]uint64, s.words+s.words%2)}
	for n := len(s.leaves); ; n = (n + 1) / 2 {
		p.ids = append(p.ids, make([]uint32, n))
		if n == 1 {
			return p
		}
	}
}

// set makes the path that of a state that is in the store.
func (s *store) set(p *path, id uint32) {
	top := len(p.ids) - 1
	p.ids[top][0] = id
	for level := top; level > 0; level-- {
		below := p.ids[level-1]
		for i, table := range s.levels[level-1] {
			pair := table.pairs[p.ids[level][i]]
			below[2*i], below[2*i+1] = uint32(pair>>32), uint32(pair)
		}
		if len(below)%2 == 1 {
			below[len(below)-1] = p.ids[level][len(below)/2]
		}
	}
	for i := range s.leaves {
		pair := s.leaves[i].pairs[p.ids[0][i]]
		p.words[2*i], p.words[2*i+1] = pair[0], pair[1]
	}
}

// add puts a vector into the store, near the path of another one, and reports
// its number and whether it is new. to becomes its path; it may be near itself,
// but the first vector has a path of its own with fresh set.
func (s *store) add(near, to *path, words []uint64, fresh bool) (id uint32, added bool, err error) {
	ids := to.ids[0]
	copy(to.words, words)
	for i := range s.leaves {
		ids[i] = near.ids[0][i]
		if pair := [2]uint64{to.words[2*i], to.words[2*i+1]}; fresh || pair != [2]uint64{near.words[2*i], near.words[2*i+1]} {
			if ids[i], added, err = s.leaves[i].add(pair); err != nil {
				return 0, false, err
			}
		}
	}
	for level, tables := range s.levels {
		below, was := to.ids[level], near.ids[level]
		ids = to.ids[level+1]
		for i := range tables {
			ids[i] = near.ids[level+1][i]
			if fresh || below[2*i] != was[2*i] || below[2*i+1] != was[2*i+1] {
				if ids[i], added, err = tables[i].add(uint64(below[2*i])<<32 | uint64(below[2*i+1])); err != nil {
					return 0, false, err
				}
			}
		}
		if len(below)%2 == 1 {
			ids[len(ids)-1] = below[len(below)-1]
		}
	}
	return ids[0], added, nil
}

// bytes is the memory that the tables have.
func (s *store) bytes() (total int64) {
	for i := range s.leaves {
		total += int64(cap(s.leaves[i].pairs))*16 + int64(len(s.leaves[i].slots))*4
	}
	for _, tables := range s.levels {
		for i := range tables {
			total += int64(cap(tables[i].pairs))*8 + int64(len(tables[i].slots))*4
		}
	}
	return total
}

// A leafTable numbers pairs of words, a pairTable pairs of numbers. Slots are an
// open hash table of indices + 1.
type leafTable struct {
	pairs [][2]uint64
	slots []uint32
}

type pairTable struct {
	pairs []uint64
	slots []uint32
}

// Slots are doubled when they are three quarters full.
const (
	firstSlots = 16
	loadNum    = 3
	loadDen    = 4
)

// mix spreads the bits of a key (the finalizer of splitmix64).
func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

func hashPair(p [2]uint64) uint64 { return mix(p[0]*0x9e3779b97f4a7c15 + mix(p[1])) }

func (t *leafTable) add(pair [2]uint64) (uint32, bool, error) {
	if len(t.pairs)*loadDen >= len(t.slots)*loadNum {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	for at := hashPair(pair) & mask; ; at = (at + 1) & mask {
		switch n := t.slots[at]; {
		case n == 0:
			if len(t.pairs) >= math.MaxUint32-1 {
				return 0, false, errFull
			}
			t.pairs = append(t.pairs, pair)
			t.slots[at] = uint32(len(t.pairs))
			return uint32(len(t.pairs) - 1), true, nil
		case t.pairs[n-1] == pair:
			return n - 1, false, nil
		}
	}
}

func (t *leafTable) grow() {
	t.slots = make([]uint32, max(firstSlots, 2*len(t.slots)))
	mask := uint64(len(t.slots) - 1)
	for i, pair := range t.pairs {
		at := hashPair(pair) & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = uint32(i + 1)
	}
}

func (t *pairTable) add(pair uint64) (uint32, bool, error) {
	if len(t.pairs)*loadDen >= len(t.slots)*loadNum {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	for at := mix(pair) & mask; ; at = (at + 1) & mask {
		switch n := t.slots[at]; {
		case n == 0:
			if len(t.pairs) >= math.MaxUint32-1 {
				return 0, false, errFull
			}
			t.pairs = append(t.pairs, pair)
			t.slots[at] = uint32(len(t.pairs))
			return uint32(len(t.pairs) - 1), true, nil
		case t.pairs[n-1] == pair:
			return n - 1, false, nil
		}
	}
}

func (t *pairTable) grow() {
	t.slots = make([]uint32, max(firstSlots, 2*len(t.slots)))
	mask := uint64(len(t.slots) - 1)
	for i, pair := range t.pairs {
		at := mix(pair) & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = uint32(i + 1)
	}
}
