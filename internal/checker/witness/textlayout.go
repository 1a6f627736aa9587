package witness

import (
	"slices"
	"strconv"
	"strings"
)

// minColumn is the room that a column needs.
const minColumn = 15

// makeGutter makes room for numbers of lines.
func (d *drawing) makeGutter() {
	most := 0
	for i := range d.nodes {
		most = max(most, d.nodes[i].op.Line)
	}
	if most > 0 {
		d.gutter = len(strconv.Itoa(most)) + 2
		d.width -= d.gutter
	}
}

// lineNumber is what stands left of the first line of a row.
func (d *drawing) lineNumber(r *row) string {
	if line := d.nodes[r.node].op.Line; r.begins && line > 0 {
		return strconv.Itoa(line)
	}
	return ""
}

// columns are the widths of the lanes: what their rows need, and if that is
// too much, the widest ones give way. It is nil if nothing fits.
func (d *drawing) columns() []int {
	room := d.width - columnGap*(len(d.lanes)-1)
	if len(d.lanes)*minColumn > room {
		return nil
	}
	widths := make([]int, len(d.lanes))
	for i, name := range d.lanes {
		widths[i] = max(6, min(width(Printable(name)), minColumn))
	}
	for _, r := range d.rows {
		w := &widths[d.nodes[r.node].lane]
		*w = max(*w, min(room, width(r.mark)+width(r.text)))
	}
	for sum(widths) > room {
		widest := slices.Index(widths, slices.Max(widths))
		widths[widest]--
	}
	return widths
}

func sum(ns []int) int {
	total := 0
	for _, n := range ns {
		total += n
	}
	return total
}

// inColumns draws a column for each lane.
func (d *drawing) inColumns(widths []int) {
	d.heads(d.gutter, d.lanes, widths)
	running := newBars(d.layout)
	for i := range d.rows {
		r := &d.rows[i]
		lane := d.nodes[r.node].lane
		for part, text := range few(wrap(r.text, widths[lane]-width(r.mark)), widths[lane]-width(r.mark)) {
			number, mark := d.lineNumber(r), r.mark
			if part > 0 {
				number, mark = "", continued(&d.nodes[r.node], r)
			}
			cells := running.cells()
			cells[lane] = mark + text
			d.cells(d.style(r), pad(number, d.gutter), cells, widths)
		}
		running.apply(r)
	}
}

// continued is the bar beside a text that goes on.
func continued(n *node, r *row) string {
	bars := strings.Repeat("│ ", n.depth)
	if n.depth > 0 {
		bars = strings.Repeat("│ ", n.depth-1) + "│"
	}
	if r.ends {
		return bars + "  "
	}
	return bars + "│ "
}

// closeTogether draws the bars side by side and the texts to their right.
func (d *drawing) closeTogether() {
	const textColumns = 30
	shown := min(len(d.lanes), (d.width-textColumns)/2)
	running := newBars(d.layout)
	hidden := 0
	for i := range d.rows {
		r := &d.rows[i]
		lane := d.nodes[r.node].lane
		if lane >= shown {
			if r.begins && d.nodes[r.node].depth == 0 {
				hidden++
			}
			continue
		}
		for part, text := range few(wrap(r.alone, d.width-2*shown-1), d.width-2*shown-1) {
			cells := running.cells()[:shown]
			cells[lane] = string([]rune(r.mark)[:1])
			number := d.lineNumber(r)
			if part > 0 {
				cells[lane], number = "│", ""
			}
			var line strings.Builder
			line.WriteString(pad(number, d.gutter))
			for _, c := range cells {
				line.WriteString(pad(c, 2))
			}
			d.line(d.style(r), line.String()+" "+text)
		}
		running.apply(r)
	}
	if hidden > 0 {
		d.blank()
		d.paragraph("", Count(hidden, "operation")+" of "+Count(len(d.lanes)-shown, "more thread")+" not drawn.")
	}
}

// style marks the core, unless it is everything there is.
func (d *drawing) style(r *row) string {
	all := len(d.picture.Core) == len(d.picture.Operations)
	if !all && d.nodes[d.tops[d.nodes[r.node].top]].core {
		return ansiRed
	}
	return ""
}

// bars are the lanes in which an operation is going on.
type bars struct {
	layout *layout
	open   []int // how many operations, inner ones included
}

func newBars(l *layout) *bars { return &bars{l, make([]int, len(l.lanes))} }

func (b *bars) apply(r *row) {
	lane := b.layout.nodes[r.node].lane
	if r.begins {
		b.open[lane]++
	}
	if r.ends {
		b.open[lane]--
	}
}

func (b *bars) cells() []string {
	cells := make([]string, len(b.open))
	for i, n := range b.open {
		if n > 0 {
			cells[i] = "│"
		}
	}
	return cells
}

// few are at most three lines of a text.
func few(lines []string, columns int) []string {
	const most = 3
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] = clip(lines[most-1], max(columns, 8)-4) + " ..."
	}
	return lines
}
