package absint

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/reduce/register"
)

// naming gives symbols, identities and holes names in order of first use,
// so that configurations that differ only in names print alike.
type naming struct {
	terms *terms
	names map[term]string
	order []term
	// frozen makes unnamed terms print as their kind alone.
	frozen bool
}

func (n *naming) write(b *strings.Builder, x term) {
	if x == noTerm {
		b.WriteByte('-')
		return
	}
	d := n.terms.of(x)
	if d.size > maxWritten {
		// Two such terms are told apart by index: a configuration may then
		// not be recognized, which costs time and nothing else.
		n.terms.each(x, func(y term) { n.nameLeaf(y) })
		fmt.Fprintf(b, "@%d", x)
		return
	}
	switch d.kind {
	case litTerm:
		b.WriteString(strconv.Quote(d.name))
		return
	case appTerm:
		fmt.Fprintf(b, "%s.%d%s", d.name, d.result, d.at.GoName())
	default:
		b.WriteString(n.name(x))
		if d.kind == symTerm || n.frozen {
			return
		}
		b.WriteString(d.name)
	}
	b.WriteByte('(')
	for _, a := range d.args {
		n.write(b, a)
		b.WriteByte(' ')
	}
	b.WriteByte(')')
}

func (n *naming) name(x term) string {
	if s, ok := n.names[x]; ok {
		return s
	}
	d := n.terms.of(x)
	letter := map[termKind]string{symTerm: "s", freshTerm: "f", holeFresh: "p", holeAny: "q"}[d.kind]
	if d.theirs {
		letter = "t"
	}
	if d.nonNil {
		letter += "!"
	}
	if d.typ.Kind != register.NoType {
		letter += d.typ.GoName() + "_"
	}
	if n.frozen {
		return letter
	}
	s := letter + strconv.Itoa(len(n.names))
	n.names[x] = s
	n.order = append(n.order, x)
	return s
}

// nameLeaf names a symbol or identity, if x is one.
func (n *naming) nameLeaf(x term) {
	if k := n.terms.of(x).kind; k != litTerm && k != appTerm {
		n.name(x)
	}
}

func (n *naming) all(b *strings.Builder, xs []term) {
	for _, x := range xs {
		n.write(b, x)
		b.WriteByte(',')
	}
	b.WriteByte(';')
}

// key is a canonical text of a configuration: equal keys mean equal futures
// up to renaming. Dead locals and what is known only about them are left
// out.
func (e *engine) key(c *config) string {
	var b strings.Builder
	n := &naming{terms: e.terms, names: map[term]string{}}
	fmt.Fprintf(&b, "%d.%d.%d%v|", c.block, c.index, c.depth, c.held)
	if c.outcome == nil {
		for _, l := range e.live.In(c.block, c.index) {
			fmt.Fprintf(&b, "%d=", l)
			n.write(&b, c.locals[l])
		}
	} else {
		e.writeOutcome(&b, n, c.outcome)
	}
	b.WriteByte('|')
	n.all(&b, c.regs)
	if slices.ContainsFunc(c.cands, func(k candidate) bool { return k.done == nil }) {
		n.all(&b, e.args)
	}
	for _, f := range c.effects {
		b.WriteString(f.name)
		n.all(&b, f.args)
	}
	if e.hasEffects {
		n.all(&b, c.published)
	}
	e.writeCandidates(&b, n, c.cands)
	e.writeKnown(&b, n, c)
	e.writePath(&b, n, c)
	return b.String()
}

func (e *engine) writeOutcome(b *strings.Builder, n *naming, o *outcome) {
	fmt.Fprintf(b, "%d%s", o.kind, o.label)
	n.all(b, o.vals)
	for _, f := range o.effects {
		b.WriteString(f.name)
		n.all(b, f.args)
	}
}

func (e *engine) writeCandidate(b *strings.Builder, n *naming, k *candidate) {
	n.all(b, k.spec)
	if k.done != nil {
		e.writeOutcome(b, n, k.done)
		for _, l := range k.assumed {
			fmt.Fprint(b, l.equal)
			n.write(b, l.a)
			n.write(b, l.b)
		}
		n.all(b, k.used)
		fmt.Fprint(b, k.guessed)
	}
}

// writeCandidates writes the set in an order that does not depend on
// names that are still to be given.
func (e *engine) writeCandidates(b *strings.Builder, n *naming, cands []candidate) {
	sketch := make([]string, len(cands))
	order := make([]int, len(cands))
	n.frozen = true
	for i := range cands {
		var s strings.Builder
		e.writeCandidate(&s, n, &cands[i])
		sketch[i], order[i] = s.String(), i
	}
	n.frozen = false
	sort.SliceStable(order, func(i, j int) bool { return sketch[order[i]] < sketch[order[j]] })
	for _, i := range order {
		b.WriteByte('#')
		e.writeCandidate(b, n, &cands[i])
	}
}

// writeKnown notes which of the call's own allocations the environment has
// seen.
func (e *engine) writeKnown(b *strings.Builder, n *naming, c *config) {
	b.WriteByte('|')
	for _, x := range n.order {
		if slices.Contains(c.known, x) {
			b.WriteString(n.names[x] + "K")
		}
	}
}

// writePath writes what the path condition says about live terms: which are
// equal, which differ, which may be an allocation of the call's own.
func (e *engine) writePath(b *strings.Builder, n *naming, c *config) {
	cl := c.path.closure()
	live := make(map[term]string)
	for _, x := range append(slices.Clone(n.order), cl.members...) {
		if _, ok := live[x]; !ok && e.named(n, x) {
			var s strings.Builder
			n.write(&s, x)
			live[x] = s.String()
		}
	}
	lead := e.bringAlive(n, cl, live)
	groups := make(map[term][]string)
	for x, s := range live {
		r := cl.find(x)
		groups[r] = append(groups[r], s)
	}
	var lines []string
	for _, g := range groups {
		sort.Strings(g)
		if g = slices.Compact(g); len(g) > 1 {
			lines = append(lines, strings.Join(g, "="))
		}
	}
	for _, d := range cl.differ {
		x, y := lead[cl.find(d[0])], lead[cl.find(d[1])]
		if x != "" && y != "" {
			lines = append(lines, min(x, y)+"/"+max(x, y))
		}
	}
	for _, x := range n.order {
		for _, f := range e.terms.of(x).may {
			if n.names[f] != "" && cl.equal(x, f) == undecided {
				lines = append(lines, n.names[x]+"?"+n.names[f])
			}
		}
	}
	sort.Strings(lines)
	b.WriteByte('|')
	b.WriteString(strings.Join(slices.Compact(lines), " "))
}

// bringAlive adds to live the terms whose dead parts are equal to live ones: what
// is known of f(x) is known of f(y) if x is dead and equal to y. It returns a text
// for each class that has a live term.
func (e *engine) bringAlive(n *naming, cl *classes, live map[term]string) map[term]string {
	lead := make(map[term]string)
	enter := func(x term, s string) {
		if r := cl.find(x); lead[r] == "" || s < lead[r] {
			lead[r] = s
		}
	}
	for x, s := range live {
		enter(x, s)
	}
	for changed := true; changed; {
		changed = false
		for _, x := range cl.members {
			d := e.terms.of(x)
			if live[x] != "" || d.kind != appTerm {
				continue
			}
			if s := e.writeAlive(n, cl, lead, x); s != "" {
				live[x], changed = s, true
			}
		}
		had := maps.Clone(lead)
		for x, s := range live {
			if had[cl.find(x)] == "" {
				enter(x, s)
			}
		}
	}
	return lead
}

// writeAlive is the text of an application with live terms in the place of its
// arguments, empty if there are none.
func (e *engine) writeAlive(n *naming, cl *classes, lead map[term]string, x term) string {
	d := e.terms.of(x)
	var b strings.Builder
	fmt.Fprintf(&b, "%s.%d%s(", d.name, d.result, d.at.GoName())
	for _, a := range d.args {
		switch s := lead[cl.find(a)]; {
		case e.named(n, a):
			n.write(&b, a)
		case s != "":
			b.WriteString(s)
		default:
			return ""
		}
		b.WriteByte(' ')
	}
	return b.String() + ")"
}

// named reports whether all symbols and identities in x have a name.
func (e *engine) named(n *naming, x term) bool {
	ok := true
	e.terms.each(x, func(y term) {
		if k := e.terms.of(y).kind; k != litTerm && k != appTerm && n.names[y] == "" {
			ok = false
		}
	})
	return ok
}

// maxCandidates bounds a set. To drop a candidate is safe for a verdict of
// verified, and a violation is replayed.
const maxCandidates = 48
