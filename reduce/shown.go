package reduce

import (
	"maps"
	"slices"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// question is a test of what an operation gave whose answer is told where that is not: whether it found anything, or
// whether what it found is some constant. Where the answer says so, what it gave is known as well.
type question struct {
	heard register.Local // where the answer is saved
	yes   string         // the answer that says what it gave
	only  bool           // what it gave says the answer as well, so that one of the two is enough
}

// questions are those about what is saved in a local, each with the local that answers it.
type questions map[register.Local]map[register.Local]question

// asks adds the tests of whether what an operation gave is a constant. The locals are saved where saws says.
func (q questions) asks(p *register.Program, saws map[register.Local]register.Local) {
	type test struct {
		of  register.Local
		yes string
	}
	tests := map[register.Local]test{}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != register.Pure || len(in.Dst) != 1 || in.Args[0].Local == register.None {
				continue
			}
			t, tested := tests[in.Args[0].Local]
			switch {
			case in.Name == "eq" && in.Args[1].IsLit():
				t = test{in.Args[0].Local, register.LitTrue}
			case in.Name == "not" && tested && t.yes == register.LitTrue:
				t.yes = register.LitFalse
			case in.Name == "not" && tested:
				t.yes = register.LitTrue
			default:
				continue
			}
			tests[in.Dst[0]] = t
			of, saved := saws[t.of]
			if heard, told := saws[in.Dst[0]]; saved && told {
				q.add(of, in.Dst[0], question{heard, t.yes, true})
			}
		}
	}
}

func (q questions) add(saw, answer register.Local, asked question) {
	if q[saw] == nil {
		q[saw] = map[register.Local]question{}
	}
	q[saw][answer] = asked
}

// answered are the questions about what is saved whose answers are told, by number of the local that answers.
func (q questions) answered(saw register.Local, untold []register.Local) []question {
	var out []question
	for _, answer := range slices.Sorted(maps.Keys(q[saw])) {
		if !slices.Contains(untold, answer) {
			out = append(out, q[saw][answer])
		}
	}
	return out
}

// forget makes what an operation gave unseen, but for where the answer to a question says what it is.
func forget(p *register.Program, saw register.Local, asked []question, pos register.Pos) []register.Instr {
	pure := func(dst register.Local, name string, args ...register.Operand) register.Instr {
		return register.Instr{Op: register.Pure, Dst: []register.Local{dst}, Name: name, Args: args, Pos: pos}
	}
	unseen := register.Lit(register.LitUnseen)
	known := p.NewLocal("known")
	out := []register.Instr{{Op: register.Copy, Dst: []register.Local{known}, Args: []register.Operand{unseen}, Pos: pos}}
	for _, q := range asked {
		says := p.NewLocal("says")
		p.Declare(says, register.Type{Kind: register.Bool})
		out = append(out, pure(says, "eq", register.L(q.heard), register.Lit(q.yes)),
			pure(known, "choose", register.L(says), register.L(saw), register.L(known)))
		if q.only {
			out = append(out, pure(q.heard, "choose", register.L(says), unseen, register.L(q.heard)))
		}
	}
	return append(out, register.Instr{Op: register.Copy, Dst: []register.Local{saw}, Args: []register.Operand{register.L(known)}, Pos: pos})
}

// keepShown saves the results of each operation that are told in a local of
// their own, and returns these. What was not shown, because the way did not
// lead there, or is not told where it ended, is LitUnseen.
func keepShown(p *register.Program, told register.LocalSet, untold map[int][]register.Local) []register.Operand {
	var shown []register.Operand
	saws, once := map[register.Local][]register.Local{}, map[register.Local]register.Local{}
	asked := questions{}
	var initial []register.Instr
	for _, blk := range p.Blocks {
		var out []register.Instr
		for _, in := range blk.Instrs {
			out = append(out, in)
			value := register.None // where the one that was given before is saved
			in.Defs(func(l register.Local) {
				if !told.Has(l) {
					return
				}
				saw := p.NewLocal("shown")
				shown, saws[l] = append(shown, register.L(saw)), append(saws[l], saw)
				initial = append(initial, register.Instr{Op: register.Copy, Dst: []register.Local{saw}, Args: []register.Operand{register.Lit(register.LitUnseen)}})
				out = append(out, register.Instr{Op: register.Copy, Dst: []register.Local{saw}, Args: []register.Operand{register.L(l)}, Pos: in.Pos})
				if in.Op != register.CAS && in.IsBase() && l == in.Dst[len(in.Dst)-1] && value != register.None {
					asked.add(value, l, question{heard: saw, yes: register.LitFalse})
				}
				value, once[l] = saw, saw
			})
		}
		blk.Instrs = out
	}
	maps.DeleteFunc(once, func(l, _ register.Local) bool { return len(saws[l]) > 1 })
	asked.asks(p, once)
	for b, blk := range p.Blocks {
		for _, l := range untold[b] {
			for _, saw := range saws[l] {
				blk.Instrs = append(blk.Instrs, forget(p, saw, asked.answered(saw, untold[b]), blk.Term.Pos)...)
			}
		}
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
