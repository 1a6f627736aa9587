package reduce

import (
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Step is the region of the accesses as what others can tell of it when it runs in
// one piece: what it does to its cells, and what it was shown there. Its exits
// become one, which returns what each operation gave where that was used.
// Its effects, its results, its locks, and the branches that choose between results are
// gone. What was asked before the region of the values that it uses is asked in it.
func (w *Whole) Step(accesses []*register.Access, cells []int) (*register.Program, error) {
	out, _, err := w.region(accesses, cells, true)
	if err != nil {
		return nil, err
	}
	return out, onePiece(out)
}

// onePiece makes a step of a region, in place.
func onePiece(p *register.Program) error {
	told := tells(p)
	dropEffects(p)
	shown := keepShown(p, told)
	exit := len(p.Blocks)
	for _, blk := range p.Blocks {
		if len(blk.Term.To) == 0 {
			blk.Term = register.Term{Kind: register.Jump, To: []int{exit}, Pos: blk.Term.Pos}
		}
	}
	p.Blocks = append(p.Blocks, &register.Block{Term: register.Term{Kind: register.Return, Vals: shown}})
	s := &slicer{p: p, flow: register.NewFlow(p)}
	s.collapse()
	register.Finish(p, parameters)
	return register.Check(p)
}

// dropEffects drops what nobody is shown. All of the step is one piece already: the
// sections and the locks in it are no more.
func dropEffects(p *register.Program) {
	for _, blk := range p.Blocks {
		blk.Instrs = slices.DeleteFunc(blk.Instrs, func(in register.Instr) bool {
			switch in.Op {
			case register.Effect, register.Enter, register.Leave, register.Lock, register.Unlock:
				return true
			default:
				return false
			}
		})
	}
}

// tells are the locals that what the region returns, how it ends, and what effects it
// has follow from. What an operation gave is not told if it only decided what other
// operations do: they show that.
func tells(p *register.Program) register.LocalSet {
	s := &slicer{p: p, outcomeOnly: true}
	joinExits(p)
	s.flow = register.NewFlow(p)
	s.mark()
	return s.needed
}

// joinExits has the exits that do not differ end in one block: which of them is taken
// tells nothing.
func joinExits(p *register.Program) {
	before := p.Blocks
	for _, blk := range before {
		if len(blk.Term.To) > 0 {
			continue
		}
		to := len(before) + slices.IndexFunc(p.Blocks[len(before):], func(exit *register.Block) bool {
			return exit.Term.Kind == blk.Term.Kind && exit.Term.Label == blk.Term.Label && slices.Equal(exit.Term.Vals, blk.Term.Vals)
		})
		if to < len(before) {
			to = len(p.Blocks)
			p.Blocks = append(p.Blocks, &register.Block{Term: blk.Term})
		}
		blk.Term = register.Term{Kind: register.Jump, To: []int{to}, Pos: blk.Term.Pos}
	}
}

// keepShown saves the results of each operation that are told in a local of
// their own, and returns these. What was not shown, because the way did not
// lead there, is LitUnseen.
func keepShown(p *register.Program, told register.LocalSet) []register.Operand {
	var shown []register.Operand
	var initial []register.Instr
	for _, blk := range p.Blocks {
		var out []register.Instr
		for _, in := range blk.Instrs {
			out = append(out, in)
			if !in.IsBase() {
				continue
			}
			in.Defs(func(l register.Local) {
				if !told.Has(l) {
					return
				}
				saw := p.NewLocal("shown")
				shown = append(shown, register.L(saw))
				initial = append(initial, register.Instr{Op: register.Copy, Dst: []register.Local{saw}, Args: []register.Operand{register.Lit(register.LitUnseen)}})
				out = append(out, register.Instr{Op: register.Copy, Dst: []register.Local{saw}, Args: []register.Operand{register.L(l)}, Pos: in.Pos})
			})
		}
		blk.Instrs = out
	}
	entry := p.Blocks[0]
	if len(register.Preds(p)[0]) > 0 {
		// The entry is the head of a loop: move it, so that what was shown
		// in an earlier round is not forgotten.
		p.Blocks = append(p.Blocks, entry)
		for _, blk := range p.Blocks {
			for i, to := range blk.Term.To {
				if to == 0 {
					blk.Term.To[i] = len(p.Blocks) - 1
				}
			}
		}
		entry = &register.Block{Term: register.Term{Kind: register.Jump, To: []int{len(p.Blocks) - 1}}}
		p.Blocks[0] = entry
	}
	entry.Instrs = append(initial, entry.Instrs...)
	return shown
}
