package history

import (
	"bytes"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds how deep a value nests, so that ten megabytes of opening
// brackets are an error and not the end of the stack.
const maxDepth = 1000

// canonical gives the canonical text of the JSON value that makes up the
// whole of text, or says that it does not.
func canonical(text []byte) (Value, *Error) {
	s := scanner{data: text}
	v, err := s.value()
	if err != nil {
		return "", err
	}
	if s.space(); s.pos < len(text) {
		return "", found(s.here(), "nothing after the value")
	}
	return v, nil
}

// lenient gives the value that a bare word of a text format stands for: the
// JSON value that it spells, and else the word itself as a string.
func lenient(word []byte) Value {
	if v, err := canonical(word); err == nil {
		return v
	}
	return Value(appendString(nil, string(bytes.ToValidUTF8(word, []byte("\uFFFD")))))
}

// bare is the inverse of lenient: the shortest word that reads as v. isWord
// says which strings may stand without quotes.
func bare(v Value, isWord func(string) bool) string {
	if v == "" || v[0] != '"' {
		return string(v)
	}
	s := scanner{data: []byte(v)}
	word, err := s.text()
	if err != nil || !isWord(word) {
		return string(v)
	}
	if _, err := canonical([]byte(word)); err == nil {
		return string(v) // the string "7" is not the number 7
	}
	return word
}

// A scanner reads JSON from one piece of text. It exists because values are
// kept as canonical text: encoding/json would build each value first, and
// take ten times as long for the plain numbers that most of them are.
type scanner struct {
	data  []byte
	pos   int
	depth int
}

// space skips what JSON allows between values.
func (s *scanner) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return
		}
	}
}

// peek gives the next byte after space; 0 at the end.
func (s *scanner) peek() byte {
	s.space()
	if s.pos == len(s.data) {
		return 0
	}
	return s.data[s.pos]
}

// accept takes the next byte if it is c.
func (s *scanner) accept(c byte) bool {
	if s.peek() != c || s.pos == len(s.data) {
		return false
	}
	s.pos++
	return true
}

// here says for a message what stands at the scanner's place.
func (s *scanner) here() string {
	if s.pos >= len(s.data) {
		return "the end of the line"
	}
	rest := s.data[s.pos:]
	return quote(rest[:min(len(rest), 12)])
}

// value reads one value of any form and gives its canonical text.
func (s *scanner) value() (Value, *Error) {
	switch c := s.peek(); {
	case c == '"':
		return s.stringValue()
	case c == '-' || c >= '0' && c <= '9':
		return s.numberValue()
	case c == '[' || c == '{':
		text, err := s.composite(nil)
		return Value(text), err
	}
	for _, word := range [...]string{"null", "true", "false"} {
		if bytes.HasPrefix(s.data[s.pos:], []byte(word)) {
			s.pos += len(word)
			return Value(word), nil
		}
	}
	return "", found(s.here(), "a JSON value")
}

// stringValue gives a string that has no escape as it stands, which saves
// decoding nearly all of them.
func (s *scanner) stringValue() (Value, *Error) {
	start := s.pos
	text, plain, err := s.textOrPlain()
	if err != nil {
		return "", err
	}
	if plain {
		return Value(s.data[start:s.pos]), nil
	}
	return Value(appendString(nil, text)), nil
}

// text reads a string.
func (s *scanner) text() (string, *Error) {
	start := s.pos
	text, plain, err := s.textOrPlain()
	if plain {
		text = string(s.data[start+1 : s.pos-1])
	}
	return text, err
}

// textOrPlain reads a string; it leaves text empty if the bytes between the
// quotes are the string.
func (s *scanner) textOrPlain() (text string, plain bool, err *Error) {
	body := s.data[s.pos+1:]
	end := bytes.IndexAny(body, "\"\\")
	if end < 0 {
		return "", false, found("a string that does not end", `a closing quote`)
	}
	if body[end] == '"' {
		if err := checkText(body[:end]); err != nil {
			return "", false, err
		}
		s.pos += end + 2
		return "", true, nil
	}
	text, err = s.escaped()
	return text, false, err
}

// checkText says what JSON does not allow between quotes.
func checkText(text []byte) *Error {
	for _, c := range text {
		if c < ' ' {
			return found("byte "+strconv.Itoa(int(c))+" in a string", "an escape such as \\u0000")
		}
	}
	if !utf8.Valid(text) {
		return found("bytes that are not UTF-8 in a string", "text")
	}
	return nil
}

// escaped reads a string that has escapes.
func (s *scanner) escaped() (string, *Error) {
	var out []byte
	s.pos++
	for {
		rest := s.data[s.pos:]
		end := bytes.IndexAny(rest, "\"\\")
		if end < 0 {
			return "", found("a string that does not end", `a closing quote`)
		}
		if err := checkText(rest[:end]); err != nil {
			return "", err
		}
		out = append(out, rest[:end]...)
		s.pos += end + 1
		if rest[end] == '"' {
			return string(out), nil
		}
		r, ok := s.escape()
		if !ok {
			return "", found("a backslash with something after it that is no escape", `an escape such as \n or \u00e9`)
		}
		out = utf8.AppendRune(out, r)
	}
}

// escapes are the characters that a letter after a backslash stands for.
var escapes = map[byte]rune{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escape reads what follows a backslash.
func (s *scanner) escape() (rune, bool) {
	if s.pos == len(s.data) {
		return 0, false
	}
	c := s.data[s.pos]
	s.pos++
	if c != 'u' {
		r, ok := escapes[c]
		return r, ok
	}
	r, ok := s.hex4()
	if !utf16.IsSurrogate(r) || !ok {
		return r, ok
	}
	// Half of a pair is no character: a value that says it cannot be
	// compared with another.
	if !bytes.HasPrefix(s.data[s.pos:], []byte(`\u`)) {
		return 0, false
	}
	s.pos += 2
	low, ok := s.hex4()
	r = utf16.DecodeRune(r, low)
	return r, ok && r != utf8.RuneError
}

// hex4 reads the digits of an escape.
func (s *scanner) hex4() (rune, bool) {
	if len(s.data)-s.pos < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s.data[s.pos:s.pos+4]), 16, 16)
	s.pos += 4
	return rune(n), err == nil
}

// numberValue reads a number and keeps its text: 1, 1.0 and 1e0 are three
// values, as they are in the program that wrote them. Only -0 is 0.
func (s *scanner) numberValue() (Value, *Error) {
	start := s.pos
	s.sign("-")
	whole := s.digits()
	ok := whole == 1 || whole > 1 && s.data[s.pos-whole] != '0'
	if s.sign(".") {
		ok = s.digits() > 0 && ok
	}
	if s.sign("eE") {
		s.sign("+-")
		ok = s.digits() > 0 && ok
	}
	text := s.data[start:s.pos]
	if !ok {
		return "", found("the number "+quote(text), "a number as JSON has them")
	}
	if string(text) == "-0" {
		return "0", nil
	}
	return Value(text), nil
}

// sign takes the next byte if it is one of set.
func (s *scanner) sign(set string) bool {
	if s.pos == len(s.data) || bytes.IndexByte([]byte(set), s.data[s.pos]) < 0 {
		return false
	}
	s.pos++
	return true
}

// digits takes digits and says how many there were.
func (s *scanner) digits() int {
	start := s.pos
	for s.pos < len(s.data) && s.data[s.pos] >= '0' && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos - start
}

// composite appends the canonical text of an array or an object.
func (s *scanner) composite(out []byte) ([]byte, *Error) {
	if s.depth++; s.depth > maxDepth {
		return nil, found("a value nested more than a thousand deep", "a flat one")
	}
	defer func() { s.depth-- }()
	if s.data[s.pos] == '{' {
		return s.objectValue(out)
	}
	out = append(out, '[')
	first := len(out)
	err := s.elements('[', ']', func() *Error {
		if len(out) > first {
			out = append(out, ',')
		}
		var err *Error
		out, err = s.appendValue(out)
		return err
	})
	return append(out, ']'), err
}

// appendValue appends the canonical text of the next value, without making
// a string of every bracket on the way.
func (s *scanner) appendValue(out []byte) ([]byte, *Error) {
	if c := s.peek(); c == '[' || c == '{' {
		return s.composite(out)
	}
	v, err := s.value()
	return append(out, v...), err
}

// elements reads what stands between two brackets, separated by commas.
func (s *scanner) elements(open, closing byte, element func() *Error) *Error {
	if !s.accept(open) {
		return found(s.here(), strconv.Quote(string(rune(open))))
	}
	if s.accept(closing) {
		return nil
	}
	for {
		if err := element(); err != nil {
			return err
		}
		switch {
		case s.accept(closing):
			return nil
		case !s.accept(','):
			return found(s.here(), strconv.Quote(string(rune(closing)))+` or ","`)
		}
	}
}

// members reads an object, and calls member with the scanner before each of
// its values.
func (s *scanner) members(member func(key string) *Error) *Error {
	return s.elements('{', '}', func() *Error {
		if s.peek() != '"' {
			return found(s.here(), "a name in quotes")
		}
		key, err := s.text()
		if err != nil {
			return err
		}
		if !s.accept(':') {
			return found(s.here(), `":" after the name `+quote([]byte(key)))
		}
		return member(key)
	})
}

// objectValue appends an object with its names in order.
func (s *scanner) objectValue(out []byte) ([]byte, *Error) {
	type member struct {
		key  string
		text []byte
	}
	var all []member
	err := s.members(func(key string) *Error {
		text, err := s.appendValue(nil)
		all = append(all, member{key, text})
		return err
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(all, func(a, b member) int { return bytes.Compare([]byte(a.key), []byte(b.key)) })
	out = append(out, '{')
	for i, m := range all {
		if i > 0 {
			if m.key == all[i-1].key {
				return nil, found("the name "+quote([]byte(m.key))+" twice in one object", "each name once")
			}
			out = append(out, ',')
		}
		out = append(appendString(out, m.key), ':')
		out = append(out, m.text...)
	}
	return append(out, '}'), nil
}

// appendString appends a string as canonical JSON: only what must be escaped
// is, so that two texts differ only if the strings do. U+2028 and its like
// stay as they are.
func appendString(out []byte, s string) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c == '\n':
			out = append(out, `\n`...)
		case c == '\r':
			out = append(out, `\r`...)
		case c == '\t':
			out = append(out, `\t`...)
		case c < ' ':
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			out = append(out, c)
		}
	}
	return append(out, '"')
}

// String gives the JSON string of any text, for programs that make a History
// of their own.
func String(text string) Value {
	return Value(appendString(nil, string(bytes.ToValidUTF8([]byte(text), []byte("\uFFFD")))))
}
