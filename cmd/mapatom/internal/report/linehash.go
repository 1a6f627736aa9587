package report

import (
	"fmt"
	"unicode/utf16"
)

// The fingerprint that GitHub gives to a line: a polynomial hash of the hundred
// characters from its beginning on, blanks and tabs left out, so that an alert stays the
// same one when the code above it changes or it is indented. Lines with the same hash are
// numbered.
const (
	hashedCharacters = 100
	hashBase         = 37
	endOfFile        = 0xFFFF // comes after the last character
)

// lineHashes are the fingerprints of the lines of a text, "HASH:NUMBER" each.
func lineHashes(text string) []string {
	chars, starts := hashedText(text)
	seen := map[uint64]int{}
	var out []string
	for _, start := range starts {
		var h uint64
		for i := start; i < start+hashedCharacters; i++ {
			h *= hashBase
			if i < len(chars) {
				h += uint64(chars[i])
			}
		}
		seen[h]++
		out = append(out, fmt.Sprintf("%x:%d", h, seen[h]))
	}
	return out
}

// hashedText is the text in units of UTF-16 without what is left out, and where its lines
// begin. Each way to end a line is a line feed.
func hashedText(text string) (chars []uint16, starts []int) {
	lineStart, afterReturn := true, false
	add := func(c uint16) {
		if lineStart {
			starts = append(starts, len(chars))
		}
		lineStart = c == '\n'
		chars = append(chars, c)
	}
	for _, c := range utf16.Encode([]rune(text)) {
		switch {
		case c == ' ', c == '\t', c == '\n' && afterReturn:
			afterReturn = false
			continue
		case c == '\r':
			c, afterReturn = '\n', true
		default:
			afterReturn = false
		}
		add(c)
	}
	add(endOfFile)
	return chars, starts
}
