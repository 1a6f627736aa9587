package monitor

import (
	"math/bits"

	"github.com/mapatom/mapatom/checker/history"
)

// A numbering gives the values of a column small numbers. Where the values
// lie close together, as counters do, it is a subtraction; otherwise it is a
// hash table.
type numbering struct {
	count int // numbers are below it
	low   int64
	dense bool

	keys  []int64 // open addressing
	ids   []int32 // 0 is a free slot
	shift int
}

// reserved is the number of values below every other that columns use for
// themselves: Absent and Unknowable, which are numbered 0 and 1.
const reserved = 2

// numberValues numbers the values of columns of the same log.
func numberValues(columns ...[]int64) *numbering {
	var nb numbering
	nb.reset(columns...)
	return &nb
}

// reset numbers other values, in the same memory.
func (nb *numbering) reset(columns ...[]int64) {
	low, high, size := int64(0), int64(-1), 0
	for _, column := range columns {
		size += len(column)
		for _, v := range column {
			switch {
			case v <= history.Unknowable:
			case high < low:
				low, high = v, v
			case v < low:
				low = v
			case v > high:
				high = v
			}
		}
	}
	nb.low, nb.dense = low, high < low || uint64(high)-uint64(low) < uint64(2*size+64)
	if nb.dense {
		nb.count = reserved + int(high-low+1)
		return
	}
	nb.count = reserved
	nb.room(2 * size)
	for _, column := range columns {
		for _, v := range column {
			nb.add(v)
		}
	}
}

// room makes a table of at least n slots.
func (nb *numbering) room(n int) {
	size := bits.Len(uint(n))
	nb.shift = 64 - size
	if cap(nb.keys) < 1<<size {
		nb.keys, nb.ids = make([]int64, 1<<size), make([]int32, 1<<size)
		return
	}
	nb.keys, nb.ids = nb.keys[:1<<size], nb.ids[:1<<size]
	clear(nb.ids)
}

// add numbers one more value, which must not make a dense numbering larger.
func (nb *numbering) add(v int64) {
	if nb.dense || v <= history.Unknowable {
		return
	}
	i := nb.slot(v)
	if nb.ids[i] == 0 {
		nb.keys[i], nb.ids[i] = v, int32(nb.count)
		nb.count++
	}
}

// slot finds where a value is, or would be. The multiplier spreads values
// that follow one another.
func (nb *numbering) slot(v int64) uint64 {
	i := uint64(v) * 0x9e3779b97f4a7c15 >> nb.shift
	mask := uint64(len(nb.keys) - 1)
	for nb.ids[i] != 0 && nb.keys[i] != v {
		i = (i + 1) & mask
	}
	return i
}

// of gives the number of a value, -1 if it has none.
func (nb *numbering) of(v int64) int32 {
	switch {
	case v <= history.Unknowable:
		return int32(v - history.Absent)
	case nb.dense && v >= nb.low && uint64(v)-uint64(nb.low) < uint64(nb.count-reserved):
		return reserved + int32(v-nb.low)
	case nb.dense:
		return -1
	}
	if id := nb.ids[nb.slot(v)]; id != 0 {
		return id
	}
	return -1
}

// resize gives a slice of n elements with any contents, in the memory of s
// if that is large enough.
func resize[T any](s []T, n int) []T {
	switch {
	case s == nil:
		return make([]T, n)
	case cap(s) < n:
		return make([]T, n, n+n/4)
	}
	return s[:n]
}

// fill is resize with all elements set to v.
func fill[T any](s []T, n int, v T) []T {
	s = resize(s, n)
	for i := range s {
		s[i] = v
	}
	return s
}
