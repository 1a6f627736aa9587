package absint

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/absint/internal/numbers"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

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
//
// before is what the cells held before the last step.
func (e *engine) widen(c *config, before []term) {
	if e.stage.steps > 0 {
		return // so few steps do not count for ever
	}
	for cell, x := range slices.Clone(c.regs) {
		if !e.grown(x) && !e.isAny(c, x) {
			continue
		}
		w := e.likewise(c, cell, x)
		e.bound(c, before[cell], x, w)
		e.replace(c, x, w)
		c.regs[cell] = w
		if c.trail != nil && c.trail.step != nil { // a witness needs one way to get there
			c.trail.step.goes(literal{w, x, true})
		}
	}
}

// isAny reports whether the sum that a cell holds can be any number: something is added
// that nobody else has or has asked about, such as what another call was given.
func (e *engine) isAny(c *config, x term) bool {
	n := e.terms.of(x)
	if n.kind != appTerm || n.name != "add" && n.name != "sub" {
		return false
	}
	s, ok := e.terms.sumOf(n.at, x)
	if !ok {
		return false
	}
	minus := numbers.Cut(n.at.Numeric(), ^uint64(0))
	var had map[term]bool
	for _, m := range s.parts {
		if m.times != 1 && m.times != minus || !e.isGiven(m.x) {
			continue
		}
		if had == nil {
			had = e.mentioned(c, x)
		}
		free := true
		e.terms.each(m.x, func(y term) { free = free && !had[y] })
		if free && !slices.ContainsFunc(s.parts, func(o multiple) bool { return o.x != m.x && e.sharesLeaf(o.x, m.x) }) {
			return true
		}
	}
	return false
}

// isGiven reports whether a term is a value that somebody else chose, at a kind of as
// many bits or less.
func (e *engine) isGiven(x term) bool {
	n := e.terms.of(x)
	if n.kind == appTerm && n.name == "convert" && len(n.args) == 1 && n.at.Kind.IsInteger() {
		from := e.terms.of(n.args[0]).typ.Kind
		return from.IsInteger() && n.at.Kind.Bits() <= from.Bits() && e.isGiven(n.args[0])
	}
	return n.kind == symTerm && !slices.Contains(e.args, x)
}

func (e *engine) sharesLeaf(x, y term) bool {
	shared := false
	e.terms.each(x, func(a term) {
		if e.terms.of(a).kind == symTerm {
			e.terms.each(y, func(b term) { shared = shared || a == b })
		}
	})
	return shared
}

// mentioned are the terms of a configuration, without those of a sum in a cell.
func (e *engine) mentioned(c *config, sum term) map[term]bool {
	had := map[term]bool{}
	note := func(x term) {
		if x != noTerm && x != sum {
			e.terms.each(x, func(y term) { had[y] = true })
		}
	}
	e.eachHeld(c, note)
	c.outcome.each(note)
	for _, x := range c.published {
		note(x)
	}
	for _, l := range c.path.literals {
		note(l.a)
		note(l.b)
	}
	for i := range c.cands {
		c.cands[i].each(note)
		for _, l := range c.cands[i].assumed {
			note(l.a)
			note(l.b)
		}
	}
	return had
}

// likewise is a new symbol for what a cell holds, of the same type, or, if some of the lowest bits of numbers are kept,
// something that has the same ones: a counter that goes up by two stays even.
func (e *engine) likewise(c *config, cell int, x term) term {
	some := func(typ register.Type) term {
		w := e.terms.sym("some", true, slices.Clone(c.known))
		e.terms.declare(w, typ)
		return w
	}
	typ := e.problem.Region.Cells[cell].Type
	if n := e.terms.of(x); typ.Kind == register.NoType {
		if inner, at := e.terms.boxed(x); at.Kind != register.NoType {
			w := some(at)
			e.terms.of(w).counted = e.wasCounted(at, inner)
			return e.terms.apply(function{name: "box", at: at}, []term{w})
		}
		if n.kind == appTerm {
			typ = n.typ
		} else if name, ok := register.DynamicType(register.Value(n.name)); ok && n.kind == litTerm {
			typ = register.IntegerNamed(name)
		}
	}
	w := some(typ)
	counted := e.wasCounted(typ, x)
	e.terms.of(w).counted = counted
	n, low := e.lowest(c, typ, x)
	if n == 0 {
		return w
	}
	times := e.terms.apply(function{name: "mul", at: typ}, []term{w, e.terms.lit(strconv.Itoa(1 << n))})
	e.terms.of(times).counted = counted
	if low == 0 {
		return times
	}
	sum := e.terms.apply(function{name: "add", at: typ}, []term{times, e.terms.lit(strconv.Itoa(low))})
	e.terms.of(sum).counted = counted
	return sum
}

// bound says of w, which takes the place of x, on which side of x it stays if the last
// step counted that way: who counts on from there does not come back. What others do to
// w gives another number, of which this is said anew or not at all.
func (e *engine) bound(c *config, before, x, w term) {
	if inner, at := e.terms.boxed(x); at.Kind != register.NoType {
		unbox := func(y term) term { return e.terms.apply(function{name: "unbox", at: at}, []term{y}) }
		before, x, w = unbox(before), inner, unbox(w)
	}
	at := e.terms.of(w).typ
	most := int64(farthest)
	if at.Kind.Bits() != 64 {
		if most = few; !e.terms.countsOn(at.Kind) {
			return // it begins anew soon
		}
	}
	base, offset := e.terms.linear(c.path.constant(x))
	if offset < -most || offset > most {
		return
	}
	limit, up := noTerm, offset > 0
	if base == noTerm {
		from := e.constants // it was counted to from one of these, if not from what was there
		if was, k := e.terms.linear(c.path.constant(before)); was == noTerm {
			from = []int64{k}
		}
		up = !slices.ContainsFunc(from, func(k int64) bool { return k >= offset })
		if !up && (at.Kind.IsUnsigned() || slices.ContainsFunc(from, func(k int64) bool { return k <= offset })) {
			return
		}
		limit = e.terms.lit(strconv.FormatInt(offset, 10))
	}
	if limit == noTerm {
		limit = c.path.limit(base, up)
	}
	if limit != noTerm {
		args := []term{limit, w}
		if !up {
			args = []term{w, limit}
		}
		if p := c.path.with(literal{e.terms.apply(function{name: "le", at: at}, args), e.terms.trueT, true}); p != nil {
			c.path = p // else more is known of w, which is left at that
		}
	}
}

// limit is a number that x is not below, or not above, as the path condition says in so
// many words; noTerm if it does not.
func (p *path) limit(x term, below bool) term {
	for _, l := range p.literals {
		n := p.terms.of(l.a)
		if !l.equal || l.b != p.terms.trueT || n.kind != appTerm || n.name != "le" {
			continue
		}
		limit, of := n.args[1], n.args[0]
		if below {
			limit, of = of, limit
		}
		if of == x && p.terms.of(limit).kind == litTerm {
			return limit
		}
	}
	return noTerm
}

// wasCounted reports whether a number is a literal or another one that was counted
// up to, plus something. Nobody waits until such a number wraps around at 64 bits:
// it takes centuries. What is taken off a number without a sign may do so at once.
func (e *engine) wasCounted(typ register.Type, x term) bool {
	base, offset := e.terms.linear(x)
	return base == noTerm || e.terms.of(base).counted && (offset >= 0 || !typ.Kind.IsUnsigned())
}

// lowest are the lowest bits of a number, as many as are kept of one that others go on counting and as the path condition
// tells.
func (e *engine) lowest(c *config, typ register.Type, x term) (n, low int) {
	if e.keeps == 0 || !typ.Kind.IsInteger() {
		return 0, 0
	}
	cls := c.path.closure().clone()
	cls.know(x)
	s := newRanges(cls, nil)
	s.variable(x, typ.Kind)
	possible := s.narrow()
	e.terms.cost += s.spent
	set := s.set(x, typ.Numeric())
	if !possible || set == nil {
		return 0, 0
	}
	n, all := set.Lowest()
	n = min(n, e.keeps)
	return n, int(all) & (1<<n - 1)
}

// asksBits reports whether a program looks at the lowest bits of numbers.
func asksBits(p *register.Program) bool {
	return slices.ContainsFunc(p.Blocks, func(b *register.Block) bool {
		return slices.ContainsFunc(b.Instrs, func(in register.Instr) bool {
			return in.Op == register.Pure && (in.Name == "rem" || in.Name == "and")
		})
	})
}

// keptBits is how many of the lowest bits of numbers stay what they are where others go on counting: a counter that goes up by
// eight has the same three. Of one that goes up by one the lowest is kept if the call looks at it.
func (p *Problem) keptBits() int {
	kept, counts := maxKeptBits, false
	p.eachInstr(func(in *register.Instr) {
		if in.Op != register.Pure || in.Name != "add" && in.Name != "sub" || len(in.Args) != 2 {
			return
		}
		k, err := strconv.ParseInt(in.Args[1].Lit, 10, 64)
		if counts = true; err != nil {
			k = 1
		}
		kept = min(kept, bits.TrailingZeros64(uint64(k)))
	})
	switch {
	case counts && kept > 0:
		return kept
	case asksBits(p.Region):
		return 1
	}
	return 0
}

// boxed is what an interface holds, and of which type, if it shows that: a number of a
// kind that a constant has to be converted to does.
func (t *terms) boxed(x term) (inner term, at register.Type) {
	n := t.of(x)
	switch {
	case n.kind == appTerm && n.name == "box":
		return n.args[0], n.at
	case n.kind == litTerm:
		name, _ := register.DynamicType(register.Value(n.name))
		at := register.IntegerNamed(name)
		if v, ok, err := register.Fold("unbox", at, []register.Value{register.Value(n.name)}); ok && err == nil {
			return t.lit(string(v)), at
		}
	}
	return noTerm, register.Type{}
}

// grown reports whether what a cell holds is beyond the bounds; a number in an interface
// is one as well.
func (e *engine) grown(x term) bool {
	if inner, at := e.terms.boxed(x); at.Kind.IsInteger() {
		x = inner
	}
	if s, ok := e.terms.text(x); ok && len(s) > 2*e.longest {
		return true // it was put together, and is not one of several states
	}
	base, offset := e.terms.linear(x)
	near := func(k int64) bool { return -maxOffset <= offset-k && offset-k <= maxOffset }
	if !near(0) && (base != noTerm || !slices.ContainsFunc(e.constants, near)) {
		return true // it was counted up to, and is not one of several states
	}
	return e.terms.of(x).size > maxWritten || e.depth(x) > maxDepth
}

// maxConstants bounds how many numbers a cell is taken to have as its states.
const maxConstants = 16

// constants are the numbers that the programs name.
func (p *Problem) constants() []int64 {
	var out []int64
	note := func(ops []register.Operand) {
		for _, o := range ops {
			if k, err := strconv.ParseInt(o.Lit, 10, 64); err == nil && len(out) < maxConstants && !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	p.eachInstr(func(in *register.Instr) { note(in.Args) })
	return out
}

// longest is how long the texts are that the programs name.
func (p *Problem) longest() (n int) {
	p.eachInstr(func(in *register.Instr) {
		for _, o := range in.Args {
			if strings.HasPrefix(o.Lit, `"`) {
				n = max(n, len(o.Lit)-len(`""`))
			}
		}
	})
	return n
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
