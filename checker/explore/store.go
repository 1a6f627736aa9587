package explore

import (
	"bytes"
	"math/bits"
)

// States are kept in shards by their hash, so that several goroutines can
// insert at once without waiting for each other. What is stored does not
// depend on how many goroutines there are: each shard gets its states in the
// order in which they were found.
const (
	shardBits = 5
	shards    = 1 << shardBits
)

// A stateID is the number of a stored state: its place in a shard, and the
// shard in the lowest bits.
type stateID uint32

const noState = ^stateID(0)

// maxPerShard leaves noState free.
const maxPerShard = 1<<(32-shardBits) - 1

// A shard is a part of the stored states.
type shard struct {
	size      int // bytes of a packed state
	packed    []byte
	observers []int32
	parents   []stateID
	slots     []uint32 // open addressing: number of a state plus one
	hashes    []uint32 // of the states, to grow without looking at them
}

func (s *shard) len() int { return len(s.observers) }

func (s *shard) state(i int) []byte { return s.packed[i*s.size : (i+1)*s.size] }

// insert stores a state unless there is one with the same words, and an
// observer that stands for its own as covers says. It reports whether it
// stored it.
func (s *shard) insert(packed []byte, hash uint32, observer int32, parent stateID, covers func(stored, found int32) bool) bool {
	if 4*s.len() >= 3*len(s.slots) {
		s.grow()
	}
	mask := uint32(len(s.slots) - 1)
	at := hash & mask
	for ; s.slots[at] != 0; at = (at + 1) & mask {
		i := int(s.slots[at] - 1)
		if s.hashes[i] == hash && bytes.Equal(s.state(i), packed) && covers(s.observers[i], observer) {
			return false
		}
	}
	s.slots[at] = uint32(s.len() + 1)
	s.packed = append(s.packed, packed...)
	s.observers = append(s.observers, observer)
	s.parents = append(s.parents, parent)
	s.hashes = append(s.hashes, hash)
	return true
}

// grow doubles the table.
func (s *shard) grow() {
	s.slots = make([]uint32, max(256, 2*len(s.slots)))
	mask := uint32(len(s.slots) - 1)
	for i, h := range s.hashes {
		at := h & mask
		for s.slots[at] != 0 {
			at = (at + 1) & mask
		}
		s.slots[at] = uint32(i + 1)
	}
}

// bytes is the memory that it takes.
func (s *shard) bytes() int64 {
	return int64(cap(s.packed)) + 4*int64(cap(s.observers)+cap(s.parents)+cap(s.hashes)+len(s.slots))
}

// A store has all states that were found.
type store struct {
	shards [shards]shard
}

func newStore(size int) *store {
	s := &store{}
	for i := range s.shards {
		s.shards[i].size = size
	}
	return s
}

func (s *store) at(id stateID) (sh *shard, i int) { return &s.shards[id%shards], int(id / shards) }

func idOf(shard, i int) stateID { return stateID(i)<<shardBits | stateID(shard) }

// len is how many states there are.
func (s *store) len() int64 {
	n := 0
	for i := range s.shards {
		n += s.shards[i].len()
	}
	return int64(n)
}

func (s *store) bytes() int64 {
	n := int64(0)
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

// hashOf is a hash of a packed state, the same in every run.
func hashOf(packed []byte) uint64 {
	const k0, k1 = 0x9e3779b97f4a7c15, 0xd6e8feb86659fd93
	h := uint64(k1) ^ uint64(len(packed))
	for len(packed) >= 8 {
		h = mix(h^le64(packed), k0)
		packed = packed[8:]
	}
	last := uint64(0)
	for i, b := range packed {
		last |= uint64(b) << (8 * i)
	}
	return mix(h^last, k1)
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

func le64(b []byte) uint64 {
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
