package absint

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/absint/internal/summary"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// model gives every term of a path a concrete value such that all that the
// path assumes holds: integers where there is arithmetic, names elsewhere.
type model struct {
	engine *engine
	cls    *classes
	values map[term]register.Value // by class representative
	// table is the meaning of the uninterpreted functions.
	table map[string]register.Value
	// truths are the functions whose result is branched on.
	truths map[string]bool
	used   map[register.Value]bool
	named  map[string]int
	// types are those of the values that do not show theirs, and numbers those of numbers that have names.
	types   map[register.Value]string
	numbers map[register.Value]register.Type
	// symbols are the terms that names are calculated with, and results what they are
	// called in turn.
	symbols map[register.Value]term
	results map[term]register.Value
	// lists are what is in the lists of which that is known.
	lists map[register.Value][]Item
	// made says of a list that is put together, or cut from one, of what.
	made map[register.Value]making
}

// newModel builds a model of the path, or returns nil where it finds none:
// what it cannot find is arithmetic.
func (e *engine) newModel(c *config) *model {
	m := &model{
		engine: e, cls: c.path.closure().clone(),
		values: map[term]register.Value{}, table: map[string]register.Value{},
		used: map[register.Value]bool{}, named: map[string]int{}, truths: e.truths(),
		types: map[register.Value]string{}, numbers: map[register.Value]register.Type{}, symbols: map[register.Value]term{}, results: map[term]register.Value{},
		lists: map[register.Value][]Item{}, made: map[register.Value]making{},
	}
	for _, x := range e.args {
		m.cls.know(x)
	}
	for t := c.trail; t != nil; t = t.prev {
		m.knowTrail(t)
	}
	for _, x := range m.cls.members {
		m.fix(x)
	}
	if !m.solveIntegers() {
		return nil
	}
	for _, x := range slices.Clone(m.cls.members) {
		m.value(x)
	}
	m.fillTable()
	return m
}

func (m *model) knowTrail(t *trail) {
	if t.made != noTerm {
		m.cls.know(t.made)
	}
	if t.step == nil {
		return
	}
	if t.step.value != noTerm {
		m.cls.know(t.step.value)
	}
	for _, x := range t.step.args {
		m.cls.know(x)
	}
	for _, place := range sortedKeys(t.step.made) {
		for _, x := range t.step.made[place] {
			m.cls.know(x)
		}
	}
}

// truths are the functions whose results the programs branch on.
func (e *engine) truths() map[string]bool {
	if e.asksTruth == nil {
		e.asksTruth = map[string]bool{}
		for _, s := range e.problem.Steps {
			findTruths(s.Program, e.asksTruth)
		}
		findTruths(e.problem.Region, e.asksTruth)
	}
	return e.asksTruth
}

// findTruths notes the functions whose results a program branches on.
func findTruths(p *register.Program, truths map[string]bool) {
	cond := map[register.Local]bool{}
	for _, b := range p.Blocks {
		if b.Term.Kind == register.Branch {
			cond[b.Term.Cond.Local] = true
		}
	}
	for changed := true; changed; {
		changed = false
		for _, b := range p.Blocks {
			for i := range b.Instrs {
				changed = noteTruth(&b.Instrs[i], cond) || changed
			}
		}
	}
	for _, b := range p.Blocks {
		for _, in := range b.Instrs {
			for i, d := range in.Dst {
				if cond[d] && d != register.None && (in.Op == register.Pure || in.Op == register.Unknown) {
					truths[in.Name+"."+strconv.Itoa(i)] = true
					truths[siteType(in.Name)+"."+strconv.Itoa(i)] = true
				}
			}
		}
	}
}

// noteTruth propagates "is a condition" from a result to the operands that
// it is made of.
func noteTruth(in *register.Instr, cond map[register.Local]bool) bool {
	changed := false
	mark := func(o register.Operand) {
		if o.Local != register.None && !cond[o.Local] {
			cond[o.Local], changed = true, true
		}
	}
	switch {
	case in.Op == register.Pure && in.Name == "choose":
		mark(in.Args[0])
		if cond[in.Dst[0]] {
			mark(in.Args[1])
			mark(in.Args[2])
		}
	case in.Op == register.Pure && in.Name == "not":
		mark(in.Args[0])
	case in.Op == register.Copy && cond[in.Dst[0]]:
		mark(in.Args[0])
	}
	return changed
}

// fix gives literals and identities the values that they must have.
func (m *model) fix(x term) {
	n := m.engine.terms.of(x)
	r := m.cls.find(x)
	switch n.kind {
	case litTerm:
		m.set(r, register.Value(n.name))
	case freshTerm:
		typ := siteType(n.name)
		m.named[typ]++
		m.set(r, register.Value(typ+"#"+strconv.Itoa(m.named[typ])))
	}
}

func (m *model) set(r term, v register.Value) {
	m.values[r] = v
	m.used[v] = true
}

// value is the concrete value of a term.
func (m *model) value(x term) register.Value {
	m.cls.know(x)
	r := m.cls.find(x)
	if v, ok := m.values[r]; ok {
		return v
	}
	n := m.engine.terms.of(r)
	if n.kind == litTerm || n.kind == freshTerm {
		m.fix(r)
		return m.values[r]
	}
	if n.kind == appTerm && register.Interpreted[n.name] && !m.circular(r, n.args) {
		args := make([]register.Value, len(n.args))
		for i, a := range n.args {
			args[i] = m.value(a)
		}
		if v, ok, err := register.Fold(n.name, n.at, args); ok && err == nil {
			m.set(r, v)
			return v
		}
	}
	v, ok := m.inInterface(r)
	if !ok {
		v, ok = m.boxed(r)
	}
	if !ok {
		v = m.newName(n)
	}
	m.set(r, v)
	if n.typ.Kind.IsInteger() {
		m.numbers[v] = n.typ
	}
	m.noteType(r, v)
	return v
}

// noteType notes the type of a value that does not show it.
func (m *model) noteType(r term, v register.Value) {
	for _, x := range m.cls.members {
		if typ, ok := m.engine.terms.dynamicType(x); ok && m.cls.find(x) == r && !v.IsLit() {
			m.types[v] = typ
			return
		}
	}
}

// inInterface is the value of a class that is, as the path says, what an interface holds that is given
// something: x|1 in an interface is 3 in one where x is 2.
func (m *model) inInterface(r term) (register.Value, bool) {
	for _, x := range m.cls.members {
		n := m.engine.terms.of(x)
		if n.kind != appTerm || n.name != "box" || m.cls.find(x) != r || m.circular(r, n.args) {
			continue
		}
		v, ok, err := register.Fold(n.name, n.at, m.valuesOf(n.args))
		if ok && err == nil {
			return v, true
		}
	}
	return "", false
}

// boxed is the value of a class that holds, as far as the path says, a value of a type
// whose constants do not tell it from others.
func (m *model) boxed(r term) (register.Value, bool) {
	for _, x := range m.cls.members {
		n := m.engine.terms.of(x)
		if n.kind != appTerm || n.name != "unbox" || m.cls.find(n.args[0]) != r || m.cls.find(x) == r {
			continue
		}
		is := m.engine.terms.apply(function{name: "is", at: n.at}, n.args)
		if m.cls.equal(is, m.engine.terms.trueT) == no {
			continue
		}
		inner, found := m.values[m.cls.find(x)]
		if !found {
			inner = m.newName(n) // not its value: that would ask for this one
			m.set(m.cls.find(x), inner)
		}
		v, ok, err := register.Fold("box", n.at, []register.Value{inner})
		return v, ok && err == nil
	}
	return "", false
}

// circular reports whether a value of class r is wanted to find the values
// of xs: a path can assume that v+w is v.
func (m *model) circular(r term, xs []term) bool { return m.reaches(r, xs, map[term]bool{}) }

func (m *model) reaches(r term, xs []term, seen map[term]bool) bool {
	for _, x := range xs {
		m.cls.know(x)
		q := m.cls.find(x)
		if q == r {
			return true
		}
		if _, ok := m.values[q]; ok || seen[q] {
			continue
		}
		seen[q] = true
		if m.reaches(r, m.engine.terms.of(q).args, seen) {
			return true
		}
	}
	return false
}

// newName is a readable name for the value of a term that no other value has.
func (m *model) newName(n *node) register.Value {
	switch {
	case n.typ.Kind == register.Bool:
		return register.LitFalse
	case n.kind == symTerm && n.name != "env" && n.name != "init" && n.name != "some":
		return m.free(strings.TrimSuffix(n.name, register.Later), n.name != "v")
	case n.kind == appTerm && m.truths[n.name+"."+strconv.Itoa(n.result)]:
		return register.LitFalse
	case n.kind == appTerm && len(n.args) == 1:
		of := register.Value(m.engine.terms.of(n.args[0]).name)
		if v, known := m.values[m.cls.find(n.args[0])]; known {
			of = v
		}
		return m.resultName(n.name, of)
	case n.kind == appTerm && register.Infix[n.name] != "":
		var args []register.Value
		for _, a := range n.args {
			if v, ok := m.values[m.cls.find(a)]; ok {
				args = append(args, v)
			}
		}
		return m.resultName(n.name, args...)
	case n.kind == appTerm:
		return m.resultName(n.name)
	}
	return m.free("v", false)
}

// resultName is a name for what a function gives. What a variable of a package
// holds, such as an error, has the variable's name.
func (m *model) resultName(function string, args ...register.Value) register.Value {
	if len(args) == 1 && function == "load" && strings.HasPrefix(string(args[0]), "&") {
		return m.free(string(args[0][strings.LastIndexByte(string(args[0]), '.')+1:]), true)
	}
	if len(args) == 1 && register.IsFieldName(function) && !strings.ContainsAny(string(args[0]), "#.{") {
		return m.free(string(args[0])+"."+register.LastPart(function), true)
	}
	op, _, _ := strings.Cut(function, " ")
	switch {
	case op == "convert":
		return m.free("converted", false)
	case len(args) != 2 || register.Infix[op] == "" || register.IsTest(op):
		name, _, _ := strings.Cut(function, summary.Mark)
		return m.free(name, false)
	case op == "sub" && args[0] == "0":
		return m.free("(-"+operandText(args[1])+")", true)
	case args[0].IsLit():
		return m.free("("+string(args[0])+register.Infix[op]+operandText(args[1])+")", true)
	}
	return m.free(operandText(args[0])+register.Infix[op]+operandText(args[1]), true)
}

// operandText is a value as an operand: a sum is in parentheses.
func operandText(v register.Value) string {
	text := string(v)
	whole := strings.LastIndexByte(text, '(') == 0 && strings.HasSuffix(text, ")")
	if v.IsLit() || whole || !strings.ContainsAny(text, "+-*/%&|^<>") {
		return text
	}
	return "(" + text + ")"
}

// free is the hint with a number that makes it a name of its own; the first of
// its kind may go without.
func (m *model) free(hint string, bare bool) register.Value {
	hint = strings.TrimLeft(hint, `0123456789-"&{#`)
	for i := 1; ; i++ {
		v := register.Value(hint + strconv.Itoa(i))
		if bare && i == 1 {
			v = register.Value(hint)
		}
		if v != "" && !v.IsLit() && !m.used[v] {
			return v
		}
	}
}

// fillTable writes down what the path says about functions.
func (m *model) fillTable() {
	for _, x := range m.cls.members {
		n := m.engine.terms.of(x)
		if n.kind == freshTerm {
			m.defineParts(m.value(x), n.name, m.valuesOf(n.args))
		}
		if n.kind != appTerm {
			continue
		}
		args := make([]register.Value, len(n.args))
		for i, a := range n.args {
			args[i] = m.value(a)
		}
		name, v := register.FunctionName(n.name, n.at), m.value(x)
		m.define(name, n.result, args, v)
		if !v.IsLit() {
			m.call(m.calculated(name, args), v)
		}
	}
}

// defineParts says what is found in an object that was made at a site, where nobody
// changes that.
func (m *model) defineParts(object register.Value, site string, contents []register.Value) {
	_, listed := register.Listed(site, len(contents))
	switch {
	case m.lists[object] != nil:
	case listed:
		for _, x := range contents {
			m.lists[object] = append(m.lists[object], Item{Value: x})
		}
	case strings.HasPrefix(site, "[]") && len(contents) == 1 && contents[0] == "0":
		m.lists[object] = []Item{}
	}
	m.engine.terms.parts.Of(site, contents, func(function string, content register.Value) {
		m.define(function, 0, []register.Value{object}, content)
	})
}

func (m *model) valuesOf(xs []term) []register.Value {
	vs := make([]register.Value, len(xs))
	for i, x := range xs {
		vs[i] = m.value(x)
	}
	return vs
}

// isTest reports whether a function gives a truth value, whatever type it works at.
func isTest(function string) bool {
	name, _, _ := strings.Cut(function, " ")
	return register.IsTest(name)
}

// isPrefix begins the name of a question for a type.
const isPrefix = "is "

func isTypeTest(name string) bool { return strings.HasPrefix(name, isPrefix) }

func truthValue(b bool) register.Value {
	if b {
		return register.LitTrue
	}
	return register.LitFalse
}

// define sets a function's result, and with it that of the inverse function.
func (m *model) define(name string, result int, args []register.Value, v register.Value) {
	m.table[tableKey(name, result, args)] = v
	m.noteList(name, args, v)
	if strings.HasPrefix(name, register.StructOf) {
		m.defineParts(v, name, args)
	}
	if back := register.Inverse[name]; back != "" {
		m.table[tableKey(back, result, []register.Value{v})] = args[0]
	}
}

// noteList notes what is in a list that is put together, or cut from one.
func (m *model) noteList(name string, args []register.Value, v register.Value) {
	if v.IsLit() || m.lists[v] != nil || len(args) == 0 {
		return
	}
	if register.IsAppend(name) || name == register.SliceOf {
		m.made[v] = making{name, args}
	}
	items := m.itemsOf(args[0])
	switch name {
	case register.Append:
		for _, x := range args[1:] {
			items = append(items, Item{Value: x})
		}
	case register.AppendAll:
		for _, x := range args[1:] {
			items = append(items, m.itemsOf(x)...)
		}
	case register.SliceOf:
		lo, hi, ok := bounds(args, len(items))
		counted := hi
		if ok && args[2] == register.NoBound {
			counted = lo // up to there, each is one
		}
		if !ok || slices.ContainsFunc(items[:counted], func(i Item) bool { return i.All }) {
			return
		}
		items = items[lo:hi]
	default:
		return
	}
	m.lists[v] = items
}

// bounds are where a list of n is cut; false if that is not known, or nothing that can be.
func bounds(args []register.Value, n int) (lo, hi int, ok bool) {
	if len(args) < 3 {
		return 0, 0, false
	}
	hi = n
	for i, at := range []*int{&lo, &hi} {
		if args[i+1] == register.NoBound {
			continue
		}
		k, err := strconv.Atoi(string(args[i+1]))
		if err != nil {
			return 0, 0, false
		}
		*at = k
	}
	return lo, hi, 0 <= lo && lo <= hi && hi <= n
}

// itemsOf are what is in a list.
func (m *model) itemsOf(v register.Value) []Item {
	if items, ok := m.lists[v]; ok || v == register.LitNil {
		return slices.Clone(items)
	}
	return []Item{{Value: v, All: true}}
}

// making is a function, and what it is given.
type making struct {
	name string
	args []register.Value
}

// lengthOf is how long a list is of which all is known that is in it, or that is put together from others, or cut from one: see foldLen.
func (m *model) lengthOf(v register.Value) (n register.Value, ok bool) {
	if items, known := m.lists[v]; known && !slices.ContainsFunc(items, func(i Item) bool { return i.All }) {
		return register.Value(strconv.Itoa(len(items))), true
	}
	by, known := m.made[v]
	if !known {
		return "", false
	}
	value := func(name string, args ...register.Value) register.Value {
		if v, is, err := register.Fold(name, register.Type{}, args); is && err == nil {
			return v
		}
		return m.apply(name, 0, args)
	}
	if by.name == register.SliceOf && len(by.args) == 4 {
		from, to := by.args[1], by.args[2]
		if from == register.NoBound {
			from = "0"
		}
		if to == register.NoBound {
			to = value(register.Length, by.args[0])
		}
		return value("sub", to, from), true
	}
	n = value(register.Length, by.args[0])
	for _, more := range by.args[1:] {
		with := register.Value("1")
		if by.name == register.AppendAll {
			with = value(register.Length, more)
		}
		n = value("add", n, with)
	}
	return n, true
}

func tableKey(name string, result int, args []register.Value) string {
	key := append(strconv.AppendInt(append([]byte(name), '.'), int64(result), 10), 0)
	return string(appendValues(key, args))
}

// apply is the meaning of an uninterpreted function in the model.
func (m *model) apply(name string, result int, args []register.Value) register.Value {
	key := tableKey(name, result, args)
	v, ok := m.table[key]
	switch {
	case ok:
		return v
	case len(args) == 1 && m.types[args[0]] != "" && isTypeTest(name):
		return truthValue(name == isPrefix+m.types[args[0]])
	case name == register.Length:
		if n, ok := m.lengthOf(args[0]); ok {
			return n
		}
	}
	of := m.calculated(name, args)
	if n := m.engine.terms.of(of); of != noTerm && n.kind == litTerm {
		return register.Value(n.name)
	}
	if v, ok = m.results[of]; ok {
		return v
	}
	op, _, _ := strings.Cut(name, " ")
	switch is, known := m.namesSay(of); {
	case known:
		v = is
	case isTest(name):
		m.engine.guessed = m.engine.guessed || isOrder(op)
		v = register.LitFalse
	case m.truths[name+"."+strconv.Itoa(result)]:
		v = truthValue(m.engine.affirms)
	case name == register.CountOf:
		v = "0" // it is a number, whatever it counts
	default:
		v = m.resultName(name, args...)
		m.used[v] = true
		m.call(of, v)
		m.noteResult(name, v)
	}
	m.define(name, result, args, v)
	return v
}

// noteResult notes the type that what a function gives has in an interface, where its text alone says it:
// a+"x" is a string.
func (m *model) noteResult(name string, v register.Value) {
	op, typ, _ := strings.Cut(name, " ")
	if t := register.ResultType(op, register.IntegerNamed(typ)); register.Interpreted[op] && t.IsDefault() {
		m.types[v] = t.GoName()
	}
}

// calculated is what an arithmetic function gives for numbers of which only the names are
// known: a sum without the part that was taken off again is what it was. It is noTerm for
// other functions.
func (m *model) calculated(name string, args []register.Value) term {
	op, typ, typed := strings.Cut(name, " ")
	at := register.IntegerNamed(typ)
	if isOrder(op) && typ == "string" {
		at.Kind = register.String
	}
	if !register.Interpreted[op] || op == "eq" || typed == (at.Kind == register.NoType) {
		return noTerm
	}
	xs := make([]term, len(args))
	for i, v := range args {
		xs[i] = m.symbol(v, at)
	}
	return m.engine.terms.apply(function{name: op, at: at}, xs)
}

// namesSay is the answer to a question of which all that is open is whether two values are one: what has different names is not.
//
//	s > ""
func (m *model) namesSay(question term) (register.Value, bool) {
	if question == noTerm {
		return "", false
	}
	l := m.engine.terms.plain(literal{question, m.engine.terms.trueT, true})
	for _, x := range []term{l.a, l.b} {
		if k := m.engine.terms.of(x).kind; k != litTerm && k != symTerm {
			return "", false
		}
	}
	return truthValue(!l.equal), l.a != question
}

// call gives a number that is calculated a name, if each has no other one.
func (m *model) call(x term, v register.Value) {
	_, named := m.results[x]
	_, used := m.symbols[v]
	if x != noTerm && !named && !used {
		m.symbols[v], m.results[x] = x, v
	}
}

// symbol is the term for a number.
func (m *model) symbol(v register.Value, at register.Type) term {
	if v.IsLit() {
		return m.engine.terms.lit(string(v))
	}
	x, ok := m.symbols[v]
	if !ok {
		x = m.engine.terms.sym(string(v), true, nil)
		if typ, known := m.numbers[v]; known {
			at = typ
		}
		if at.Kind == register.NoType {
			at.Kind = register.Int
		}
		m.engine.terms.declare(x, at)
		m.symbols[v], m.results[x] = x, v
	}
	return x
}

func sortedTerms(s map[term]register.Value) []term {
	var out []term
	for r := range s {
		out = append(out, r)
	}
	slices.Sort(out)
	return out
}

func sortedKeys(s map[string][]term) []string {
	var out []string
	for k := range s {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}
