package history

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// An ednKind is a form of EDN as far as histories tell them apart.
type ednKind uint8

const (
	ednAtom    ednKind = iota // already in canonical JSON
	ednKeyword                // text without the colon
	ednSequence
	ednMap // items are keys and values by turns
)

// An ednValue is one form that was read.
type ednValue struct {
	kind  ednKind
	text  string
	items []ednValue
}

// get gives the value of a keyword in a map; nil if it has none.
func (v *ednValue) get(keyword string) *ednValue {
	for i := 0; i+1 < len(v.items); i += 2 {
		if v.items[i].kind == ednKeyword && v.items[i].text == keyword {
			return &v.items[i+1]
		}
	}
	return nil
}

// json gives the value as JSON. Keywords and symbols become strings, lists,
// vectors and sets become arrays (a set in the order of its elements' texts),
// and the keys of maps become strings.
func (v *ednValue) json() Value {
	switch v.kind {
	case ednKeyword:
		return String(v.text)
	case ednAtom:
		return Value(v.text)
	}
	return Value(v.appendJSON(nil))
}

// appendJSON appends the value as canonical JSON. Members are sorted with their
// names in front, so that sorting them as text is sorting them by name.
func (v *ednValue) appendJSON(out []byte) []byte {
	switch v.kind {
	case ednMap:
		var members []string
		for i := 0; i+1 < len(v.items); i += 2 {
			members = append(members, string(v.items[i].asName())+":"+string(v.items[i+1].json()))
		}
		slices.Sort(members)
		return append(append(append(out, '{'), strings.Join(members, ",")...), '}')
	case ednSequence:
		out = append(out, '[')
		for i := range v.items {
			if i > 0 {
				out = append(out, ',')
			}
			out = v.items[i].appendJSON(out)
		}
		return append(out, ']')
	}
	return append(out, v.json()...)
}

// An ednReader reads forms one after the other. Tags are dropped, which is
// right for records such as #jepsen.history.Op{...} and harmless for dates.
type ednReader struct {
	src   *bufio.Reader
	line  int
	depth int
	size  int // of the form that is being read
	// open has the items of the sequences and maps that are being read, and
	// word the word. words has one of each that was read: histories consist
	// of the same few.
	open  []ednValue
	word  []byte
	words map[string]string
}

// newEDNReader reads byte by byte through a buffer: EDN has no lines that could
// be taken at once.
func newEDNReader(r io.Reader) *ednReader {
	return &ednReader{src: bufio.NewReaderSize(r, 256<<10), line: 1, words: map[string]string{}}
}

// byte takes the next byte.
func (r *ednReader) byte() (byte, error) {
	c, err := r.src.ReadByte()
	if c == '\n' && err == nil {
		r.line++
	}
	if r.size++; r.size > longestText {
		return 0, found("a form of more than "+strconv.Itoa(longestText)+" bytes", "a shorter one")
	}
	return c, err
}

// back gives the byte back that was taken last.
func (r *ednReader) back(c byte) {
	r.size--
	if c == '\n' {
		r.line--
	}
	r.src.UnreadByte()
}

// first takes the first byte of the next form: after space, commas, comments
// and forms that #_ throws away. It gives io.EOF where there is none.
func (r *ednReader) first() (byte, error) {
	for {
		c, err := r.byte()
		switch {
		case err != nil:
			return 0, err
		case c == ';':
			for c != '\n' {
				if c, err = r.byte(); err != nil {
					return 0, err
				}
			}
		case c != ' ' && c != ',' && (c < '\t' || c > '\r'):
			return c, nil
		}
	}
}

// must makes the end of the input an error inside a form.
func must(err error) error {
	if errors.Is(err, io.EOF) {
		return found("the end of the file inside a form", "the rest of it")
	}
	return err
}

// closers are the brackets that end what another begins.
var closers = map[byte]byte{'(': ')', '[': ']', '{': '}'}

// form reads one form whose first byte is taken. discard says that it was one
// to throw away, and that there is no value.
func (r *ednReader) form(c byte) (v ednValue, discard bool, err error) {
	if r.depth++; r.depth > maxDepth {
		return v, false, found("a form nested more than a thousand deep", "a flat one")
	}
	defer func() { r.depth-- }()
	switch c {
	case '(', '[':
		v.kind = ednSequence
		v.items, err = r.items(closers[c])
	case '{':
		v, err = r.mapForm()
	case '"':
		v.text, err = r.str()
	case '\\':
		v.text, err = r.character()
	case '#':
		return r.dispatch()
	case ':':
		v.kind = ednKeyword
		v.text, err = r.token()
		if err == nil && v.text == "" {
			err = found("a colon alone", "a keyword")
		}
	case ')', ']', '}':
		err = found(quote([]byte{c}), "a form")
	default:
		v, err = r.atom(c)
	}
	return v, false, err
}

// items reads forms up to a closing bracket.
func (r *ednReader) items(closing byte) ([]ednValue, error) {
	start := len(r.open)
	defer func() { r.open = r.open[:start] }()
	for {
		c, err := r.first()
		if err != nil {
			return nil, must(err)
		}
		if c == closing {
			return slices.Clone(r.open[start:]), nil
		}
		v, discard, err := r.form(c)
		if err != nil {
			return nil, must(err)
		}
		if !discard {
			r.open = append(r.open, v)
		}
	}
}

// mapForm reads a map whose opening bracket is taken.
func (r *ednReader) mapForm() (ednValue, error) {
	items, err := r.items('}')
	if err == nil && len(items)%2 != 0 {
		err = found("a map with a key that has no value", "a value for each key")
	}
	v := ednValue{kind: ednMap, items: items}
	if err != nil {
		return v, err
	}
	return v, v.keysDiffer()
}

// keysDiffer says if a map has a key twice. Maps of histories have a handful
// of keywords, which are compared as they are.
func (v *ednValue) keysDiffer() error {
	if again := v.keywordTwice(); again >= 0 {
		name := list([]Value{v.items[again].asName()})
		return found("the key "+name+" twice in one map", "each key once")
	}
	return nil
}

// keywordTwice gives the index of a key that was there before; -1 if there is
// none.
func (v *ednValue) keywordTwice() int {
	var seen map[Value]bool
	for i := 0; i < len(v.items); i += 2 {
		if seen == nil && v.items[i].kind == ednKeyword && i < 64 {
			for j := 0; j < i; j += 2 {
				if v.items[j].text == v.items[i].text {
					return i
				}
			}
			continue
		}
		if seen == nil { // from here on by name, which not only keywords have
			seen = map[Value]bool{}
			for j := 0; j < i; j += 2 {
				seen[v.items[j].asName()] = true
			}
		}
		name := v.items[i].asName()
		if seen[name] {
			return i
		}
		seen[name] = true
	}
	return -1
}

// asName gives a key as the name of a JSON object.
func (v *ednValue) asName() Value {
	name := v.json()
	if name[0] != '"' {
		return String(string(name))
	}
	return name
}

// dispatch reads what begins with a number sign: a set, a form to throw away,
// a symbolic number, or a tag and its form.
func (r *ednReader) dispatch() (v ednValue, discard bool, err error) {
	c, err := r.byte()
	if err != nil {
		return v, false, must(err)
	}
	switch c {
	case '{':
		v.kind = ednSequence
		v.items, err = r.items('}')
		slices.SortFunc(v.items, func(a, b ednValue) int { return strings.Compare(string(a.json()), string(b.json())) })
		return v, false, err
	case '#':
		v.text, err = r.token()
		v.text = string(String(v.text)) // NaN, Inf and -Inf, which JSON does not have
		return v, false, err
	case '_':
		_, err = r.next()
		return v, true, err
	}
	if _, err = r.token(c); err != nil {
		return v, false, err
	}
	v, err = r.next()
	return v, false, err
}

// next reads the form that must come.
func (r *ednReader) next() (ednValue, error) {
	for {
		c, err := r.first()
		if err != nil {
			return ednValue{}, must(err)
		}
		v, discard, err := r.form(c)
		if err != nil || !discard {
			return v, must(err)
		}
	}
}

// token reads up to the end of a word, after the bytes that were taken of it.
func (r *ednReader) token(taken ...byte) (string, error) {
	r.word = append(r.word[:0], taken...)
	for {
		c, err := r.byte()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", err
		}
		if c <= ' ' && c != 0 || strings.IndexByte(`,;"()[]{}\`, c) >= 0 {
			r.back(c)
			break
		}
		r.word = append(r.word, c)
	}
	if word, ok := r.words[string(r.word)]; ok {
		return word, nil
	}
	if !utf8.Valid(r.word) || bytes.IndexByte(r.word, 0) >= 0 {
		return "", found("binary data", "EDN")
	}
	word := string(r.word)
	if len(r.words) < 1024 {
		r.words[word] = word
	}
	return word, nil
}

// atom reads a number, nil, true, false or a symbol.
func (r *ednReader) atom(c byte) (ednValue, error) {
	word, err := r.token(c)
	if err != nil {
		return ednValue{}, err
	}
	switch word {
	case "nil":
		return ednValue{text: "null"}, nil
	case "true", "false":
		return ednValue{text: word}, nil
	}
	// Nearly all atoms are integers. One with a zero in front is none of
	// EDN's: Clojure's reader takes 017 as octal.
	if i, err := strconv.ParseInt(word, 10, 64); err == nil && (i == 0 || word[0] > '0' || word[0] == '-' && word[1] > '0') {
		if i == 0 {
			word = "0"
		}
		return ednValue{text: word}, nil
	}
	digit := strings.TrimLeft(word, "+-")
	if digit == "" || digit[0] < '0' || digit[0] > '9' {
		return ednValue{text: string(String(word))}, nil
	}
	// What is left is a fraction, an integer of any length, or one with the
	// letter that says how long it may be: 1.5M and 10N.
	if n, err := canonical([]byte(strings.TrimRight(strings.TrimPrefix(word, "+"), "NM"))); err == nil {
		return ednValue{text: string(n)}, nil
	}
	if a, b, ok := strings.Cut(word, "/"); ok && a != "" && b != "" {
		return ednValue{text: string(String(word))}, nil // a ratio
	}
	return ednValue{}, found("the number "+quote([]byte(word)), "a number of EDN")
}

// ednEscapes are the characters that a letter after a backslash stands for.
var ednEscapes = map[byte]byte{'t': '\t', 'r': '\r', 'n': '\n', '\\': '\\', '"': '"', 'b': '\b', 'f': '\f', '/': '/'}

// str reads a string whose opening quote is taken, and gives it as JSON.
func (r *ednReader) str() (string, error) {
	var text []byte
	for {
		c, err := r.byte()
		if err != nil {
			return "", must(err)
		}
		switch c {
		case '"':
			if !utf8.Valid(text) {
				return "", found("bytes that are not UTF-8 in a string", "text")
			}
			return string(appendString(nil, string(text))), nil
		case '\\':
			if text, err = r.escape(text); err != nil {
				return "", must(err)
			}
		default:
			text = append(text, c)
		}
	}
}

// escape appends what follows a backslash in a string.
func (r *ednReader) escape(text []byte) ([]byte, error) {
	c, err := r.byte()
	if err != nil {
		return nil, err
	}
	if c != 'u' {
		if e, ok := ednEscapes[c]; ok {
			return append(text, e), nil
		}
		return nil, found(`the escape \`+quote([]byte{c}), `an escape such as \n or \u00e9`)
	}
	// The digits are read as JSON's, with the half of a pair that may follow.
	escape := []byte{'u'}
	for len(escape) < 5 || len(escape) < 11 && isHighSurrogate(escape) {
		if c, err = r.byte(); err != nil {
			return nil, err
		}
		escape = append(escape, c)
	}
	s := scanner{data: escape}
	char, ok := s.escape()
	if !ok {
		return nil, found("the escape "+quote(append([]byte{'\\'}, escape...)), `an escape such as \n or \u00e9`)
	}
	return utf8.AppendRune(text, char), nil
}

// isHighSurrogate reports whether the digits of an escape are the first half
// of a pair.
func isHighSurrogate(escape []byte) bool {
	n, err := strconv.ParseUint(string(escape[1:5]), 16, 16)
	return err == nil && n >= 0xD800 && n < 0xDC00
}

// character reads a character such as \a or \newline, as a string.
func (r *ednReader) character() (string, error) {
	c, err := r.byte()
	if err != nil {
		return "", must(err)
	}
	word, err := r.token(c)
	return string(String(word)), err
}
