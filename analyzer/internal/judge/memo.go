package judge

import (
	"go/types"
	"slices"

	"github.com/mapatom/mapatom/absint"
	"github.com/mapatom/mapatom/analyzer/internal/rivals"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A function that remembers what it computed may do so twice:
//
//	ok, found := c.seen.Load(name)
//	if !found {
//		ok = c.rules.Allow(name)
//		c.seen.Store(name, ok)
//	}
//	return ok
//
// That is harmless if what is stored is a value that follows from the key, and
// nobody can tell whether it was found or computed. Whether it follows is a
// question of intent: the callee is not at hand, and looks at other things as
// well. So such a violation stays one, of a mild category.
//
// The evidence that is asked for, of each operation that stores:
//
//   - the value is of a type without an identity that matters: see MutableValue;
//   - all that it is computed from is constants, what the key is made of, and
//     calls that are given some of that. What was found in the cell, another
//     counter, a clock, or an argument that has nothing to do with the key is
//     something else.
//
// Then the engine is asked again, with one value for each key. A flag that says
// who was first is a constant, and so no memory of anything; a function that does
// more on a miss than to compute the value is still a violation.

// mild is the category of a violation that is gone if what is remembered follows
// from its key; empty if it is not.
func (c *contest) mild(p absint.Problem) absint.Category {
	f, g := c.x.In, c.x.Group
	switch {
	case c.x.Several && c.aside(f, g):
		return absint.DuplicateWork
	case c.x.Several, p.Env != absint.Package:
		return ""
	}
	var plain bool
	if p.Region, plain = c.remembering(f, p.Region, g.Accesses); p.Region == nil {
		return ""
	}
	p.Steps = c.World.StepsOn(p.Region, c.roots, [][]*rivals.Step{Rewritten(c.others[0], func(s *rivals.Step) *register.Program {
		prog, _ := c.remembering(s.From, s.Step.Program, s.Accesses)
		return prog
	})})
	res, err := c.Check(p)
	switch {
	case err != nil || res.Verdict == absint.Unknown:
		return ""
	case res.Verdict == absint.Verified && plain:
		return absint.DuplicateWork
	case res.Verdict == absint.Verified, res.Category == absint.DuplicateWork:
		return absint.DuplicateInstance
	}
	return res.Category
}

// remembering is a program, cut out of f, in which what is stored is a function of
// the key. It is nil if something is stored that need not be one, or is of a type
// whose values have an identity. Plain says that all of it is numbers, strings and the like.
func (j *Judge) remembering(f *rivals.Function, prog *register.Program, accesses []*register.Access) (out *register.Program, plain bool) {
	var stores []register.Pos
	plain = true
	for _, a := range accesses {
		for _, op := range a.Ops {
			in := &f.Prog.Blocks[op.Block].Instrs[op.Instr]
			v, ok := StoredOperand(in)
			if !ok || f.N.Source(v).IsLit() {
				continue
			}
			o, _ := j.Source.res.OperationAt(in.Pos)
			if o.Stored == nil || j.Source.res.MutableValue(o.Stored) || !newMemo(f, in.Cell, isData(o.Stored)).follows(v) {
				return nil, false
			}
			plain = plain && isData(o.Stored)
			stores = append(stores, in.Pos)
		}
	}
	if len(stores) == 0 {
		return nil, false
	}
	return Remember(prog, stores), plain
}

// Remembers reports whether all that a violation stores is of a type without an identity, and follows
// from the key.
func (j *Judge) Remembers(x *Finding) bool {
	prog, _ := j.remembering(x.In, x.Region, x.Group.Accesses)
	return prog != nil
}

// StoredOperand is what an operation stores, if anything.
func StoredOperand(in *register.Instr) (register.Operand, bool) {
	if in.Op != register.Write && in.Op != register.CAS {
		return register.NoOperand, false
	}
	v := in.Args[len(in.Args)-1]
	return v, v != register.Absent
}

// isData reports whether values of type t are equal if they look equal.
func isData(t types.Type) bool {
	switch u := types.Unalias(t).Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Array:
		return isData(u.Elem())
	case *types.Struct:
		for i := range u.NumFields() {
			if !isData(u.Field(i).Type()) {
				return false
			}
		}
		return true
	}
	return false
}

// Remember makes what the stores at some places store one value, of the one cell
// that all of this is about. It is assigned to the variable right before the
// operation: what its value decided until then stays open.
func Remember(p *register.Program, stores []register.Pos) *register.Program {
	out := p.Clone()
	for b, blk := range p.Blocks {
		c := out.Blocks[b]
		c.Instrs = nil
		for _, in := range blk.Instrs {
			if v, ok := StoredOperand(&in); ok && v.Local != register.None && slices.Contains(stores, in.Pos) {
				c.Instrs = append(c.Instrs, register.Instr{Op: register.Pure, Name: "memo", Dst: []register.Local{v.Local}, Pos: in.Pos})
			}
			c.Instrs = append(c.Instrs, in)
		}
	}
	return out
}

// Rewritten are steps with other programs, as they are where there is none.
func Rewritten(steps []*rivals.Step, program func(*rivals.Step) *register.Program) []*rivals.Step {
	var out []*rivals.Step
	for _, s := range steps {
		t := *s
		if prog := program(s); prog != nil {
			t.Step.Program = prog
			t.Text = rivals.StepText(&t)
		}
		out = append(out, &t)
	}
	return out
}

// milder reports whether a is a milder category than b.
func milder(a, b absint.Category) bool {
	return b != absint.DuplicateWork && (a == absint.DuplicateWork || a == absint.DuplicateInstance && b != absint.DuplicateInstance)
}
