package history

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// parse reads the lines of a chunk into the columns of its section, up to the
// first error. Nearly every line is one that parseFast understands; what is
// left has names, tabs, answers, comments or a mistake.
func (c *chunk) parse() {
	line := c.firstLine
	for at := 0; at < len(c.data); line++ {
		next := c.parseFast(at)
		if next < 0 {
			next = endOfLine(c.data, at)
			isRow, err := c.parseSlow(c.data[at:next])
			if err != nil {
				c.err = err.at("", line)
				return
			}
			if !isRow {
				c.skipLine()
				at = next
				continue
			}
		}
		if c.lineOf != nil {
			c.lineOf = append(c.lineOf, int32(line))
		}
		c.rows++
		at = next
	}
}

// skipLine takes note that rows do not follow each other line by line.
func (c *chunk) skipLine() {
	if c.lineOf != nil {
		return
	}
	c.lineOf = make([]int32, c.rows, c.lines)
	for i := range c.lineOf {
		c.lineOf[i] = int32(c.firstLine + i)
	}
}

// mostNumbers is how many numbers a line may have after its method, or
// between its process and its end: KEY VALUE SECOND ANSWER START END.
const mostNumbers = 6

// parseFast reads a line that has nothing but a method and integers of at
// most 18 digits, separated by single spaces, and makes a row. It gives the
// offset of the next line, or -1 if the line is not like that. It neither
// allocates nor complains.
func (c *chunk) parseFast(at int) int {
	var n [2 + mostNumbers]int64
	count, thread := 0, int32(0)
	if c.section.perProcess {
		if thread, at = c.processFast(at); at < 0 {
			return -1
		}
		for count < 2 {
			v, next := parseInt(c.data, at)
			if next < 0 || c.data[next] != ' ' {
				return -1
			}
			n[count] = v
			at = next + 1
			count++
		}
	}
	w := c.section.words.findFast(c.data[at:])
	if w == nil {
		return -1
	}
	for at += w.length; c.data[at] == ' ' && count < mostNumbers; count++ {
		v, next := parseInt(c.data, at+1)
		if next < 0 {
			return -1
		}
		n[count] = v
		at = next
	}
	if c.data[at] != '\n' || !c.storeFast(w, n[:count]) {
		return -1
	}
	if c.section.perProcess {
		c.section.log.Thread[c.firstRow+c.rows] = thread
	}
	return at + 1
}

// processFast reads a process that is a small number.
func (c *chunk) processFast(at int) (int32, int) {
	for end := at; end < len(c.data) && end < at+4; end++ {
		if c.data[end] == ' ' {
			if _, ok := smallNumber(c.data[at:end]); !ok {
				break
			}
			return c.threads.number(c.data[at:end]), end + 1
		}
	}
	return 0, -1
}

// parseInt reads an integer of at most 18 digits at an offset and gives the
// offset after it, where there is another byte; -1 if there is no such
// integer. It takes the first eight digits at once: half of all the time that
// a file needs goes into digits.
func parseInt(data []byte, at int) (int64, int) {
	if at+9 > len(data) {
		return 0, -1
	}
	negative := data[at] == '-'
	if negative {
		at++
	}
	v, n := firstDigits(binary.LittleEndian.Uint64(data[at:]))
	if n == 0 {
		return 0, -1
	}
	end := at + n
	if n == 8 {
		for ; end < len(data) && data[end]-'0' <= 9; end++ {
			v = v*10 + int64(data[end]-'0')
		}
		if end-at > 18 || end == len(data) {
			return 0, -1
		}
	}
	if negative {
		v = -v
	}
	return v, end
}

// firstDigits gives the number that the first bytes of a word spell, and how
// many of its eight are digits.
func firstDigits(word uint64) (int64, int) {
	word ^= 0x3030303030303030 // a digit is now its own value
	// Adding 0x76 carries into the high bit of a byte from ten on. What is
	// carried further can only be wrong about bytes after the first that is
	// no digit.
	n := bits.TrailingZeros64(((word+0x7676767676767676)|word)&0x8080808080808080) >> 3
	word <<= 8 * (8 - n) // zeros in front, and shifting by 64 gives zero
	// Neighbours are joined: digits to pairs, pairs to fours, fours to eight.
	word = word*10 + word>>8
	const pairs = 0x000000FF000000FF
	word = (word&pairs*(100+1000000<<32) + word>>16&pairs*(1+10000<<32)) >> 32
	return int64(word & 0xFFFFFFFF), n
}

// storeFast makes a row of the numbers of a line, times first or last. It
// gives up wherever something might be wrong.
func (c *chunk) storeFast(w *word, n []int64) bool {
	if len(n) < 2 {
		return false
	}
	var start, end int64
	l := &c.section.log
	if c.section.perProcess {
		start, end, n = n[0], n[1], n[2:]
	} else {
		start, end, n = n[len(n)-2], n[len(n)-1], n[:len(n)-2]
	}
	if start < 0 || end < start {
		return false
	}
	if w.plain && len(n) == 1 && n[0] != -1 && l.Kind != Map {
		at := c.firstRow + c.rows
		l.Method[at], l.Value[at], l.Call[at], l.Return[at] = w.method, n[0], start, end
		if l.Second != nil {
			l.Second[at] = Absent
		}
		return true
	}
	return c.storeGeneral(w.spelling, n, start, end)
}

// storeGeneral is storeFast for methods with a key, an answer or two values.
func (c *chunk) storeGeneral(s *spelling, n []int64, start, end int64) bool {
	least, most := c.section.width(s)
	answer := unsaid
	if s.shape.answers() && len(n) == most+1 {
		if uint64(n[most]) > 1 {
			return false
		}
		answer = no + outcome(n[most])
		n = n[:most]
	}
	if len(n) < least || len(n) > most || s.needsAnswer() && answer == unsaid {
		return false
	}
	switch {
	case s.shape == shapeOut && n[0] == -1:
		n[0] = Absent
	case n[0] == -1 && s.method == Insert || answer == no && s.otherwise == s.method:
		return false
	}
	c.store(s, n, answer, start, end)
	return true
}

// width gives how many values a line may have, its key included.
func (s *section) width(sp *spelling) (least, most int) {
	least, most = sp.shape.width()
	if s.log.Kind == Map {
		return least + 1, most + 1
	}
	return least, most
}

// store writes the next row of the chunk. values has the key of a map first.
func (c *chunk) store(s *spelling, values []int64, answer outcome, start, end int64) {
	l := &c.section.log
	at := c.firstRow + c.rows
	if l.Kind == Map {
		l.Key[at] = values[0]
		values = values[1:]
	}
	r := s.fill(values, answer)
	l.Method[at], l.Value[at] = r.method, r.value
	l.Call[at], l.Return[at] = start, end
	if l.Second != nil {
		l.Second[at] = r.second
		c.usesSecond = c.usesSecond || r.second != Absent || r.method.hasSecond()
	}
}

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
