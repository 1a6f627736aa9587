package search

// best remembers how far a search came at most: the return that it could
// not get past, and the steps before it. The steps are copied when the
// search gives them up, not when it makes them, and only from where they
// differ from the copy: a search that goes straight ahead copies nothing.
type best struct {
	event int32 // 0 if there is none
	depth int   // number of steps
	steps []step
	// The first same steps of the copy are those of the search; with fresh,
	// all of them are, but only the first same are copied.
	same  int
	fresh bool
}

func (b *best) reset() { *b = best{steps: b.steps[:0]} }

// note says that the search stands before the return e after n steps.
func (b *best) note(e int32, n int) {
	if e > b.event {
		b.event, b.depth, b.fresh = e, n, true
	}
}

// keep is told that the search goes back to the first n of its steps.
func (b *best) keep(steps []step, n int) {
	if b.fresh && n < b.depth {
		b.steps = append(b.steps[:b.same], steps[b.same:b.depth]...)
		b.fresh = false
		b.same = b.depth
	}
	b.same = min(b.same, n)
}
