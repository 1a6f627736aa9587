package absint

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
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
		b.WriteByte('@')
		writeNumber(b, int(x))
		return
	}
	switch d.kind {
	case litTerm:
		b.WriteByte('"')
		writeNumber(b, len(d.name))
		b.WriteByte(':')
		b.WriteString(d.name)
		return
	case appTerm:
		b.WriteString(d.name)
		b.WriteByte('.')
		writeNumber(b, d.result)
		b.WriteString(d.at.GoName())
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

func writeNumber(b *strings.Builder, n int) {
	var room [20]byte
	b.Write(strconv.AppendInt(room[:0], int64(n), 10))
}

func writeBool(b *strings.Builder, is bool) {
	b.WriteString(strconv.FormatBool(is))
}

// letters begin the names of what has no name of its own.
var letters = [...]string{symTerm: "s", freshTerm: "f", holeFresh: "p", holeAny: "q", nameTerm: ""}

func (n *naming) name(x term) string {
	if s, ok := n.names[x]; ok {
		return s
	}
	d := n.terms.of(x)
	letter := letters[d.kind]
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
	for _, i := range []int{c.block, c.index, c.depth} {
		writeNumber(&b, i)
		b.WriteByte('.')
	}
	if len(c.held) > 0 {
		fmt.Fprint(&b, c.held)
	}
	b.WriteByte('|')
	if c.outcome == nil {
		for _, l := range e.live.In(c.block, c.index) {
			writeNumber(&b, int(l))
			b.WriteByte('=')
			n.write(&b, c.locals[l])
		}
	} else {
		e.writeOutcome(&b, n, c.outcome)
	}
	b.WriteByte('|')
	n.all(&b, c.regs)
	if slices.ContainsFunc(c.cands, func(k candidate) bool { return k.done == nil || k.isPending() }) {
		n.all(&b, e.args)
	}
	for _, f := range c.effects {
		b.WriteString(f.name)
		n.all(&b, f.args)
	}
	if e.publishes {
		n.all(&b, c.published)
	}
	e.writeCandidates(&b, n, c.cands)
	e.writeKnown(&b, n, c)
	e.writePath(&b, n, c)
	return b.String()
}

func (e *engine) writeOutcome(b *strings.Builder, n *naming, o *outcome) {
	writeNumber(b, int(o.kind))
	b.WriteString(o.label)
	n.all(b, o.vals)
	for _, f := range o.effects {
		b.WriteString(f.name)
		n.all(b, f.args)
	}
}

func (e *engine) writeCandidate(b *strings.Builder, n *naming, k *candidate) {
	n.all(b, k.spec)
	n.all(b, k.from)
	n.all(b, k.left)
	if k.done != nil {
		e.writeOutcome(b, n, k.done)
		for _, l := range k.assumed {
			writeBool(b, l.equal)
			n.write(b, l.a)
			n.write(b, l.b)
		}
		n.all(b, k.used)
		n.all(b, k.filled)
		writeBool(b, k.guessed)
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
	if slices.ContainsFunc(d.args, func(a term) bool { return !e.named(n, a) && lead[cl.find(a)] == "" }) {
		return "" // most are not
	}
	var b strings.Builder
	b.WriteString(d.name + "." + strconv.Itoa(d.result) + d.at.GoName() + "(")
	for _, a := range d.args {
		if e.named(n, a) {
			n.write(&b, a)
		} else {
			b.WriteString(lead[cl.find(a)])
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

// addCandidate adds k unless an equal one, up to the names of holes, is in
// the set.
func (e *engine) addCandidate(set []candidate, k candidate) []candidate {
	k.guessed = k.guessed || e.loops && e.guesses(&k)
	k.assumed, k.filled = e.stillAssumed(&k), e.stillFilled(&k)
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
	return e.candidateText(k, &holeNaming{terms: e.terms, names: map[term]int{}})
}

func (e *engine) candidateText(k *candidate, n *holeNaming) string {
	var b strings.Builder
	for _, xs := range [][]term{k.spec, k.from, k.left} {
		for _, x := range xs {
			n.write(&b, x)
		}
		b.WriteByte(';')
	}
	if k.done == nil {
		return b.String() + "-"
	}
	b.WriteByte('|')
	writeNumber(&b, int(k.done.kind))
	b.WriteString(k.done.label)
	b.WriteByte('|')
	for _, x := range k.done.vals {
		n.write(&b, x)
	}
	for _, f := range k.done.effects {
		b.WriteByte(';')
		b.WriteString(f.name)
		for _, x := range f.args {
			n.write(&b, x)
		}
	}
	for _, l := range k.assumed {
		writeBool(&b, l.equal)
		n.write(&b, l.a)
		n.write(&b, l.b)
	}
	b.WriteByte(';')
	for _, x := range k.used {
		writeNumber(&b, int(x))
		b.WriteByte(' ')
	}
	b.WriteByte(';')
	writeBool(&b, k.guessed)
	for _, x := range k.filled {
		n.write(&b, x)
	}
	return b.String()
}

// holeNaming prints terms with holes numbered in order of first use and
// everything else by index.
type holeNaming struct {
	terms *terms
	names map[term]int
	// gone are values that have numbers of their own.
	gone map[term]int
}

func (n *holeNaming) write(b *strings.Builder, x term) {
	d := n.terms.of(x)
	if i, ok := n.gone[x]; ok {
		b.WriteByte('g')
		writeNumber(b, i)
		b.WriteByte(' ')
		return
	}
	if !d.holes && (n.gone == nil || d.kind != appTerm) || d.size > maxWritten {
		writeNumber(b, int(x))
		b.WriteByte(' ')
		return
	}
	if d.kind == holeFresh || d.kind == holeAny {
		i, ok := n.names[x]
		if !ok {
			i = len(n.names)
			n.names[x] = i
		}
		b.WriteByte('h')
		writeNumber(b, i)
	}
	writeNumber(b, int(d.kind))
	b.WriteString(d.name)
	b.WriteByte('.')
	writeNumber(b, d.result)
	b.WriteString(d.at.GoName())
	b.WriteByte('(')
	for _, a := range d.args {
		n.write(b, a)
	}
	b.WriteByte(')')
}

// stillAssumed are the assumptions of k that matter, see stillOpen.
func (e *engine) stillAssumed(k *candidate) []literal {
	if len(k.assumed) == 0 {
		return nil
	}
	holes := &termSet{}
	k.each(func(x term) { e.terms.eachHole(x, func(y term) { holes.add(y) }) })
	return slices.DeleteFunc(slices.Clone(k.assumed), func(l literal) bool { return !e.stillOpen(l, holes) })
}

// stillFilled are the filled holes of k, without those that nobody can come upon any more.
func (e *engine) stillFilled(k *candidate) []term {
	if len(k.filled) == 0 {
		return nil
	}
	holes := map[term]bool{}
	note := func(x term) { e.terms.eachHole(x, func(y term) { holes[y] = true }) }
	k.each(note)
	for _, l := range k.assumed {
		note(l.a)
		note(l.b)
	}
	out := slices.Clone(k.filled)
	for i, x := range out {
		if !holes[x] {
			out[i] = noTerm
		}
	}
	return out
}

// rename writes every symbol that is known to be equal to something older as that, so
// that what is computed from the two is one term: a loop that finds again what it found
// before is where it was.
func (e *engine) rename(c *config) {
	by := &renaming{terms: e.terms, by: e.older(c)}
	if len(by.by) > 0 {
		c.locals, c.regs, c.published = by.all(c.locals), by.all(c.regs), by.all(c.published)
		c.effects, c.outcome = by.effects(c.effects), by.outcome(c.outcome)
	} else if !slices.ContainsFunc(c.cands, func(k candidate) bool { return len(k.assumed) > 0 }) {
		return
	}
	var kept []candidate
	for _, k := range c.cands {
		k.assumed = slices.Clone(k.assumed)
		for i, l := range k.assumed {
			k.assumed[i].a, k.assumed[i].b = by.term(l.a), by.term(l.b)
		}
		answered := by.under(e.conditions(&k))
		k.spec, k.done = answered.all(k.spec), answered.outcome(k.done)
		k.from, k.left = by.all(k.from), by.all(k.left)
		kept = e.addCandidate(kept, k)
	}
	c.cands = kept
}

// renaming replaces symbols.
type renaming struct {
	terms *terms
	by    map[term]term
	// done are the large terms that were asked for: what they share is in them many times.
	done map[term]term
}

// under is the renaming where some conditions hold: a symbol is the literal that it is
// then.
func (r *renaming) under(conditions []literal) *renaming {
	var out *renaming
	for _, l := range conditions {
		if l.equal && r.terms.of(l.a).kind == symTerm && r.terms.of(l.b).kind == litTerm {
			if out == nil {
				out = &renaming{terms: r.terms, by: maps.Clone(r.by)}
				if out.by == nil {
					out.by = map[term]term{}
				}
			}
			out.by[l.a] = l.b
		}
	}
	if out == nil {
		return r
	}
	return out
}

func (r *renaming) term(x term) term {
	if len(r.by) == 0 {
		return x
	}
	if r.done == nil {
		r.done = map[term]term{}
	}
	return r.terms.renamed(x, r.by, r.done)
}

func (r *renaming) all(xs []term) []term {
	if len(r.by) == 0 {
		return xs
	}
	out := slices.Clone(xs)
	for i, x := range out {
		out[i] = r.term(x)
	}
	return out
}

func (r *renaming) effects(fs []effect) []effect {
	out := slices.Clone(fs)
	for i, f := range out {
		out[i].args = r.all(f.args)
	}
	return out
}

func (r *renaming) outcome(o *outcome) *outcome {
	if o == nil || len(r.by) == 0 {
		return o
	}
	q := *o
	q.vals, q.effects = r.all(o.vals), r.effects(o.effects)
	return &q
}

// older are the symbols that the path condition knows to be a literal, an allocation or
// an older symbol, and what each is.
func (e *engine) older(c *config) map[term]term {
	if len(c.path.literals) == 0 {
		return nil
	}
	cl := c.path.closure()
	lead := map[term]term{}
	for _, x := range cl.members {
		r := cl.find(x)
		if cl.rank(r) > 0 {
			lead[r] = r
		} else if e.terms.of(x).kind == symTerm && (lead[r] == noTerm || x < lead[r]) {
			lead[r] = x
		}
	}
	by := map[term]term{}
	for _, x := range cl.members {
		n := e.terms.of(x)
		if n.kind != symTerm {
			continue
		}
		y := lead[cl.find(x)]
		if n.typ.Kind == register.Bool && y == x {
			y = e.otherTruth(cl, x)
		}
		if y != x && e.knownAs(cl, x, y) {
			by[x] = y
		}
	}
	return by
}

// otherTruth is the truth value that x has because it has not the other one; x if
// neither is known.
func (e *engine) otherTruth(cl *classes, x term) term {
	switch {
	case cl.equal(x, e.terms.falseT) == no:
		return e.terms.trueT
	case cl.equal(x, e.terms.trueT) == no:
		return e.terms.falseT
	}
	return x
}

// knownAs reports whether all that is known of x by its form is known of y, to which it
// is equal.
func (e *engine) knownAs(cl *classes, x, y term) bool {
	a, b := e.terms.of(x), e.terms.of(y)
	if b.kind != symTerm {
		return true
	}
	if a.nonNil && !b.nonNil && cl.equal(y, e.terms.nilT) != no || a.typ.Kind != register.NoType && b.typ.Kind == register.NoType || a.counted && !b.counted {
		return false
	}
	for _, f := range b.may {
		if !slices.Contains(a.may, f) && cl.equal(y, f) != no {
			return false
		}
	}
	return true
}

// dropHopeless drops candidates whose outcome or cells mention a symbol or
// an identity that nothing live can become equal to. A value that the environment
// brings back later comes with a candidate of its own.
func (e *engine) dropHopeless(c *config) {
	if len(c.cands) < 2 || c.outcome != nil {
		return
	}
	e.review(c)
	live := e.alive(c)
	kept := c.cands[:0:0]
	for _, k := range c.cands {
		if k.done == nil || k.isPending() || e.hopeful(&k, live) {
			kept = append(kept, k)
		}
	}
	c.cands = kept
	e.dropUnanswered(c, live)
}

// alive are the terms that what is still to come can ask about.
func (e *engine) alive(c *config) *termSet {
	live := &termSet{}
	note := func(x term) { e.terms.addAll(live, x) }
	e.eachHeld(c, note)
	if e.publishes {
		for _, x := range c.published {
			note(x)
		}
	}
	cl := c.path.closure()
	for _, x := range cl.members {
		if live.has(x) {
			for _, y := range c.path.alike(x) {
				note(y)
			}
		}
	}
	return live
}

// eachHeld calls f for what the call and the cells hold, and what effects were given.
func (e *engine) eachHeld(c *config, f func(term)) {
	for _, l := range e.live.In(c.block, c.index) {
		f(c.locals[l])
	}
	eachArgument(c.effects, f)
	for _, x := range c.regs {
		f(x)
	}
}

func (e *engine) hopeful(k *candidate, live *termSet) bool {
	if slices.ContainsFunc(e.conditions(k), func(l literal) bool { return l.equal && !e.terms.isBool(l.b) }) {
		return true // it may be about something live, under another name
	}
	ok := true
	look := func(x term) {
		e.terms.each(x, func(y term) {
			if k := e.terms.of(y).kind; (k == symTerm || k == freshTerm) && !live.has(y) {
				ok = false
			}
		})
	}
	k.each(look)
	return ok
}

// dropUnanswered drops candidates with conditions about values that are gone, where
// what comes has to be explained without them as well.
//
// A condition of which no candidate has the opposite need not hold. That is how
// solvers of propositional formulas drop clauses with a pure literal (Davis and
// Putnam, JACM 1960). And where the candidates about two values that are gone are of
// one form, as after two rounds of a loop, both values may have been alike: those
// about one of them are enough.
//
// To drop a candidate is safe for a verdict of verified, and a violation is replayed.
func (e *engine) dropUnanswered(c *config, live *termSet) {
	if !slices.ContainsFunc(c.cands, func(k candidate) bool { return len(k.assumed) > 0 }) {
		return
	}
	if slices.ContainsFunc(c.cands, func(k candidate) bool { return k.done == nil || k.isPending() }) {
		for _, x := range e.args {
			live.add(x)
		}
	}
	conditions := map[literal]bool{}
	for i := range c.cands {
		for _, l := range e.conditions(&c.cands[i]) {
			conditions[l] = true
		}
	}
	kept := c.cands[:0:0]
	for _, k := range c.cands {
		i := slices.IndexFunc(e.conditions(&k), func(l literal) bool {
			return !conditions[l.opposite(e.terms)] && len(e.gone(l, live)) > 0
		})
		if i < 0 || !e.refutes(c, e.conditions(&k)[i].opposite(e.terms)) {
			kept = append(kept, k)
		}
	}
	c.cands = e.dropAlike(kept, live)
}

// refutes notes answers without which a candidate would be one, as about values that are gone; false if they cannot be
// given with all that is known.
func (e *engine) refutes(c *config, ls ...literal) bool {
	refuted := append(slices.Clip(c.refuted), ls...)
	p, all := c.path.fitting(refuted)
	if all = all && e.hasNumbers(p); all {
		c.refuted = refuted
	}
	return all
}

// gone are the symbols and identities of a literal that are not live.
func (e *engine) gone(l literal, live *termSet) []term {
	var out []term
	for _, x := range []term{l.a, l.b} {
		e.terms.each(x, func(y term) {
			if k := e.terms.of(y).kind; k != litTerm && k != appTerm && !live.has(y) {
				out = append(out, y)
			}
		})
	}
	return out
}

// dropAlike keeps one of several groups of candidates that differ only in the values
// that are gone.
func (e *engine) dropAlike(cands []candidate, live *termSet) []candidate {
	group := map[term]term{} // union-find
	find := func(x term) term {
		for group[x] != x {
			x = group[x]
		}
		return x
	}
	of := make([][]term, len(cands))
	for i := range cands {
		for _, l := range e.conditions(&cands[i]) {
			of[i] = append(of[i], e.gone(l, live)...)
		}
		for _, x := range of[i] {
			if _, ok := group[x]; !ok {
				group[x] = x
			}
			group[find(x)] = find(of[i][0])
		}
	}
	texts := map[term][]string{}
	for i := range cands {
		if len(of[i]) == 0 {
			continue
		}
		values := slices.Sorted(slices.Values(of[i]))
		n := &holeNaming{terms: e.terms, names: map[term]int{}, gone: map[term]int{}}
		for _, x := range slices.Compact(values) {
			n.gone[x] = len(n.gone)
		}
		r := find(of[i][0])
		texts[r] = append(texts[r], e.candidateText(&cands[i], n))
	}
	first := map[string]term{}
	kept := cands[:0:0]
	for i, k := range cands {
		if len(of[i]) > 0 {
			r := find(of[i][0])
			text := strings.Join(texts[r], "#")
			if _, ok := first[text]; !ok {
				first[text] = r
			}
			if first[text] != r {
				continue
			}
		}
		kept = append(kept, k)
	}
	return kept
}
