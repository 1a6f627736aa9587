package evidence

import (
	"go/types"
	"slices"
	"strings"

	"github.com/mapatom/mapatom/analyzer/internal/extension"
	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/reduce/register"
)

// decidedEffect is an effect of the region that goes with a write, and that the region
// does not have otherwise: two that find the same both have it.
//
//	if l.closed.Load() { return }
//	l.closed.Store(true)
//	close(l.done)
func decidedEffect(p *register.Program, matters func(*register.Instr) bool) (*register.Instr, bool) {
	tree, found := register.Dominators(p), whatIsFound(p)
	with := map[register.Action]*register.Instr{}
	otherwise := map[register.Action]bool{}
	var order []register.Action
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			act := in.Effect()
			if act.Kind == register.NoEffect || act.Kind == register.Stored || !matters(in) || act.Kind == register.Operated && !uses(in, found) || onOwn(p, in) || keepsTime[act.Callee] || makesStored(p, act) || closesForNew(p, in) {
				continue
			}
			if !goesWithWrite(p, tree, b) || !decided(p, b) {
				otherwise[act] = true
			} else if with[act] == nil {
				with[act], order = in, append(order, act)
			}
		}
	}
	for _, act := range order {
		if !otherwise[act] {
			return with[act], true
		}
	}
	return nil, false
}

// claimed reports whether an effect is only had if something succeeds of which that is told: a
// compare-and-swap, a removal of what is there, or a lock that is not waited for. Of two that
// come so far one fails there. A removal may be of a newer entry, which somebody else has for an
// own claim; onlyTaken leaves all but removals out.
func claimed(p *register.Program, effect *register.Instr, onlyTaken bool) bool {
	tree := register.Dominators(p)
	at := slices.IndexFunc(p.Blocks, func(blk *register.Block) bool {
		return slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool { return in.Op == register.Effect && in.Pos == effect.Pos })
	})
	for b, blk := range p.Blocks {
		if at < 0 || b == at || !register.Dominates(tree, b, at) || !returnsWithout(p, b, at) {
			continue
		}
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if (takes(in) || !onlyTaken && triesOnce(in)) && goesBy(blk, in.Pos) {
				return true
			}
		}
		if to, put := insertsInSection(p, b); put >= 0 && !onlyTaken && register.Dominates(tree, to, at) {
			early := func(in register.Instr) bool { return in.Op == register.Effect && in.Pos == effect.Pos }
			return at != to || !slices.ContainsFunc(p.Blocks[to].Instrs[:put], early)
		}
	}
	return false
}

// insertsInSection is the block to which another one leads where it finds no entry, and the place in it of the write that puts
// one there before the lock is released under which it was looked for: a compare-and-swap in all but the name. The
// place is -1 if the block does something else.
func insertsInSection(p *register.Program, block int) (to, put int) {
	blk := p.Blocks[block]
	if blk.Term.Kind != register.Branch {
		return 0, -1
	}
	look := slices.IndexFunc(blk.Instrs, func(in register.Instr) bool {
		return in.Op == register.Read && len(in.Dst) > 1 && in.Dst[1] == blk.Term.Cond.Local && p.Cells[in.Cell].Guarded
	})
	if look < 0 || slices.ContainsFunc(blk.Instrs[look:], leaves) {
		return 0, -1
	}
	none, cell := blk.Term.To[1], blk.Instrs[look].Cell
	for i := range p.Blocks[none].Instrs {
		switch in := &p.Blocks[none].Instrs[i]; {
		case leaves(*in):
			return none, -1
		case in.Op == register.Write && in.Cell == cell && putsSomething(in):
			return none, i
		}
	}
	return none, -1
}

// leaves reports whether an instruction ends what is done under a lock.
func leaves(in register.Instr) bool { return in.Op == register.Leave || in.Op == register.Unlock }

// takes reports whether an instruction removes what is there, and tells what that was.
func takes(in *register.Instr) bool {
	return in.Op == register.Write && !putsSomething(in)
}

// triesOnce reports whether an instruction is one that can fail because of others. Only a lock that
// is not waited for has a result.
func triesOnce(in *register.Instr) bool {
	return in.Op == register.CAS || in.Op == register.Lock || in.Op == register.Effect && in.Effect().Name == register.OperationEffect(register.CAS)
}

// closesForNew reports whether a channel is closed to wake those who wait, and another one takes its place: the
// second call closes that.
//
//	close(c.changed)
//	c.changed = make(chan struct{})
func closesForNew(p *register.Program, in *register.Instr) bool {
	if in.Effect().Kind != register.Closed || in.Args[0].IsLit() {
		return false
	}
	load := p.OnlyDef(in.Args[0].Local)
	return load != nil && someInstr(p, func(st register.Instr) bool {
		if load.Op == register.Read {
			return st.Op == register.Write && st.Cell == load.Cell && p.IsFresh(st.Args[0].Local)
		}
		st.Name = strings.TrimPrefix(st.Name, register.Then)
		return load.Memory().IsField() && changes(&st) && st.Memory().Name == load.Memory().Name
	})
}

// keepsTime are effects that say when something may go on, and nothing else.
var keepsTime = map[string]bool{"(*sync.WaitGroup).Add": true, "(*sync.WaitGroup).Done": true, "(*sync.Once).Do": true}

// makesStored reports whether a function that is called gives what the region stores: that
// it is called twice is no more than that two values are made, of which one is lost.
func makesStored(p *register.Program, act register.Action) bool {
	if act.Kind != register.Called {
		return false
	}
	made := map[register.Local]bool{}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == register.Unknown && in.Site() == act.Name {
				in.Defs(func(l register.Local) { made[l] = true })
			}
		}
	}
	passOn(p, made, func(in *register.Instr) bool { return in.Op == register.Pure })
	return slices.ContainsFunc(p.Blocks, func(blk *register.Block) bool {
		return slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool { return in.Op == register.Write && uses(&in, made) })
	})
}

// onOwn reports whether all that an effect is on was made by the call: sorting one's own
// list twice is nobody else's business. What is started goes on by itself.
func onOwn(p *register.Program, in *register.Instr) bool {
	if len(in.Args) == 0 || in.Effect().Kind == register.Started {
		return false
	}
	return !slices.ContainsFunc(in.Args, func(op register.Operand) bool { return !isOwn(p, op, map[register.Local]bool{}) })
}

// isOwn reports whether a value was made by the call, whichever way it came there.
func isOwn(p *register.Program, op register.Operand, seen map[register.Local]bool) bool {
	if op.IsLit() || op.IsNone() || seen[op.Local] {
		return true
	}
	seen[op.Local] = true
	known := false
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			switch {
			case !defines(in, op.Local):
				continue
			case in.Op == register.Fresh, in.Op == register.Unknown && in.Memory().Kind == register.NoMemory:
			case in.Op == register.Pure && register.IsAppend(in.Name): // what is in the list may be anybody's
				if !isOwn(p, in.Args[0], seen) {
					return false
				}
			case in.Op == register.Copy, in.Op == register.Pure && in.Memory().Kind == register.NoMemory:
				if slices.ContainsFunc(in.Args, func(arg register.Operand) bool { return !isOwn(p, arg, seen) }) {
					return false
				}
			default:
				return false
			}
			known = true
		}
	}
	return known
}

// goesWithWrite reports whether a block is always run before or after a write, or a write
// always after it.
func goesWithWrite(p *register.Program, tree []int, block int) bool {
	for b, blk := range p.Blocks {
		writes := slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool { return in.Op == register.Write })
		if writes && (register.Dominates(tree, b, block) || register.Dominates(tree, block, b) || reaches(p, block, b, -1) && !returnsWithout(p, block, b)) {
			return true
		}
	}
	return false
}

// decidedAnswer is where the region returns something that is decided by what it found,
// after it has written: true to the first one, false to all others.
func decidedAnswer(p *register.Program) (register.Pos, bool) {
	return answerAfter(p, register.Write)
}

// answerAfter is decidedAnswer for what comes after an operation of any kind.
func answerAfter(p *register.Program, op register.Op) (register.Pos, bool) {
	for b, blk := range p.Blocks {
		if blk.Term.Kind != register.Return || !decided(p, b) || !after(p, b, op) {
			continue
		}
		for o, other := range p.Blocks {
			if other.Term.Kind == register.Return && (otherAnswer(blk.Term.Vals, other.Term.Vals) || refuses(p, o, blk.Term.Vals)) {
				return blk.Term.Pos, true
			}
		}
	}
	return register.Pos{}, false
}

// decidedCode is where the region returns one of the constants of a type after it has written, as what it found decides, and the call would have
// returned another one if it were made after those that come in between:
//
//	if g := b.gate.Load(); g == probing { return refused }
//	b.gate.Store(probing)
//	return probe
func (v *violation) decidedCode() (register.Pos, bool) {
	last, ok := v.afterOthers()
	w, results := v.x.Witness, v.Fn.Signature.Results()
	if !ok || len(last.Vals) != len(w.Result.Vals) || len(last.Vals) != results.Len() || w.Result.Label != "" || last.Label != "" {
		return register.Pos{}, false
	}
	for k, val := range last.Vals {
		if val == w.Result.Vals[k] || !isCode(results.At(k).Type()) {
			continue
		}
		returns := func(blk *register.Block, val register.Value) bool {
			return blk.Term.Kind == register.Return && blk.Term.Label == "" && k < len(blk.Term.Vals) && blk.Term.Vals[k] == register.Lit(string(val))
		}
		refused := slices.ContainsFunc(v.x.Region.Blocks, func(blk *register.Block) bool { return returns(blk, val) })
		for b, blk := range v.x.Region.Blocks {
			if refused && returns(blk, w.Result.Vals[k]) && decided(v.x.Region, b) && after(v.x.Region, b, register.Write) {
				return blk.Term.Pos, true
			}
		}
	}
	return register.Pos{}, false
}

// isCode reports whether values of a type are one of some constants: the package of an integer type has several.
func isCode(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil {
		return false
	}
	if basic, ok := named.Underlying().(*types.Basic); !ok || basic.Info()&types.IsInteger == 0 {
		return false
	}
	codes, scope := 0, named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		if c, ok := scope.Lookup(name).(*types.Const); ok && types.Identical(c.Type(), t) {
			codes++
		}
	}
	return codes > 1
}

// goesOnPast is where a region goes on after it has written, as what it found decides, where it returns an error
// otherwise that says what was found:
//
//	if s.open(host) >= s.max { return errBusy }
//	s.add(host)
//	return s.fetch(host)
func (v *violation) goesOnPast() (register.Pos, bool) {
	p, results := v.x.Region, v.Fn.Signature.Results()
	for b, blk := range p.Blocks {
		if blk.Term.Kind != register.Return || blk.Term.Label == "" || !decided(p, b) || !after(p, b, register.Write) {
			continue
		}
		for o, other := range p.Blocks {
			if other.Term.Kind != register.Return || other.Term.Label != "" || after(p, o, register.Write) {
				continue
			}
			for i, op := range other.Term.Vals {
				if i < results.Len() && ssaprog.IsError(results.At(i).Type()) && saysFound(p, o, op) {
					return other.Term.Pos, true
				}
			}
		}
	}
	return register.Pos{}, false
}

// whatIsFound are the values that a region reads.
func whatIsFound(p *register.Program) map[register.Local]bool {
	found := map[register.Local]bool{}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op == register.Read || in.Op == register.Copy && uses(in, found) && p.OnlyDef(in.Dst[0]) != nil {
				found[in.Dst[0]] = true
			}
		}
	}
	delete(found, register.None)
	return found
}

// takesOld reports whether the region returns what it found there, and has replaced it since.
func takesOld(p *register.Program) bool {
	found := whatIsFound(p)
	return slices.ContainsFunc(p.Blocks, func(blk *register.Block) bool {
		b := slices.Index(p.Blocks, blk)
		given := blk.Term.Kind == register.Return && slices.ContainsFunc(blk.Term.Vals, func(op register.Operand) bool {
			return !op.IsLit() && found[op.Local] && replacedAfter(p, op.Local)
		})
		return given && after(p, b, register.Write)
	})
}

// replacedAfter reports whether the region can write after it has found something: who looks again after that
// has what there is now.
func replacedAfter(p *register.Program, found register.Local) bool {
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			if !defines(&blk.Instrs[i], found) {
				continue
			}
			writes := func(in register.Instr) bool { return in.Op == register.Write }
			if slices.ContainsFunc(blk.Instrs[i+1:], writes) {
				return true
			}
			for w, other := range p.Blocks {
				if slices.ContainsFunc(other.Instrs, writes) && reaches(p, b, w, -1) {
					return true
				}
			}
		}
	}
	return false
}

// otherAnswer reports whether two returns give different truth values, or an error and
// none.
func otherAnswer(a, b []register.Operand) bool {
	for i := range a {
		if i >= len(b) || !a[i].IsLit() {
			continue
		}
		switch a[i].Lit {
		case register.LitTrue, register.LitFalse:
			if b[i].IsLit() && b[i] != a[i] {
				return true
			}
		}
	}
	return false
}

// refuses reports whether a block returns an error where others have none, or may have none, which says
// what was found and nothing that went wrong meanwhile: one of the package's, such as ErrExists, or one
// that is made there, and the look decides that.
func refuses(p *register.Program, block int, others []register.Operand) bool {
	for i, op := range p.Blocks[block].Term.Vals {
		if i >= len(others) || op.IsLit() || !canBeNil(p, others[i]) {
			continue
		}
		if saysFound(p, block, op) {
			return true
		}
	}
	return false
}

// canBeNil reports whether a value is nil, or is that on one of several ways:
//
//	return s.add(key, n) // which returns an error, or nil
func canBeNil(p *register.Program, op register.Operand) bool {
	if op.IsNone() || op.IsLit() {
		return op.IsLit() && op.Lit == register.LitNil
	}
	return someInstr(p, func(in register.Instr) bool {
		return in.Op == register.Copy && in.Dst[0] == op.Local && in.Args[0].IsLit() && in.Args[0].Lit == register.LitNil
	})
}

// saysFound reports whether what a block returns is an error that says what was found.
func saysFound(p *register.Program, block int, op register.Operand) bool {
	if op.IsLit() || op.IsNone() {
		return false
	}
	def := p.OnlyDef(op.Local)
	if def == nil {
		return false
	}
	return def.Op == register.Pure && def.Memory().Kind == register.Variable || extension.MakesError(def) && lookDecides(p, block)
}

// lookDecides reports whether the last decision before a block is by what the region has found, or by what
// that says where there is something, and something else where there is nothing.
func lookDecides(p *register.Program, block int) bool {
	found := whatIsFound(p)
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == register.Read && len(in.Dst) > 1 {
				found[in.Dst[1]] = true
			}
		}
	}
	delete(found, register.None)
	passOn(p, found, func(in *register.Instr) bool {
		return in.Op == register.Copy || in.Op == register.Pure && in.Name != "choose"
	})
	return slices.ContainsFunc(p.Blocks, func(blk *register.Block) bool {
		return blk.Term.Kind == register.Branch && found[blk.Term.Cond.Local] && slices.Contains(blk.Term.To, block)
	})
}

// decided reports whether a block is reached or not, as what was found decides, or something that
// was made of it.
func decided(p *register.Program, block int) bool {
	found := map[register.Local]bool{}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.IsBase() {
				in.Defs(func(l register.Local) { found[l] = true })
			}
		}
	}
	delete(found, register.None)
	passOn(p, found, func(in *register.Instr) bool { return in.Op != register.Fresh })
	for b, blk := range p.Blocks {
		if blk.Term.Kind == register.Branch && found[blk.Term.Cond.Local] && b != block && reaches(p, b, block, -1) && returnsWithout(p, b, block) {
			return true
		}
	}
	return false
}

// after reports whether an operation of a kind comes before the end of a block, on some
// way to it.
func after(p *register.Program, block int, op register.Op) bool {
	for b, blk := range p.Blocks {
		has := slices.ContainsFunc(blk.Instrs, func(in register.Instr) bool { return in.Op == op })
		if has && (b == block || reaches(p, b, block, -1)) {
			return true
		}
	}
	return false
}
