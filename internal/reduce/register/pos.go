package register

import (
	"fmt"
	"strconv"
	"strings"
)

// Pos is a source position; the zero value is one that is not known. The analyzer
// keeps a table from it to token.Pos.
type Pos struct {
	File         string
	Line, Column int // from 1; a column of 0 is not known
}

// IsZero reports whether the position is not known.
func (p Pos) IsZero() bool { return p == Pos{} }

// Before reports whether p comes before q in a file. Those of two files are not
// before each other.
func (p Pos) Before(q Pos) bool {
	return p.File == q.File && (p.Line < q.Line || p.Line == q.Line && p.Column < q.Column)
}

// String is "file:line:column", or "file:line", or "" for no position.
func (p Pos) String() string {
	if p.IsZero() {
		return ""
	}
	at := fmt.Sprintf("%s:%d", p.File, p.Line)
	// A file may have a name that ends like a line.
	if _, _, ok := cutNumber(p.File); p.Column > 0 || ok {
		at += fmt.Sprintf(":%d", p.Column)
	}
	return at
}

// ParsePos reads what String writes.
func ParsePos(text string) (Pos, error) {
	if text == "" {
		return Pos{}, nil
	}
	rest, last, ok := cutNumber(text)
	if !ok {
		return Pos{}, fmt.Errorf("position %q: want file:line:column", text)
	}
	if file, line, ok := cutNumber(rest); ok {
		return Pos{file, line, last}, nil
	}
	return Pos{rest, last, 0}, nil
}

// cutNumber splits "text:number".
func cutNumber(s string) (text string, n int, ok bool) {
	i := strings.LastIndexByte(s, ':')
	if i < 0 {
		return s, 0, false
	}
	digits := s[i+1:]
	n64, err := strconv.ParseUint(digits, 10, 31)
	if err != nil || strconv.FormatUint(n64, 10) != digits {
		return s, 0, false
	}
	return s[:i], int(n64), true
}

// MarshalText writes what String does.
func (p Pos) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (p *Pos) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePos(string(text))
	return err
}
