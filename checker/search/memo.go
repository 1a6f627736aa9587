package search

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"unsafe"
)

// A memo remembers the configurations that a search has been in, so that it
// enters none twice (Lowe). The linearized set is kept exactly, but small:
// the number of the last linearized operation, and the operations before it
// that are not linearized. Those were all open when the last one was called,
// so that there are fewer of them than threads; each takes about a byte,
// however long the history is.
type memo[S any] struct {
	slots   []uint32 // index of entries plus 1; its length is a power of two
	entries []memoEntry[S]
	keys    []byte
	held    int64 // by the states
	scratch []byte
}

type memoEntry[S any] struct {
	hash     uint64
	at, size uint32 // of the key, in keys
	free     int32
	last     lastStep
	state    S
}

// reset forgets everything, and makes room for n configurations. It keeps
// memory to use it again, but not much of it: most parts are small.
func (m *memo[S]) reset(n int) {
	const keep = 1 << 14
	if len(m.slots) > 2*keep || cap(m.keys) > 16*keep {
		*m = memo[S]{}
	}
	clear(m.slots)
	if m.slots == nil {
		m.slots = make([]uint32, 2<<bits.Len(uint(n)))
	}
	clear(m.entries)
	m.entries, m.keys, m.held = slices.Grow(m.entries[:0], n), slices.Grow(m.keys[:0], 4*n), 0
}

// bytes is the memory that the memo needs. It does not count what was
// allocated in advance, since that depends on the parts that were searched
// before, and a budget must not.
func (m *memo[S]) bytes() int64 {
	var e memoEntry[S]
	return int64(len(m.entries))*int64(unsafe.Sizeof(e)+12) + int64(len(m.keys)) + m.held
}

// seen reports whether the configuration, or one from which at least as much
// is possible, was there before; if not, it is from now on. The key of the
// linearized set is in m.scratch.
//
// More operations that are free are never worse. A last step that forbids
// some next steps is worse than none, but depends on free itself, so that it
// compares only with the same.
func (m *memo[S]) seen(sp *spec[S], hash uint64, c *config[S]) bool {
	mask := uint64(len(m.slots) - 1)
	i := hash & mask
	for ; m.slots[i] != 0; i = (i + 1) & mask {
		e := &m.entries[m.slots[i]-1]
		if e.hash != hash || !bytes.Equal(m.keys[e.at:e.at+e.size], m.scratch) || !sp.equal(e.state, c.state) {
			continue
		}
		if e.last == anyStep && e.free >= c.free || e.last == c.last && e.free == c.free {
			return true
		}
		if c.last == anyStep && c.free >= e.free {
			e.free, e.last = c.free, c.last
			return false
		}
	}
	m.slots[i] = uint32(len(m.entries) + 1)
	m.entries = append(m.entries, memoEntry[S]{
		hash: hash, at: uint32(len(m.keys)), size: uint32(len(m.scratch)),
		free: c.free, last: c.last, state: c.state,
	})
	m.keys = append(m.keys, m.scratch...)
	if sp.size != nil {
		m.held += sp.size(c.state)
	}
	if 2*len(m.entries) > len(m.slots) {
		m.grow()
	}
	return false
}

// grow doubles the slots. Entries keep their order, so that of several with the
// same key the oldest is still met first, and the search goes the same way
// whatever the seed of the hash is.
func (m *memo[S]) grow() {
	m.slots = make([]uint32, 2*len(m.slots))
	mask := uint64(len(m.slots) - 1)
	for n := range m.entries {
		i := m.entries[n].hash & mask
		for m.slots[i] != 0 {
			i = (i + 1) & mask
		}
		m.slots[i] = uint32(n + 1)
	}
}

// encode puts the key of the linearized set into m.scratch: top, which is
// one more than the greatest linearized operation that returned; the
// operations below it that are still in the list; and the kinds of pending
// operations of which some are linearized, with the next one of each.
func (m *memo[S]) encode(o *order, top int32, a *alikeness) {
	key := binary.AppendUvarint(m.scratch[:0], uint64(top))
	before := int32(-1)
	// Below top there are calls only: a return before the call of a
	// linearized operation would have had to be taken out first.
	for e := o.next[0]; e != o.last && o.op[e] >= 0 && o.op[e] < top; e = o.next[e] {
		key = binary.AppendUvarint(key, uint64(o.op[e]-before))
		before = o.op[e]
	}
	if a.taken > 0 {
		key = append(key, 0) // no operation is 0 after the one before
		for kind, op := range a.heads {
			if op != a.first[kind] {
				key = binary.AppendUvarint(key, uint64(kind))
				key = binary.AppendUvarint(key, uint64(op+1))
			}
		}
	}
	m.scratch = key
}

// mix is the finalizer of splitmix64: it makes a number that is as good as
// random out of any number.
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
