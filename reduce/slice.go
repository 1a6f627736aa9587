package reduce

import (
	"slices"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// slice reduces a region to what decides its operations, its effects and
// its results (Weiser, "Program slicing", ICSE 1981), and completes it: the
// parameters are what is live on entry. Blocks in retry belong to a retry
// loop, where a call on a value that an earlier round read is no effect: a
// round that failed counts as never run.
func slice(p *register.Program, retry map[int]bool) {
	parameters(p) // what is assigned inside may have had another value before
	s := &slicer{p: p, flow: register.NewFlow(p), published: published(p)}
	s.influence = s.flow.From(outcomes(p))
	s.foldChecks()
	s.effects(retry)
	s.weaken()
	s.collapse()
	register.Tidy(p)
	register.Reorder(p)
	parameters(p)
	register.Renumber(p)
}

type slicer struct {
	p         *register.Program
	flow      *register.Flow
	influence *register.Influence
	// published are the locals that can hold what is, or will be, in a cell.
	published register.LocalSet
	// needed are the locals whose value matters, matter the blocks in which
	// something happens that does.
	needed register.LocalSet
	matter []bool
	// outcomeOnly says that operations on cells do not matter by themselves.
	outcomeOnly bool
}

// outcomes are the results of all base operations.
func outcomes(p *register.Program) []register.Local { return definedBy(p, (*register.Instr).IsBase) }

// counts finds how many entries a program finds in maps.
func counts(p *register.Program) []register.Local {
	return definedBy(p, (*register.Instr).CountsEntries)
}

// definedBy are the locals that instructions of some kind define.
func definedBy(p *register.Program, is func(*register.Instr) bool) []register.Local {
	var out []register.Local
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			if is(&b.Instrs[i]) {
				b.Instrs[i].Defs(func(l register.Local) { out = append(out, l) })
			}
		}
	}
	return out
}

// published finds the locals that hold values read from or written to a
// cell, one of those given if any are, through copies and choices, in both directions.
func published(p *register.Program, cells ...int) register.LocalSet {
	set := register.NewLocalSet(len(p.Names))
	mark := func(ops ...register.Operand) (changed bool) {
		for _, o := range ops {
			if o.Local != register.None && !set.Has(o.Local) {
				set.Add(o.Local)
				changed = true
			}
		}
		return changed
	}
	for changed := true; changed; {
		changed = false
		for _, b := range p.Blocks {
			for i := range b.Instrs {
				in := &b.Instrs[i]
				switch {
				case in.IsBase() && len(cells) > 0 && !slices.Contains(cells, in.Cell):
				case in.IsBase():
					if len(in.Dst) > 0 && in.Dst[0] != register.None {
						changed = mark(register.L(in.Dst[0])) || changed
					}
					changed = mark(in.Args...) || changed
				case in.Dst == nil || in.Dst[0] == register.None:
				case in.Op == register.Copy, in.Op == register.Pure && in.Name == "choose":
					vals := in.Args[len(in.Args)-min(2, len(in.Args)):]
					either := set.Has(in.Dst[0])
					register.EachLocal(vals, func(l register.Local) { either = either || set.Has(l) })
					if either {
						changed = mark(append(slices.Clone(vals), register.L(in.Dst[0]))...) || changed
					}
				}
			}
		}
	}
	return set
}

// foldChecks drops the checks that can only panic and that no operation
// has an influence on: sequential runs panic just the same. What a function itself refuses of
// the numbers and texts that it is given is kept: with these, nothing of the rest happens.
//
//	if n <= 2 { panic("too few") }
//
// Nor is one that comes amid its changes: others find what was left half done.
//
//	m.Store(true); if broken() { panic("broken") }; m.Store(false)
//
// And what is asked again of the same values is answered the same.
//
//	if n.bad { panic("bad") }; if n.bad { m.Store(n) } // never
//	if !n.bad { panic("good") } // either way
func (s *slicer) foldChecks() {
	n := register.Number(s.p)
	for b, blk := range s.p.Blocks {
		if blk.Term.Kind != register.Branch || !register.IsCheck(s.p, &blk.Term) {
			continue
		}
		if l := blk.Term.Cond.Local; l != register.None && (s.influence.Locals.Has(l) || s.influence.Blocks[b]) {
			continue
		}
		if s.refuses(n, blk) || s.amid(b) || s.askedAgain(n, blk) || s.passesNobody(n, blk) {
			continue
		}
		for i, to := range blk.Term.To {
			if s.p.Blocks[to].Term.Kind != register.Panic {
				blk.Term = register.Term{Kind: register.Jump, To: []int{blk.Term.To[i]}, Pos: blk.Term.Pos}
				break
			}
		}
	}
}

// askedAgain reports whether a branch that is no check asks about what a check does.
func (s *slicer) askedAgain(n *register.Numbering, check *register.Block) bool {
	var about func(o register.Operand, depth int) []string
	about = func(o register.Operand, depth int) []string {
		if o.IsLit() {
			return nil
		}
		def, _ := n.Def(o)
		if def == nil || depth == maxGiven || def.Op != register.Pure || !register.Interpreted[def.Name] {
			return []string{n.Term(o)}
		}
		var out []string
		for _, a := range def.Args {
			out = append(out, about(a, depth+1)...)
		}
		return out
	}
	asked := about(check.Term.Cond, 0)
	return slices.ContainsFunc(s.p.Blocks, func(blk *register.Block) bool {
		return blk.Term.Kind == register.Branch && !register.IsCheck(s.p, &blk.Term) &&
			slices.ContainsFunc(about(blk.Term.Cond, 0), func(x string) bool { return slices.Contains(asked, x) })
	})
}

// passesNobody reports whether another check lets nobody on whom a check lets on: it asks the same, and panics with the other answer.
func (s *slicer) passesNobody(n *register.Numbering, check *register.Block) bool {
	question, passes := s.passes(n, check)
	return slices.ContainsFunc(s.p.Blocks, func(blk *register.Block) bool {
		if blk.Term.Kind != register.Branch || !register.IsCheck(s.p, &blk.Term) {
			return false
		}
		other, way := s.passes(n, blk)
		return other == question && way != passes
	})
}

// passes is the question that a check asks, and the answer with which it does not panic.
func (s *slicer) passes(n *register.Numbering, check *register.Block) (question string, answer bool) {
	o := check.Term.Cond
	answer = s.p.Blocks[check.Term.To[0]].Term.Kind != register.Panic
	for range maxGiven {
		def, _ := n.Def(o)
		if def == nil || def.Op != register.Pure || def.Name != "not" {
			break
		}
		o, answer = def.Args[0], !answer
	}
	if def, _ := n.Def(o); def != nil && def.Op == register.Pure && def.Name == "eq" {
		both := []string{n.Term(def.Args[0]), n.Term(def.Args[1])}
		slices.Sort(both)
		return strings.Join(both, " == "), answer
	}
	return n.Term(o), answer
}

// amid reports whether the end of block b can come between two operations that can change something.
func (s *slicer) amid(b int) bool {
	change := func(in *register.Instr, _ int) bool { return in.IsBase() && changes(in) }
	if !s.follows(b, len(s.p.Blocks[b].Instrs), change) {
		return false
	}
	last := &s.p.Blocks[b].Term
	for c, blk := range s.p.Blocks {
		for i := range blk.Instrs {
			if change(&blk.Instrs[i], c) && s.comes(c, last) {
				return true
			}
		}
	}
	return false
}

// comes reports whether the end of block b leads to some terminator, or is it.
func (s *slicer) comes(b int, to *register.Term) bool {
	seen := map[int]bool{}
	for work := []int{b}; len(work) > 0; {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		if &s.p.Blocks[c].Term == to {
			return true
		}
		for _, next := range s.p.Blocks[c].Term.To {
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
	}
	return false
}

// refuses reports whether a check is the function's own, of numbers or texts that are calculated from
// what it is given.
func (s *slicer) refuses(n *register.Numbering, blk *register.Block) bool {
	own := func(to int) bool {
		t := &s.p.Blocks[to].Term
		return t.Kind == register.Panic && t.Label == register.Panicked
	}
	if !slices.ContainsFunc(blk.Term.To, own) {
		return false
	}
	asked := false
	var given func(o register.Operand, depth int) bool
	given = func(o register.Operand, depth int) bool {
		o = n.Source(o)
		if o.IsLit() || slices.Contains(s.p.Params, o.Local) {
			kind := s.p.TypeOf(o.Local).Kind
			asked = asked || kind.IsInteger() || kind == register.String || kind == register.Bool
			return o.IsLit() || kind.IsInteger() || kind == register.String || kind == register.Bool
		}
		def, _ := n.Def(o)
		return def != nil && depth < maxGiven && def.Op == register.Pure && register.Interpreted[def.Name] &&
			!slices.ContainsFunc(def.Args, func(a register.Operand) bool { return !given(a, depth+1) })
	}
	return given(blk.Term.Cond, 0) && asked
}

// maxGiven bounds how far a condition is followed to what the function is given.
const maxGiven = 6

// effects keeps the effects on values that can be published, and drops all
// others and what is left of locks that no environment knows.
func (s *slicer) effects(retry map[int]bool) {
	n, used := register.Number(s.p), usedLocals(s.p)
	kept := make([][]register.Instr, len(s.p.Blocks))
	for b, blk := range s.p.Blocks {
		for i, in := range blk.Instrs {
			last := register.IsTail(in.Name) // counts anyway
			switch {
			case in.Op == register.Blocking:
				continue
			case in.Op == register.Effect && !retry[b] && s.guarded(n, b, i):
				if s.concerns(n, &in) {
					s.addOwners(n, &in)
					in.Counts = true
				} else {
					in.Name = register.Then + in.Name
				}
			case in.Op == register.Effect && !last && !retry[b] && (!s.concerns(n, &in) && !onlyNew(s.p, &in) || found(s.p, &in)) && s.isOver(b, i+1, used):
				in.Name = register.Then + in.Name
			case in.Op == register.Effect && !last && (!s.concerns(n, &in) || retry[b] && !in.Effect().Changes()):
				continue
			case in.Op == register.Effect && !last:
				s.addOwners(n, &in)
			}
			kept[b] = append(kept[b], in)
		}
	}
	// The numbering looks at the instructions as they are: change them last.
	for b, blk := range s.p.Blocks {
		blk.Instrs = kept[b]
	}
}

// isOver reports whether a function is done with its cells when it comes to instruction i of block b: it looks
// again, but at what it has no use for. What it does there is what it goes on to do.
//
//	if !m.CompareAndSwap(k, v, w) { refuse() }; m.Load(k) // to have it stay in a cache
func (s *slicer) isOver(b, i int, used register.LocalSet) bool {
	looks := false
	return !s.follows(b, i, func(in *register.Instr, _ int) bool {
		looks = looks || in.Op == register.Read
		needed := in.Op != register.Read
		in.Defs(func(l register.Local) { needed = needed || used.Has(l) })
		return in.IsBase() && needed
	}) && looks
}

// usedLocals are those that some instruction, or cell, of a program uses.
func usedLocals(p *register.Program) register.LocalSet {
	used := register.NewLocalSet(len(p.Names))
	for _, c := range p.Cells {
		register.EachLocal([]register.Operand{c.Map, c.Key}, used.Add)
	}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			blk.Instrs[i].Uses(used.Add)
		}
		blk.Term.Uses(used.Add)
	}
	return used
}

// guarded reports whether instruction i of block b is a call, made for its effect,
// that an outcome decides about, as it does about a write that comes after it:
//
//	if !tracked.Load() { meter.Add(1); tracked.Store(true) }
//
// Two callers must not both have the effect. A call is made for its effect if nothing that it
// gives is used, or an error only, which says that it has failed:
//
//	if !done.Load() { if err := migrate(); err != nil { return err }; done.Store(true) }
//
// Any other is a question: nobody knows whether rate.Limit() does anything. What is done to a new object is not meant, but
// for a goroutine that is started, which is one more whatever it works on; and a write that
// asks again, by a compare-and-swap, guards nothing.
func (s *slicer) guarded(n *register.Numbering, b, i int) bool {
	blk := s.p.Blocks[b]
	in := &blk.Instrs[i]
	if s.influence == nil || !s.influence.Blocks[b] || register.IsTail(in.Name) || in.Asks {
		return false
	}
	switch in.Effect().Kind {
	case register.Started:
	case register.Stored, register.Cleared, register.Copied:
		return false
	default:
		if s.toNew(n, in) {
			return false
		}
	}
	return s.writesAfter(b, i)
}

// toNew reports whether a call is done to an object that was made here: it is given one, and is not made
// on another object, which has not just been asked for, where the new one only takes the answer:
//
//	if !known.Load() { var id ID; if err := server.register(&id); err != nil { return err }; known.Store(true) }
//	if !known.Load() { var id ID; if err := db.row(name).scan(&id); err != nil { return err }; known.Store(true) }
func (s *slicer) toNew(n *register.Numbering, in *register.Instr) bool {
	if !slices.ContainsFunc(in.Args, func(a register.Operand) bool { return a.Local != register.None && s.p.IsFresh(a.Local) }) {
		return false
	}
	on := n.Source(in.Args[0])
	if on.Local == register.None || s.p.IsFresh(on.Local) || !isObject(s.p.TypeOf(on.Local)) {
		return true
	}
	return s.answered(on.Local)
}

// answered reports whether a local is what a call gives of which nothing is known.
func (s *slicer) answered(l register.Local) bool {
	return slices.ContainsFunc(s.p.Blocks, func(blk *register.Block) bool {
		return slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool {
			return in.Op == register.Unknown && in.Memory().Kind == register.NoMemory && slices.Contains(in.Dst, l)
		})
	})
}

// isObject reports whether a type is that of a pointer, a map or a channel: what is in a slice is rather
// looked at.
func isObject(t register.Type) bool {
	return t.Kind == register.Pointer && !strings.HasPrefix(t.Name, "[]")
}

// writesAfter reports whether a plain write can follow instruction i of block b, to which
// the same outcomes lead.
func (s *slicer) writesAfter(b, i int) bool {
	return s.follows(b, i+1, func(in *register.Instr, c int) bool { return in.Op == register.Write && s.influence.Blocks[c] })
}

// follows reports whether an instruction of which something is so can come once it is instruction i's turn in block b; is is
// told the block that each is in.
func (s *slicer) follows(b, i int, is func(in *register.Instr, block int) bool) bool {
	seen := map[int]bool{}
	work := []int{b}
	for ; len(work) > 0; i = 0 {
		c := work[len(work)-1]
		work = work[:len(work)-1]
		for k := range s.p.Blocks[c].Instrs[i:] {
			if is(&s.p.Blocks[c].Instrs[i+k], c) {
				return true
			}
		}
		for _, to := range s.p.Blocks[c].Term.To {
			if !seen[to] {
				seen[to] = true
				work = append(work, to)
			}
		}
	}
	return false
}

// concerns reports whether an effect has an argument that is published or
// is a part of something published.
func (s *slicer) concerns(n *register.Numbering, in *register.Instr) bool {
	for _, a := range in.Args {
		if a.Local != register.None && (s.published.Has(a.Local) || s.owner(n, a) != register.NoOperand) {
			return true
		}
	}
	return false
}

// owner is the published value that a is a part of, by field or address, or that it is
// computed from: 1+n is n, as n+1 is.
func (s *slicer) owner(n *register.Numbering, a register.Operand) register.Operand {
	for range len(s.p.Names) {
		if a.Local != register.None && s.published.Has(a.Local) {
			return a
		}
		def, _ := n.Def(a)
		if def == nil {
			return register.NoOperand
		}
		first := slices.IndexFunc(def.Args, func(o register.Operand) bool { return o.Local != register.None })
		if first < 0 {
			return register.NoOperand
		}
		a = n.Source(def.Args[first])
	}
	return register.NoOperand
}

// addOwners appends the owners of arguments that are parts, so that the
// effect is known to be one on them.
func (s *slicer) addOwners(n *register.Numbering, in *register.Instr) {
	args := in.Args
	in.Args = slices.Clone(args)
	for _, a := range args {
		if a.Local == register.None || s.published.Has(a.Local) {
			continue
		}
		if o := s.owner(n, a); o != register.NoOperand && !slices.Contains(in.Args, o) {
			in.Args = append(in.Args, o)
			in.Owners++
		}
	}
}

// weaken makes those cas weak that expect a value read before and say
// whether they succeeded, or replace it by something that does not depend on
// it. Whoever sees such a cas fail and goes on is content: somebody else was
// faster. An expected literal is a state, not a version.
func (s *slicer) weaken() {
	for _, blk := range s.p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != register.CAS || in.Args[0].Local == register.None || !s.influence.Locals.Has(in.Args[0].Local) {
				continue
			}
			told := len(in.Dst) > 1 && in.Dst[1] != register.None
			derived := in.Args[1].Local != register.None && s.influence.Locals.Has(in.Args[1].Local)
			if told || !derived {
				in.Name = register.Weak
			}
		}
	}
}

// collapse replaces branches that decide nothing by a jump to where their
// ways meet again.
func (s *slicer) collapse() {
	register.Tidy(s.p)
	s.flow = register.NewFlow(s.p)
	s.mark()
	post := register.PostDominators(s.p)
	for b, blk := range s.p.Blocks {
		if blk.Term.Kind == register.Branch && !s.decides(b) && post[b] >= 0 {
			blk.Term = register.Term{Kind: register.Jump, To: []int{post[b]}, Pos: blk.Term.Pos}
		}
	}
	for _, blk := range s.p.Blocks {
		blk.Instrs = slices.DeleteFunc(blk.Instrs, func(in register.Instr) bool {
			if !register.IsSilent(in.Op) {
				return false
			}
			used := false
			in.Defs(func(l register.Local) { used = used || s.needed.Has(l) })
			return !used
		})
	}
}

// decides reports whether something that matters depends on b's branch.
func (s *slicer) decides(b int) bool {
	for c, controls := range s.flow.Controls {
		if s.matter[c] && slices.Contains(controls, b) {
			return true
		}
	}
	return false
}

// mark computes what matters, backwards from operations, effects and exits.
func (s *slicer) mark() {
	s.needed = register.NewLocalSet(len(s.p.Names))
	s.matter = make([]bool, len(s.p.Blocks))
	for _, c := range s.p.Cells {
		register.EachLocal([]register.Operand{c.Map, c.Key}, s.needed.Add)
	}
	for changed := true; changed; {
		changed = false
		for b, blk := range s.p.Blocks {
			if s.markBlock(b, blk) {
				changed = true
			}
		}
	}
}

func (s *slicer) markBlock(b int, blk *register.Block) bool {
	changed := false
	need := func(l register.Local) {
		if !s.needed.Has(l) {
			s.needed.Add(l)
			changed = true
		}
	}
	matters := func() {
		if !s.matter[b] {
			s.matter[b], changed = true, true
		}
	}
	for i := range blk.Instrs {
		in := &blk.Instrs[i]
		used := !register.IsSilent(in.Op) && !(s.outcomeOnly && in.Op != register.Effect)
		in.Defs(func(l register.Local) { used = used || s.needed.Has(l) && s.flow.Assigned[l] > 1 })
		if used {
			matters()
		}
		in.Defs(func(l register.Local) { used = used || s.needed.Has(l) })
		if used && !(s.outcomeOnly && in.IsBase()) {
			in.Uses(need)
		}
	}
	if blk.Term.Kind == register.Return || blk.Term.Kind == register.Panic {
		matters()
		blk.Term.Uses(need)
	}
	if blk.Term.Kind == register.Branch && s.decides(b) {
		matters()
		blk.Term.Uses(need)
	}
	return changed
}

// parameters makes what is live on entry, and the keys and owners of the
// cells, the region's parameters.
func parameters(p *register.Program) {
	p.Params = nil
	add := func(l register.Local) {
		if !slices.Contains(p.Params, l) {
			p.Params = append(p.Params, l)
		}
	}
	for _, l := range register.Live(p).In(0, 0) {
		add(l)
	}
	defined := register.NewLocalSet(len(p.Names))
	for _, b := range p.Blocks {
		for i := range b.Instrs {
			b.Instrs[i].Defs(defined.Add)
		}
	}
	for _, c := range p.Cells {
		register.EachLocal([]register.Operand{c.Map, c.Key}, func(l register.Local) {
			if !defined.Has(l) {
				add(l)
			}
		})
	}
	slices.Sort(p.Params)
}
