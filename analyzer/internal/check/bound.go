package check

import (
	"slices"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
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
func (c *Package) findBound() map[register.Pos]bool {
	grouped := map[*rivals.Function]map[register.Pos]int{}
	for _, f := range c.Functions {
		grouped[f] = map[register.Pos]int{}
		for i, g := range f.Groups {
			for _, pos := range f.Positions(g.Accesses) {
				grouped[f][pos] = i + 1
			}
		}
	}
	bound := map[register.Pos]bool{}
	for _, f := range c.Functions {
		for _, g := range f.Groups {
			if ps := f.Positions(g.Accesses); c.isBound(f, g, ps, grouped) {
				for _, pos := range ps {
					bound[pos] = true
				}
			}
		}
	}
	return bound
}

// isBound reports whether the map of a group is the caller's, and all callers
// that are looked at have the group in one of theirs: it is not if a caller does not inline the
// function, or makes the map itself.
func (c *Package) isBound(f *rivals.Function, g extension.Group, ps []register.Pos, grouped map[*rivals.Function]map[register.Pos]int) bool {
	if f.Root(g.Cells[0]) != "" || !c.absorbed(f.Fn) {
		return false
	}
	for _, call := range c.Ps.Callers(f.Fn) {
		if c.opts.leavesOut(call.Parent()) {
			continue
		}
		in := grouped[c.around(call.Parent())]
		if in == nil || call.Parent() == f.Fn || in[ps[0]] == 0 || slices.ContainsFunc(ps, func(pos register.Pos) bool { return in[pos] != in[ps[0]] }) {
			return false
		}
	}
	return true
}

// around is what a function is judged in: itself, or for a literal that is a part
// of another one, that; nil if it is not judged.
func (c *Package) around(fn *ssa.Function) *rivals.Function {
	for ; fn != nil; fn = fn.Parent() {
		if i := slices.IndexFunc(c.Functions, func(f *rivals.Function) bool { return f.Fn == fn }); i >= 0 {
			return c.Functions[i]
		}
	}
	return nil
}

// judgedInCallers reports whether the group is one that findBound found, here in
// the helper itself.
func (c *Package) judgedInCallers(f *rivals.Function, g extension.Group) bool {
	return f.Root(g.Cells[0]) == "" && c.absorbed(f.Fn) && c.hasBound(f.Positions(g.Accesses))
}

func (c *Package) hasBound(ps []register.Pos) bool {
	return slices.ContainsFunc(ps, func(pos register.Pos) bool { return c.bound[pos] })
}

// groupKey is the same for groups that have the same verdict: those of the same
// operations. If these are bound, on the same map and under the same locks.
func (c *Package) groupKey(f *rivals.Function, g extension.Group) string {
	ps := f.Positions(g.Accesses)
	key := positionsKey(ps)
	if len(g.Cells) > 1 {
		key = "several " + key
	}
	if !c.hasBound(ps) {
		return key
	}
	key += " on " + f.Root(g.Cells[0])
	for _, s := range c.Judge.World.LockSets(f, g.Cells[0], g) {
		for _, h := range s.Holds() {
			key += " " + h.Lock
		}
		key += ";"
	}
	return key
}
