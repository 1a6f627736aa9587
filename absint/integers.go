package absint

import (
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/absint/internal/numbers"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// integers finds numbers for the classes that take part in arithmetic, by trying:
// small ones and those near to a literal or to the end of a type. Where there
// are many, the order that is known of them gives some; else some numbers are taken, and
// those changed of which something is not as it has to be.
type integers struct {
	*ranges
	m    *model
	left int // checks
}

// maxTries bounds the assignments that are checked one after the other: beyond it, there
// are better ways.
const maxTries = 2000

// hastyShare is the part of the tries and repairs that are made where there are other
// interleavings to try.
const hastyShare = 6

// most is a bound, or a part of it where there are other interleavings to try.
func (m *model) most(bound int) int {
	if m.engine.hasty {
		return bound / hastyShare
	}
	return bound
}

func (m *model) solveIntegers() bool {
	s := newIntegers(m)
	possible := s.narrow()
	m.engine.explained += s.spent
	if !possible {
		return false
	}
	all := s.vars
	s.vars = slices.DeleteFunc(slices.Clone(all), func(r term) bool { return !s.takesPart(r) || s.derived(r) })
	if !s.solve() {
		return false
	}
	return m.engine.numbered == unnumbered || s.number(all)
}

// solve finds numbers for those that are asked about.
func (s *integers) solve() bool {
	if len(s.vars) <= maxVars && s.assign(s.vars) {
		return true
	}
	for _, r := range s.vars {
		delete(s.m.values, r)
	}
	return s.assignOrder() || s.repair()
}

// number gives numbers to those of some that have only names so far, of which no one is asked about.
func (s *integers) number(all []term) bool {
	named := slices.DeleteFunc(slices.Clone(all), func(r term) bool {
		_, known := s.m.values[r]
		return known || s.derived(r)
	})
	if s.m.engine.numbered == backwards {
		slices.Reverse(named)
	}
	s.left = s.m.most(maxTries)
	return s.assign(named)
}

func newIntegers(m *model) *integers {
	return &integers{ranges: newRanges(m.cls, func(r term) bool { _, fixed := m.values[r]; return fixed }), m: m, left: m.most(maxTries)}
}

// possible reports whether some numbers may be as the path of c says.
func (e *engine) possible(c *config) bool { return e.hasNumbers(c.path) }

// hasNumbers reports whether there may be numbers of which a path condition holds.
func (e *engine) hasNumbers(p *path) bool {
	s := newRanges(p.closure(), nil)
	possible := s.narrow()
	e.explained += s.spent
	return possible
}

// possibleNow reports whether there may be numbers of which all holds that is known of what is left in a configuration, and of what
// that has to do with. What is known of values that are gone does not tell configurations apart: another one, of which that does not
// hold, may not have been followed because of this one.
func (e *engine) possibleNow(c *config) bool {
	near := &termSet{}
	note := func(x term) { e.terms.addAll(near, x) }
	for _, x := range slices.Concat(c.regs, c.outcome.vals) {
		note(x)
	}
	eachArgument(c.outcome.effects, note)
	now, rest := newPath(e.terms), slices.Clone(c.path.literals)
	for changed := true; changed; {
		changed = false
		for i, l := range rest {
			if !e.isNear(l, near) {
				continue
			}
			note(l.a)
			note(l.b)
			if now = now.with(l); now == nil {
				return false
			}
			rest, changed = slices.Delete(rest, i, i+1), true
			break
		}
	}
	return e.hasNumbers(now)
}

// isNear reports whether a literal is about one of some symbols and identities, or about none.
func (e *engine) isNear(l literal, some *termSet) bool {
	leaves, near := 0, false
	for _, x := range []term{l.a, l.b} {
		e.terms.each(x, func(y term) {
			if k := e.terms.of(y).kind; k != litTerm && k != appTerm {
				leaves++
				near = near || some.has(y)
			}
		})
	}
	return near || leaves == 0
}

// maxVars bounds the numbers that are found by trying.
const maxVars = 6

// takesPart reports whether a number is asked about. Others have names, as all that
// is only equal to itself. A number without a sign that is not zero may be one that is more: see
// terms.foldEnds.
func (s *integers) takesPart(r term) bool {
	if s.kinds[r] == register.Bool || s.kinds[r].IsUnsigned() && s.notZero(r) {
		return true
	}
	for _, x := range s.apps {
		if s.m.cls.find(x) == r || slices.ContainsFunc(s.m.engine.terms.of(x).args, func(a term) bool { return s.m.cls.find(a) == r }) {
			return true
		}
	}
	return false
}

// notZero reports whether the path says of a class that it is not zero.
func (s *integers) notZero(r term) bool {
	zero := s.m.engine.terms.lit("0")
	return slices.ContainsFunc(s.m.cls.differ, func(d [2]term) bool {
		a, b := s.m.cls.find(d[0]), s.m.cls.find(d[1])
		return a == r && b == zero || b == r && a == zero
	})
}

// derived reports whether the class is the result of some arithmetic on others,
// so that its value follows.
func (s *integers) derived(r term) bool {
	for _, x := range s.apps {
		if s.m.cls.find(x) == r && !s.m.circular(r, s.m.engine.terms.of(x).args) {
			return true
		}
	}
	return false
}

// domain are the integers worth trying for a class.
func (s *integers) domain(r term) []register.Value {
	kind := s.kinds[r]
	dom := s.worthTrying(kind)
	if set := s.sets[r]; set != nil {
		lo, hi := set.Bounds()
		dom = append(dom, register.Value(bitsText(kind, lo)), register.Value(bitsText(kind, hi)))
		dom = slices.DeleteFunc(dom, func(v register.Value) bool {
			b, ok := bitsOf(kind, string(v))
			return ok && !set.Has(b)
		})
	}
	if s.sizes[r] {
		dom = slices.DeleteFunc(dom, func(v register.Value) bool {
			b, ok := bitsOf(kind, string(v))
			return !ok || b > near // a negative number has the highest bit
		})
	}
	return dom
}

// smallDebts is how far below zero numbers are tried before those at the end of a type.
const smallDebts = 5

// worthTrying are the integers of a kind worth trying.
func (s *integers) worthTrying(kind register.TypeKind) []register.Value {
	if kind == register.Bool {
		return []register.Value{register.LitFalse, register.LitTrue}
	}
	var dom []register.Value
	add := func(b uint64) {
		if v := register.Value(bitsText(kind, b)); !slices.Contains(dom, v) {
			dom = append(dom, v)
		}
	}
	for b := range uint64(6) {
		add(b)
	}
	for _, x := range s.m.cls.members {
		if n := s.m.engine.terms.of(x); n.kind == litTerm && len(dom) < 16 {
			if b, ok := bitsOf(kind, n.name); ok {
				for d := uint64(0); d <= 4; d++ {
					add(b + d - 2)
				}
			}
		}
	}
	for d := uint64(1); d <= smallDebts && !kind.IsUnsigned(); d++ {
		add(-d)
	}
	lo, hi := numbers.Ends(kind)
	for d := range uint64(2) {
		add(hi - d)
		add(lo + d)
	}
	return dom
}

func (s *integers) assign(vars []term) bool {
	if s.left--; s.left < 0 {
		return false
	}
	derived, ok := s.check()
	if !ok {
		return false
	}
	if len(vars) == 0 {
		for _, r := range sortedTerms(derived) {
			s.m.set(r, derived[r])
		}
		return true
	}
	// What nobody has yet comes first: that two numbers are the same by chance
	// would explain more than is true.
	taken := map[register.Value]bool{}
	for _, v := range s.m.values {
		taken[v] = true
	}
	dom := s.domain(vars[0])
	if s.m.engine.numbered == downwards {
		slices.Reverse(dom)
	}
	slices.SortStableFunc(dom, func(a, b register.Value) int {
		if s.m.engine.numbered == oneAnothers {
			a, b = b, a
		}
		return btoi(taken[a]) - btoi(taken[b])
	})
	for _, v := range dom {
		s.m.values[vars[0]] = v
		if s.assign(vars[1:]) {
			s.m.used[v] = true
			return true
		}
	}
	delete(s.m.values, vars[0])
	return false
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// maxRepairs bounds the numbers that are changed, one at a time.
const maxRepairs = 60

// maxReplacements bounds the values that are tried for one number that is changed.
const maxReplacements = 6

// repair begins with any numbers, and as long as something contradicts them takes one of
// those that it is about and gives it the value that leaves the fewest contradictions.
func (s *integers) repair() bool {
	if len(s.vars) > maxRepairs/2 {
		return false
	}
	rng := rand.New(rand.NewPCG(1, 2))
	domains := make([][]register.Value, len(s.vars))
	for i, r := range s.vars {
		if domains[i] = s.domain(r); len(domains[i]) == 0 {
			return false
		}
		s.m.values[r] = domains[i][i%len(domains[i])]
	}
	for range s.m.most(maxRepairs) {
		derived, wrong := s.contradictions()
		if len(wrong) == 0 {
			for _, r := range s.vars {
				s.m.set(r, s.m.values[r])
			}
			for _, r := range sortedTerms(derived) {
				s.m.set(r, derived[r])
			}
			return true
		}
		about := s.leaves(wrong[rng.IntN(len(wrong))])
		if len(about) == 0 {
			break // nothing mends that
		}
		i := about[rng.IntN(len(about))]
		least := -1
		best := s.m.values[s.vars[i]]
		for _, k := range rng.Perm(len(domains[i]))[:min(maxReplacements, len(domains[i]))] {
			s.m.values[s.vars[i]] = domains[i][k]
			if _, wrong := s.contradictions(); least < 0 || len(wrong) < least {
				least, best = len(wrong), domains[i][k]
			}
			if least == 0 {
				break
			}
		}
		s.m.values[s.vars[i]] = best
	}
	for _, r := range s.vars {
		delete(s.m.values, r)
	}
	return false
}

// leaves are the places in vars of the classes that some terms follow from.
func (s *integers) leaves(xs []term) []int {
	seen := map[term]bool{}
	var out []int
	for len(xs) > 0 {
		r := s.m.cls.find(xs[0])
		xs = xs[1:]
		if seen[r] {
			continue
		}
		seen[r] = true
		if i := slices.Index(s.vars, r); i >= 0 {
			out = append(out, i)
			continue
		}
		for _, x := range s.apps {
			if s.m.cls.find(x) == r {
				xs = append(slices.Clip(xs), s.m.engine.terms.of(x).args...)
			}
		}
	}
	return out
}

// assignOrder takes the numbers that follow from the order, and orders what
// differs and would be equal, one way or the other.
func (s *integers) assignOrder() bool {
	o := newOrder(s.m.cls)
	for _, r := range s.vars {
		if s.kinds[r] == register.Bool {
			return false
		}
		o.member(r, s.kinds[r])
	}
	dist, ok := o.solve()
	for _, d := range s.m.cls.differ {
		kind, isNumber := s.kindOf(d)
		if !ok || !isNumber {
			continue
		}
		x, kx := o.place(d[0], kind)
		y, ky := o.place(d[1], kind)
		if dist[x]+kx != dist[y]+ky {
			continue
		}
		n := len(o.bounds)
		o.bounds = append(o.bounds, bound{x, y, ky - kx - 1})
		if _, ok := o.solve(); !ok {
			o.bounds = append(o.bounds[:n], bound{y, x, kx - ky - 1})
		}
		dist, ok = o.solve()
	}
	if !ok {
		return false
	}
	return s.numbers(dist, s.unbound(o)) || s.numbers(dist, nil)
}

// numbers gives the classes those of the order, and others to those that it says nothing
// of; it reports whether all that is known of them holds.
func (s *integers) numbers(dist map[term]int64, others map[term]register.Value) bool {
	for _, r := range s.vars {
		if v, ok := others[r]; ok {
			s.m.set(r, v)
		} else {
			s.m.set(r, register.Value(numberAt(dist, r, s.kinds[r])))
		}
	}
	derived, ok := s.check()
	if !ok {
		for _, r := range s.vars {
			delete(s.m.values, r)
		}
		return false
	}
	for _, r := range sortedTerms(derived) {
		s.m.set(r, derived[r])
	}
	return true
}

// unbound are numbers for the classes that the order says nothing of: such as nothing
// else is by chance.
func (s *integers) unbound(o *order) map[term]register.Value {
	bound := map[term]bool{}
	for _, b := range o.bounds {
		if b.x > noTerm && b.y > noTerm {
			bound[b.x], bound[b.y] = true, true
		}
		bound[b.x] = bound[b.x] || b.x > noTerm && b.y == noTerm
		bound[b.y] = bound[b.y] || b.y > noTerm && b.x == noTerm
	}
	out := map[term]register.Value{}
	for _, r := range s.vars {
		if !bound[r] && s.kinds[r].Bits() >= 16 {
			n := int64(len(out) + 1)
			out[r] = register.Value(strconv.FormatInt(1000+n*n*17, 10))
		}
	}
	return out
}

// numberAt is the number of a node. Those that the order puts far from zero are
// counted from the end of their kind.
func numberAt(dist map[term]int64, r term, kind register.TypeKind) string {
	n := dist[r] - dist[noTerm]
	lo, hi := numbers.Ends(kind)
	switch {
	case kind.Bits() >= 40 && n > near:
		return bitsText(kind, hi-uint64(dist[greatestNode(kind)]-dist[r]))
	case kind.Bits() >= 40 && n < -near:
		return bitsText(kind, lo+uint64(dist[r]-dist[leastNode(kind)]))
	}
	return strconv.FormatInt(n, 10)
}

// check evaluates the arithmetic whose operands have numbers by now, and compares
// it with what the path says of its class. It gives the numbers that follow.
func (s *integers) check() (derived map[term]register.Value, ok bool) {
	derived, wrong := s.evaluate(1)
	return derived, len(wrong) == 0
}

// contradictions are what check finds wrong, each with the terms that it is about.
func (s *integers) contradictions() (derived map[term]register.Value, wrong [][]term) {
	return s.evaluate(maxWrong)
}

// maxWrong is how many contradictions are told apart.
const maxWrong = 100

func (s *integers) evaluate(enough int) (derived map[term]register.Value, wrong [][]term) {
	s.m.engine.explained += 1 + len(s.apps)/appsPerCost
	derived = map[term]register.Value{}
	look := func(r term) (register.Value, bool) {
		if v, ok := s.m.values[r]; ok {
			return v, true
		}
		v, ok := derived[r]
		return v, ok
	}
	for _, x := range s.apps {
		n := s.m.engine.terms.of(x)
		args := make([]register.Value, 0, len(n.args))
		for _, a := range n.args {
			if v, ok := look(s.m.cls.find(a)); ok {
				args = append(args, v)
			}
		}
		if len(args) < len(n.args) {
			continue
		}
		v, ok, err := register.Fold(n.name, n.at, args)
		if err != nil || !ok {
			continue
		}
		if s.m.engine.terms.countsOn(n.at.Numeric()) && wrapsAround(n.name, n.at.Numeric(), args) {
			if wrong = append(wrong, append(slices.Clone(n.args), x)); len(wrong) == enough {
				return derived, wrong
			}
			continue
		}
		r := s.m.cls.find(x)
		if have, ok := look(r); ok && have != v {
			if wrong = append(wrong, append(slices.Clone(n.args), x)); len(wrong) == enough {
				return derived, wrong
			}
			continue
		}
		derived[r] = v
	}
	for _, d := range s.m.cls.differ {
		a, okA := look(s.m.cls.find(d[0]))
		b, okB := look(s.m.cls.find(d[1]))
		if okA && okB && a == b {
			if wrong = append(wrong, []term{d[0], d[1]}); len(wrong) == enough {
				return derived, wrong
			}
		}
	}
	return derived, wrong
}
