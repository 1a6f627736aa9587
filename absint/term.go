package absint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// term is a symbolic value: an index into a terms table. Equal terms have
// equal indices (hash-consing), so comparing indices is comparing syntax.
type term int32

// noTerm marks an unassigned local.
const noTerm term = 0

// termKind says what a term stands for.
type termKind uint8

const (
	// litTerm is a literal; two of them are equal iff their texts are.
	litTerm termKind = iota
	// symTerm is some value: an argument, an initial content, a value that
	// the environment writes, a result that cannot be predicted.
	symTerm
	// freshTerm is an identity that a run allocated, unlike any other.
	freshTerm
	// holeFresh is an allocation of a candidate's atomic run. It differs
	// from everything else until an observation or the exit matches it
	// with an allocation of the actual run.
	holeFresh
	// holeAny is an unpredictable result in a candidate's atomic run. It
	// becomes whatever helps: the candidate chooses.
	holeAny
	// appTerm is a pure function applied to terms.
	appTerm
	// nameTerm is a value of a concrete run, known only by its name: unlike any other
	// that has one, and any literal.
	nameTerm
)

// node is what a term stands for. Nodes are immutable.
type node struct {
	kind termKind
	// name is the literal's text, the function's name, the allocation
	// site, or a hint for printing a symbol.
	name string
	// result is the index of the function's result (appTerm), and at what an
	// interpreted function works at.
	result int
	at     register.Type
	// fn is the number of the function (appTerm), see terms.functions.
	fn int32
	// typ is the type of the value, as far as that is known.
	typ register.Type
	// args are the arguments (appTerm) or contents (freshTerm, holeFresh).
	args []term
	// may lists the call's own allocations that a symbol can be equal to:
	// those that the environment had seen when it chose the value.
	may []term
	// nonNil says that a symbol is a value present in a map.
	nonNil bool
	// counted says that a symbol stands for numbers that were counted up to, or
	// down to, from small ones, or that an application is what stands for them, see likewise.
	counted bool
	// theirs says that the environment allocated a freshTerm.
	theirs bool
	// holes says that a hole occurs in the term.
	holes bool
	// size counts the nodes of the term written out as a tree, up to a
	// point: terms share parts, so it can be exponential.
	size int32
}

// maxWritten is the size up to which a term is written out in a key.
const maxWritten = 200

// terms is the table of all terms of one analysis.
type terms struct {
	nodes []node
	index map[string]term // of literals and names
	apps  map[appKey]term
	// functions are the numbers of functions, commuting those whose arguments can change places, by
	// number, and rests the numbers of what keys have no room for.
	functions map[functionKey]int32
	commuting []bool
	rests     map[string]int32
	// eq is the number of the function that compares.
	eq int32
	// attempt makes a step that is done again, because a comparison was left
	// open, find the symbols and identities that it made the first time. A
	// step makes them in the same order as long as it takes the same way.
	attempt map[string]term
	made    int
	scratch []byte // for keys of attempt
	// unwrapped says that numbers with a sign are not counted beyond the end of their type, see countsOn.
	unwrapped bool
	// cost is a measure of the work done so far, the same on every machine:
	// instructions executed, and more for every extension of a path.
	cost int
	// budget is the cost at which the exploration ends.
	budget int
	// parts are the fields that hold what their objects were made with.
	parts register.Parts
	// Frequent literals.
	nilT, trueT, falseT, absentT term
}

func newTerms() *terms {
	t := &terms{
		nodes: make([]node, 1, 256), index: make(map[string]term),
		apps: make(map[appKey]term), functions: make(map[functionKey]int32), rests: make(map[string]int32),
		commuting: make([]bool, 1), // number 0 is that of no function
	}
	t.eq = t.number(function{name: "eq"})
	t.nilT, t.trueT, t.falseT = t.lit("nil"), t.lit("true"), t.lit("false")
	t.absentT = t.lit("absent")
	return t
}

// countsOn reports whether sums of a kind are taken not to wrap around.
func (t *terms) countsOn(kind register.TypeKind) bool { return t.unwrapped && isFar(kind) }

// isFar reports whether nobody counts to the end of a kind, which has so many bits and a sign: what is taken off a number
// without one is soon at its end.
func isFar(kind register.TypeKind) bool { return kind.Bits() >= unwrappedBits && !kind.IsUnsigned() }

func (t *terms) of(x term) *node { return &t.nodes[x] }

func (t *terms) add(n node) term {
	n.size = 1
	for _, a := range n.args {
		n.holes = n.holes || t.nodes[a].holes
		n.size = min(n.size+t.nodes[a].size, maxWritten+1)
	}
	n.holes = n.holes || n.kind == holeFresh || n.kind == holeAny
	t.nodes = append(t.nodes, n)
	return term(len(t.nodes) - 1)
}

func (t *terms) intern(key string, n node) term {
	if x, ok := t.index[key]; ok {
		return x
	}
	x := t.add(n)
	t.index[key] = x
	return x
}

func (t *terms) lit(text string) term {
	return t.intern("l"+text, node{kind: litTerm, name: text})
}

func (t *terms) named(name string) term {
	return t.intern("n"+name, node{kind: nameTerm, name: name})
}

// begin starts a step that may be done several times; again starts it anew.
func (t *terms) begin() {
	if t.attempt == nil || len(t.attempt) > 0 {
		t.attempt = map[string]term{}
	}
}
func (t *terms) again() { t.made = 0 }

// new returns a term that is different in syntax from every earlier one, but
// for those made by an earlier attempt at the same step.
func (t *terms) new(n node) term {
	t.made++
	t.scratch = n.appendTo(strconv.AppendInt(t.scratch[:0], int64(t.made), 10))
	if x, ok := t.attempt[string(t.scratch)]; ok {
		return x
	}
	x := t.add(n)
	if t.attempt != nil {
		t.attempt[string(t.scratch)] = x
	}
	return x
}

// appendTo adds what a new term is to a text.
func (n *node) appendTo(b []byte) []byte {
	b = append(b, ' ', byte(n.kind))
	for _, is := range []bool{n.nonNil, n.theirs} {
		b = strconv.AppendBool(b, is)
	}
	for _, xs := range [][]term{n.args, n.may} {
		for _, x := range xs {
			b = append(strconv.AppendInt(b, int64(x), 10), ',')
		}
		b = append(b, ';')
	}
	return append(b, n.name...)
}

// sym returns a new symbol.
func (t *terms) sym(hint string, nonNil bool, may []term) term {
	return t.new(node{kind: symTerm, name: hint, nonNil: nonNil, may: may})
}

// fresh returns a new identity.
func (t *terms) fresh(site string, contents []term, theirs bool) term {
	return t.new(node{kind: freshTerm, name: site, args: contents, theirs: theirs})
}

// hole returns a new hole.
func (t *terms) hole(kind termKind, site string, args []term) term {
	return t.new(node{kind: kind, name: site, args: args})
}

func (t *terms) boolean(b bool) term {
	if b {
		return t.trueT
	}
	return t.falseT
}

// function is a pure function: one of the results that an instruction gives.
type function struct {
	name   string
	result int
	// at is what an interpreted function works at.
	at register.Type
}

func (n *node) function() function { return function{n.name, n.result, n.at} }

// app applies result number result of a pure function that is not interpreted,
// or works at no type in particular.
func (t *terms) app(name string, result int, args ...term) term {
	return t.apply(function{name: name, result: result}, args)
}

// apply applies a pure function, and folds what its meaning decides without
// looking at the path condition.
func (t *terms) apply(f function, args []term) term {
	f = f.plain()
	if x := t.fold(f, args); x != noTerm {
		return x
	}
	return t.unfolded(f, args)
}

// unfolded is apply for what is in its form already.
func (t *terms) unfolded(f function, args []term) term {
	fn := t.number(f)
	args = t.commute(fn, args)
	key := t.appKey(fn, args)
	x, ok := t.apps[key]
	if !ok {
		x = t.add(node{kind: appTerm, name: f.name, result: f.result, at: f.at, fn: fn, typ: f.resultType(), args: args})
		t.apps[key] = x
	}
	return x
}

// plain is the function as a program names it: arithmetic on int, or on a type of one's own that is one, says no type.
func (f function) plain() function {
	if f.at.Kind == register.Int && register.Infix[f.name] != "" {
		f.at = register.Type{}
	}
	return f
}

// resultType is the type of what a function gives, as far as the function says it.
func (f function) resultType() register.Type { return register.ResultType(f.name, f.at) }

// declare notes the type of a term that does not say it itself.
func (t *terms) declare(x term, typ register.Type) {
	if n := t.of(x); n.typ.Kind == register.NoType && n.kind != litTerm && n.kind != nameTerm {
		n.typ = typ
	}
}

// isAskedType reports whether somebody asks if an interface holds something of a type.
func (t *terms) isAskedType(at register.Type, x term) bool {
	_, asked := t.apps[t.appKey(t.number(function{name: "is", at: at}), []term{x})]
	return asked
}

// commutes lists the functions whose two arguments can change places.
var commutes = map[string]bool{
	"eq": true, "feq": true, "add": true, "mul": true, "and": true, "or": true, "xor": true,
}

// functionKey is what tells functions apart: two types of one name are one.
type functionKey struct {
	name   string
	result int
	at     string
}

// number is the number of a function.
func (t *terms) number(f function) int32 {
	key := functionKey{name: f.name, result: f.result}
	if f.at.Kind != register.NoType {
		key.at = f.at.GoName()
	}
	fn, ok := t.functions[key]
	if !ok {
		fn = int32(len(t.commuting))
		t.functions[key] = fn
		t.commuting = append(t.commuting, commutes[f.name])
	}
	return fn
}

// commute gives the arguments of a commutative function in order, a literal last.
func (t *terms) commute(fn int32, args []term) []term {
	if t.commuting[fn] && len(args) == 2 && !t.inOrder(args[0], args[1]) {
		return []term{args[1], args[0]}
	}
	return args
}

func (t *terms) inOrder(a, b term) bool {
	litA, litB := t.of(a).kind == litTerm, t.of(b).kind == litTerm
	return !(litA && !litB || litA == litB && a > b)
}

// appKey is what an application is found by: the function, its arguments, and the number of those
// for which there is no room.
type appKey struct {
	fn, n int32
	args  [3]term
	rest  int32
}

func (t *terms) appKey(fn int32, args []term) appKey {
	key := appKey{fn: fn, n: int32(len(args))}
	if copy(key.args[:], args); len(args) <= len(key.args) {
		return key
	}
	var b []byte
	for _, a := range args[len(key.args):] {
		b = append(strconv.AppendInt(b, int64(a), 10), ',')
	}
	rest, ok := t.rests[string(b)]
	if !ok {
		rest = int32(len(t.rests))
		t.rests[string(b)] = rest
	}
	key.rest = rest
	return key
}

// fold evaluates a function where syntax alone decides it, else noTerm.
func (t *terms) fold(f function, args []term) term {
	if !register.Interpreted[f.name] {
		if x := t.foldPart(f.name, args); x != noTerm {
			return x
		}
		return t.foldInverse(f.name, args)
	}
	switch f.name {
	case "not":
		return t.foldNot(args[0])
	case "choose":
		return t.foldChoose(args)
	case "eq":
		return t.foldEq(args[0], args[1])
	case "is":
		return t.foldIs(f.at, args[0])
	case "box", "unbox":
		return t.foldBox(f, args[0])
	case register.Length:
		if x := t.foldPart(f.name, args); x != noTerm {
			return x
		}
		return t.foldLen(f, args)
	case "concat":
		return t.foldStrings(f, args)
	case "feq":
		return t.foldNumbers(f, args)
	case "lt", "le":
		return t.foldOrder(f, args)
	default:
		return t.foldArithmetic(f, args)
	}
}

// foldPart is the field of an object that was made in a run, or of a struct that was put together.
func (t *terms) foldPart(name string, args []term) term {
	if len(args) != 1 {
		return noTerm
	}
	n := t.of(args[0])
	made := n.kind == freshTerm || n.kind == holeFresh || n.kind == appTerm && strings.HasPrefix(n.name, register.StructOf)
	if length, ok := register.Listed(n.name, len(n.args)); ok && made && name == register.Length {
		return t.lit(strconv.Itoa(length))
	}
	if place, ok := t.parts.Place(name, n.name, len(n.args)); ok && made {
		return n.args[place]
	}
	return noTerm
}

// foldInverse undoes one function by the other.
func (t *terms) foldInverse(name string, args []term) term {
	if back := register.Inverse[name]; back != "" && len(args) == 1 {
		if n := t.of(args[0]); n.kind == appTerm && n.name == back {
			return n.args[0]
		}
	}
	return noTerm
}

func (t *terms) foldNot(x term) term {
	switch n := t.of(x); {
	case x == t.trueT:
		return t.falseT
	case x == t.falseT:
		return t.trueT
	case n.kind == appTerm && n.name == "not":
		return n.args[0]
	}
	return noTerm
}

func (t *terms) foldChoose(args []term) term {
	switch {
	case args[0] == t.trueT || args[1] == args[2]:
		return args[1]
	case args[0] == t.falseT:
		return args[2]
	}
	return noTerm
}

// foldEq compares two terms. The answer is true, false, or another question.
func (t *terms) foldEq(a, b term) term {
	if a == b {
		return t.trueT
	}
	m, n := t.of(a), t.of(b)
	if m.kind == litTerm && n.kind == litTerm {
		return t.falseT
	}
	if ba, oa := t.linear(a); ba != noTerm {
		if bb, ob := t.linear(b); ba == bb {
			return t.boolean(oa == ob)
		}
	}
	if m.kind == appTerm && n.kind == appTerm && m.name == "box" && n.name == "box" {
		if m.at != n.at {
			return t.falseT
		}
		return t.apply(function{name: "eq"}, []term{m.args[0], n.args[0]})
	}
	if a == t.nilT && t.neverNil(b) || b == t.nilT && t.neverNil(a) || isPointer(m) && isBoxedNil(n) || isPointer(n) && isBoxedNil(m) {
		return t.falseT
	}
	if x := t.foldEqualTexts(a, b); x != noTerm {
		return x
	}
	if x := t.foldDifference(a, b); x != noTerm {
		return x
	}
	return t.foldKnownBits(a, b)
}

// isPointer reports whether a term is a pointer, and in no interface: it is nil, or not.
func isPointer(n *node) bool { return n.kind == symTerm && n.typ.Kind == register.Pointer }

// isBoxedNil reports whether a term is the nil of a pointer type in an interface.
func isBoxedNil(n *node) bool {
	return n.kind == litTerm && register.IsBoxedNil(register.Value(n.name))
}

// neverNil reports whether a term is certain not to be nil by its form.
func (t *terms) neverNil(x term) bool {
	switch n := t.of(x); n.kind {
	case litTerm:
		return x != t.nilT
	case symTerm:
		return n.nonNil || n.typ.NeverNil()
	case appTerm:
		return n.nonNil || n.typ.NeverNil() || n.name == "box"
	case holeAny:
		return n.typ.NeverNil()
	default:
		return true
	}
}

// subst replaces the hole by with in x.
func (t *terms) subst(x, hole, with term) term {
	return t.substituted(x, hole, with, map[term]term{})
}

// substituted is subst where what was found of large terms is noted.
func (t *terms) substituted(x, hole, with term, done map[term]term) term {
	n := t.of(x)
	if x == hole {
		return with
	}
	if !n.holes || n.kind != appTerm {
		return x // the contents of an allocation are compared when it is matched
	}
	return t.rebuilt(x, done, func(a term) term { return t.substituted(a, hole, with, done) })
}

// renamed is x with symbols replaced, other than in the contents of an allocation. What was found of
// large terms is noted in done.
func (t *terms) renamed(x term, by, done map[term]term) term {
	if y, ok := by[x]; ok {
		return y
	}
	if x == noTerm || t.of(x).kind != appTerm {
		return x
	}
	return t.rebuilt(x, done, func(a term) term { return t.renamed(a, by, done) })
}

// rebuilt is an application with its arguments as they are now.
func (t *terms) rebuilt(x term, done map[term]term, now func(term) term) term {
	n := t.of(x)
	large := n.size > maxWritten
	if y, ok := done[x]; ok && large {
		return y
	}
	f, typ := n.function(), n.typ
	args, y := make([]term, len(n.args)), x
	same := true
	for i, a := range n.args {
		args[i] = now(a)
		same = same && args[i] == a
	}
	if !same {
		y = t.apply(f, args)
		t.declare(y, typ)
		if t.of(x).counted && !slices.ContainsFunc(args, func(a term) bool { return t.of(a).kind != litTerm && !t.of(a).counted }) {
			t.of(y).counted = true // under other names
		}
	}
	if large {
		done[x] = y
	}
	return y
}

// siteType is the part of an allocation site before '#': its type.
func siteType(site string) string {
	typ, _, _ := strings.Cut(site, "#")
	return typ
}

// isBool reports whether the term is a truth value by its own form.
func (t *terms) isBool(x term) bool {
	n := t.of(x)
	if n.kind == litTerm {
		return x == t.trueT || x == t.falseT
	}
	return n.typ.Kind == register.Bool
}

// otherSort reports whether two terms are of types that have no value in common: a
// string is no pointer, and a *T no *U.
func (t *terms) otherSort(x, y term) bool {
	a, b := t.sort(x), t.sort(y)
	return a != "" && b != "" && a != b
}

// sort is the type of a term whose values can be no interface's; "" if it is not known.
func (t *terms) sort(x term) string {
	n := t.of(x)
	switch k := n.typ.Kind; {
	case k == register.String, k == register.Pointer, k == register.Aggregate, k.IsInteger():
		return n.typ.GoName()
	case n.kind == freshTerm, n.kind == holeFresh:
		typ, rest, _ := strings.Cut(n.name, "#")
		if strings.HasPrefix(rest, "made") {
			return typ
		}
		return "*" + typ
	}
	return ""
}

// isTest reports whether the term is the answer to a comparison.
func (t *terms) isTest(x term) bool {
	n := t.of(x)
	return n.kind == appTerm && register.IsTest(n.name)
}

// maybeNil reports whether a computed value can be nil: not a number, a
// truth value, a string or a struct.
func (t *terms) maybeNil(x term) bool {
	k := t.of(x).kind
	return (k == symTerm || k == appTerm) && !t.neverNil(x)
}

// each calls f for x and every term inside it, inner ones first. A term that
// occurs several times may be visited as often, but not if x is large.
func (t *terms) each(x term, f func(term)) {
	if t.of(x).size > maxWritten {
		t.eachOnce(x, &termSet{}, f)
		return
	}
	for _, a := range t.of(x).args {
		t.each(a, f)
	}
	f(x)
}

func (t *terms) eachOnce(x term, seen *termSet, f func(term)) {
	if !seen.add(x) {
		return
	}
	for _, a := range t.of(x).args {
		t.eachOnce(a, seen, f)
	}
	f(x)
}

// termSet is a set of terms: a bit for each.
type termSet struct{ bits []uint64 }

func (s *termSet) has(x term) bool {
	return int(x/64) < len(s.bits) && s.bits[x/64]&(1<<(x%64)) != 0
}

// add reports whether a term was not there before.
func (s *termSet) add(x term) bool {
	if s.has(x) {
		return false
	}
	if at := int(x / 64); at >= len(s.bits) {
		s.bits = append(s.bits, make([]uint64, at+1-len(s.bits))...)
	}
	s.bits[x/64] |= 1 << (x % 64)
	return true
}

// addAll adds a term with every term inside it to a set that has such terms only.
func (t *terms) addAll(s *termSet, x term) {
	if x == noTerm || !s.add(x) {
		return
	}
	for _, a := range t.of(x).args {
		t.addAll(s, a)
	}
}

// eachHole calls f for the holes that occur in x.
func (t *terms) eachHole(x term, f func(term)) {
	if !t.of(x).holes {
		return
	}
	t.each(x, func(y term) {
		if k := t.of(y).kind; k == holeAny || k == holeFresh {
			f(y)
		}
	})
}

// plain says the same as l without asking for the answer to a comparison.
func (t *terms) plain(l literal) literal {
	if n := t.of(l.b); n.kind == appTerm && register.IsTest(n.name) {
		l.a, l.b = l.b, l.a
	}
	n := t.of(l.a)
	if n.kind != appTerm || l.b != t.trueT && l.b != t.falseT {
		return l
	}
	holds := (l.b == t.trueT) == l.equal
	switch n.name {
	case "not":
		return t.plain(literal{n.args[0], t.boolean(!holds), true})
	case "eq":
		return t.plain(literal{n.args[0], n.args[1], holds})
	}
	return literal{l.a, t.boolean(holds), true}
}

// isCondition reports whether a literal says nothing about holes.
func (l literal) isCondition(t *terms) bool { return !t.of(l.a).holes && !t.of(l.b).holes }
