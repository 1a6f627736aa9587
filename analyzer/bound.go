package analyzer

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/reduce"
)

// An unexported helper that gets its map as an argument knows neither whose map
// that is nor which lock is held:
//
//	func atMost(n *atomic.Int32, limit int32) {
//		if n.Load() > limit {
//			n.Store(limit)
//		}
//	}
//
// It is judged in its callers instead, once for each map and each set of locks. A
// helper that someone may call from out of sight is judged by itself as well.

// findBound finds the operations that are judged in the callers.
func (c *checked) findBound() map[reduce.Pos]bool {
	grouped := map[*funcInfo]map[reduce.Pos]int{}
	for _, f := range c.infos {
		grouped[f] = map[reduce.Pos]int{}
		for i, g := range f.groups {
			for _, pos := range f.positions(g.accesses) {
				grouped[f][pos] = i + 1
			}
		}
	}
	bound := map[reduce.Pos]bool{}
	for _, f := range c.infos {
		for _, g := range f.groups {
			if ps := f.positions(g.accesses); c.isBound(f, g, ps, grouped) {
				for _, pos := range ps {
					bound[pos] = true
				}
			}
		}
	}
	return bound
}

// isBound reports whether the map of a group is the caller's, and all callers
// have the group in one of theirs: it is not if a caller does not inline the
// function, or makes the map itself.
func (c *checked) isBound(f *funcInfo, g component, ps []reduce.Pos, grouped map[*funcInfo]map[reduce.Pos]int) bool {
	if f.root(g.cells[0]) != "" || !c.absorbed(f.fn) {
		return false
	}
	for _, call := range c.ps.callers(f.fn) {
		in := grouped[c.around(call.Parent())]
		if in == nil || call.Parent() == f.fn || in[ps[0]] == 0 || slices.ContainsFunc(ps, func(pos reduce.Pos) bool { return in[pos] != in[ps[0]] }) {
			return false
		}
	}
	return true
}

// around is what a function is judged in: itself, or for a literal that is a part
// of another one, that; nil if it is not judged.
func (c *checked) around(fn *ssa.Function) *funcInfo {
	for ; fn != nil; fn = fn.Parent() {
		if i := slices.IndexFunc(c.infos, func(f *funcInfo) bool { return f.fn == fn }); i >= 0 {
			return c.infos[i]
		}
	}
	return nil
}

// judgedInCallers reports whether the group is one that findBound found, here in
// the helper itself.
func (c *checked) judgedInCallers(f *funcInfo, g component) bool {
	return f.root(g.cells[0]) == "" && c.absorbed(f.fn) && c.hasBound(f.positions(g.accesses))
}

func (c *checked) hasBound(ps []reduce.Pos) bool {
	return slices.ContainsFunc(ps, func(pos reduce.Pos) bool { return c.bound[pos] })
}

// groupKey is the same for groups that have the same verdict: those of the same
// operations. If these are bound, on the same map and under the same locks.
func (c *checked) groupKey(f *funcInfo, g component) string {
	ps := f.positions(g.accesses)
	key := positionsKey(ps)
	if !c.hasBound(ps) {
		return key
	}
	key += " on " + f.root(g.cells[0])
	for _, s := range c.judge.lockSets(f, f.lockAnalysis(g.cells[0]), g) {
		for _, h := range s.holds() {
			key += " " + h.Lock
		}
		key += ";"
	}
	return key
}
