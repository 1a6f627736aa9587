package absint

import (
	"strings"

	"github.com/mapatom/mapatom/reduce"
)

// A Story is what Text draws, in parts: for those who draw it themselves.
type Story struct {
	// Start says what the cells hold: "At first m[k] is absent."
	Start string
	// Moves are in the order in which they happen. The last ones say how the
	// call ends.
	Moves []Move
	// Orders say of each place where the call could come as one step why
	// that is not what happened: "first: then it would return 1, not 2".
	Orders []string
	// Legend says where values come from that no step introduces; it can be
	// empty.
	Legend string
}

// A Move is one step of a Story.
type Move struct {
	// Other says that the other goroutine does it; Breaking, that it is the
	// operation that acts on what is no longer so.
	Other, Breaking bool
	// Pos is where the operation is, if it is one of the call.
	Pos reduce.Pos
	// Op is what is done, and Note what comes of it.
	Op, Note string
}

// unlimited is a width that no line reaches.
const unlimited = 1 << 20

// Story tells the interleaving. The options' width and colour do not matter.
func (w *Witness) Story(opts TextOptions) Story {
	opts.Width, opts.Color = unlimited, false
	d := drawing{w: w, opts: opts, names: w.names()}
	s := Story{Start: d.part(d.start)}
	for _, r := range append(d.steps(), d.ending()...) {
		s.Moves = append(s.Moves, Move{Other: r.other, Breaking: r.breaking, Pos: r.pos, Op: r.op, Note: r.note})
	}
	for i := range w.Atomic {
		o := &w.Atomic[i]
		s.Orders = append(s.Orders, d.place(o.After)+": then "+d.differs(o))
	}
	s.Legend = strings.Trim(d.part(d.legend), "()")
	return s
}

// part is what one part of the picture writes.
func (d *drawing) part(write func()) string {
	d.out.Reset()
	write()
	return strings.TrimSpace(d.out.String())
}
