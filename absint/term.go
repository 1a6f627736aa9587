package absint

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/reduce"
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
)

// node is what a term stands for. Nodes are immutable.
type node struct {
	kind termKind
	// name is the literal's text, the function's name, the allocation
	// site, or a hint for printing a symbol.
	name string
	// result is the index of the function's result (appTerm).
	result int
	// args are the arguments (appTerm) or contents (freshTerm, holeFresh).
	args []term
	// may lists the call's own allocations that a symbol can be equal to:
	// those that the environment had seen when it chose the value.
	may []term
	// nonNil says that a symbol is a value present in a map.
	nonNil bool
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
	index map[string]term
	// attempt makes a step that is done again, because a comparison was left
	// open, find the symbols and identities that it made the first time. A
	// step makes them in the same order as long as it takes the same way.
	attempt map[string]term
	made    int
	// cost is a measure of the work done so far, the same on every machine:
	// instructions executed, and more for every extension of a path.
	cost int
	// budget is the cost at which the exploration ends.
	budget int
	// Frequent literals.
	nilT, trueT, falseT, absentT term
}

func newTerms() *terms {
	t := &terms{nodes: make([]node, 1, 256), index: make(map[string]term)}
	t.nilT, t.trueT, t.falseT = t.lit("nil"), t.lit("true"), t.lit("false")
	t.absentT = t.lit("absent")
	return t
}

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

// begin starts a step that may be done several times; again starts it anew.
func (t *terms) begin() { t.attempt = map[string]term{} }
func (t *terms) again() { t.made = 0 }

// new returns a term that is different in syntax from every earlier one, but
// for those made by an earlier attempt at the same step.
func (t *terms) new(n node) term {
	t.made++
	key := fmt.Sprint(t.made, n.kind, n.name, n.args, n.may, n.nonNil, n.theirs)
	if x, ok := t.attempt[key]; ok {
		return x
	}
	x := t.add(n)
	if t.attempt != nil {
		t.attempt[key] = x
	}
	return x
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

// app applies result number result of the pure function name, and folds
// what its meaning decides without looking at the path condition.
func (t *terms) app(name string, result int, args ...term) term {
	if x := t.fold(name, args); x != noTerm {
		return x
	}
	args = t.commute(name, args)
	return t.intern(appKey(name, result, args), node{kind: appTerm, name: name, result: result, args: args})
}

// commutes lists the functions whose two arguments can change places.
var commutes = map[string]bool{"eq": true, "add": true, "and": true, "or": true, "xor": true}

// commute puts the arguments of a commutative function in order, a literal
// last.
func (t *terms) commute(name string, args []term) []term {
	if !commutes[name] || len(args) != 2 {
		return args
	}
	litA, litB := t.of(args[0]).kind == litTerm, t.of(args[1]).kind == litTerm
	if litA && !litB || litA == litB && args[0] > args[1] {
		return []term{args[1], args[0]}
	}
	return args
}

func appKey(name string, result int, args []term) string {
	var b strings.Builder
	b.WriteByte('a')
	b.WriteString(name)
	b.WriteByte('.')
	b.WriteString(strconv.Itoa(result))
	for _, a := range args {
		b.WriteByte(',')
		b.WriteString(strconv.Itoa(int(a)))
	}
	return b.String()
}

// fold evaluates name(args) where syntax alone decides it, else noTerm.
func (t *terms) fold(name string, args []term) term {
	switch {
	case len(args) == 1 && name == "not":
		return t.foldNot(args[0])
	case len(args) == 1 && strings.HasPrefix(name, "is:") && args[0] == t.nilT:
		return t.falseT
	case len(args) == 1 && reduce.Inverse[name] != "":
		if n := t.of(args[0]); n.kind == appTerm && n.name == reduce.Inverse[name] {
			return n.args[0]
		}
	case len(args) == 3 && name == "choose":
		return t.foldChoose(args)
	case len(args) == 2 && name == "eq":
		return t.foldEq(args[0], args[1])
	case len(args) == 2:
		return t.foldInt(name, args[0], args[1])
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

func (t *terms) foldEq(a, b term) term {
	if a == b {
		return t.trueT
	}
	if t.of(a).kind == litTerm && t.of(b).kind == litTerm {
		return t.falseT
	}
	if ba, oa := t.linear(a); ba != noTerm {
		if bb, ob := t.linear(b); ba == bb {
			return t.boolean(oa == ob)
		}
	}
	return noTerm
}

// linear splits x into base + offset; base is noTerm for an integer literal
// and x itself where nothing is added.
func (t *terms) linear(x term) (base term, offset int64) {
	n := t.of(x)
	if n.kind == litTerm {
		if v, ok := t.integer(x); ok {
			return noTerm, v
		}
		return x, 0
	}
	if n.kind == appTerm && n.name == "add" {
		for i, a := range n.args {
			if v, ok := t.integer(a); ok {
				return n.args[1-i], v
			}
		}
	}
	return x, 0
}

func (t *terms) integer(x term) (int64, bool) {
	n := t.of(x)
	if n.kind != litTerm {
		return 0, false
	}
	v, err := strconv.ParseInt(n.name, 10, 64)
	return v, err == nil
}

func (t *terms) integerLit(v int64) term { return t.lit(strconv.FormatInt(v, 10)) }

// foldInt evaluates integer arithmetic on literals, and on one base term
// with two offsets: x+1+1 is x+2, and x+1 < x+2 holds. Wrap-around is not
// considered: a counter that overflows is not what a finding is about.
func (t *terms) foldInt(name string, a, b term) term {
	ba, oa := t.linear(a)
	bb, ob := t.linear(b)
	switch name {
	case "add", "sub":
		if name == "sub" {
			if bb != noTerm {
				return noTerm
			}
			ob = -ob
		}
		return t.foldAdd(ba, oa, bb, ob)
	case "lt", "le":
		if ba == bb {
			return t.boolean(oa < ob || name == "le" && oa == ob)
		}
	}
	return noTerm
}

func (t *terms) foldAdd(ba term, oa int64, bb term, ob int64) term {
	base := ba
	switch {
	case ba == noTerm && bb == noTerm:
		return t.integerLit(oa + ob)
	case ba == noTerm:
		base = bb
	case bb != noTerm:
		return noTerm
	}
	if oa+ob == 0 {
		return base
	}
	args := t.commute("add", []term{base, t.integerLit(oa + ob)})
	return t.intern(appKey("add", 0, args), node{kind: appTerm, name: "add", args: args})
}

// subst replaces the hole by with in x.
func (t *terms) subst(x, hole, with term) term {
	n := t.of(x)
	if x == hole {
		return with
	}
	if !n.holes || len(n.args) == 0 {
		return x
	}
	args := make([]term, len(n.args))
	for i, a := range n.args {
		args[i] = t.subst(a, hole, with)
	}
	switch n.kind {
	case appTerm:
		return t.app(n.name, n.result, args...)
	default:
		return x // the contents of an allocation are compared when it is matched
	}
}

// siteType is the part of an allocation site before '#': its type.
func siteType(site string) string {
	typ, _, _ := strings.Cut(site, "#")
	return typ
}

// isBool reports whether the term is a truth value by its own form.
func (t *terms) isBool(x term) bool {
	n := t.of(x)
	switch n.kind {
	case litTerm:
		return x == t.trueT || x == t.falseT
	case appTerm:
		switch n.name {
		case "eq", "not", "lt", "le":
			return true
		}
	}
	return false
}

// maybeNil reports whether a computed value can be nil: not a number, a
// truth value, a string or a struct.
func (t *terms) maybeNil(x term) bool {
	n := t.of(x)
	switch n.kind {
	case symTerm:
		return !n.nonNil
	case appTerm:
		return !n.nonNil && !reduce.Interpreted[n.name] && n.name != "concat" && !strings.HasPrefix(n.name, "struct:")
	}
	return false
}

// each calls f for x and every term inside it, inner ones first. A term that
// occurs several times may be visited as often, but not if x is large.
func (t *terms) each(x term, f func(term)) {
	if t.of(x).size > maxWritten {
		t.eachOnce(x, map[term]bool{}, f)
		return
	}
	for _, a := range t.of(x).args {
		t.each(a, f)
	}
	f(x)
}

func (t *terms) eachOnce(x term, seen map[term]bool, f func(term)) {
	if seen[x] {
		return
	}
	seen[x] = true
	for _, a := range t.of(x).args {
		t.eachOnce(a, seen, f)
	}
	f(x)
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
