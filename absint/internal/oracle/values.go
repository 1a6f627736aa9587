package oracle

import (
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// pool holds the values that exist in a run, in the order in which they came
// to exist. Literals exist from the start.
type pool struct {
	entries []entry
	named   int // new values named so far
}

// entry is one value that exists.
type entry struct {
	value register.Value
	// alloc says that the value is an identity that a Fresh of the run
	// allocated, of type typ with these contents.
	alloc    bool
	typ      string
	contents []register.Value
	// own says that the interrupted program allocated it, and seen that the
	// environment has seen it.
	own, seen bool
}

func (p *pool) find(v register.Value) *entry {
	for i := range p.entries {
		if p.entries[i].value == v {
			return &p.entries[i]
		}
	}
	return nil
}

// add lets v exist, if it does not yet.
func (p *pool) add(v register.Value) {
	switch v {
	case register.LitTrue, register.LitFalse, register.LitAbsent:
		return // bools and contents are chosen on their own
	}
	if p.find(v) == nil {
		p.entries = append(p.entries, entry{value: v})
	}
}

// see marks v as seen by the environment.
func (p *pool) see(v register.Value) {
	if e := p.find(v); e != nil {
		e.seen = true
	}
}

// newName is a name that no value has yet.
func (p *pool) newName(prefix string) register.Value {
	for {
		p.named++
		if v := register.Value(prefix + strconv.Itoa(p.named)); p.find(v) == nil {
			return v
		}
	}
}

// reachable reports whether the identity v can be found in vs or in the
// contents of what is found there.
func (p *pool) reachable(v register.Value, vs []register.Value) bool {
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
func neverNil(p *register.Program, param register.Local) bool {
	is := func(o register.Operand) bool { return o == register.L(param) }
	stored := false
	for _, b := range p.Blocks {
		for _, in := range b.Instrs {
			switch {
			case in.Op == register.Pure && in.Name == "eq":
				if slices.ContainsFunc(in.Args, is) && slices.Contains(in.Args, register.Lit(register.LitNil)) {
					return false
				}
			case in.Op == register.Write || in.Op == register.CAS:
				if in.Cell < len(p.Cells) && p.Cells[in.Cell].Kind != register.Atomic && is(in.Args[len(in.Args)-1]) {
					stored = true
				}
			}
		}
	}
	return stored
}

// passable tells which values a parameter can be given.
func passable(p *register.Program, param register.Local) func(*entry) bool {
	if !neverNil(p, param) {
		return func(*entry) bool { return true }
	}
	return func(e *entry) bool { return e.value != register.LitNil }
}

// literals lists the literals of the programs, and what reads of absent
// cells yield.
func literals(pr *Problem) []register.Value {
	var vs []register.Value
	add := func(o register.Operand) {
		v := register.Value(o.Lit)
		if o.IsLit() && v != register.LitAbsent && !slices.Contains(vs, v) {
			vs = append(vs, v)
		}
	}
	for _, vs := range pr.Initial {
		for _, v := range vs {
			if v != "" {
				add(register.Lit(string(v)))
			}
		}
	}
	collect := func(p *register.Program) {
		for _, c := range p.Cells {
			add(register.Lit(c.Zero))
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
