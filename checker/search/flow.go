package search

// flows counts, for every value of a register, who is left to find it and
// who is left to leave it. Rule R5: there is no use in going on once the
// register has lost a value that somebody still has to find and nobody is
// left to put there.
type flows struct {
	on           bool
	ids          map[int64]int32
	needs, makes []int32 // operations left in the list, by value
	opNeeds      []int32 // value of each operation; -1 if none
	opMakes      []int32
}

// setFlows counts the values of the part.
func setFlows[S any](g *engine[S]) {
	f := &g.flows
	f.on = g.sp.flow != nil
	if !f.on {
		return
	}
	// The map is used again for the next part: there may be a million of them.
	if f.ids == nil {
		f.ids = make(map[int64]int32)
	}
	clear(f.ids)
	f.needs, f.makes = f.needs[:0], f.makes[:0]
	f.opNeeds, f.opMakes = resize(f.opNeeds, len(g.rows)), resize(f.opMakes, len(g.rows))
	for op, row := range g.rows {
		fl := g.sp.flow(row, g.isPending(int32(op)))
		if fl.anything {
			f.on = false
			return
		}
		f.opNeeds[op], f.opMakes[op] = -1, -1
		if fl.hasNeeds && !g.isPending(int32(op)) {
			f.opNeeds[op] = f.id(fl.needs)
			f.needs[f.opNeeds[op]]++
		}
		if fl.hasMakes {
			f.opMakes[op] = f.id(fl.makes)
			f.makes[f.opMakes[op]]++
		}
	}
}

// id numbers the values in the order in which they come up.
func (f *flows) id(v int64) int32 {
	id, ok := f.ids[v]
	if !ok {
		id = int32(len(f.needs))
		f.ids[v] = id
		f.needs, f.makes = append(f.needs, 0), append(f.makes, 0)
	}
	return id
}

// hopeless reports whether a value other than id, the one that the register
// has, is needed and made by nobody.
func (f *flows) hopeless(id int32) bool {
	for v := range f.needs {
		if int32(v) != id && f.lost(int32(v)) {
			return true
		}
	}
	return false
}

// lost reports whether the value is still to be found, but not to be left there
// any more.
func (f *flows) lost(v int32) bool { return f.needs[v] > 0 && f.makes[v] == 0 }

// take counts op as out of the list.
func (f *flows) take(op int32) { f.count(op, -1) }

// untake counts op as in the list again.
func (f *flows) untake(op int32) { f.count(op, 1) }

// count changes what is left in the list by one operation. It does not look
// whether anything is lost: that depends on what the register holds then.
func (f *flows) count(op, by int32) {
	if !f.on {
		return
	}
	if v := f.opNeeds[op]; v >= 0 {
		f.needs[v] += by
	}
	if v := f.opMakes[op]; v >= 0 {
		f.makes[v] += by
	}
}

// after gives the value of the register after op.
func (f *flows) after(op, value int32) int32 {
	if f.on && f.opMakes[op] >= 0 {
		return f.opMakes[op]
	}
	return value
}

// dead reports whether op, just taken, lost a value: the one that was there
// before, or its own if it was hidden.
func (f *flows) dead(op, was, is int32) bool {
	if !f.on {
		return false
	}
	if was != is && f.lost(was) {
		return true
	}
	made := f.opMakes[op]
	return made >= 0 && made != is && f.lost(made)
}
