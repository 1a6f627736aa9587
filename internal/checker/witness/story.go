package witness

import (
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/absint"
)

const (
	yourCall       = "your call"
	otherGoroutine = "the other goroutine"
)

// StoryText draws an interleaving that the static analysis has found: the call on
// the left, the other goroutine on the right, time downwards, and below it what
// the call gives at each place where it could run as one step, and why that is not
// what happened.
func StoryText(s *absint.Story, opts TextOptions) string {
	p := newPage(opts)
	p.paragraph("", s.Start)
	p.blank()
	p.moves(s)
	p.blank()
	sentence, reasons := s.Orderly()
	p.paragraph("", sentence)
	place := 0
	for _, o := range reasons {
		place = max(place, width(o.Place))
	}
	for _, o := range reasons {
		p.paragraph("  "+pad(o.Place+":", place+1)+"  ", "then "+o.Why)
	}
	if legend := s.Legend(); legend != "" {
		p.paragraph("", "("+legend+")")
	}
	return p.out.String()
}

// moves draws the two columns.
func (p *page) moves(s *absint.Story) {
	marks := marksOf(s)
	columns := newColumns(s, marks, p.width)
	widths := []int{columns[0].width, columns[1].width}
	p.heads(0, []string{yourCall, otherGoroutine}, widths)
	for i := range s.Moves {
		m := &s.Moves[i]
		style, side := "", side(m)
		if m.Breaking {
			style = ansiRed
		}
		for _, line := range columns[side].fit(m, marks[i], widths[side]) {
			cells := make([]string, 2)
			cells[side] = line
			p.cells(style, "", cells, widths)
		}
	}
}

// side is the column of a move.
func side(m *absint.Move) int {
	if m.Other {
		return 1
	}
	return 0
}

// marksOf are what stands before the moves: the line of an operation of the call,
// and the numbers of the other goroutine's steps if there are several.
func marksOf(s *absint.Story) []string {
	marks := make([]string, len(s.Moves))
	var others []int
	for i := range s.Moves {
		if m := &s.Moves[i]; m.Other {
			others = append(others, i)
		} else if m.Pos.Line > 0 {
			marks[i] = strconv.Itoa(m.Pos.Line)
		}
	}
	if len(others) > 1 {
		for n, i := range others {
			marks[i] = strconv.Itoa(n + 1)
		}
	}
	return marks
}

// column lays out one side: mark, operation, note.
type column struct {
	width, mark, op int
}

// newColumns makes columns as wide as the moves need. If that is too much, the one
// that needs more than half gets what the other one leaves.
func newColumns(s *absint.Story, marks []string, room int) [2]column {
	room -= columnGap
	left, right := newColumn(s, marks, 0, room), newColumn(s, marks, 1, room)
	if left.width+right.width > room {
		if right.width > room/2 {
			right = newColumn(s, marks, 1, max(room/2, room-left.width))
		}
		left = newColumn(s, marks, 0, room-right.width)
	}
	return [2]column{left, right}
}

// newColumn is just as wide as its moves need, up to a limit.
func newColumn(s *absint.Story, marks []string, of, limit int) column {
	c := column{width: width([]string{yourCall, otherGoroutine}[of])}
	for i := range s.Moves {
		if m := &s.Moves[i]; side(m) == of {
			c.mark = max(c.mark, width(marks[i]))
			// An operation that takes up the whole line has its note below, and
			// is no reason to move the others' notes.
			if n := width(m.Op); m.Note != "" && n <= limit/2 {
				c.op = max(c.op, n)
			}
		}
	}
	for i := range s.Moves {
		if m := &s.Moves[i]; side(m) == of {
			for _, line := range c.fit(m, marks[i], limit) {
				c.width = max(c.width, width(line))
			}
		}
	}
	c.width = min(c.width, limit)
	return c
}

// fit are a move's lines, at most as wide as the limit.
func (c column) fit(m *absint.Move, mark string, limit int) []string {
	if c.mark > 0 {
		mark = pad(mark, c.mark) + "  "
	}
	whole := mark + m.Op
	if m.Note != "" {
		whole = mark + pad(m.Op, c.op) + "  " + m.Note
	}
	if width(whole) <= limit {
		return []string{whole}
	}
	var lines []string
	for _, part := range []string{m.Op, m.Note} {
		for _, line := range wrap(part, limit-width(mark)-2) {
			switch {
			case line == "":
			case len(lines) == 0:
				lines = append(lines, mark+line)
			default:
				lines = append(lines, strings.Repeat(" ", width(mark)+2)+line)
			}
		}
	}
	return lines
}
