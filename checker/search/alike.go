package search

// alikeness finds, for an operation, others that are the same call with the
// same result. Rule R4: of two that could both come next, the one that has
// to return first comes first. If a linearization has them the other way
// round, they can change places: what must come after the one that returns
// later must come after both, and nothing is left that must come before
// either.
type alikeness struct {
	on bool
	// before is the operation of the same kind that returns just before this
	// one does; -1 if there is none.
	before []int32
	slots  []int32 // latest operation of a kind, plus 1; open addressing
	// first are the first pending operations of each kind, and heads the
	// first that are not taken out; kind and after are, of each pending
	// operation, the index of its kind and the next one of the same. The end
	// of a kind is -1.
	first, heads, kind, after []int32
	taken                     int // pending operations
}

// setAlike finds the operations that are alike.
func setAlike[S any](g *engine[S]) {
	a, by := &g.alike, g.sp.alike
	a.on = by != nil && !(by.costly && g.quick)
	waiting := len(g.rows) - int(g.complete)
	a.first, a.taken, a.kind, a.after = a.first[:0], 0, resize(a.kind, waiting), resize(a.after, waiting)
	if a.on {
		a.before = resize(a.before, len(g.rows))
		a.clear(int(g.complete))
		for _, op := range g.byReturn {
			a.before[op] = a.latest(&g.order, by, op)
		}
		a.clear(waiting)
	}
	for p := range int32(waiting) {
		a.after[p] = -1
		if a.on {
			if before := a.latest(&g.order, by, g.complete+p); before >= 0 {
				a.after[before-g.complete], a.kind[p] = g.complete+p, a.kind[before-g.complete]
				continue
			}
		}
		a.kind[p] = int32(len(a.first))
		a.first = append(a.first, g.complete+p)
	}
	a.heads = append(a.heads[:0], a.first...)
}

// clear forgets all kinds, and makes room for n.
func (a *alikeness) clear(n int) {
	size := 16
	for size < 2*n {
		size *= 2
	}
	a.slots = resize(a.slots, size)
	clear(a.slots)
}

// latest gives the latest operation like op, -1 if there is none, and makes
// op the latest.
func (a *alikeness) latest(o *order, by *alike, op int32) int32 {
	row, waits := o.rows[op], o.isPending(op)
	mask := uint64(len(a.slots) - 1)
	i := mix(by.hash(row, waits)) & mask
	for ; a.slots[i] != 0; i = (i + 1) & mask {
		if other := a.slots[i] - 1; by.same(row, o.rows[other], waits) {
			a.slots[i] = op + 1
			return other
		}
	}
	a.slots[i] = op + 1
	return -1
}

// take notes that the pending operation op is taken out: of its kind, the
// next one is next.
func (a *alikeness) take(op, complete int32) {
	a.heads[a.kind[op-complete]] = a.after[op-complete]
	a.taken++
}

func (a *alikeness) untake(op, complete int32) {
	a.heads[a.kind[op-complete]] = op
	a.taken--
}

// hasRival reports whether an operation like op should come before it. The
// frontier is the first return in the list.
func (g *engine[S]) hasRival(op, frontier int32) bool {
	if !g.alike.on {
		return false
	}
	// One that is free and one that is not are not the same: to take the
	// free one would leave the other to be taken as well.
	for r := g.alike.before[op]; r >= 0 && g.retAt[r] >= frontier; r = g.alike.before[r] {
		if !g.out[r] && g.callAt[r] < frontier && g.isFree(r) == g.isFree(op) {
			return true
		}
	}
	return false
}
