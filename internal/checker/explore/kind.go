package explore

import (
	"fmt"
	"math/bits"
)

// A Kind says what a word of a state holds, and so how many bits it needs and
// what the explorer may do to it: states that differ only in the names of
// values, nodes or threads are one state.
type Kind uint16

const (
	// Value is something that a client put in. A model moves values and
	// compares them, and does nothing else with them. 0 is no value.
	Value Kind = (iota + 1) << 8
	// Pointer is a node of the heap, 0 is nil.
	Pointer
	// argument is what the running method was given: of the method's kind.
	argument
)

// UpTo is the kind of numbers from 0 to most.
func UpTo(most uint8) Kind { return Kind(most) }

// isNumber reports whether words of the kind mean themselves.
func (k Kind) isNumber() bool { return k < Value }

// A Words is a short tuple of words, the results of an operation. It is
// comparable.
type Words struct {
	n uint8
	w [maxWords]byte
}

// maxWords is how many results an operation may have.
const maxWords = 3

// NewWords makes a tuple. It is an error of the model to have more than 3.
func NewWords(words ...byte) Words {
	if len(words) > maxWords {
		panic(fmt.Sprintf("%d results, at most %d are possible", len(words), maxWords))
	}
	w := Words{n: uint8(len(words))}
	copy(w.w[:], words)
	return w
}

// Len is how many words there are.
func (w *Words) Len() int { return int(w.n) }

// At is the i-th word.
func (w *Words) At(i int) byte { return w.w[i] }

// each replaces every word.
func (w *Words) each(f func(byte) byte) {
	for i := range w.n {
		w.w[i] = f(w.w[i])
	}
}

// A field is where a word lies in a packed state.
type field struct {
	shift uint16 // from the first bit of the state
	bits  uint8
	most  uint8 // greatest word that fits
}

// A packing makes states small: every word takes the bits that its kind
// needs, and no more.
type packing struct {
	fields []field // of each word of a state
	size   int     // bytes of a packed state, a multiple of 8
}

func newPacking(kinds []Kind, most func(Kind) uint8) packing {
	p := packing{fields: make([]field, len(kinds))}
	at := 0
	for i, k := range kinds {
		m := most(k)
		width := bits.Len8(m)
		p.fields[i] = field{shift: uint16(at), bits: uint8(width), most: m}
		at += width
	}
	p.size = max(8, (at+63)/64*8)
	return p
}

// pack writes the state to dst, which has the packing's size. It returns the
// index of a word that does not fit, or -1.
func (p *packing) pack(dst, state []byte) int {
	clear(dst)
	for i, w := range state {
		f := &p.fields[i]
		if w > f.most {
			return i
		}
		at, low := f.shift>>3, f.shift&7
		v := uint16(w) << low
		if v == 0 {
			continue // most words are; and the last byte may not exist
		}
		dst[at] |= byte(v)
		if v > 0xff {
			dst[at+1] |= byte(v >> 8)
		}
	}
	return -1
}

// unpack is the inverse of pack.
func (p *packing) unpack(state, src []byte) {
	for i := range state {
		f := &p.fields[i]
		if f.bits == 0 {
			state[i] = 0
			continue
		}
		at, low := int(f.shift>>3), f.shift&7
		v := uint16(src[at])
		if at+1 < len(src) {
			v |= uint16(src[at+1]) << 8
		}
		state[i] = byte(v>>low) & (1<<f.bits - 1)
	}
}
