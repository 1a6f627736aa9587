package register

import (
	"strconv"
	"strings"
)

// tokKind is the kind of a token of the text form.
type tokKind int

const (
	tokEOF tokKind = iota
	// tokLine ends a line; its value is the position that the line's
	// comment gives, if it gives one.
	tokLine
	tokWord
	// tokString is a quoted string; its value is without the quotes.
	tokString
	// tokBraces is a literal in braces; its value is the literal's text.
	tokBraces
	// tokPunct is one of ( ) [ ] , : and =.
	tokPunct
	// tokBad is one that cannot be read; its text says why.
	tokBad
)

// textToken is a token and where it starts. Lines and columns count from 1,
// columns in bytes.
type textToken struct {
	kind      tokKind
	text      string
	value     string
	line, col int
}

func (t textToken) isWord(word string) bool   { return t.kind == tokWord && t.text == word }
func (t textToken) isPunct(punct string) bool { return t.kind == tokPunct && t.text == punct }

// ends reports whether t is the end of a line.
func (t textToken) ends() bool { return t.kind == tokLine || t.kind == tokEOF }

// String is the token as an error message names it.
func (t textToken) String() string {
	switch t.kind {
	case tokEOF:
		return "the end of the input"
	case tokLine:
		return "the end of the line"
	case tokPunct:
		return strconv.Quote(t.text)
	default:
		return t.text
	}
}

// lex splits the whole input; the last token is tokEOF. It cannot fail: what
// is no token becomes a tokBad, which the parser does not expect anywhere.
func lex(src string) []textToken {
	var toks []textToken
	for i, line := range strings.Split(src, "\n") {
		toks = append(toks, lexLine(line, i+1)...)
	}
	toks[len(toks)-1].kind = tokEOF
	return toks
}

// lexLine splits one line and ends it with a tokLine.
func lexLine(line string, number int) []textToken {
	var toks []textToken
	col := 0
	for {
		for col < len(line) && strings.IndexByte(" \t\r", line[col]) >= 0 {
			col++
		}
		rest := line[col:]
		if rest == "" || rest[0] == ';' {
			end := textToken{kind: tokLine, value: commentPos(rest), line: number, col: col + 1}
			return append(toks, end)
		}
		t := lexToken(rest)
		t.line, t.col = number, col+1
		toks = append(toks, t)
		col += max(len(t.text), 1)
		if t.kind == tokBad {
			col = len(line)
		}
	}
}

// lexToken reads the token that s, which is not empty, starts with.
func lexToken(s string) textToken {
	if n := wordLength(s); n > 0 {
		return textToken{kind: tokWord, text: s[:n]}
	}
	switch c := s[0]; {
	case strings.IndexByte("()[],:=", c) >= 0:
		return textToken{kind: tokPunct, text: s[:1]}
	case c == '"':
		return lexString(s)
	case c == '{':
		return lexBraces(s)
	default:
		r := []rune(s)[0]
		return textToken{kind: tokBad, text: strconv.QuoteRune(r)}
	}
}

func lexString(s string) textToken {
	text, err := strconv.QuotedPrefix(s)
	if err != nil {
		return textToken{kind: tokBad, text: "a string without its end"}
	}
	value, err := strconv.Unquote(text)
	if err != nil {
		return textToken{kind: tokBad, text: "a string with a bad escape"}
	}
	return textToken{kind: tokString, text: text, value: value}
}

// lexBraces reads {any text} or {"the literal's text, quoted"}.
func lexBraces(s string) textToken {
	if n := bracedPrefix(s); n > 0 {
		return textToken{kind: tokBraces, text: s[:n], value: s[:n]}
	}
	quoted := lexString(s[1:])
	if !strings.HasPrefix(s, `{"`) || quoted.kind != tokString || !strings.HasPrefix(s[1+len(quoted.text):], "}") {
		return textToken{kind: tokBad, text: "a literal without its closing brace"}
	}
	return textToken{kind: tokBraces, text: s[:len(quoted.text)+2], value: quoted.value}
}

// commentPos is the position that a comment, with its semicolon, stands for;
// empty if it is a remark.
func commentPos(comment string) string {
	text := strings.TrimSpace(strings.TrimPrefix(comment, ";"))
	if looksLikePos(text) {
		return text
	}
	if strings.HasPrefix(text, `"`) {
		if pos, err := strconv.Unquote(text); err == nil {
			return pos
		}
	}
	return ""
}
