package register

import "slices"

// Choose replaces each branch that decides about nothing but which of two values some locals have by
// choices between them, so that what is told of such a local is its value, and not what decided it:
//
//	v, ok := read; if ok { out = v } else { out = nil }    out = choose(ok, v, nil)
//
// Whoever is only given out does not know whether there was nil, or nothing.
func Choose(p *Program) {
	for changed := true; changed; {
		changed = false
		preds, live := Preds(p), Live(p)
		for _, blk := range p.Blocks {
			if meet, ways, ok := diamond(p, preds, blk); ok {
				chooseAt(p, blk, ways, live.In(meet, 0))
				blk.Term = Term{Kind: Jump, To: []int{meet}, Pos: blk.Term.Pos}
				changed = true
			}
		}
		if changed {
			Tidy(p)
		}
	}
}

// maxChosen bounds the instructions of a way that are made on the other one as well.
const maxChosen = 8

// chooseAt makes what is calculated on both ways from a block in it, and chooses what is live where they meet.
func chooseAt(p *Program, blk *Block, ways [2][]Instr, live []Local) {
	cond := p.NewLocal("cond") // which may be assigned on the ways
	p.Declare(cond, Type{Kind: Bool})
	blk.Instrs = append(slices.Clone(blk.Instrs), Instr{Op: Copy, Dst: []Local{cond}, Args: []Operand{blk.Term.Cond}, Pos: blk.Term.Pos})
	var named [2]map[Local]Operand
	for i, way := range ways {
		named[i] = both(p, blk, way)
	}
	for _, l := range live {
		a, onFirst := named[0][l]
		b, onSecond := named[1][l]
		if !onFirst && !onSecond {
			continue
		}
		if !onFirst {
			a = L(l)
		} else if !onSecond {
			b = L(l)
		}
		blk.Instrs = append(blk.Instrs, Instr{Op: Pure, Name: "choose", Dst: []Local{l}, Args: []Operand{L(cond), a, b}, Pos: blk.Term.Pos})
	}
}

// both appends what is calculated on a way to a block, under other names, which it returns.
func both(p *Program, blk *Block, way []Instr) map[Local]Operand {
	named := map[Local]Operand{}
	for _, in := range way {
		in.Args = slices.Clone(in.Args)
		for k, a := range in.Args {
			if other, ok := named[a.Local]; ok && !a.IsLit() {
				in.Args[k] = other
			}
		}
		l := p.NewLocal(p.Names[in.Dst[0]])
		p.Declare(l, p.TypeOf(in.Dst[0]))
		named[in.Dst[0]] = L(l)
		in.Dst = []Local{l}
		blk.Instrs = append(blk.Instrs, in)
	}
	return named
}

// diamond is where the two ways from a block meet, and what is calculated on each, if that is all
// that is done there.
func diamond(p *Program, preds [][]int, blk *Block) (meet int, ways [2][]Instr, ok bool) {
	if blk.Term.Kind != Branch || blk.Term.To[0] == blk.Term.To[1] {
		return 0, ways, false
	}
	var to [2]int
	for i := range to {
		to[i] = blk.Term.To[i]
		b := p.Blocks[to[i]]
		if b != blk && len(preds[to[i]]) == 1 && b.Term.Kind == Jump && len(b.Instrs) <= maxChosen && !slices.ContainsFunc(b.Instrs, func(in Instr) bool { return !isTotal(&in) }) {
			to[i], ways[i] = b.Term.To[0], b.Instrs
		}
	}
	return to[0], ways, to[0] == to[1] && p.Blocks[to[0]] != blk
}

// isTotal reports whether an instruction can be made where it need not be: it gives something for
// any arguments.
func isTotal(in *Instr) bool {
	if len(in.Dst) != 1 || in.Dst[0] == None {
		return false
	}
	return in.Op == Copy || in.Op == Pure && totals[in.Name]
}

// totals are the interpreted functions that give something for any arguments.
var totals = map[string]bool{
	"eq": true, "not": true, "choose": true, "feq": true, "lt": true, "le": true, "box": true, "is": true, "concat": true,
	"add": true, "sub": true, "mul": true, "and": true, "or": true, "xor": true, "andnot": true, "neg": true, "compl": true,
}
