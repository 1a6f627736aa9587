package monitor

import "math/bits"

// A gapSet is a set of gaps that can be asked for the next member from a gap
// on, up or down, and from which whole ranges can be taken. It is a bit a
// gap, with a bit above every word that has any left, and so on up to a
// single word: small enough to stay in the cache where an array of numbers
// would not. All takes time amortized over the gaps that are taken out.
type gapSet struct {
	levels [][]uint64
}

// newGapSet makes a set for the gaps 0 to n-1, with all of them or none.
func newGapSet(n int, full bool) *gapSet {
	s := &gapSet{}
	for {
		words := make([]uint64, (n+63)/64)
		for i := 0; full && i < len(words); i++ {
			words[i] = ^uint64(0)
		}
		if full && n%64 != 0 {
			words[n/64] = 1<<(n%64) - 1
		}
		s.levels = append(s.levels, words)
		if n = len(words); n <= 1 {
			return s
		}
	}
}

// add puts a gap in.
func (s *gapSet) add(gap int32) {
	for _, words := range s.levels {
		before := words[gap>>6]
		words[gap>>6] |= 1 << (gap & 63)
		if before != 0 {
			return
		}
		gap >>= 6
	}
}

// next gives the lowest member that is at least gap, -1 if there is none.
func (s *gapSet) next(gap int32) int32 {
	for k, words := range s.levels {
		if int(gap>>6) >= len(words) {
			return -1
		}
		if rest := words[gap>>6] >> (gap & 63); rest != 0 {
			gap += int32(bits.TrailingZeros64(rest))
			for k--; k >= 0; k-- {
				gap = gap<<6 + int32(bits.TrailingZeros64(s.levels[k][gap]))
			}
			return gap
		}
		gap = gap>>6 + 1
	}
	return -1
}

// prev gives the highest member that is at most gap, -1 if there is none.
func (s *gapSet) prev(gap int32) int32 {
	for k, words := range s.levels {
		if gap < 0 {
			return -1
		}
		if rest := words[gap>>6] << (63 - gap&63); rest != 0 {
			gap -= int32(bits.LeadingZeros64(rest))
			for k--; k >= 0; k-- {
				gap = gap<<6 + 63 - int32(bits.LeadingZeros64(s.levels[k][gap]))
			}
			return gap
		}
		gap = gap>>6 - 1
	}
	return -1
}

// take takes the members from one gap up to, but not including, another out.
func (s *gapSet) take(from, to int32) { s.takeAt(0, from, to) }

func (s *gapSet) takeAt(level int, from, to int32) {
	if from >= to {
		return
	}
	words := s.levels[level]
	first, last := from>>6, (to-1)>>6
	head, tail := ^uint64(0)<<(from&63), ^uint64(0)>>(63-(to-1)&63)
	if first == last {
		s.clear(level, first, head&tail)
		return
	}
	s.clear(level, first, head)
	s.clear(level, last, tail)
	if first+1 == last {
		return
	}
	// The words between go as a whole; the level above knows which of them
	// are not empty yet, so that none is looked at again.
	for w := s.nextAt(level+1, first+1); w >= 0 && w < last; w = s.nextAt(level+1, w+1) {
		words[w] = 0
	}
	s.takeAt(level+1, first+1, last)
}

// nextAt is next in the set of a level's words that are not empty.
func (s *gapSet) nextAt(level int, word int32) int32 {
	above := gapSet{levels: s.levels[level:]}
	return above.next(word)
}

// clear takes the given bits of a word out.
func (s *gapSet) clear(level int, word int32, mask uint64) {
	words := s.levels[level]
	if words[word] == 0 {
		return
	}
	words[word] &^= mask
	if words[word] == 0 && level+1 < len(s.levels) {
		s.clear(level+1, word>>6, 1<<(word&63))
	}
}
