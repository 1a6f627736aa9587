package absint

import (
	"maps"
	"slices"

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

// maxSums bounds the sums that are taken apart into those that wrap around and
// those that do not. What more there are may be any number.
const maxSums = 4

// ordered reports whether what is known of the order of integers can hold.
func (c *classes) ordered() bool {
	if !c.stale {
		return true
	}
	ok := !c.comparesIntegers()
	if !ok {
		_, ok = newOrder(c).solve()
	}
	c.stale = !ok
	return ok
}

// saysSize reports whether newOrder looks at an application.
func saysSize(n *node) bool { return ranged[n.name] || n.name == "add" || n.name == "sub" }

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
		if n := o.c.terms.of(x); n.counted && kind.Bits() == 64 {
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
