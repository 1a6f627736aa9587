package reach

import (
	"encoding/binary"
	"math/bits"
)

// States are kept in shards by their hash, so that several goroutines can
// insert at once without waiting for each other. What is stored does not
// depend on how many goroutines there are: each shard gets its states in the
// order in which they were found.
const (
	shardBits = 4
	shards    = 1 << shardBits
)

// A stateID is the number of a stored state: its place in a shard, and the
// shard in the lowest bits.
type stateID uint32

const noState = ^stateID(0)

// maxPerShard leaves noState free.
const maxPerShard = 1<<(32-shardBits) - 1

func idOf(shard, i int) stateID { return stateID(i)<<shardBits | stateID(shard) }

// split is the inverse of idOf.
func (id stateID) split() (shard, i int) { return int(id % shards), int(id / shards) }

// A key is what a table numbers: two words of a state, or the numbers of two
// neighbours.
type key interface {
	comparable
	hash() uint64
}

type words [2]uint64

func (w words) hash() uint64 { return mix(w[0]^mix(w[1], stateSeed), keySeed) }

type pair uint64

func (p pair) hash() uint64 { return mix(uint64(p), keySeed) }

func pairOf(a, b uint32) pair       { return pair(a)<<32 | pair(b) }
func (p pair) split() (a, b uint32) { return uint32(p >> 32), uint32(p) }

// A table numbers keys in the order in which they come.
type table[K key] struct {
	keys  []K
	slots []uint32 // open addressing: number of a key plus one
	last  uint32   // the number that was given last, which is often the next one too
}

// Slots are doubled when they are three quarters full.
const firstSlots = 16

func crowded(keys, slots int) bool { return 4*keys >= 3*slots }

// number is the number of a key, which is new if there is none.
func (t *table[K]) number(k K) uint32 {
	if len(t.keys) == 0 || t.keys[t.last] != k {
		t.last = t.find(k)
	}
	return t.last
}

func (t *table[K]) find(k K) uint32 {
	if crowded(len(t.keys), len(t.slots)) {
		t.grow()
	}
	mask := uint64(len(t.slots) - 1)
	at := k.hash() & mask
	for ; t.slots[at] != 0; at = (at + 1) & mask {
		if n := t.slots[at] - 1; t.keys[n] == k {
			return n
		}
	}
	t.keys = append(t.keys, k)
	t.slots[at] = uint32(len(t.keys))
	return uint32(len(t.keys) - 1)
}

func (t *table[K]) grow() {
	t.slots = make([]uint32, max(firstSlots, 2*len(t.slots)))
	mask := uint64(len(t.slots) - 1)
	for n, k := range t.keys {
		at := k.hash() & mask
		for t.slots[at] != 0 {
			at = (at + 1) & mask
		}
		t.slots[at] = uint32(n + 1)
	}
}

// bytes is the memory of a table whose keys have a size.
func (t *table[K]) bytes(size int64) int64 { return size*int64(cap(t.keys)) + 4*int64(len(t.slots)) }

// A tree takes states apart: its leaves number two words each, each level above
// them pairs of numbers, and a number without a neighbour is handed up. The pair
// that is left, or the only number, is the root.
type tree struct {
	leaves []table[words]
	levels [][]table[pair]
}

// newTree makes a tree for states of a size, a multiple of 8.
func newTree(size int) tree {
	t := tree{leaves: make([]table[words], (size+15)/16)}
	for n := len(t.leaves); n > 2; n = (n + 1) / 2 {
		t.levels = append(t.levels, make([]table[pair], n/2))
	}
	return t
}

// scratch is memory for root and state.
func (t *tree) scratch() []uint32 { return make([]uint32, len(t.leaves)+1) }

// root is the root of a state, all parts of which have numbers after it.
func (t *tree) root(state []byte, numbers []uint32) pair {
	for i := range t.leaves {
		w := words{binary.LittleEndian.Uint64(state[16*i:])}
		if second := 16*i + 8; second < len(state) {
			w[1] = binary.LittleEndian.Uint64(state[second:])
		}
		numbers[i] = t.leaves[i].number(w)
	}
	n := len(t.leaves)
	for _, level := range t.levels {
		for i := range level {
			numbers[i] = level[i].number(pairOf(numbers[2*i], numbers[2*i+1]))
		}
		if n%2 == 1 {
			numbers[n/2] = numbers[n-1]
		}
		n = (n + 1) / 2
	}
	if n == 1 {
		return pair(numbers[0])
	}
	return pairOf(numbers[0], numbers[1])
}

// state is the inverse of root.
func (t *tree) state(to []byte, root pair, numbers []uint32) {
	if numbers[0], numbers[1] = root.split(); len(t.leaves) == 1 {
		numbers[0] = numbers[1]
	}
	for k := len(t.levels) - 1; k >= 0; k-- {
		level := t.levels[k]
		if n := len(level); t.width(k)%2 == 1 {
			numbers[2*n] = numbers[n]
		}
		for i := len(level) - 1; i >= 0; i-- {
			numbers[2*i], numbers[2*i+1] = level[i].keys[numbers[i]].split()
		}
	}
	for i := range t.leaves {
		w := &t.leaves[i].keys[numbers[i]]
		binary.LittleEndian.PutUint64(to[16*i:], w[0])
		if second := 16*i + 8; second < len(to) {
			binary.LittleEndian.PutUint64(to[second:], w[1])
		}
	}
}

// width is how many numbers a level of the tree makes pairs of.
func (t *tree) width(level int) int {
	n := len(t.leaves)
	for range level {
		n = (n + 1) / 2
	}
	return n
}

func (t *tree) bytes() (n int64) {
	for i := range t.leaves {
		n += t.leaves[i].bytes(16)
	}
	for _, level := range t.levels {
		for i := range level {
			n += level[i].bytes(8)
		}
	}
	return n
}

// A shard is a part of the stored states.
type shard struct {
	tree    tree
	numbers []uint32 // scratch
	covers  func(stored, found int32) bool
	roots   []pair
	marks   []int32
	parents []stateID
	slots   []uint32 // as those of a table
}

func (s *shard) len() int { return len(s.roots) }

// insert stores a state unless there is one with the same bytes whose mark
// covers its own. It reports whether it stored it.
func (s *shard) insert(state []byte, mark int32, parent stateID) bool {
	if crowded(len(s.roots), len(s.slots)) {
		s.grow()
	}
	root := s.tree.root(state, s.numbers)
	mask := uint64(len(s.slots) - 1)
	at := s.hash(root, mark) & mask
	for ; s.slots[at] != 0; at = (at + 1) & mask {
		n := s.slots[at] - 1
		if s.roots[n] == root && (s.marks[n] == mark || s.covers != nil && s.covers(s.marks[n], mark)) {
			return false
		}
	}
	s.slots[at] = uint32(len(s.roots) + 1)
	s.roots, s.marks, s.parents = append(s.roots, root), append(s.marks, mark), append(s.parents, parent)
	return true
}

// hash depends on the mark where states with different ones are different, or
// the slots would have long rows of the same root.
func (s *shard) hash(root pair, mark int32) uint64 {
	if s.covers != nil {
		return root.hash()
	}
	return (root ^ pair(mark)<<17).hash()
}

func (s *shard) grow() {
	s.slots = make([]uint32, max(firstSlots, 2*len(s.slots)))
	mask := uint64(len(s.slots) - 1)
	for n, root := range s.roots {
		at := s.hash(root, s.marks[n]) & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = uint32(n + 1)
	}
}

func (s *shard) bytes() int64 {
	return s.tree.bytes() + 8*int64(cap(s.roots)) + 4*int64(cap(s.marks)+cap(s.parents)+len(s.slots))
}

// A store has all states that were found.
type store struct {
	shards [shards]shard
}

func newStore(size int, covers func(stored, found int32) bool) *store {
	s := &store{}
	for i := range s.shards {
		t := newTree(size)
		s.shards[i] = shard{tree: t, numbers: t.scratch(), covers: covers}
	}
	return s
}

// get puts a state together, with scratch memory, and gives its mark.
func (s *store) get(id stateID, to []byte, scratch []uint32) (mark int32) {
	sh, i := id.split()
	s.shards[sh].tree.state(to, s.shards[sh].roots[i], scratch)
	return s.shards[sh].marks[i]
}

func (s *store) parent(id stateID) stateID {
	sh, i := id.split()
	return s.shards[sh].parents[i]
}

// len is how many states there are.
func (s *store) len() (n int64) {
	for i := range s.shards {
		n += int64(s.shards[i].len())
	}
	return n
}

func (s *store) bytes() (n int64) {
	for i := range s.shards {
		n += s.shards[i].bytes()
	}
	return n
}

// full reports whether a shard has no numbers left for n more states.
func (s *store) full(n int) bool {
	for i := range s.shards {
		if s.shards[i].len()+n >= maxPerShard {
			return true
		}
	}
	return false
}

// hashOf is a hash of a state, the same in every run. Its highest bits choose
// the shard.
func hashOf(state []byte) uint64 {
	h := uint64(len(state))
	for ; len(state) >= 8; state = state[8:] {
		h = mix(h^binary.LittleEndian.Uint64(state), stateSeed)
	}
	return mix(h, keySeed)
}

const keySeed, stateSeed = 0xd6e8feb86659fd93, 0x9e3779b97f4a7c15

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}
