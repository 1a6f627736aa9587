package absint

import "slices"

// Bounds on the terms that a package environment builds up, step by step,
// in a cell: a counter counts for ever.
const (
	maxOffset = 1
	maxDepth  = 6
)

// widen replaces the content of a cell that has grown beyond the bounds by
// a new symbol, everywhere in the configuration. What the symbol stands for
// is forgotten, so the configuration covers more than what can happen: safe
// for a verdict of verified, and a violation is replayed.
func (e *engine) widen(c *config) {
	for cell, x := range slices.Clone(c.regs) {
		if !e.grown(x) {
			continue
		}
		w := e.terms.sym("some", true, slices.Clone(c.known))
		e.replace(c, x, w)
		c.regs[cell] = w
	}
}

func (e *engine) grown(x term) bool {
	_, offset := e.terms.linear(x)
	if offset > maxOffset || offset < -maxOffset {
		return true
	}
	return e.terms.of(x).size > maxWritten || e.depth(x) > maxDepth
}

func (e *engine) depth(x term) int {
	d := 0
	for _, a := range e.terms.of(x).args {
		d = max(d, e.depth(a))
	}
	return d + 1
}

func (e *engine) replace(c *config, x, w term) {
	swapIn := func(xs []term) {
		for i := range xs {
			if xs[i] == x {
				xs[i] = w
			}
		}
	}
	swapIn(c.regs)
	if e.terms.of(x).kind != litTerm {
		swapIn(c.locals) // a number that a local has as well is a coincidence
	}
	for i := range c.cands {
		k := c.cands[i].clone()
		swapIn(k.spec)
		if k.done != nil && e.terms.of(x).kind != litTerm {
			q := *k.done
			q.vals = slices.Clone(q.vals)
			swapIn(q.vals)
			k.done = &q
		}
		k.key = e.candidateKey(&k)
		c.cands[i] = k
	}
}
