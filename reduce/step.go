package reduce

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/mapatom/mapatom/internal/reduce/register"
)

// Step is the region of the accesses as what others can tell of it when it runs in
// one piece: what it does to its cells, and what it was shown there. Its exits
// become one, which returns what each operation gave where that was used.
// Its effects, its results, its locks, and the branches that choose between results are
// gone, and where one chooses between values, that is what is told.
func (w *Whole) Step(accesses []*register.Access, cells []int) (*register.Program, error) {
	out, _, err := w.Region(accesses, cells)
	if err != nil {
		return nil, err
	}
	return out, onePiece(out)
}

// onePiece makes a step of a region, in place.
func onePiece(p *register.Program) error {
	askAgain(p)
	register.Choose(p)
	told, untold := tells(p)
	dropEffects(p)
	shown := keepShown(p, told, untold)
	exit := len(p.Blocks)
	for _, blk := range p.Blocks {
		if len(blk.Term.To) == 0 {
			blk.Term = register.Term{Kind: register.Jump, To: []int{exit}, Pos: blk.Term.Pos}
		}
	}
	p.Blocks = append(p.Blocks, &register.Block{Term: register.Term{Kind: register.Return, Vals: shown}})
	s := &slicer{p: p, flow: register.NewFlow(p)}
	s.collapse()
	register.Tidy(p)
	register.Finish(p, parameters)
	return register.Check(p)
}

// askAgain has a step told what it asks of a clock, or of the state of an object: it is another call, at another time.
func askAgain(p *register.Program) {
	sites := 0
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			if in.Op != register.Pure || !in.Reads {
				continue
			}
			if in.Clock {
				in.Name += register.Later
			}
			sites++
			in.Op, in.Name = register.Unknown, in.Name+"#then"+strconv.Itoa(sites)
		}
	}
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
// has are made of: what operations gave, and what is calculated from that where only the
// result is used. What an operation gave is not told if it only decided what other
// operations do: they show that. Untold are those of them that have nothing to do with how it ends
// where it ends in a block:
//
//	if v := m.Load(); !m.CompareAndSwap(v, new) { return v } // else nobody is told v
func tells(p *register.Program) (told register.LocalSet, untold map[int][]register.Local) {
	s := &slicer{p: p, outcomeOnly: true}
	tellContents(p)
	joinExits(p)
	s.flow = register.NewFlow(p)
	s.mark()
	t := &telling{defs: make([][]*register.Instr, len(p.Names)), seen: register.NewLocalSet(len(p.Names)), told: register.NewLocalSet(len(p.Names))}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			in.Defs(func(l register.Local) { t.defs[l] = append(t.defs[l], in) })
		}
	}
	influence := s.flow.From(append(outcomes(p), counts(p)...))
	t.follows = influence.Locals.Has
	for b, blk := range p.Blocks {
		for i := range blk.Instrs {
			if in := &blk.Instrs[i]; in.Op == register.Effect {
				for _, a := range in.Args[:len(in.Args)-int(in.Owners)] {
					if a.Local != register.None {
						t.add(a.Local)
					}
				}
			}
		}
		if blk.Term.Kind == register.Branch && s.decides(b) {
			blk.Term.Uses(t.add)
		}
	}
	anyway := t.clone()
	at := map[int]register.LocalSet{}
	for b, blk := range p.Blocks {
		if len(blk.Term.To) == 0 {
			exit := anyway.clone()
			blk.Term.Uses(exit.add)
			blk.Term.Uses(t.add)
			at[b] = exit.told
		}
	}
	t.dropDetermined(at)
	return t.told, t.untold(at)
}

// telling finds what is told, from what is used last backwards.
type telling struct {
	defs       [][]*register.Instr
	follows    func(register.Local) bool // from what an operation gave
	seen, told register.LocalSet
	// dropped are those of told that are known from the others.
	dropped register.LocalSet
}

func (t *telling) clone() *telling {
	c := *t
	c.seen, c.told = slices.Clone(t.seen), slices.Clone(t.told)
	return &c
}

// untold are the locals that are told, and from which nothing follows that is told at an exit.
func (t *telling) untold(at map[int]register.LocalSet) map[int][]register.Local {
	out := map[int][]register.Local{}
	for b, told := range at {
		kept := register.NewLocalSet(len(t.defs))
		var keep func(l register.Local)
		keep = func(l register.Local) {
			switch {
			case !t.follows(l):
			case t.told.Has(l):
				kept.Add(l)
			default: // it is determined by what is told
				t.defs[l][0].Uses(keep)
			}
		}
		for l := range t.defs {
			if l := register.Local(l); told.Has(l) {
				keep(l)
			}
		}
		for l := range t.defs {
			if l := register.Local(l); t.told.Has(l) && !kept.Has(l) {
				out[b] = append(out[b], l)
			}
		}
	}
	return out
}

func (t *telling) add(l register.Local) {
	if t.seen.Has(l) || !t.follows(l) {
		return
	}
	t.seen.Add(l)
	if len(t.defs[l]) == 1 && calculates(t.defs[l][0]) {
		t.told.Add(l)
		return
	}
	for _, in := range t.defs[l] {
		if in.IsBase() || in.CountsEntries() {
			t.told.Add(l)
		} else {
			in.Uses(t.add)
		}
	}
}

// dropDetermined drops what is calculated from nothing but what is told anyway, where it is told. What a round of
// a loop calculates from the one before is not, nor are two that are calculated from each other.
func (t *telling) dropDetermined(at map[int]register.LocalSet) {
	dropped := register.NewLocalSet(len(t.defs))
	calculated := func(l register.Local, told register.LocalSet) bool {
		exit := &telling{defs: t.defs, follows: t.follows, told: told, dropped: dropped, seen: register.NewLocalSet(len(t.defs))}
		return exit.calculated(l)
	}
	for l := range t.defs {
		l := register.Local(l)
		if !t.told.Has(l) || t.defs[l][0].IsBase() {
			continue
		}
		everywhere := true
		for _, told := range at {
			if told.Has(l) && calculated(l, told) {
				told.Remove(l)
			} else if told.Has(l) {
				everywhere = false
			}
		}
		if everywhere {
			t.told.Remove(l)
			dropped.Add(l)
		}
	}
}

// determined reports whether a local is known from what is told.
func (t *telling) determined(l register.Local) bool {
	switch {
	case !t.follows(l):
		return true
	case t.seen.Has(l):
		return false
	case t.told.Has(l) && !t.dropped.Has(l):
		return true
	}
	return len(t.defs[l]) == 1 && calculates(t.defs[l][0]) && t.calculated(l)
}

// calculated reports whether all that a local is calculated from is known, and nothing of it from the local itself.
func (t *telling) calculated(l register.Local) bool {
	t.seen.Add(l)
	all := true
	t.defs[l][0].Uses(func(from register.Local) { all = all && t.determined(from) })
	t.seen.Remove(l)
	return all
}

// calculates reports whether what an instruction gives is known from what it is given.
func calculates(in *register.Instr) bool {
	return in.Op == register.Pure && register.Interpreted[in.Name] && len(in.Dst) == 1
}

// tellContents has the region return what a new object is made with, and not the object,
// where it is made for nothing but to be returned: nobody can tell it from another one with
// these contents, whichever line made it.
func tellContents(p *register.Program) {
	defs, uses := register.DefCounts(p), make([]int, len(p.Names))
	made := map[register.Local]*register.Instr{}
	for _, blk := range p.Blocks {
		for i := range blk.Instrs {
			in := &blk.Instrs[i]
			in.Uses(func(l register.Local) { uses[l]++ })
			if in.Op == register.Fresh && in.Dst[0] != register.None && defs[in.Dst[0]] == 1 && !strings.Contains(in.Name, register.MadeSite) {
				made[in.Dst[0]] = in
			}
		}
	}
	for _, blk := range p.Blocks {
		if blk.Term.Kind != register.Return {
			continue
		}
		var told []register.Operand
		for _, v := range blk.Term.Vals {
			if in := made[v.Local]; v.IsLit() || in == nil || uses[v.Local] > 0 {
				told = append(told, v)
			} else {
				typ, _, _ := strings.Cut(in.Name, "#")
				told = append(append(told, register.Lit(typ)), in.Args...)
			}
		}
		blk.Term.Vals = told
	}
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
			if in.Op != register.Pure || len(in.Dst) != 1 || len(in.Args) == 0 || in.Args[0].Local == register.None {
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
