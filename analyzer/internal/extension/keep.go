package extension

import (
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
	for _, own := range f.Find.Accesses {
		for _, end := range f.Find.Accesses {
			if k := f.Find.keep(own, end); k != nil {
				if g := takeKept(fn, f.Name, k, f.Pos(own.Ops[0]), f.Pos(end.Ops[len(end.Ops)-1])); g != nil {
					out = append(out, g)
				}
			}
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
	f.Wide, f.Kept = nil, true
	return f
}

// keep is the program for a value that own stores and end removes; nil if that is
// not what they do.
func (f *finder) keep(own, end *register.Access) *register.Program {
	if own.Cell != end.Cell || f.prog.Cells[own.Cell].Kind != register.Map || own == end || !f.Precedes(own, end) || f.Precedes(end, own) {
		return nil
	}
	at := own.Ops[len(own.Ops)-1]
	write := &f.prog.Blocks[at.Block].Instrs[at.Instr]
	if len(own.Ops) != 1 || write.Op != register.Write || !f.removes(end) || !f.hasIdentity(write.Args[0]) || !f.isShared(f.prog.Cells[own.Cell].Key, maxKeySteps) {
		return nil
	}
	return f.lookInstead(at)
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
		return slices.Contains(f.prog.Params, key.Local)
	}
	if !f.isLoad(def) && !isForm(def.Name) {
		return false
	}
	return len(def.Args) > 0 && !slices.ContainsFunc(def.Args, func(o register.Operand) bool { return !o.IsLit() && !f.isWay(o, depth-1) })
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

// isForm reports whether a function gives its argument in another form.
func isForm(name string) bool {
	kind, _, _ := strings.Cut(name, ":")
	switch kind {
	case "box", "unbox", "convert", "struct", "field", "add", "slice of":
		return true
	}
	return false
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

// hasIdentity reports whether a value can be told from any other: it is a reference,
// and no constant.
func (f *finder) hasIdentity(v register.Operand) bool {
	v = f.n.Source(v)
	if v.Local == register.None {
		return false
	}
	return f.prog.IsFresh(v.Local) || f.prog.TypeOf(v.Local).Kind == register.Pointer
}

// lookInstead is the program in which the write at a place is a look whether its
// value is there; where it is not, the function is over.
func (f *finder) lookInstead(at register.Ref) *register.Program {
	p := f.prog.Clone()
	blk := p.Blocks[at.Block]
	write := blk.Instrs[at.Instr]
	mine := write.Args[0]
	if v := f.n.Source(mine); f.prog.IsFresh(v.Local) {
		mine = given(p, v.Local) // what the entry can hold when the look begins
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

// given makes a parameter of what the function allocates.
func given(p *register.Program, l register.Local) register.Operand {
	own := p.NewLocal(p.Names[l])
	p.Declare(own, register.Type{Kind: register.Pointer})
	p.Params = append(p.Params, own)
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
