package absint

import (
	"maps"
	"slices"
	"strconv"

	"github.com/mapatom/mapatom/absint/internal/numbers"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// bound is one difference constraint on integers: x - y <= c. The node
// noTerm stands for zero, and there is one for the least and one for the
// greatest number of each kind.
type bound struct {
	x, y term
	c    int64
}

func leastNode(k register.TypeKind) term    { return -2*term(k) - 1 }
func greatestNode(k register.TypeKind) term { return -2*term(k) - 2 }

// near bounds the constants of constraints, so that sums of them stay within 64
// bits, and far is the least distance between zero and the ends of a kind of 64
// bits as far as anybody asks. A constant in between is a number like any other.
const (
	near = 1 << 40
	far  = 1 << 50
)

// order is what is known of the order of integers: facts, and sums that may
// wrap around.
type order struct {
	c      *classes
	bounds []bound
	at     map[[2]term]int // of the bound between two nodes
	placed map[integer]bool
	kinds  map[register.TypeKind]bool
	sums   []sum
	// texts are the strings among what is compared.
	texts map[string]term
}

// integer is a class of terms as numbers of a kind.
type integer struct {
	class term
	kind  register.TypeKind
}

// sum says that s is x + k at a kind.
type sum struct {
	s, x term
	k    int64
	kind register.TypeKind
}

// unwrappedBits is how many bits a counter has at least that nobody counts to the end of, by few at a time.
const (
	unwrappedBits = 32
	few           = 16
)

// maxSums bounds the sums that are taken apart into those that wrap around and
// those that do not. What more there are may be any number.
const maxSums = 4

// measured reports whether what is known of integers can hold: of their order, and of each by itself.
func (c *classes) measured() bool {
	if !c.stale {
		return true
	}
	c.stale = !c.ordered() || !c.numbered()
	return !c.stale
}

// ordered reports whether what is known of the order of integers can hold.
func (c *classes) ordered() bool {
	if !c.comparesIntegers() {
		return true
	}
	_, ok := newOrder(c).solve()
	return ok
}

// saysSize reports whether newOrder or newRanges look at an application.
func saysSize(n *node) bool { return ranged[n.name] || isArithmetic(n) }

// ranged are the functions that say something of the size of their result.
var ranged = map[string]bool{
	"lt": true, "le": true, "and": true, "rem": true, "convert": true, register.Length: true, register.CountOf: true,
}

// saysHowMany reports whether a function says how many there are of something.
func saysHowMany(name string) bool { return name == register.Length || name == register.CountOf }

// comparesIntegers reports whether there is anything to find out.
func (c *classes) comparesIntegers() bool {
	for _, x := range c.members {
		if n := c.terms.of(x); n.kind == appTerm && ranged[n.name] {
			return true
		}
	}
	return false
}

// newOrder collects what is known.
func newOrder(c *classes) *order {
	o := &order{c: c, at: map[[2]term]int{}, placed: map[integer]bool{}, kinds: map[register.TypeKind]bool{}, texts: map[string]term{}}
	for _, x := range c.members {
		n := c.terms.of(x)
		if n.kind != appTerm {
			continue
		}
		kind := n.at.Numeric()
		switch {
		case saysHowMany(n.name):
			o.member(x, register.Int)
			o.atLeast(x, 0)
			o.add(o.c.find(x), greatestNode(register.Int), -near) // nothing has so many elements that one more is less than none
		case !register.Interpreted[n.name]:
		case isOrder(n.name) && !kind.IsInteger():
			o.chain(x, n, kind)
		case !kind.IsInteger():
		case isOrder(n.name):
			o.comparison(x, n, kind)
		case n.name == "add":
			o.sum(x, n, kind)
		case n.name == "and" || n.name == "rem":
			o.member(x, kind)
			o.masked(x, n, kind)
		case n.name == "convert" && numbers.Widens(c.terms.of(n.args[0]).typ.Kind, kind):
			o.same(x, kind, n.args[0], c.terms.of(n.args[0]).typ.Kind)
		case n.name == "convert":
			o.member(x, kind)
		}
	}
	o.positive()
	o.differences()
	o.alphabet()
	return o
}

// alphabet says of the strings that others are compared with which comes first: what comes before "x"
// comes before "y".
func (o *order) alphabet() {
	texts := slices.Sorted(maps.Keys(o.texts))
	for i := range max(0, len(texts)-1) {
		o.add(o.texts[texts[i]], o.texts[texts[i+1]], -1)
	}
}

// positive says that a number without a sign that is not zero is more: see terms.foldEnds.
func (o *order) positive() {
	for _, d := range o.c.differ {
		for i, x := range d {
			if r := o.c.find(x); o.c.find(d[1-i]) == o.c.terms.lit("0") && o.unsigned(r) {
				o.atLeast(r, 1)
			}
		}
	}
}

// unsigned reports whether a class is placed among the numbers without a sign.
func (o *order) unsigned(r term) bool {
	for kind := range o.kinds {
		if kind.IsUnsigned() && o.placed[integer{r, kind}] {
			return true
		}
	}
	return false
}

// maxDifferences bounds the differences that are looked at.
const maxDifferences = 4

// differences adds what is known of a - b where b is no less than zero and no more than
// a: it is neither less than zero nor more than a. It cannot wrap around then.
func (o *order) differences() {
	n := 0
	for _, x := range o.c.members {
		d := o.c.terms.of(x)
		if d.kind != appTerm || d.name != "sub" || !d.at.Numeric().IsInteger() || n == maxDifferences {
			continue
		}
		n++
		kind := d.at.Numeric()
		o.member(x, kind)
		a, ka := o.place(d.args[0], kind)
		b, kb := o.place(d.args[1], kind)
		if o.implies(b, a, ka-kb) && o.implies(noTerm, b, kb) {
			o.atLeast(x, 0)
			o.add(o.c.find(x), a, ka)
		}
	}
}

// implies reports whether x - y <= c follows from the bounds: the shortest way from y
// to x is no longer.
func (o *order) implies(x, y term, c int64) bool {
	if x == y {
		return c >= 0
	}
	from := map[term][]int{} // the bounds that lead on from a node
	for i, b := range o.bounds {
		from[b.y] = append(from[b.y], i)
	}
	dist, queue := map[term]int64{y: 0}, []term{y}
	for n := 0; len(queue) > 0 && n <= len(o.bounds)*len(from); n++ {
		at := queue[0]
		queue = queue[1:]
		for _, i := range from[at] {
			b := o.bounds[i]
			o.c.terms.cost++
			if to, known := dist[b.x]; !known || dist[at]+b.c < to {
				dist[b.x] = dist[at] + b.c
				if !slices.Contains(queue, b.x) {
					queue = append(queue, b.x)
				}
			}
		}
	}
	d, ok := dist[x]
	return ok && d <= c
}

func (o *order) add(x, y term, c int64) {
	if -near <= c && c <= near {
		o.bound(bound{x, y, c})
	}
}

// bound adds a bound, unless there is one that says as much.
func (o *order) bound(b bound) {
	pair := [2]term{b.x, b.y}
	if i, ok := o.at[pair]; ok {
		o.bounds[i].c = min(o.bounds[i].c, b.c)
		return
	}
	o.at[pair] = len(o.bounds)
	o.bounds = append(o.bounds, b)
}

// limits makes nodes for the ends of a kind.
func (o *order) limits(kind register.TypeKind) {
	if o.kinds[kind] {
		return
	}
	o.kinds[kind] = true
	lo, hi := kind.Range()
	if kind.Bits() < 40 {
		o.equal(leastNode(kind), noTerm, lo.Int64())
		o.equal(greatestNode(kind), noTerm, hi.Int64())
		return
	}
	o.bound(bound{noTerm, greatestNode(kind), -far})
	if kind.IsUnsigned() {
		o.equal(leastNode(kind), noTerm, 0)
	} else {
		o.bound(bound{leastNode(kind), noTerm, -far})
	}
}

// equal says that x is y + c.
func (o *order) equal(x, y term, c int64) {
	if -near <= c && c <= near {
		o.bound(bound{x, y, c})
		o.bound(bound{y, x, -c})
	}
}

// place is the node of an integer term of a kind, and the distance from there.
func (o *order) place(x term, kind register.TypeKind) (node term, k int64) {
	o.limits(kind)
	r := o.c.find(x)
	if o.c.terms.of(r).kind != litTerm {
		o.within(r, kind)
		if kind.Bits() == 64 && o.c.terms.of(x).counted {
			o.add(r, greatestNode(kind), -near)
			if !kind.IsUnsigned() {
				o.add(leastNode(kind), r, -near)
			}
		}
		return r, 0
	}
	b, ok := bitsOf(kind, o.c.terms.of(r).name)
	lo, hi := numbers.Ends(kind)
	switch {
	case !ok:
		return r, 0
	case numbers.Less(kind, numbers.Cut(kind, b), near) && (kind.IsUnsigned() || int64(b) > -near):
		return noTerm, int64(b)
	case hi-b <= near:
		return greatestNode(kind), -int64(hi - b)
	case b-lo <= near:
		return leastNode(kind), int64(b - lo)
	default:
		return r, 0
	}
}

// farthest bounds the numbers whose side is remembered, and by how much they are counted
// on: to the end of a kind of 64 bits it takes decades then.
const farthest = 1 << 10

// maxKeptBits bounds the lowest bits that are kept of a number that others go on counting.
const maxKeptBits = 6

// within says that a class is no less than the least number of a kind, and no more than
// the greatest.
func (o *order) within(r term, kind register.TypeKind) {
	if n := (integer{r, kind}); !o.placed[n] {
		o.placed[n] = true
		o.add(r, greatestNode(kind), 0)
		o.add(leastNode(kind), r, 0)
	}
}

// member says that a term is a number of the kind.
func (o *order) member(x term, kind register.TypeKind) {
	node, k := o.place(x, kind)
	o.equal(o.c.find(x), node, k)
}

func (o *order) atLeast(x term, k int64) { o.add(noTerm, o.c.find(x), -k) }
func (o *order) atMost(x term, k int64)  { o.add(o.c.find(x), noTerm, k) }

// same says that two terms of kinds are the same number.
func (o *order) same(x term, xKind register.TypeKind, y term, yKind register.TypeKind) {
	a, ka := o.place(x, xKind)
	b, kb := o.place(y, yKind)
	o.equal(a, b, kb-ka)
}

// comparison adds a fact: x is an application of lt or le.
func (o *order) comparison(x term, n *node, kind register.TypeKind) {
	a, ka := o.place(n.args[0], kind)
	b, kb := o.place(n.args[1], kind)
	strict := int64(0)
	switch o.c.find(x) {
	case o.c.terms.trueT: // a + ka <= b + kb, or <
		if n.name == "lt" {
			strict = 1
		}
		o.add(a, b, kb-ka-strict)
	case o.c.terms.falseT: // b + kb < a + ka, or <=
		if n.name == "le" {
			strict = 1
		}
		o.add(b, a, ka-kb-strict)
	}
}

// chain adds a fact about strings or floating-point numbers: nothing comes before
// itself. If a < b does not hold, b <= a need not hold of numbers, of which one
// may be none.
func (o *order) chain(x term, n *node, kind register.TypeKind) {
	a, b := o.c.find(n.args[0]), o.c.find(n.args[1])
	for _, x := range []term{a, b} {
		if s, ok := o.c.terms.text(x); ok {
			o.texts[s] = x
		}
	}
	strict := int64(0)
	switch holds := o.c.find(x); {
	case holds == o.c.terms.trueT:
		if n.name == "lt" {
			strict = 1
		}
		o.add(a, b, -strict)
	case holds == o.c.terms.falseT && !kind.IsFloat():
		if n.name == "le" {
			strict = 1
		}
		o.add(b, a, -strict)
	}
}

// masked adds what limits a remainder and the bits that a mask lets through.
func (o *order) masked(x term, n *node, kind register.TypeKind) {
	m, ok := o.c.terms.offset(kind, o.c.find(n.args[1]))
	if !ok || m <= 0 {
		return
	}
	if n.name == "rem" {
		m--
	}
	o.atMost(x, m)
	if n.name == "and" || kind.IsUnsigned() {
		o.atLeast(x, 0)
	} else {
		o.atLeast(x, -m)
	}
}

// sum adds x, which is an application of add.
func (o *order) sum(x term, n *node, kind register.TypeKind) {
	k, ok := o.c.terms.offset(kind, o.c.find(n.args[1]))
	o.member(x, kind)
	o.member(n.args[0], kind)
	s, y := o.c.find(x), o.c.find(n.args[0])
	if room, known := o.room(y, kind); known && ok && 0 < k && k <= room {
		o.equal(s, y, k)
		o.add(s, greatestNode(kind), k-room)
		return
	}
	if o.c.terms.countsOn(kind) && ok && -few <= k && k <= few {
		o.equal(s, y, k)
		return
	}
	if ok && len(o.sums) < maxSums && -near < k && k < near {
		o.sums = append(o.sums, sum{s: s, x: y, k: k, kind: kind})
	}
}

// room is how far a class certainly is from the greatest number of a kind, where that is far: what is counted
// does not wrap around.
func (o *order) room(r term, kind register.TypeKind) (int64, bool) {
	i, known := o.at[[2]term{r, greatestNode(kind)}]
	if !known || o.bounds[i].c >= 0 {
		return 0, false
	}
	return -o.bounds[i].c, true
}

// solve finds numbers for the nodes. Each sum either wraps around or does not.
func (o *order) solve() (map[term]int64, bool) {
	return o.choose(o.bounds, o.sums)
}

func (o *order) choose(bounds []bound, sums []sum) (map[term]int64, bool) {
	if len(sums) == 0 {
		return relax(bounds)
	}
	s, n := sums[0], len(bounds)
	plain := append(bounds[:n:n], bound{s.s, s.x, s.k}, bound{s.x, s.s, -s.k})
	if dist, ok := o.choose(plain, sums[1:]); ok {
		return dist, true
	}
	lo, hi := leastNode(s.kind), greatestNode(s.kind)
	wrapped := append(bounds[:n:n], bound{hi, s.x, s.k - 1}, bound{s.s, lo, s.k - 1})
	if s.k < 0 {
		wrapped = append(bounds[:n:n], bound{s.x, lo, -s.k - 1}, bound{hi, s.s, -s.k - 1})
	}
	return o.choose(wrapped, sums[1:])
}

// relax finds numbers that keep the bounds, starting from a node that is at
// distance zero from every other one; false if there are none. (Bellman and
// Ford: bounds contradict each other if and only if there is a cycle of
// negative weight.)
func relax(bounds []bound) (map[term]int64, bool) {
	index := map[term]int{}
	node := func(x term) int {
		i, ok := index[x]
		if !ok {
			i = len(index)
			index[x] = i
		}
		return i
	}
	between := make([][2]int, len(bounds))
	for i, b := range bounds {
		between[i] = [2]int{node(b.x), node(b.y)}
	}
	dist := make([]int64, len(index))
	for range len(index) + 1 {
		changed := false
		for i, b := range bounds {
			x, y := between[i][0], between[i][1]
			if d := dist[y] + b.c; d < dist[x] {
				dist[x], changed = d, true
			}
		}
		if !changed {
			out := make(map[term]int64, len(index))
			for x, i := range index {
				out[x] = dist[i]
			}
			return out, true
		}
	}
	return nil, false
}

// isOrder reports whether the function compares by size.
func isOrder(name string) bool { return name == "lt" || name == "le" }

// ranges is what is known of each number by itself: between which two it is, and which of its bits are set. The
// order says more of two numbers, and this of what is shifted, masked, divided or converted.
type ranges struct {
	cls  *classes
	apps []term
	// vars are the classes that need a number, of these kinds.
	vars  []term
	kinds map[term]register.TypeKind
	// fixed, if it is not nil, says which classes have one.
	fixed func(term) bool
	// sizes are the classes that say how many there are of something: no less than none.
	sizes map[term]bool
	// sets are what is known of the classes.
	sets  map[term]*numbers.Set
	spent int
}

func newRanges(c *classes, fixed func(term) bool) *ranges {
	s := &ranges{cls: c, kinds: map[term]register.TypeKind{}, fixed: fixed, sizes: map[term]bool{}, sets: map[term]*numbers.Set{}}
	for _, x := range c.members {
		s.collect(x)
	}
	return s
}

// numbered reports whether there may be numbers that what is calculated from others can be. It is asked where there is
// more than sums and comparisons, of which the order says more.
func (c *classes) numbered() bool {
	bent := func(x term) bool {
		n := c.terms.of(x)
		return isArithmetic(n) && !isOrder(n.name) && n.name != "add" && n.name != "sub"
	}
	if !slices.ContainsFunc(c.members, bent) {
		return true
	}
	s := newRanges(c, nil)
	possible := s.narrow()
	c.terms.cost += s.spent
	return possible
}

// appsPerCost is how many applications are evaluated for the cost of an instruction of a
// walk.
const appsPerCost = 2

// maxNarrow bounds how often all that is known is asked what it says of each number. It takes fewer rounds than
// there are bits, but for an order that goes round in a circle, one number at a time.
const maxNarrow = 70

// narrow finds out what is known of each number; false if there is one that nothing is left of.
func (s *ranges) narrow() bool {
	for range maxNarrow {
		s.spent += 1 + len(s.apps)/appsPerCost
		before := make(map[term]numbers.Set, len(s.sets))
		for r, set := range s.sets {
			before[r] = *set
		}
		if slices.ContainsFunc(s.apps, s.contradicts) || slices.ContainsFunc(s.cls.differ, s.alike) {
			return false
		}
		changed := len(before) < len(s.sets)
		for r, set := range s.sets {
			changed = changed || before[r] != *set
		}
		if !changed {
			return true
		}
	}
	return true
}

// alike takes out of the sets of two numbers what they cannot be, as they differ, and reports whether nothing is left.
func (s *ranges) alike(d [2]term) bool {
	kind, ok := s.kindOf(d)
	if !ok {
		return false
	}
	a, b := s.set(d[0], kind), s.set(d[1], kind)
	if a == nil || b == nil {
		return false
	}
	numbers.Differ(a, b)
	return a.IsEmpty() || b.IsEmpty()
}

// contradicts takes out of the sets of its numbers what an application leaves no room for, and reports whether nothing
// is left.
func (s *ranges) contradicts(x term) bool {
	n := s.cls.terms.of(x)
	if n.name == "lt" || n.name == "le" {
		return s.misordered(n, s.cls.find(x))
	}
	kind := n.at.Numeric()
	is, a := s.set(x, kind), s.set(n.args[0], s.argumentKind(n, 0))
	if is == nil || a == nil {
		return false
	}
	b := a
	switch n.name {
	case "convert":
		numbers.Convert(is, a)
	case "neg", "compl":
		numbers.Unary(n.name, is, a)
	case "shl", "shr":
		if far, err := strconv.ParseUint(s.cls.terms.of(s.cls.find(n.args[1])).name, 10, 64); err == nil {
			numbers.Shift(n.name == "shl", is, a, far)
		}
	default:
		if b = s.set(n.args[1], kind); b == nil {
			return false
		}
		numbers.Binary(n.name, is, a, b)
	}
	return is.IsEmpty() || a.IsEmpty() || b.IsEmpty()
}

// misordered is contradicts for a comparison with a result.
func (s *ranges) misordered(n *node, result term) bool {
	a, b := s.set(n.args[0], n.at.Numeric()), s.set(n.args[1], n.at.Numeric())
	switch t := s.cls.terms; {
	case a == nil || b == nil:
		return false
	case result == t.trueT:
		numbers.Order(n.name == "lt", a, b)
	case result == t.falseT:
		numbers.Order(n.name == "le", b, a)
	}
	return a.IsEmpty() || b.IsEmpty()
}

// set is what is known of the class of x, as a number of a kind; nil if it is another one. A literal is the same of
// several kinds.
func (s *ranges) set(x term, kind register.TypeKind) *numbers.Set {
	r := s.cls.find(x)
	if n := s.cls.terms.of(r); n.kind == litTerm {
		b, ok := bitsOf(kind, n.name)
		if !ok {
			return nil
		}
		is := numbers.Just(kind, b)
		return &is
	}
	if s.kinds[r] != kind || !kind.IsInteger() {
		return nil
	}
	if s.sets[r] == nil {
		all := numbers.All(kind)
		if none := numbers.Just(kind, 0); s.sizes[r] {
			numbers.Order(false, &none, &all)
		}
		s.sets[r] = &all
	}
	return s.sets[r]
}

// isArithmetic reports whether an application is one that numbers decide.
func isArithmetic(n *node) bool {
	if n.kind != appTerm || !register.Interpreted[n.name] || !n.at.Numeric().IsInteger() {
		return false
	}
	switch n.name {
	case "eq", "not", "choose", "is", "box", "concat", "len", "feq":
		return false
	}
	return true
}

// collect notes an application and the classes of its numbers, and a class of
// which it is known that it is an integer.
func (s *ranges) collect(x term) {
	t := s.cls.terms
	n := t.of(x)
	if n.typ.Kind.IsInteger() {
		s.variable(x, n.typ.Kind)
	}
	if n.kind == appTerm && saysHowMany(n.name) {
		s.sizes[s.cls.find(x)] = true
	}
	switch {
	case n.typ.Kind == register.Bool && !t.isTest(x) && s.differs(x):
		s.variable(x, register.Bool)
	case n.kind == appTerm && n.name == "unbox":
	case n.kind == appTerm && n.name == "is" && n.at == (register.Type{Kind: register.Int}) && s.cls.find(x) == t.trueT:
		s.variable(n.args[0], register.Int)
	case isArithmetic(n):
		s.apps = append(s.apps, x)
		for i, y := range n.args {
			s.variable(y, s.argumentKind(n, i))
		}
	}
}

// argumentKind is the kind of the i-th argument of arithmetic.
func (s *ranges) argumentKind(n *node, i int) register.TypeKind {
	kind := s.cls.terms.of(n.args[i]).typ.Numeric()
	if n.name == "convert" || i == 1 && (n.name == "shl" || n.name == "shr") {
		return kind
	}
	return n.at.Numeric()
}

func (s *ranges) variable(x term, kind register.TypeKind) {
	r := s.cls.find(x)
	if s.fixed != nil && s.fixed(r) || !kind.IsInteger() && kind != register.Bool {
		return
	}
	if _, known := s.kinds[r]; !known {
		s.kinds[r] = kind
		s.vars = append(s.vars, r)
	}
}

// differs reports whether the path says of a term what it is not.
func (s *ranges) differs(x term) bool {
	r := s.cls.find(x)
	return slices.ContainsFunc(s.cls.differ, func(d [2]term) bool { return s.cls.find(d[0]) == r || s.cls.find(d[1]) == r })
}

// kindOf is the kind of two numbers that differ, of which one is to be found.
func (s *ranges) kindOf(d [2]term) (register.TypeKind, bool) {
	for _, x := range d {
		if r := s.cls.find(x); slices.Contains(s.vars, r) && s.kinds[r].IsInteger() {
			return s.kinds[r], true
		}
	}
	return register.NoType, false
}
