package absint

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/reduce"
)

// model gives every term of a path a concrete value such that all that the
// path assumes holds: integers where there is arithmetic, names elsewhere.
type model struct {
	engine *engine
	cls    *classes
	values map[term]reduce.Value // by class representative
	// table is the meaning of the uninterpreted functions.
	table map[string]reduce.Value
	// truths are the functions whose result is branched on.
	truths map[string]bool
	used   map[reduce.Value]bool
	named  map[string]int
}

// newModel builds a model of the path, or returns nil where it finds none:
// what it cannot find is arithmetic.
func (e *engine) newModel(c *config) *model {
	m := &model{
		engine: e, cls: c.path.closure().clone(),
		values: map[term]reduce.Value{}, table: map[string]reduce.Value{},
		used: map[reduce.Value]bool{}, named: map[string]int{}, truths: map[string]bool{},
	}
	for _, s := range e.problem.Steps {
		m.findTruths(s.Program)
	}
	m.findTruths(e.problem.Region)
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

// findTruths notes the functions whose results a program branches on.
func (m *model) findTruths(p *reduce.Program) {
	cond := map[reduce.Local]bool{}
	for _, b := range p.Blocks {
		if b.Term.Kind == reduce.Branch {
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
				if cond[d] && d != reduce.None && (in.Op == reduce.Pure || in.Op == reduce.Unknown) {
					m.truths[in.Name+"."+strconv.Itoa(i)] = true
					m.truths[siteType(in.Name)+"."+strconv.Itoa(i)] = true
				}
			}
		}
	}
	for _, name := range []string{"lt", "le"} {
		m.truths[name+".0"] = true
	}
}

// noteTruth propagates "is a condition" from a result to the operands that
// it is made of.
func noteTruth(in *reduce.Instr, cond map[reduce.Local]bool) bool {
	changed := false
	mark := func(o reduce.Operand) {
		if o.Local != reduce.None && !cond[o.Local] {
			cond[o.Local], changed = true, true
		}
	}
	switch {
	case in.Op == reduce.Pure && in.Name == "choose":
		mark(in.Args[0])
		if cond[in.Dst[0]] {
			mark(in.Args[1])
			mark(in.Args[2])
		}
	case in.Op == reduce.Pure && in.Name == "not":
		mark(in.Args[0])
	case in.Op == reduce.Copy && cond[in.Dst[0]]:
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
		m.set(r, reduce.Value(n.name))
	case freshTerm:
		typ := siteType(n.name)
		m.named[typ]++
		m.set(r, reduce.Value(typ+"#"+strconv.Itoa(m.named[typ])))
	}
}

func (m *model) set(r term, v reduce.Value) {
	m.values[r] = v
	m.used[v] = true
}

// value is the concrete value of a term.
func (m *model) value(x term) reduce.Value {
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
	if n.kind == appTerm && reduce.Interpreted[n.name] && !m.circular(r, n.args) {
		args := make([]reduce.Value, len(n.args))
		for i, a := range n.args {
			args[i] = m.value(a)
		}
		if v, ok, err := reduce.Fold(n.name, args); ok && err == nil {
			m.set(r, v)
			return v
		}
	}
	v := m.newName(n)
	m.set(r, v)
	return v
}

// circular reports whether a value of class r is wanted to find the values
// of xs: a path can assume that v+w is v.
func (m *model) circular(r term, xs []term) bool {
	for _, x := range xs {
		m.cls.know(x)
		q := m.cls.find(x)
		if q == r {
			return true
		}
		if _, ok := m.values[q]; !ok && m.circular(r, m.engine.terms.of(q).args) {
			return true
		}
	}
	return false
}

// newName is a readable name for the value of a term that no other value has.
func (m *model) newName(n *node) reduce.Value {
	switch {
	case n.kind == symTerm && n.name != "env" && n.name != "init" && n.name != "some":
		return m.free(n.name, n.name != "v")
	case n.kind == appTerm && m.truths[n.name+"."+strconv.Itoa(n.result)]:
		return reduce.LitFalse
	case n.kind == appTerm && len(n.args) == 1:
		arg := m.engine.terms.of(n.args[0])
		return m.resultName(n.name, reduce.Value(arg.name))
	case n.kind == appTerm:
		return m.free(n.name, false)
	}
	return m.free("v", false)
}

// resultName is a name for what a function gives. What a variable of a package
// holds, such as an error, has the variable's name.
func (m *model) resultName(function string, args ...reduce.Value) reduce.Value {
	if len(args) == 1 && function == "load" && strings.HasPrefix(string(args[0]), "&") {
		return m.free(string(args[0][strings.LastIndexByte(string(args[0]), '.')+1:]), true)
	}
	return m.free(function, false)
}

// free is the hint with a number that makes it a name of its own; the first of
// its kind may go without.
func (m *model) free(hint string, bare bool) reduce.Value {
	hint = strings.TrimLeft(hint, `0123456789-"&{#`)
	for i := 1; ; i++ {
		v := reduce.Value(hint + strconv.Itoa(i))
		if bare && i == 1 {
			v = reduce.Value(hint)
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
		if n.kind != appTerm {
			continue
		}
		args := make([]reduce.Value, len(n.args))
		for i, a := range n.args {
			args[i] = m.value(a)
		}
		m.define(n.name, n.result, args, m.value(x))
	}
}

// define sets a function's result, and with it that of the inverse function.
func (m *model) define(name string, result int, args []reduce.Value, v reduce.Value) {
	m.table[tableKey(name, result, args)] = v
	if back := reduce.Inverse[name]; back != "" {
		m.table[tableKey(back, result, []reduce.Value{v})] = args[0]
	}
}

func tableKey(name string, result int, args []reduce.Value) string {
	return fmt.Sprintf("%s.%d%q", name, result, args)
}

// apply is the meaning of an uninterpreted function in the model.
func (m *model) apply(name string, result int, args []reduce.Value) reduce.Value {
	key := tableKey(name, result, args)
	v, ok := m.table[key]
	switch {
	case ok:
		return v
	case m.truths[name+"."+strconv.Itoa(result)] || strings.HasPrefix(name, "is:"):
		v = reduce.LitFalse
	default:
		v = m.resultName(name, args...)
		m.used[v] = true
	}
	m.define(name, result, args, v)
	return v
}

func sortedTerms(s map[term]reduce.Value) []term {
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
