package guards

import (
	"go/types"
	"slices"

	"golang.org/x/tools/go/ssa"
)

// A memory can say what may be done to another one: a flag that says that a queue is
// closed, and the queue. That they belong together is seen where one critical section
// changes both.

// coupled are the memories that one critical section changes together with another one,
// where some function looks at the one and changes the other in sections of their own.
func (c *counter) coupled() map[*types.Var]bool {
	out := map[*types.Var]bool{}
	together := c.together()
	if len(together) == 0 {
		return out
	}
	for _, fn := range c.g.in.funcs {
		all := c.holdsOf(fn, maxCalls)
		for i, look := range all {
			for j, change := range all {
				if i == j {
					continue
				}
				for pair := range together {
					if look[pair[0]].tells && change[pair[1]].writes && !look[pair[1]].writes {
						out[pair[0]], out[pair[1]] = true, true
					}
				}
			}
		}
	}
	return out
}

// together are the pairs of memories that some critical section changes both.
func (c *counter) together() map[[2]*types.Var]bool {
	out := map[[2]*types.Var]bool{}
	for _, fn := range c.g.in.funcs {
		for _, s := range c.holdsOf(fn, 1) {
			for a, u := range s {
				for b, v := range s {
					if a != b && u.writes && v.writes {
						out[[2]*types.Var{a, b}] = true
					}
				}
			}
		}
	}
	return out
}

// maxHolds bounds the sections of one function that are looked at: one that has more is
// no sequence that somebody means to be one step.
const maxHolds = 24

// holdsOf are the critical sections of a function and of what it calls, so deep. One that
// calls itself is not counted a second time.
func (c *counter) holdsOf(fn *ssa.Function, calls int) []section {
	at := within{fn, calls}
	if known, ok := c.holds[at]; ok || calls == 0 {
		return known
	}
	own := c.sections(fn)
	out := slices.Clone(own[:min(len(own), maxHolds)])
	for _, callee := range c.callees(fn) {
		if callee == fn {
			continue
		}
		for _, s := range c.holdsOf(callee, calls-1) {
			if len(out) == maxHolds {
				break
			}
			seen := section{}
			for mem, u := range s {
				seen[mem] = u.from(callee)
			}
			out = append(out, seen)
		}
	}
	c.holds[at] = out
	return out
}
