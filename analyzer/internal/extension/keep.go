package extension

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// A function that stores a value of its own in an entry, and removes the entry when
// it is done, means to remove what it has stored. What happens while it is there, no
// matter for how long, is not a part of a step. But the removal stands on one thing:
// that the entry still is its own. So it is looked at as
//
//	if the entry holds my value, remove it
//
// with the look where the value was stored. That is what keeps says in a program of
// its own, in which the write of the value is a read and a comparison.

// Keeps are the removals of a function that mean its own entries, each as a function
// with one extension.
func Keeps(fn *ssa.Function, f *Function) []*Function {
	var out []*Function
	f.Find.receiver = register.None
	if first := len(f.Prog.Params) - len(fn.Params); fn.Signature.Recv() != nil && first >= 0 {
		f.Find.receiver = f.Prog.Params[first]
	}
	f.Find.objects = givenObjects(fn, f.Prog)
	for _, own := range f.Find.Accesses {
		for _, end := range f.Find.Accesses {
			if k, leased := f.Find.keep(own, end); k != nil {
				if g := takeKept(fn, f.Name, k, f.Pos(own.Ops[len(own.Ops)-1]), f.Pos(end.Ops[len(end.Ops)-1])); g != nil {
					g.Leased = leased
					out = append(out, g)
				}
			}
		}
	}
	return out
}

// givenObjects are the parameters of a function that callers give an object as what can be done with it: two of them
// are hardly ever the same number or text.
func givenObjects(fn *ssa.Function, p *register.Program) map[register.Local]bool {
	out := map[register.Local]bool{}
	for i, first := 0, len(p.Params)-len(fn.Params); first >= 0 && i < len(fn.Params); i++ {
		if _, generic := types.Unalias(fn.Params[i].Type()).(*types.TypeParam); generic {
			continue
		}
		if t, ok := fn.Params[i].Type().Underlying().(*types.Interface); ok && t.NumMethods() > 0 {
			out[p.Params[first+i]] = true
		}
	}
	return out
}

// takeKept finds the extension that begins with the look at own and ends with the removal
// at end. What comes before the look is over when the value is stored.
func takeKept(fn *ssa.Function, name string, p *register.Program, own, end register.Pos) *Function {
	f := TakeApart(fn, name, p)
	look := slices.IndexFunc(f.Find.Accesses, func(a *register.Access) bool { return slices.Contains(f.Positions([]*register.Access{a}), own) })
	if look < 0 {
		return nil
	}
	first := f.Find.Accesses[look]
	f.Groups = slices.DeleteFunc(f.Groups, func(g Group) bool {
		return !slices.Contains(g.Accesses, first) || !slices.Contains(f.Positions(g.Accesses), end)
	})
	for i, g := range f.Groups {
		f.Groups[i].Accesses = slices.DeleteFunc(g.Accesses, func(a *register.Access) bool { return a != first && !f.Find.Precedes(first, a) })
	}
	if len(f.Groups) == 0 {
		return nil
	}
	f.Wide, f.Kept, f.End = nil, true, end
	return f
}

// keep is the program for a value that own stores and end removes, and whether it is stored only
// where there is nothing; nil if that is not what they do.
func (f *finder) keep(own, end *register.Access) (p *register.Program, leased bool) {
	if own.Cell != end.Cell || f.prog.Cells[own.Cell].Kind != register.Map || own == end || !f.writesBefore(own, end) || f.Precedes(end, own) {
		return nil, false
	}
	last := len(own.Ops) - 1
	at, before := own.Ops[last], own.Ops[:last]
	write := &f.prog.Blocks[at.Block].Instrs[at.Instr]
	if write.Op != register.Write || slices.ContainsFunc(before, func(op register.Ref) bool {
		return f.prog.Blocks[op.Block].Instrs[op.Instr].Op != register.Read
	}) {
		return nil, false
	}
	shared := f.isShared(f.prog.Cells[own.Cell].Key, maxKeySteps)
	if !f.removes(end) || !f.hasIdentity(write.Args[0]) || f.isNilAt(write.Args[0], end) || !shared && !f.replaces(own) {
		return nil, false
	}
	if len(before) > 0 && f.decidedBy(before, at.Block) {
		puts, ends := f.afterFound(before, at, end)
		if ends || f.endsVacant(before, at, end) {
			return nil, false // the entry is everybody's who finds it, or of somebody who came later
		}
		if leased = !puts; leased && !shared {
			return nil, false
		}
	}
	return f.lookInstead(at, before), leased
}

// replaces reports whether what was there before the value of the call is told something: it is closed, or
// stopped. So another call can have put it there, wherever the key is from.
func (f *finder) replaces(own *register.Access) bool {
	found := f.outcome(f.index(own))
	for n := -1; n != len(found); {
		n = len(found)
		for _, blk := range f.prog.Blocks {
			for k := range blk.Instrs {
				in := &blk.Instrs[k]
				switch {
				case in.IsBase() || !anyMarked(found, in.Args):
				case in.Op == register.Effect:
					return true
				default:
					in.Defs(func(l register.Local) { found[l] = true })
				}
			}
		}
	}
	return false
}

// decidedBy reports whether a block is come to because of what some looks found, unless the
// call panics.
func (f *finder) decidedBy(looks []register.Ref, block int) bool {
	var found []register.Local
	for _, op := range looks {
		f.prog.Blocks[op.Block].Instrs[op.Instr].Defs(func(l register.Local) { found = append(found, l) })
	}
	p := f.prog.Clone()
	for _, blk := range p.Blocks {
		if t := &blk.Term; t.Kind == register.Branch && register.IsCheck(p, t) {
			to := slices.DeleteFunc(slices.Clone(t.To), func(b int) bool { return p.Blocks[b].Term.Kind == register.Panic })
			if len(to) == 1 {
				*t = register.Term{Kind: register.Jump, To: to, Pos: t.Pos}
			}
		}
	}
	return register.NewFlow(p).From(found).Blocks[block]
}

// returnsWithout reports whether the call can return after one access without another one, or a copy of that.
func (f *finder) returnsWithout(a, b *register.Access) bool {
	past := make([]bool, len(f.prog.Blocks))
	for i, c := range f.Accesses {
		past[c.Ops[0].Block] = past[c.Ops[0].Block] || c == b || f.copies(f.index(b), i)
	}
	for work := []int{a.Start.Block}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		if past[at] {
			continue
		}
		if past[at] = true; f.prog.Blocks[at].Term.Kind == register.Return {
			return true
		}
		work = append(work, f.prog.Blocks[at].Term.To...)
	}
	return false
}

// maxKeySteps bounds the way from a key to what it was given by.
const maxKeySteps = 12

// isShared reports whether another call can store under an equal key, as far as the
// function shows: it is given the key, or an object that has it. What the call asks
// somebody for, such as a counter or its own connection, may be for it alone, and so may
// a number, which nobody chooses.
func (f *finder) isShared(key register.Operand, depth int) bool {
	key = f.n.Source(key)
	if key.IsLit() || depth == 0 {
		return key.IsLit()
	}
	if f.prog.TypeOf(key.Local).Kind.IsInteger() {
		return false
	}
	def, _ := f.n.Def(key)
	if def == nil {
		return slices.Contains(f.prog.Params, key.Local) || f.isAsked(f.prog.OnlyDef(key.Local))
	}
	if with := f.madeWith(def); !with.IsNone() {
		return f.isShared(with, depth-1)
	}
	if !f.isLoad(def) && !f.isForm(def) {
		return f.isAsked(def)
	}
	return len(def.Args) > 0 && !slices.ContainsFunc(def.Args, func(o register.Operand) bool { return !o.IsLit() && !f.isWay(o, depth-1) })
}

// isForm reports whether a function gives its arguments in another form: they are no objects,
// which could tell it more than what they are.
func (f *finder) isForm(def *register.Instr) bool {
	kind, _, _ := strings.Cut(def.Name, ":")
	switch kind {
	case "box", "unbox", "convert", "struct", "field", "add", register.SliceOf:
		return true
	}
	return def.Memory().Kind == register.NoMemory && !slices.ContainsFunc(def.Args, func(o register.Operand) bool {
		kind := f.prog.TypeOf(f.n.Source(o).Local).Kind
		return !o.IsLit() && kind != register.String && !kind.IsInteger()
	})
}

// isAsked reports whether an instruction asks something that callers have brought along for what it
// has under a name, as a request for one of its values: which that is, they say.
func (f *finder) isAsked(def *register.Instr) bool {
	if def == nil || def.Op != register.Unknown && def.Op != register.Pure || def.Memory().Kind != register.NoMemory || len(def.Args) < 2 {
		return false
	}
	of := f.n.Source(def.Args[0])
	brought := !of.IsLit() && of.Local != f.receiver && slices.Contains(f.prog.Params, of.Local)
	return brought && !slices.ContainsFunc(def.Args[1:], func(o register.Operand) bool { return !o.IsLit() })
}

// madeWith is what the call itself has put into the field of its new object that an instruction
// loads; none, if it is not that.
func (f *finder) madeWith(load *register.Instr) register.Operand {
	place, ok := f.prog.FieldPlaces[load.Name]
	if !ok || len(load.Args) != 1 || f.prog.Stored[load.Name] {
		return register.NoOperand
	}
	def := f.prog.OnlyDef(f.n.Source(load.Args[0]).Local)
	if def == nil || def.Op != register.Fresh || strings.Contains(def.Name, register.MadeSite) || place >= len(def.Args) {
		return register.NoOperand
	}
	return def.Args[place]
}

// isLoad reports whether a pure instruction looks into memory. A method of an interface
// has a name like a field: what it is called on has no type that is known.
func (f *finder) isLoad(def *register.Instr) bool {
	if def.Memory().Kind == register.NoMemory || len(def.Args) == 0 {
		return false
	}
	from := f.n.Source(def.Args[0])
	return from.IsLit() || f.prog.TypeOf(from.Local).Kind != register.NoType
}

// isWay is isShared for what leads to a key, which may be a number.
func (f *finder) isWay(op register.Operand, depth int) bool {
	op = f.n.Source(op)
	if slices.Contains(f.prog.Params, op.Local) {
		return true
	}
	return f.isShared(op, depth)
}

// removes reports whether an access takes the entry away, whatever it finds.
func (f *finder) removes(a *register.Access) bool {
	for _, op := range a.Ops {
		in := &f.prog.Blocks[op.Block].Instrs[op.Instr]
		if in.Op == register.Write && in.Args[0] == register.Absent {
			return true
		}
	}
	return false
}

// hasIdentity reports whether a value can be told from any other: it is a reference, or an object that is known by
// its methods, and no constant.
func (f *finder) hasIdentity(v register.Operand) bool {
	v = f.n.Source(v)
	if v.Local == register.None {
		return false
	}
	return f.prog.IsFresh(v.Local) || f.prog.TypeOf(v.Local).Kind == register.Pointer || f.objects[v.Local]
}

// isNilAt reports whether some operation of an access is only come to where a value was found to be nil, which has no
// identity: who finds a nil there does not know whose it is.
func (f *finder) isNilAt(v register.Operand, a *register.Access) bool {
	preds := register.Preds(f.prog)
	for b, blk := range f.prog.Blocks {
		t := &blk.Term
		if t.Kind != register.Branch {
			continue
		}
		answer, asks := f.asksForNil(t.Cond, v, maxKeySteps)
		if !asks {
			continue
		}
		only := t.To[boolIndex(answer)]
		if slices.Equal(preds[only], []int{b}) && slices.ContainsFunc(a.Ops, func(op register.Ref) bool { return register.Dominates(f.tree, only, op.Block) }) {
			return true
		}
	}
	return false
}

// asksForNil reports whether a condition asks whether a value is nil, and by which answer it is.
func (f *finder) asksForNil(cond, v register.Operand, depth int) (answer, asks bool) {
	def, _ := f.n.Def(cond)
	switch {
	case def == nil || depth == 0:
		return false, false
	case def.Name == "not":
		answer, asks = f.asksForNil(def.Args[0], v, depth-1)
		return !answer, asks
	case def.Name == "eq" && slices.Contains(def.Args, register.Lit(register.LitNil)):
		v = f.n.Source(v)
		return true, slices.ContainsFunc(def.Args, func(o register.Operand) bool { return f.n.Source(o) == v })
	}
	return false, false
}

// lookInstead is the program in which the write at a place is a look whether its
// value is there; where it is not, the function is over. What the same section has found
// before it wrote is what the program is given.
func (f *finder) lookInstead(at register.Ref, before []register.Ref) *register.Program {
	p := f.prog.Clone()
	for _, op := range before {
		forget(p, op)
	}
	blk := p.Blocks[at.Block]
	write := blk.Instrs[at.Instr]
	mine := write.Args[0]
	switch v := f.n.Source(mine); { // what the entry can hold when the look begins
	case f.prog.IsFresh(v.Local):
		mine = given(p, v.Local)
	case f.isResult(v.Local):
		takeGiven(p, v.Local)
	}
	found, had, same, still := p.NewLocal("found"), p.NewLocal("had"), p.NewLocal("same"), p.NewLocal("still")
	rest := &register.Block{Instrs: slices.Clone(blk.Instrs[at.Instr+1:]), Term: blk.Term}
	gone := &register.Block{Term: register.Term{Kind: register.Return, Label: "another entry", Pos: write.Pos}}
	open := register.OpenEnters(p)[at.Block]
	for i := range at.Instr {
		open = register.StepEnter(open, &blk.Instrs[i], register.Ref{Block: at.Block, Instr: i})
	}
	for range open.Depth {
		gone.Instrs = append(gone.Instrs, register.Instr{Op: register.Leave, Pos: write.Pos})
	}
	p.Blocks = append(p.Blocks, rest, gone)
	blk.Instrs = append(blk.Instrs[:at.Instr:at.Instr],
		register.Instr{Op: register.Read, Dst: []register.Local{found, had}, Cell: write.Cell, Held: write.Held, Pos: write.Pos},
		register.Instr{Op: register.Pure, Dst: []register.Local{same}, Name: "eq", Args: []register.Operand{register.L(found), mine}, Pos: write.Pos},
		register.Instr{Op: register.Pure, Dst: []register.Local{still}, Name: "choose", Args: []register.Operand{register.L(had), register.L(same), register.Lit(register.LitFalse)}, Pos: write.Pos},
	)
	blk.Term = register.Term{Kind: register.Branch, Cond: register.L(still), To: []int{len(p.Blocks) - 2, len(p.Blocks) - 1}, Pos: write.Pos}
	return p
}

// forget makes parameters of what a read finds.
func forget(p *register.Program, at register.Ref) {
	in := &p.Blocks[at.Block].Instrs[at.Instr]
	old := p.NewLocal("before")
	p.Declare(old, p.TypeOf(in.Dst[0]))
	addParam(p, old)
	if had := in.Dst[1]; had != register.None {
		addParam(p, had)
	}
	into := in.Dst[0]
	if into == register.None {
		into = p.NewLocal("unused")
	}
	*in = register.Instr{Op: register.Copy, Dst: []register.Local{into}, Args: []register.Operand{register.L(old)}, Pos: in.Pos}
}

// given makes a parameter of what the function allocates.
func given(p *register.Program, l register.Local) register.Operand {
	own := p.NewLocal(p.Names[l])
	p.Declare(own, register.Type{Kind: register.Pointer})
	addParam(p, own)
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op == register.Fresh && in.Dst[0] == l {
				*in = register.Instr{Op: register.Copy, Dst: in.Dst, Args: []register.Operand{register.L(own)}, Pos: in.Pos}
			}
		}
	}
	return register.L(own)
}

// isResult reports whether a local is what an unknown call, and nothing else, gives.
func (f *finder) isResult(l register.Local) bool {
	def := f.prog.OnlyDef(l)
	return def != nil && def.Op == register.Unknown
}

// takeGiven makes a parameter of what an unknown call gives.
func takeGiven(p *register.Program, l register.Local) {
	addParam(p, l)
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if at := slices.Index(in.Dst, l); at >= 0 {
				in.Dst = slices.Clone(in.Dst)
				in.Dst[at] = p.NewLocal("unused")
			}
		}
	}
}

// addParam adds a parameter before those of the function, which are last.
func addParam(p *register.Program, l register.Local) { p.Params = slices.Insert(p.Params, 0, l) }

// Sweep is a function that acts on the keys which it has collected, in the program in
// which it finds one: with the extensions that it does not have in its own program. It is
// nil if there is none.
func Sweep(fn *ssa.Function, f *Function, p *register.Program) *Function {
	known := map[register.Pos]bool{}
	for _, g := range f.Groups {
		for _, pos := range f.Positions(g.Accesses) {
			known[pos] = true
		}
	}
	for _, blk := range p.Blocks { // how many it has found, it says as of then
		if blk.Term.Kind == register.Return {
			blk.Term.Vals = nil
		}
	}
	s := TakeApart(fn, f.Name, p)
	s.Groups = slices.DeleteFunc(s.Groups, func(g Group) bool {
		return !slices.ContainsFunc(s.Positions(g.Accesses), func(pos register.Pos) bool { return !known[pos] })
	})
	if s.Wide, s.Swept = nil, true; len(s.Groups) == 0 {
		return nil
	}
	return s
}
