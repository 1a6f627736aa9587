package snapshot

import "slices"

// maxStarts is how many operations a shortest cycle is looked for from. A
// history that is wrong in many places has one near the first of them.
const maxStarts = 64

// explain gives the property that the operations of a short cycle break, and
// those operations with the ones that wrote what they read.
func (g *ordering) explain(arcs *graph, left []bool) (Property, []int32) {
	var starts []int32
	for i := range g.Operations {
		if left[i] && len(starts) < maxStarts {
			starts = append(starts, int32(i))
		}
	}
	var best []int32
	for _, start := range starts {
		if c := arcs.cycle(start, left, len(g.Operations)); c != nil && (best == nil || len(c) < len(best)) {
			best = c
		}
	}
	if best == nil { // all starts lie behind a cycle and in none
		best = arcs.cycle(arcs.inCycle(left), left, len(g.Operations))
	}
	return g.broken(best)
}

// broken names the property, and adds the writers to the core.
func (g *ordering) broken(cycle []int32) (Property, []int32) {
	core := slices.Clone(cycle)
	segments := map[int32]bool{}
	scans := 0
	for k, i := range cycle {
		op := &g.Operations[i]
		if len(op.Writes) == 0 {
			scans++
		}
		next := cycle[(k+1)%len(cycle)]
		for _, c := range op.Reads {
			// An arc to what overwrote the value stands for the update that
			// wrote it too.
			w, place := g.writer[c.Segment][c.Value], int32(0)
			if w != initially {
				place = g.place[c.Segment][w] + 1
			}
			if writes := g.writes[c.Segment]; int(place) < len(writes) && writes[place] == next {
				segments[c.Segment] = true
				if w != initially {
					core = append(core, w)
				}
			}
			if w == cycle[(k+len(cycle)-1)%len(cycle)] {
				segments[c.Segment] = true
			}
		}
	}
	// What did not return took effect because it was read from.
	for k := 0; k < len(core); k++ {
		if reader, ok := g.reader[core[k]]; ok && !slices.Contains(core, reader) {
			core = append(core, reader)
		}
	}
	slices.Sort(core)
	core = slices.Compact(core)
	switch {
	case scans > 1:
		return ReadPrecedence, core
	case len(segments) > 1:
		return WritePrecedence, core
	}
	return Proximity, core
}

// inCycle gives a node of a cycle: going back from any node that is left leads
// to one.
func (a *graph) inCycle(left []bool) int32 {
	before := make([]int32, len(a.arcs))
	at := int32(-1)
	for n := range a.arcs {
		if !left[n] {
			continue
		}
		at = int32(n)
		for _, to := range a.arcs[n] {
			before[to] = int32(n)
		}
	}
	for range a.arcs {
		at = before[at]
	}
	return at
}

// cycle gives the operations of a shortest cycle through a node, by breadth-first
// search in which only operations count, or nil if there is none.
func (a *graph) cycle(start int32, left []bool, operations int) []int32 {
	before := make(map[int32]int32)
	layer := []int32{start}
	for len(layer) > 0 {
		var next []int32
		for k := 0; k < len(layer); k++ {
			n := layer[k]
			for _, to := range a.arcs[n] {
				if to == start {
					return path(before, start, n, operations)
				}
				if _, seen := before[to]; seen || !left[to] {
					continue
				}
				before[to] = n
				if int(to) < operations {
					next = append(next, to)
				} else {
					layer = append(layer, to)
				}
			}
		}
		layer = next
	}
	return nil
}

// path gives the operations on the way from a node to another, in order.
func path(before map[int32]int32, from, to int32, operations int) []int32 {
	var back []int32
	for n := to; ; n = before[n] {
		if int(n) < operations {
			back = append(back, n)
		}
		if n == from {
			slices.Reverse(back)
			return back
		}
	}
}
