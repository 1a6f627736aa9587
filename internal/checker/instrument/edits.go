package instrument

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/token"
	"slices"
)

// edits are the changes of one file. Text is inserted at or replaced between
// offsets of the original, and never contains a newline.
type edits struct {
	file *token.File
	list []edit
}

type edit struct {
	from, to int
	text     string
	// rank orders the edits at one offset: what closes an expression comes
	// before what opens one, inner closings before outer ones, outer openings
	// before inner ones, and what replaces a token last.
	rank int
}

const (
	opening     = 1 << 40
	closing     = -1 << 40
	replacement = 1 << 41
)

func (e *edits) offset(pos token.Pos) int { return e.file.Offset(pos) }

// replace puts the text in the place of what is between two positions.
func (e *edits) replace(from, to token.Pos, text string) {
	e.list = append(e.list, edit{e.offset(from), e.offset(to), text, replacement})
}

// insert puts the text before the position.
func (e *edits) insert(pos token.Pos, text string) {
	at := e.offset(pos)
	e.list = append(e.list, edit{at, at, text, 0})
}

// wrap puts the node between two texts.
func (e *edits) wrap(n ast.Node, before, after string) {
	from, to := e.offset(n.Pos()), e.offset(n.End())
	e.list = append(e.list,
		edit{from, from, before, opening - (to - from)}, // the longest first
		edit{to, to, after, closing + (to - from)})      // the shortest first
}

// apply returns the source with the changes made.
func (e *edits) apply(source []byte) []byte {
	list := slices.Clone(e.list)
	slices.SortStableFunc(list, func(a, b edit) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.rank, b.rank))
	})
	var out bytes.Buffer
	at := 0
	for _, c := range list {
		if c.from < at { // inside what an edit before has replaced
			continue
		}
		out.Write(source[at:c.from])
		out.WriteString(c.text)
		at = c.to
	}
	out.Write(source[at:])
	return out.Bytes()
}
