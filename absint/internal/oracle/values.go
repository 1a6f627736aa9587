package oracle

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/reduce"
)

// pool holds the values that exist in a run, in the order in which they came
// to exist. Literals exist from the start.
type pool struct {
	entries []entry
	named   int // new values named so far
}

// entry is one value that exists.
type entry struct {
	value reduce.Value
	// alloc says that the value is an identity that a Fresh of the run
	// allocated, of type typ with these contents.
	alloc    bool
	typ      string
	contents []reduce.Value
	// own says that the interrupted program allocated it, and seen that the
	// environment has seen it.
	own, seen bool
}

func (p *pool) find(v reduce.Value) *entry {
	for i := range p.entries {
		if p.entries[i].value == v {
			return &p.entries[i]
		}
	}
	return nil
}

// add lets v exist, if it does not yet.
func (p *pool) add(v reduce.Value) {
	switch v {
	case reduce.LitTrue, reduce.LitFalse, reduce.LitAbsent:
		return // bools and contents are chosen on their own
	}
	if p.find(v) == nil {
		p.entries = append(p.entries, entry{value: v})
	}
}

// see marks v as seen by the environment.
func (p *pool) see(v reduce.Value) {
	if e := p.find(v); e != nil {
		e.seen = true
	}
}

// newName is a name that no value has yet.
func (p *pool) newName(prefix string) reduce.Value {
	for {
		p.named++
		if v := reduce.Value(prefix + strconv.Itoa(p.named)); p.find(v) == nil {
			return v
		}
	}
}

// reachable reports whether the identity v can be found in vs or in the
// contents of what is found there.
func (p *pool) reachable(v reduce.Value, vs []reduce.Value) bool {
	for _, x := range vs {
		if x == v {
			return true
		}
		// Contents are older than the identity that holds them, so this ends.
		if e := p.find(x); e != nil && e.alloc && p.reachable(v, e.contents) {
			return true
		}
	}
	return false
}

// typeOf is the type of what a site allocates.
func typeOf(site string) string {
	typ, _, _ := strings.Cut(site, "#")
	return typ
}

// neverNil reports whether nobody passes nil for a parameter: p stores it in
// a cell that by assumption does not hold nil, and does not ask whether it
// is nil.
func neverNil(p *reduce.Program, param reduce.Local) bool {
	is := func(o reduce.Operand) bool { return o == reduce.L(param) }
	stored := false
	for _, b := range p.Blocks {
		for _, in := range b.Instrs {
			switch {
			case in.Op == reduce.Pure && in.Name == "eq":
				if slices.ContainsFunc(in.Args, is) && slices.Contains(in.Args, reduce.Lit(reduce.LitNil)) {
					return false
				}
			case in.Op == reduce.Write || in.Op == reduce.CAS:
				if in.Cell < len(p.Cells) && p.Cells[in.Cell].Kind != reduce.Atomic && is(in.Args[len(in.Args)-1]) {
					stored = true
				}
			}
		}
	}
	return stored
}

// passable tells which values a parameter can be given.
func passable(p *reduce.Program, param reduce.Local) func(*entry) bool {
	if !neverNil(p, param) {
		return func(*entry) bool { return true }
	}
	return func(e *entry) bool { return e.value != reduce.LitNil }
}

// literals lists the literals of the programs, and what reads of absent
// cells yield.
func literals(pr *Problem) []reduce.Value {
	var vs []reduce.Value
	add := func(o reduce.Operand) {
		v := reduce.Value(o.Lit)
		if o.IsLit() && v != reduce.LitAbsent && !slices.Contains(vs, v) {
			vs = append(vs, v)
		}
	}
	for _, vs := range pr.Initial {
		for _, v := range vs {
			if v != "" {
				add(reduce.Lit(string(v)))
			}
		}
	}
	collect := func(p *reduce.Program) {
		for _, c := range p.Cells {
			add(reduce.Lit(c.Zero))
		}
		for _, b := range p.Blocks {
			for _, in := range b.Instrs {
				for _, o := range in.Args {
					add(o)
				}
			}
			add(b.Term.Cond)
			for _, o := range b.Term.Vals {
				add(o)
			}
		}
	}
	collect(pr.Program)
	for _, s := range pr.Steps {
		collect(s.Program)
	}
	return vs
}
