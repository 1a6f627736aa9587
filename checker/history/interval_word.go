package history

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// A word is a spelling prepared for finding it among bytes: its first sixteen
// in lower case as two numbers, and the length.
type word struct {
	low, high uint64
	length    int
	// plain says that a line with one value is a row as it stands: the
	// method takes one value or gives one, and needs no answer.
	plain bool
	*spelling
}

// A wordTable finds the words of a kind by a hash without collisions: a
// search from word to word would be as slow as the rest of the line, since
// the processor cannot guess where it ends.
type wordTable struct {
	slots  [256]word
	factor uint64
}

var wordTables = func() [len(spellings)]*wordTable {
	var all [len(spellings)]*wordTable
	for k := range spellings {
		all[k] = newWordTable(spellings[k])
	}
	return all
}()

// newWordTable looks for a factor under which no two words meet. Words of more
// than sixteen letters are only found by find.
func newWordTable(all []spelling) *wordTable {
	for factor := uint64(0x9E3779B97F4A7C15); ; factor += 2 {
		t := &wordTable{factor: factor}
		ok := true
		for i := range all {
			s := &all[i]
			if len(s.word) > 16 {
				continue
			}
			var text [16]byte
			copy(text[:], s.word)
			low, high := keys(text[:], len(s.word))
			slot := t.slot(low, high)
			ok = ok && slot.spelling == nil
			plain := s.shape <= shapeFalse && !s.needsAnswer()
			*slot = word{low, high, len(s.word), plain, s}
		}
		if ok {
			return t
		}
	}
}

// slot gives the place of a word.
func (t *wordTable) slot(low, high uint64) *word {
	return &t.slots[(low^high*3)*t.factor>>56]
}

// lowerBits has the bit of each byte set that tells small letters from
// capital ones. Words have only letters and underscores, and no other byte
// becomes a letter by it.
const lowerBits = 0x2020202020202020

// keys packs the first n of at least sixteen bytes.
func keys(text []byte, n int) (low, high uint64) {
	low = binary.LittleEndian.Uint64(text) | lowerBits
	if n <= 8 {
		return low & first(n), 0
	}
	high = binary.LittleEndian.Uint64(text[8:]) | lowerBits
	return low, high & first(n-8)
}

// first masks the first n bytes.
func first(n int) uint64 { return ^uint64(0) >> (64 - 8*n) }

// spaceAt gives the index of the first space among eight bytes; 8 or more if
// there is none. It is the usual test for a zero byte, which may be wrong
// about bytes after the first that is found, and about no other.
func spaceAt(text []byte) int {
	x := binary.LittleEndian.Uint64(text) ^ lowerBits
	return bits.TrailingZeros64((x-0x0101010101010101)&^x&0x8080808080808080) >> 3
}

// findFast finds a method of at most 16 letters with a space after it, that
// is not in the last bytes of the text; nil if there is none.
func (t *wordTable) findFast(text []byte) *word {
	if len(text) < 24 {
		return nil
	}
	n := spaceAt(text)
	if n == 8 {
		if n += spaceAt(text[8:]); n == 16 && text[16] != ' ' {
			return nil
		}
	}
	low, high := keys(text, n)
	w := t.slot(low, high)
	if w.low != low || w.high != high || w.length != n || n == 0 {
		return nil
	}
	return w
}

// find gives the spelling of a method of any length.
func (s *section) find(text []byte) *spelling {
	all := spellings[s.log.Kind]
	for i := range all {
		if len(all[i].word) == len(text) && strings.EqualFold(all[i].word, string(text)) {
			return &all[i]
		}
	}
	return nil
}
