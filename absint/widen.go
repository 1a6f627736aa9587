package absint

import (
	"errors"
	"slices"
	"strconv"

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

// likewise is a new symbol for what a cell holds, of the same type, or, if the program
// asks for the lowest bits of numbers, something that has the same one: a counter that
// goes up by two stays even.
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
			e.terms.of(w).counted = e.wasCounted(inner)
			return e.terms.apply(function{name: "box", at: at}, []term{w})
		}
		if n.kind == appTerm {
			typ = n.typ
		} else if name, ok := register.DynamicType(register.Value(n.name)); ok && n.kind == litTerm {
			typ = register.IntegerNamed(name)
		}
	}
	w := some(typ)
	e.terms.of(w).counted = e.wasCounted(x)
	odd, known := e.parity(c, typ, x)
	if !e.asksBits || !known || !typ.Kind.IsInteger() {
		return w
	}
	twice := e.terms.apply(function{name: "mul", at: typ}, []term{w, e.terms.lit("2")})
	if !odd {
		return twice
	}
	return e.terms.apply(function{name: "add", at: typ}, []term{twice, e.terms.lit("1")})
}

// farthest bounds the numbers whose side is remembered, and by how much they are counted
// on: to the end of a kind of 64 bits it takes decades then.
const farthest = 1 << 10

// bound says of w, which takes the place of x, on which side of x it stays if the last
// step counted that way: who counts on from there does not come back. What others do to
// w gives another number, of which this is said anew or not at all.
func (e *engine) bound(c *config, before, x, w term) {
	if inner, at := e.terms.boxed(x); at.Kind != register.NoType {
		unbox := func(y term) term { return e.terms.apply(function{name: "unbox", at: at}, []term{y}) }
		before, x, w = unbox(before), inner, unbox(w)
	}
	at := e.terms.of(w).typ
	if e.terms.of(w).kind != symTerm || at.Kind.Bits() != 64 {
		return // it is not any number, or begins anew soon
	}
	base, offset := e.terms.linear(c.path.constant(x))
	if offset < -farthest || offset > farthest {
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
// it takes centuries.
func (e *engine) wasCounted(x term) bool {
	base, _ := e.terms.linear(x)
	if n := e.terms.of(base); base != noTerm && n.kind == appTerm && n.name == "mul" {
		base = n.args[0] // twice a number, see likewise
	}
	return base == noTerm || e.terms.of(base).counted
}

// parity is the lowest bit of a number, if the path condition tells it.
func (e *engine) parity(c *config, typ register.Type, x term) (odd, known bool) {
	if !e.asksBits || !typ.Kind.IsInteger() {
		return false, false
	}
	bit := e.terms.apply(function{name: "and", at: typ}, []term{x, e.terms.lit("1")})
	even := e.terms.apply(function{name: "eq"}, []term{bit, e.terms.lit("0")})
	m := machine{terms: e.terms, decide: func(a, b term) (bool, error) {
		switch c.path.equal(a, b) {
		case yes:
			return true, nil
		case no:
			return false, nil
		}
		return false, errOpen
	}}
	is, err := m.truth(even)
	return !is, err == nil
}

// errOpen ends a question that the path condition does not answer.
var errOpen = errors.New("not known")

// asksBits reports whether a program looks at the lowest bits of numbers.
func asksBits(p *register.Program) bool {
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if in := &b.Instrs[i]; in.Op == register.Pure && (in.Name == "rem" || in.Name == "and") {
				return true
			}
		}
	}
	return false
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
	programs := []*register.Program{p.Region}
	for i := range p.Steps {
		programs = append(programs, p.Steps[i].Program)
	}
	for _, prog := range programs {
		for _, b := range prog.Blocks {
			for i := range b.Instrs {
				note(b.Instrs[i].Args)
			}
		}
	}
	return out
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
