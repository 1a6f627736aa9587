package absint

import (
	"maps"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A configuration is covered by one that was explored before at the same point if that
// one speaks of any value where this one speaks of some: what breaks here breaks there.
// So a counter that can hold anything need not be followed from 0, from 1 and from 2.
// It is the covering of the search for reachable markings in Petri nets (Karp and
// Miller, JCSS 1969), and of symbolic execution with subsumption, on terms.
//
// The one covers the other if its symbols can be replaced by terms such that cells,
// locals and effects become equal, its candidates are among the other's, and its path
// condition follows from the other's. It need not be found: to explore both is safe.

// place is where configurations can cover each other.
type place struct {
	phase               phase
	block, index, depth int
	begun, over         bool
}

// maxCovering bounds how many configurations are asked at one place.
const maxCovering = 40

// covering are the configurations of one exploration that may cover others.
type covering struct {
	terms *terms
	args  []term // the call's own, which stand for themselves
	live  *register.Liveness
	// effects says that it matters which values were in a cell.
	effects bool
	pushed  map[place][]*config
}

// has reports whether an earlier configuration covers c, and remembers c if not. Where
// steps are counted, it has taken no more of them.
func (s *covering) has(c *config, ph phase, counted bool) bool {
	at := place{ph, c.block, c.index, c.depth, c.points > 0, c.outcome != nil}
	for _, d := range s.pushed[at] {
		if counted && d.steps > c.steps {
			continue
		}
		s.terms.cost++
		if s.covers(d, c) {
			return true
		}
	}
	if len(s.pushed[at]) < maxCovering && slices.ContainsFunc(c.regs, s.isGeneral) {
		s.pushed[at] = append(s.pushed[at], c)
	}
	return false
}

// isGeneral reports whether a term has a symbol that can be replaced.
func (s *covering) isGeneral(x term) bool {
	general := false
	s.terms.each(x, func(y term) {
		general = general || s.terms.of(y).kind == symTerm && !slices.Contains(s.args, y)
	})
	return general
}

// cover is a replacement of the symbols of one configuration.
type cover struct {
	*covering
	// as has symbols and identities, and image the identities that are one's.
	as    map[term]term
	image map[term]bool
	// matched are the applications that are known to match, and made those that are
	// known to become another one, noTerm if they cannot: terms share their parts.
	matched map[[2]term]bool
	made    map[term]term
}

func newCover(s *covering) *cover {
	return &cover{covering: s, as: map[term]term{}, image: map[term]bool{}, matched: map[[2]term]bool{}, made: map[term]term{}}
}

// covers reports whether d covers c.
func (s *covering) covers(d, c *config) bool {
	if len(d.cands) > len(c.cands) || len(d.known) != len(c.known) || len(d.effects) != len(c.effects) ||
		len(d.published) != len(c.published) || !slices.Equal(d.held, c.held) {
		return false
	}
	v := newCover(s)
	if !v.all(d.regs, c.regs) || !v.all(d.known, c.known) {
		return false
	}
	if c.outcome != nil && !v.outcome(d.outcome, c.outcome) {
		return false
	}
	if c.outcome == nil {
		for _, l := range s.live.In(c.block, c.index) {
			if !v.term(d.locals[l], c.locals[l]) {
				return false
			}
		}
	}
	if !v.allEffects(d.effects, c.effects) || s.effects && !v.all(d.published, c.published) {
		return false
	}
	for i := range d.cands {
		if !slices.ContainsFunc(c.cands, func(k candidate) bool { return v.candidate(&d.cands[i], &k) }) {
			return false
		}
	}
	return v.apart() && v.follows(d.path, c.path)
}

// term matches a term of the one configuration with one of the other.
func (v *cover) term(x, y term) bool {
	if x == noTerm || y == noTerm {
		return x == y
	}
	t := v.terms
	m, n := t.of(x), t.of(y)
	switch m.kind {
	case litTerm:
		return x == y
	case appTerm:
		pair := [2]term{x, y}
		if !v.matched[pair] {
			t.cost++
			v.matched[pair] = n.kind == appTerm && m.function() == n.function() && v.all(m.args, n.args)
		}
		return v.matched[pair]
	}
	if z, ok := v.as[x]; ok {
		return z == y
	}
	switch {
	case slices.Contains(v.args, x):
		return x == y
	case m.kind == symTerm:
		if y == t.absentT || n.holes || !v.fits(m, y) {
			return false
		}
	case m.kind != n.kind || m.name != n.name || m.theirs != n.theirs || v.image[y]:
		return false
	default:
		v.image[y] = true
		if !v.all(m.args, n.args) {
			return false
		}
	}
	v.as[x] = y
	return true
}

// fits reports whether a symbol can stand for a term.
func (v *cover) fits(m *node, y term) bool {
	t := v.terms
	n := t.of(y)
	if (m.nonNil || m.typ.NeverNil()) && !t.neverNil(y) || isPointer(m) && isBoxedNil(n) {
		return false // no m is equal to it
	}
	if n.kind == litTerm {
		k, isInt := t.integer(y)
		return ofType(m.typ, n.name) && (!m.counted || isInt && -near < k && k < near)
	}
	return n.typ == m.typ && (!m.counted || n.counted)
}

// ofType reports whether a literal can be a value of a type, as far as that is known: a pointer in an interface is no text.
func ofType(typ register.Type, lit string) bool {
	switch kind := typ.Kind; {
	case kind.IsInteger():
		_, ok := bitsOf(kind, lit)
		return ok
	case kind == register.Bool:
		return lit == register.LitTrue || lit == register.LitFalse
	case kind == register.String:
		return strings.HasPrefix(lit, `"`)
	case kind == register.Pointer:
		return lit == register.LitNil || strings.HasPrefix(lit, "{nil ")
	}
	return true
}

func (v *cover) all(xs, ys []term) bool {
	if len(xs) != len(ys) {
		return false
	}
	for i := range xs {
		if !v.term(xs[i], ys[i]) {
			return false
		}
	}
	return true
}

func (v *cover) allEffects(fs, gs []effect) bool {
	return slices.EqualFunc(fs, gs, func(f, g effect) bool { return f.name == g.name && f.beside == g.beside && v.all(f.args, g.args) })
}

func (v *cover) outcome(o, p *outcome) bool {
	if o == nil || p == nil {
		return o == p
	}
	return o.kind == p.kind && o.label == p.label && v.all(o.vals, p.vals) && v.allEffects(o.effects, p.effects)
}

// candidate matches two candidates, and forgets what it replaced if they do not match.
func (v *cover) candidate(k, l *candidate) bool {
	as, image := maps.Clone(v.as), maps.Clone(v.image)
	ok := k.guessed == l.guessed && v.all(k.spec, l.spec) && v.all(k.from, l.from) && v.all(k.left, l.left) && v.outcome(k.done, l.done) && v.all(k.used, l.used) && v.all(k.filled, l.filled) &&
		slices.EqualFunc(k.assumed, l.assumed, func(a, b literal) bool {
			return a.equal == b.equal && v.term(a.a, b.a) && v.term(a.b, b.b)
		})
	if !ok {
		v.as, v.image = as, image
		clear(v.matched)
	}
	return ok
}

// apart reports whether no symbol stands for an identity that it cannot be equal to.
func (v *cover) apart() bool {
	t := v.terms
	for x, y := range v.as {
		if t.of(x).kind != symTerm {
			continue
		}
		may := map[term]bool{}
		for _, f := range t.of(x).may {
			may[v.as[f]] = true
		}
		ok := true
		t.each(y, func(z term) {
			n := t.of(z)
			if n.kind == freshTerm && (!n.theirs || v.image[z]) && !may[z] {
				ok = false
			}
			for _, f := range n.may {
				ok = ok && may[f]
			}
		})
		if !ok {
			return false
		}
	}
	return true
}

// follows reports whether the one path condition follows from the other. What is only
// about values that are gone is satisfied by some.
func (v *cover) follows(p, q *path) bool {
	v.bringBack(p.closure())
	for _, l := range p.literals {
		a, ok := v.replaced(l.a)
		b, also := v.replaced(l.b)
		if !ok || !also {
			if v.isAbout(l.a) || v.isAbout(l.b) {
				return false
			}
			continue
		}
		m := v.terms.plain(literal{a, b, l.equal})
		switch is := q.equal(m.a, m.b); {
		case is == undecided, (is == yes) != m.equal:
			return false
		}
	}
	return true
}

// bringBack replaces what is gone, and equal to something that is not.
func (v *cover) bringBack(cl *classes) {
	by := map[term]term{}
	for _, x := range cl.members {
		if y, ok := v.replaced(x); ok {
			by[cl.find(x)] = y
		}
	}
	for _, x := range cl.members {
		if k := v.terms.of(x).kind; k == litTerm || k == appTerm || slices.Contains(v.args, x) {
			continue
		}
		if _, ok := v.as[x]; ok {
			continue
		}
		if y, ok := by[cl.find(x)]; ok {
			v.as[x] = y
		}
	}
	clear(v.made)
}

// isAbout reports whether a term has something that is there, or an argument.
func (v *cover) isAbout(x term) bool {
	about := false
	v.terms.each(x, func(y term) {
		_, ok := v.as[y]
		about = about || ok || slices.Contains(v.args, y)
	})
	return about
}

// replaced is a term with what stands for its symbols; false if one has nothing.
func (v *cover) replaced(x term) (term, bool) {
	t := v.terms
	n := t.of(x)
	switch {
	case n.kind == litTerm || slices.Contains(v.args, x):
		return x, true
	case n.kind != appTerm:
		y, ok := v.as[x]
		return y, ok
	}
	if y, known := v.made[x]; known {
		return y, y != noTerm
	}
	t.cost++
	v.made[x] = noTerm
	old := *n
	args := make([]term, len(old.args))
	for i, a := range old.args {
		b, ok := v.replaced(a)
		if !ok {
			return noTerm, false
		}
		args[i] = b
	}
	y := t.apply(old.function(), args)
	t.declare(y, old.typ)
	v.made[x] = y
	return y, true
}
