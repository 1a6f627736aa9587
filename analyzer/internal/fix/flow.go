package fix

import (
	"go/token"
	"slices"

	"github.com/mapatom/mapatom/analyzer/internal/ssaprog"
	"github.com/mapatom/mapatom/internal/analyzer/catalog"
	"github.com/mapatom/mapatom/internal/reduce/calls"
	"github.com/mapatom/mapatom/internal/reduce/ways"
	"golang.org/x/tools/go/ssa"
)

// walk looks for a way through one function that does not pass an instruction,
// on which a condition has one value.
type walk struct {
	to, avoid ssa.Instruction
	cond      ssa.Value
	value     bool
	seen      map[*ssa.BasicBlock]bool
}

// reaches reports whether there is a way from right after an instruction to
// another one, or back to itself.
func (w *walk) reaches(from ssa.Instruction) bool {
	w.seen = map[*ssa.BasicBlock]bool{}
	for i, instr := range from.Block().Instrs {
		if instr == from {
			return w.through(from.Block(), i+1)
		}
	}
	return false
}

// through goes on at an instruction of a block.
func (w *walk) through(b *ssa.BasicBlock, start int) bool {
	for _, instr := range b.Instrs[start:] {
		if instr == w.to {
			return true
		}
		if instr == w.avoid {
			return false
		}
	}
	next := b.Succs
	if branch, ok := b.Instrs[len(b.Instrs)-1].(*ssa.If); ok && w.cond != nil {
		switch cond, value := decided(branch.Cond, w.value); {
		case cond == w.cond && value:
			next = next[:1]
		case cond == w.cond:
			next = next[1:]
		}
	}
	for _, s := range next {
		if !w.seen[s] {
			w.seen[s] = true
			if w.through(s, 0) {
				return true
			}
		}
	}
	return false
}

// decided strips negations: the value is what the whole is if the stripped
// condition has the given one.
func decided(cond ssa.Value, value bool) (ssa.Value, bool) {
	for {
		not, ok := cond.(*ssa.UnOp)
		if !ok || not.Op != token.NOT {
			return cond, value
		}
		cond, value = not.X, !value
	}
}

// result is a result of a call; nil if nobody uses it.
func result(call *ssa.Call, index int) ssa.Value {
	if index < 0 {
		return nil
	}
	if call.Call.Signature().Results().Len() == 1 {
		return call
	}
	for _, ref := range *call.Referrers() {
		if x, ok := ref.(*ssa.Extract); ok && x.Index == index {
			return x
		}
	}
	return nil
}

// onlyIf reports whether a later operation only happens after an earlier one,
// once for each time, and if the earlier one answered so.
func onlyIf(earlier, later *ssa.Call, had ssa.Value, answer bool) bool {
	if had == nil || !ways.Before(earlier, later) {
		return false
	}
	again := &walk{to: later, avoid: earlier}
	other := &walk{to: later, avoid: earlier, cond: had, value: !answer}
	return !again.reaches(later) && !other.reaches(earlier)
}

// resultOf is a result of the site's call with a role.
func (s *site) resultOf(role catalog.Role) ssa.Value {
	if s.instr == nil {
		return nil
	}
	return result(s.instr, s.op.Result(role))
}

// quiet reports whether nothing has an effect on a way from one instruction,
// not counting it, to another.
func (f *fixer) quiet(from, to ssa.Instruction) bool {
	if from == nil || from.Parent() != to.Parent() {
		return false
	}
	ok := true
	for _, b := range from.Parent().Blocks {
		for _, instr := range b.Instrs {
			if instr == from || instr == to || !f.hasEffect(instr) {
				continue
			}
			first, then := &walk{to: instr, avoid: to}, &walk{to: to, avoid: from}
			ok = ok && !(first.reaches(from) && then.reaches(instr))
		}
	}
	return ok
}

// onlyAbout reports whether all that has an effect after a Store, and only
// happens after it, is about the stored value: an operand is that value, or a
// part of it. Other things would be done by one who lost as well.
func (f *fixer) onlyAbout(store *ssa.Call) bool {
	args := store.Call.Args
	stored := ssaprog.Unboxed(args[len(args)-1])
	for _, b := range store.Parent().Blocks {
		for _, instr := range b.Instrs {
			if !ways.Before(store, instr) || instr == store || !f.hasEffect(instr) {
				continue
			}
			if !slices.ContainsFunc(instr.Operands(nil), func(op *ssa.Value) bool { return *op != nil && owner(*op) == stored }) {
				return false
			}
		}
	}
	return true
}

// owner is what a value was reached from by fields and conversions.
func owner(v ssa.Value) ssa.Value {
	for {
		switch x := v.(type) {
		case *ssa.FieldAddr:
			v = x.X
		case *ssa.MakeInterface:
			v = x.X
		case *ssa.ChangeInterface:
			v = x.X
		default:
			return v
		}
	}
}

// quietCalls are the calls without an effect that anyone could ask about.
var quietCalls = []calls.Kind{
	calls.Pure, calls.ReadOnly, calls.Drawn, calls.Quiet, calls.Fresh, calls.Same, calls.Lock, calls.Unlock,
}

// hasEffect reports whether an instruction does something that is not seen in
// its own results only.
func (f *fixer) hasEffect(instr ssa.Instruction) bool {
	switch instr := instr.(type) {
	case *ssa.Store:
		_, local := instr.Addr.(*ssa.Alloc)
		return !local
	case *ssa.Send, *ssa.Go, *ssa.Defer, *ssa.MapUpdate, *ssa.Select:
		return true
	case *ssa.UnOp:
		return instr.Op == token.ARROW
	case *ssa.Call:
		if _, builtin := instr.Call.Value.(*ssa.Builtin); builtin {
			return !slices.Contains([]string{"len", "cap", "min", "max"}, instr.Call.Value.Name())
		}
		kind := f.c.Ps.Res.Call(instr.Parent(), instr).Kind
		if body := f.c.Ps.Res.Local(instr.Call.StaticCallee()); kind == calls.Inline && body != nil {
			return f.c.Ps.Touches(body) || f.c.Ps.Res.Sums.Of(body) == ssaprog.Effectful
		}
		return !slices.Contains(quietCalls, kind)
	}
	return false
}

// passesBy reports whether the function goes on after an instruction as it
// does without it.
func passesBy(at ssa.Instruction) bool {
	b := at.Block()
	rest := b.Instrs[slices.Index(b.Instrs, at)+1:]
	switch last := rest[len(rest)-1].(type) {
	case *ssa.Return:
		return len(rest) == 1 && (len(last.Results) == 0 || sameReturns(at.Parent()))
	case *ssa.Jump:
		return len(rest) == 1 && slices.ContainsFunc(b.Succs[0].Preds, func(p *ssa.BasicBlock) bool {
			return p != b && !b.Dominates(p) && sameEdges(b.Succs[0], p, b)
		})
	}
	return false
}

// sameEdges reports whether a block has the same values however it is entered
// of two ways.
func sameEdges(b, from, other *ssa.BasicBlock) bool {
	i, j := slices.Index(b.Preds, from), slices.Index(b.Preds, other)
	for _, instr := range b.Instrs {
		if phi, ok := instr.(*ssa.Phi); ok && !sameValue(phi.Edges[i], phi.Edges[j]) {
			return false
		}
	}
	return true
}

// sameReturns reports whether the function always returns the same constants.
func sameReturns(fn *ssa.Function) bool {
	var first *ssa.Return
	for _, b := range fn.Blocks {
		ret, ok := b.Instrs[len(b.Instrs)-1].(*ssa.Return)
		if !ok {
			continue
		}
		if first == nil {
			first = ret
		}
		for i, v := range ret.Results {
			if _, ok := v.(*ssa.Const); !ok || !sameValue(v, first.Results[i]) {
				return false
			}
		}
	}
	return true
}

// sameValue reports whether two values are one, or equal constants.
func sameValue(a, b ssa.Value) bool {
	x, ok := a.(*ssa.Const)
	y, also := b.(*ssa.Const)
	if ok && also {
		return x.String() == y.String()
	}
	return a == b
}
