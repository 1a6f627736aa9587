package absint

import "slices"

// A call of many branches has many atomic runs, most of which go another way than it does
// in the end. If not all are followed, those may be left out that would have explained it.
// Where that was so, the call goes on first, to its end, and only notes where it could have
// taken effect: there is one atomic run then that is given what the call was given, and
// hardly a question is left open in it.

// waits makes the call go on before it takes effect, and come to rest where no operation follows.
func (e *engine) waits() {
	e.afterwards, e.been = true, map[place]int{}
	if e.circles[0] {
		e.course = &course{ids: map[string]int{}, current: -1}
	}
	e.heads = slices.Clone(e.heads)
	for b, blk := range e.problem.Region.Blocks {
		for _, to := range blk.Term.To {
			e.heads[to] = e.heads[to] || e.leads[b] && !e.leads[to]
		}
	}
}

// tookEffect notes after the call has gone on that it may have taken effect before, if that
// is then. What the cells hold now is what it left in them: whoever looks next sees that.
func (e *engine) tookEffect(c *config) {
	if !e.afterwards {
		return
	}
	for _, k := range c.cands {
		if k.done == nil {
			c.cands = e.addCandidate(c.cands, candidate{
				spec: slices.Clone(c.regs), done: &outcome{kind: pendingKind}, from: k.spec, left: slices.Clone(c.regs),
			})
		}
	}
}

// explainedLate reports whether a call that has returned is what one of its atomic runs is, for the
// places where it could have taken effect: rather one that is given what the call was given, which
// costs next to nothing.
func (e *engine) explainedLate(c *config) (bool, error) {
	for _, g := range []supply{c.given(), nil} {
		for _, k := range c.cands {
			if !k.isPending() {
				continue
			}
			runs, err := e.runsLike(c, &k, g, nil)
			if err != nil {
				return false, err
			}
			if ok, err := e.explainedBy(c, runs); ok || err != nil {
				return ok, err
			}
		}
	}
	return false, nil
}

// runsLike are the candidates that a pending one could be: atomic runs that are given what is
// given, up to where arrives says, if it is set.
func (e *engine) runsLike(c *config, k *candidate, g supply, arrives func(*wayRun) bool) ([]candidate, error) {
	w, start := e.atomicWalk(c, candidate{spec: k.from}, g)
	if start == nil {
		return nil, nil
	}
	var out []candidate
	w.ended = func(r *wayRun, o *outcome) {
		out = append(out, k.as(r, o))
	}
	w.arrives = arrives
	if c.outcome != nil {
		w.hopeless = func(r *wayRun) bool { return e.strays(c, r) }
	}
	_, err := w.from(start)
	e.dropped = e.dropped || w.dropped
	return out, err
}

// as is what a pending candidate is, if it is an atomic run with some outcome.
func (k *candidate) as(r *wayRun, o *outcome) candidate {
	return candidate{spec: slices.Clone(r.regs), done: o, used: r.used, filled: make([]term, len(r.used)), assumed: r.answers, from: k.spec, left: k.left}
}

// strays reports whether an atomic run has had an effect that the call has not had.
func (e *engine) strays(c *config, r *wayRun) bool {
	n := 0
	for _, f := range r.effects {
		if !f.always() {
			continue
		}
		for n < len(c.outcome.effects) && !c.outcome.effects[n].always() {
			n++
		}
		if n == len(c.outcome.effects) || c.outcome.effects[n].name != f.name || len(c.outcome.effects[n].args) != len(f.args) {
			return true
		}
		for i, x := range f.args {
			if y := c.outcome.effects[n].args[i]; !e.terms.of(x).holes && c.path.equal(x, y) == no {
				return true
			}
		}
		n++
	}
	return false
}

// leaves reports whether an atomic run of a pending candidate left in the cells what the call
// did by then. From there on they hold what they hold in the candidate.
func (e *engine) leaves(c *config, k *candidate) (bool, error) {
	if k.left == nil {
		return true, nil
	}
	for cell := range c.regs {
		if ok, err := e.match(c, k, k.spec[cell], k.left[cell]); !ok {
			return false, err
		}
	}
	k.spec, k.from, k.left = slices.Clone(k.from), nil, nil
	return true, nil
}

// supply is what the call was given by what nobody can predict, by place and in order.
type supply map[string][]term

// allocation is the one that the call has made at a site when it came there so often, with the same
// contents, if no cell could have held it where the atomic run began; noTerm else.
func (g supply) allocation(e *engine, c *config, site string, times int, contents, cells []term) term {
	if times > len(g[site]) {
		return noTerm
	}
	f := g[site][times-1]
	n := e.terms.of(f)
	held := n.kind != freshTerm || !slices.EqualFunc(n.args, contents, func(x, y term) bool { return c.path.equal(x, y) == yes })
	for _, x := range cells {
		e.terms.each(x, func(y term) { held = held || y == f || slices.Contains(e.terms.of(y).may, f) })
	}
	if held {
		return noTerm
	}
	return f
}

// given is all that the call was given.
func (c *config) given() supply {
	out := supply{}
	for t := c.trail; t != nil; t = t.prev {
		if t.made != noTerm {
			out[t.place] = append(out[t.place], t.made)
		}
	}
	for _, xs := range out {
		slices.Reverse(xs)
	}
	return out
}

// coupled reports whether a call that comes to where no operation follows goes on as one of
// its atomic runs does there: with the same values, after the same effects. What they do
// from there is the same, whatever it is.
func (e *engine) coupled(c *config) bool {
	if !e.afterwards || c.index != 0 || c.depth > 0 || e.leads[c.block] {
		return false
	}
	e.tookEffect(c)
	g, actual := c.given(), e.standing(c.block, c.locals, c.effects, c.published)
	for _, k := range c.cands {
		if !k.isPending() {
			continue
		}
		if e.circles[c.block] && !e.comesToEnd(c, &k) {
			continue
		}
		found := false
		_, err := e.runsLike(c, &k, g, func(r *wayRun) bool {
			if r.block != c.block {
				return false
			}
			found = found || e.agrees(c, k.as(r, e.standing(r.block, r.locals, r.effects, r.published)), actual)
			return true
		})
		if err == nil && found {
			e.course.end()
			return true
		}
	}
	return false
}

// comesToEnd is completes, where what is not known is no.
func (e *engine) comesToEnd(c *config, k *candidate) bool {
	ok, err := e.completes(c, k)
	return ok && err == nil
}

// A call that goes round and round for ever comes to no end where it is compared with an atomic run, and
// what it has done is seen all the same. It is right as far as it has come if it could still end from there,
// since then all of it is compared; or if it need not have taken effect; or if what it has left in the cells is
// what an atomic run leaves that comes to an end, however that is.

// finite looks whether calls that may never come to an end are right as far as they have come.
func (e *engine) finite() error {
	if e.course == nil || e.imprecise != "" {
		return nil
	}
	for _, c := range e.course.endless() {
		err := e.attempt(c, func(c *config) error {
			for _, k := range c.cands {
				if k.done == nil {
					return nil
				}
				if ok, err := e.completes(c, &k); ok || err != nil {
					return err
				}
			}
			e.imprecise = endlessCall
			return nil
		})
		if err != nil || e.imprecise != "" {
			return err
		}
	}
	return nil
}

// endlessCall is why something is not decided that has an effect and may never end.
const endlessCall = "it may never come to an end"

// completes reports whether an atomic run that comes to an end leaves the cells as a pending candidate says.
func (e *engine) completes(c *config, k *candidate) (bool, error) {
	for _, g := range []supply{c.given(), nil} {
		runs, err := e.runsLike(c, k, g, nil)
		if err != nil {
			return false, err
		}
		for _, d := range runs {
			ok, err := e.leaves(c, &d)
			if ok && err == nil {
				ok, err = e.settle(c, &d)
			}
			if ok && err == nil {
				ok, err = e.holds(c, &d)
			}
			if ok || err != nil {
				return ok, err
			}
		}
	}
	return false, nil
}

// standing is all that a run has at the beginning of a block, as if it were what it returns.
func (e *engine) standing(block int, locals []term, effects []effect, published []term) *outcome {
	o := &outcome{effects: effects}
	for _, l := range e.live.In(block, 0) {
		x := locals[l]
		if x == noTerm {
			x = e.terms.absentT
		}
		o.vals = append(o.vals, x)
	}
	if e.publishes {
		o.vals = append(o.vals, published...)
	}
	return o
}

// agrees reports whether a candidate accounts for an outcome, as far as that is known.
func (e *engine) agrees(c *config, k candidate, actual *outcome) bool {
	same := func(f, g effect) bool { return f.counts == g.counts && f.beside == g.beside && f.asks == g.asks }
	if !slices.EqualFunc(k.done.effects, actual.effects, same) {
		return false
	}
	d, imprecise := *c, e.imprecise
	d.outcome, e.imprecise = actual, ""
	ok, err := e.explains(&d, k)
	ok = ok && err == nil && e.imprecise == ""
	e.imprecise = imprecise
	return ok
}
