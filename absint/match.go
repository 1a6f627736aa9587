package absint

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// observe lets the environment look at a cell: candidates under which it
// would have seen something else are gone.
func (e *engine) observe(c *config, cell int) error {
	kept := c.cands[:0:0]
	for _, k := range c.cands {
		k = k.clone()
		ok, err := e.match(c, &k, k.spec[cell], c.regs[cell])
		if err != nil {
			return err
		}
		if ok {
			kept = e.addCandidate(kept, k)
		}
	}
	c.cands = kept
	if len(kept) > 0 && !slices.ContainsFunc(kept, func(k candidate) bool { return !k.guessed }) {
		e.imprecise = unknownAllocation
	}
	e.learn(c, c.regs[cell])
	return nil
}

// guesses reports whether a candidate stands on the answer to a question about
// an allocation that has not been matched. A call that ends asks about one of its
// own; of one that goes round and round, nobody knows what the answer would be.
func (e *engine) guesses(k *candidate) bool { return e.unsettled(k) != noTerm }

// unknownAllocation says what is cut off where candidates only guess.
const unknownAllocation = "what is asked of an allocation is not known before it is made"

// learn notes that the environment has seen x and all that x is made of.
func (e *engine) learn(c *config, x term) {
	e.terms.each(x, func(y term) {
		n := e.terms.of(y)
		if n.kind == freshTerm {
			c.known = addTerm(c.known, y)
		}
	})
}

// match reports whether the specification's value s can be the actual value
// t. A hole in s is filled with what makes them equal; there is at most one
// such thing, so nothing has to be tried.
func (e *engine) match(c *config, k *candidate, s, t term) (bool, error) {
	n := e.terms.of(s)
	switch {
	case !n.holes:
		return e.same(c, s, t)
	case t == e.terms.absentT:
		return false, nil // whatever a hole is, it is a value
	case n.kind == holeAny:
		return e.bind(c, k, s, t)
	case n.kind == holeFresh:
		return e.matchFresh(c, k, s, t)
	case n.kind == appTerm:
		return e.matchApp(c, k, s, t)
	}
	return s == t, nil
}

// same decides the equality of two terms without holes.
func (e *engine) same(c *config, a, b term) (bool, error) {
	m := machine{terms: e.terms, decide: func(a, b term) (bool, error) { return e.decide(c, a, b) }}
	return m.equal(a, b)
}

// matchFresh matches an allocation of the atomic run with the allocation of
// the actual run that t is.
func (e *engine) matchFresh(c *config, k *candidate, s, t term) (bool, error) {
	f, err := e.ownAllocation(c, t)
	if err != nil || f == noTerm {
		return false, err
	}
	if i := slices.Index(k.used, f); i >= 0 {
		return k.filled[i] == s, nil
	}
	if slices.Contains(k.filled, s) {
		return false, nil
	}
	hole, own := e.terms.of(s), e.terms.of(f)
	if siteType(hole.name) != siteType(own.name) || len(hole.args) != len(own.args) {
		return false, nil
	}
	for i := range own.args {
		if ok, err := e.match(c, k, e.filled(k, hole.args[i]), e.terms.of(f).args[i]); !ok {
			return false, err
		}
	}
	k.used, k.filled = append(k.used, f), append(k.filled, s)
	return e.bind(c, k, s, f)
}

// filled is x with the holes filled that k has settled since x was made.
// Contents of an allocation are not rewritten in place, so the literals
// that record what a hole became are consulted.
func (e *engine) filled(k *candidate, x term) term {
	for _, l := range k.assumed {
		if l.equal && e.terms.of(l.a).kind == holeAny && !e.terms.of(l.b).holes {
			x = e.terms.subst(x, l.a, l.b)
		}
	}
	return x
}

// ownAllocation is the allocation of the call that t is equal to, if any.
func (e *engine) ownAllocation(c *config, t term) (term, error) {
	n := e.terms.of(t)
	if n.kind == freshTerm && !n.theirs {
		return t, nil
	}
	for _, f := range n.may {
		if e.terms.of(f).theirs {
			continue
		}
		if ok, err := e.decide(c, t, f); err != nil || ok {
			return f, err
		}
	}
	return noTerm, nil
}

// matchApp matches an application with one of the same function: what t is
// called, or something known to be equal to it.
func (e *engine) matchApp(c *config, k *candidate, s, t term) (bool, error) {
	n := e.terms.of(s)
	for _, u := range c.path.alike(t) {
		m := e.terms.of(u)
		if m.kind != appTerm || m.function() != n.function() || len(m.args) != len(n.args) {
			continue
		}
		trial := k.clone()
		ok := true
		for i := range n.args {
			var err error
			if ok, err = e.match(c, &trial, e.filled(&trial, n.args[i]), m.args[i]); err != nil {
				return false, err
			}
			if !ok {
				break
			}
		}
		if ok {
			*k = trial
			return true, nil
		}
	}
	// Some choice might make it equal all the same; giving it up is safe
	// for a verdict of verified, and a violation is replayed.
	return false, nil
}

// bind fills a hole of k. What k assumed about it must hold.
func (e *engine) bind(c *config, k *candidate, hole, with term) (bool, error) {
	for i, x := range k.spec {
		k.spec[i] = e.terms.subst(x, hole, with)
	}
	if k.done != nil {
		k.done = e.substOutcome(k.done, hole, with)
	}
	assumed := k.assumed
	k.assumed = nil
	for _, l := range assumed {
		if l.isCondition(e.terms) {
			k.assumed = append(k.assumed, l)
			continue
		}
		l.a, l.b = e.terms.subst(l.a, hole, with), e.terms.subst(l.b, hole, with)
		if e.terms.of(l.a).holes || e.terms.of(l.b).holes {
			k.assumed = append(k.assumed, l)
			continue
		}
		ok, err := e.same(c, l.a, l.b)
		if err != nil {
			return false, err
		}
		if ok != l.equal {
			return false, nil
		}
	}
	k.guessed = k.guessed && (e.terms.of(hole).kind != holeFresh || e.guesses(k))
	if e.terms.of(hole).kind == holeAny {
		k.assumed = append(k.assumed, literal{hole, with, true})
	}
	return true, nil
}

func (e *engine) substOutcome(o *outcome, hole, with term) *outcome {
	q := *o
	q.vals = e.substAll(o.vals, hole, with)
	q.effects = nil
	for _, f := range o.effects {
		q.effects = append(q.effects, f.with(e.substAll(f.args, hole, with)))
	}
	return &q
}

func (e *engine) substAll(xs []term, hole, with term) []term {
	out := make([]term, len(xs))
	for i, x := range xs {
		out[i] = e.terms.subst(x, hole, with)
	}
	return out
}

// matchOutcome reports whether k's outcome can be the actual one.
func (e *engine) matchOutcome(c *config, k *candidate, actual *outcome) (bool, error) {
	o := k.done
	if o.kind != actual.kind || o.label != actual.label || len(o.vals) != len(actual.vals) {
		return false, nil
	}
	if len(o.effects) != len(actual.effects) {
		told := *o
		told.effects = e.stillNoticed(c, o.effects)
		k.done, o = &told, &told
		if len(o.effects) != len(actual.effects) {
			return false, nil
		}
	}
	for i := range actual.vals {
		if ok, err := e.match(c, k, k.done.vals[i], actual.vals[i]); !ok {
			return false, err
		}
	}
	for i, f := range actual.effects {
		if o.effects[i].name != f.name || len(o.effects[i].args) != len(f.args) {
			return false, nil
		}
		for j := range f.args {
			if ok, err := e.match(c, k, k.done.effects[i].args[j], f.args[j]); !ok {
				return false, err
			}
		}
	}
	return true, nil
}

// stillNoticed are the effects that are about a value which tells, as far as is known by now: who has found a number, and
// asks only then whether it is zero, has done something for nobody if it is. What the call was given, and can be in no cell, does
// not tell either.
func (e *engine) stillNoticed(c *config, effects []effect) []effect {
	known, m := c.path.closure(), machine{terms: e.terms}
	nobody := func(x term) bool {
		return m.isNobody(known.find(x)) || e.nowhere(x)
	}
	return slices.DeleteFunc(slices.Clone(effects), func(f effect) bool {
		return !f.always() && !slices.ContainsFunc(f.concerns(), func(x term) bool { return !nobody(x) })
	})
}

// nowhere reports whether the call was given something that can be in no cell: of another type than what is there.
func (e *engine) nowhere(x term) bool {
	kind := e.terms.of(x).typ.Kind
	return kind != register.NoType && slices.Contains(e.args, x) &&
		!slices.ContainsFunc(e.problem.Region.Cells, func(c register.Cell) bool { return c.Type.Kind == register.NoType || c.Type.Kind == kind })
}

// settle matches the allocations of which k has assumed something, and which nobody
// has seen, with those that the call has made. What a function gives for a new
// object is not k's to choose:
//
//	n := new(T); if m.CompareAndSwap(key, hash(n), …) { … }
//
// If no allocation of the call corresponds, nobody knows what the function would
// have given: k explains nothing for sure.
func (e *engine) settle(c *config, k *candidate) (bool, error) {
	for {
		hole := e.unsettled(k)
		if hole == noTerm {
			return true, nil
		}
		own := e.unused(c, k, hole)
		if own == noTerm {
			e.imprecise = unknownAllocation
			return true, nil
		}
		if ok, err := e.matchFresh(c, k, hole, own); !ok {
			return false, err
		}
	}
}

// unsettled is an allocation that an assumption of k is about, noTerm if there is
// none.
func (e *engine) unsettled(k *candidate) term {
	found := noTerm
	for _, l := range k.assumed {
		for _, x := range []term{l.a, l.b} {
			e.terms.eachHole(x, func(y term) {
				if found == noTerm && e.terms.of(y).kind == holeFresh {
					found = y
				}
			})
		}
	}
	return found
}

// unused is an allocation of the call that corresponds to the hole and to no other.
func (e *engine) unused(c *config, k *candidate, hole term) term {
	for _, t := range c.trail.events() {
		if t.made == noTerm || slices.Contains(k.used, t.made) {
			continue
		}
		if n := e.terms.of(t.made); n.kind == freshTerm && siteType(n.name) == siteType(e.terms.of(hole).name) {
			return t.made
		}
	}
	return noTerm
}
