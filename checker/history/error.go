package history

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Error says that an input is malformed: where, what stands there, and
// what should. It is the only error that the readers make themselves; an
// error of the disk or the network is passed on as it is.
type Error struct {
	File  string
	Line  int    // from 1; 0 if it is about the file as a whole
	Found string // what was found, in words or quoted
	Want  string // what was expected; "" if Found says it all
}

// Error gives all of it on one line that editors can follow.
func (e *Error) Error() string {
	text := e.Found
	if e.Want != "" {
		text += ", want " + e.Want
	}
	text = oneLine(text)
	switch {
	case e.File == "" && e.Line == 0:
		return text
	case e.Line == 0:
		return e.File + ": " + text
	}
	return e.File + ":" + strconv.Itoa(e.Line) + ": " + text
}

// maxMessage bounds what a message says after the place.
const maxMessage = 400

// oneLine makes any text one short line that can be printed. Most messages
// are that already: the rest repeat the name of a method or an element, which
// may be anything.
func oneLine(text string) string {
	var b strings.Builder
	for _, r := range text {
		if b.Len() >= maxMessage {
			b.WriteString("...")
			break
		}
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// maxQuoted bounds what a message repeats of the input: a line may have ten
// megabytes.
const maxQuoted = 48

// quote gives a part of the input for a message: always on one line, always
// printable, and cut where it is long.
func quote(text []byte) string {
	if len(text) <= maxQuoted {
		return strconv.QuoteToASCII(string(text))
	}
	cut := maxQuoted
	for cut > maxQuoted-utf8.UTFMax && !utf8.RuneStart(text[cut]) {
		cut--
	}
	return fmt.Sprintf("%s... (%d bytes)", strconv.QuoteToASCII(string(text[:cut])), len(text))
}

// found is shorthand for an error whose place is filled in by the caller.
func found(what, want string) *Error { return &Error{Found: what, Want: want} }

// at puts an error where it belongs.
func (e *Error) at(file string, line int) *Error {
	e.File, e.Line = file, line
	return e
}
