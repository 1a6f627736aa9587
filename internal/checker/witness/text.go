package witness

import (
	"strconv"
	"strings"
)

// TextOptions say how a picture is drawn in text. The zero value is 80 columns
// without colour, and at most DefaultTextLimit operations.
type TextOptions struct {
	Width int
	// Color marks the threads and the core with ANSI escapes.
	Color bool
	// Limit is how many operations are drawn; see Picture.Cut.
	Limit int
}

// DefaultTextLimit is how many operations Text draws if nothing else is said:
// about two screens.
const DefaultTextLimit = 40

// Text draws the history with a column for each thread, time downwards:
//
//	a                 b
//	--------------    --------------
//	┌ enq(1)
//	│                 ╶ deq() = 2
//	└ true
//
// Operations that stand in a file have the number of their line on the left.
// If there are more threads than columns have room, the bars stand close
// together and the texts to their right. The verdict is not part of it, only
// what stands below the picture: what its marks mean, and the notes.
func (p *Picture) Text(opts TextOptions) string {
	if opts.Limit == 0 {
		opts.Limit = DefaultTextLimit
	}
	d := drawing{layout: newLayout(p.Cut(opts.Limit)), page: newPage(opts)}
	if len(d.nodes) > 0 {
		d.rows = d.makeRows()
		d.makeGutter()
		if widths := d.columns(); widths != nil {
			d.inColumns(widths)
		} else {
			d.closeTogether()
		}
	}
	d.legend()
	return d.out.String()
}

// drawing is one text under construction.
type drawing struct {
	*layout
	page
	rows []row
	// What the legend has to explain.
	points, pending, marked bool
	gutter                  int // columns for the numbers of lines
}

// row is a line of the picture, or more if its text is long: what happens on
// one thread, while the operations of others go on.
type row struct {
	node   int
	mark   string // the piece of the bar
	text   string
	alone  string // the text where it does not stand in its thread's column
	begins bool   // the bar goes on below
	ends   bool   // the bar does not
}

// makeRows makes rows of steps. A call, where it takes effect and its return
// are one row if nothing is between them.
func (d *drawing) makeRows() []row {
	var rows []row
	for k := 0; k < len(d.steps); k++ {
		s := d.steps[k]
		n := &d.nodes[s.node]
		r := row{node: s.node, alone: Printable(n.op.Thread) + ": "}
		next := func(kind stepKind) bool {
			return k+1 < len(d.steps) && d.steps[k+1] == step{kind, s.node}
		}
		point := ""
		if s.kind == stepPoint {
			point = d.point(n)
		} else if s.kind == stepCall && next(stepPoint) {
			point = "  " + d.point(n)
			k++
		}
		switch {
		case s.kind == stepPoint && next(stepReturn):
			r.mark, r.ends = end(n), true
			r.text = strings.TrimRight(d.returned(n)+"  "+point, " ")
			k++
		case s.kind == stepPoint:
			r.mark, r.text = "│ ", point
		case s.kind == stepCall && next(stepReturn) && !n.op.Pending():
			r.mark, r.text, r.begins, r.ends = only(n), n.op.whole()+point, true, true
			k++
		case s.kind == stepCall:
			r.mark, r.text, r.begins = start(n), n.op.call()+point, true
		default:
			r.mark, r.text, r.ends = end(n), d.returned(n), true
		}
		if r.begins {
			r.text += d.mark(n)
		}
		r.alone += d.alone(n, &r)
		r.text = note(r.text, n, &r)
		r.alone = note(r.alone, n, &r)
		rows = append(rows, r)
	}
	return rows
}

// alone is what a row says where the bar does not say what it belongs to.
func (d *drawing) alone(n *node, r *row) string {
	if r.begins || n.op.Method == "" {
		return r.text
	}
	return n.op.call() + ": " + r.text
}

// note adds what is to be said of an operation to its last row.
func note(text string, n *node, r *row) string {
	if !r.ends || n.op.Note == "" {
		return text
	}
	return text + "  " + Printable(n.op.Note)
}

func (d *drawing) point(n *node) string {
	d.points = true
	return "◆" + strconv.Itoa(n.order)
}

// mark is what tells an operation of the core from others, if there are any.
func (d *drawing) mark(n *node) string {
	if !n.core || len(d.picture.Core) == len(d.picture.Operations) {
		return ""
	}
	d.marked = true
	return "  *"
}

// returned is how an operation ended.
func (d *drawing) returned(n *node) string {
	switch {
	case n.op.Pending() && d.picture.Stuck:
		return "# blocked"
	case n.op.Pending():
		d.pending = true
		return "..."
	case n.op.result() != "":
		return "= " + n.op.result()
	}
	return "returns"
}

// The pieces of bars. The bar of an inner operation is a branch of the outer
// one's.
func start(n *node) string {
	return branch(n, "┌ ", "├┌ ")
}

func end(n *node) string {
	if n.op.Pending() {
		return branch(n, "╵ ", "├╵ ")
	}
	return branch(n, "└ ", "├└ ")
}

func only(n *node) string {
	return branch(n, "╶ ", "├─ ")
}

func branch(n *node, outer, inner string) string {
	if n.depth == 0 {
		return outer
	}
	return strings.Repeat("│ ", n.depth-1) + inner
}

// legend says what is not in the picture, what its marks mean, and the notes.
func (d *drawing) legend() {
	p := d.picture
	var notes []string
	if p.Omitted > 0 {
		notes = append(notes, "Not drawn: "+Count(p.Omitted, "more operation")+".")
	}
	if d.points {
		notes = append(notes, "◆1, ◆2, ...: the order in which they take effect.")
	}
	if d.marked {
		notes = append(notes, "*: these contradict each other.")
	}
	if d.pending {
		notes = append(notes, "...: did not return.")
	}
	for _, n := range p.Notes {
		notes = append(notes, Printable(n))
	}
	if len(notes) > 0 && len(d.nodes) > 0 {
		d.blank()
	}
	for _, n := range notes {
		d.paragraph("", n)
	}
}
