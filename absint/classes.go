package absint

import (
	"maps"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/absint/internal/links"
	"github.com/mapatom/mapatom/absint/internal/numbers"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// classes is a congruence closure: a partition of terms that is closed
// under function application, with the pairs of classes known to differ.
// (Nelson and Oppen, "Fast decision procedures based on congruence
// closure", JACM 1980; the sets here are so small that the plain
// fixed-point form is the fastest.)
type classes struct {
	terms   *terms
	parent  links.Table[term]
	members []term // all terms known, in order of arrival
	differ  [][2]term
	// sigs gives a member for the signature of an application; shared says that another one has the same map.
	sigs   map[appKey]term
	shared bool
	// broken says that two constants are in one class. What follows from that
	// is of no use, and may be endless: s = s+"x" makes a longer s each time.
	broken bool
	// sized are the members, and their arguments, that say something of integers, and stale
	// says that this has changed since it was last found to hold.
	sized []term
	stale bool
}

func newClasses(t *terms) *classes {
	return &classes{terms: t, sigs: map[appKey]term{}}
}

func (c *classes) clone() *classes {
	c.shared = true
	return &classes{
		terms:   c.terms,
		parent:  c.parent.Clone(),
		members: slices.Clip(c.members),
		differ:  slices.Clip(c.differ),
		broken:  c.broken,
		sized:   slices.Clip(c.sized),
		stale:   c.stale,
		sigs:    c.sigs,
		shared:  true,
	}
}

func (c *classes) find(x term) term {
	for {
		p, ok := c.parent.Get(x)
		if !ok || p == x {
			return x
		}
		x = p
	}
}

// know adds x and its subterms. It does not change what holds.
func (c *classes) know(x term) {
	if _, ok := c.parent.Get(x); ok {
		return
	}
	n := c.terms.of(x)
	for _, a := range n.args {
		c.know(a)
	}
	c.parent.Set(x, x)
	c.members = append(c.members, x)
	if n.kind != appTerm {
		return
	}
	if saysSize(n) {
		c.sized, c.stale = append(append(c.sized, x), n.args...), true
	}
	sig := c.signature(x)
	if y, ok := c.sigs[sig]; ok {
		c.join(x, c.find(y))
		return
	}
	if c.shared {
		c.sigs, c.shared = maps.Clone(c.sigs), false
	}
	c.sigs[sig] = x
	c.evaluate(x)
}

// signature is what x is found by with what its arguments are known to be.
func (c *classes) signature(x term) appKey {
	n := c.terms.of(x)
	var room [4]term
	reps := room[:0]
	for _, a := range n.args {
		reps = append(reps, c.find(a))
	}
	return c.terms.appKey(n.fn, c.terms.commute(n.fn, reps))
}

// merge unites the classes of a and b and all that follows.
func (c *classes) merge(a, b term) {
	ra, rb := c.find(a), c.find(b)
	if ra == rb {
		return
	}
	// A literal or an identity stands for its class, so that a class
	// shows at once what it cannot be equal to.
	if c.rank(rb) > c.rank(ra) {
		ra, rb = rb, ra
	}
	c.join(rb, ra)
	c.congruence()
}

// join puts a class into another one, which stands for both.
func (c *classes) join(x, into term) {
	c.stale = c.stale || slices.ContainsFunc(c.sized, func(y term) bool { return c.find(y) == x })
	c.parent.Set(x, into)
}

func (c *classes) rank(x term) int {
	switch c.terms.of(x).kind {
	case litTerm:
		return 2
	case freshTerm, holeFresh, nameTerm:
		return 1
	default:
		return 0
	}
}

// congruence recomputes signatures until no two equal applications are in
// different classes, and evaluates applications that became decided.
func (c *classes) congruence() {
	for changed := true; changed && !c.broken; {
		changed = false
		c.sigs, c.shared = make(map[appKey]term, len(c.sigs)), false
		for i := 0; i < len(c.members); i++ {
			x := c.members[i]
			if c.terms.of(x).kind != appTerm {
				continue
			}
			changed = c.evaluate(x) || c.subtract(x) || changed
			sig := c.signature(x)
			y, ok := c.sigs[sig]
			if !ok {
				c.sigs[sig] = x
				continue
			}
			if rx, ry := c.find(x), c.find(y); rx != ry {
				if c.rank(rx) > c.rank(ry) {
					rx, ry = ry, rx
				}
				c.join(rx, ry)
				changed = true
			}
		}
	}
}

// evaluate folds the application x over its arguments' classes and merges
// it with the outcome, if that is a constant or known; it reports whether that was news.
func (c *classes) evaluate(x term) bool {
	n := c.terms.of(x)
	reps := make([]term, len(n.args))
	same := true
	for i, a := range n.args {
		reps[i] = c.find(a)
		same = same && reps[i] == a
	}
	if same {
		return false
	}
	v := c.terms.fold(n.function(), reps)
	if _, known := c.parent.Get(v); v == noTerm || !known && c.terms.of(v).kind != litTerm {
		return false // nothing new: x = y+1 and y = x+1 would grow for ever
	}
	c.know(v)
	rx, rv := c.find(x), c.find(v)
	if rx == rv {
		return false
	}
	if c.rank(rx) == 2 && c.distinct(rx, rv) {
		c.broken = true
		return false
	}
	if c.rank(rx) > c.rank(rv) {
		rx, rv = rv, rx
	}
	c.join(rx, rv)
	return true
}

// subtract finds b from b+k where the sum is known, also that of texts, b from what
// it was converted to without loss, and an interface from what it holds; it reports whether that was news.
func (c *classes) subtract(x term) bool {
	n := c.terms.of(x)
	base, v := noTerm, noTerm
	switch sum := c.find(x); {
	case c.terms.of(sum).kind != litTerm || len(n.args) == 0:
		return false
	case n.name == "add":
		if base, _ = c.terms.linear(x); base != x {
			v = c.terms.fold(function{name: "sub", at: n.at}, []term{sum, n.args[1]})
		}
	case n.name == "convert" && numbers.Widens(c.terms.of(n.args[0]).typ.Kind, n.at.Kind):
		base = n.args[0]
		v = c.terms.fold(function{name: "convert", at: c.terms.of(base).typ}, []term{sum})
	case n.name == "unbox" && n.at.Kind == register.Bool && n.at.IsDefault():
		base, v = n.args[0], sum // it is asked of what holds a truth value only
	case n.name == "unbox" && c.isOf(n.args[0], n.at):
		base, v = n.args[0], c.terms.fold(function{name: "box", at: n.at}, []term{sum})
	case n.name == "concat":
		base, v = c.terms.withoutEnd(x, sum)
	}
	if base == noTerm || v == noTerm {
		return false
	}
	c.know(v)
	rb, rv := c.find(base), c.find(v)
	if rb == rv || c.rank(rb) == 2 {
		return false
	}
	c.join(rb, rv)
	return true
}

// isOf reports whether it is known that an interface holds a value of a type.
func (c *classes) isOf(x term, at register.Type) bool {
	return slices.ContainsFunc(c.members, func(y term) bool {
		n := c.terms.of(y)
		return n.kind == appTerm && n.name == "is" && n.at.GoName() == at.GoName() && c.find(n.args[0]) == c.find(x) && c.find(y) == c.find(c.terms.trueT)
	})
}

// assume adds a literal and reports whether the set is still satisfiable.
func (c *classes) assume(l literal) bool {
	c.know(l.a)
	c.know(l.b)
	if l.equal {
		c.merge(l.a, l.b)
	} else {
		c.differ = append(c.differ, [2]term{l.a, l.b})
		c.stale = c.stale || slices.ContainsFunc(c.sized, func(y term) bool { r := c.find(y); return r == c.find(l.a) || r == c.find(l.b) })
		c.other(l.a, l.b)
	}
	c.truths()
	return c.consistent()
}

// truths says of interfaces that hold a truth value, and not the one, that they hold the other.
func (c *classes) truths() {
	for changed := true; changed && !c.broken; {
		changed = false
		for _, x := range c.members {
			n := c.terms.of(x)
			if n.kind != appTerm || n.name != "is" || n.at.GoName() != "bool" || c.find(x) != c.find(c.terms.trueT) {
				continue
			}
			for _, b := range [][2]term{{c.terms.trueT, c.terms.falseT}, {c.terms.falseT, c.terms.trueT}} {
				r := c.find(n.args[0])
				if r == c.find(b[1]) || !c.differs(r, c.find(b[0])) || c.differs(r, c.find(b[1])) {
					continue
				}
				c.know(b[1])
				c.merge(r, b[1])
				changed = true
			}
		}
	}
}

// other says that a truth value that is not the one is the other.
func (c *classes) other(a, b term) {
	for _, x := range [][2]term{{a, b}, {b, a}} {
		if !c.terms.isBool(x[0]) {
			continue
		}
		switch c.find(x[1]) {
		case c.find(c.terms.trueT):
			c.know(c.terms.falseT)
			c.merge(x[0], c.terms.falseT)
		case c.find(c.terms.falseT):
			c.know(c.terms.trueT)
			c.merge(x[0], c.terms.trueT)
		}
	}
}

func (c *classes) consistent() bool {
	if c.broken {
		return false
	}
	for _, d := range c.differ {
		if c.find(d[0]) == c.find(d[1]) {
			return false
		}
	}
	for _, x := range c.members {
		if r := c.find(x); r != x && c.distinct(x, r) {
			return false
		}
	}
	// An equality term that is false says that its arguments differ, and
	// one that is true that they do not.
	for _, x := range c.members {
		n := c.terms.of(x)
		if n.kind != appTerm || n.name != "eq" {
			continue
		}
		switch r := c.find(x); {
		case r == c.find(c.terms.falseT) && c.find(n.args[0]) == c.find(n.args[1]):
			return false
		case r == c.find(c.terms.trueT) && c.differs(c.find(n.args[0]), c.find(n.args[1])):
			return false
		}
	}
	return c.sumsConsistent() && c.textsConsistent() && c.classesConsistent() && c.typesConsistent() && c.measured()
}

// sumsConsistent checks that no class is two sums of one class and different constants.
func (c *classes) sumsConsistent() bool {
	type sum struct {
		class term
		offset
	}
	var sums []sum
	for _, x := range c.members {
		base, k, ok := c.sum(x)
		if !ok {
			continue
		}
		s := sum{c.find(x), offset{base, k}}
		if s.class == s.base && k != 0 || slices.ContainsFunc(sums, func(o sum) bool { return o.class == s.class && o.base == s.base && o.offset.offset != k }) {
			return false
		}
		sums = append(sums, s)
	}
	return true
}

// textsConsistent checks that no class is a text put together of itself and more.
func (c *classes) textsConsistent() bool {
	return !slices.ContainsFunc(c.members, func(x term) bool {
		rest := x
		for more := 0; ; {
			j, ok := c.terms.joined(rest)
			if !ok {
				return more > 0 && c.find(rest) == c.find(x)
			}
			rest, more = j.rest, more+len(j.end)
		}
	})
}

// typesConsistent checks that no interface is of two types, and none that holds a truth value is neither of them.
func (c *classes) typesConsistent() bool {
	var of map[term]string
	for _, x := range c.members {
		n := c.terms.of(x)
		if n.kind != appTerm || n.name != "is" || c.find(x) != c.find(c.terms.trueT) {
			continue
		}
		r := c.find(n.args[0])
		if name, ok := of[r]; ok && name != n.at.GoName() || n.at.GoName() == "bool" && c.neither(r) {
			return false
		}
		if of == nil {
			of = map[term]string{}
		}
		of[r] = n.at.GoName()
	}
	if of == nil && !c.asksType() {
		return true
	}
	return c.typesFit(of)
}

// neither reports whether a class is known to be neither true nor false.
func (c *classes) neither(r term) bool {
	return c.differs(r, c.find(c.terms.trueT)) && c.differs(r, c.find(c.terms.falseT))
}

// asksType reports whether some interface is known not to be of a type.
func (c *classes) asksType() bool {
	for _, x := range c.members {
		if n := c.terms.of(x); n.kind == appTerm && n.name == "is" && c.find(x) == c.find(c.terms.falseT) {
			return true
		}
	}
	return false
}

// typesFit compares what was found of the types of interfaces with the types of
// the values in them.
func (c *classes) typesFit(of map[term]string) bool {
	has := map[term]string{}
	for _, x := range c.members {
		if name, ok := c.terms.dynamicType(x); ok && x != c.terms.nilT {
			r := c.find(x)
			if is, known := of[r]; known && is != name {
				return false
			}
			has[r] = name
		}
	}
	for _, x := range c.members {
		n := c.terms.of(x)
		if n.kind != appTerm || n.name != "is" || c.find(x) != c.find(c.terms.falseT) {
			continue
		}
		if r := c.find(n.args[0]); has[r] == n.at.GoName() || of[r] == n.at.GoName() {
			return false
		}
	}
	return true
}

// classesConsistent checks that no class holds two members that differ by
// their nature.
func (c *classes) classesConsistent() bool {
	var room [32]term
	others := room[:0] // the members that another one stands for
	for _, x := range c.members {
		r := c.find(x)
		if c.terms.of(x).kind == appTerm || x == r {
			continue
		}
		if c.distinct(x, r) || slices.ContainsFunc(others, func(y term) bool { return c.find(y) == r && c.distinct(x, y) }) {
			return false
		}
		others = append(others, x)
	}
	return true
}

// distinct reports whether x and y differ whatever the path: two literals,
// an identity and anything made before it, a present value and nil.
func (c *classes) distinct(x, y term) bool {
	return x != y && (c.terms.distinct(x, y) || c.terms.distinct(y, x))
}

func (t *terms) distinct(x, y term) bool {
	a, b := t.of(x), t.of(y)
	switch a.kind {
	case litTerm:
		switch b.kind {
		case litTerm, freshTerm, holeFresh, nameTerm:
			return true
		default:
			return x == t.absentT || x == t.nilT && t.neverNil(y) || t.unlike(a, b) || t.endsElse(y, x)
		}
	case appTerm:
		return b.kind == symTerm && t.partOfUnseen(a, b)
	case holeFresh:
		return true
	case nameTerm:
		return b.kind == nameTerm
	case freshTerm:
		switch b.kind {
		case symTerm:
			return !slices.Contains(b.may, x)
		case holeAny:
			return false
		case appTerm:
			return !t.mayGive(b, x)
		default:
			return true
		}
	}
	return false
}

// unlike reports whether a literal is of another sort than a term's type: a
// number is no string. Of a literal without a text nothing is known.
func (t *terms) unlike(lit, b *node) bool {
	if lit.name == "" {
		return false
	}
	switch b.typ.Kind {
	case register.NoType, register.Complex, register.Aggregate:
		return false
	case register.Bool:
		return lit.name != register.LitTrue && lit.name != register.LitFalse
	case register.String:
		return lit.name[0] != '"'
	case register.Pointer:
		return strings.IndexByte(`"-0123456789`, lit.name[0]) >= 0 || lit.name == register.LitTrue || lit.name == register.LitFalse
	default:
		_, ok := bitsOf(b.typ.Kind, lit.name)
		return b.typ.Kind.IsInteger() && !ok
	}
}

// mayGive reports whether an application can be the allocation x: a function may
// return what it is given, or what that contains. An address of a part, a struct
// and a truth value are something else than the allocation.
func (t *terms) mayGive(app *node, x term) bool {
	if strings.HasPrefix(app.name, "&") ||
		register.Interpreted[app.name] || app.typ.Kind != register.NoType && app.typ.Kind != register.Pointer {
		return false
	}
	gives := false
	for _, a := range app.args {
		t.each(a, func(y term) { gives = gives || y == x || slices.Contains(t.of(y).may, x) })
	}
	return gives
}

// partOfUnseen reports whether a is a field of an allocation that nobody had
// seen when the symbol b was chosen: then b is something else.
func (t *terms) partOfUnseen(a, b *node) bool {
	if len(a.args) != 1 {
		return false
	}
	owner := t.of(a.args[0])
	if strings.HasPrefix(a.name, "load:") && len(owner.args) == 1 {
		owner = t.of(owner.args[0]) // what the allocation holds
	} else if strings.Count(a.name, ".") != 2 {
		return false
	}
	return owner.kind == holeFresh || owner.kind == freshTerm && !owner.theirs && !slices.Contains(b.may, a.args[0])
}

// equal tells whether a and b are known to be equal or to differ.
func (c *classes) equal(a, b term) answer {
	c.know(a)
	c.know(b)
	ra, rb := c.find(a), c.find(b)
	if ra == rb {
		return yes
	}
	if c.differs(ra, rb) {
		return no
	}
	return c.truthOf(a, b)
}

// truthOf tells whether an equality is a truth value that it is compared with, where what it is about is known.
func (c *classes) truthOf(a, b term) answer {
	for _, x := range [][2]term{{a, b}, {b, a}} {
		n, truth := c.terms.of(x[0]), c.find(x[1])
		if n.kind != appTerm || n.name != "eq" || truth != c.find(c.terms.trueT) && truth != c.find(c.terms.falseT) {
			continue
		}
		if is := c.equal(n.args[0], n.args[1]); is != undecided {
			return answerOf((is == yes) == (truth == c.find(c.terms.trueT)))
		}
	}
	return undecided
}

// differs reports whether two classes, given by representatives, are known
// to be different.
func (c *classes) differs(ra, rb term) bool {
	if c.distinct(ra, rb) {
		return true
	}
	for _, d := range c.differ {
		x, y := c.find(d[0]), c.find(d[1])
		if x == ra && y == rb || x == rb && y == ra {
			return true
		}
	}
	return c.equalityFalse(ra, rb) || c.membersDistinct(ra, rb) || c.apart(ra, rb)
}

// apart reports whether two classes hold b+m and b+n with m != n.
func (c *classes) apart(ra, rb term) bool {
	others := c.offsets(rb)
	for _, x := range c.offsets(ra) {
		for _, y := range others {
			if x.base == y.base && x.offset != y.offset {
				return true
			}
		}
	}
	return false
}

// offset is a class known to be some other class plus a constant.
type offset struct {
	base   term
	offset int64
}

// offsets lists the sums that the class r is known to be equal to.
func (c *classes) offsets(r term) []offset {
	out := []offset{{r, 0}}
	for _, x := range c.members {
		if c.find(x) == r {
			if base, k, ok := c.sum(x); ok {
				out = append(out, offset{base, k})
			}
		}
	}
	return out
}

// sum is the class and the constant that a term is the sum of; false if it is none.
func (c *classes) sum(x term) (base term, k int64, ok bool) {
	n := c.terms.of(x)
	if n.kind != appTerm || n.name != "add" {
		return noTerm, 0, false
	}
	if base, k = c.terms.linear(x); base == x || base == noTerm {
		return noTerm, 0, false
	}
	return c.find(base), k, true
}

// equalityFalse looks for a term eq(a, b) that is known to be false.
func (c *classes) equalityFalse(ra, rb term) bool {
	x, ok := c.sigs[c.eqSignature(ra, rb)]
	return ok && c.find(x) == c.find(c.terms.falseT)
}

func (c *classes) eqSignature(ra, rb term) appKey {
	if !c.terms.inOrder(ra, rb) {
		ra, rb = rb, ra
	}
	return c.terms.appKey(c.terms.eq, []term{ra, rb})
}

// membersDistinct compares the members of two classes by nature. Only a
// symbol can exclude more than its representative does.
func (c *classes) membersDistinct(ra, rb term) bool {
	for _, x := range c.members {
		if c.terms.of(x).kind != symTerm {
			continue
		}
		switch c.find(x) {
		case ra:
			if c.distinct(x, rb) {
				return true
			}
		case rb:
			if c.distinct(x, ra) {
				return true
			}
		}
	}
	return false
}

// literal is one assumption of a path: two terms are equal, or differ.
// That a predicate holds is its equality with the literal true.
type literal struct {
	a, b  term
	equal bool
}

// opposite is the other answer. A truth value that is not true is false, but an interface that
// does not hold true need not hold a truth value.
func (l literal) opposite(t *terms) literal {
	switch truth := t.isBool(l.a); {
	case l.equal && l.b == t.trueT && truth:
		return literal{l.a, t.falseT, true}
	case l.equal && l.b == t.falseT && truth:
		return literal{l.a, t.trueT, true}
	}
	return literal{l.a, l.b, !l.equal}
}

// path is a path condition: a set of literals, decided by congruence
// closure. It is immutable; with returns an extension.
type path struct {
	terms    *terms
	literals []literal
	classes  *classes // built on first use
}

// pathCost is what an extension of a path costs, in instructions.
const pathCost = 30

func newPath(t *terms) *path { return &path{terms: t} }

// with returns the path condition extended by l, or nil if the two
// contradict each other.
func (p *path) with(l literal) *path {
	if a, b, is := p.terms.compared(l.a, l.b); is == undecided {
		l.a, l.b = a, b
	} else if (is == yes) != l.equal {
		return nil
	} else {
		return p
	}
	p.terms.cost += pathCost + len(p.closure().members)
	q := &path{terms: p.terms, literals: append(slices.Clip(p.literals), l)}
	q.classes = p.closure().clone()
	if !q.classes.assume(l) {
		return nil
	}
	return q
}

// withApart adds that values differ which can, as far as all of that fits together.
func (p *path) withApart(values []term) *path {
	q := &path{terms: p.terms, literals: slices.Clip(p.literals), classes: p.closure().clone()}
	p.terms.cost += pathCost + len(q.classes.members)
	for i, x := range values {
		for _, y := range values[:i] {
			if q.equal(x, y) != undecided {
				continue
			}
			a, b, is := p.terms.compared(x, y)
			l := literal{a, b, false}
			if is != undecided || !q.classes.assume(l) {
				return nil
			}
			q.literals = append(q.literals, l)
			p.terms.cost++
		}
	}
	return q
}

func (p *path) closure() *classes {
	if p.classes == nil {
		p.classes = newClasses(p.terms)
		for _, l := range p.literals {
			p.classes.assume(l)
		}
	}
	return p.classes
}

// answer is a three-valued truth.
type answer int8

const (
	undecided answer = iota
	yes
	no
)

// equal tells whether the path condition decides a == b.
func (p *path) equal(a, b term) answer {
	a, b, is := p.terms.compared(a, b)
	if is != undecided {
		return is
	}
	return p.closure().equal(a, b)
}

// holds tells whether the path condition decides an answer: also one about the size of numbers that is only known because the
// other one cannot be.
func (p *path) holds(l literal) answer {
	is := p.equal(l.a, l.b)
	switch n := p.terms.of(l.a); {
	case is != undecided:
		return answerOf((is == yes) == l.equal)
	case n.kind != appTerm || !isOrder(n.name):
		return undecided
	case p.with(l) == nil:
		return no
	case p.with(l.opposite(p.terms)) == nil:
		return yes
	}
	return undecided
}

// settled is x, or the literal that the path condition says it is, if x is computed.
func (p *path) settled(x term) term {
	if p.terms.of(x).kind != appTerm {
		return x
	}
	return p.constant(x)
}

// constant is x, or the literal that the path condition says it is.
func (p *path) constant(x term) term {
	cls := p.closure()
	cls.know(x)
	if r := cls.find(x); p.terms.of(r).kind == litTerm {
		return r
	}
	return x
}

// compared tells whether the form of two terms decides if they are equal, and if not,
// which two terms are equal if and only if they are.
func (t *terms) compared(a, b term) (x, y term, is answer) {
	switch q := t.foldEq(a, b); {
	case q == t.trueT || q == t.falseT:
		return a, b, answerOf(q == t.trueT)
	case q != noTerm && t.of(q).name == "eq":
		return t.of(q).args[0], t.of(q).args[1], undecided
	}
	return a, b, undecided
}

func answerOf(b bool) answer {
	if b {
		return yes
	}
	return no
}

// alike lists the terms known to be equal to x, x first.
func (p *path) alike(x term) []term {
	out := []term{x}
	c := p.closure()
	c.know(x)
	r := c.find(x)
	for _, y := range c.members {
		if y != x && c.find(y) == r {
			out = append(out, y)
		}
	}
	return out
}
