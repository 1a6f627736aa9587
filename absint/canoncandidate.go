package absint

import (
	"fmt"
	"strings"
)

// addCandidate adds k unless an equal one, up to the names of holes, is in
// the set.
func (e *engine) addCandidate(set []candidate, k candidate) []candidate {
	k.guessed = k.guessed || e.loops && e.guesses(&k)
	k.assumed = e.stillAssumed(&k)
	k.key = e.candidateKey(&k)
	for i := range set {
		if set[i].key == k.key {
			return set
		}
	}
	if len(set) >= maxCandidates && k.done != nil {
		return set
	}
	return append(set, k)
}

func (e *engine) candidateKey(k *candidate) string {
	var b strings.Builder
	n := &holeNaming{terms: e.terms, names: map[term]int{}}
	for _, x := range k.spec {
		n.write(&b, x)
	}
	if k.done == nil {
		return b.String() + "-"
	}
	fmt.Fprintf(&b, "|%d%s|", k.done.kind, k.done.label)
	for _, x := range k.done.vals {
		n.write(&b, x)
	}
	for _, f := range k.done.effects {
		b.WriteString(f.name)
		for _, x := range f.args {
			n.write(&b, x)
		}
	}
	for _, l := range k.assumed {
		fmt.Fprint(&b, l.equal)
		n.write(&b, l.a)
		n.write(&b, l.b)
	}
	fmt.Fprint(&b, k.used, k.guessed)
	return b.String()
}

// holeNaming prints terms with holes numbered in order of first use and
// everything else by index.
type holeNaming struct {
	terms *terms
	names map[term]int
}

func (n *holeNaming) write(b *strings.Builder, x term) {
	d := n.terms.of(x)
	if !d.holes || d.size > maxWritten {
		fmt.Fprintf(b, "%d ", x)
		return
	}
	if d.kind == holeFresh || d.kind == holeAny {
		i, ok := n.names[x]
		if !ok {
			i = len(n.names)
			n.names[x] = i
		}
		fmt.Fprintf(b, "h%d", i)
	}
	fmt.Fprintf(b, "%d%s.%d%s(", d.kind, d.name, d.result, d.at.GoName())
	for _, a := range d.args {
		n.write(b, a)
	}
	b.WriteByte(')')
}

// stillAssumed are the assumptions of k about holes that still occur in it, and
// about allocations. What an unpredictable call returned can be chosen as it was if
// it does not occur any more; nothing can contradict it later. An allocation is
// not chosen: see settle.
func (e *engine) stillAssumed(k *candidate) []literal {
	if len(k.assumed) == 0 {
		return nil
	}
	holes := map[term]bool{}
	note := func(x term) { e.terms.eachHole(x, func(y term) { holes[y] = true }) }
	for _, x := range k.spec {
		note(x)
	}
	if k.done != nil {
		for _, x := range k.done.vals {
			note(x)
		}
		for _, f := range k.done.effects {
			for _, x := range f.args {
				note(x)
			}
		}
	}
	var out []literal
	for _, l := range k.assumed {
		relevant := false
		for _, x := range []term{l.a, l.b} {
			e.terms.eachHole(x, func(y term) { relevant = relevant || holes[y] || e.terms.of(y).kind == holeFresh })
		}
		if relevant {
			out = append(out, l)
		}
	}
	return out
}

// dropHopeless drops candidates whose outcome or cells mention a symbol or
// an identity that nothing live can become equal to. A value that the environment
// brings back later comes with a candidate of its own.
func (e *engine) dropHopeless(c *config) {
	if len(c.cands) < 2 || c.outcome != nil {
		return
	}
	live := map[term]bool{}
	note := func(x term) {
		if x != noTerm {
			e.terms.each(x, func(y term) { live[y] = true })
		}
	}
	for _, l := range e.live.In(c.block, c.index) {
		note(c.locals[l])
	}
	for _, f := range c.effects {
		for _, x := range f.args {
			note(x)
		}
	}
	for _, x := range c.regs {
		note(x)
	}
	if e.hasEffects {
		for _, x := range c.published {
			note(x)
		}
	}
	cl := c.path.closure()
	for _, x := range cl.members {
		if live[x] {
			for _, y := range c.path.alike(x) {
				note(y)
			}
		}
	}
	kept := c.cands[:0:0]
	for _, k := range c.cands {
		if k.done == nil || e.hopeful(&k, live) {
			kept = append(kept, k)
		}
	}
	c.cands = kept
}

func (e *engine) hopeful(k *candidate, live map[term]bool) bool {
	ok := true
	look := func(x term) {
		e.terms.each(x, func(y term) {
			if k := e.terms.of(y).kind; (k == symTerm || k == freshTerm) && !live[y] {
				ok = false
			}
		})
	}
	for _, x := range k.done.vals {
		look(x)
	}
	for _, x := range k.spec {
		look(x)
	}
	for _, f := range k.done.effects {
		for _, x := range f.args {
			look(x)
		}
	}
	return ok
}
